"""Uniform integers: the scalar rules follow the specification, the array rules the scalar ones."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from pytmva_bnn.random import Library, RandomGenerator, TRandom3
from pytmva_bnn.random.uniform import RULES, g_one

#: outputs at the ends of the range are the ones that get rejected
OUTPUT = st.one_of(st.integers(1, 2**32 - 1), st.integers(1, 8), st.integers(2**32 - 8, 2**32 - 1))
BOUND = st.one_of(st.integers(1, 2**32 - 1), st.integers(1, 20), st.integers(2**31 - 4, 2**31 + 4))


class Scripted(TRandom3):
    """A generator whose outputs are given."""

    def __init__(self, outputs: list[int]) -> None:
        super().__init__(1)
        self.script = outputs

    def _raw(self, n: int) -> NDArray[np.uint32]:
        found, self.script = self.script[:n], self.script[n:]
        return np.array(found, dtype=np.uint32)


def gcc11(g: int, m: int) -> int | None:
    low = g * m % 2**32
    if low < m and low < (2**32 - m) % m:
        return None
    return g * m >> 32


def gcc7(g: int, m: int) -> int | None:
    q = (2**32 - 1) // m
    return g // q if g < m * q else None


def root5(g: int, m: int) -> int | None:
    return int(m * ((g + 1) / 2**32))


NAIVE: dict[Library, Callable[[int, int], int | None]] = {
    Library.GCC11: gcc11,
    Library.GCC7: gcc7,
    Library.GCC6: gcc7,
    Library.ROOT5: root5,
}


@pytest.mark.parametrize("y", [1, 2, 3, 2**20, 2**31, 2**32 - 2, 2**32 - 1])
def test_g_is_the_integer_of_trandom3_and_one_less_than_the_output(y: int) -> None:
    assert g_one(Scripted([y])) == Scripted([y]).integer(2**32 - 1) == y - 1


@pytest.mark.parametrize("library", Library)
@given(y=OUTPUT, m=BOUND)
def test_rules_follow_the_specification(library: Library, y: int, m: int) -> None:
    assert RULES[library].of_output(y, m) == NAIVE[library](y - 1, m)


@pytest.mark.parametrize("library", Library)
@given(outputs=st.lists(OUTPUT, max_size=20), m=BOUND)
def test_single_numbers_use_up_rejected_outputs(library: Library, outputs: list[int], m: int) -> None:
    # 2^31 is accepted by every rule in the end
    script = [*outputs, 2**31, 2**31 + 1, 12345]
    accepted = [NAIVE[library](y - 1, m) for y in script]
    number = next(k for k, value in enumerate(accepted) if value is not None)
    random = Scripted(script)
    assert RULES[library].one(random, m) == accepted[number]
    assert random.outputs(len(script) - number - 1).tolist() == script[number + 1 :]


def test_rejection_is_frequent_for_large_bounds() -> None:
    generator, reference = RandomGenerator(100), TRandom3(100)
    m = 2**31 + 1
    found = [generator.uniform(m) for _ in range(1000)]
    candidates = [gcc11(y - 1, m) for y in reference.outputs(3000).tolist()]
    assert candidates.index(None) < 10
    assert found == [value for value in candidates if value is not None][:1000]


@pytest.mark.parametrize("m", [0, -1, 2**32])
def test_bounds_out_of_range_are_refused(m: int) -> None:
    with pytest.raises(ValueError, match=rf"1 <= m < 2\^32. Got m={m} instead"):
        RandomGenerator().uniform(m)
