"""The eigenproblem and the inverse: against scalar loops to the last bit, and against numpy."""

from __future__ import annotations

# ruff: noqa: N803, N806 - the notation of the method
import logging

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from pytmva_bnn.transform import linear_algebra
from pytmva_bnn.transform.linear_algebra import lu_determinant, lu_inverse, symmetric_eigen


def naive_tridiagonalise(V, d, e):
    n = len(d)
    for j in range(n):
        d[j] = V[n - 1][j]
    for i in range(n - 1, 0, -1):
        scale = h = 0.0
        for k in range(i):
            scale += abs(d[k])
        if scale == 0.0:
            e[i] = d[i - 1]
            for j in range(i):
                d[j] = V[i - 1][j]
                V[i][j] = V[j][i] = 0.0
        else:
            for k in range(i):
                d[k] /= scale
                h += d[k] * d[k]
            f = d[i - 1]
            g = float(np.sqrt(h))
            if f > 0:
                g = -g
            e[i] = scale * g
            h -= f * g
            d[i - 1] = f - g
            for j in range(i):
                e[j] = 0.0
            for j in range(i):
                f = d[j]
                V[j][i] = f
                g = e[j] + V[j][j] * f
                for k in range(j + 1, i):
                    g += V[k][j] * d[k]
                    e[k] += V[k][j] * f
                e[j] = g
            f = 0.0
            for j in range(i):
                e[j] /= h
                f += e[j] * d[j]
            q = f / (h + h)
            for j in range(i):
                e[j] -= q * d[j]
            for j in range(i):
                f, g = d[j], e[j]
                for k in range(j, i):
                    V[k][j] -= f * e[k] + g * d[k]
                d[j] = V[i - 1][j]
                V[i][j] = 0.0
        d[i] = h
    for i in range(n - 1):
        V[n - 1][i] = V[i][i]
        V[i][i] = 1.0
        h = d[i + 1]
        if h != 0.0:
            for k in range(i + 1):
                d[k] = V[k][i + 1] / h
            for j in range(i + 1):
                g = 0.0
                for k in range(i + 1):
                    g += V[k][i + 1] * V[k][j]
                for k in range(i + 1):
                    V[k][j] -= g * d[k]
        for k in range(i + 1):
            V[k][i + 1] = 0.0
    for j in range(n):
        d[j] = V[n - 1][j]
        V[n - 1][j] = 0.0
    V[n - 1][n - 1] = 1.0
    e[0] = 0.0


def naive_ql(V, d, e):
    n = len(d)
    for i in range(1, n):
        e[i - 1] = e[i]
    e[n - 1] = 0.0
    f = t = 0.0
    eps = 2.0**-52
    for l in range(n):  # noqa: E741
        t = max(t, abs(d[l]) + abs(e[l]))
        m = l
        while abs(e[m]) > eps * t:
            m += 1
        while m > l:
            g = d[l]
            p = (d[l + 1] - g) / (2.0 * e[l])
            r = float(np.hypot(p, 1.0))
            if p < 0:
                r = -r
            d[l] = e[l] / (p + r)
            d[l + 1] = e[l] * (p + r)
            dl1 = d[l + 1]
            h = g - d[l]
            for i in range(l + 2, n):
                d[i] -= h
            f += h
            p = d[m]
            c = c2 = c3 = 1.0
            el1 = e[l + 1]
            s = s2 = 0.0
            for i in range(m - 1, l - 1, -1):
                c3, c2, s2 = c2, c, s
                g = c * e[i]
                h = c * p
                r = float(np.hypot(p, e[i]))
                e[i + 1] = s * r
                s = e[i] / r
                c = p / r
                p = c * d[i] - s * g
                d[i + 1] = h + s * (c * g + s * d[i])
                for k in range(n):
                    h = V[k][i + 1]
                    V[k][i + 1] = s * V[k][i] + c * h
                    V[k][i] = c * V[k][i] - s * h
            p = -s * s2 * c3 * el1 * e[l] / dl1
            e[l] = s * p
            d[l] = c * p
            if not abs(e[l]) > eps * t:
                break
        d[l] += f
        e[l] = 0.0


def naive_eigen(matrix):
    n = len(matrix)
    V, d, e = [[float(v) for v in row] for row in matrix], [0.0] * n, [0.0] * n
    naive_tridiagonalise(V, d, e)
    naive_ql(V, d, e)
    for i in range(n - 1):
        k = i
        for j in range(i + 1, n):
            if d[j] > d[k]:
                k = j
        if k != i:
            d[i], d[k] = d[k], d[i]
            for row in V:
                row[i], row[k] = row[k], row[i]
    return d, V


def naive_inverse(matrix):
    a = [[float(v) for v in row] for row in matrix]
    n = len(a)
    scale = []
    for row in a:
        largest = max(abs(v) for v in row)
        scale.append(1.0 / largest if largest else 0.0)
    swaps = []
    for j in range(n):
        for i in range(j):
            r = a[i][j]
            for k in range(i):
                r -= a[i][k] * a[k][j]
            a[i][j] = r
        largest, pivot = 0.0, 0
        for i in range(j, n):
            r = a[i][j]
            for k in range(j):
                r -= a[i][k] * a[k][j]
            a[i][j] = r
            if scale[i] * abs(r) >= largest:
                largest, pivot = scale[i] * abs(r), i
        swaps.append(pivot)
        if pivot != j:
            a[j], a[pivot] = a[pivot], a[j]
            scale[pivot] = scale[j]
        if a[j][j] == 0 or abs(a[j][j]) < 2.220446049250313e-16:
            return None
        factor = 1.0 / a[j][j]
        for i in range(j + 1, n):
            a[i][j] *= factor
    for j in range(n):
        a[j][j] = 1.0 / a[j][j]
        for k in range(j):
            tmp = a[k][j]
            for i in range(k):
                a[i][j] += tmp * a[i][k]
            a[k][j] *= a[k][k]
        for k in range(j):
            a[k][j] *= -a[j][j]
    for j in range(n - 1, -1, -1):
        lower = [0.0] * n
        for i in range(j + 1, n):
            lower[i] = a[i][j]
            a[i][j] = 0.0
        if j < n - 1:
            for i in range(n):
                total = 0.0
                for c in range(j + 1, n):
                    total += a[i][c] * lower[c]
                a[i][j] = -total + a[i][j]
    for j in range(n - 1, -1, -1):
        if swaps[j] != j:
            for row in a:
                row[j], row[swaps[j]] = row[swaps[j]], row[j]
    return a


def covariance_like(seed, n):
    a = np.random.default_rng(seed).normal(size=(n, n)) * 10.0 ** np.random.default_rng(seed).integers(-3, 4, n)
    return np.cov(a)


SPECIAL = {
    "one": np.array([[3.0]]),
    "diagonal": np.diag([1.0, 5.0, 3.0]),
    "unit": np.eye(4),
    "zero": np.zeros((3, 3)),
    "equal elements": np.ones((4, 4)),
    "blocks": np.array([[2.0, 1.0, 0, 0], [1.0, 2.0, 0, 0], [0, 0, 4.0, -3.0], [0, 0, -3.0, 4.0]]),
    "constant variable": np.array([[1.0, 0.3, 0.0], [0.3, 2.0, 0.0], [0.0, 0.0, 0.0]]),
}


@pytest.mark.parametrize("matrix", SPECIAL.values(), ids=SPECIAL)
def test_eigenvectors_of_special_matrices_are_those_of_the_scalar_algorithm(matrix):
    values, vectors = symmetric_eigen(matrix)
    d, V = naive_eigen(matrix)
    assert values.tolist() == d
    assert vectors.tolist() == V


@pytest.mark.parametrize("n", [2, 3, 4, 7, 13])
def test_eigenvectors_are_those_of_the_scalar_algorithm_bit_for_bit(n):
    for seed in range(10):
        matrix = covariance_like(seed, n)
        values, vectors = symmetric_eigen(matrix)
        d, V = naive_eigen(matrix)
        assert values.tolist() == d
        assert vectors.tolist() == V


@pytest.mark.parametrize("n", [2, 5, 40, 200])
def test_eigenvectors_agree_with_numpy_up_to_signs(n):
    matrix = np.cov(np.random.default_rng(n).normal(size=(n, 3 * n)))
    values, vectors = symmetric_eigen(matrix)
    expected, reference = np.linalg.eigh(matrix)
    np.testing.assert_allclose(values, expected[::-1], rtol=1e-11, atol=1e-13)
    signs = np.sign(np.sum(vectors * reference[:, ::-1], axis=0))
    np.testing.assert_allclose(vectors, reference[:, ::-1] * signs, atol=1e-8)


def test_a_matrix_with_nan_has_no_eigenvectors():
    values, vectors = symmetric_eigen(np.array([[1.0, np.nan], [np.nan, 1.0]]))
    assert np.isnan(values).all()
    assert np.isnan(vectors).all()


def test_failing_convergence_is_said(monkeypatch, caplog):
    monkeypatch.setattr(linear_algebra, "MAX_QL_ITERATIONS", 1)
    with caplog.at_level(logging.WARNING):
        symmetric_eigen(covariance_like(1, 6))
    assert "did not converge within 1 iterations" in caplog.text


@settings(deadline=None, max_examples=50)
@given(st.integers(1, 6).flatmap(lambda n: arrays(np.float64, (n, n), elements=st.floats(-100, 100, width=16))))
def test_eigenvectors_are_orthogonal_and_rebuild_the_matrix(a):
    matrix = a + a.T
    values, vectors = symmetric_eigen(matrix)
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(len(a)), atol=1e-11)
    np.testing.assert_allclose(vectors * values @ vectors.T, matrix, atol=1e-10)
    assert np.all(np.diff(values) <= 0)


@pytest.mark.parametrize("n", [1, 2, 3, 4, 9])
def test_inverses_are_those_of_the_scalar_algorithm_bit_for_bit(n):
    rng = np.random.default_rng(n)
    for _ in range(10):
        matrix = rng.normal(size=(n, n))
        assert lu_inverse(matrix).tolist() == naive_inverse(matrix)


def test_of_equal_pivots_the_last_is_taken():
    matrix = np.array([[1.0, 2.0, 0.5], [1.0, -2.0, 2.0], [-1.0, 0.25, 2.0]])
    assert lu_inverse(matrix).tolist() == naive_inverse(matrix)


@pytest.mark.parametrize("n", [3, 50, 200])
def test_inverses_agree_with_numpy(n):
    matrix = np.random.default_rng(n).normal(size=(n, n)) + n * np.eye(n)
    np.testing.assert_allclose(lu_inverse(matrix), np.linalg.inv(matrix), rtol=1e-9, atol=1e-15)


@pytest.mark.parametrize(
    "matrix",
    [np.zeros((2, 2)), np.ones((3, 3)), np.diag([1.0, 2.2e-16]), np.array([[1.0, 2.0], [0.0, 0.0]])],
    ids=["zero", "dependent rows", "tiny pivot", "zero row"],
)
def test_singular_matrices_have_no_inverse(matrix):
    assert lu_inverse(matrix) is None
    assert naive_inverse(matrix) is None


def test_a_small_pivot_above_the_limit_counts():
    assert lu_inverse(np.diag([1.0, 2.3e-16])).tolist() == [[1.0, -0.0], [0.0, 1 / 2.3e-16]]


def test_nan_passes_through_the_inverse():
    assert np.isnan(lu_inverse(np.full((3, 3), np.nan))).all()


@pytest.mark.parametrize("n", [1, 2, 3, 6])
def test_determinants_agree_with_numpy(n):
    matrix = np.random.default_rng(n).normal(size=(n, n))
    assert lu_determinant(matrix) == pytest.approx(np.linalg.det(matrix), rel=1e-12)
    assert lu_determinant(matrix[::-1]) == pytest.approx(np.linalg.det(matrix[::-1]), rel=1e-12)


def test_a_singular_matrix_has_the_determinant_zero():
    assert lu_determinant(np.ones((2, 2))) == 0.0
