"""The steps of boosting, against the same written out event by event."""

import math

import numpy as np
import pytest

from pytmva_bnn.methods.composite import boost_steps
from pytmva_bnn.methods.composite.boost_response import single_transform, transformed


@pytest.fixture
def sample():
    random = np.random.default_rng(5)
    is_signal = np.arange(300) % 3 == 0
    v = random.normal(size=300) + 0.8 * is_signal
    return v, random.uniform(0.2, 2.0, 300), random.uniform(0.5, 1.5, 300), is_signal


def gini(s, b):
    return 2.0 * s * b / (s + b) ** 2 if s > 0 and b > 0 else 0.0


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_the_cut_has_the_largest_gain(sample, sign):
    v, weights, _, is_signal = sample
    v = sign * v
    cut, orientation = boost_steps.best_cut(v, weights, is_signal)
    assert orientation == sign  # signal has the larger values, or the smaller ones

    def gain(at):
        below = v < at
        s, b, other_s, other_b = (
            weights[chosen & side].sum() for side in (below, ~below) for chosen in (is_signal, ~is_signal)
        )
        parts = (s + b) * gini(s, b) + (other_s + other_b) * gini(other_s, other_b)
        return gini(s + other_s, b + other_b) - parts / (s + b + other_s + other_b)

    width = np.ptp(v) * (1.0 + 1.0 / 10001) / 10001
    assert (cut - v.min()) / width == pytest.approx(round((cut - v.min()) / width), abs=1e-6)  # the edge of a bin
    assert gain(cut) == pytest.approx(max(map(gain, v.min() + width * np.arange(1, 10002))), rel=1e-12)


def test_responses_that_are_all_the_same_have_no_cut():
    is_signal = np.array([True, False, True])
    assert boost_steps.best_cut(np.full(3, 0.25), np.ones(3), is_signal) == (0.25, 1.0)


def test_adaboost_event_by_event(sample):
    v, weights, boosts, is_signal = sample
    weights[7] *= -1.0
    found = boost_steps.adaboost(v, weights, boosts, is_signal, 0.7)
    wrong = [(value > found.cut) != signal for value, signal in zip(v.astype(np.float32), is_signal, strict=True)]
    before = weights * boosts
    error = before[wrong].sum() / before.sum()
    assert found.error == pytest.approx(error, rel=1e-6)
    assert found.weight == pytest.approx(0.7 * math.log((1.0 - found.error) / found.error))
    factor = math.exp(found.weight)
    naive = [
        b * (1.0 if not is_wrong else 1.0 / factor if w < 0 else factor)
        for b, w, is_wrong in zip(boosts, weights, wrong, strict=True)
    ]
    for chosen in (is_signal, ~is_signal):
        of_class = np.array(naive)[chosen]
        np.testing.assert_allclose(found.boosts[chosen] / of_class, (found.boosts[chosen] / of_class)[0], rtol=1e-12)
        assert (weights * found.boosts)[chosen].sum() == pytest.approx(before.sum() / 2)


def test_a_perfect_classifier_changes_nothing(sample):
    _, weights, boosts, is_signal = sample
    found = boost_steps.adaboost(is_signal.astype(float), weights, boosts, is_signal, 1.0)
    assert (found.error, found.weight) == (0.0, 0.0)
    assert found.boosts is boosts


def test_shares_of_signal_among_neighbours(sample, monkeypatch):
    v, weights, _, is_signal = sample
    monkeypatch.setattr(boost_steps, "LEAST_NEIGHBOURS", 10)
    found = boost_steps.signal_shares(v.astype(np.float32), weights, is_signal)
    order = np.argsort(v)
    for rank in (0, 3, 150, 297, 299):
        first = min(max(rank - 15, 0), 270)  # a tenth of 300 events
        near = order[first : first + 30]
        expected = weights[near][is_signal[near]].sum() / weights[near].sum()
        assert found[order[rank]] == pytest.approx(expected)


def test_real_adaboost_event_by_event(sample):
    v, weights, boosts, is_signal = sample
    found = boost_steps.real_adaboost(v, weights, boosts, is_signal, 0.5)
    before = weights * boosts
    y = 2.0 * is_signal - 1.0
    p = 2.0 * boost_steps.signal_shares(v.astype(np.float32), before, is_signal) - 1.0
    agreement = (before * y * p).sum() / before.sum()
    assert found.weight == pytest.approx(0.5 * math.log((1 + agreement) / (1 - agreement)))
    ratio = found.boosts / (boosts * np.exp(-found.weight * y * p))
    np.testing.assert_allclose(ratio, ratio[0])
    assert (weights * found.boosts).sum() == pytest.approx(before.sum())
    assert (found.cut, found.orientation) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("transform", "expected"),
    [
        ("linear", [-0.5, 0.25, 0.3, 2.0]),
        ("step", [-1.0, -1.0, 1.0, 1.0]),
        ("log", [-1.0, -1.0, math.log(0.05 + math.exp(-1)), math.log(1.75 + math.exp(-1))]),
        ("gauss", [math.exp(-0.5 * d * d) for d in (-1.75, -1.0, -0.95, 0.75)]),
    ],
)
def test_transforms(transform, expected):
    v = np.array([-0.5, 0.25, 0.3, 2.0])
    np.testing.assert_allclose(transformed(v.copy(), transform, 0.25, 1.0), expected, rtol=1e-15)
    np.testing.assert_allclose([single_transform(transform, 0.25, 1.0)(one) for one in v], expected, rtol=1e-15)
    below = transformed(v.copy(), transform, 0.25, -1.0)
    np.testing.assert_allclose([single_transform(transform, 0.25, -1.0)(one) for one in v], below, rtol=1e-15)
    # only the step looks at the orientation
    np.testing.assert_allclose(below, [1.0, -1.0, -1.0, -1.0] if transform == "step" else expected)
