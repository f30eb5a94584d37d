"""N and S, operation by operation in float32."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from pytmva_bnn.errors import InputError
from pytmva_bnn.transform import Normalisation, fit_step
from pytmva_bnn.transform.normalise import denormalise, normalise, scale, unscale

f = np.float32
FLT_MAX = 3.4028234663852886e38


def naive_normalise(x, low, high):
    with np.errstate(all="ignore"):
        s = f(np.float64(1.0) / np.float64(f(high) - f(low)))
        y = f(x) - f(low)
        y = f(y * s)
        y = f(y * f(2))
        return f(y - f(1))


def naive_denormalise(y, low, high):
    with np.errstate(all="ignore"):
        s = f(np.float64(1.0) / np.float64(f(high) - f(low)))
        return f(f(low) + f(f(f(y) + f(1)) / f(s * f(2))))


def naive_scale(x, low, high):
    m = max(abs(f(low)), abs(f(high)))
    with np.errstate(all="ignore"):
        return f(f(x) / m)


VALUES = [0.0, -0.0, 1.0, -2.5, 0.1, 1e30, -1e-30, FLT_MAX, math.inf, -math.inf, math.nan]
RANGES = [
    (0.0, 1.0),
    (-2.2835605, 4.1119127),
    (1.0, 1.0),
    (0.0, 0.0),
    (FLT_MAX, -FLT_MAX),
    (-3.0, 0.1),
    (1e-20, 1e20),
]


@pytest.mark.parametrize("limits", RANGES)
@pytest.mark.parametrize(
    ("function", "naive"),
    [(normalise, naive_normalise), (denormalise, naive_denormalise), (scale, naive_scale)],
)
def test_each_operation_rounds_to_float32(function, naive, limits):
    result = function(np.float32(VALUES)[:, None], *(np.float32([limit]) for limit in limits))
    assert result.dtype == np.float32
    np.testing.assert_array_equal(result[:, 0], [naive(v, *limits) for v in VALUES])


def test_a_constant_variable_gives_nan_or_infinity():
    y = normalise(np.float32([[1.0], [2.0], [0.0]]), np.float32([1.0]), np.float32([1.0]))
    assert np.isnan(y[0, 0])
    assert y[1:, 0].tolist() == [math.inf, -math.inf]


@settings(deadline=None)
@given(
    st.lists(st.floats(0, 1, width=32), min_size=1, max_size=20),
    st.floats(-100, 100, width=32),
    st.floats(0.5, 50, width=32),
)
def test_the_inverse_undoes_both(fractions, low, length):
    minimum, maximum = np.float32([low]), np.float32([low + length])
    x = (minimum + np.float32(fractions)[:, None] * np.float32(length)).astype(np.float32)
    tolerance = 1e-6 * (abs(low) + length)
    np.testing.assert_allclose(denormalise(normalise(x, minimum, maximum), minimum, maximum), x, atol=tolerance)
    np.testing.assert_allclose(unscale(scale(x, minimum, maximum), minimum, maximum), x, atol=tolerance)


def test_float64_is_not_rounded_on_the_way_back():
    low, high = np.float32([0.1]), np.float32([7.3])
    y = np.array([[0.123456789012345]])
    expected = float(low[0]) + (y + 1) * (float(high[0]) - float(low[0])) / 2
    result = denormalise(y, low, high)
    assert result.dtype == np.float64
    np.testing.assert_allclose(result, expected, rtol=1e-15)
    np.testing.assert_allclose(unscale(y, low, high), y * float(high[0]), rtol=1e-15)


def ranges(*sets):
    return np.float32(sets)


def test_the_last_set_is_applied():
    step = Normalisation(None, ranges([0, 0], [0, 10]), ranges([1, 1], [2, 20]))
    assert step.apply(np.float32([[1.0, 20.0]])).tolist() == [[0.0, 1.0]]
    assert step.apply(np.float32([[1.0]])).tolist() == [[0.0]]  # the first inputs only
    assert step.invert(np.float32([[1.0]]), [1]).tolist() == [[20.0]]


def test_scaling_divides_by_the_largest_absolute_value():
    step = Normalisation(None, ranges([-4.0]), ranges([2.0]), offset=False)
    assert step.apply(np.float32([[1.0]])).tolist() == [[0.25]]
    assert step.invert(np.float32([[0.25]]), [0]).tolist() == [[1.0]]


@pytest.mark.parametrize(
    ("minima", "maxima", "message"),
    [
        (
            np.zeros((1, 2)),
            np.zeros((1, 3)),
            r"Normalize: minima must have the shape \(n_sets, 3\), got \(1, 2\)",
        ),
        (np.zeros((1, 3)), np.zeros(3), r"Normalize: maxima must have the shape \(n_sets, 3\), got \(3,\)"),
        (np.zeros((0, 3)), np.zeros((0, 3)), r"Normalize: minima must have the shape"),
    ],
)
def test_ranges_must_fit_the_inputs(minima, maxima, message):
    with pytest.raises(InputError, match=message):
        Normalisation(None, minima, maxima).check(3)


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
    step = fit_step("N", x, classes, n_classes)
    sets = [x] if n_classes == 1 else [*(x[classes == k] for k in range(n_classes)), x]
    expected = [[naive_range(column.tolist()) for column in chosen.T] for chosen in sets]
    np.testing.assert_array_equal(np.stack([step.minima, step.maxima], axis=2), expected)
    assert step.minima.dtype == step.maxima.dtype == np.float32


@settings(deadline=None)
@given(arrays(np.float32, (20, 2), elements=st.floats(-1e6, 1e6, width=32), unique=True))
def test_the_training_events_come_to_lie_in_their_range(x):
    y = fit_step("N", x, np.zeros(20), 1).apply(x)
    assert np.all(np.abs(y) <= 1 + 1e-6)
    np.testing.assert_array_equal(y.min(axis=0), -1)
    np.testing.assert_allclose(y.max(axis=0), 1, rtol=1e-6)


def test_a_class_without_events_keeps_the_starting_values():
    step = fit_step("N", [[1.0], [2.0]], [1, 1], 2)
    assert step.minima[:, 0].tolist() == [FLT_MAX, 1.0, 1.0]
    assert step.maxima[:, 0].tolist() == [-FLT_MAX, 2.0, 2.0]


def test_a_constant_gives_nan_as_in_tmva():
    step = fit_step("N", [[3.0], [3.0]], [0, 0], 1)
    assert [str(v) for v in step.apply(np.float32([[3.0], [4.0], [2.0]]))[:, 0]] == ["nan", "inf", "-inf"]


def test_nan_does_not_count_but_infinities_do():
    step = fit_step("N", [[math.nan], [1.0], [math.inf]], [0, 0, 0], 1)
    assert (step.minima[0, 0], step.maxima[0, 0]) == (1.0, math.inf)


def test_scaling_has_the_same_ranges():
    step = fit_step("S", [[-4.0], [2.0]], [0, 0], 1)
    assert step.apply(np.float32([[-4.0], [2.0]])).tolist() == [[-1.0], [0.5]]


@pytest.mark.parametrize("n", [0, 1])
def test_less_than_two_events_are_refused(n):
    with pytest.raises(InputError, match=rf"Not enough events \(found {n}\) to calculate the normalization"):
        fit_step("N", np.zeros((n, 1)), np.zeros(n), 1)
