"""A histogram for translated macros: booked, filled and written as ROOT's TH1F.

This is what the Python text of a translation imports; it needs no parser.
"""
# ruff: noqa: N802 - ROOT's names

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.errors import InputError


class Histogram:
    """Counts of values in bins: ``(name, title, n_bins, low, high)`` or ``(name, title, n_bins, edges)``.

    Values may be numbers or whole arrays.  Bins count from 1, 0 is the underflow and n + 1 the overflow.

    >>> h = Histogram("MVA_MLP", "response", 4, 0.0, 1.0)
    >>> h.Fill(0.3); h.Fill([0.8, 0.9, 2.0])
    >>> h.counts.tolist(), h.GetBinContent(5), h.GetEntries()
    ([0.0, 1.0, 0.0, 2.0], 1.0, 4.0)
    """

    def __init__(self, name: str, title: str, n_bins: int, low: float | Sequence[float], high: float = 0.0) -> None:
        self.name = name
        self.title = title
        is_uniform = np.ndim(low) == 0
        self.edges: NDArray[np.float64] = (
            np.linspace(float(low), high, n_bins + 1) if is_uniform else np.asarray(low, dtype=np.float64)  # type: ignore[arg-type]
        )
        if len(self.edges) != n_bins + 1 or np.any(np.diff(self.edges) <= 0):
            raise InputError(
                f"histogram {name}: the edges of the {n_bins} bins must increase. Got {self.edges} instead."
            )
        self._values: list[NDArray[np.float64]] = []
        self._weights: list[NDArray[np.float64]] = []
        self._scale = 1.0

    def __repr__(self) -> str:
        return f"<Histogram {self.name!r}: {len(self.edges) - 1} bins, {self.GetEntries():g} entries>"

    def Fill(self, values: Any, weights: Any = 1.0) -> None:
        """Count a value, or all values of an array."""
        numbers = np.atleast_1d(np.asarray(values, dtype=np.float64))
        self._values.append(numbers)
        self._weights.append(np.broadcast_to(np.asarray(weights, dtype=np.float64), numbers.shape))

    @property
    def contents(self) -> NDArray[np.float64]:
        """Sums of weights ``(n_bins + 2,)``, under- and overflow first and last.

        >>> h = Histogram("h", "h", 2, 0.0, 1.0); h.Fill([-1.0, 0.5], 2.0); h.contents
        array([2., 0., 2., 0.])
        """
        values, weights = self._filled()
        sums = np.bincount(self._bins(values), weights, minlength=len(self.edges) + 1)
        return np.asarray(self._scale * sums, dtype=np.float64)

    @property
    def counts(self) -> NDArray[np.float64]:
        """Sums of weights of the bins ``(n_bins,)``."""
        return self.contents[1:-1]

    def _filled(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        if len(self._values) > 1:  # joined once, not for every question
            self._values = [np.concatenate(self._values)]
            self._weights = [np.concatenate(self._weights)]
        none = np.zeros(0)
        return (self._values[0], self._weights[0]) if self._values else (none, none)

    def _bins(self, values: NDArray[np.float64]) -> NDArray[np.intp]:
        # a NaN is counted as overflow, as the comparison of ROOT does it
        return np.where(np.isnan(values), len(self.edges), np.searchsorted(self.edges, values, side="right"))

    def _moments(self) -> tuple[float, float, float, float]:
        """Return Σw, Σw², Σwx, Σwx² of the values in range."""
        values, weights = self._filled()
        inside = (values >= self.edges[0]) & (values < self.edges[-1])
        x, w = values[inside], weights[inside]
        return float(w.sum()), float((w * w).sum()), float((w * x).sum()), float((w * x * x).sum())

    def GetEntries(self) -> float:
        """Return how many values were counted."""
        return float(sum(len(values) for values in self._values))

    def GetName(self) -> str:
        """Return the name."""
        return self.name

    def GetTitle(self) -> str:
        """Return the title."""
        return self.title

    def GetNbinsX(self) -> int:
        """Return the number of bins."""
        return len(self.edges) - 1

    def GetBinContent(self, number: int) -> float:
        """Return the sum of weights of a bin."""
        return float(self.contents[number])

    def GetBinCenter(self, number: int) -> float:
        """Return the middle of a bin."""
        return float(self.edges[number - 1] + self.edges[number]) / 2

    def Integral(self) -> float:
        """Return the sum of weights of all bins, without under- and overflow."""
        return float(self.counts.sum())

    def GetMean(self) -> float:
        """Return the mean of the values in range.

        >>> h = Histogram("h", "h", 2, 0.0, 1.0); h.Fill([0.25, 0.75]); h.GetMean(), h.GetStdDev()
        (0.5, 0.25)
        """
        w, _, wx, _ = self._moments()
        return wx / w if w else 0.0

    def GetStdDev(self) -> float:
        """Return the standard deviation of the values in range."""
        w, _, wx, wx2 = self._moments()
        return float(np.sqrt(abs(wx2 / w - (wx / w) ** 2))) if w else 0.0

    GetRMS = GetStdDev

    def Scale(self, factor: float) -> None:
        """Multiply the contents."""
        self._scale *= factor

    def Sumw2(self) -> None:
        """Do nothing: squared weights are always kept."""

    def Write(self, file: Any) -> None:
        """Write to a file opened with ``uproot.recreate``, as a TH1F."""
        from uproot.writing import identify  # heavy

        values, weights = self._filled()
        squares = self._scale**2 * np.bincount(self._bins(values), weights**2, minlength=len(self.edges) + 1)
        contents = self.contents
        w, w2, wx, wx2 = self._moments()
        axis = identify.to_TAxis("xaxis", "", len(self.edges) - 1, self.edges[0], self.edges[-1], fXbins=self.edges)
        file[self.name] = identify.to_TH1x(
            self.name,
            self.title,
            contents.astype(np.float32),
            self.GetEntries(),
            self._scale * w,
            self._scale**2 * w2,
            self._scale * wx,
            self._scale * wx2,
            squares,
            axis,
        )
