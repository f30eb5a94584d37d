"""Weighted moments: event by event as a plain loop adds them, by numpy and by compiled code."""

import numpy as np
import pytest

from pytmva_bnn.reductions.moments import class_covariances, covariance, covariances, weighted_moments


@pytest.fixture(params=["0", "1"])
def _mode(request, monkeypatch):
    if request.param == "1":
        pytest.importorskip("numba")
    monkeypatch.setenv("PYTMVA_BNN_FAST", request.param)


def plain_covariance(x, w):
    n = x.shape[1]
    total, first, second = 0.0, np.zeros(n), np.zeros((n, n))
    for row, weight in zip(x.astype(np.float64), w.tolist(), strict=True):
        total += weight
        first += row * weight
        second += np.outer(row, row) * weight
    return second / total - np.outer(first, first) / (total * total)


@pytest.fixture(scope="module")
def events():
    rng = np.random.default_rng(1)
    return rng.normal(size=(3000, 5)).astype(np.float32), rng.normal(0.7, 0.5, 3000), rng.integers(0, 3, 3000)


@pytest.mark.usefixtures("_mode")
def test_sets_of_events_are_added_up_in_their_order(events):
    x, w, classes = events
    chosen = [classes == k for k in range(3)]
    expected = [*(plain_covariance(x[one], w[one]) for one in chosen), plain_covariance(x, w)]
    for found, plain in zip(covariances(x, w, classes, 3), expected, strict=True):
        np.testing.assert_array_equal(found, plain)
    for found, plain in zip(class_covariances(x, w, classes, 3), expected[:3], strict=True):
        np.testing.assert_array_equal(found, plain)
    np.testing.assert_array_equal(covariance(x, w), expected[3])


@pytest.mark.usefixtures("_mode")
def test_one_class_is_one_set(events):
    x, w, _ = events
    (found,) = covariances(x, w, np.zeros(3000, int), 1)
    np.testing.assert_array_equal(found, plain_covariance(x, w))


@pytest.mark.usefixtures("_mode")
def test_a_class_without_events_has_no_covariance(events):
    x, w, _ = events
    first, empty = class_covariances(x, w, np.zeros(3000, int), 2)
    np.testing.assert_array_equal(first, plain_covariance(x, w))
    assert np.isnan(empty).all()


@pytest.mark.usefixtures("_mode")
def test_tables_of_other_types_and_layouts(events):
    x, w, _ = events
    wide = x.astype(np.float64)
    for table in (wide, np.asfortranarray(wide), np.repeat(wide, 2, axis=0)[::2], wide.tolist()):
        np.testing.assert_array_equal(covariance(table, w), plain_covariance(wide, w))


def test_moments_need_no_copy_of_all_events(events):
    x, w, _ = events
    W, first, second = weighted_moments(x.T, w)  # noqa: N806
    expected = second / W - np.outer(first, first) / (W * W)
    np.testing.assert_array_equal(expected, plain_covariance(x, w))
