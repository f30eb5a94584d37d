"""Weighted sums of rows in tiles: right for every number of sums and events, and the same for an event anywhere."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytmva_bnn.methods.mlp.kernels.block_kernels import empty_rows, new_rows
from pytmva_bnn.methods.mlp.kernels.tiles import HEIGHT, add_outer_products, combine


def sums_of(n: int, n_sums: int, x: np.ndarray, weights: np.ndarray) -> np.ndarray:
    values = empty_rows(weights, n + n_sums + 1, x.shape[1])
    values[1 : n + 1] = x  # not in the first row: an offset must be kept
    combine(weights, n_sums, 1, n, values[1:], values[n + 1 :], False)
    return values[n + 1 :].copy()


@settings(deadline=None)  # the first example compiles
@given(n=st.integers(1, 25), n_sums=st.integers(1, 2 * HEIGHT + 1), n_events=st.integers(1, 75))
def test_they_are_the_matrix_product(n, n_sums, n_events):
    random = np.random.default_rng(n_events)
    x, weights = random.normal(size=(n, n_events)), random.normal(size=(n, n_sums))
    np.testing.assert_allclose(sums_of(n, n_sums, x, weights.ravel()), weights.T @ x, rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("number", [np.float64, np.float32])
@pytest.mark.parametrize("n_sums", range(1, 2 * HEIGHT + 1))
def test_an_event_has_the_same_sums_alone_and_in_any_tile(n_sums, number):
    random = np.random.default_rng(3)
    x, weights = random.normal(size=(7, 1)).astype(number), random.normal(size=7 * n_sums).astype(number)
    alone = sums_of(7, n_sums, x, weights)
    assert alone.dtype == number
    np.testing.assert_allclose(alone[:, 0], weights.reshape(7, -1).T @ x[:, 0], rtol=20 * np.finfo(number).eps)
    for n_events in (2, 9, 41, 64, 130):
        np.testing.assert_array_equal(sums_of(7, n_sums, np.tile(x, n_events), weights), np.tile(alone, n_events))


def test_weights_may_lie_across():
    random = np.random.default_rng(4)
    x, weights = random.normal(size=(5, 20)), random.normal(size=(9, 5))
    values, sums = new_rows(5, 20), new_rows(9, 20)
    values[:] = x
    combine(weights.ravel(), 1, 5, 5, values, sums, False)
    np.testing.assert_allclose(sums, weights @ x, rtol=1e-12)


def test_a_nan_stays_with_its_event():
    x = np.ones((3, 40))
    x[1, 13] = np.nan
    found = sums_of(3, 4, x, np.ones(12))
    np.testing.assert_array_equal(np.isnan(found), np.tile(np.arange(40) == 13, (4, 1)))


@pytest.mark.parametrize("n", [1, 5, 8, 13, 21])
def test_outer_products_are_added_to_the_lower_triangle(n):
    random = np.random.default_rng(n)
    c, g, before = random.normal(size=(9, 24)), random.normal(size=(9, 24)), random.normal(size=(n, 24))
    total = before.copy()
    add_outer_products(c, g, 7, total)
    expected = before[:, :n] + c[:7, :n].T @ g[:7, :n]
    np.testing.assert_allclose(np.tril(total[:, :n]), np.tril(expected), rtol=1e-12, atol=1e-13)
