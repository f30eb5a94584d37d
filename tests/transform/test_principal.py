"""P and its odd inverse."""

from __future__ import annotations

import math

import numpy as np
import pytest

from pytmva_bnn.errors import InputError
from pytmva_bnn.transform import PrincipalComponents
from pytmva_bnn.transform.principal import from_principal_components, principal_components


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
