"""Events as rows of variables: every number in its place, for all numbers of variables and events."""

import numpy as np
import pytest

from pytmva_bnn.methods.mlp.kernels.transposition import take_events


@pytest.mark.parametrize("number", [np.float32, np.float64])
@pytest.mark.parametrize("n", [1, 3, 4, 5, 7, 8, 9, 16, 19])
@pytest.mark.parametrize("m", [1, 4, 7, 8, 29])
def test_rows_are_the_columns_of_the_events_with_ones_behind_them(number, n, m):
    x = np.arange(n * (m + 4), dtype=np.float32).reshape(-1, n)
    rows = np.zeros((n + 1, m + 2), dtype=number)
    take_events(x, 3, m, rows)
    np.testing.assert_array_equal(rows[:n, :m], x[3 : 3 + m].T)
    np.testing.assert_array_equal(rows[:n, m:], 1.0)
    np.testing.assert_array_equal(rows[n], 0.0)  # that of the bias neuron belongs to others


def test_columns_of_other_arrays_are_found():
    x = np.asfortranarray(np.arange(90, dtype=np.float32).reshape(9, 10))
    rows = np.zeros((10, 9))
    take_events(x, 0, 9, rows)
    np.testing.assert_array_equal(rows, x.T)
