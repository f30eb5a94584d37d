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
        """Return the vertical axis."""
        return self._axes[1]

    def GetNbinsY(self) -> int:
        """Return the number of bins of the vertical axis."""
        return self._axes[1].GetNbins()

    def GetBin(self, x: int, y: int) -> int:
        """Return the number that stands for a pair of bins."""
        return int(np.ravel_multi_index((x, y), self._histogram.cells.shape, order="F"))

    def GetCorrelationFactor(self) -> float:
        """Return the linear correlation of the values in range."""
        width = self.GetStdDev(1) * self.GetStdDev(2)
        return self.GetCovariance() / width if width > 0 else 0.0

    def GetCovariance(self) -> float:
        """Return the covariance of the values in range."""
        sums = self._histogram.moments()
        return float(sums[6] / sums[0] - sums[2] / sums[0] * sums[4] / sums[0]) if sums[0] else 0.0

    def ProjectionX(self, name: str = "_px", *_: Any) -> TH1D:
        """Return the sum over all bins of the vertical axis."""
        return self._projection(name, 0)

    def ProjectionY(self, name: str = "_py", *_: Any) -> TH1D:
        """Return the sum over all bins of the horizontal axis."""
        return self._projection(name, 1)

    def _projection(self, name: str, axis: int) -> TH1D:
        whole, other = self._histogram, 1 - axis
        sums = whole.moments()
        projected = TH1D(f"{self._name}{name}" if name.startswith("_") else name, self._title)
        projected._histogram = Histogram1D(
            (whole.axes[axis],),
            whole.cells.astype(np.float64).sum(axis=other),
            None if whole.sumw2 is None else whole.sumw2.sum(axis=other),
            whole.entries,
            np.array([*sums[:2], *sums[2 + 2 * axis : 4 + 2 * axis]]),
        )
        projected._axes = (TAxis(whole.axes[axis]),)
        return projected

    def GetRMSError(self, axis: int = 1) -> float:
        """Return the error of the width."""
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
