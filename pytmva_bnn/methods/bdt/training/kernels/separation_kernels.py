"""The compiled twin of :mod:`pytmva_bnn.methods.bdt.training.separation`, for single nodes."""

from __future__ import annotations

import math

from pytmva_bnn.fast.compiler import compiled
from pytmva_bnn.methods.bdt.training.separation import INDICES, LEAST_GAIN

GINI, LAPLACE, ENTROPY, MISCLASSIFICATION, S_OVER_ROOT = (INDICES.index(name) for name in INDICES[:-1])


@compiled
def index_of(kind: int, s: float, b: float) -> float:
    """Return the separation index."""
    n = s + b
    if n <= 0.0:
        return 0.0
    if kind == GINI:
        return 0.0 if s <= 0.0 or b <= 0.0 else 2.0 * s * b / n / n
    if kind == LAPLACE:
        return 0.0 if s <= 0.0 or b <= 0.0 else (s * b + s + b + 1.0) / (n + 2.0) / (n + 2.0)
    p = s / n
    if kind == ENTROPY:
        if p <= 0.0 or p >= 1.0:
            return 0.0
        return -(p * math.log2(p) + (1.0 - p) * math.log2(1.0 - p))
    if kind == MISCLASSIFICATION:
        return min(1.0 - p, p)
    return s / math.sqrt(n)


@compiled
def gain_of(kind: int, s: float, b: float, total_s: float, total_b: float, before: float) -> float:
    """Return the gain of a division with the sums ``s`` and ``b`` on the left; ``before`` is the node's own index."""
    other_s, other_b = total_s - s, total_b - b
    if other_s == s and other_b == b:
        return 0.0
    total = total_s + total_b
    if kind == S_OVER_ROOT:
        gain = (
            total * before - (other_s + other_b) * index_of(kind, other_s, other_b) - (s + b) * index_of(kind, s, b)
        ) / total
    else:
        gain = (
            before
            - (other_s + other_b) / total * index_of(kind, other_s, other_b)
            - (s + b) / total * index_of(kind, s, b)
        )
    return 0.0 if gain < LEAST_GAIN else gain


@compiled
def variance(n: float, t: float, t2: float) -> float:
    """Return the variance of the target."""
    return (t2 - t * t / n) / n


@compiled
def regression_gain(n: float, t: float, t2: float, total: float, total_t: float, total_t2: float) -> float:
    """Return the gain of a division of a regression tree with these sums on the left."""
    if n == total or n == 0.0:
        return 0.0
    before = total * variance(total, total_t, total_t2)
    after_right = (total - n) * variance(total - n, total_t - t, total_t2 - t2)
    return (before - after_right - n * variance(n, t, t2)) / before
