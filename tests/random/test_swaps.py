"""Doing all swaps at once gives what doing them one by one gives."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytmva_bnn.random import apply_swaps


def naive(targets: list[int]) -> list[int]:
    values = list(range(len(targets)))
    for i, j in enumerate(targets):
        values[i], values[j] = values[j], values[i]
    return values


TARGETS = st.integers(0, 60).flatmap(lambda n: st.tuples(*(st.integers(0, i) for i in range(n)))).map(list)


@given(TARGETS)
def test_all_at_once_equals_one_by_one(targets: list[int]) -> None:
    assert apply_swaps(np.array(targets, dtype=np.intp)).tolist() == naive(targets)


@pytest.mark.parametrize(
    "targets",
    [[], [0], [0, 1, 2, 3], [0, 0, 0, 0], [0, 0, 1, 2, 3, 4], [0, 1, 0, 1, 0, 5, 5]],
    ids=["empty", "one", "nothing moves", "one target", "longest chain", "mixed"],
)
def test_special_sequences(targets: list[int]) -> None:
    assert apply_swaps(np.array(targets, dtype=np.intp)).tolist() == naive(targets)


def test_long_random_sequence() -> None:
    n = 200_000
    targets = np.random.default_rng(1).integers(0, np.arange(1, n + 1))
    order = apply_swaps(targets)
    assert order.dtype == np.intp
    assert order.tolist() == naive(targets.tolist())
