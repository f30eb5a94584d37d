"""Fitting P: the running moments against the loop over events, and the eigenvectors' use."""

from __future__ import annotations

# ruff: noqa: N806 - the notation of the method
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytmva_bnn.errors import InputError
from pytmva_bnn.transform import fit_principal_components
from pytmva_bnn.transform.fit_principal import running_moments
from pytmva_bnn.transform.linear_algebra import symmetric_eigen


def naive_moments(x):
    n = x.shape[1]
    m, C = [0.0] * n, [[0.0] * n for _ in range(n)]
    for number, p in enumerate(x.astype(float).tolist(), start=1):
        if number == 1:
            m = list(p)
            continue
        a, b = 1.0 / number, 1.0 / (number - 1)
        c = 1.0 - a
        for i in range(n):
            m[i] = m[i] * c
            m[i] = m[i] + p[i] * a
            t = (p[i] - m[i]) * b
            for j in range(i + 1):
                C[i][j] = C[i][j] * c
                C[i][j] = C[i][j] + t * (p[j] - m[j])
    return m, [[C[max(i, j)][min(i, j)] for j in range(n)] for i in range(n)]


def events(n, n_inputs=3, seed=1):
    rng = np.random.default_rng(seed)
    return (rng.normal(size=(n, n_inputs)) @ rng.normal(size=(n_inputs, n_inputs)) + 5).astype(np.float32)


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 500])
def test_running_moments_are_those_of_the_loop(n):
    x = events(n, n_inputs=4)
    m, C = running_moments(x)
    expected_m, expected_C = naive_moments(x)
    # bit for bit with a LAPACK that does not fuse products and sums
    np.testing.assert_allclose(m, expected_m, rtol=1e-15)
    np.testing.assert_allclose(C, expected_C, rtol=1e-14, atol=1e-15)


def test_running_moments_do_not_depend_on_the_blocks(monkeypatch):
    x = events(501)
    whole = running_moments(x)
    for size in (1, 2, 3, 50):
        monkeypatch.setattr("pytmva_bnn.reductions.summation.blocks.__defaults__", (size,))
        parts = running_moments(x)
        np.testing.assert_allclose(parts[0], whole[0], rtol=1e-15)
        np.testing.assert_allclose(parts[1], whole[1], rtol=1e-14)


def test_running_moments_of_many_events_are_mean_and_population_covariance():
    x = events(40000)
    m, C = running_moments(x)
    np.testing.assert_allclose(m, x.astype(float).mean(axis=0), rtol=1e-13)
    np.testing.assert_allclose(C, np.cov(x.astype(float).T, bias=True), rtol=1e-12)


def test_the_sets_are_the_classes_and_all():
    x, classes = events(200), np.arange(200) % 3
    step = fit_principal_components(x, classes, 3)
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
    y = fit_principal_components(x, np.zeros(100), 1).apply(x).astype(float)
    C = np.cov(y.T, bias=True)
    scale = np.trace(C)
    np.testing.assert_allclose(y.mean(axis=0), 0, atol=1e-5 * np.sqrt(scale))
    np.testing.assert_allclose(C - np.diag(np.diagonal(C)), 0, atol=1e-5 * scale)
    assert np.all(np.diff(np.diagonal(C)) <= 1e-6 * scale)


def test_a_constant_variable_is_no_error():
    x = np.float32([[1.0, 7.0], [2.0, 7.0], [4.0, 7.0]])
    step = fit_principal_components(x, [0, 0, 0], 1)
    assert np.abs(step.eigenvectors[0]).tolist() == [[1.0, 0.0], [0.0, 1.0]]
    assert step.apply(x)[:, 1].tolist() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("n", [0, 1])
def test_events_that_do_not_vary_give_nan(n):
    step = fit_principal_components(np.full((n, 2), 3.0), np.zeros(n), 1)
    assert np.isnan(step.eigenvectors[0]).all()
    assert step.means[0].tolist() == ([3.0, 3.0] if n else [0.0, 0.0])


@pytest.mark.parametrize(
    ("n_inputs", "message"),
    [(1, "Cannot perform PCA transformation for 1 variable only"), (201, "More than 200 variables")],
)
def test_numbers_of_inputs_that_tmva_refuses(n_inputs, message):
    with pytest.raises(InputError, match=message):
        fit_principal_components(np.zeros((3, n_inputs)), np.zeros(3), 1)
