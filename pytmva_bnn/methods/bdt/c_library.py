"""The C library's exp for arrays: numpy's own is faster, but may differ in the last digit on some processors."""

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
