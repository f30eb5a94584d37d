"""What the neighbours say: the fraction of signal among them, or the mean of their targets."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pytmva_bnn._typing import BoolArray, Float32Array, FloatArray, IndexArray, IntArray
from pytmva_bnn.methods.density import libm
from pytmva_bnn.methods.density.knn.option_table import KNNSettings
from pytmva_bnn.reductions.summation import sequential_sum

SIGNAL_TYPE = 1
EXTRA_NEIGHBOURS = 2
"""TMVA searches for this many more than nkNN; their distances count where neighbours are at distance 0."""


@dataclass(frozen=True, eq=False)
class Votes:
    """The training events as voters: their scaled positions, targets, and ``weights`` (all 1 without UseWeight)."""

    settings: KNNSettings
    x: Float32Array
    targets: Float32Array
    is_signal: BoolArray
    weights: FloatArray

    @classmethod
    def of(
        cls, settings: KNNSettings, x: Float32Array, targets: Float32Array, types: IntArray, weights: FloatArray
    ) -> Votes:
        """Return the voters of events with their types and weights."""
        counts = weights if settings.uses_weights else np.ones(len(weights))
        return cls(settings, x, targets, types == SIGNAL_TYPE, counts)

    @property
    def kernel(self) -> str:
        """Return the kernel that is used: Gaus, Poln, or empty for none."""
        # TMVA: without event weights the kernel is ignored too
        return self.settings.kernel if self.settings.uses_weights else ""

    def signal_fractions(self, index: IndexArray, distance: Float32Array, places: Float32Array) -> FloatArray:
        """Return the responses of queries at ``places`` with their neighbours ``(n_queries, nkNN + 2)``.

        NaN where no neighbour has a positive weight.
        """
        k = self.settings.n_neighbours
        first = index[:, :k]
        v = self.weights[first]
        if self.kernel == "Poln":
            v *= polynomial_kernel(distance, k)
        elif self.kernel == "Gaus":
            # TMVA: scaled neighbours, but the event as it was before the scaling
            d = (self.x[index] - places[:, np.newaxis]).astype(np.float64)
            v *= gaussian_kernel(d, distance, k, self.settings.sigma_factor)
        total = sequential_sum(v, axis=1)
        signal = sequential_sum(np.where(self.is_signal[first], v, 0.0), axis=1)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(total > 0, signal / total, np.nan)

    def mean_targets(self, index: IndexArray) -> Float32Array:
        """Return the mean targets of neighbours ``(n_queries, nkNN)`` and more."""
        sums = np.zeros((len(index), self.targets.shape[1]), dtype=np.float32)
        total = np.zeros((len(index), 1))
        # TMVA: the sum of targets is a float32, that of weights is not
        for column in index[:, : self.settings.n_neighbours].T:
            w = self.weights[column, np.newaxis]
            sums = (sums + self.targets[column] * w).astype(np.float32)
            total += w
        return (sums / total).astype(np.float32)


def _positive(distance: Float32Array, k: int) -> BoolArray:
    """Return which neighbours are the first k at a positive distance."""
    positive = distance > 0
    return positive & (np.cumsum(positive, axis=1) <= k)


def polynomial_kernel(distance: Float32Array, k: int) -> FloatArray:
    """Return (1 - a³)³ of the first k neighbours, with a their distance in units of the largest."""
    largest = np.where(_positive(distance, k), distance, 0).max(axis=1, keepdims=True).astype(np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        a = np.sqrt(distance[:, :k].astype(np.float64)) * (1.0 / np.sqrt(largest))
    # all at distance 0, where TMVA stops: all are equally near
    a = np.where(largest > 0, a, 0.0)
    b = 1.0 - a * a * a
    return np.where(a < 1.0, b * b * b, 0.0)


def gaussian_kernel(d: FloatArray, distance: Float32Array, k: int, sigma_factor: float) -> FloatArray:
    """Return exp(-Σ_i d_i²/(2σ_i²)) of the first k neighbours, for differences ``(n, neighbours, n_variables)``.

    σ_i is the mean square of the neighbours' differences, those at distance 0 left out.
    """
    used = _positive(distance, k)
    squares = d * d
    sums = sequential_sum(np.where(used[..., np.newaxis], squares, 0.0), axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        sigma = abs(sigma_factor) * np.sqrt(sums / used.sum(axis=1, keepdims=True))
        terms = squares[:, :k] / (2 * sigma * sigma)[:, np.newaxis]
    # a variable in which all neighbours agree, where TMVA stops, says nothing about their distances
    exponents = sequential_sum(np.where(sigma[:, np.newaxis] > 0, terms, 0.0), axis=2)
    return libm.exp(-exponents)
