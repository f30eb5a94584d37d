"""Regression numbers, deviations and information measures against loops."""

from __future__ import annotations

import math

import numpy as np
import pytest

from pytmva_bnn.errors import InputError
from pytmva_bnn.evaluation import RegressionSample, target_rankings
from pytmva_bnn.evaluation.ranking import correlation_ratio, mutual_information
from pytmva_bnn.evaluation.regression import deviation_histograms, quantile, regression_numbers
from pytmva_bnn.histograms import fill_1d, fill_2d

f32 = np.float32


@pytest.fixture
def sample():
    rng = np.random.default_rng(9)
    target = rng.uniform(0.0, 10.0, 300)
    return RegressionSample(
        target + rng.standard_t(3, 300), target, rng.uniform(0.5, 1.5, 300), rng.normal(size=(300, 2))
    )


def naive_moments(d, w):
    total = sum(map(float, w))
    bias = sum(float(f32(x * y)) for x, y in zip(w, d, strict=True)) / total
    square = sum(float(f32(f32(x * y) * y)) for x, y in zip(w, d, strict=True)) / total
    deviation = sum(float(f32(x * abs(y))) for x, y in zip(w, d, strict=True)) / total
    return bias, deviation, math.sqrt(square - bias * bias)


def test_numbers_are_those_of_a_loop(sample):
    numbers = regression_numbers(sample)
    d, w = sample.response[:, 0] - sample.target[:, 0], sample.weight.astype(f32)
    bias, deviation, rms = naive_moments(d, w)
    assert (numbers.bias, numbers.deviation, numbers.rms) == pytest.approx((bias, deviation, rms), rel=1e-13)
    near = [abs(x - bias) <= 2 * rms for x in d]
    truncated = naive_moments(d[near], w[near])
    found = (numbers.truncated_bias, numbers.truncated_deviation, numbers.truncated_rms)
    assert found == pytest.approx(truncated, rel=1e-12)
    assert 0 < sum(near) < len(near)


def test_the_correlation_is_right_only_without_weights(sample):
    plain = RegressionSample(sample.response, sample.target, None)
    expected = np.corrcoef(sample.response[:, 0], sample.target[:, 0])[0, 1]
    assert regression_numbers(plain).correlation == pytest.approx(expected, abs=1e-5)
    doubled = RegressionSample(sample.response, sample.target, np.full(300, 2.0))
    assert abs(regression_numbers(doubled).correlation - expected) > 0.5


def naive_information(h):
    total = float(h.values.astype(float).sum())
    p = [[0.0] * (h.values.shape[1] // 2) for _ in range(h.values.shape[0] // 2)]
    for i in range(len(p) * 2):
        for j in range(len(p[0]) * 2):
            p[i // 2][j // 2] += float(h.values[i, j]) / total
    p_x, p_y = [sum(row) for row in p], [sum(column) for column in zip(*p, strict=True)]
    return sum(
        cell * math.log(cell / (p_x[i] * p_y[j])) for i, row in enumerate(p) for j, cell in enumerate(row) if cell > 0
    )


def test_mutual_information_is_that_of_a_loop(sample):
    r, t = sample.response[:, 0], sample.target[:, 0]
    h = fill_2d(r, t, sample.weight, (30, 20), (0.0, 10.0), (0.0, 10.0))
    assert mutual_information(h) == pytest.approx(naive_information(h), rel=1e-6)
    assert h.merged().values.shape == (15, 10)
    assert mutual_information(fill_2d([99.0], [0.0], None, (4, 4), (0.0, 1.0), (0.0, 1.0))) == -1.0


def test_information_vanishes_for_independent_quantities():
    i, j = np.meshgrid(np.arange(4) + 0.5, np.arange(4) + 0.5)
    h = fill_2d(i.ravel(), j.ravel(), None, (4, 4), (0.0, 4.0), (0.0, 4.0))
    assert mutual_information(h) == pytest.approx(0.0, abs=1e-12)
    assert correlation_ratio(h) == pytest.approx(0.0, abs=1e-12)


def test_a_correlation_ratio_of_weights_that_cancel_is_0():
    # the third event lies beyond the x axis: it counts in the projection only
    h = fill_2d([0.1, 0.9, 1.5], [0.2, 0.8, 0.2], np.array([1.0, 1.0, -2.0]), (4, 4), (0.0, 1.0), (0.0, 1.0))
    assert correlation_ratio(h) == 0.0


@pytest.mark.parametrize("y", [[0.1, 0.1], [9.0, 9.0]], ids=["constant", "out of range"])
def test_a_correlation_ratio_that_does_not_exist_is_0(y):
    assert correlation_ratio(fill_2d([0.1, 0.9], y, None, (2, 2), (0.0, 1.0), (0.0, 1.0))) == 0.0


def test_the_two_deviations_are_means_of_the_events(sample):
    made = deviation_histograms(sample)
    d2 = np.square(sample.response[:, 0] - sample.target[:, 0]).astype(float)
    w = sample.weight.astype(f32).astype(float)
    assert made.standard_deviation() == pytest.approx(math.sqrt(np.sum(w * d2) / w.sum()), rel=1e-6)
    q = quantile(made.squares[0], 0.9)
    near = d2 <= q
    assert w[near].sum() / w.sum() == pytest.approx(0.9, abs=0.02)
    assert made.best_standard_deviation() == pytest.approx(math.sqrt(np.sum((w * d2)[near]) / w[near].sum()), rel=1e-6)


def test_axes_hold_the_training_range_as_well(sample):
    made = deviation_histograms(sample, [[-50.0, 50.0], [0.0, 0.1]])
    axis = made.variables[0][0].x
    low, high = axis.lower, axis.upper
    assert (low, high) == pytest.approx((-50.0 - 101.0 / 49, 50.0 + 101.0 / 49), rel=1e-6)
    assert made.variables[1][0].x.lower < sample.variables[:, 1].min()
    largest = float(np.finfo(f32).max)
    unknown = deviation_histograms(sample, [[largest, -largest]] * 2)  # with CalcCorrelations=False
    assert unknown.variables[0][0].x.upper == deviation_histograms(sample).variables[0][0].x.upper


def test_quantiles_are_linear_within_bins():
    h = fill_1d([0.5, 0.5, 1.5, 1.5], None, 2, 0.0, 2.0)
    assert [quantile(h, p) for p in (0.25, 0.75)] == [0.5, 1.5]
    assert quantile(fill_1d([], None, 2, 0.0, 2.0), 0.5) == 0.0


def test_a_quantile_at_the_end_of_a_bin_is_its_centre_or_that_of_the_empty_bins_behind_it():
    assert quantile(fill_1d([0.1, 1.2, 2.3, 3.4], None, 4, 0.0, 4.0), 0.5) == 1.5
    assert quantile(fill_1d([0.1, 1.2, 5.3, 5.4], None, 6, 0.0, 6.0), 0.5) == 3.5


@pytest.mark.parametrize(("sample_name", "end"), [("test", 6.43106746673584), ("training", 5.441040515899658)])
def test_the_best_ninety_per_cent_are_tmvas_where_a_bin_ends_at_ninety(method_case, train_case, sample_name, end):
    """In bdt_reg_out nine tenths of the events are in the bins up to one, in the training with empty bins behind."""
    (method,) = train_case(method_case("bdt_reg_out")).methods
    named = {one.name: one.histogram for one in method.evaluate().named_histograms(training=sample_name == "training")}
    (best,) = (histogram for name, histogram in named.items() if "best90perc" in name)
    assert (best.x_max, best.entries) == (end, 0.9 * {"test": 300, "training": 500}[sample_name])


@pytest.mark.parametrize("function", [regression_numbers, deviation_histograms])
def test_no_events_are_refused(function):
    with pytest.raises(InputError, match="no events"):
        function(RegressionSample([], [], None))


def test_with_many_variables_only_the_correlation_is_ranked():
    x = np.random.default_rng(1).normal(size=(50, 20))
    rankings = target_rankings(x, x[:, 3], None, [f"v{i}" for i in range(20)])
    assert [ranking.discriminator for ranking in rankings] == ["|Correlation with target|"]
    assert rankings[0].entries[0][0] == "v3"
