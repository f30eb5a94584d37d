"""The C library's exp and pow for arrays: numpy's own are faster, but may differ in the last digit."""

from __future__ import annotations

import math

import numpy as np

from pytmva_bnn._typing import FloatArray

_LARGEST = math.log(np.finfo(np.float64).max)


def exp(x: FloatArray) -> FloatArray:
    """Return e to the power of each number; infinite where that is too large."""
    flat = np.minimum(x, _LARGEST).ravel()
    values = np.fromiter(map(math.exp, flat.tolist()), dtype=np.float64, count=flat.size).reshape(x.shape)
    values[x > _LARGEST] = np.inf
    return values


def power(base: float, exponents: FloatArray) -> FloatArray:
    """Return a positive number to the power of each exponent."""
    return np.fromiter((math.pow(base, one) for one in exponents.tolist()), dtype=np.float64, count=len(exponents))
