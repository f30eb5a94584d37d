"""The folds of a cross-validation."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytmva_bnn.dataset import (
    DatasetError,
    all_events,
    fold_assignment,
    folds_by_value,
    random_folds,
    stratified_folds,
    training_events,
)
from pytmva_bnn.random import RandomGenerator


def test_vector_of_root() -> None:
    assert fold_assignment(12, 3).tolist() == [0, 1, 0, 2, 1, 1, 2, 1, 0, 2, 2, 0]


@given(st.integers(0, 60), st.integers(1, 8), st.integers(1, 1000))
def test_random_folds_hold_each_event_once_and_are_of_equal_size(n: int, n_folds: int, seed: int) -> None:
    folds = random_folds(n, n_folds, seed)
    assert sorted(all_events(folds).tolist()) == list(range(n))
    assert {fold.size for fold in folds} <= {n // n_folds, n // n_folds + 1}
    assert all(fold.tolist() == sorted(fold.tolist()) for fold in folds)


@given(st.lists(st.integers(0, 2), max_size=60), st.integers(1, 6))
def test_stratified_folds_hold_each_class_in_equal_parts(classes: list[int], n_folds: int) -> None:
    index = np.array(classes, dtype=np.intp)
    folds = stratified_folds(index, n_folds)
    assert sorted(all_events(folds).tolist()) == list(range(len(classes)))
    for c in set(classes):
        share = classes.count(c) // n_folds
        assert {int((index[fold] == c).sum()) for fold in folds} <= {share, share + 1}


def test_stratified_folds_restart_the_generator_for_each_class_and_shuffle() -> None:
    index = np.array([1, 0] * 8)
    expected: list[list[int]] = [[], [], []]
    for c in (0, 1):
        events = [i for i in range(16) if index[i] == c]
        shuffled = [events[k] for k in RandomGenerator(100).shuffle(8)]
        folds = [[0, 1, 2, 0, 1, 2, 0, 1][k] for k in RandomGenerator(100).shuffle(8)]
        for event, fold in zip(shuffled, folds, strict=True):
            expected[fold].append(event)
    assert [fold.tolist() for fold in stratified_folds(index, 3)] == expected


def test_values_are_rounded_half_away_from_zero() -> None:
    values = [0, 0.49999999999999994, 0.5, 1.5, 2.5, 2.4]
    assert [fold.tolist() for fold in folds_by_value(values, 4)] == [[0, 1], [2], [3, 5], [4]]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (-0.1, r"must be non-negative: an integer between 0 and NumFolds-1=2. Got -0.1 for event 1 instead"),
        (np.nan, "must be non-negative.*Got nan for event 1"),
        (2.5, "must be below 3: an integer between 0 and NumFolds-1=2. Got 2.5 for event 1"),
        (np.inf, "must be below 3.*Got inf for event 1"),
    ],
)
def test_values_out_of_range_are_refused(value: float, message: str) -> None:
    with pytest.raises(DatasetError, match=message):
        folds_by_value([0, value, 1], 3)


def test_training_events_are_the_other_folds_in_order() -> None:
    folds = [np.array([3, 0]), np.array([1]), np.array([2, 4])]
    assert training_events(folds, 0).tolist() == [1, 2, 4]
    assert training_events(folds, 1).tolist() == [3, 0, 2, 4]
    assert training_events(folds[:1], 0).size == 0


@pytest.mark.parametrize("n_folds", [0, -1])
def test_at_least_one_fold_is_needed(n_folds: int) -> None:
    for make in (lambda: fold_assignment(5, n_folds), lambda: folds_by_value([0], n_folds)):
        with pytest.raises(DatasetError, match=f"NumFolds must be at least 1. Got {n_folds} instead"):
            make()
