"""Bins are found and placed as in ROOT >= 6.38."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytmva_bnn.errors import InputError
from pytmva_bnn.histograms import Histogram


def naive_bin(h: Histogram, x: float) -> int:
    n = len(h.contents)
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


def equal(n: int, low: float = 0.0, high: float = 1.0) -> Histogram:
    return Histogram("h", np.ones(n), low, high)


def variable(*edges: float) -> Histogram:
    return Histogram("h", np.ones(len(edges) - 1), 0.0, 0.0, np.array(edges))


HISTOGRAMS = {
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


@pytest.mark.parametrize("name", HISTOGRAMS)
def test_bins_are_found_as_by_the_rule_at_edges_and_outside(name):
    h = HISTOGRAMS[name]
    n = h.n_bins
    edges = h.low_edge(np.arange(0, n + 3))
    x = np.concatenate(
        [
            edges,
            np.nextafter(edges, -9),
            np.nextafter(edges, 9),
            h.all_centres(),
            [math.nan, math.inf, -math.inf],
        ]
    )
    assert h.find_bin(x).tolist() == [naive_bin(h, float(v)) for v in x]


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
    ("histogram", "bins", "low", "centre", "width"),
    [
        (equal(2, 1.0, 3.0), [0, 1, 2, 3], [0.0, 1.0, 2.0, 3.0], [0.5, 1.5, 2.5, 3.5], [1.0] * 4),
        (variable(0, 1, 4), [0, 1, 2, 3], [-2.0, 0.0, 1.0, 4.0], [-1.0, 0.5, 2.5, 5.0], [2.0, 1.0, 3.0, 2.0]),
    ],
    ids=["equal", "variable"],
)
def test_bins_outside_the_range_have_the_mean_width(histogram, bins, low, centre, width):
    assert histogram.low_edge(bins).tolist() == low
    assert histogram.centre(bins).tolist() == centre
    assert histogram.width(bins).tolist() == width


def test_the_ends_of_a_file_are_kept_but_edges_count():
    h = Histogram("h", np.ones(2), -9.0, 9.0, np.array([0.0, 1.0, 3.0]))
    assert (h.x_min, h.x_max) == (-9.0, 9.0)
    assert (h.lower, h.upper, h.mean_width) == (0.0, 3.0, 1.5)


def test_contents_keep_float32_and_become_float64_otherwise():
    assert Histogram("h", np.float32([1, 2]), 0, 1).contents.dtype == np.float32
    assert Histogram("h", [1, 2], 0, 1).contents.dtype == np.float64


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
        Histogram("h", contents, 0.0, 1.0, edges)
