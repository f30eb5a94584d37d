"""Exploring a cell by its events (option DTLogic): the division with the largest gain, as in a decision tree."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from pytmva_bnn._typing import BoolArray, Float32Array, FloatArray
from pytmva_bnn.histograms import Axis
from pytmva_bnn.methods.foam.training.growing import Exploration
from pytmva_bnn.methods.foam.tree import FLT_EPSILON, back

SMALLEST_GAIN = 1.4901161193847656e-08

Index = Callable[[float, float], float]


def _gini(s: float, b: float) -> float:
    return 2.0 * s * b / (s + b) / (s + b) if s > 0 and b > 0 else 0.0


def _misclassification(s: float, b: float) -> float:
    p = s / (s + b)
    return min(p, 1.0 - p)


def _cross_entropy(s: float, b: float) -> float:
    p = s / (s + b)
    return -(p * np.log2(p) + (1.0 - p) * np.log2(1.0 - p)) if 0 < p < 1 else 0.0


def _gini_with_laplace(s: float, b: float) -> float:
    return (s * b + s + b + 1.0) / (s + b + 2.0) / (s + b + 2.0) if s > 0 and b > 0 else 0.0


def _s_over_root(s: float, b: float) -> float:
    return float(s / np.sqrt(s + b))


INDICES: dict[str, Index] = {
    "GiniIndex": _gini,
    "MisClassificationError": _misclassification,
    "CrossEntropy": _cross_entropy,
    "GiniIndexWithLaplace": _gini_with_laplace,
    "SdivSqrtSplusB": _s_over_root,
}


def separation_gain(name: str, s: float, b: float, total_s: float, total_b: float) -> float:
    """Return how much purer the parts are than the whole, if ``s`` and ``b`` of the totals are one part."""
    rest_s, rest_b = total_s - s, total_b - b
    if rest_s == s and rest_b == b:
        return 0.0

    def index(one: float, other: float) -> float:
        return INDICES[name](one, other) if one + other > 0 else 0.0

    total = total_s + total_b
    whole, rest, chosen = index(total_s, total_b), index(rest_s, rest_b), index(s, b)
    if name == "SdivSqrtSplusB":
        gain = (total * whole - (rest_s + rest_b) * rest - (s + b) * chosen) / total
    else:
        gain = whole - (rest_s + rest_b) / total * rest - (s + b) / total * chosen
    return float(gain) if gain >= SMALLEST_GAIN else 0.0


@dataclass(frozen=True, eq=False)
class SeparationExplorer:
    """Explores cells by their events (n_events, n_dimensions) in the range from ``x_min`` to ``x_max``."""

    x: Float32Array
    weights: Float32Array
    is_marked: BoolArray
    x_min: FloatArray
    x_max: FloatArray
    separation: str
    n_bins: int
    n_min: int

    def __call__(self, position: FloatArray, size: FloatArray) -> Exploration:
        """Return the best division of a cell; its driver is the gain, -1 if no division leaves enough events."""
        ends = np.stack([position - FLT_EPSILON, position + size + FLT_EPSILON])
        low, high = back(ends, self.x_min, self.x_max)
        inside = ((self.x > low) & (self.x <= high)).all(axis=1)
        x, weights, is_marked = self.x[inside], self.weights[inside].astype(np.float64), self.is_marked[inside]
        s, b = (float(np.bincount(is_marked, weights, 2)[marked]) for marked in (1, 0))
        best, division, largest = -1, 0.5, -1.0  # as TMVA marks cells that cannot be divided
        for k in range(len(size) if len(x) else 0):
            for j, gain in self._gains(x[:, k], weights, is_marked):
                if gain >= largest:
                    best, division, largest = k, j / self.n_bins, gain
        return Exploration(best, division, s / (s + b) if s + b > 0 else 0.0, largest, s + b if self.n_min > 0 else 0.0)

    def _gains(self, column: Float32Array, weights: FloatArray, is_marked: BoolArray) -> list[tuple[int, float]]:
        """Return the gains of divisions after bin j that leave enough events on both sides.

        TMVA: the histogram spans the events, but j / n_bins is then used as a fraction of the cell.
        """
        bins = Axis(self.n_bins, float(column.min()), float(column.max())).find_bin(column)
        counts = np.cumsum(np.bincount(bins, minlength=self.n_bins + 2))
        s, b = (np.cumsum(np.bincount(bins, weights * one, self.n_bins + 2)) for one in (is_marked, ~is_marked))
        return [
            (j, separation_gain(self.separation, float(s[j]), float(b[j]), float(s[-1]), float(b[-1])))
            for j in range(1, self.n_bins)
            if counts[j] >= self.n_min and counts[-1] - counts[j] >= self.n_min
        ]
