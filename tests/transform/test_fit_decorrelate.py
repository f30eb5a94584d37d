"""Fitting D: covariance and its inverse square root, and what TMVA does where it does not exist."""

from __future__ import annotations

# ruff: noqa: N806 - the notation of the method
import logging

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytmva_bnn.errors import InputError
from pytmva_bnn.reductions.moments import covariance
from pytmva_bnn.transform import fit_decorrelation
from pytmva_bnn.transform.fit_decorrelate import decorrelation_matrix


def naive_covariance(x, w):
    n = x.shape[1]
    total, first, second = 0.0, [0.0] * n, [[0.0] * n for _ in range(n)]
    for row, weight in zip(x.astype(float).tolist(), w.tolist(), strict=True):
        total += weight
        for i in range(n):
            first[i] += row[i] * weight
            for j in range(i, n):
                second[i][j] += row[i] * row[j] * weight
    return [
        [second[min(i, j)][max(i, j)] / total - first[i] * first[j] / (total * total) for j in range(n)]
        for i in range(n)
    ]


def events(n=300, n_inputs=3, seed=1):
    rng = np.random.default_rng(seed)
    mixing = rng.normal(size=(n_inputs, n_inputs))
    x = (rng.normal(size=(n, n_inputs)) @ mixing + 5).astype(np.float32)
    return x, rng.integers(0, 2, n), rng.normal(1, 0.7, n)  # some weights are negative


def test_the_covariance_is_that_of_a_scalar_loop_bit_for_bit():
    x, _, w = events(n_inputs=5)
    assert covariance(x, w).tolist() == naive_covariance(x, w)


def test_the_sets_are_the_classes_and_all():
    x, classes, w = events()
    step = fit_decorrelation(x, classes, w, 2)
    for matrix, chosen in zip(step.matrices, (classes == 0, classes == 1, classes >= 0), strict=True):
        np.testing.assert_array_equal(matrix, decorrelation_matrix(covariance(x[chosen], w[chosen])))
    assert len(fit_decorrelation(x, np.zeros(300), w, 1).matrices) == 1


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 10**6), st.integers(1, 6))
def test_the_transformed_events_are_uncorrelated_with_unit_variance(seed, n_inputs):
    rng = np.random.default_rng(seed)
    x = (rng.normal(size=(200, n_inputs)) @ (rng.normal(size=(n_inputs, n_inputs)) + 3 * np.eye(n_inputs))).astype("f4")
    w = rng.uniform(0.1, 2, 200)
    y = fit_decorrelation(x, np.zeros(200), w, 1).apply(x)
    np.testing.assert_allclose(covariance(y, w), np.eye(n_inputs), atol=1e-3)


def test_the_matrix_is_symmetric_and_the_inverse_root():
    x, classes, w = events()
    D = fit_decorrelation(x, classes, w, 2).matrices[-1]
    np.testing.assert_allclose(D, D.T, rtol=1e-12)
    np.testing.assert_allclose(D @ covariance(x, w) @ D, np.eye(3), atol=1e-12)


def test_a_constant_variable_leaves_the_root_not_inverted(caplog):
    x = np.float32([[1.0, 0.0], [3.0, 0.0], [5.0, 0.0]])
    with caplog.at_level(logging.WARNING):
        matrix = fit_decorrelation(x, [0, 0, 0], [1, 1, 1], 1).matrices[0]
    np.testing.assert_allclose(matrix, [[np.sqrt(8 / 3), 0], [0, 0]], rtol=1e-15)
    assert "matrix not positive definite" in caplog.text
    assert "singular" in caplog.text


def test_one_event_has_no_covariance_and_keeps_the_zero_root():
    assert fit_decorrelation([[1.0, 2.0]], [0], [1.0], 1).matrices[0].tolist() == [[0.0, 0.0], [0.0, 0.0]]


def test_a_class_without_events_gives_nan():
    x, classes, w = events()
    matrices = fit_decorrelation(x, np.ones_like(classes), w, 2).matrices
    assert np.isnan(matrices[0]).all()
    np.testing.assert_array_equal(matrices[1], matrices[2])


def test_a_negative_variance_gives_nan():
    assert np.isnan(decorrelation_matrix(np.array([[1.0, 2.0], [2.0, 1.0]]))).all()


def test_more_than_200_inputs_are_refused():
    fit_decorrelation(np.random.default_rng(1).normal(size=(300, 200)), np.zeros(300), np.ones(300), 1)
    with pytest.raises(InputError, match=r"More than 200 variables \(201\), will not calculate decorrelation matrix"):
        fit_decorrelation(np.zeros((5, 201)), np.zeros(5), np.ones(5), 1)
