"""Exploring a cell by sampling the density of events at random points: its variance, and how to lower it most."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.errors import InputError
from pytmva_bnn.histograms import Axis
from pytmva_bnn.methods.foam.training.box_sums import BoxSearch, BoxSums
from pytmva_bnn.methods.foam.training.growing import Exploration
from pytmva_bnn.methods.foam.tree import DBL_EPSILON, EVENTS_PER_BIN, back
from pytmva_bnn.random import TRandom3

log = logging.getLogger("pytmva_bnn.PDEFoam")

SEED = 4356
FLT_MAX = float(np.finfo(np.float32).max)
_LEAST = 0.1
"""Weight added to that in a box, so that empty ones do not divide by 0."""

Density = Callable[[BoxSums], FloatArray]
"""From the sums in boxes to the density, times the boxes' volume."""


def event_density(sums: BoxSums) -> FloatArray:
    """Return the density of events."""
    return sums.weights + _LEAST


def marked_density(sums: BoxSums) -> FloatArray:
    """Return the density of the mean mark: that of the fraction of a class, or of a target."""
    return sums.marked / (sums.weights + _LEAST)


@dataclass(eq=False)
class Sampler:
    """Explores cells of a foam with the range from ``x_min`` to ``x_max``."""

    search: BoxSearch
    density: Density
    x_min: FloatArray
    x_max: FloatArray
    n_samples: int
    n_bins: int

    def __post_init__(self) -> None:
        self._random = TRandom3(SEED)
        self._is_root = True
        # TMVA: multiplies by it; the last bits decide which of two equally good divisions is made
        self._inverse_volume = 1.0 / float(np.multiply.reduce(self.search.edges))
        self._range = float(np.multiply.reduce(self.x_max - self.x_min))

    def __call__(self, position: FloatArray, size: FloatArray) -> Exploration:
        """Sample a cell."""
        n_dimensions = len(size)
        numbers = self._random.peek(self.n_samples * n_dimensions).reshape(self.n_samples, n_dimensions)
        alpha = numbers / 2.0**32
        sums = self.search.sums(back(position + alpha * size, self.x_min, self.x_max))
        dx = float(np.multiply.reduce(size)) * self._range
        weight = dx * (self.density(sums) * self._inverse_volume)
        running, running_squares = np.cumsum(weight), np.cumsum(weight * weight)
        n = self._n_used(running, running_squares)
        self._random.skip(n * n_dimensions)
        total, squares = float(running[n - 1]), float(running_squares[n - 1])
        if self._is_root:
            self._check(total)
        self._is_root = False
        integral = total / (n + 1e-6)
        dimension, fraction = best_division(alpha[:n], weight[:n], squares, self.n_bins)
        return Exploration(
            dimension,
            fraction,
            integral,
            float(np.sqrt(squares / n)) - integral,
            float(np.cumsum(sums.counts[:n] * self._inverse_volume)[-1]) * dx / self.n_samples,
        )

    def _n_used(self, running: FloatArray, squares: FloatArray) -> int:
        """Return after how many points the sampling ends: all, unless they are equal to enough events."""
        enough = EVENTS_PER_BIN * self.n_bins
        if self.n_samples < enough:
            return self.n_samples
        with np.errstate(divide="ignore", invalid="ignore"):
            found = np.flatnonzero(np.where(squares == 0, 0.0, running * running / squares) >= enough)
        return int(found[0]) + 1 if len(found) else self.n_samples

    def _check(self, total: float) -> None:
        if total == 0:
            raise InputError(
                "No events were found during exploration of root cell.  Please check PDEFoam parameters nSampl and "
                "VolFrac."
            )
        if total < 0:
            log.warning("Negative number of events found during exploration of root cell")


def best_division(alpha: FloatArray, weight: FloatArray, squares: float, n_bins: int) -> tuple[int, float]:
    """Return dimension and fraction of the division that lowers the variance most.

    ``alpha`` (n, n_dimensions) are the points within the cell, ``weight`` their densities, ``squares`` Σ weight².  An
    interval of bins is better the more the densities within and outside it differ; the cell is divided at one of its
    ends.
    """
    n, n_dimensions = alpha.shape
    low, high = _intervals(n_bins)
    inner = _sums_in_intervals(_edge_histograms(alpha, weight, n_bins))
    width, rest = high - low, 1.0 - high + low
    with np.errstate(divide="ignore", invalid="ignore"):
        inside = np.sqrt(inner) / np.sqrt(n * width) * width
        outside = np.sqrt(squares - inner) / np.sqrt(n * rest) * rest
    outside[(rest < DBL_EPSILON) | (squares - inner < DBL_EPSILON)] = 0.0
    both = np.where(np.isnan(inside + outside), FLT_MAX, inside + outside)
    intervals = both.argmin(axis=1)
    gains = np.sqrt(squares) / np.sqrt(n) - both[np.arange(n_dimensions), intervals]
    best, largest, fraction = 0, 0.0, 0.0
    for k, (gain, interval) in enumerate(zip(gains.tolist(), intervals.tolist(), strict=True)):
        if gain >= largest:  # the last of equally good dimensions
            best, largest = k, gain
            fraction = float(high[interval] if int(n_bins * low[interval]) == 0 else low[interval])
    return best, fraction


def _edge_histograms(alpha: FloatArray, weight: FloatArray, n_bins: int) -> FloatArray:
    """Return the sums of squared weights (n_dimensions, n_bins) in bins along each dimension."""
    n, n_dimensions = alpha.shape
    bins = Axis(n_bins, 0.0, 1.0).find_bin(alpha) - 1 + n_bins * np.arange(n_dimensions)
    repeated = np.broadcast_to((weight * weight)[:, np.newaxis], (n, n_dimensions))
    sums = np.bincount(bins.ravel(), repeated.ravel(), n_dimensions * n_bins)
    return np.asarray(sums, dtype=np.float64).reshape(n_dimensions, n_bins)


@cache
def _intervals(n_bins: int) -> tuple[FloatArray, FloatArray]:
    """Return the ends of all intervals of bins, those from the first bin on first."""
    pairs = [(lower, upper) for lower in range(n_bins) for upper in range(lower + 1, n_bins + 1)]
    low, high = np.array(pairs, dtype=np.float64).T / n_bins
    return low, high


def _sums_in_intervals(squares: FloatArray) -> FloatArray:
    """Return the sums over the intervals (n_dimensions, n_intervals), each from its first bin on."""
    errors = np.sqrt(squares)
    content = errors * errors  # TMVA: the error of a bin is squared again
    return np.concatenate([np.cumsum(content[:, lower:], axis=1) for lower in range(content.shape[1])], axis=1)
