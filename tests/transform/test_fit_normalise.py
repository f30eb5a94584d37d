"""Fitting N and S: ranges of the classes."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from pytmva_bnn.errors import InputError
from pytmva_bnn.transform import fit_normalisation

FLT_MAX = 3.4028234663852886e38


def naive_range(values):
    low, high = FLT_MAX, -FLT_MAX
    for value in values:
        if value < low:
            low = value
        if value > high:
            high = value
    return low, high


@settings(deadline=None)
@given(
    arrays(np.float32, st.tuples(st.integers(2, 30), st.integers(1, 3)), elements=st.floats(width=32)),
    st.integers(1, 3),
    st.integers(0, 99),
)
def test_ranges_are_those_of_a_scalar_loop(x, n_classes, seed):
    classes = np.random.default_rng(seed).integers(0, n_classes, len(x))
    step = fit_normalisation(x, classes, n_classes)
    sets = [x] if n_classes == 1 else [*(x[classes == k] for k in range(n_classes)), x]
    expected = [[naive_range(column.tolist()) for column in chosen.T] for chosen in sets]
    np.testing.assert_array_equal(np.stack([step.minima, step.maxima], axis=2), expected)
    assert step.minima.dtype == step.maxima.dtype == np.float32


@settings(deadline=None)
@given(arrays(np.float32, (20, 2), elements=st.floats(-1e6, 1e6, width=32), unique=True))
def test_the_training_events_come_to_lie_in_their_range(x):
    y = fit_normalisation(x, np.zeros(20), 1).apply(x)
    assert np.all(np.abs(y) <= 1 + 1e-6)
    np.testing.assert_array_equal(y.min(axis=0), -1)
    np.testing.assert_allclose(y.max(axis=0), 1, rtol=1e-6)


def test_a_class_without_events_keeps_the_starting_values():
    step = fit_normalisation([[1.0], [2.0]], [1, 1], 2)
    assert step.minima[:, 0].tolist() == [FLT_MAX, 1.0, 1.0]
    assert step.maxima[:, 0].tolist() == [-FLT_MAX, 2.0, 2.0]


def test_a_constant_gives_nan_as_in_tmva():
    step = fit_normalisation([[3.0], [3.0]], [0, 0], 1)
    assert [str(v) for v in step.apply(np.float32([[3.0], [4.0], [2.0]]))[:, 0]] == ["nan", "inf", "-inf"]


def test_nan_does_not_count_but_infinities_do():
    step = fit_normalisation([[math.nan], [1.0], [math.inf]], [0, 0, 0], 1)
    assert (step.minima[0, 0], step.maxima[0, 0]) == (1.0, math.inf)


def test_scaling_has_the_same_ranges():
    step = fit_normalisation([[-4.0], [2.0]], [0, 0], 1, offset=False)
    assert step.apply(np.float32([[-4.0], [2.0]])).tolist() == [[-1.0], [0.5]]


@pytest.mark.parametrize("n", [0, 1])
def test_less_than_two_events_are_refused(n):
    with pytest.raises(InputError, match=rf"Not enough events \(found {n}\) to calculate the normalization"):
        fit_normalisation(np.zeros((n, 1)), np.zeros(n), 1)
