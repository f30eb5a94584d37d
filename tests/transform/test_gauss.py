"""G and U: limits, the inverse error function and the way back."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytmva_bnn.errors import InputError
from pytmva_bnn.histograms import PDFRecord, from_contents
from pytmva_bnn.transform import Gaussianisation
from pytmva_bnn.transform.error_function import erfinv, gauss_to_uniform, gaussianise, uniformise

LIMIT = 5.7307286  # of G
LOWER, UPPER = float(np.float32(1e-9)), 1.0  # of U


def naive_erfinv(x):
    k = 0.8862269254527579
    if abs(x) <= 1e-14:
        return k * x
    e = k * abs(x)
    y0 = math.erf(0.9 * e)
    d = 0.1 * e
    for _ in range(50):
        y1 = 1.0 - math.erfc(e)
        r = abs(x) - y1
        if abs(r) < 1e-14:
            return math.copysign(e, x)
        d = d * (r / (y1 - y0))
        y0 = y1
        e = e + d
        if abs(d / e) < 1e-14:
            return math.copysign(e, x)
    return 0.0


def record(contents, edges):
    histogram = from_contents(np.float32(contents), edges[0], edges[-1], np.array(edges), name="h")
    return PDFRecord("c", 0, 0, 1, 0, 1, 1, 0.0, histogram)


EDGES = [-1.0001, -1.0, -0.2, 0.3, 1.1, 2.0]
CUMULATIVE = record([0.02, 0.3, 0.7, 0.8, 1.0], EDGES)
CONSTANT = record([0.0, 0.0], [0.9999, 1.0, 1.0])
FLAT_END = record([0.2, 1.0, 1.0, 1.0], [0.0, 1.0, 2.0, 3.0, 4.0])


def step(*records, flat):
    return Gaussianisation(None, tuple((r,) for r in records), flat)


def apply(r, x, *, flat):
    return step(r, flat=flat).apply(np.float32(x)[:, None])[:, 0]


@pytest.mark.parametrize("sign", [1, -1])
def test_erfinv_follows_the_iteration(sign):
    x = sign * np.concatenate(
        [
            [0.0, 1e-16, 1e-14, 1.1e-14, 1e-9, 0.99999999],
            np.linspace(0.001, 0.999, 333),
            1 - 10.0 ** -np.arange(1, 9),
        ]
    )
    expected = [naive_erfinv(float(v)) for v in x]
    # scipy's and the C library's erf differ in the last digit, and the iteration stops at 1e-14
    np.testing.assert_allclose(erfinv(x), expected, rtol=1e-12, atol=1e-30)


def test_erfinv_undoes_erf_and_keeps_shapes():
    x = np.linspace(-0.9, 0.9, 6).reshape(2, 3)
    back = [[math.erf(v) for v in row] for row in erfinv(x)]
    np.testing.assert_allclose(back, x, atol=1e-13)
    assert erfinv(np.empty(0)).shape == (0,)


def test_erfinv_without_convergence_is_zero():
    assert erfinv(np.array([1.5, math.nan])).tolist() == [0.0, 0.0]


@settings(deadline=None)
@given(st.floats(0, 1))
def test_gaussianise_is_the_quantile_of_the_unit_gaussian(c):
    a = 2 * min(max(c, 1e-9), 1 - 1e-9) - 1
    a = min(max(a, -0.99999999), 0.99999999)
    expected = np.float32(1.414213562 * naive_erfinv(a))
    np.testing.assert_allclose(gaussianise(np.array([c])), [expected], rtol=2e-7, atol=1e-30)


@pytest.mark.parametrize(
    ("c", "uniform", "gauss"),
    [
        (0.0, LOWER, -LIMIT),
        (1.0, UPPER, LIMIT),
        (-3.0, LOWER, -LIMIT),
        (math.inf, UPPER, LIMIT),
        (math.nan, UPPER, LIMIT),
    ],
)
def test_probabilities_are_limited(c, uniform, gauss):
    assert uniformise(np.array([c])).tolist() == [uniform]
    assert gaussianise(np.array([c]))[0] == np.float32(gauss)


@pytest.mark.parametrize(
    ("distribution", "x", "uniform"),
    [
        (CUMULATIVE, math.nan, LOWER),
        (CUMULATIVE, -math.inf, LOWER),
        (CUMULATIVE, math.inf, UPPER),
        (CUMULATIVE, 2.0, UPPER),
        (CUMULATIVE, -9.0, LOWER),
        (FLAT_END, math.inf, LOWER),
        (FLAT_END, 9.0, UPPER),
        (CONSTANT, 1.0, LOWER),
        (CONSTANT, 0.0, LOWER),
        (CONSTANT, 5.0, LOWER),
    ],
    ids=[
        "nan",
        "-inf",
        "inf",
        "maximum",
        "far below",
        "inf after a flat end",
        "flat end",
        "constant",
        "below it",
        "above it",
    ],
)
def test_extreme_inputs_give_a_limit(distribution, x, uniform):
    assert apply(distribution, [x], flat=True).tolist() == [uniform]
    assert apply(distribution, [x], flat=False)[0] == np.float32(-LIMIT if uniform == LOWER else LIMIT)


def test_a_little_below_the_minimum_is_not_yet_the_limit():
    assert apply(CUMULATIVE, [-1.001], flat=True)[0] > 0.01


def test_each_input_has_its_own_distribution_of_the_last_set():
    other = record([0.5, 1.0, 1.0, 1.0, 1.0], EDGES)
    both = Gaussianisation(None, ((other, CUMULATIVE), (CUMULATIVE, other)), flat=True)
    x = np.float32([[0.1, 0.1], [-0.5, -0.5]])
    np.testing.assert_array_equal(both.apply(x)[:, 0], apply(CUMULATIVE, x[:, 0], flat=True))
    np.testing.assert_array_equal(both.apply(x)[:, 1], apply(other, x[:, 1], flat=True))


def test_distributions_are_built_once_and_only_when_needed():
    one = step(CUMULATIVE, record([1.0], [0.0, 1.0]), flat=True)
    assert one._built == {}
    one.apply(np.float32([[0.1]]))  # the second input is masked
    assert list(one._built) == [0]
    assert one.distribution(0) is one.distribution(0)


@settings(deadline=None)
@given(st.lists(st.floats(-0.5, 1.5, width=32), min_size=1, max_size=20), st.booleans())
def test_the_inverse_undoes_the_transformation_in_range(values, flat):
    both = step(CUMULATIVE, flat=flat)
    x = np.float32(values)[:, None]
    np.testing.assert_allclose(both.invert(both.apply(x), [0]), x, atol=1e-3)


@settings(deadline=None, max_examples=50)
@given(st.lists(st.floats(width=32), min_size=1, max_size=10), st.booleans())
def test_one_event_gives_the_same_bits_as_many(values, flat):
    one = step(CUMULATIVE, flat=flat)
    x = np.float32(values)[:, None]
    np.testing.assert_array_equal(one.apply(x), np.vstack([one.apply(row[None]) for row in x]))


def test_the_way_back_keeps_the_precision_of_its_input():
    one = step(CUMULATIVE, flat=False)
    y = np.array([[0.3], [-1.2]])
    exact = one.invert(y, [0])
    assert exact.dtype == np.float64
    u = [(math.erf(v / 1.414213562) + 1) / 2 for v in y[:, 0]]
    np.testing.assert_allclose(gauss_to_uniform(y[:, 0]), u, rtol=1e-15)
    np.testing.assert_allclose(exact[:, 0], one.distribution(0).inverse_cumulative(u), rtol=1e-12)
    assert one.invert(y.astype(np.float32), [0]).dtype == np.float32


@pytest.mark.parametrize(
    ("cumulatives", "message"),
    [
        (((CUMULATIVE,),), "Gauss: 1 inputs have cumulative distributions, expected 2"),
        (((CUMULATIVE,), ()), "Gauss: no cumulative distribution for input 1"),
    ],
)
def test_distributions_must_fit_the_inputs(cumulatives, message):
    with pytest.raises(InputError, match=message):
        Gaussianisation(None, cumulatives, flat=False).check(2)
