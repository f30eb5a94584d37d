"""Profiles: the mean of one quantity in bins of another (ROOT's TProfile)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.histograms.axis import Axis
from pytmva_bnn.reductions.summation import sequential_sum


@dataclass(frozen=True, eq=False)
class Profile:
    """Sums of y in bins of x, with flow bins (n_bins + 2,) each.

    ``statistics`` are Σw, Σw², Σwx, Σwx², Σwy, Σwy² of the events in range.  ``weight_squares`` (ROOT's
    fBinSumw2) is None if all weights are 1.
    """

    axis: Axis
    sums: FloatArray
    squares: FloatArray
    bin_entries: FloatArray
    weight_squares: FloatArray | None
    entries: float
    statistics: tuple[float, ...]

    @property
    def means(self) -> FloatArray:
        """Means of y in bins 1..n, 0 where there are no events."""
        n = self.bin_entries[1:-1]
        return np.where(n != 0, self.sums[1:-1] / np.where(n != 0, n, 1.0), 0.0)


def fill_profile(
    x: ArrayLike, y: ArrayLike, weights: ArrayLike | None, n_bins: int, x_min: float, x_max: float
) -> Profile:
    """Return the profile of y against x, (n_events,) each."""
    x, y = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    w = np.ones(x.shape) if weights is None else np.asarray(weights, dtype=np.float64)
    axis = Axis(n_bins, float(x_min), float(x_max))
    bins = axis.find_bin(x)
    inside = axis.inside(bins)
    u, v, z = x[inside], y[inside], w[inside]

    def summed(terms: FloatArray) -> FloatArray:
        return np.bincount(bins, weights=terms, minlength=n_bins + 2).astype(np.float64)

    return Profile(
        axis,
        summed(w * y),
        summed(w * y * y),
        summed(w),
        summed(w * w) if np.any(w != 1) else None,
        float(len(x)),
        tuple(float(sequential_sum(t)) for t in (z, z * z, z * u, z * u * u, z * v, z * v * v)),
    )
