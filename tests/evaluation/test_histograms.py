"""Filling and normalising against loops over events."""

from __future__ import annotations

import numpy as np
import pytest

from pytmva_bnn.errors import InputError
from pytmva_bnn.evaluation.histograms import fill_1d, fill_2d, find_bins, from_contents, normalised


@pytest.fixture
def events():
    rng = np.random.default_rng(5)
    return rng.normal(size=200), rng.normal(size=200), rng.uniform(-0.2, 1.0, 200)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_contents_add_up_one_by_one_in_their_precision(events, dtype):
    x, _, w = events
    h = fill_1d(x, w, 7, -1.5, 1.5, dtype=dtype)
    contents, squares = np.zeros(9, dtype), np.zeros(9)
    for b, weight in zip(find_bins(x, 7, -1.5, 1.5), w, strict=True):
        contents[b] += dtype(weight)
        squares[b] += weight * weight
    assert h.contents.dtype == dtype
    assert h.contents.tolist() == contents.tolist()
    assert h.sumw2.tolist() == squares.tolist()


def test_statistics_are_of_events_in_range_only(events):
    x, _, w = events
    inside = (x >= -1.5) & (x < 1.5)
    expected = [np.sum((w * f)[inside]) for f in (np.ones_like(x), w, x, x * x)]
    np.testing.assert_allclose(fill_1d(x, w, 7, -1.5, 1.5).statistics, expected, rtol=1e-13)


def test_two_dimensions_are_filled_like_one_after_the_other(events):
    x, y, w = events
    h = fill_2d(x, y, w, (3, 4), (-1.0, 1.0), (-2.0, 1.0))
    contents = np.zeros((5, 6), np.float32)
    for i, j, weight in zip(find_bins(x, 3, -1.0, 1.0), find_bins(y, 4, -2.0, 1.0), w, strict=True):
        contents[i, j] += np.float32(weight)
    assert h.contents.tolist() == contents.tolist()
    assert h.sumw2 is not None
    assert fill_2d(x, y, None, (3, 4), (-1.0, 1.0), (-2.0, 1.0)).sumw2 is None


def test_the_bin_agrees_with_its_edges_also_where_the_quotient_is_rounded():
    low, high, n = 0.1, 0.7, 6
    width = (high - low) / n
    edges = low + width * np.arange(n)
    assert find_bins(edges, n, low, high).tolist() == list(range(1, n + 1))
    assert find_bins(np.nextafter(edges, -1), n, low, high).tolist() == list(range(n))


def test_normalising_gives_area_one_and_scales_errors_and_statistics():
    h = normalised(fill_1d([0.1, 0.2, 0.9, 5.0], [1.0, 2.0, 1.0, 4.0], 4, 0.0, 2.0))
    assert h.values.sum() * h.width == pytest.approx(1.0)
    assert h.contents[-1] == pytest.approx(2.0)  # the overflow is scaled, but is no part of the area
    assert h.sumw2[1] == pytest.approx(5.0 * 0.25)
    assert h.statistics[0] == pytest.approx(2.0)


@pytest.mark.parametrize("contents", [[0.0, 0.0], [1.0, -2.0]])
def test_without_a_positive_area_nothing_is_normalised(contents):
    h = from_contents(contents, 0.0, 1.0)
    assert normalised(h) is h


def test_arrays_that_do_not_fit_are_refused():
    with pytest.raises(InputError, match="same length"):
        fill_1d([1.0, 2.0], [1.0], 2, 0.0, 1.0)
    with pytest.raises(InputError, match="differ in length"):
        fill_2d([1.0], [1.0, 2.0], None, (1, 1), (0.0, 1.0), (0.0, 1.0))
