"""Weighted moments: event by event as a plain loop adds them, by numpy and by compiled code."""

# ruff: noqa: N806 - the notation of the method
import numpy as np
import pytest

from pytmva_bnn.reductions.moments import covariance, linear_sums, running_moments, weighted_sums


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
    return rng.normal(size=(3000, 5)).astype(np.float32), rng.normal(0.7, 0.5, 3000)


@pytest.mark.usefixtures("_mode")
def test_covariances_are_added_up_in_the_order_of_events(events):
    x, w = events
    np.testing.assert_array_equal(covariance(x, w), plain_covariance(x, w))


@pytest.mark.usefixtures("_mode")
def test_no_events_have_no_covariance():
    assert np.isnan(covariance(np.empty((0, 2), np.float32), np.empty(0))).all()


@pytest.mark.usefixtures("_mode")
def test_tables_of_other_types_and_layouts(events):
    x, w = events
    wide = x.astype(np.float64)
    for table in (wide, np.asfortranarray(wide), np.repeat(wide, 2, axis=0)[::2], wide.tolist()):
        np.testing.assert_array_equal(covariance(table, w), plain_covariance(wide, w))


def test_sums_do_not_depend_on_the_blocks(monkeypatch, events):
    x, w = events
    whole = weighted_sums(x[:500], w[:500])
    monkeypatch.setattr("pytmva_bnn.reductions.summation.blocks.__defaults__", (7,))
    for a, b in zip(whole, weighted_sums(x[:500], w[:500]), strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.usefixtures("_mode")
@pytest.mark.parametrize("rounded", [False, True])
def test_sums_around_a_centre_and_of_rounded_products(events, rounded):
    x, w = events
    centre = np.linspace(-1.0, 1.0, 5)
    first, second = np.zeros(5), np.zeros((5, 5))
    for row, weight in zip(x.astype(np.float64) - centre, w.tolist(), strict=True):
        first += row * weight
        products = np.outer(row, row)
        second += (products.astype(np.float32).astype(np.float64) if rounded else products) * weight
    found = weighted_sums(x, w, centre=centre, rounded=rounded)
    np.testing.assert_array_equal(found[0], first)
    np.testing.assert_array_equal(found[1], second)
    np.testing.assert_array_equal(linear_sums(x, w), weighted_sums(x, w)[0])


def correlated(n, n_inputs=3, seed=1):
    rng = np.random.default_rng(seed)
    return (rng.normal(size=(n, n_inputs)) @ rng.normal(size=(n_inputs, n_inputs)) + 5).astype(np.float32)


@pytest.mark.usefixtures("_mode")
@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 500])
def test_running_moments_are_those_of_the_loop(n, naive_moments):
    x = correlated(n, n_inputs=4)
    m, C = running_moments(x)
    expected_m, expected_C = naive_moments(x)
    assert m.tolist() == expected_m
    assert C.tolist() == expected_C


@pytest.mark.usefixtures("_mode")
def test_running_moments_of_many_events_are_mean_and_population_covariance():
    x = correlated(40000)
    m, C = running_moments(x)
    np.testing.assert_allclose(m, x.astype(float).mean(axis=0), rtol=1e-13)
    np.testing.assert_allclose(C, np.cov(x.astype(float).T, bias=True), rtol=1e-12)
