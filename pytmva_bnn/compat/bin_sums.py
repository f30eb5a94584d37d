"""The numbers of a histogram: integrals, means and widths, from its bins and the sums of its filling."""
# ruff: noqa: N802 - ROOT's names

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.compat.axes import TAxis


class HistogramNumbers:
    """GetMean, Integral and their kin, for a class with contents, axes and sums.

    >>> from pytmva_bnn.compat.histograms import TH1D
    >>> h = TH1D("h", "", 4, 0.0, 2.0)
    >>> h.FillN(3, [0.1, 0.6, 1.1], None)
    >>> h.GetMean(), h.Integral(2, 3), h.Integral("width"), h.GetMaximumBin()
    (0.6, 2.0, 1.5, 1)
    """

    _n_axes: ClassVar[int] = 1
    _axes: tuple[TAxis, ...]
    _contents: NDArray[Any]
    _entries: float
    _sums: FloatArray

    def GetEntries(self) -> float:
        """Return how often it was filled."""
        return self._entries

    def SetEntries(self, entries: float) -> None:
        """Set how often it was filled."""
        self._entries = float(entries)

    def GetEffectiveEntries(self) -> float:
        """Return (Σw)²/Σw²."""
        sums = self._statistics()
        return float(sums[0] ** 2 / sums[1]) if sums[1] else 0.0

    def GetSumOfWeights(self) -> float:
        """Return the sum of the contents in range."""
        return float(self._inner().sum(dtype=np.float64))

    def Integral(self, *arguments: Any) -> float:
        """Return the sum of the contents: in range, or from bin to bin; ``"width"`` multiplies by the widths."""
        option = arguments[-1] if arguments and isinstance(arguments[-1], str) else ""
        limits = [int(one) for one in arguments if not isinstance(one, str)]
        contents = self._contents.astype(np.float64)
        for i, axis in enumerate(self._axes):
            n_bins = axis.GetNbins()
            first, last = limits[2 * i : 2 * i + 2] if len(limits) >= 2 * i + 2 else (1, n_bins)
            last = n_bins + 1 if last < first else min(last, n_bins + 1)
            chosen = np.arange(max(first, 0), last + 1)
            contents = np.take(contents, chosen, axis=i)
            if "width" in option.lower():
                shape = tuple(-1 if j == i else 1 for j in range(self._n_axes))
                widths = np.array([axis.GetBinWidth(int(one)) for one in chosen])
                contents = contents * widths.reshape(shape)
        return float(contents.sum())

    def GetMean(self, axis: int = 1) -> float:
        """Return the mean of the values in range."""
        sums = self._statistics()
        return float(sums[2 * axis] / sums[0]) if sums[0] else 0.0

    def GetStdDev(self, axis: int = 1) -> float:
        """Return the root of the variance of the values in range."""
        sums = self._statistics()
        if not sums[0]:
            return 0.0
        return math.sqrt(abs(sums[2 * axis + 1] / sums[0] - (sums[2 * axis] / sums[0]) ** 2))

    GetRMS = GetStdDev

    def GetMeanError(self, axis: int = 1) -> float:
        """Return the error of the mean."""
        effective = self.GetEffectiveEntries()
        return self.GetStdDev(axis) / math.sqrt(effective) if effective > 0 else 0.0

    def GetMaximum(self) -> float:
        """Return the largest content."""
        return float(self._inner().max())

    def GetMinimum(self) -> float:
        """Return the smallest content."""
        return float(self._inner().min())

    def GetMaximumBin(self) -> int:
        """Return the first bin with the largest content."""
        return int(np.argmax(self._inner())) + 1

    def GetMinimumBin(self) -> int:
        """Return the first bin with the smallest content."""
        return int(np.argmin(self._inner())) + 1

    def _inner(self) -> NDArray[Any]:
        return self._contents[(slice(1, -1),) * self._n_axes]

    def _statistics(self) -> FloatArray:
        if self._sums[0] != 0 or self._entries == 0:
            return self._sums
        grid = np.meshgrid(*(axis.centres() for axis in self._axes), indexing="ij")
        return sums_of([one.ravel() for one in grid], self._inner().astype(np.float64).ravel())


def sums_of(values: list[FloatArray], w: FloatArray) -> FloatArray:
    """Return Σw, Σw², Σwx, Σwx² (and Σwy, Σwy², Σwxy).

    >>> sums_of([np.array([2.0, 3.0])], np.array([1.0, 2.0])).tolist()
    [3.0, 5.0, 8.0, 22.0]
    """
    terms = [w, w * w]
    for x in values:
        terms += [w * x, w * x * x]
    if len(values) == 2:
        terms.append(w * values[0] * values[1])
    return np.array([term.sum() for term in terms])


def sums_of_one(values: list[float], w: float) -> tuple[float, ...]:
    """Return the same of one event.

    >>> sums_of_one([2.0], 3.0)
    (3.0, 9.0, 6.0, 12.0)
    """
    x = values[0]
    if len(values) == 1:
        return w, w * w, w * x, w * x * x
    y = values[1]
    return w, w * w, w * x, w * x * x, w * y, w * y * y, w * x * y
