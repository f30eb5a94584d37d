"""TRandom3 gives ROOT's numbers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from pytmva_bnn.random import DEFAULT_SEED, TRandom3

OUTPUTS = [
    (100, [2333906440, 2882591512, 1195587395, 1769725799, 1823289175, 2260795471]),
    (1, [1791095845, 4282876139, 3093770124, 4005303368]),
    (4357, [4293858116, 699692587, 1213834231, 4068197670]),
]


class Scripted(TRandom3):
    """A generator whose outputs are given."""

    def __init__(self, outputs: list[int]) -> None:
        super().__init__(1)
        self.script = outputs

    def _raw(self, n: int) -> NDArray[np.uint32]:
        found, self.script = self.script[:n], self.script[n:]
        return np.array(found, dtype=np.uint32)


def naive_mt19937(seed: int, n: int) -> list[int]:
    """The twister as in its authors' paper, word by word."""
    mt = [seed]
    for i in range(1, 624):
        mt.append((1812433253 * (mt[-1] ^ (mt[-1] >> 30)) + i) % 2**32)
    outputs = []
    for k in range(n):
        i = k % 624
        word = (mt[i] & 0x80000000) | (mt[(i + 1) % 624] & 0x7FFFFFFF)
        mt[i] = mt[(i + 397) % 624] ^ (word >> 1) ^ (0x9908B0DF if word & 1 else 0)
        y = mt[i]
        y ^= y >> 11
        y ^= (y << 7) & 0x9D2C5680
        y ^= (y << 15) & 0xEFC60000
        outputs.append(y ^ (y >> 18))
    return outputs


@pytest.mark.parametrize(("seed", "expected"), OUTPUTS)
def test_outputs_are_those_of_root(seed: int, expected: list[int]) -> None:
    assert TRandom3(seed).outputs(len(expected)).tolist() == expected


def test_rndm_is_that_of_root() -> None:
    random = TRandom3(100)
    assert [random.rndm() for _ in range(3)] == [0.5434049386531115, 0.6711556371301413, 0.27836938272230327]


def test_default_seed_is_that_of_root() -> None:
    assert TRandom3().seed == DEFAULT_SEED == 4357


@pytest.mark.parametrize("seed", [1, 100, 2**31, 2**32 - 1])
def test_outputs_equal_the_plain_twister_beyond_its_state(seed: int) -> None:
    assert TRandom3(seed).outputs(2000).tolist() == naive_mt19937(seed, 2000)


@given(st.lists(st.integers(0, 1500), max_size=8))
def test_state_carries_on_whatever_the_portions(portions: list[int]) -> None:
    random = TRandom3(100)
    found = np.concatenate([np.empty(0, np.uint32), *(random.outputs(n) for n in portions)])
    assert np.array_equal(found, TRandom3(100).outputs(sum(portions)))


def test_rndm_of_an_array_equals_single_calls() -> None:
    one, many = TRandom3(7), TRandom3(7)
    assert many.rndm(1000).tolist() == [one.rndm() for _ in range(1000)]
    assert one.rndm() == many.rndm()


def test_peek_uses_nothing_up() -> None:
    random = TRandom3(100)
    assert random.peek(700).tolist() == random.outputs(700).tolist()
    random.skip(1)
    assert random.outputs(1)[0] == TRandom3(100).outputs(702)[701]


def test_output_zero_is_skipped() -> None:
    assert Scripted([5, 0, 0, 7, 0, 9]).outputs(3).tolist() == [5, 7, 9]
    assert Scripted([0, 2**31]).rndm() == 0.5


def test_rndm_lies_strictly_between_0_and_1() -> None:
    random = Scripted([1, 2**32 - 1])
    assert random.rndm(2).tolist() == [2**-32, 1 - 2**-32]


def test_integer_truncates() -> None:
    random, same = TRandom3(100), TRandom3(100)
    assert [random.integer(m) for m in (1, 10, 1000)] == [int(m * same.rndm()) for m in (1, 10, 1000)]


def test_seed_zero_differs_from_run_to_run_and_can_be_repeated() -> None:
    first, second = TRandom3(0), TRandom3(0)
    assert first.seed != second.seed
    assert 0 < first.seed < 2**32
    assert TRandom3(first.seed).outputs(5).tolist() == first.outputs(5).tolist()


def test_negative_seed_is_taken_as_unsigned() -> None:
    assert TRandom3(-1).seed == 2**32 - 1
