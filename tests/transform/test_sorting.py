"""The stable order by way of integers is that of numpy's stable sort."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytmva_bnn.transform.sorting import sorting_keys, stable_order

NUMBERS = st.floats(width=32, allow_nan=False)


@given(st.lists(NUMBERS, max_size=60))
def test_order_of_any_numbers(values):
    array = np.array(values, dtype=np.float32)
    assert stable_order(array).tolist() == np.argsort(array, kind="stable").tolist()


def test_equal_values_and_both_zeros_keep_their_order():
    values = np.float32([0.0, -0.0, 1.0, -0.0, 0.0, -1.0, 1.0])
    assert stable_order(values).tolist() == [5, 0, 1, 3, 4, 2, 6]


def test_large_and_small_numbers_and_infinities():
    values = np.float32([np.inf, 3e38, -np.inf, 1e-45, -1e-45, 0.0, -3e38])
    assert stable_order(values).tolist() == np.argsort(values, kind="stable").tolist()


def test_compiled_keys_are_the_same():
    pytest.importorskip("numba")
    from pytmva_bnn.transform.cumulative_kernels import make_keys

    values = np.random.default_rng(1).normal(size=1000).astype(np.float32)
    values[:4] = [0.0, -0.0, np.inf, -np.inf]
    keys = np.empty(1000, np.uint64)
    make_keys(values, keys)
    np.testing.assert_array_equal(keys, sorting_keys(values))
