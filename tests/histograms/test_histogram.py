"""Bins are found and placed as in ROOT >= 6.38."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytmva_bnn.errors import InputError
from pytmva_bnn.histograms import Axis, from_contents


def naive_bin(h: Axis, x: float) -> int:
    n = h.n_bins
    if h.edges is None:
        low, high = h.x_min, h.x_max
    else:
        low, high = float(h.edges[0]), float(h.edges[-1])
    if x < low:
        return 0
    if not x < high:
        return n + 1
    if h.edges is None:
        w = (high - low) / n
        k = int((x - low) / w)
        return 1 + k - int(x < low + w * k) + int(low + w * (k + 1) <= x)
    edges = [float(e) for e in h.edges]
    if x in edges:
        return edges.index(x) + 1
    return max(i for i in range(n + 1) if edges[i] <= x) + 1


def equal(n: int, low: float = 0.0, high: float = 1.0) -> Axis:
    return Axis(n, low, high)


def variable(*edges: float) -> Axis:
    return Axis(len(edges) - 1, 0.0, 0.0, np.array(edges, dtype=float))


AXES = {
    "one bin": equal(1),
    "three bins": equal(3, -0.1, 0.2),
    "ten bins": equal(10),
    "many bins": equal(10000, -1.7, 3.3),
    "empty range": equal(2, 1.0, 1.0),
    "variable": variable(0.0, 0.1, 0.5, 2.0),
    "one variable bin": variable(0.0, 0.1),
    "first edge twice": variable(0.0, 0.0, 1.0, 2.0),
    "last edge twice": variable(0.0, 1.0, 2.0, 2.0),
    "inner edge three times": variable(0.0, 1.0, 1.0, 1.0, 2.0),
}


@pytest.mark.parametrize("name", AXES)
def test_bins_are_found_as_by_the_rule_at_edges_and_outside(name):
    h = AXES[name]
    n = h.n_bins
    edges = h.low_edge(np.arange(0, n + 3))
    x = np.concatenate(
        [
            edges,
            np.nextafter(edges, -9),
            np.nextafter(edges, 9),
            h.centres,
            [math.nan, math.inf, -math.inf],
        ]
    )
    expected = [naive_bin(h, float(v)) for v in x]
    assert h.find_bin(x).tolist() == expected
    assert [h.find_one(float(v)) for v in x] == expected


@settings(deadline=None)
@given(st.lists(st.floats(-3, 4), min_size=1, max_size=30), st.integers(1, 300))
def test_any_value_is_in_the_bin_between_its_edges(values, n):
    h = equal(n, -1.3, 2.9)
    bins = h.find_bin(values)
    assert bins.tolist() == [naive_bin(h, v) for v in values]
    inside = (bins >= 1) & (bins <= n)
    assert np.all(h.low_edge(bins)[inside] <= np.array(values)[inside])


def test_a_scalar_gives_a_scalar():
    assert int(equal(4).find_bin(0.3)) == 2


@pytest.mark.parametrize(
    ("axis", "bins", "low", "centre", "width"),
    [
        (equal(2, 1.0, 3.0), [0, 1, 2, 3], [0.0, 1.0, 2.0, 3.0], [0.5, 1.5, 2.5, 3.5], [1.0] * 4),
        (variable(0, 1, 4), [0, 1, 2, 3], [-2.0, 0.0, 1.0, 4.0], [-1.0, 0.5, 2.5, 5.0], [2.0, 1.0, 3.0, 2.0]),
    ],
    ids=["equal", "variable"],
)
def test_bins_outside_the_range_have_the_mean_width(axis, bins, low, centre, width):
    assert axis.low_edge(bins).tolist() == low
    assert axis.centre(bins).tolist() == centre
    assert axis.width(bins).tolist() == width


def test_the_ends_of_a_file_are_kept_but_edges_count():
    h = from_contents(np.ones(2), -9.0, 9.0, np.array([0.0, 1.0, 3.0]), name="h")
    assert (h.x_min, h.x_max) == (-9.0, 9.0)
    assert (h.axis.lower, h.axis.upper, h.width) == (0.0, 3.0, 1.5)


def test_contents_keep_float32_and_become_float64_otherwise():
    assert from_contents(np.float32([1, 2]), 0, 1, name="h").values.dtype == np.float32
    assert from_contents([1, 2], 0, 1, name="h").values.dtype == np.float64


@pytest.mark.parametrize(
    ("contents", "edges", "message"),
    [
        ([], None, "histogram 'h': contents must be a list of at least one number"),
        ([[1.0]], None, "histogram 'h': contents must be a list of at least one number"),
        ([1.0, 2.0], [0.0, 1.0], "histogram 'h': 2 bins need 3 edges"),
    ],
)
def test_wrong_shapes_are_refused(contents, edges, message):
    with pytest.raises(InputError, match=message):
        from_contents(contents, 0.0, 1.0, edges, name="h")


def test_axes_have_the_same_bins_if_all_edges_agree():
    assert equal(3, 0.0, 3.0).same_bins(variable(0.0, 1.0, 2.0, 3.0))
    assert not equal(3, 0.0, 3.0).same_bins(equal(3, 0.0, 3.1))
    assert not equal(3, 0.0, 3.0).same_bins(equal(4, 0.0, 3.0))
    assert not equal(3, 0.0, 3.0).same_bins(variable(0.0, 1.0, 2.5, 3.0))
