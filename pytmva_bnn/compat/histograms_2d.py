"""TH2F, TH2D and TH2I: histograms of pairs of values."""
# ruff: noqa: N802 - ROOT's names

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pytmva_bnn.compat.axes import TAxis
from pytmva_bnn.compat.histograms import TH1, TH1D
from pytmva_bnn.histograms import Histogram1D


class TH2(TH1):
    """A histogram with two axes: ``TH2F(name, title, nx, x_low, x_high, ny, y_low, y_high)``.

    >>> h = TH2F("h", "", 2, 0, 1, 2, 0, 10)
    >>> _ = h.Fill(0.7, 2.0), h.Fill(0.7, 3.0, 0.5)
    >>> h.GetBinContent(2, 1), h.Integral(), h.GetMean(2), h.ProjectionX().GetBinContent(2)
    (1.5, 1.5, 2.333..., 1.5)
    """

    _n_axes = 2

    def GetYaxis(self) -> TAxis:
        return self._axes[1]

    def GetNbinsY(self) -> int:
        return self._axes[1].GetNbins()

    def GetBin(self, x: int, y: int) -> int:
        return int(np.ravel_multi_index((x, y), self._histogram.cells.shape, order="F"))

    def GetCorrelationFactor(self) -> float:
        width = self.GetStdDev(1) * self.GetStdDev(2)
        return self.GetCovariance() / width if width > 0 else 0.0

    def GetCovariance(self) -> float:
        sums = self._histogram.moments()
        return float(sums[6] / sums[0] - sums[2] / sums[0] * sums[4] / sums[0]) if sums[0] else 0.0

    def ProjectionX(self, name: str = "_px", first: int = 0, last: int = -1, *_: Any) -> TH1D:
        return self._projection(name, 0, int(first), int(last))

    def ProjectionY(self, name: str = "_py", first: int = 0, last: int = -1, *_: Any) -> TH1D:
        return self._projection(name, 1, int(first), int(last))

    def _projection(self, name: str, axis: int, first: int, last: int) -> TH1D:
        whole, other = self._histogram, 1 - axis
        is_whole = last < first
        chosen = slice(None) if is_whole else slice(max(first, 0), last + 1)
        part = (slice(None), chosen) if axis == 0 else (chosen, slice(None))
        cells = whole.cells[part].astype(np.float64).sum(axis=other)
        squares = None if whole.sumw2 is None else whole.sumw2[part].sum(axis=other)
        if is_whole:
            sums = whole.moments()
            entries, statistics = whole.entries, np.array([*sums[:2], *sums[2 + 2 * axis : 4 + 2 * axis]])
        else:  # what is known of the bins
            inner, centres = cells[1:-1], whole.axes[axis].centres
            spread = (cells if squares is None else squares)[1:-1]
            statistics = np.array(
                [inner.sum(), spread.sum(), (inner * centres).sum(), (inner * centres * centres).sum()]
            )
            entries = float(cells.sum())
        projected = TH1D(f"{self._name}{name}" if name.startswith("_") else name, self._title)
        projected._histogram = Histogram1D((whole.axes[axis],), cells, squares, entries, statistics)
        projected._axes = (TAxis(whole.axes[axis]),)
        return projected

    def ProfileX(self, name: str = "_pfx", *_: Any) -> Any:
        """Return the means of y, taken at the centres of the bins, in bins of x."""
        return self._profile(name, 0)

    def ProfileY(self, name: str = "_pfy", *_: Any) -> Any:
        """Return the means of x, taken at the centres of the bins, in bins of y."""
        return self._profile(name, 1)

    def _profile(self, name: str, axis: int) -> Any:
        from pytmva_bnn.compat.profiles import TProfile  # which needs histograms

        whole = self._histogram
        bins, centres = whole.axes[axis], whole.axes[1 - axis].centres
        profile = TProfile(
            f"{self._name}{name}" if name.startswith("_") else name, self._title, bins.n_bins, bins.all_edges
        )
        cells = (whole.cells if axis == 0 else whole.cells.T)[:, 1:-1].astype(np.float64)
        squares = cells if whole.sumw2 is None else (whole.sumw2 if axis == 0 else whole.sumw2.T)[:, 1:-1]
        sums = cells.sum(axis=1), squares.sum(axis=1), cells @ centres, cells @ centres**2
        profile.set_sums(np.stack(sums))
        profile._histogram.entries = whole.entries
        return profile

    def GetRMSError(self, axis: int = 1) -> float:
        effective = self.GetEffectiveEntries()
        return self.GetStdDev(axis) / math.sqrt(2 * effective) if effective > 0 else 0.0


class TH2F(TH2):
    """A histogram of pairs with float32 contents."""

    _dtype = np.float32


class TH2D(TH2):
    """A histogram of pairs with float64 contents."""


class TH2I(TH2):
    """A histogram of pairs with int32 contents."""

    _dtype = np.int32
