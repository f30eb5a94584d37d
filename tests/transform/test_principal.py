"""P and its odd inverse."""

from __future__ import annotations

# ruff: noqa: N806 - the notation of the method
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytmva_bnn.errors import InputError
from pytmva_bnn.transform import PrincipalComponents, fit_step
from pytmva_bnn.transform.linear_algebra import symmetric_eigen
from pytmva_bnn.transform.principal import from_principal_components


def principal_components(x, means, vectors):
    return PrincipalComponents(None, (means,), (vectors,)).apply(x)


def parameters(n):
    rng = np.random.default_rng(n)
    vectors, _ = np.linalg.qr(rng.normal(size=(n, n)))
    return rng.normal(size=n), vectors, rng.normal(size=(50, n)).astype(np.float32)


@pytest.mark.parametrize("n", [1, 2, 5, 37])
def test_sums_agree_bit_for_bit_with_plain_loops(n):
    means, vectors, x = parameters(n)
    expected = np.empty_like(x)
    for e in range(len(x)):
        for i in range(n):
            total = 0.0
            for j in range(n):
                total += (float(x[e, j]) - means[j]) * vectors[j, i]
            expected[e, i] = np.float32(total)
    y = principal_components(x, means, vectors)
    assert y.dtype == np.float32
    np.testing.assert_array_equal(y, expected)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_inverse_adds_all_means_to_each_component(dtype):
    means, vectors, x = parameters(4)
    y = x.astype(dtype)
    expected = np.empty_like(y)
    for e in range(len(y)):
        for i in range(4):
            total = 0.0
            for j in range(4):
                total += float(y[e, j]) * vectors[i, j] + means[j]
            expected[e, i] = total
    result = from_principal_components(y, means, vectors)
    assert result.dtype == dtype
    np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize(("n_sets", "chosen"), [(1, 0), (2, 1), (3, 2), (5, 2)])
def test_the_last_set_is_applied_but_set_2_inverted(n_sets, chosen):
    means = tuple(np.array([float(k)]) for k in range(n_sets))
    step = PrincipalComponents(None, means, (np.eye(1),) * n_sets)
    assert step.apply(np.float32([[0.0]])).tolist() == [[-(n_sets - 1.0)]]
    assert step.invert(np.float32([[0.0]])).tolist() == [[float(chosen)]]


def test_bad_inputs_spread():
    means, vectors, _ = parameters(2)
    assert np.isnan(principal_components(np.float32([[math.nan, 1.0]]), means, vectors)).all()
    assert not np.isfinite(principal_components(np.float32([[math.inf, 1.0]]), means, vectors)).any()


@pytest.mark.parametrize(
    ("means", "vectors", "message"),
    [
        ((), (), "PCA: 0 sets of means and 0 of eigenvectors"),
        ((np.zeros(2),), (np.eye(2), np.eye(2)), "PCA: 1 sets of means and 2 of eigenvectors"),
        ((np.zeros(3),), (np.eye(2),), r"PCA: means must have the shape \(2,\)"),
        ((np.zeros(2),), (np.eye(3),), r"eigenvectors \(2, 2\), got \(2,\) and \(3, 3\)"),
    ],
)
def test_parameters_must_fit_the_inputs(means, vectors, message):
    with pytest.raises(InputError, match=message):
        PrincipalComponents(None, means, vectors).check(2)


def events(n, n_inputs=3, seed=1):
    rng = np.random.default_rng(seed)
    return (rng.normal(size=(n, n_inputs)) @ rng.normal(size=(n_inputs, n_inputs)) + 5).astype(np.float32)


def test_the_sets_are_the_classes_and_all(naive_moments):
    x, classes = events(200), np.arange(200) % 3
    step = fit_step("P", x, classes, 3)
    for number, chosen in enumerate([classes == 0, classes == 1, classes == 2, classes >= 0]):
        m, C = naive_moments(x[chosen])
        C = np.array(C) / (C[0][0] + C[1][1] + C[2][2])
        np.testing.assert_allclose(step.means[number], m, rtol=1e-14)
        np.testing.assert_allclose(step.eigenvectors[number], symmetric_eigen(C)[1], atol=1e-12)
    assert len(step.means) == 4


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 10**6), st.integers(2, 6))
def test_components_are_uncorrelated_centred_and_sorted(seed, n_inputs):
    x = events(100, n_inputs, seed)
    y = fit_step("P", x, np.zeros(100), 1).apply(x).astype(float)
    C = np.cov(y.T, bias=True)
    scale = np.trace(C)
    np.testing.assert_allclose(y.mean(axis=0), 0, atol=1e-5 * np.sqrt(scale))
    np.testing.assert_allclose(C - np.diag(np.diagonal(C)), 0, atol=1e-5 * scale)
    assert np.all(np.diff(np.diagonal(C)) <= 1e-6 * scale)


def test_a_constant_variable_is_no_error():
    x = np.float32([[1.0, 7.0], [2.0, 7.0], [4.0, 7.0]])
    step = fit_step("P", x, [0, 0, 0], 1)
    assert np.abs(step.eigenvectors[0]).tolist() == [[1.0, 0.0], [0.0, 1.0]]
    assert step.apply(x)[:, 1].tolist() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("n", [0, 1])
def test_events_that_do_not_vary_give_nan(n):
    step = fit_step("P", np.full((n, 2), 3.0), np.zeros(n), 1)
    assert np.isnan(step.eigenvectors[0]).all()
    assert step.means[0].tolist() == ([3.0, 3.0] if n else [0.0, 0.0])


@pytest.mark.parametrize(
    ("n_inputs", "message"),
    [(1, "Cannot perform PCA transformation for 1 variable only"), (201, "More than 200 variables")],
)
def test_numbers_of_inputs_that_tmva_refuses(n_inputs, message):
    with pytest.raises(InputError, match=message):
        fit_step("P", np.zeros((3, n_inputs)), np.zeros(3), 1)
