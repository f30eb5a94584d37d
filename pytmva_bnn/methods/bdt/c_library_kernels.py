"""The compiled twins of :mod:`pytmva_bnn.methods.bdt.c_library`, which call the C library as well."""

from __future__ import annotations

import math

import numpy as np

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.fast.compiler import compiled


@compiled
def exponentials(x: FloatArray) -> FloatArray:
    """Return e to the power of each number."""
    values = np.empty(x.size)
    for i in range(x.size):
        values[i] = math.exp(x[i])
    return values


@compiled
def powers(base: float, exponents: FloatArray) -> FloatArray:
    """Return a number to the power of each exponent."""
    values = np.empty(exponents.size)
    for i in range(exponents.size):
        values[i] = math.pow(base, exponents[i])
    return values
