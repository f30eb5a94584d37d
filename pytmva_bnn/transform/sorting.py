"""The order of float32 values in which equal ones keep their order, by sorting integers.

numpy sorts integers of 64 bits several times faster than it finds a stable order of numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_VALUES = 2**32
"""The number of a value must fit into half of a key."""

_SIGN = np.uint32(2**31)
_HALF = np.uint64(32)
_NUMBER = np.uint64(2**32 - 1)


def stable_order(values: NDArray[np.float32]) -> NDArray[np.intp]:
    """Return the numbers of the values (n,) in ascending order, equal values in theirs; there must be no NaN.

    >>> stable_order(np.float32([2.0, -1.0, 2.0, 0.0, -0.0])).tolist()
    [1, 3, 4, 0, 2]
    """
    if len(values) >= MOST_VALUES:
        return np.argsort(values, kind="stable")
    keys = sorting_keys(values)
    keys.sort()
    keys &= _NUMBER
    return keys.astype(np.intp)


def sorting_keys(values: NDArray[np.float32]) -> NDArray[np.uint64]:
    """Return integers that order as the values do: the value in the upper half, its number in the lower one.

    >>> sorting_keys(np.float32([-1.0, 0.0, -0.0, 1.0])).argsort().tolist()
    [0, 1, 2, 3]
    """
    # the bits of positive numbers order as the numbers do, those of negative ones the other way round; -0 becomes 0
    patterns = (values + np.float32(0)).view(np.uint32)
    patterns ^= (np.uint32(0) - (patterns >> np.uint32(31))) | _SIGN
    keys = patterns.astype(np.uint64)
    keys <<= _HALF
    keys |= np.arange(len(values), dtype=np.uint64)
    return keys
