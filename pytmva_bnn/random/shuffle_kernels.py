"""The compiled twin of the shuffle: the same numbers and swaps one after the other, as the C++ library does."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.fast.compiler import compiled
from pytmva_bnn.random.uniform import DIVIDE, SCALE

_WORDS = 2.0**32
_MASK = np.uint64(2**32 - 1)
_HALF = np.uint64(32)
_ONE = np.uint64(1)
_ALL = np.uint64(2**32)


@compiled
def _uniform(output: int, bound: int, rule: int) -> np.int64:
    """Return the integer 0 .. bound-1 that an output gives, -1 if it is rejected."""
    y, m = np.uint64(output), np.uint64(bound)
    if rule == SCALE:
        return np.int64(float(m) * (float(y) / _WORDS))
    g = y - _ONE
    if rule == DIVIDE:
        q = _MASK // m
        return np.int64(g // q) if g < m * q else np.int64(-1)
    product = g * m
    low = product & _MASK
    # the division is slow and seldom needed
    if low < m and low < (_ALL - m) % m:
        return np.int64(-1)
    return np.int64(product >> _HALF)


@compiled
def swap_one_by_one(order: NDArray[np.int32], i: int, outputs: NDArray[np.uint32], rule: int) -> int:
    """Swap element ``i`` and those after it with earlier ones (or themselves); return where to continue.

    Element i is still i when its turn comes, because no earlier swap reaches that far.  There must be no more outputs
    than elements left; a rejected one gives no swap.
    """
    for output in outputs:
        j = _uniform(output, i + 1, rule)
        if j >= 0:
            order[i] = order[j]
            order[j] = i
            i += 1
    return i


@compiled
def swap_in_pairs(order: NDArray[np.int32], i: int, outputs: NDArray[np.uint32], rule: int) -> int:
    """Do the same with two swaps for each output; there must be no more outputs than pairs left."""
    for output in outputs:
        both = _uniform(output, (i + 1) * (i + 2), rule)
        if both >= 0:
            j = both // (i + 2)
            k = both - j * (i + 2)
            order[i] = order[j]
            order[j] = i
            order[i + 1] = order[k]
            order[k] = i + 1
            i += 2
    return i
