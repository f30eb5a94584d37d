"""Sums one term at a time, by numpy in blocks and by compiled code."""

import itertools

import numpy as np
import pytest

from pytmva_bnn.reductions.summation import BLOCK, sequential_sum

SIZES = [1, 2, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK + 17]


@pytest.fixture(params=["0", "1"])
def _mode(request, monkeypatch):
    if request.param == "1":
        pytest.importorskip("numba")
    monkeypatch.setenv("PYTMVA_BNN_FAST", request.param)


def one_by_one(terms):
    return list(itertools.accumulate(terms.tolist()))[-1]


@pytest.mark.usefixtures("_mode")
@pytest.mark.parametrize("n", SIZES)
def test_terms_are_added_in_their_order(n):
    terms = np.random.default_rng(n).normal(size=n) * 1e3
    assert float(sequential_sum(terms)) == one_by_one(terms)
    strided = np.repeat(terms, 2)[::2]
    assert float(sequential_sum(strided)) == one_by_one(terms)


@pytest.mark.usefixtures("_mode")
@pytest.mark.parametrize("n", SIZES)
def test_rows_and_columns(n):
    table = np.random.default_rng(n).normal(size=(3, n))
    expected = [one_by_one(row) for row in table]
    assert sequential_sum(table).tolist() == expected
    assert sequential_sum(np.ascontiguousarray(table.T), axis=0).tolist() == expected


@pytest.mark.usefixtures("_mode")
def test_terms_stay_as_they_are_and_infinities_pass():
    terms = np.full(2 * BLOCK, 0.1)
    terms[-1] = np.inf
    before = terms.copy()
    assert sequential_sum(terms) == np.inf
    np.testing.assert_array_equal(terms, before)


@pytest.mark.usefixtures("_mode")
def test_no_terms():
    assert sequential_sum(np.empty(0)) == 0.0
    assert sequential_sum(np.empty((2, 0))).tolist() == [0.0, 0.0]
