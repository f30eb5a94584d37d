"""Filling and normalising against loops over events."""

from __future__ import annotations

import numpy as np
import pytest

from pytmva_bnn.errors import InputError
from pytmva_bnn.histograms import Axis, Histogram1D, Histogram2D, fill_1d, fill_2d, from_contents, normalised


@pytest.fixture
def events():
    rng = np.random.default_rng(5)
    return rng.normal(size=200), rng.normal(size=200), rng.uniform(-0.2, 1.0, 200)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_contents_add_up_one_by_one_in_their_precision(events, dtype):
    x, _, w = events
    h = fill_1d(x, w, 7, -1.5, 1.5, dtype=dtype)
    contents, squares = np.zeros(9, dtype), np.zeros(9)
    for b, weight in zip(Axis(7, -1.5, 1.5).find_bin(x), w, strict=True):
        contents[b] += dtype(weight)
        squares[b] += weight * weight
    assert h.cells.dtype == dtype
    assert h.cells.tolist() == contents.tolist()
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
    for i, j, weight in zip(Axis(3, -1.0, 1.0).find_bin(x), Axis(4, -2.0, 1.0).find_bin(y), w, strict=True):
        contents[i, j] += np.float32(weight)
    assert h.cells.tolist() == contents.tolist()
    assert h.sumw2 is not None
    assert fill_2d(x, y, None, (3, 4), (-1.0, 1.0), (-2.0, 1.0)).sumw2 is None


def test_the_bin_agrees_with_its_edges_also_where_the_quotient_is_rounded():
    low, high, n = 0.1, 0.7, 6
    width = (high - low) / n
    edges = low + width * np.arange(n)
    assert Axis(n, low, high).find_bin(edges).tolist() == list(range(1, n + 1))
    assert Axis(n, low, high).find_bin(np.nextafter(edges, -1)).tolist() == list(range(n))


def test_normalising_gives_area_one_and_scales_errors_and_statistics():
    h = normalised(fill_1d([0.1, 0.2, 0.9, 5.0], [1.0, 2.0, 1.0, 4.0], 4, 0.0, 2.0))
    assert h.values.sum() * h.width == pytest.approx(1.0)
    assert h.cells[-1] == pytest.approx(2.0)  # the overflow is scaled, but is no part of the area
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


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("two", [False, True], ids=["one axis", "two axes"])
def test_filling_all_at_once_in_parts_or_one_by_one_gives_the_same_bits(events, two, dtype):
    x, y, w = events
    columns = (x, y) if two else (x,)
    axes = (Axis(7, -1.5, 1.5), Axis(3, 0.0, 0.0, np.array([-2.0, -1.0, 0.5, 1.0])))[: 1 + two]
    kind = Histogram2D if two else Histogram1D
    whole, parts, single = (kind.empty(*axes, dtype=dtype) for _ in range(3))
    whole.fill(*columns, weights=w)
    for part in (slice(0, 70), slice(70, 71), slice(71, 71), slice(71, 200)):
        parts.fill(*(one[part] for one in columns), weights=w[part])
    cells = [single.fill_one([float(one[k]) for one in columns], float(w[k])) for k in range(len(w))]
    assert cells == list(
        zip(*(axis.find_bin(one).tolist() for axis, one in zip(axes, columns, strict=True)), strict=True)
    )
    for other in (parts, single):
        np.testing.assert_array_equal(other.cells, whole.cells)
        np.testing.assert_array_equal(other.sumw2, whole.sumw2)
        np.testing.assert_array_equal(other.statistics, whole.statistics)
        assert other.entries == whole.entries == 200


def test_squared_errors_before_the_first_weight_are_the_contents():
    h = Histogram1D.empty(Axis(2, 0.0, 1.0)).fill([0.1, 0.2, 0.7])
    assert h.sumw2 is None
    assert h.squares.tolist() == [0.0, 2.0, 1.0, 0.0]
    assert h.fill([0.6], weights=[0.5]).sumw2.tolist() == [0.0, 2.0, 1.25, 0.0]


def test_mean_and_spread_are_those_of_the_values_or_of_the_bins_if_those_are_unknown():
    h = fill_1d([0.125, 0.25, 3.0], [1.0, 3.0, 9.0], 2, 0.0, 1.0)
    assert h.mean() == (0.125 + 0.75) / 4
    assert h.standard_deviation() == pytest.approx(np.sqrt((0.015625 + 3 * 0.0625) / 4 - h.mean() ** 2))
    bins = from_contents([1.0, 3.0], 0.0, 1.0)
    assert (bins.mean(), bins.standard_deviation()) == (0.625, pytest.approx(np.sqrt(0.4375 - 0.390625)))
    assert Histogram1D.empty(Axis(2, 0.0, 1.0)).mean() == 0.0
    pairs = Histogram2D.empty(Axis(2, 0.0, 1.0), Axis(2, 0.0, 2.0)).fill([0.1, 0.2], [1.5, 0.25])
    assert (pairs.mean(0), pairs.mean(1)) == (pytest.approx(0.15), 0.875)
    assert pairs.statistics[6] == pytest.approx(0.1 * 1.5 + 0.2 * 0.25)


def test_scaling_is_done_in_double_precision_before_it_is_rounded():
    h = fill_1d([0.5] * 3, None, 1, 0.0, 1.0, dtype=np.float32)
    scaled = h.scaled(0.1)
    contents = np.arange(1, 100, dtype=np.float32)
    assert (
        from_contents(contents, 0.0, 1.0).scaled(0.1).values.tolist()
        == (contents * np.float64(0.1)).astype("f4").tolist()
    )
    assert scaled.sumw2[1] == pytest.approx(0.03)
    assert scaled.statistics.tolist() == pytest.approx([0.3, 0.03, 0.15, 0.075])
    assert h.cells[1] == 3.0


def test_cells_are_merged_along_x_first_in_single_precision():
    h = fill_2d([], [], None, (2, 2), (0.0, 1.0), (0.0, 1.0))
    h.values[...] = [[1.0, 2.0**24], [1.0, 0.0]]
    h.cells[0, 1], h.cells[1, -1] = 3.0, 4.0
    merged = h.merged()
    assert merged.values.tolist() == [[2.0**24 + 2]]  # along y first, both 1 would be lost
    assert (merged.cells[0, 1], merged.cells[1, -1]) == (3.0, 4.0)
    assert [axis.n_bins for axis in merged.axes] == [1, 1]


def test_a_copy_and_one_with_other_values_are_filled_on_their_own():
    h = fill_1d([0.1, 0.7], [1.0, 2.0], 2, 0.0, 1.0)
    for other in (h.copy(), h.with_values(np.float32([5.0, 6.0]))):
        other.fill_one([0.1], 3.0)
        assert (h.cells[1], h.sumw2[1], h.statistics[0], h.entries) == (1.0, 1.0, 3.0, 2.0)
    assert other.cells.tolist() == [0.0, 8.0, 6.0, 0.0]
    assert other.cells.dtype == np.float32


def test_cells_must_fit_the_axes():
    with pytest.raises(InputError, match=r"histogram 'h': cells of shape \(3,\) for bins of shape \(4,\)"):
        Histogram1D((Axis(2, 0.0, 1.0),), np.zeros(3), name="h")
