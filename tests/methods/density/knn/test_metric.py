"""Trimming and scaling of the training events."""

import numpy as np
import pytest

from pytmva_bnn.errors import InputError
from pytmva_bnn.methods.density.knn.metric import percentages, scaled, trimmed, widths


@pytest.mark.parametrize(
    ("fraction", "expected"),
    [(0.8, (80, 10, 90)), (0.57, (56, 22, 78)), (1.0, (100, 0, 100)), (0.001, (0, 50, 50)), (0.75, (75, 12, 88))],
)
def test_percentages_of_events(fraction, expected):
    assert percentages(float(np.float32(fraction))) == expected


def test_width_is_that_of_the_central_events():
    x = np.column_stack([np.arange(200.0), 10 * np.arange(200.0)[::-1]]).astype(np.float32)
    np.testing.assert_array_equal(widths(x, 0.8), [180 - 20, 1600])  # events 10% and 90% from below
    np.testing.assert_array_equal(widths(x, 1.0), [199, 1990])
    assert widths(x, 0.0) is None
    assert widths(x, 0.005) is None


def test_scaled_events_are_rounded_to_float32():
    x = np.float32([[1.0, 2.0]])
    found = scaled(x, np.array([3.0, 7.0]))
    assert found.dtype == np.float32
    np.testing.assert_array_equal(found, np.float32([[1 / 3, 2 / 7]]))


@pytest.mark.parametrize(
    ("x", "message"),
    [
        (np.arange(99.0)[:, None], "number of events is too small: 99 events.* set ScaleFrac=0"),
        (np.r_[np.zeros(190), np.arange(10.0)][:, None], "variable 1 has no width: the central 80% .* same value 0"),
    ],
)
def test_events_that_cannot_be_scaled(x, message):
    with pytest.raises(InputError, match=message):
        widths(x.astype(np.float32), 0.8)


def test_trimming_keeps_the_first_events_of_each_type():
    types = np.array([2, 1, 2, 2, 1, 2, 1, 2])
    np.testing.assert_array_equal(trimmed(types), [0, 1, 2, 3, 4, 6])
    np.testing.assert_array_equal(trimmed(np.ones(4, dtype=int)), [0, 1, 2, 3])
