"""The shuffle is libstdc++'s: vectors of ROOT, and a plain implementation of the specification."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from pytmva_bnn.random import Library, RandomGenerator, TRandom3

WHOLE = [
    (2, [0, 1]),
    (3, [2, 1, 0]),
    (5, [2, 1, 3, 4, 0]),
    (6, [3, 4, 5, 0, 1, 2]),
    (10, [3, 4, 6, 8, 1, 2, 5, 7, 9, 0]),
    (11, [2, 5, 10, 7, 9, 1, 0, 4, 3, 6, 8]),
]
BEGINNINGS = [
    (65535, [18203, 65132, 18794, 56658, 18462, 55496, 638, 42124]),
    (65536, [9223, 24444, 3298, 5329, 9321, 59157, 19803, 22307]),
    (70000, [9223, 24444, 3298, 5329, 9321, 59157, 66690, 22307]),
]


class Naive:
    """Section 10 of the specification, word for word; ``used`` counts the outputs."""

    def __init__(self, outputs: list[int], library: Library) -> None:
        self.outputs = iter(outputs)
        self.library = library
        self.used = 0

    def output(self) -> int:
        y = 0
        while y == 0:
            y = next(self.outputs)
        self.used += 1
        return y

    def g(self) -> int:
        return self.output() - 1

    def uniform(self, m: int) -> int:
        if self.library is Library.ROOT5:
            return int(m * (self.output() * 2**-32))
        if self.library is not Library.GCC11:
            q = (2**32 - 1) // m
            g = self.g()
            while g >= m * q:
                g = self.g()
            return g // q
        p = self.g() * m
        low = p % 2**32
        if low < m:
            t = (2**32 - m) % m
            while low < t:
                p = self.g() * m
                low = p % 2**32
        return p >> 32

    def shuffle(self, n: int) -> list[int]:
        v = list(range(n))
        if n == 0:
            return v
        if self.library in (Library.GCC11, Library.GCC7) and (2**32 - 1) // n >= n:
            i = 1
            if n % 2 == 0:
                j = self.uniform(2)
                v[1], v[j] = v[j], v[1]
                i = 2
            while i < n:
                b0, b1 = i + 1, i + 2
                x = self.uniform(b0 * b1)
                j, k = x // b1, x % b1
                v[i], v[j] = v[j], v[i]
                i += 1
                v[i], v[k] = v[k], v[i]
                i += 1
            return v
        for i in range(1, n):
            j = self.uniform(i + 1)
            v[i], v[j] = v[j], v[i]
        return v


class Difficult(TRandom3):
    """A generator with many outputs that are skipped or rejected."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.choice = np.random.default_rng(seed)

    def _raw(self, n: int) -> NDArray[np.uint32]:
        outputs = super()._raw(n)
        which = self.choice.integers(0, 200, size=n)
        for value, output in ((0, 0), (1, 1), (2, 2**32 - 1)):
            outputs[which == value] = output
        return outputs


@pytest.mark.parametrize(("n", "expected"), WHOLE)
def test_short_lists(n: int, expected: list[int]) -> None:
    assert RandomGenerator(100).shuffle(n).tolist() == expected


@pytest.mark.parametrize(("n", "expected"), BEGINNINGS)
def test_lists_around_the_change_from_two_swaps_to_one(n: int, expected: list[int]) -> None:
    assert RandomGenerator(100).shuffle(n)[:8].tolist() == expected


def test_list_before_root_6_12() -> None:
    assert RandomGenerator(100, library="root5").shuffle(10).tolist() == [9, 8, 5, 6, 2, 4, 7, 1, 3, 0]


@pytest.mark.parametrize("library", Library)
@given(seed=st.integers(1, 2**32 - 1), lengths=st.lists(st.integers(0, 300), max_size=4))
def test_shuffles_in_a_row_equal_the_plain_implementation(library: Library, seed: int, lengths: list[int]) -> None:
    generator = RandomGenerator(seed, library=library)
    naive = Naive(TRandom3(seed).outputs(4000).tolist(), library)
    for n in lengths:
        assert generator.shuffle(n).tolist() == naive.shuffle(n)
    assert generator() == naive.g()


@pytest.mark.parametrize("library", Library)
@pytest.mark.parametrize("n", [4097, 4098, 65535, 65536, 70000])
def test_long_lists_equal_the_plain_implementation(library: Library, n: int) -> None:
    generator = RandomGenerator(3, library=library)
    naive = Naive(TRandom3(3).outputs(2 * n).tolist(), library)
    assert generator.shuffle(n).tolist() == naive.shuffle(n)
    assert generator() == naive.g()


@pytest.mark.parametrize("library", [Library.GCC11, Library.GCC7])
def test_rejections_shift_the_stream_in_long_lists(library: Library) -> None:
    n = 300_000
    generator = RandomGenerator(100, library=library)
    naive = Naive(TRandom3(100).outputs(n + 1000).tolist(), library)
    assert generator.shuffle(n).tolist() == naive.shuffle(n)
    assert naive.used > n - 1
    assert generator() == naive.g()


@pytest.mark.parametrize("library", Library)
@settings(max_examples=10, deadline=None)
@given(seed=st.integers(1, 1000), n=st.sampled_from([500, 9001, 65536]))
def test_many_rejections_and_zeros(library: Library, seed: int, n: int) -> None:
    generator = RandomGenerator(library=library)
    generator.random = Difficult(seed)
    naive = Naive(Difficult(seed).outputs(3 * n).tolist(), library)
    assert generator.shuffle(n).tolist() == naive.shuffle(n)
    assert generator() == naive.g()


@pytest.mark.parametrize("n", [0, 1])
def test_nothing_is_used_up_when_there_is_nothing_to_shuffle(n: int) -> None:
    generator = RandomGenerator(100)
    assert generator.shuffle(n).tolist() == list(range(n))
    assert generator() == RandomGenerator(100)()


def test_array_is_returned_shuffled_and_left_alone() -> None:
    values = np.array([1.5, 2.5, 3.5])
    assert RandomGenerator(100).shuffle(values).tolist() == [3.5, 2.5, 1.5]
    assert values.tolist() == [1.5, 2.5, 3.5]


def test_rows_stay_together() -> None:
    assert RandomGenerator(100).shuffle(np.array([[0, 0], [1, 1], [2, 2]])).tolist() == [[2, 2], [1, 1], [0, 0]]


def test_seed_zero_gives_another_order_each_time() -> None:
    assert RandomGenerator(0).shuffle(100).tolist() != RandomGenerator(0).shuffle(100).tolist()


@pytest.mark.parametrize(
    ("n", "libraries"),
    [(1000, (Library.GCC11, Library.GCC7, Library.GCC6)), (70000, (Library.GCC11, Library.GCC6, Library.ROOT5))],
)
def test_libraries_differ(n: int, libraries: tuple[Library, ...]) -> None:
    orders = {tuple(RandomGenerator(100, library=library).shuffle(n).tolist()) for library in libraries}
    assert len(orders) == len(libraries)


def test_unknown_library_is_refused() -> None:
    with pytest.raises(ValueError, match="'gcc5' is not a valid Library"):
        RandomGenerator(library="gcc5")
