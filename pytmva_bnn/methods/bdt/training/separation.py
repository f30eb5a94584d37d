"""How good a division of a node is: separation indices and their gains, by numpy.

The arithmetic is that of the specification from left to right; ``kernels/separation.py`` is the compiled twin.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pytmva_bnn._typing import FloatArray

#: in the order of the numbers that compiled code knows them by
INDICES = (
    "giniindex",
    "giniindexwithlaplace",
    "crossentropy",
    "misclassificationerror",
    "sdivsqrtsplusb",
    "regressionvariance",
)
#: gains below count as none
LEAST_GAIN = math.sqrt(np.finfo(np.float64).eps)


def index_of(kind: str, s: Any, b: Any) -> FloatArray:
    """Return the separation index of nodes with the sums of weights ``s`` of signal and ``b`` of background."""
    s, b = np.asarray(s, dtype=np.float64), np.asarray(b, dtype=np.float64)
    n = s + b
    with np.errstate(all="ignore"):
        if kind == "giniindex":
            value = np.where((s <= 0.0) | (b <= 0.0), 0.0, 2.0 * s * b / n / n)
        elif kind == "giniindexwithlaplace":
            value = np.where((s <= 0.0) | (b <= 0.0), 0.0, (s * b + s + b + 1.0) / (n + 2.0) / (n + 2.0))
        elif kind == "crossentropy":
            p = s / n
            inside = (p > 0.0) & (p < 1.0)
            p = np.where(inside, p, 0.5)
            value = np.where(inside, -(p * _log2(p) + (1.0 - p) * _log2(1.0 - p)), 0.0)
        elif kind == "misclassificationerror":
            p = s / n
            value = np.where(p >= 1.0 - p, 1.0 - p, p)
        else:
            value = s / np.sqrt(n)
    return np.where(n <= 0.0, 0.0, value)


def _log2(x: FloatArray) -> FloatArray:
    """Return the C library's logarithm, which numpy's may differ from in the last digit."""
    return np.fromiter(map(math.log2, x.ravel().tolist()), dtype=np.float64, count=x.size).reshape(x.shape)


def gains(kind: str, s: FloatArray, b: FloatArray, total_s: float, total_b: float) -> FloatArray:
    """Return the gains of divisions with the sums ``s`` and ``b`` on the left-hand side."""
    other_s, other_b = total_s - s, total_b - b
    total = total_s + total_b
    with np.errstate(all="ignore"):
        if kind == "sdivsqrtsplusb":
            # TMVA: this grows with every division, useful or not
            gain = (
                total * index_of(kind, total_s, total_b)
                - (other_s + other_b) * index_of(kind, other_s, other_b)
                - (s + b) * index_of(kind, s, b)
            ) / total
        else:
            gain = (
                index_of(kind, total_s, total_b)
                - (other_s + other_b) / total * index_of(kind, other_s, other_b)
                - (s + b) / total * index_of(kind, s, b)
            )
        gain = np.where(gain < LEAST_GAIN, 0.0, gain)
    return np.where((other_s == s) & (other_b == b), 0.0, gain)


def variance(n: Any, t: Any, t2: Any) -> FloatArray:
    """Return the variance of the target in nodes, from the sums of weights, targets and squared targets."""
    with np.errstate(all="ignore"):
        result: FloatArray = (t2 - t * t / n) / n
    return result


def regression_gains(
    n: FloatArray, t: FloatArray, t2: FloatArray, total: float, total_t: float, total_t2: float
) -> FloatArray:
    """Return the gains of divisions of a regression tree with these sums on the left-hand side."""
    with np.errstate(all="ignore"):
        before = total * variance(total, total_t, total_t2)
        after_right = (total - n) * variance(total - n, total_t - t, total_t2 - t2)
        gain = (before - after_right - n * variance(n, t, t2)) / before
    return np.where((n == total) | (n == 0.0), 0.0, gain)
