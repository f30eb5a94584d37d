"""The event-based ROC curve against loops over events, and what must hold for any sample."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytmva_bnn.errors import InputError
from pytmva_bnn.evaluation import roc_curve
from pytmva_bnn.evaluation.roc import MANY_EVENTS
from pytmva_bnn.evaluation.tie_order import std_sort_order


def naive_curve(response, is_signal, weight):
    """Return the points one by one; for responses that all differ."""
    events = sorted(zip(np.float32(response), np.float32(weight), is_signal, strict=True), key=lambda e: e[0])
    spec, sens, below = [0.0], [], 0.0
    for _, w, signal in events:
        below += 0.0 if signal else float(w)
        spec.append(below)
    above = 0.0
    for _, w, signal in reversed(events):
        above += float(w) if signal else 0.0
        sens.insert(0, above)
    spec = [0.0, *[x / below if below > 0 else 0.0 for x in spec[1:]], 1.0]
    return spec, [1.0, *[x / above if above > 0 else 0.0 for x in sens], 0.0]


def naive_auc(spec, sens):
    return sum(0.5 * ((1 - sens[k + 1]) - (1 - sens[k])) * (spec[k] + spec[k + 1]) for k in range(len(spec) - 1))


def naive_efficiency(spec, sens, b):
    X, Y = [1 - s for s in spec][::-1], sens[::-1]  # noqa: N806
    i = max(k for k in range(len(X)) if X[k] <= b)
    n = i + 1 if (b > X[i] and i != len(X) - 1) or i == 0 else i - 1
    return Y[i] + (b - X[i]) * (Y[i] - Y[n]) / (X[i] - X[n]) if X[i] != X[n] else math.nan


@pytest.fixture(params=[1, 2, 3, 50])
def sample(request):
    rng = np.random.default_rng(request.param)
    n = request.param
    return rng.normal(size=n), rng.random(n) < 0.5, rng.uniform(0.1, 2.0, n)


def test_points_area_and_efficiencies_are_those_of_a_loop(sample):
    curve = roc_curve(*sample)
    spec, sens = naive_curve(*sample)
    assert curve.specificity.tolist() == spec
    assert curve.sensitivity.tolist() == sens
    assert curve.auc == pytest.approx(naive_auc(spec, sens), abs=1e-15)
    for b in (0.013, 0.1, 0.37, 0.99):
        assert curve.signal_efficiency_at(b) == pytest.approx(naive_efficiency(spec, sens, b), nan_ok=True)


def test_negative_weights_are_added_as_they_are():
    response, signal, weight = [0.1, 0.2, 0.3, 0.4], [False, True, False, True], [1.0, 1.0, -0.5, 1.0]
    assert roc_curve(response, signal, weight).specificity.tolist() == [0.0, 2.0, 2.0, 1.0, 1.0, 1.0]


@pytest.mark.parametrize(
    ("signal", "auc"),
    [([True, True], 0.25), ([False, False], 0.25), ([], 0.5)],
    ids=["no background", "no signal", "no events"],
)
def test_without_a_class_its_inner_points_are_zero(signal, auc):
    curve = roc_curve(np.linspace(0, 1, len(signal)), signal)
    assert len(curve.specificity) == len(signal) + 2
    assert curve.auc == auc == naive_auc(curve.specificity, curve.sensitivity)


def test_one_event_is_enough():
    assert roc_curve([0.5], [True]).sensitivity.tolist() == [1.0, 1.0, 0.0]


def test_exactly_at_a_repeated_background_efficiency_the_result_is_nan():
    curve = roc_curve([0.1, 0.4, 0.35, 0.8], [False, False, True, True])
    assert math.isnan(curve.signal_efficiency_at(0.5))


def test_nan_responses_are_sorted_to_the_top():
    curve = roc_curve([0.1, np.nan, 0.2], [False, True, False])
    assert curve.auc == 1.0


@pytest.mark.parametrize("weight", [[1.0], [[1.0, 1.0]]])
def test_arrays_that_do_not_fit_are_refused(weight):
    with pytest.raises(InputError, match="same length"):
        roc_curve([0.1, 0.2], [True, False], weight)


def test_in_large_samples_a_few_equal_responses_keep_the_order_of_the_events():
    n = MANY_EVENTS + 2
    response = np.arange(n, dtype=np.float64)
    response[1] = 0.0
    signal = np.arange(n) % 2 == 1
    assert roc_curve(response, signal).specificity[1] > 0  # event 0, background, first


def test_in_large_samples_many_equal_responses_are_in_the_order_of_tmva():
    n = MANY_EVENTS + 2
    signal = np.arange(n) < n // 2
    # in the order of the events all signal would be below all background, and the area 0
    assert roc_curve(np.zeros(n), signal).auc > 0.4


def test_in_large_samples_equal_responses_that_change_the_area_a_little_are_in_the_order_of_tmva():
    n = MANY_EVENTS + 2
    response = np.maximum(np.arange(n, dtype=np.float64), 1000.0)  # 1% of the events: 0.0001 of the area
    signal = np.arange(n) % 3 == 0
    sorted_as_tmva = signal[std_sort_order(response.astype(np.float32))]
    rejected = np.cumsum(~sorted_as_tmva) / np.count_nonzero(~signal)
    np.testing.assert_allclose(roc_curve(response, signal).specificity[1:-1], rejected, rtol=1e-12)
    assert not np.array_equal(sorted_as_tmva, signal)


events = st.lists(
    st.tuples(st.integers(-1000, 1000), st.booleans(), st.floats(0.125, 8.0, width=32)), min_size=1, max_size=60,
    unique_by=lambda event: event[0],
)  # fmt: skip


@given(events)
@settings(deadline=None)
def test_a_monotonic_transformation_changes_nothing(sample):
    v, signal, w = (np.array(column) for column in zip(*sample, strict=True))
    assert roc_curve(v, signal, w).auc == roc_curve(np.tanh(v / 500.0), signal, w).auc


@given(events)
@settings(deadline=None)
def test_the_scale_of_the_weights_does_not_matter(sample):
    v, signal, w = (np.array(column) for column in zip(*sample, strict=True))
    assert roc_curve(v, signal, 4 * w).auc == pytest.approx(roc_curve(v, signal, w).auc, abs=1e-12)


@given(events)
@settings(deadline=None)
def test_the_curve_falls_from_one_corner_to_the_other(sample):
    v, signal, w = (np.array(column) for column in zip(*sample, strict=True))
    curve = roc_curve(v, signal, w)
    if signal.any() and not signal.all():
        assert np.all(np.diff(curve.specificity) >= 0)
        assert np.all(np.diff(curve.sensitivity) <= 0)
        assert 0.0 <= curve.auc <= 1.0


@given(events)
@settings(deadline=None)
def test_perfect_separation_gives_one(sample):
    v, signal, w = (np.array(column) for column in zip(*sample, strict=True))
    separated = np.where(signal, 2000, -2000) + v
    if signal.any() and not signal.all():
        assert roc_curve(separated, signal, w).auc == pytest.approx(1.0, abs=1e-12)
