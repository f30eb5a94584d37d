"""D: sums in the order of the inputs."""

from __future__ import annotations

import logging

# ruff: noqa: N806 - the notation of the method
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytmva_bnn.errors import InputError
from pytmva_bnn.reductions.moments import covariance
from pytmva_bnn.transform import Decorrelation, fit_step
from pytmva_bnn.transform.decorrelate import decorrelation_matrix


def decorrelate(x, matrix):
    return Decorrelation(None, (matrix,)).apply(x)


def naive(x, matrix):
    result = []
    for row in matrix:
        total = 0.0
        for value, element in zip(x, row, strict=True):
            total += float(value) * float(element)
        with np.errstate(over="ignore"):
            result.append(np.float32(total))
    return result


@pytest.mark.parametrize("n", [1, 2, 5, 37])
def test_sums_agree_bit_for_bit_with_plain_loops(n):
    rng = np.random.default_rng(n)
    matrix = rng.normal(size=(n, n)) * 10.0 ** rng.integers(-8, 8, size=(n, n))
    x = rng.normal(size=(200, n)).astype(np.float32)
    y = decorrelate(x, matrix)
    assert y.dtype == np.float32
    np.testing.assert_array_equal(y, [naive(row, matrix) for row in x])


def test_one_event_gives_the_same_bits_as_many():
    rng = np.random.default_rng(1)
    matrix, x = rng.normal(size=(9, 9)), rng.normal(size=(100, 9)).astype(np.float32)
    np.testing.assert_array_equal(
        decorrelate(x, matrix), np.vstack([decorrelate(x[i : i + 1], matrix) for i in range(100)])
    )


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_bad_inputs_spread_to_all_outputs(bad):
    matrix = np.array([[1.0, 0.5], [0.5, 2.0]])
    assert not np.isfinite(decorrelate(np.float32([[1.0, bad]]), matrix)).any()


def test_large_results_become_infinite_silently():
    assert decorrelate(np.float32([[1e38]]), np.array([[1e5]])).tolist() == [[math.inf]]


def test_the_last_set_is_applied():
    assert Decorrelation(None, (np.eye(1), 3 * np.eye(1))).apply(np.float32([[2.0]])).tolist() == [[6.0]]


@pytest.mark.parametrize(
    ("matrices", "message"),
    [
        ((), "Decorrelation: no matrix"),
        ((np.eye(2), np.eye(3)), r"Decorrelation: matrices must have the shape \(2, 2\)"),
    ],
)
def test_matrices_must_fit_the_inputs(matrices, message):
    with pytest.raises(InputError, match=message):
        Decorrelation(None, matrices).check(2)


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
    step = fit_step("D", x, classes, 2, w)
    for matrix, chosen in zip(step.matrices, (classes == 0, classes == 1, classes >= 0), strict=True):
        np.testing.assert_array_equal(matrix, decorrelation_matrix(covariance(x[chosen], w[chosen])))
    assert len(fit_step("D", x, np.zeros(300), 1, w).matrices) == 1


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 10**6), st.integers(1, 6))
def test_the_transformed_events_are_uncorrelated_with_unit_variance(seed, n_inputs):
    rng = np.random.default_rng(seed)
    x = (rng.normal(size=(200, n_inputs)) @ (rng.normal(size=(n_inputs, n_inputs)) + 3 * np.eye(n_inputs))).astype("f4")
    w = rng.uniform(0.1, 2, 200)
    y = fit_step("D", x, np.zeros(200), 1, w).apply(x)
    np.testing.assert_allclose(covariance(y, w), np.eye(n_inputs), atol=1e-3)


def test_the_matrix_is_symmetric_and_the_inverse_root():
    x, classes, w = events()
    D = fit_step("D", x, classes, 2, w).matrices[-1]
    np.testing.assert_allclose(D, D.T, rtol=1e-12)
    np.testing.assert_allclose(D @ covariance(x, w) @ D, np.eye(3), atol=1e-12)


def test_a_constant_variable_leaves_the_root_not_inverted(caplog):
    x = np.float32([[1.0, 0.0], [3.0, 0.0], [5.0, 0.0]])
    with caplog.at_level(logging.WARNING):
        matrix = fit_step("D", x, [0, 0, 0], 1).matrices[0]
    np.testing.assert_allclose(matrix, [[np.sqrt(8 / 3), 0], [0, 0]], rtol=1e-15)
    assert "matrix not positive definite" in caplog.text
    assert "singular" in caplog.text


def test_one_event_has_no_covariance_and_keeps_the_zero_root():
    assert fit_step("D", [[1.0, 2.0]], [0], 1).matrices[0].tolist() == [[0.0, 0.0], [0.0, 0.0]]


def test_a_class_without_events_gives_nan():
    x, classes, w = events()
    matrices = fit_step("D", x, np.ones_like(classes), 2, w).matrices
    assert np.isnan(matrices[0]).all()
    np.testing.assert_array_equal(matrices[1], matrices[2])


def test_a_negative_variance_gives_nan():
    assert np.isnan(decorrelation_matrix(np.array([[1.0, 2.0], [2.0, 1.0]]))).all()


def test_more_than_200_inputs_are_refused():
    fit_step("D", np.random.default_rng(1).normal(size=(300, 200)), np.zeros(300), 1)
    with pytest.raises(InputError, match=r"More than 200 variables \(201\), will not calculate decorrelation matrix"):
        fit_step("D", np.zeros((5, 201)), np.zeros(5), 1)
