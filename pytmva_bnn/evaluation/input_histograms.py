"""Histograms of the input variables and of pairs of them, by class (``InputVariables_...`` in the output file)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from pytmva_bnn.evaluation.histograms import Histogram1D, Histogram2D, fill_1d, fill_2d, find_bins
from pytmva_bnn.evaluation.statistics import VariableStatistics, variable_statistics
from pytmva_bnn.reductions.summation import sequential_sum

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]

BINS = 40
SCATTER_BINS = 300
N_RMS = 8.0
MAX_SCATTER_VARIABLES = 20
"""With more variables and targets there are no plots of pairs."""


@dataclass(frozen=True, eq=False)
class Profile:
    """Means of y in bins of x (ROOT's TProfile): sums with flow bins (n_bins + 2,) each.

    ``statistics`` are Σw, Σw², Σwx, Σwx², Σwy, Σwy² of the events in range.  ``weight_squares`` (ROOT's
    fBinSumw2) is None if all weights are 1.

    >>> p = fill_profile([0.1, 0.2, 0.7], [1.0, 3.0, 5.0], None, 2, 0.0, 1.0)
    >>> p.means.tolist(), p.bin_entries.tolist()
    ([2.0, 5.0], [0.0, 2.0, 1.0, 0.0])
    """

    sums: Floats
    squares: Floats
    bin_entries: Floats
    weight_squares: Floats | None
    x_min: float
    x_max: float
    entries: float
    statistics: tuple[float, ...]

    @property
    def means(self) -> Floats:
        """Means of y in bins 1..n, 0 where there are no events.

        >>> fill_profile([0.1], [1.0], None, 2, 0.0, 1.0).means.tolist()
        [1.0, 0.0]
        """
        n = self.bin_entries[1:-1]
        return np.where(n != 0, self.sums[1:-1] / np.where(n != 0, n, 1.0), 0.0)


@dataclass(frozen=True, eq=False)
class PairPlots:
    """``scat_<Vj>_vs_<Vi>_<C>`` and ``prof_<Vj>_vs_<Vi>_<C>`` of variables i < j and class number c.

    >>> [(p.i, p.j, p.class_index) for p in pair_plots([[0.0, 1.0], [1.0, 0.0]], None, [0, 1], 2)]
    [(0, 1, 0), (0, 1, 1)]
    """

    i: int
    j: int
    class_index: int
    scatter: Histogram2D
    profile: Profile


def variable_histograms(
    values: ArrayLike,
    weights: ArrayLike | None,
    class_index: ArrayLike,
    n_classes: int,
    integer: Sequence[bool] | None = None,
) -> tuple[tuple[Histogram1D, ...], ...]:
    """Return TH1F histograms [variable][class] of columns (n_events, n_columns), variables first and then targets.

    All classes share the binning; ``integer`` tells which columns were declared with the type I.

    >>> made = variable_histograms([[1.0], [2.0], [5.0]], None, [0, 0, 1], 2)
    >>> [h.entries for h in made[0]], made[0][0].n_bins, round(made[0][0].x_max, 6)
    ([2.0, 1.0], 40, 5.1)
    """
    x, w, c = _events(values, weights, class_index)
    statistics = variable_statistics(x, w)
    whole = [False] * x.shape[1] if integer is None else integer
    w32 = w.astype(np.float32)
    made = []
    for i in range(x.shape[1]):
        n_bins, low, high = variable_binning(statistics, i, integer=whole[i])
        made.append(
            tuple(
                fill_1d(x[c == k, i], w32[c == k], n_bins, low, high, dtype=np.float32, errors=None)
                for k in range(n_classes)
            )
        )
    return tuple(made)


def variable_binning(statistics: VariableStatistics, i: int, *, integer: bool = False) -> tuple[int, float, float]:
    """Return the number of bins and the ends of the histogram of variable ``i``.

    >>> s = variable_statistics([[2.0], [2.0], [7.0]], [1.0, 1.0, 1.0])
    >>> variable_binning(s, 0), variable_binning(s, 0, integer=True)
    ((40, 2.0, 7.125), (6, 2.0, 8.0))
    """
    smallest, largest = float(statistics.smallest[i]), float(statistics.largest[i])
    if integer and np.isfinite([smallest, largest]).all():
        low, high = float(np.rint(smallest)), float(np.rint(largest + 1))
        return int(high - low), low, high
    mean, rms = float(statistics.mean[i]), float(statistics.rms[i])
    low, high = max(smallest, mean - N_RMS * rms), min(largest, mean + N_RMS * rms)
    if low >= high:
        high = 1.1 * low
        if low >= high:
            high = low + 1.0
    high += (high - low) / BINS
    return BINS, low, high


def pair_plots(
    values: ArrayLike, weights: ArrayLike | None, class_index: ArrayLike, n_classes: int, n_targets: int = 0
) -> tuple[PairPlots, ...]:
    """Return the plots of all pairs of variables (n_events, n_variables) in the order of the output file.

    There are none if variables and targets are more than 20.

    >>> len(pair_plots(np.zeros((2, 21)), None, [0, 0], 1))
    0
    """
    x, w, c = _events(values, weights, class_index)
    n = x.shape[1]
    if n + n_targets > MAX_SCATTER_VARIABLES or len(x) == 0:
        return ()
    ends = [(float(np.fmin.reduce(column)), float(np.fmax.reduce(column))) for column in x.T]
    w32 = w.astype(np.float32)
    made = []
    for i in range(n):
        for j in range(i + 1, n):
            for k in range(n_classes):
                u, v, z = x[c == k, i], x[c == k, j], w32[c == k]
                scatter = fill_2d(u, v, z, (SCATTER_BINS,) * 2, ends[i], ends[j])
                made.append(PairPlots(i, j, k, scatter, fill_profile(u, v, z, BINS, *ends[i])))
    return tuple(made)


def fill_profile(
    x: ArrayLike, y: ArrayLike, weights: ArrayLike | None, n_bins: int, x_min: float, x_max: float
) -> Profile:
    """Return the profile of y against x, (n_events,) each.

    >>> fill_profile([0.1, 5.0], [1.0, 2.0], [1.0, 3.0], 1, 0.0, 1.0).sums.tolist()
    [0.0, 1.0, 6.0]
    """
    x, y = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    w = np.ones(x.shape) if weights is None else np.asarray(weights, dtype=np.float64)
    bins = find_bins(x, n_bins, x_min, x_max)
    inside = (bins >= 1) & (bins <= n_bins)
    u, v, z = x[inside], y[inside], w[inside]

    def summed(terms: Floats) -> Floats:
        sums: Floats = np.bincount(bins, weights=terms, minlength=n_bins + 2).astype(np.float64)
        return sums

    return Profile(
        summed(w * y),
        summed(w * y * y),
        summed(w),
        summed(w * w) if np.any(w != 1) else None,
        float(x_min),
        float(x_max),
        float(len(x)),
        tuple(float(sequential_sum(t)) for t in (z, z * z, z * u, z * u * u, z * v, z * v * v)),
    )


def _events(
    values: ArrayLike, weights: ArrayLike | None, class_index: ArrayLike
) -> tuple[NDArray[Any], Floats, NDArray[np.int64]]:
    x = np.asarray(values)
    w = np.ones(len(x)) if weights is None else np.asarray(weights, dtype=np.float64)
    return x, w, np.asarray(class_index, dtype=np.int64)
