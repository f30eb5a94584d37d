"""Arithmetic for translated macros, where Python and C++ give different numbers.

This is what the Python text of a translation imports; it needs no parser.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np


def divided(a: Any, b: Any) -> Any:
    """Return a / b of floating point numbers (or columns); a division by zero gives inf or nan.

    >>> divided(1, 4), divided(-1.0, 0), divided(0, 0.0)
    (0.25, -inf, nan)
    """
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        with np.errstate(all="ignore"):
            return np.true_divide(a, b)
    dividend, divisor = float(a), float(b)
    if divisor:
        return dividend / divisor
    if dividend == 0 or math.isnan(dividend) or math.isnan(divisor):
        return math.nan
    return math.copysign(math.inf, dividend) * math.copysign(1.0, divisor)


def quotient(a: int, b: int) -> int:
    """Return a / b of integers, rounded towards zero."""
    dividend, divisor = int(a), int(b)
    result = abs(dividend) // abs(divisor)
    return result if (dividend < 0) == (divisor < 0) else -result


def remainder(a: int, b: int) -> int:
    """Return what :func:`quotient` leaves; it has the sign of ``a``."""
    return int(a) - int(b) * quotient(a, b)


def single(x: Any) -> Any:
    """Return a number (or a column) as a ``Float_t`` keeps it: rounded to 24 bits."""
    with np.errstate(over="ignore"):
        if isinstance(x, np.ndarray):
            return x.astype(np.float32).astype(np.float64)
        return float(np.float32(x))
