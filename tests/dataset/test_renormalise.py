"""Training weights are renormalised in TMVA's precision and order."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytmva_bnn.dataset import NormMode, class_factors, event_weights, renormalise, sequential_sum

WEIGHTS = st.lists(st.floats(-10, 10, width=32), max_size=300)


@given(WEIGHTS)
def test_sums_are_made_in_order(values: list[float]) -> None:
    total = 0.0
    for value in values:
        total += value
    assert sequential_sum(np.array(values, dtype=np.float32)) == total


def test_sum_is_not_pairwise() -> None:
    values = np.full(100_000, 0.1)
    total = 0.0
    for value in values.tolist():
        total += value
    assert sequential_sum(values) == total != float(np.sum(values))


@pytest.mark.parametrize(
    ("mode", "expected"),
    [(NormMode.NONE, [1, 1, 1]), (NormMode.NUM_EVENTS, [0.5, 2, 1]), (NormMode.EQUAL_NUM_EVENTS, [0.5, 1, 2])],
)
def test_factors_of_each_mode(mode: NormMode, expected: list[float]) -> None:
    weights = [np.full(4, 2.0), np.full(8, 0.5), np.full(2, 1.0)]
    assert class_factors(weights, mode).tolist() == expected


def test_number_of_events_is_rounded_to_float32() -> None:
    weights = [np.broadcast_to(np.float64(1), (2**24 + 1,))]
    assert class_factors(weights, NormMode.NUM_EVENTS)[0] == 2**24 / (2**24 + 1)


def test_weights_are_multiplied_in_float64() -> None:
    weights = np.array([0.1, 0.7, 0.3], dtype=np.float32)
    found = renormalise([weights], NormMode.NUM_EVENTS)[0]
    exact = weights.astype(np.float64)
    assert found.tolist() == (exact * (3 / ((exact[0] + exact[1]) + exact[2]))).tolist()


def test_without_renormalisation_weights_are_copied() -> None:
    weights = np.array([1.0, -2.0])
    found = renormalise([weights], NormMode.NONE, ignore_negative=True)[0]
    assert found.tolist() == [1, -2]
    assert found is not weights


def test_negative_sum_flips_all_signs() -> None:
    assert renormalise([np.array([1.0, -3.0])], NormMode.NUM_EVENTS)[0].tolist() == [-1, 3]


def test_sum_zero_gives_infinities() -> None:
    found = renormalise([np.array([1.0, -1.0, 0.0])], NormMode.NUM_EVENTS)[0]
    assert found[:2].tolist() == [np.inf, -np.inf]
    assert np.isnan(found[2])


def test_class_without_events_is_harmless() -> None:
    found = renormalise([np.ones(2), np.empty(0)], NormMode.EQUAL_NUM_EVENTS)
    assert [weights.tolist() for weights in found] == [[1, 1], []]


def test_ignored_negative_weights_become_zero_but_count_in_the_sum() -> None:
    found = renormalise([np.array([3.0, -1.0])], NormMode.NUM_EVENTS, ignore_negative=True)[0]
    assert found.tolist() == [3, 0]


@pytest.mark.parametrize(
    ("training", "ignore_negative", "expected"),
    [(False, False, -1.0), (True, False, -1.0), (False, True, -1.0), (True, True, 0.0)],
)
def test_negative_weights_vanish_only_in_training_and_on_request(
    training: bool, ignore_negative: bool, expected: float
) -> None:
    found = event_weights([-1.0, 1.0], training=training, ignore_negative=ignore_negative)
    assert found.tolist() == [expected, 1]
