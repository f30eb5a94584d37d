"""ROOT's generator TRandom3: the Mersenne twister MT19937 with its classic seeding by one number."""

from __future__ import annotations

import secrets
from functools import cached_property
from typing import overload

import numpy as np
from numpy.typing import NDArray

DEFAULT_SEED = 4357

_WORDS = 2**32
#: outputs made at once when few numbers are asked for: asking takes as long as making 20,000 of them
_LEAST_BLOCK = 4096


class TRandom3:
    """The generator TRandom3; its state carries on from call to call.

    ``seed`` is taken modulo 2^32.  With 0 a seed is drawn from the system, so that each run differs; the
    attribute ``seed`` tells which one it was.  An output of 0 is always skipped.

    >>> TRandom3(1).outputs(4)
    array([1791095845, 4282876139, 3093770124, 4005303368], dtype=uint32)
    >>> TRandom3(0).seed != 0
    True
    """

    def __init__(self, seed: int = DEFAULT_SEED) -> None:
        seed %= _WORDS
        self.seed = seed if seed != 0 else 1 + secrets.randbelow(_WORDS - 1)
        self._ahead = np.empty(0, dtype=np.uint32)
        self._position = 0

    @cached_property
    def _twister(self) -> np.random.RandomState:
        # made when it is needed, as seeding takes a while
        # the legacy class is meant: its seeding is the twister's own, and numpy promises never to change it
        return np.random.RandomState(self.seed)

    def peek(self, n: int) -> NDArray[np.uint32]:
        """Return the next ``n`` outputs without using them up; see :meth:`skip`."""
        while self._ahead.size - self._position < n:
            missing = n - (self._ahead.size - self._position)
            fresh = self._raw(max(missing, _LEAST_BLOCK))
            if not fresh.all():
                fresh = fresh[fresh != 0]
            left = self._ahead[self._position :]
            self._ahead = np.concatenate((left, fresh)) if left.size else fresh
            self._position = 0
        return self._ahead[self._position : self._position + n]

    def skip(self, n: int) -> None:
        """Use up ``n`` outputs."""
        self.peek(n)
        self._position += n

    def outputs(self, n: int) -> NDArray[np.uint32]:
        """Return the next ``n`` 32-bit outputs, none of which is 0."""
        found = self.peek(n)
        self._position += n
        return found

    @overload
    def rndm(self) -> float: ...

    @overload
    def rndm(self, n: int) -> NDArray[np.float64]: ...

    def rndm(self, n: int | None = None) -> float | NDArray[np.float64]:
        """Return the next number in (0, 1), or an array of the next ``n``."""
        if n is None:
            return float(self.outputs(1)[0]) / _WORDS
        return self.outputs(n).astype(np.float64) / _WORDS

    def integer(self, m: int) -> int:
        """Return the next number times ``m``, truncated: an integer 0 .. m-1."""
        return int(m * self.rndm())

    def _raw(self, n: int) -> NDArray[np.uint32]:
        """Return the next ``n`` outputs of the twister itself, zeros and all."""
        return self._twister.randint(0, _WORDS, size=n, dtype=np.uint32)
