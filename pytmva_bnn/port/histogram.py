"""A histogram for translated macros: booked, filled and written as ROOT's TH1F.

This is what the Python text of a translation imports; it needs no parser.
"""
# ruff: noqa: N802 - ROOT's names

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.errors import InputError


class Histogram:
    """Counts of values in bins: ``(name, title, n_bins, low, high)`` or ``(name, title, n_bins, edges)``.

    Values may be numbers or whole arrays.  Bins count from 1, 0 is the underflow and n + 1 the overflow.
    """

    def __init__(self, name: str, title: str, n_bins: int, low: float | Sequence[float], high: float = 0.0) -> None:
        self.name = name
        self.SetTitle(title)
        self._is_uniform = np.ndim(low) == 0
        self.edges: NDArray[np.float64] = (
            np.linspace(float(low), high, n_bins + 1) if self._is_uniform else np.asarray(low, dtype=np.float64)  # type: ignore[arg-type]
        )
        if len(self.edges) != n_bins + 1 or np.any(np.diff(self.edges) <= 0):
            raise InputError(
                f"histogram {name}: the edges of the {n_bins} bins must increase. Got {self.edges} instead."
            )
        self._sums = np.zeros(n_bins + 2)
        self._squares = np.zeros(n_bins + 2)
        self._statistics: NDArray[np.float64] | None = np.zeros(4)  # Σw, Σw², Σwx, Σwx²; None: from the bins
        self._entries = 0.0
        self._has_errors = False  # ROOT's Sumw2: errors are kept apart from the contents
        self._waiting: list[tuple[NDArray[np.float64], NDArray[np.float64]]] = []

    def __repr__(self) -> str:
        return f"<Histogram {self.name!r}: {len(self.edges) - 1} bins, {self.GetEntries():g} entries>"

    def Fill(self, values: Any, weights: Any = 1.0) -> None:
        """Count a value, or all values of an array."""
        numbers = np.atleast_1d(np.asarray(values, dtype=np.float64))
        self._waiting.append((numbers, np.broadcast_to(np.asarray(weights, dtype=np.float64), numbers.shape)))

    def _count(self) -> None:
        """Enter the values that wait: all at once, not one by one."""
        if not self._waiting:
            return
        x, w = (np.concatenate(parts) for parts in zip(*self._waiting, strict=True))
        self._waiting = []
        bins = self._bins(x)
        self._sums += np.bincount(bins, w, minlength=len(self._sums))
        self._squares += np.bincount(bins, w * w, minlength=len(self._sums))
        self._entries += len(x)
        self._has_errors = self._has_errors or bool(np.any(w != 1))
        inside = (bins > 0) & (bins < len(self.edges))
        x, w = x[inside], w[inside]
        sums = [float(one.sum()) for one in (w, w * w, w * x, w * x * x)]
        self._statistics = np.array(sums) + self._moments()

    def _bins(self, values: NDArray[np.float64]) -> NDArray[np.intp]:
        # as ROOT finds them: by a division if all have the same width; a NaN is counted as overflow
        low, high, n = self.edges[0], self.edges[-1], len(self.edges) - 1
        below, inside = values < low, (values >= low) & (values < high)
        found = np.searchsorted(self.edges, values, side="right")
        if self._is_uniform:
            with np.errstate(all="ignore"):
                found = 1 + np.where(inside, n * (values - low) / (high - low), 0).astype(np.intp)
        return np.where(below, 0, np.where(inside, found, n + 1))

    @property
    def contents(self) -> NDArray[np.float64]:
        """Sums of weights ``(n_bins + 2,)``, under- and overflow first and last."""
        self._count()
        return self._sums.copy()

    @property
    def counts(self) -> NDArray[np.float64]:
        """Sums of weights of the bins ``(n_bins,)``."""
        return self.contents[1:-1]

    def _moments(self) -> NDArray[np.float64]:
        """Return Σw, Σw², Σwx, Σwx² of the values in range, or of the bins if their contents were set."""
        if self._statistics is not None:
            return self._statistics
        w, x = self._sums[1:-1], (self.edges[:-1] + self.edges[1:]) / 2
        return np.array([w.sum(), self._squares[1:-1].sum(), (w * x).sum(), (w * x * x).sum()])

    def GetEntries(self) -> float:
        """Return how many values were counted."""
        self._count()
        return self._entries

    def GetName(self) -> str:
        """Return the name."""
        return self.name

    def GetTitle(self) -> str:
        """Return the title, without those of the axes."""
        return self.title

    def GetNbinsX(self) -> int:
        """Return the number of bins."""
        return len(self.edges) - 1

    def _bin(self, number: int) -> int:
        return min(max(int(number), 0), len(self.edges))

    def GetBinContent(self, number: int) -> float:
        """Return the sum of weights of a bin."""
        return float(self.contents[self._bin(number)])

    def SetBinContent(self, number: int, content: float) -> None:
        """Set the sum of weights of a bin; mean and deviation are computed from the bins then, as in ROOT."""
        self._count()
        if 0 <= number <= len(self.edges):
            self._entries += 1
            self._statistics = None
            self._sums[number] = content
            if not self._has_errors:
                self._squares[number] = abs(content)

    def GetBinError(self, number: int) -> float:
        """Return the root of the sum of the squared weights of a bin."""
        self._count()
        return float(np.sqrt(self._squares[self._bin(number)]))

    def SetBinError(self, number: int, error: float) -> None:
        """Set the error of a bin."""
        self._count()
        if 0 <= number <= len(self.edges):
            self._has_errors = True
            self._squares[number] = error**2

    def GetBinWidth(self, number: int) -> float:
        """Return the width of a bin."""
        n = len(self.edges) - 1
        if self._is_uniform or not 1 <= number <= n:
            return float(self.edges[-1] - self.edges[0]) / n
        return float(self.edges[number] - self.edges[number - 1])

    def GetBinLowEdge(self, number: int) -> float:
        """Return where a bin begins."""
        if self._is_uniform or not 1 <= number < len(self.edges):
            return float(self.edges[0]) + (number - 1) * self.GetBinWidth(0)
        return float(self.edges[number - 1])

    def GetBinCenter(self, number: int) -> float:
        """Return the middle of a bin."""
        return self.GetBinLowEdge(number) + 0.5 * self.GetBinWidth(number)

    def FindBin(self, value: float) -> int:
        """Return the bin of a value."""
        return int(self._bins(np.array([value], dtype=np.float64))[0])

    def Integral(self, first: int | None = None, last: int | None = None, option: str = "") -> float:
        """Return the sum of weights from one bin to another, by default of all without under- and overflow."""
        n = len(self.edges) - 1
        start = 1 if first is None else max(int(first), 0)
        stop = n if last is None else int(last)
        if stop > n or stop < start:
            stop = n + 1
        part = self.contents[start : stop + 1]
        if "width" in option:
            part = part * [self.GetBinWidth(number) for number in range(start, stop + 1)]
        return float(part.sum())

    def GetMaximum(self) -> float:
        """Return the largest content of a bin."""
        return float(self.counts.max())

    def GetMaximumBin(self) -> int:
        """Return the first bin with the largest content."""
        return int(self.counts.argmax()) + 1

    def GetMean(self) -> float:
        """Return the mean of the values in range."""
        self._count()
        w, _, wx, _ = self._moments()
        return float(wx / w) if w else 0.0

    def GetStdDev(self) -> float:
        """Return the standard deviation of the values in range."""
        self._count()
        w, _, wx, wx2 = self._moments()
        return float(np.sqrt(abs(wx2 / w - (wx / w) ** 2))) if w else 0.0

    GetRMS = GetStdDev

    def Scale(self, factor: float) -> None:
        """Multiply the contents."""
        self._count()
        self._has_errors = True
        self._sums *= factor
        self._squares *= factor**2
        if self._statistics is not None:
            self._statistics = self._statistics * [factor, factor**2, factor, factor]

    def Sumw2(self) -> None:
        """Keep the errors when contents are set."""
        self._count()
        self._has_errors = True

    def SetTitle(self, title: str) -> None:
        """Set the title, and those of the axes if it is ``title;x;y``."""
        parts = [part.replace("\0", ";") for part in title.replace("#;", "\0").split(";")]
        self.title = parts[0]
        if len(parts) > 1 or not hasattr(self, "axis_titles"):
            x, y = (*parts[1:3], "", "")[:2]
            self.axis_titles = (x, y)

    def SetName(self, name: str) -> None:
        """Set the name."""
        self.name = name

    def Clone(self, name: str = "") -> Histogram:
        """Return a copy, with a name of its own."""
        self._count()
        copy = deepcopy(self)
        copy.name = name or self.name
        return copy

    def Reset(self) -> None:
        """Forget everything that was counted."""
        self._waiting = []
        self._sums[:] = self._squares[:] = self._entries = 0.0
        self._statistics = np.zeros(4)

    def Write(self, file: Any, name: str = "") -> None:
        """Write to a file opened with ``uproot.recreate``, as a TH1F, under its own name or another one."""
        from uproot.writing import identify  # heavy

        self._count()
        x_title, y_title = self.axis_titles
        edges = None if self._is_uniform else self.edges
        axis = identify.to_TAxis("xaxis", x_title, len(self.edges) - 1, self.edges[0], self.edges[-1], fXbins=edges)
        file[name or self.name] = identify.to_TH1x(
            name or self.name,
            self.title,
            self._sums.astype(np.float32),
            self._entries,
            *self._moments(),
            self._squares,
            axis,
            fYaxis=identify.to_TAxis("yaxis", y_title, 1, 0.0, 1.0),
        )
