"""A uniform integer 0 .. m-1 from the generator G, in the ways of the C++ libraries ROOT was built with.

Each rule exists for one number (``one``) and for arrays (``many``).  Both start from the outputs y of a
TRandom3; the generator G that TMVA hands to the library gives ``G() = y - 1``, which claims the range
0 .. 2^32-1.  A rule may reject an output; the next one is then tried for the same bound, so that a rejection
shifts everything after it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.random.trandom3 import TRandom3

_WORDS = 2**32
_MASK = np.uint64(_WORDS - 1)

Outputs = NDArray[np.uint32]
Bounds = NDArray[np.uint64]
Many = tuple[NDArray[np.uint64], NDArray[np.bool_]]


class Library(Enum):
    """How the ROOT to be reproduced was built: the split of the events depends on it.

    Builds with libc++ (macOS) or Microsoft's library shuffle differently and are not covered.

    >>> Library("gcc11") is Library.GCC11
    True
    """

    #: ROOT 6.12 or later, GCC 11 or later
    GCC11 = "gcc11"
    #: ROOT 6.12 or later, GCC 7 to 10
    GCC7 = "gcc7"
    #: ROOT 6.12 or later, GCC 6 or earlier
    GCC6 = "gcc6"
    #: ROOT before 6.12 (all of ROOT 5), any GCC
    ROOT5 = "root5"


def g_one(random: TRandom3) -> int:
    """Return G(), an integer 0 .. 2^32-2.

    >>> g_one(TRandom3(100))
    2333906439
    """
    # TMVA: G() is Integer(2^32-1), which is y-1 for every y, although it claims to reach 2^32-1
    return int(random.outputs(1)[0]) - 1


def multiply_one(random: TRandom3, m: int) -> int:
    """Return ``uniform(m)`` of GCC 11 and later: the high half of G()·m.

    >>> multiply_one(TRandom3(100), 10)
    5
    """
    product = g_one(random) * m
    if product % _WORDS < m:
        threshold = (_WORDS - m) % m
        while product % _WORDS < threshold:
            product = g_one(random) * m
    return product // _WORDS


def multiply_many(y: Outputs, m: Bounds) -> Many:
    """Return the results of :func:`multiply_one` for each output and bound, and which are rejected.

    >>> values, rejected = multiply_many(TRandom3(100).outputs(3), np.array([10, 10, 10], dtype=np.uint64))
    >>> values.tolist(), rejected.any().item()
    ([5, 6, 2], False)
    """
    product = (y.astype(np.uint64) - np.uint64(1)) * m
    low = product & _MASK
    rejected = low < m
    # the division is slow and only a few candidates need it
    few = np.flatnonzero(rejected)
    rejected[few] = low[few] < (np.uint64(_WORDS) - m[few]) % m[few]
    return product >> np.uint64(32), rejected


def divide_one(random: TRandom3, m: int) -> int:
    """Return ``uniform(m)`` of GCC 10 and earlier: G() in units of q = floor((2^32-1)/m).

    >>> divide_one(TRandom3(100), 10)
    5
    """
    q = (_WORDS - 1) // m
    g = g_one(random)
    while g >= m * q:
        g = g_one(random)
    return g // q


def divide_many(y: Outputs, m: Bounds) -> Many:
    """Return the results of :func:`divide_one` for each output and bound, and which are rejected.

    >>> divide_many(TRandom3(100).outputs(3), np.array([10, 10, 10], dtype=np.uint64))[0].tolist()
    [5, 6, 2]
    """
    q = _MASK // m
    g = y.astype(np.uint64) - np.uint64(1)
    return g // q, g >= m * q


def scale_one(random: TRandom3, m: int) -> int:
    """Return the number of ROOT before 6.12: ``Integer(m)``.

    >>> scale_one(TRandom3(100), 10)
    5
    """
    return random.integer(m)


def scale_many(y: Outputs, m: Bounds) -> Many:
    """Return the results of :func:`scale_one` for each output and bound; none is rejected.

    >>> scale_many(TRandom3(100).outputs(3), np.array([10, 10, 10], dtype=np.uint64))[0].tolist()
    [5, 6, 2]
    """
    # in float64 as there: the product is exact for bounds up to 2^21
    values = (m.astype(np.float64) * (y.astype(np.float64) / _WORDS)).astype(np.uint64)
    return values, np.zeros(y.shape, dtype=np.bool_)


@dataclass(frozen=True)
class Rule:
    """What distinguishes a library: its uniform integers, and whether it makes two swaps with one number.

    >>> RULES[Library.GCC11].paired, RULES[Library.GCC6].paired
    (True, False)
    """

    one: Callable[[TRandom3, int], int]
    many: Callable[[Outputs, Bounds], Many]
    paired: bool


RULES: dict[Library, Rule] = {
    Library.GCC11: Rule(multiply_one, multiply_many, paired=True),
    Library.GCC7: Rule(divide_one, divide_many, paired=True),
    Library.GCC6: Rule(divide_one, divide_many, paired=False),
    Library.ROOT5: Rule(scale_one, scale_many, paired=False),
}
