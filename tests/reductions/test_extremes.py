"""Smallest and largest values of columns, whatever the shape of the table."""

import numpy as np
import pytest

from pytmva_bnn.reductions.extremes import over_rows


@pytest.mark.parametrize("n_rows", [1, 2, 3, 10, 99, 1000, 70_001])
@pytest.mark.parametrize("n_columns", [1, 2, 3, 20])
@pytest.mark.parametrize("function", [np.minimum, np.maximum, np.fmin, np.fmax])
def test_columns_are_reduced_as_numpy_does(function, n_rows, n_columns):
    table = np.random.default_rng(n_rows).normal(size=(n_rows, n_columns)).astype(np.float32)
    np.testing.assert_array_equal(over_rows(function, table), function.reduce(table, axis=0))


@pytest.mark.parametrize("function", [np.fmin, np.fmax])
def test_missing_and_infinite_values(function):
    table = np.random.default_rng(1).normal(size=(5000, 3)).astype(np.float32)
    table[::7, 0], table[3, 1], table[:, 2] = np.nan, -np.inf, np.nan
    np.testing.assert_array_equal(over_rows(function, table, initial=1.0), function.reduce(table, axis=0, initial=1.0))


def test_tables_that_are_not_contiguous():
    table = np.random.default_rng(1).normal(size=(5000, 6))
    for view in (table[:, ::2], table.T, np.asfortranarray(table), table[::3]):
        np.testing.assert_array_equal(over_rows(np.minimum, view), view.min(axis=0))


def test_no_rows_and_no_columns():
    assert over_rows(np.fmin, np.empty((0, 2)), initial=5.0).tolist() == [5.0, 5.0]
    assert over_rows(np.minimum, np.empty((3, 0))).shape == (0,)
