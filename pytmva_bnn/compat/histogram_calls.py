"""Calls of histograms that compute: random numbers, fits, rebinning, comparisons."""
# ruff: noqa: N802 - ROOT's names

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np

from pytmva_bnn._typing import AnyArray, FloatArray
from pytmva_bnn.compat.axes import TAxis
from pytmva_bnn.compat.errors import MacroError
from pytmva_bnn.compat.fits import FitResult, fitted
from pytmva_bnn.compat.functions import TF1, function_named
from pytmva_bnn.compat.lists import ObjectList
from pytmva_bnn.compat.null_pointer import NullPointer
from pytmva_bnn.compat.randoms import uniform_numbers
from pytmva_bnn.evaluation.overtraining import kolmogorov
from pytmva_bnn.histograms import Axis, Histogram1D
from pytmva_bnn.histograms.smoothing import smooth

if TYPE_CHECKING:
    from pytmva_bnn.compat.histograms import TH1


class HistogramCalls:
    """Mixed into TH1."""

    _name: str
    _histogram: Any
    _axes: tuple[TAxis, ...]

    # -- random numbers

    def FillRandom(self, source: Any, n: int = 5000, *_: Any) -> None:
        """Fill ``n`` random values of a function, its name, or a histogram, drawn as ROOT draws them."""
        edges = [axis.all_edges for axis in self._histogram.axes]
        if isinstance(source, HistogramCalls):
            edges = [axis.all_edges for axis in source._histogram.axes]
            densities = source._histogram.values.astype(np.float64)
        else:
            function = source if isinstance(source, TF1) else function_named(str(source))
            if function.n_axes != len(edges):
                raise MacroError(f"{self._name}.FillRandom: {function.GetName()} must have {len(edges)} variable(s)")
            densities = np.maximum(function.bin_integrals(*edges), 0.0)
        columns = _drawn(densities, edges, int(n))
        self._histogram.fill(*columns)

    def GetRandom(self, *_: Any) -> float:
        axis = self._histogram.axes[0]
        return float(_drawn(self._histogram.values.astype(np.float64), [axis.all_edges], 1)[0][0])

    # -- fits

    def Fit(self, function: Any, option: str = "", goption: str = "", *limits: float) -> FitResult:
        """Fit a function; ``option`` as in ROOT: L, W, R, Q, N; the result counts as 0 if it has converged."""
        del goption
        h = self._histogram
        errors = np.sqrt(h.squares[1:-1])
        values = h.values.astype(np.float64)
        found = fitted(function, h.axes[0].centres, values, errors, str(option), tuple(limits))
        if "N" not in str(option).upper():
            self._functions[:] = [one for one in self._functions if one.GetName() != found.function.GetName()]
            self._functions.append(found.function)
        return found

    @property
    def _functions(self) -> ObjectList[TF1]:
        return vars(self).setdefault("_fitted", ObjectList())  # type: ignore[no-any-return]

    def GetListOfFunctions(self) -> ObjectList[TF1]:
        return self._functions

    def GetFunction(self, name: str) -> Any:
        for one in self._functions:
            if one.GetName() == name:
                return one
        return NullPointer(f"{self._name} has no function {name!r}: call Fit first")

    # -- bins

    def FindFirstBinAbove(self, threshold: float = 0.0, axis: int = 1, first: int = 1, last: int = -1) -> int:
        return next(iter(self._bins_above(threshold, axis, first, last)), -1)

    def FindLastBinAbove(self, threshold: float = 0.0, axis: int = 1, first: int = 1, last: int = -1) -> int:
        return next(reversed(self._bins_above(threshold, axis, first, last)), -1)

    def _bins_above(self, threshold: float, axis: int, first: int, last: int) -> list[int]:
        """Return the bins of an axis, flow bins aside, in which some content is above a threshold."""
        values = self._histogram.values
        largest = values.max(axis=tuple(k for k in range(values.ndim) if k != axis - 1))
        above = np.flatnonzero(largest > threshold) + 1
        return [int(one) for one in above if first <= one and (last < first or one <= last)]

    def Rebin(self, n: int = 2, name: str = "", edges: Any = None) -> Any:
        """Join ``n`` bins each, or the bins between ``n`` + 1 ``edges``: in place, or in a copy if there is a name."""
        target: Any = self.Clone(name) if name else self  # type: ignore[attr-defined]
        old: Axis = self._histogram.axes[0]
        if edges is not None:
            new = Axis(n, float(edges[0]), float(edges[n]), np.asarray(edges[: n + 1], dtype=np.float64))
        else:
            groups = old.n_bins // n
            limits = old.all_edges[: groups * n + 1 : n]
            new = Axis(groups, float(limits[0]), float(limits[-1]), None if old.edges is None else limits)
        places = new.find_bin(old.centre(np.arange(old.n_bins + 2)))
        places[0], places[-1] = 0, new.n_bins + 1
        h = self._histogram

        def joined(cells: AnyArray) -> AnyArray:
            sums = np.zeros(new.n_bins + 2, cells.dtype)
            np.add.at(sums, places, cells)
            return sums

        squares = None if h.sumw2 is None else joined(h.sumw2)
        target._histogram = Histogram1D((new,), joined(h.cells), squares, h.entries, h.statistics.copy())
        axis = TAxis(new)
        axis.title = target._axes[0].title
        target._axes = (axis,)
        return target

    def GetCumulative(self, forward: bool = True, suffix: str = "_cumulative") -> Any:
        """Return a copy whose bins have the sums of all bins up to them, or from them on."""
        made: Any = self.Clone(f"{self._name}{suffix}")  # type: ignore[attr-defined]
        for cells in (made._histogram.cells, made._histogram.sumw2):
            if cells is not None:
                cells[1:-1] = np.cumsum(cells[1:-1]) if forward else np.cumsum(cells[-2:0:-1])[::-1]
        return made

    def GetQuantiles(self, n: int, into: Any, fractions: Any = None) -> int:
        """Put the values below which the given fractions of the contents lie into ``into``."""
        sums = _cumulative(self._histogram.values.astype(np.float64))
        wanted = (np.arange(n) + 1) / n if fractions is None else np.asarray(list(fractions)[:n])
        for k, value in enumerate(np.interp(wanted, sums, self._histogram.axes[0].all_edges).tolist()):
            into[k] = value
        return int(n)

    def Smooth(self, times: int = 1, *_: Any) -> None:
        """Smooth the contents by Friedman's 353QH."""
        values = self._histogram.values
        self._histogram = self._histogram.with_values(smooth(values, times).astype(values.dtype))

    # -- comparisons

    def KolmogorovTest(self, other: TH1, option: str = "") -> float:
        """Return the probability that two histograms have the same parent; ``M`` gives the largest distance."""
        found = kolmogorov(self._histogram, cast("Histogram1D", other._histogram))
        return found.distance if "M" in option.upper() else found.probability

    def Chi2Test(self, other: TH1, option: str = "UU") -> float:
        """Return the p-value of two histograms; ``CHI2`` gives χ², ``CHI2/NDF`` the ratio, ``WW`` is for weights."""
        from scipy.special import gammaincc  # heavy

        mine, its = self._histogram, other._histogram
        a, b = mine.values.astype(np.float64), its.values.astype(np.float64)
        s, t = float(a.sum()), float(b.sum())
        weighted = t**2 * mine.squares[1:-1] + s**2 * its.squares[1:-1]
        variance = weighted if "WW" in option else (a + b) * s * t
        used, terms = variance > 0, (t * a - s * b) ** 2
        chi2, ndf = float(np.sum(terms[used] / variance[used])), int(np.count_nonzero(used)) - 1
        if "CHI2/NDF" in option:
            return chi2 / ndf if ndf > 0 else 0.0
        return chi2 if "CHI2" in option else float(gammaincc(ndf / 2, chi2 / 2)) if ndf > 0 else 0.0


def _cumulative(values: FloatArray) -> FloatArray:
    """Return the sums of the contents before each edge, as fractions (n + 1,)."""
    sums: FloatArray = np.concatenate([[0.0], np.cumsum(values)])
    if not sums[-1] > 0:
        raise MacroError("the histogram, or the function, has no positive integral")
    return np.asarray(sums / sums[-1])


def _drawn(densities: FloatArray, edges: list[FloatArray], n: int) -> list[FloatArray]:
    """Return ``n`` random values of each axis: one number chooses the bin and the place along x, another that in y."""
    sums = _cumulative(densities.T.ravel())  # ROOT counts along x first
    if len(edges) == 1:
        numbers = uniform_numbers(n)
    else:
        both = uniform_numbers(2 * n)
        numbers, vertical = both[::2], both[1::2]
    cells = np.searchsorted(sums, numbers, side="right") - 1
    parts = (numbers - sums[cells]) / (sums[cells + 1] - sums[cells])
    n_x = len(edges[0]) - 1
    columns = [edges[0][cells % n_x] + parts * np.diff(edges[0])[cells % n_x]]
    if len(edges) == 2:
        columns.append(edges[1][cells // n_x] + vertical * np.diff(edges[1])[cells // n_x])
    return columns
