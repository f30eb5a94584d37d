"""``std::shuffle`` of libstdc++ with the generator TMVA gives it."""

from __future__ import annotations

from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import AnyIntArray
from pytmva_bnn.fast.twins import compiled_pays
from pytmva_bnn.random.swaps import apply_swaps
from pytmva_bnn.random.trandom3 import TRandom3
from pytmva_bnn.random.uniform import RULES, Library, g_one

#: the longest list that is shuffled with two swaps for one random number: n*n must fit into 32 bits
_LONGEST_PAIRED = 65535
#: random numbers treated at once: most blocks should be free of rejections
_BLOCK = 4096
#: random numbers made at once for the compiled shuffle
_OUTPUTS = 1 << 18
#: seconds that numpy takes for an element
_PAIRED, _SINGLE = 400e-9, 100e-9


class RandomGenerator:
    """The generator G of the split, with the library's ``uniform`` and ``shuffle``.

    Its state carries on between shuffles.  ``library`` tells how the ROOT to be reproduced was built, because
    the same seed gives different splits (:class:`Library`, or its value):

    ========== ======================================= ============================================
    library    build                                   difference
    ========== ======================================= ============================================
    ``gcc11``  ROOT >= 6.12 with GCC >= 11             two swaps with one number up to 65535 events
    ``gcc7``   ROOT >= 6.12 with GCC 7 to 10           another way to make a uniform integer
    ``gcc6``   ROOT >= 6.12 with GCC <= 6              that one, and always one swap a number
    ``root5``  ROOT < 6.12, any GCC                    ``std::random_shuffle`` with TRandom3::Integer
    ========== ======================================= ============================================

    >>> generator = RandomGenerator(100)
    >>> generator.shuffle(6)
    array([3, 4, 5, 0, 1, 2])
    >>> generator.shuffle(np.array(["a", "b", "c"]))
    array(['b', 'a', 'c'], dtype='<U1')
    >>> RandomGenerator(100, library="root5").shuffle(10)
    array([9, 8, 5, 6, 2, 4, 7, 1, 3, 0])
    """

    def __init__(self, seed: int = 100, *, library: Library | str = Library.GCC11) -> None:
        self.random = TRandom3(seed)
        self.library = Library(library)
        self._rule = RULES[self.library]

    def __call__(self) -> int:
        """Return G(), an integer 0 .. 2^32-2.

        >>> RandomGenerator(100)()
        2333906439
        """
        return g_one(self.random)

    def uniform(self, m: int) -> int:
        """Return a uniform integer 0 .. m-1, for 1 <= m < 2^32.

        >>> RandomGenerator(100).uniform(10)
        5
        """
        if not 1 <= m < 2**32:
            raise ValueError(f"uniform(m) needs 1 <= m < 2^32. Got m={m} instead.")
        return self._rule.one(self.random, m)

    @overload
    def shuffle(self, values: int) -> AnyIntArray: ...

    @overload
    def shuffle(self, values: NDArray[Any]) -> NDArray[Any]: ...

    def shuffle(self, values: int | NDArray[Any]) -> NDArray[Any]:
        """Return the shuffled array, or for a number n the shuffled indices 0 .. n-1; nothing is done in place.

        >>> RandomGenerator(100).shuffle(3)
        array([2, 1, 0])
        """
        if isinstance(values, np.ndarray):
            return np.take(values, self.order(len(values)), axis=0)
        return self.order(values).astype(np.intp, copy=False)

    def order(self, n: int) -> AnyIntArray:
        """Return the same as :meth:`shuffle` of a number, in integers of 32 bits if that is faster.

        >>> RandomGenerator(100).order(3).tolist()
        [2, 1, 0]
        """
        # neither an empty list nor one of length 1 uses up a random number
        if n <= 1:
            return np.arange(n)
        paired = self._rule.paired and n <= _LONGEST_PAIRED
        if n < 2**31 and compiled_pays(n * (_PAIRED if paired else _SINGLE)):
            return self._compiled_order(n, paired)
        return apply_swaps(self._targets_in_pairs(n) if paired else self._targets_one_by_one(n))

    def _compiled_order(self, n: int, paired: bool) -> AnyIntArray:
        from pytmva_bnn.random import shuffle_kernels  # lazy: numba

        order = np.zeros(n, dtype=np.int32)  # half the size: the swaps jump about in memory
        swap = shuffle_kernels.swap_in_pairs if paired else shuffle_kernels.swap_one_by_one
        i = 1
        if paired and n % 2 == 0:
            order[self._rule.one(self.random, 2)] = 1
            i = 2
        while i < n:
            # never more numbers than are certainly needed
            outputs = self.random.outputs(min((n - i) // (2 if paired else 1), _OUTPUTS))
            i = swap(order, i, outputs, self._rule.code)
        return order

    def _targets_in_pairs(self, n: int) -> AnyIntArray:
        """Return with which earlier element (or itself) each one is swapped, two from each number.

        One number at a time: with bounds near 2^32 up to half of the outputs are rejected.
        """
        uniform = self._rule.of_output
        targets = [0]
        if n % 2 == 0:
            targets.append(self._rule.one(self.random, 2))
        i = len(targets)
        while i < n:
            # never more numbers than are certainly needed
            for y in self.random.outputs(min((n - i) // 2, _BLOCK)).tolist():
                both = uniform(y, (i + 1) * (i + 2))
                if both is not None:
                    targets += divmod(both, i + 2)
                    i += 2
        return np.array(targets, dtype=np.intp)

    def _targets_one_by_one(self, n: int) -> AnyIntArray:
        """Return with which earlier element (or itself) each one is swapped, one from each number."""
        targets = np.zeros(n, dtype=np.intp)
        i = 1
        while i < n:
            bounds = np.arange(i + 1, min(i + _BLOCK, n) + 1, dtype=np.uint64)
            values, rejected = self._rule.many(self.random.peek(bounds.size), bounds)
            # a rejected output is used up without a result, and the next block starts with its bound
            good = int(np.argmax(rejected)) if rejected.any() else bounds.size
            targets[i : i + good] = values[:good]
            self.random.skip(min(good + 1, bounds.size))
            i += good
        return targets
