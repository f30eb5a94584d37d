"""Arithmetic of C++: integers that wrap around, single precision, and division."""

from __future__ import annotations

import math
from collections.abc import Callable
from ctypes import c_float
from typing import Any

import numpy as np

Integer = Callable[[Any], int]

INVALID = math.copysign(math.nan, -1.0)
"""What x86 gives for 0/0 and the like; C++ prints it as ``-nan``."""


def _truncated(x: float, bits: int) -> int:
    # x86 gives the smallest integer where the number does not fit, and for nan
    limit = 2.0 ** (bits - 1)
    return int(x) if -limit - 1 < x < limit else -(2 ** (bits - 1))


def _integer(bits: int, *, signed: bool, through: int) -> Integer:
    size = 2**bits
    low = -size // 2 if signed else 0
    high = low + size - 1

    def convert(x: Any) -> int:
        if type(x) is not int:
            if isinstance(x, str):
                x = ord(x)
            elif isinstance(x, int):  # bool, enum
                x = int(x)
            else:
                x = float(x) if not hasattr(x, "__index__") else int(x)
                if type(x) is float:
                    if bits == 64 and not signed and x >= 2.0**63:
                        x = int(x) if x < 2.0**64 else 0
                    else:
                        x = _truncated(x, through)
        if low <= x <= high:
            return x  # type: ignore[no-any-return]
        return (x - low) % size + low  # type: ignore[no-any-return]

    return convert


int8 = _integer(8, signed=True, through=32)
int16 = _integer(16, signed=True, through=32)
int32 = _integer(32, signed=True, through=32)
int64 = _integer(64, signed=True, through=64)
uint8 = _integer(8, signed=False, through=32)
uint16 = _integer(16, signed=False, through=32)
uint32 = _integer(32, signed=False, through=64)
uint64 = _integer(64, signed=False, through=64)


def float32(x: Any) -> float:
    """Return the number rounded to single precision."""
    return c_float(x).value


def quotient(a: int, b: int) -> int:
    """Return ``a / b`` of two integers, rounded towards zero."""
    if b == 0:
        raise ZeroDivisionError("integer division by zero")
    return a // b if (a >= 0) == (b > 0) else -(-a // b)


def remainder(a: int, b: int) -> int:
    """Return ``a % b``, which has the sign of ``a``."""
    if b == 0:
        raise ZeroDivisionError("integer division by zero")
    return a - b * quotient(a, b)


def divide(a: Any, b: Any) -> Any:
    """Return ``a / b``: of two integers rounded towards zero, otherwise with inf and nan as processors give them."""
    if isinstance(a, int) and isinstance(b, int):
        return quotient(a, b)
    if isinstance(a, np.generic) or isinstance(b, np.generic):  # elements of memory
        return divide(np.asarray(a).item(), np.asarray(b).item())
    try:
        return a / b
    except ZeroDivisionError:
        if a == 0:
            return INVALID
        return a if a != a else math.copysign(math.inf, a) * math.copysign(1.0, b)


def fmod(a: float, b: float) -> float:
    try:
        return math.fmod(a, b)
    except ValueError:
        return INVALID
