"""Counting in boxes, the estimator and its table, by numpy and by compiled code."""

import math

import numpy as np
import pytest

from pytmva_bnn.methods import MethodEvents
from pytmva_bnn.methods.cuts import boxes as counting
from pytmva_bnn.methods.cuts.bins import bin_of, lower_edges
from pytmva_bnn.methods.cuts.boxes import Boxes
from pytmva_bnn.methods.cuts.estimator import CutEstimator

WEIGHTS = {
    "equal": None,
    "float32": lambda random, n: random.uniform(0.2, 3.0, n),
    "negative": lambda random, n: random.normal(0.3, 1.0, n),
    "classes": lambda _, n: np.where(np.arange(n) % 5 > 1, 0.7, 1.3),
}


def random_boxes(n, seed=2):
    random = np.random.default_rng(seed)
    lower = random.normal(-0.7, (1.0, 1.0, 3.0), size=(n, 3))
    lower[: n // 4] = np.round(lower[: n // 4], 1).astype(np.float32)  # on the events
    return lower, lower + random.exponential((2.0, 2.0, 8.0), size=(n, 3))


def naive_efficiencies(events, lower, upper):
    w = events.weights.astype(np.float32).astype(float)
    x, found = events.inputs.astype(float), []
    for chosen in (events.is_signal, ~events.is_signal):
        inside = [((low < x) & (x <= high)).all(axis=1) & chosen for low, high in zip(lower, upper, strict=True)]
        whole = np.float32(math.fsum(w[chosen]))
        found.append([max(float(np.float32(math.fsum(w[one])) / whole), 0.0) for one in inside])
    return found


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("n", [5, 64, 300])
def test_efficiencies_are_those_of_counting_events(events, weights, n):
    sample = events(n, WEIGHTS[weights])
    lower, upper = random_boxes(200)
    found = Boxes.of(sample).efficiencies(lower, upper)
    np.testing.assert_array_equal(found, naive_efficiencies(sample, lower, upper))
    assert np.unique(found[0]).size > 2


def test_large_samples_keep_only_some_of_the_rows(events, monkeypatch):
    sample, (lower, upper) = events(300), random_boxes(300)
    expected = Boxes.of(sample).efficiencies(lower, upper)
    monkeypatch.setattr(counting, "MAX_WORDS", 100)
    few = Boxes.of(sample)
    assert few.ranks.stride > 10
    assert few.ranks.rows.shape[1] < 30
    np.testing.assert_array_equal(few.efficiencies(lower, upper), expected)


def test_numpy_without_bitwise_count(events, monkeypatch):
    sample, (lower, upper) = events(), random_boxes(50)
    expected = Boxes.of(sample).efficiencies(lower, upper)
    monkeypatch.delattr(np, "bitwise_count", raising=False)
    np.testing.assert_array_equal(Boxes.of(sample).efficiencies(lower, upper), expected)


@pytest.mark.parametrize(("bin_numbers", "efficiencies"), [
    ((30, 31, 35, 36, 41, 59, 69, 70, 83, 94, 95), (0.29, 0.3, 0.35, 0.355, 0.41, 0.58, 0.69, 0.7, 0.83, 0.94, 0.95)),
    ((0, 1, 1, 100, 101, 101, 101), (-0.01, 0.0, 0.0099, 0.999999, 1.0, 7.0, math.nan)),
])  # fmt: skip
def test_bins_are_those_of_current_root(bin_numbers, efficiencies):
    assert tuple(map(bin_of, efficiencies)) == bin_numbers
    assert lower_edges(100)[7] == 0.07


class NaiveEstimator:
    """The estimator as it is described, one point after the other."""

    def __init__(self, events, low, high):
        self.events, self.low, self.high = events, low, high
        self.background, self.cuts = dict.fromkeys(range(1, 101), -0.1) | {0: 0.0, 101: 0.0}, {}
        self.background = {k: float(np.float32(b)) for k, b in self.background.items()}

    def __call__(self, point):
        lower, upper = point[0::2], point[0::2] + point[1::2]
        ((s,), (b,)) = naive_efficiencies(self.events, [lower], [upper])
        k = bin_of(s)
        h = self.background[k]
        left, right = self.background[max(k - 1, 1)], self.background[k + 1] if k < 100 else h
        average = h if h < b else (left + right) / 2
        eta = (-abs(h - average) + (1 - (h - b))) / (1 + s)
        if h < 0 or h > b:
            self.background[k] = b
            self.cuts[k] = (lower, upper)
        if k > 1:
            return eta
        if s >= 1e-4:
            return 10 * (1 - 10 * s)
        width = self.high - self.low
        return 10 + sum(((self.high - upper) / width) ** 2 + 4 * ((self.low - lower) / width) ** 2)


@pytest.mark.parametrize("weights", WEIGHTS)
def test_values_and_table_follow_the_description(events, weights, mode):
    sample = events(200, WEIGHTS[weights])
    low, high = np.array([-3.0, -2.5, -9.0]), np.array([3.0, 2.5, 9.0])
    lower, upper = random_boxes(600)
    lower[:20], upper[:20] = -50.0, 50.0  # all events
    lower[20:40] += 40.0  # none
    points = np.stack([lower, upper - lower], axis=2).reshape(600, 6)
    naive, estimator = NaiveEstimator(sample, low, high), CutEstimator(Boxes.of(sample), low, high)
    expected = np.array([naive(point) for point in points])
    found = np.concatenate([estimator(points[:250]), *(estimator(point[np.newaxis]) for point in points[250:])])
    np.testing.assert_allclose(found, expected, rtol=1e-14)
    np.testing.assert_array_equal(estimator.table.background, [naive.background[k] for k in range(102)])
    for k in range(1, 101):
        a, b = naive.cuts.get(k, (np.zeros(3), np.zeros(3)))
        np.testing.assert_array_equal(estimator.table.lower[k - 1], a)
        np.testing.assert_array_equal(estimator.table.upper[k - 1], b)
    assert len(naive.cuts) > 20
    assert (expected > 10).any()


def test_the_last_bin_is_compared_with_the_one_before(mode):
    x = np.arange(1.0, 201.0, 0.5, dtype=np.float32)[:, np.newaxis]
    classes = np.tile(np.array([0, 1], dtype=np.int32), 200)
    sample = MethodEvents(x, np.empty((400, 0), np.float32), classes, np.ones(400))
    estimator = CutEstimator(Boxes.of(sample), np.zeros(1), np.full(1, 201.0))
    # all below 197.2, which is bin 99, and twice below 199.2, which is bin 100
    _, _, again = estimator(np.array([[0.0, 197.2], [0.0, 199.2], [0.0, 199.2]]))
    assert again == pytest.approx((1.0 - (0.99 - 0.98) / 2) / (1.0 + 0.995), rel=1e-7)


def test_both_ways_give_the_same_bits(events, both_ways, monkeypatch):
    monkeypatch.setattr(counting, "MAX_WORDS", 1000)  # with rows left out
    sample = events(300, WEIGHTS["float32"])
    lower, upper = random_boxes(3000)
    points = np.stack([lower, upper - lower], axis=2).reshape(-1, 6)

    def run():
        estimator = CutEstimator(Boxes.of(sample), np.full(3, -3.0), np.full(3, 3.0))
        return estimator(points), estimator.table

    (a, one), (b, two) = both_ways(run)
    np.testing.assert_array_equal(a, b)
    for key in ("background", "lower", "upper"):
        np.testing.assert_array_equal(getattr(one, key), getattr(two, key))


def test_a_point_that_is_no_number_changes_nothing(events, mode):
    estimator = CutEstimator(Boxes.of(events()), np.full(3, -3.0), np.full(3, 3.0))
    points = np.tile([-1.0, 2.0], (3, 3))
    points[1, 2] = np.nan
    found = estimator(points)
    assert np.isnan(found).tolist() == [False, True, False]
    assert np.count_nonzero(estimator.table.background[1:-1] >= 0.0) == 1
    assert np.isnan(estimator(points[1:2])).all()
