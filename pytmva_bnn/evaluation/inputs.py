"""Input variables by class: the statistics table, and the histograms of variables and of pairs of them.

The histograms are those of ``InputVariables_...`` in the output file.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from pytmva_bnn._typing import AnyArray, FloatArray, IntArray
from pytmva_bnn.errors import InputError
from pytmva_bnn.histograms import Histogram1D, Histogram2D, Profile, fill_1d, fill_2d, fill_profile
from pytmva_bnn.reductions.summation import sequential_sum

LOGGER = logging.getLogger("pytmva_bnn.evaluation")

BINS = 40
SCATTER_BINS = 300
N_RMS = 8.0
MAX_SCATTER_VARIABLES = 20
"""With more variables and targets there are no plots of pairs."""


@dataclass(frozen=True, eq=False)
class VariableStatistics:
    """Mean, RMS (of the population, weighted), smallest and largest value of each variable, (n_variables,) each."""

    mean: FloatArray
    rms: FloatArray
    smallest: FloatArray
    largest: FloatArray


def variable_statistics(
    values: ArrayLike, weights: ArrayLike, names: Sequence[str] | None = None
) -> VariableStatistics:
    """Return the statistics of variables (n_events, n_variables); an RMS that does not exist is 0, with a warning."""
    x = np.ascontiguousarray(np.transpose(np.asarray(values, dtype=np.float64)))
    w = np.asarray(weights, dtype=np.float64)
    if x.ndim != 2 or x.shape[1:] != w.shape:
        raise InputError(
            f"variables must be (n_events, n_variables) with one weight per event, got {x.T.shape}, {w.shape}"
        )
    if len(w) == 0:
        raise InputError("the statistics of variables need at least one event")
    total = sequential_sum(w)
    with np.errstate(all="ignore"):
        mean = sequential_sum(x * w) / total
        square = sequential_sum((x * x) * w) / total - mean * mean
        usable = square > 0
        rms = np.sqrt(np.where(usable, square, 0.0))
    for i in np.flatnonzero(~usable).tolist():
        LOGGER.warning(
            'Variable "%s" has zero, negative, or NaN RMS^2: %g ==> set to zero. Please check the variable content',
            names[i] if names is not None else i,
            square[i],
        )
    return VariableStatistics(mean, rms, np.fmin.reduce(x, axis=1), np.fmax.reduce(x, axis=1))


def variable_histograms(
    values: ArrayLike,
    weights: ArrayLike | None,
    class_index: ArrayLike,
    n_classes: int,
    integer: Sequence[bool] | None = None,
) -> tuple[tuple[Histogram1D, ...], ...]:
    """Return TH1F histograms [variable][class] of columns (n_events, n_columns), variables first and then targets.

    All classes share the binning; ``integer`` tells which columns were declared with the type I.
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
                fill_1d(x[c == k, i], w32[c == k], n_bins, low, high, dtype=np.float32, errors=False)
                for k in range(n_classes)
            )
        )
    return tuple(made)


def variable_binning(statistics: VariableStatistics, i: int, *, integer: bool = False) -> tuple[int, float, float]:
    """Return the number of bins and the ends of the histogram of variable ``i``."""
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


@dataclass(frozen=True, eq=False)
class PairPlots:
    """``scat_<Vj>_vs_<Vi>_<C>`` and ``prof_<Vj>_vs_<Vi>_<C>`` of variables i < j and class number c."""

    i: int
    j: int
    class_index: int
    scatter: Histogram2D
    profile: Profile


def pair_plots(
    values: ArrayLike, weights: ArrayLike | None, class_index: ArrayLike, n_classes: int, n_targets: int = 0
) -> tuple[PairPlots, ...]:
    """Return the plots of all pairs of variables (n_events, n_variables) in the order of the output file.

    There are none if variables and targets are more than 20.
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


def _events(
    values: ArrayLike, weights: ArrayLike | None, class_index: ArrayLike
) -> tuple[AnyArray, FloatArray, IntArray]:
    x = np.asarray(values)
    w = np.ones(len(x)) if weights is None else np.asarray(weights, dtype=np.float64)
    return x, w, np.asarray(class_index, dtype=np.int64)
