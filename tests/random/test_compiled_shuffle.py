"""Compiled code shuffles exactly as numpy does, and leaves the generator in the same state."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from pytmva_bnn.random import Library, RandomGenerator, TRandom3

SIZES = [0, 1, 2, 3, 4, 5, 100, 101, 4097, 9000, 65534, 65535, 65536, 300_000]


class Difficult(TRandom3):
    """A generator with many outputs that are skipped or rejected."""

    def _raw(self, n: int) -> NDArray[np.uint32]:
        outputs = super()._raw(n)
        for value, output in ((0, 0), (1, 1), (2, 2**32 - 1)):
            outputs[outputs % 200 == value] = output
        return outputs


@pytest.mark.parametrize("library", Library)
@pytest.mark.parametrize("twister", [TRandom3, Difficult])
def test_shuffles_in_a_row_are_the_same(both_ways, library, twister) -> None:
    def shuffles():
        generator = RandomGenerator(library=library)
        generator.random = twister(17)
        orders = [generator.shuffle(n) for n in SIZES]
        return orders, generator()

    (by_numpy, next_number), (compiled, same_number) = both_ways(shuffles)
    for a, b in zip(by_numpy, compiled, strict=True):
        assert a.dtype == b.dtype == np.intp
        np.testing.assert_array_equal(a, b)
    assert next_number == same_number


def test_numbers_are_fetched_in_several_parts(both_ways, monkeypatch) -> None:
    monkeypatch.setattr("pytmva_bnn.random.shuffle._OUTPUTS", 1000)
    by_numpy, compiled = both_ways(lambda: RandomGenerator(5).shuffle(20_001))
    np.testing.assert_array_equal(by_numpy, compiled)


def test_arrays_are_shuffled_by_rows(both_ways) -> None:
    values = np.arange(40_000).reshape(20_000, 2)
    by_numpy, compiled = both_ways(lambda: RandomGenerator(5).shuffle(values))
    np.testing.assert_array_equal(by_numpy, compiled)
