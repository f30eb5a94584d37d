"""Functions of the C library, which TMVA uses: numpy has its own on some processors, with other last bits."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pytmva_bnn._typing import FloatArray

_exp: Any = np.frompyfunc(math.exp, 1, 1)
_sin: Any = np.frompyfunc(math.sin, 1, 1)
_pow: Any = np.frompyfunc(math.pow, 2, 1)


def exp(x: FloatArray) -> FloatArray:
    """Return e^x."""
    return np.asarray(_exp(x), dtype=np.float64)


def sin(x: FloatArray) -> FloatArray:
    """Return sin x."""
    return np.asarray(_sin(x), dtype=np.float64)


def power(x: FloatArray, n: int) -> FloatArray:
    """Return x^n."""
    return np.asarray(_pow(x, float(n)), dtype=np.float64)
