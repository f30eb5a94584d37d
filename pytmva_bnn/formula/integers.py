"""Conversions of float64 to 64-bit integers as a C++ program on x86-64 does them.

NaN, infinities and what is too large have no integer; the processor gives -2⁶³ for them.

>>> to_int64(np.array([2.9, -2.9, np.nan])).tolist()
[2, -2, -9223372036854775808]
>>> int(to_uint64(np.array(-1.0)))
18446744073709551615
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

LIMIT = 2.0**63
LOWEST = np.int64(-(2**63))


def to_int64(values: Any) -> NDArray[np.int64]:
    """Return ``values`` truncated towards zero."""
    floats = np.asarray(values, dtype=np.float64)
    inside = (floats >= -LIMIT) & (floats < LIMIT)
    return np.where(inside, np.where(inside, floats, 0.0).astype(np.int64), LOWEST)


def to_uint64(values: Any) -> NDArray[np.uint64]:
    """Return ``values`` truncated towards zero, negative ones modulo 2⁶⁴."""
    floats = np.asarray(values, dtype=np.float64)
    upper = (floats >= LIMIT) & (floats < 2.0 * LIMIT)
    # the upper half of the range does not fit a signed integer: convert it shifted down and put the bit back
    lower_half = to_int64(np.where(upper, floats - LIMIT, floats)).astype(np.uint64)
    return np.where(upper, lower_half | np.uint64(2**63), lower_half)


def remainder(a: NDArray[np.int64], b: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return ``a % b`` with the sign of ``a`` (the rule of C), and 0 where ``b`` is 0."""
    result: NDArray[np.int64] = np.fmod(a, np.where(b == 0, np.int64(1), b))
    return result
