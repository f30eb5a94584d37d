"""The order of the classes in the final sets."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pytmva_bnn.dataset import SplitMode, mix
from pytmva_bnn.random import RandomGenerator


def naive_alternate(sizes: list[int]) -> list[int]:
    """The insertions of the specification, one by one."""
    classes, start = [], 0
    for size in sizes:
        classes.append(list(range(start, start + size)))
        start += size
    mixed = list(classes[0])
    for c, events in enumerate(classes[1:], start=1):
        t = -1
        for k, event in enumerate(events):
            if len(mixed) - t < c + 1:
                mixed += events[k:]
                break
            t += c + 1
            mixed.insert(t, event)
    return mixed


@given(st.lists(st.integers(0, 15), min_size=1, max_size=5))
def test_alternating_equals_the_insertions_of_the_specification(sizes: list[int]) -> None:
    assert mix(sizes, SplitMode.ALTERNATE, RandomGenerator()).tolist() == naive_alternate(sizes)


def test_alternating_and_blocks_use_no_random_numbers() -> None:
    generator = RandomGenerator(100)
    mix([3, 4], SplitMode.ALTERNATE, generator)
    assert mix([3, 4], SplitMode.BLOCK, generator).tolist() == list(range(7))
    assert generator() == RandomGenerator(100)()


def test_random_is_one_shuffle_of_all() -> None:
    found = mix([3, 4], SplitMode.RANDOM, RandomGenerator(100))
    assert found.tolist() == RandomGenerator(100).shuffle(7).tolist()


def test_no_events() -> None:
    for mode in SplitMode:
        assert mix([0, 0], mode, RandomGenerator()).size == 0
