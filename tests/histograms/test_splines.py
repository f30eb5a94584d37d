# ruff: noqa: N803, N806 (X and Y as in the description of the method)
"""Each interpolation against a scalar version."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytmva_bnn.errors import InputError
from pytmva_bnn.histograms.splines import SPLINES, spline1, spline2, spline3, spline5


def index(X, x):
    below = [i for i in range(len(X)) if X[i] <= x]
    return max(below) if below else 0


def naive_spline1(X, Y, x):
    n, i = len(X), index(X, x)
    k = i + 1 if (x > X[i] and i != n - 1) or i == 0 else i - 1
    return Y[i] + (x - X[i]) * (Y[i] - Y[k]) / (X[i] - X[k])


def naive_parabola(X, Y, points, x):
    f = np.float32
    u1, u2, u3 = (f(X[k]) for k in points)
    v1, v2, v3 = (f(Y[k]) for k in points)
    u = f(x)
    a = f(f(f(v1 * f(u2 - u3)) + f(v2 * f(u3 - u1))) + f(v3 * f(u1 - u2)))
    s1, s2, s3 = f(u1 * u1), f(u2 * u2), f(u3 * u3)
    b = f(f(f(v1 * f(s2 - s3)) + f(v2 * f(s3 - s1))) + f(v3 * f(s1 - s2)))
    c1 = f(f(f(v1 * f(u2 - u3)) * u2) * u3)
    c2 = f(f(f(v2 * f(u3 - u1)) * u3) * u1)
    c3 = f(f(f(v3 * f(u1 - u2)) * u1) * u2)
    c = f(f(c1 + c2) + c3)
    d = f(f(f(u2 - u3) * f(u3 - u1)) * f(u1 - u2))
    if d == 0:
        return 0.0
    return float(f(f(f(f(f(-a * u) * u) + f(b * u)) - c) / d))


def naive_spline2(X, Y, x):
    n, i = len(X), index(X, x)
    if n < 3:
        return Y[i]
    if i == 0:
        return naive_parabola(X, Y, (0, 1, 2), x)
    if i >= n - 2:
        return naive_parabola(X, Y, (n - 3, n - 2, n - 1), x)
    return 0.5 * (naive_parabola(X, Y, (i - 1, i, i + 1), x) + naive_parabola(X, Y, (i, i + 1, i + 2), x))


def piecewise_polynomial(X, Y, degree, end_conditions):
    """Solve for all coefficients at once: ``end_conditions`` are rows (knot, derivative or jump)."""
    n, p = len(X), degree + 1

    def row(piece, t, derivative):
        out = np.zeros((n - 1) * p)
        for power in range(derivative, p):
            factor = np.prod([power - k for k in range(derivative)]) if derivative else 1.0
            out[piece * p + power] = factor * t ** (power - derivative)
        return out

    rows, right = [], []
    for m in range(n - 1):
        h = X[m + 1] - X[m]
        rows += [row(m, 0.0, 0), row(m, h, 0)]
        right += [Y[m], Y[m + 1]]
        if m < n - 2:
            for derivative in range(1, degree):
                rows.append(row(m, h, derivative) - row(m + 1, 0.0, derivative))
                right.append(0.0)
    rows += end_conditions(row)
    right += [0.0] * (len(rows) - len(right))
    coefficients = np.linalg.solve(np.array(rows), np.array(right)).reshape(n - 1, p)

    def value(x, piece=None):
        m = min(max(index(X, x), 0), n - 2) if piece is None else piece
        return sum(c * (x - X[m]) ** k for k, c in enumerate(coefficients[m]))

    def derivative(x, order):
        m = n - 2
        return float(row(m, x - X[m], order) @ coefficients.ravel())

    return value, derivative


def naive_spline3(X, Y):
    n = len(X)

    def not_a_knot(row):
        first = row(0, X[1] - X[0], 3) - row(1, 0.0, 3)
        last = row(n - 3, X[n - 2] - X[n - 3], 3) - row(n - 2, 0.0, 3)
        return [first, last]

    return piecewise_polynomial(X, Y, 3, not_a_knot)[0]


def naive_spline5(X, Y):
    n = len(X)
    h = X[-1] - X[-2]

    def natural(row):
        return [row(0, 0.0, 3), row(0, 0.0, 4), row(n - 2, h, 3), row(n - 2, h, 4)]

    value, derivative = piecewise_polynomial(X, Y, 5, natural)

    def spline(x):
        if x < X[-1]:
            return value(x)
        t = x - X[-1]
        return Y[-1] + t * derivative(X[-1], 1) + t * t * derivative(X[-1], 2) / 2

    return spline


def points(n, seed=3):
    rng = np.random.default_rng(seed)
    X = np.sort(rng.random(n)) + 0.2 * np.arange(n)
    Y = rng.random(n).astype(np.float32).astype(np.float64)
    x = np.concatenate([np.linspace(X[0] - 0.3, X[-1] + 0.3, 101), X])
    return X, Y, x


@pytest.mark.parametrize("n", [2, 3, 4, 5, 12])
def test_spline1_is_the_line_between_neighbours(n):
    X, Y, x = points(n)
    assert spline1(X, Y, x).tolist() == [naive_spline1(X, Y, v) for v in x]


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 12])
def test_spline2_agrees_bit_for_bit_in_float32(n):
    X, Y, x = points(n)
    assert spline2(X, Y, x).tolist() == [naive_spline2(X, Y, v) for v in x]


@pytest.mark.parametrize("n", [4, 5, 12])
def test_spline3_has_not_a_knot_ends(n):
    X, Y, x = points(n)
    naive = naive_spline3(X, Y)
    np.testing.assert_allclose(spline3(X, Y, x), [naive(v) for v in x], rtol=1e-9, atol=1e-10)


def test_spline3_of_three_points_is_the_parabola_and_of_two_the_line():
    X, x = np.array([0.0, 1.0, 3.0]), np.linspace(-1, 4, 11)
    np.testing.assert_allclose(spline3(X, X * X - X, x), x * x - x, atol=1e-13)
    np.testing.assert_allclose(spline3(X[1:], 2 * X[1:], x), 2 * x, atol=1e-13)


@pytest.mark.parametrize("n", [3, 4, 5, 12])
def test_spline5_is_natural_and_a_parabola_above(n):
    X, Y, x = points(n)
    naive = naive_spline5(X, Y)
    np.testing.assert_allclose(spline5(X, Y, x), [naive(v) for v in x], rtol=1e-7, atol=1e-8)


@pytest.mark.parametrize("n", [1, 2])
def test_spline5_needs_three_bins(n):
    with pytest.raises(InputError, match=f"Spline5 needs a histogram of at least 3 bins, got {n}"):
        spline5(*points(n))


@pytest.mark.parametrize("spline", [spline1, spline2, spline3])
def test_one_point_gives_a_constant(spline):
    assert spline(np.array([0.5]), np.array([2.0]), np.array([0.1, 0.9])).tolist() == [2.0, 2.0]


@pytest.mark.parametrize("spline", [spline1, spline2, spline3])
def test_equal_centres_are_no_error(spline):
    X, Y = np.array([0.0, 0.0, 1.0, 2.0]), np.array([1.0, 2.0, 3.0, 4.0])
    assert spline(X, Y, np.linspace(-1, 3, 20)).shape == (20,)


def test_spline2_of_equal_abscissas_is_zero():
    X = np.array([1.0, 1.0, 1.0])
    assert spline2(X, np.array([1.0, 2.0, 3.0]), np.array([1.0])).tolist() == [0.0]


@settings(deadline=None)
@given(st.integers(3, 20), st.integers(0, 1000), st.sampled_from(sorted(SPLINES)))
def test_every_spline_goes_through_its_points_or_near(n, seed, code):
    X, Y, _ = points(n, seed)
    inner = slice(1, -1) if code == 2 else slice(None)
    np.testing.assert_allclose(SPLINES[code](X, Y, X)[inner], Y[inner], atol=2e-2 if code == 2 else 1e-6)
