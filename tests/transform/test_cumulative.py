"""Fitting G and U: bins, contents and the map they make, against scalar loops in float32."""

from __future__ import annotations

import logging

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytmva_bnn.errors import InputError
from pytmva_bnn.histograms import Axis
from pytmva_bnn.histograms.smoothing import smooth
from pytmva_bnn.transform import fit_step
from pytmva_bnn.transform.cumulative import equal_weight_edges, stable_order, weight_per_bin

F = np.float32


def naive_edges_and_contents(values, weights):
    total, smallest = F(0), F(1e11)
    for w in weights:
        total = F(total + w)
        smallest = min(smallest, w)
    q = max(F(smallest * F(10)), F(total / F(2000)))
    pairs = sorted(zip(values, weights, strict=True), key=lambda pair: pair[0])  # Python's sort is stable
    last = pairs[0][0]
    edges, s = [F(last - F(1e-4)), last], F(0)
    for v, w in pairs:
        s = F(s + w)
        if s >= q and v > last:
            edges.append(v)
            s, last = F(0), v
    if s != 0:
        edges.append(pairs[-1][0])
    axis = Axis(len(edges) - 1, 0.0, 0.0, np.array(edges, float))
    contents = [F(0)] * (len(edges) + 1)
    for v, w in zip(values, weights, strict=True):
        b = int(axis.find_bin(v))
        contents[b] = F(contents[b] + w)
    smoothed = smooth(contents[1:-1]).astype(F)
    positive = 0.0
    for c in smoothed:
        positive += float(c) if c > 0 else 0.0
    running, cumulated = 0.0, []
    for c in smoothed:
        running += float(c) if c > 0 else 0.0
        cumulated.append(F(running / positive))
    return [float(e) for e in edges], cumulated


def samples(name):
    rng = np.random.default_rng(7)
    x = rng.normal(size=400).astype(F)
    match name:
        case "unit weights":
            return x, np.ones(400)
        case "weights":
            return x, rng.uniform(0.1, 3, 400)
        case "negative weights":
            return x, rng.normal(1, 0.8, 400)
        case "repeated values":
            return np.round(x), rng.uniform(0.1, 3, 400)
        case "repeated maximum":
            return np.minimum(x, F(1)), np.ones(400)
        case "few events":
            return x[:25], np.ones(25)
        case "large values":
            return x + F(1e5), np.ones(400)
        case "many events":
            return rng.normal(size=30000).astype(F), rng.uniform(0.5, 1.5, 30000)
    raise AssertionError(name)


NAMES = [
    "unit weights",
    "weights",
    "negative weights",
    "repeated values",
    "repeated maximum",
    "few events",
    "large values",
    "many events",
]


@pytest.mark.parametrize("name", NAMES)
def test_bins_and_contents_are_those_of_a_scalar_loop_bit_for_bit(name):
    x, w = samples(name)
    histogram = fit_step("G", x[:, None], np.zeros(len(x)), 1, w).cumulatives[0][0].histogram
    edges, contents = naive_edges_and_contents(x, w.astype(F))
    assert histogram.axis.edges.tolist() == edges
    assert histogram.values.tolist() == contents
    assert histogram.values.dtype == F


def test_the_sets_of_each_input_are_the_classes_and_all():
    x, w = samples("weights")
    columns, classes = np.stack([x, x[::-1] ** 2], axis=1), np.arange(400) % 2
    step = fit_step("G", columns, classes, 2, w)
    for position in range(2):
        for number, chosen in enumerate([classes == 0, classes == 1, classes >= 0]):
            record = step.cumulatives[position][number]
            edges, contents = naive_edges_and_contents(columns[chosen, position], w[chosen].astype(F))
            assert record.histogram.axis.edges.tolist() == edges
            assert record.histogram.values.tolist() == contents
            assert record.name == f"GaussTransform var{position} cls{number}"
            assert record.histogram.name == f"Cumulative_Var{position}_cls{number}_original"
            assert (record.interpolation, record.kde_type, record.kde_fine_factor) == (1, 0, 0.0)


@settings(deadline=None, max_examples=100)
@given(
    st.lists(st.tuples(st.integers(0, 20), st.integers(-2, 9)), min_size=1, max_size=200),
    st.floats(-5, 40, width=32),
)
def test_edges_of_any_events_are_those_of_a_scalar_loop(pairs, q):
    pairs = sorted(pairs, key=lambda pair: pair[0])
    v, w = np.float32([p[0] for p in pairs]), np.float32([p[1] for p in pairs])
    last, s, expected = v[0], F(0), [v[0] - F(1e-4), v[0]]
    for value, weight in zip(v, w, strict=True):
        s = F(s + weight)
        if s >= q and value > last:
            expected.append(value)
            s, last = F(0), value
    if s != 0:
        expected.append(v[-1])
    assert equal_weight_edges(v, w, F(q)).tolist() == [float(e) for e in expected]


def test_a_bin_larger_than_expected_is_summed_in_pieces():
    v, w = np.arange(1000, dtype=F), np.ones(1000, F)
    assert equal_weight_edges(v, w, F(900)).tolist() == [float(F(-1e-4)), 0.0, 899.0, 999.0]


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 10**6), st.booleans())
def test_the_map_of_the_inputs_increases(seed, flat):
    x = np.random.default_rng(seed).normal(size=(200, 1)).astype(F)
    y = fit_step("U" if flat else "G", x, np.zeros(200), 1).apply(np.sort(x, axis=0))[:, 0]
    assert np.all(np.diff(y) >= 0)
    assert y[0] < y[-1]


def test_uniform_and_gaussian_events_come_out():
    x = np.random.default_rng(3).exponential(size=(20000, 1)).astype(F)
    uniform = fit_step("U", x, np.zeros(20000), 1).apply(x)
    assert (uniform.mean(), uniform.std()) == (pytest.approx(0.5, abs=0.02), pytest.approx(12**-0.5, abs=0.02))
    gauss = fit_step("G", x, np.zeros(20000), 1).apply(x)
    assert (gauss.mean(), gauss.std()) == (pytest.approx(0, abs=0.05), pytest.approx(1, abs=0.05))


def test_a_constant_gives_the_lower_limit(caplog):
    with caplog.at_level(logging.WARNING):
        step = fit_step("U", np.full((50, 1), 3.0), np.zeros(50), 1)
    assert np.isnan(step.cumulatives[0][0].histogram.values).all()
    assert step.apply(np.float32([[3.0], [0.0], [9.0]])).ravel().tolist() == [float(F(1e-9))] * 3
    assert "bin edges must be in increasing order" in caplog.text
    assert "smoothing needs at least 3 bins" in caplog.text


def test_one_event_is_possible():
    histogram = fit_step("G", [[1.0]], [0], 1).cumulatives[0][0].histogram
    assert histogram.axis.edges.tolist() == [float(F(1) - F(1e-4)), 1.0, 1.0]


def test_the_aim_is_ten_events_or_a_2000th():
    assert weight_per_bin(np.full(100, 0.5, F)) == F(5)
    assert weight_per_bin(np.ones(100000, F)) == F(50)
    assert weight_per_bin(np.empty(0, F)) == F(F(1e11) * F(10))


@pytest.mark.parametrize(
    ("x", "classes", "n_classes", "message"),
    [
        ([[1.0], [np.nan]], [0, 0], 1, "NaN"),
        (np.empty((0, 1)), [], 1, "there are no training events"),
    ],
)
def test_events_without_distribution_are_refused(x, classes, n_classes, message):
    with pytest.raises(InputError, match=message):
        fit_step("G", x, classes, n_classes)


@pytest.mark.parametrize("mode", ["0", "1"])
def test_a_class_without_events_has_the_distribution_of_all(monkeypatch, mode):
    monkeypatch.setenv("PYTMVA_BNN_FAST", mode)
    x = np.random.default_rng(1).normal(size=(200, 1)).astype(F)
    classes = np.repeat([0, 2], 100)
    (sets,) = fit_step("G", x, classes, 3).cumulatives
    (without,) = fit_step("G", x, classes // 2, 2).cumulatives
    assert [record.name for record in sets] == [f"GaussTransform var0 cls{number}" for number in range(4)]
    for own, expected in zip(sets, [without[0], without[2], without[1], without[2]], strict=True):
        np.testing.assert_array_equal(own.histogram.values, expected.histogram.values)
        np.testing.assert_array_equal(own.histogram.axis.edges, expected.histogram.axis.edges)


def test_more_than_200_inputs_are_only_a_warning(caplog):
    with caplog.at_level(logging.WARNING):
        step = fit_step("G", np.random.default_rng(1).normal(size=(30, 201)), np.zeros(30), 1)
    assert len(step.cumulatives) == 201
    assert "more than 200 variables" in caplog.text


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
