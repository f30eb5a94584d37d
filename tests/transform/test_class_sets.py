"""The sets of events, and what is refused as input of a fit."""

from __future__ import annotations

import numpy as np
import pytest

from pytmva_bnn.errors import InputError
from pytmva_bnn.reductions.moments import weighted_moments
from pytmva_bnn.reductions.summation import sequential_sum
from pytmva_bnn.transform.class_sets import as_inputs, as_weights, class_sets, set_of_reference


def test_each_class_then_all_in_the_order_of_events():
    values = np.array([10, 11, 12, 13])
    chosen = [values[events].tolist() for events in class_sets([2, 0, 2, 0], 3)]
    assert chosen == [[11, 13], [], [10, 12], [10, 11, 12, 13]]


def test_one_class_has_one_set():
    assert class_sets([0, 0, 0], 1) == [slice(None)]


@pytest.mark.parametrize(
    ("reference", "n_sets", "expected"), [(0, 3, 0), (1, 3, 1), (2, 3, 2), (-1, 3, 2), (3, 3, 2), (0, 1, 0), (-1, 1, 0)]
)
def test_an_unknown_reference_means_the_last_set(reference, n_sets, expected):
    assert set_of_reference(reference, n_sets) == expected


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: class_sets([0, 2], 2), "from 0 to 1, one an event; .* values from 0 to 2"),
        (lambda: class_sets([-1, 0], 2), "values from -1 to 0"),
        (lambda: class_sets([[0]], 2), "shape"),
        (lambda: class_sets([], 0), "at least 1, got 0"),
        (lambda: as_inputs([1.0, 2.0], [0, 0]), "shape"),
        (lambda: as_inputs([[1.0]], [0, 0]), "for 2 events"),
        (lambda: as_weights([1.0], 2), "one weight for each of 2 events"),
    ],
)
def test_input_that_does_not_fit_is_refused(call, message):
    with pytest.raises(InputError, match=message):
        call()


def test_sums_are_added_one_by_one():
    terms = np.random.default_rng(1).normal(size=(3, 1000)) * 1e8
    expected = []
    for row in terms:
        total = 0.0
        for term in row:
            total += term
        expected.append(total)
    assert sequential_sum(terms).tolist() == expected
    assert sequential_sum(np.ascontiguousarray(terms.T), axis=0).tolist() == expected
    assert sequential_sum(np.empty((2, 0))).tolist() == [0.0, 0.0]


def test_moments_do_not_depend_on_the_blocks(monkeypatch):
    rng = np.random.default_rng(2)
    x, w = rng.normal(size=(3, 500)), rng.normal(1, 1, 500)
    whole = weighted_moments(x, w)
    monkeypatch.setattr("pytmva_bnn.reductions.summation.blocks.__defaults__", (7,))
    parts = weighted_moments(x, w)
    assert whole[0] == parts[0]
    np.testing.assert_array_equal(whole[1], parts[1])
    np.testing.assert_array_equal(whole[2], parts[2])
