"""What becomes of the responses of boosted classifiers before they are summed, and the responses of linear ones."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from pytmva_bnn._typing import Float32Array, FloatArray

EPSILON = math.exp(-1.0)


def transformed(v: FloatArray, transform: str, cut: float, direction: float) -> FloatArray:
    """Return t(v); ``v`` may be overwritten."""
    match transform:
        case "step":
            return np.where(v * direction > cut * direction, 1.0, -1.0)
        case "log":  # TMVA: whatever the orientation of the cut is; so is gauss
            np.maximum(v, cut, out=v)
            v -= cut
            v += EPSILON
            return np.log(v, out=v)
        case "gauss":
            # TMVA: its mean is 1 and so is its width
            v -= cut
            v -= 1.0
            return np.exp(-0.5 * v * v)
        case _:
            return v


def single_transform(transform: str, cut: float, direction: float) -> Callable[[float], float]:
    """Return t for single numbers; the logarithm and the exponential may differ in the last digit."""
    if transform == "step":
        edge = cut * direction
        return lambda v: 1.0 if v * direction > edge else -1.0
    if transform == "log":
        return lambda v: math.log(max(v, cut) - cut + EPSILON)
    if transform == "gauss":
        return lambda v: math.exp(-0.5 * (v - cut - 1.0) * (v - cut - 1.0))
    return lambda v: v


def linear_responses(coefficients: Sequence[Sequence[float]], x: Float32Array) -> Iterator[FloatArray]:
    """Yield c_0 + Σ c_i x_i for each classifier; the terms are added to the constant one after the other."""
    columns = np.ascontiguousarray(x.T, dtype=np.float64)
    v, term = np.empty(len(x)), np.empty(len(x))
    for offset, *factors in coefficients:
        v.fill(offset)
        for factor, column in zip(factors, columns, strict=True):
            v += np.multiply(column, factor, out=term)
        yield v
