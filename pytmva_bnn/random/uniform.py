"""A uniform integer 0 .. m-1 from the generator G, in the ways of the C++ libraries ROOT was built with.

Each rule exists for one output (``one``) and for arrays (``many``).  Both start from the outputs y of a
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


def multiply_one(y: int, m: int) -> int | None:
    """Return ``uniform(m)`` of GCC 11 and later, the high half of G()·m; None if the output is rejected.

    >>> multiply_one(2333906440, 10)
    5
    """
    product = (y - 1) * m
    low = product % _WORDS
    # the second condition alone decides, but it needs a division
    if low < m and low < (_WORDS - m) % m:
        return None
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


def divide_one(y: int, m: int) -> int | None:
    """Return ``uniform(m)`` of GCC 10 and earlier, G() in units of q = floor((2^32-1)/m); None if rejected.

    >>> divide_one(2333906440, 10)
    5
    """
    q = (_WORDS - 1) // m
    return (y - 1) // q if y - 1 < m * q else None


def divide_many(y: Outputs, m: Bounds) -> Many:
    """Return the results of :func:`divide_one` for each output and bound, and which are rejected.

    >>> divide_many(TRandom3(100).outputs(3), np.array([10, 10, 10], dtype=np.uint64))[0].tolist()
    [5, 6, 2]
    """
    q = _MASK // m
    g = y.astype(np.uint64) - np.uint64(1)
    return g // q, g >= m * q


def scale_one(y: int, m: int) -> int | None:
    """Return the number of ROOT before 6.12, ``Integer(m)``; no output is rejected.

    >>> scale_one(2333906440, 10)
    5
    """
    return int(m * (y / _WORDS))


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

    ``code`` stands for the uniform integers in compiled code.

    >>> RULES[Library.GCC11].paired, RULES[Library.GCC6].paired
    (True, False)
    """

    of_output: Callable[[int, int], int | None]
    many: Callable[[Outputs, Bounds], Many]
    code: int
    paired: bool

    def one(self, random: TRandom3, m: int) -> int:
        """Return the next uniform integer 0 .. m-1.

        >>> RULES[Library.GCC11].one(TRandom3(100), 10)
        5
        """
        found = None
        while found is None:
            found = self.of_output(int(random.outputs(1)[0]), m)
        return found


MULTIPLY, DIVIDE, SCALE = range(3)

RULES: dict[Library, Rule] = {
    Library.GCC11: Rule(multiply_one, multiply_many, MULTIPLY, paired=True),
    Library.GCC7: Rule(divide_one, divide_many, DIVIDE, paired=True),
    Library.GCC6: Rule(divide_one, divide_many, DIVIDE, paired=False),
    Library.ROOT5: Rule(scale_one, scale_many, SCALE, paired=False),
}
