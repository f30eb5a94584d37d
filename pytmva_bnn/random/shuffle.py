"""``std::shuffle`` of libstdc++ with the generator TMVA gives it."""

from __future__ import annotations

from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import AnyIntArray
from pytmva_bnn.fast.twins import compiled_pays
from pytmva_bnn.random.trandom3 import TRandom3
from pytmva_bnn.random.uniform import RULES, Library, g_one

#: the longest list that is shuffled with two swaps for one random number: n*n must fit into 32 bits
_LONGEST_PAIRED = 65535
#: random numbers made at once
_BLOCK = 4096
#: random numbers made at once for the compiled shuffle
_OUTPUTS = 1 << 18
#: seconds that Python takes for an element
_TO_SWAP = 300e-9


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
    """

    def __init__(self, seed: int = 100, *, library: Library | str = Library.GCC11) -> None:
        self.random = TRandom3(seed)
        self.library = Library(library)
        self._rule = RULES[self.library]

    def __call__(self) -> int:
        """Return G(), an integer 0 .. 2^32-2."""
        return g_one(self.random)

    def uniform(self, m: int) -> int:
        """Return a uniform integer 0 .. m-1, for 1 <= m < 2^32."""
        if not 1 <= m < 2**32:
            raise ValueError(f"uniform(m) needs 1 <= m < 2^32. Got m={m} instead.")
        return self._rule.one(self.random, m)

    @overload
    def shuffle(self, values: int) -> AnyIntArray: ...

    @overload
    def shuffle(self, values: NDArray[Any]) -> NDArray[Any]: ...

    def shuffle(self, values: int | NDArray[Any]) -> NDArray[Any]:
        """Return the shuffled array, or for a number n the shuffled indices 0 .. n-1; nothing is done in place."""
        if isinstance(values, np.ndarray):
            return np.take(values, self.order(len(values)), axis=0)
        return self.order(values).astype(np.intp, copy=False)

    def order(self, n: int) -> AnyIntArray:
        """Return the same as :meth:`shuffle` of a number, in integers of 32 bits if that is faster."""
        # neither an empty list nor one of length 1 uses up a random number
        if n <= 1:
            return np.arange(n)
        paired = self._rule.paired and n <= _LONGEST_PAIRED
        if n < 2**31 and compiled_pays(n * _TO_SWAP):
            return self._compiled_order(n, paired)
        uniform = self._rule.of_output
        order = [0] * n
        i = self._first(order, paired)
        while i < n:
            # never more numbers than are certainly needed; a rejected one gives no swap
            for y in self.random.outputs(min((n - i) // (2 if paired else 1), _BLOCK)).tolist():
                found = uniform(y, (i + 1) * (i + 2) if paired else i + 1)
                if found is not None:
                    for j in divmod(found, i + 2) if paired else (found,):
                        order[i] = order[j]
                        order[j] = i
                        i += 1
        return np.array(order)

    def _compiled_order(self, n: int, paired: bool) -> AnyIntArray:
        from pytmva_bnn.random import shuffle_kernels  # lazy: numba

        order = np.zeros(n, dtype=np.int32)  # half the size: the swaps jump about in memory
        swap = shuffle_kernels.swap_in_pairs if paired else shuffle_kernels.swap_one_by_one
        i = self._first(order, paired)
        while i < n:
            outputs = self.random.outputs(min((n - i) // (2 if paired else 1), _OUTPUTS))
            i = swap(order, i, outputs, self._rule.code)
        return order

    def _first(self, order: list[int] | NDArray[np.int32], paired: bool) -> int:
        """Make the swaps before an even number of them is left; return where to continue."""
        if not paired or len(order) % 2:
            return 1
        order[self._rule.one(self.random, 2)] = 1
        return 2
