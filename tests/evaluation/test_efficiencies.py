"""Efficiency histograms and what is read off them, against loops over events and bins."""

from __future__ import annotations

import numpy as np
import pytest

from pytmva_bnn.errors import InputError
from pytmva_bnn.evaluation import BinarySample, maximum_significance
from pytmva_bnn.evaluation.efficiencies import (
    BackgroundCurve,
    cut_efficiencies,
    efficiency_histogram,
    training_efficiencies,
)
from pytmva_bnn.evaluation.responses import ResponseStatistics, response_statistics
from pytmva_bnn.histograms import from_contents


def naive_efficiency(response, weight, low, high, positive):
    """Return the sums of each bin, one event after the other."""
    n = 10000
    sums = np.zeros(n + 1)
    for v, w in zip(response, weight, strict=True):
        m = int((v - low) / (high - low) * n) + 1
        if positive:
            if m <= n:
                sums[1 : max(m, 1) + 1] += w
        elif m >= 1:
            sums[min(m, n) + 1 :] += w
    return sums[1:] / max(np.finfo(float).eps, sums[1:].max())


def naive_line(X, Y, x):  # noqa: N803
    i = max([k for k in range(len(X)) if X[k] <= x], default=0)
    k = i + 1 if (x > X[i] and i != len(X) - 1) or i == 0 else i - 1
    return Y[i] + (x - X[i]) * (Y[i] - Y[k]) / (X[i] - X[k])


def naive_signal_efficiency(curve, b):
    grid = [(k - 0.5) / 100 for k in range(1, 101)]
    ref, before, e_before = float(np.float32(b)), 0.0, 0.0
    for k in range(1, 1001):
        e = (k - 0.5) / 1000
        value = naive_line(grid, curve, e)
        if (value - ref) * (before - ref) <= 0:
            return 0.5 * (e + e_before)
        before, e_before = value, e
    return e_before


@pytest.fixture(params=[1.0, -1.0], ids=["signal above", "signal below"])
def sample(request):
    rng = np.random.default_rng(7)
    signal = rng.random(60) < 0.5
    response = np.tanh(rng.normal(request.param * np.where(signal, 1.0, -1.0), 1.0))
    return BinarySample(response, rng.uniform(-0.2, 2.0, 60), signal)


def test_the_histogram_is_that_of_a_loop(sample):
    statistics = response_statistics(sample)
    assert statistics.positive == (sample.response[sample.is_signal].mean() > 0)
    low, high = statistics.x_min, statistics.histogram_max
    for chosen in (sample.is_signal, ~sample.is_signal):
        v, w = sample.response[chosen].astype(float), sample.weight32[chosen].astype(float)
        found = efficiency_histogram(v, w, statistics)
        expected = naive_efficiency(v, w, low, high, statistics.positive)
        np.testing.assert_allclose(found.values, expected, rtol=1e-13, atol=1e-14)


@pytest.mark.parametrize("positive", [True, False])
def test_events_beyond_the_range_count_or_not_as_in_tmva(positive):
    means = (0.6, 0.4) if positive else (0.4, 0.6)
    statistics = ResponseStatistics(means[0], 1.0, means[1], 1.0, 0.0, 1.0)
    v, w = np.array([-1.0, 0.5, 2.0, np.nan]), np.ones(4)
    found = efficiency_histogram(v, w, statistics).values
    # cut on large values: -1 and NaN pass only the lowest cut, 2 is lost; on small ones: the other way round
    expected = naive_efficiency([-1.0, 0.5, 2.0, -1.0], w, 0.0, statistics.histogram_max, positive)
    assert found.tolist() == expected.tolist()


def test_the_efficiency_at_a_background_is_that_of_a_scan():
    rng = np.random.default_rng(2)
    curve = BackgroundCurve(np.sort(rng.random(100)) ** 2)
    for b in (0.0, 0.01, 0.1, 0.3, 0.9, 1.0):
        expected = naive_signal_efficiency(curve.background_efficiency.tolist(), b)
        assert curve.signal_efficiency_at(b) == pytest.approx(expected, abs=1e-15)


def test_the_cuts_have_the_efficiencies_they_were_sought_for():
    rng = np.random.default_rng(3)
    signal = np.arange(20000) < 10000
    sample = BinarySample(rng.normal(signal, 1.0), None, signal)
    found = cut_efficiencies(sample, response_statistics(sample))
    passed = [(sample.response[signal] > cut).mean() for cut in found.cuts]
    np.testing.assert_allclose(passed, (np.arange(100) + 0.5) / 100, atol=2e-3)
    assert np.all(np.diff(found.cuts) < 0)
    at_cut = [(sample.response[chosen] > found.reference_cut).mean() for chosen in (signal, ~signal)]
    assert at_cut[0] == pytest.approx(1 - at_cut[1], abs=5e-3)
    assert found.curve.area == pytest.approx(0.76, abs=0.01)


def test_training_numbers_use_the_cuts_of_the_test_signal():
    rng = np.random.default_rng(4)
    signal = np.arange(4000) < 2000
    test = BinarySample(rng.normal(signal, 1.0), None, signal)
    # the training signal does not matter at all: here it is nonsense
    train = BinarySample(np.where(signal, -9.0, test.response), None, signal)
    statistics = response_statistics(test)
    found = cut_efficiencies(test, statistics)
    trained = training_efficiencies(train, statistics, found)
    assert trained.curve.background_efficiency.tolist() == found.curve.background_efficiency.tolist()


@pytest.mark.parametrize("response", [[0.5, 0.5, 0.5, 0.5], [1e6, 1e6, 1e6, 1e6]])
def test_equal_responses_are_no_error(response, caplog):
    sample = BinarySample(response, None, [True, True, False, False])
    found = cut_efficiencies(sample, response_statistics(sample))
    assert found.signal.values.max() <= 1.0
    assert found.curve.signal_efficiency_at(0.1) >= 0 or np.isnan(found.curve.area)


def test_the_best_cut_is_that_of_a_loop():
    effs = from_contents(np.linspace(1.0, 0.0, 50), 0.0, 1.00001)
    effb = from_contents(np.linspace(1.0, 0.0, 50) ** 3, 0.0, 1.00001)
    best = maximum_significance(effs, effb, 1.0, 100.0, 300.0)
    values = [
        10.0 * s / np.sqrt(s + 3.0 * b) if s + b > 0 else 0.0 for s, b in zip(effs.values, effb.values, strict=True)
    ]
    k = int(np.argmax(values))
    assert best.value == pytest.approx(values[k])
    assert best.cut == pytest.approx((k + 0.5) / 50)  # the range ends at 1, not at 1.00001
    with pytest.raises(InputError, match="must be positive"):
        maximum_significance(effs, effb, 1.0, 0.0, 300.0)


@pytest.mark.parametrize(("means", "expected"), [((0.75, 0.25), [1.0, 0.5, 0.0]), ((0.25, 0.75), [0.0, 0.5, 1.0])])
def test_events_above_the_range_count_only_if_signal_has_the_smaller_responses(means, expected):
    statistics = ResponseStatistics(means[0], 0.25, means[1], 0.25, 0.0, 1.0)
    above = [statistics.histogram_max + 0.5e-4, 7.0]
    weight = [1.0, 1.0, 5.0, 5.0]
    h = efficiency_histogram([0.25, 0.75, *above], weight, statistics)
    assert len(h.values) == 10000
    assert h.values[[1000, 5000, 9000]].tolist() == expected
