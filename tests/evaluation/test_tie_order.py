"""The order that std::sort leaves: records of the GNU library (g++ -O2), and that it sorts at all."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytmva_bnn.evaluation.tie_order import std_sort_order


@given(st.lists(st.integers(0, 9), max_size=700))
@settings(deadline=None)
def test_it_is_a_permutation_that_sorts(values):
    v = np.array(values, dtype=np.float32)
    order = std_sort_order(v)
    assert sorted(order.tolist()) == list(range(len(v)))
    assert np.all(np.diff(v[order]) >= 0)


def test_nan_gives_a_stable_order():
    v = np.array([1.0, np.nan, *np.zeros(30), 1.0])
    assert std_sort_order(v).tolist() == [*range(2, 32), 0, 32, 1]


def test_values_that_are_bad_for_the_choice_of_medians_are_sorted_too():
    v = np.minimum(np.arange(1000), 999 - np.arange(1000)).astype(np.float32)
    assert np.all(np.diff(v[std_sort_order(v)]) >= 0)


def formula(n, k):
    return ((np.arange(n, dtype=np.int64) * 7919 + 13) % 10007 % k).astype(np.float32)


RECORDS = [
    (17, 1, "1cefe2ca9d115cf9"),
    (17, 2, "da72a72e18527a40"),
    (17, 10, "b1a083de473528c4"),
    (17, 1000, "b5cb4472c6185913"),
    (40, 1, "6b43480a87badef5"),
    (40, 2, "284992c2886f4ff8"),
    (40, 10, "42675cd98b04042b"),
    (40, 1000, "0532151ddf413454"),
    (161, 1, "aef397fb132b3f35"),
    (161, 2, "766da91e8de5ea04"),
    (161, 10, "8698052c391ad3b3"),
    (161, 1000, "8c5d92387497fc25"),
    (500, 1, "814303a3f20526bb"),
    (500, 2, "5b000e3293ec085a"),
    (500, 10, "79433ec33dad5e14"),
    (500, 1000, "14b53eaa62613f40"),
    (3500, 1, "35fb8e75c51f3419"),
    (3500, 2, "d5769aaa0b20a851"),
    (3500, 10, "26302d299c0523af"),
    (3500, 1000, "3e01ad00552d8683"),
    (20000, 1, "83711396e874abc7"),
    (20000, 2, "955767b6b015ea45"),
    (20000, 10, "1b1020d1da56ee07"),
    (20000, 1000, "40eae64afd2fc614"),
]


@pytest.mark.parametrize(("n", "k", "digest"), RECORDS)
def test_it_is_the_order_of_the_gnu_library(n, k, digest):
    order = std_sort_order(formula(n, k)).astype("<i4")
    assert hashlib.sha256(order.tobytes()).hexdigest()[:16] == digest
