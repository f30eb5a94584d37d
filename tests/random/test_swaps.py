"""Doing all swaps at once gives what doing them one by one gives."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytmva_bnn.random import apply_swaps, swaps


def naive(targets: list[int]) -> list[int]:
    values = list(range(len(targets)))
    for i, j in enumerate(targets):
        values[i], values[j] = values[j], values[i]
    return values


TARGETS = st.integers(0, 60).flatmap(lambda n: st.tuples(*(st.integers(0, i) for i in range(n)))).map(list)


@pytest.fixture
def _fresh_loop() -> Iterator[None]:
    swaps.compiled_loop.cache_clear()
    yield
    swaps.compiled_loop.cache_clear()


@given(TARGETS)
def test_sorting_equals_swapping(targets: list[int]) -> None:
    array = np.array(targets, dtype=np.intp)
    assert swaps.apply_by_sorting(array).tolist() == naive(targets)
    assert swaps.apply_by_loop(array).tolist() == naive(targets)


@pytest.mark.parametrize(
    "targets",
    [[], [0], [0, 1, 2, 3], [0, 0, 0, 0], [0, 0, 1, 2, 3, 4], [0, 1, 0, 1, 0, 5, 5]],
    ids=["empty", "one", "nothing moves", "one target", "longest chain", "mixed"],
)
def test_special_sequences(targets: list[int]) -> None:
    assert swaps.apply_by_sorting(np.array(targets, dtype=np.intp)).tolist() == naive(targets)


def test_long_random_sequence() -> None:
    n = 200_000
    targets = np.random.default_rng(1).integers(0, np.arange(1, n + 1))
    order = apply_swaps(targets)
    assert order.dtype == np.intp
    assert order.tolist() == naive(targets.tolist())


@pytest.mark.usefixtures("_fresh_loop")
def test_without_numba_the_swaps_are_sorted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numba", None)
    monkeypatch.setattr(swaps, "_COMPILE_FROM", 1)
    assert swaps.compiled_loop() is None
    assert apply_swaps(np.array([0, 0, 1])).tolist() == [1, 2, 0]


@pytest.mark.usefixtures("_fresh_loop")
def test_with_numba_the_compiled_loop_is_used_for_long_lists_only(monkeypatch: pytest.MonkeyPatch) -> None:
    used = []

    def njit(function: object) -> object:
        return lambda targets: used.append(targets.size) or function(targets)  # type: ignore[operator]

    monkeypatch.setitem(sys.modules, "numba", SimpleNamespace(njit=njit))
    monkeypatch.setattr(swaps, "_COMPILE_FROM", 3)
    assert apply_swaps(np.array([0, 0])).tolist() == [1, 0]
    assert apply_swaps(np.array([0, 0, 1])).tolist() == [1, 2, 0]
    assert used == [3]


@pytest.mark.usefixtures("_fresh_loop")
def test_real_numba_gives_the_same() -> None:
    pytest.importorskip("numba")
    targets = np.random.default_rng(1).integers(0, np.arange(1, 5001))
    loop = swaps.compiled_loop()
    assert loop is not None
    assert loop(targets).tolist() == naive(targets.tolist())
