"""A uniform integer 0 .. m-1 from the generator G, in the ways of the C++ libraries ROOT was built with.

Each rule starts from the outputs y of a TRandom3; the generator G that TMVA hands to the library gives
``G() = y - 1``, which claims the range 0 .. 2^32-1.  A rule may reject an output; the next one is then tried for the
same bound, so that a rejection shifts everything after it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from pytmva_bnn.random.trandom3 import TRandom3

_WORDS = 2**32


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
    """Return G(), an integer 0 .. 2^32-2."""
    # TMVA: G() is Integer(2^32-1), which is y-1 for every y, although it claims to reach 2^32-1
    return int(random.outputs(1)[0]) - 1


def multiply_one(y: int, m: int) -> int | None:
    """Return ``uniform(m)`` of GCC 11 and later, the high half of G()·m; None if the output is rejected."""
    product = (y - 1) * m
    low = product % _WORDS
    # the second condition alone decides, but it needs a division
    if low < m and low < (_WORDS - m) % m:
        return None
    return product // _WORDS


def divide_one(y: int, m: int) -> int | None:
    """Return ``uniform(m)`` of GCC 10 and earlier, G() in units of q = floor((2^32-1)/m); None if rejected."""
    q = (_WORDS - 1) // m
    return (y - 1) // q if y - 1 < m * q else None


def scale_one(y: int, m: int) -> int | None:
    """Return the number of ROOT before 6.12, ``Integer(m)``; no output is rejected."""
    return int(m * (y / _WORDS))


@dataclass(frozen=True)
class Rule:
    """What distinguishes a library: its uniform integers, and whether it makes two swaps with one number.

    ``code`` stands for the uniform integers in compiled code.
    """

    of_output: Callable[[int, int], int | None]
    code: int
    paired: bool

    def one(self, random: TRandom3, m: int) -> int:
        """Return the next uniform integer 0 .. m-1."""
        found = None
        while found is None:
            found = self.of_output(int(random.outputs(1)[0]), m)
        return found


MULTIPLY, DIVIDE, SCALE = range(3)

RULES: dict[Library, Rule] = {
    Library.GCC11: Rule(multiply_one, MULTIPLY, paired=True),
    Library.GCC7: Rule(divide_one, DIVIDE, paired=True),
    Library.GCC6: Rule(divide_one, DIVIDE, paired=False),
    Library.ROOT5: Rule(scale_one, SCALE, paired=False),
}
