"""The reliability of probabilities: numbers that can be checked by hand, and toys."""

import numpy as np
import pytest
from scipy import stats

from pytmva_bnn.errors import InputError
from pytmva_bnn.evaluation import reliability


def calibrated_toy(random, n=1000):
    p = random.beta(2, 3, size=n)
    return p, random.uniform(size=n) < p


def weighted_toy(random, n=1500):
    """Classes of different weights, and weights that fluctuate: calibrated at the weighted mixture."""
    p, of_signal, of_background = random.beta(2, 2, size=n), 2.0, 0.5
    share = of_background * p / (of_background * p + of_signal * (1 - p))
    signal = random.uniform(size=n) < share
    return p, signal, np.where(signal, of_signal, of_background) * random.exponential(size=n)


@pytest.mark.parametrize("toy", [calibrated_toy, weighted_toy])
def test_p_values_of_calibrated_toys_are_uniform(toy):
    found = [reliability(*toy(np.random.default_rng(seed))) for seed in range(300)]
    p_values = np.array([one.p_value for one in found])
    assert stats.kstest(p_values, "uniform").pvalue > 0.01
    assert np.mean(p_values) == pytest.approx(0.5, abs=0.05)
    slopes = np.array([(one.fit.slope - 1) / one.fit.slope_error for one in found])
    intercepts = np.array([one.fit.intercept / one.fit.intercept_error for one in found])
    for pulls in (slopes, intercepts):
        assert (pulls.mean(), pulls.std()) == pytest.approx((0.0, 1.0), abs=0.15)
    # the calibration error of fluctuations alone is known as well
    assert np.mean([one.expected_calibration_error for one in found]) == pytest.approx(
        np.mean([one.ece_of_fluctuations for one in found]), rel=0.05
    )


def test_points_of_calibrated_toys_are_in_their_bands():
    inside = np.zeros(2)
    for seed in range(100):
        found = reliability(*calibrated_toy(np.random.default_rng(seed), 4000), bins=8)
        low95, low68, high68, high95 = found.band[found.events > 100].T
        observed = found.observed[found.events > 100]
        inside += [np.mean((low <= observed) & (observed <= high)) for low, high in ((low68, high68), (low95, high95))]
    # whole numbers of events: a little more than nominal
    assert inside / 100 == pytest.approx([0.70, 0.955], abs=0.03)


def test_a_mixture_that_is_restored_is_not_called_wrong():
    random = np.random.default_rng(3)
    p, signal = calibrated_toy(random, 8000)
    kept = np.flatnonzero(signal | (np.cumsum(~signal) < 1000))
    share = float(signal.mean())
    assert reliability(p[kept], signal[kept], signal_fraction=share).p_value > 0.01
    assert not reliability(p[kept], signal[kept]).is_calibrated


def test_a_wrong_response_is_found_out():
    random = np.random.default_rng(1)
    p = random.uniform(size=20000)
    found = reliability(p, random.uniform(size=20000) < p**2)
    assert not found.is_calibrated
    # the mean of p - p² over a uniform p
    assert found.expected_calibration_error == pytest.approx(1 / 6, abs=0.01)


def test_overconfident_responses_have_a_slope_below_one():
    random = np.random.default_rng(2)
    h = random.normal(size=5000)
    signal = random.uniform(size=5000) < 1 / (1 + np.exp(-(0.5 * h + 0.3)))
    fit = reliability(1 / (1 + np.exp(-h)), signal).fit
    assert fit.slope == pytest.approx(0.5, abs=3 * fit.slope_error)
    assert fit.intercept == pytest.approx(0.3, abs=3 * fit.intercept_error)
    assert fit.slope_error < 0.05


def test_a_fit_without_a_maximum_is_left_out():
    assert reliability([0.1, 0.2, 0.8, 0.9], [0, 0, 1, 1]).fit is None
    assert reliability([0.5, 0.5], [0, 1]).fit is None


def test_events_of_the_training_leave_two_degrees_of_freedom_fewer():
    p, signal = calibrated_toy(np.random.default_rng(4))
    test, training = reliability(p, signal), reliability(p, signal, in_training=True)
    assert test.chi2 == training.chi2
    assert (test.n_groups, test.degrees_of_freedom, training.degrees_of_freedom) == (7, 7, 5)
    assert test.p_value == pytest.approx(stats.chi2(7).sf(test.chi2))
    assert training.p_value == pytest.approx(stats.chi2(5).sf(test.chi2))
    assert np.isnan(reliability([0.5, 0.5], [0, 1], in_training=True).p_value)


def test_the_statistic_is_that_of_counting():
    # 10 of 40 at 0.2 where 8 are expected, 40 of 50 at 0.9 where 45 are
    p, signal = [0.2] * 40 + [0.9] * 50, [1] * 10 + [0] * 30 + [1] * 40 + [0] * 10
    found = reliability(p, signal)
    # of the 50 the variance is 4.5, less than what is compared on its own
    assert (found.n_groups, found.degrees_of_freedom) == (1, 1)
    assert found.chi2 == pytest.approx((2 - 5) ** 2 / (6.4 + 4.5))
    found = reliability(p + [0.9] * 50, signal + [1] * 40 + [0] * 10)
    assert found.n_groups == 2
    assert found.chi2 == pytest.approx(2**2 / 6.4 + 10**2 / 9.0)
    assert found.expected_calibration_error == pytest.approx(40 / 140 * 0.05 + 100 / 140 * 0.1)


def test_bins_of_few_events_are_compared_with_their_neighbours():
    # the variances are 40 * 0.09 = 3.6, 20 * 0.16 = 3.2, 60 * 0.24 = 14.4 and 10 * 0.09 = 0.9
    p = [0.1] * 40 + [0.2] * 20 + [0.4] * 60 + [0.9] * 10
    found = reliability(p, np.arange(130) % 2 == 0)
    assert found.events.tolist() == [40, 20, 60, 10]
    assert found.n_groups == 2
    # half of the events are signal
    first, second = (20 + 10 - 4 - 4) ** 2 / (3.6 + 3.2), (30 + 5 - 24 - 9) ** 2 / (14.4 + 0.9)
    assert found.chi2 == pytest.approx(first + second)


def test_intervals_are_those_of_wilson():
    found = reliability([0.5] * 4, [1, 0, 0, 0], bins=1)
    middle, half = (0.25 + 0.125) / 1.25, np.sqrt(0.25 * 0.75 / 4 + 0.25 / 16) / 1.25
    np.testing.assert_allclose([found.lower[0], found.upper[0]], [middle - half, middle + half])


def test_weights_count_as_numbers_of_events():
    plain = reliability([0.2, 0.2, 0.2, 0.8], [True, False, False, True], bins=2)
    weighted = reliability([0.2, 0.2, 0.8], [True, False, True], [1.0, 2.0, 1.0], bins=2)
    np.testing.assert_allclose(plain.observed, weighted.observed)
    # (Σw)² / Σw², and as much more as the classes have different mean weights, here 1 and 2
    assert weighted.events[0] == pytest.approx(9 / (1 * 2 + 4 / 2))
    alike = reliability([0.2, 0.2, 0.2, 0.2], [True, False, True, False], [1.0, 1.0, 2.0, 2.0])
    assert alike.events == pytest.approx([36 / 10])


def test_the_mixture_of_the_training_can_be_restored():
    signal = np.array([True] * 10 + [False] * 30)
    found = reliability(np.full(40, 0.5), signal, bins=1, signal_fraction=0.5)
    assert found.observed == pytest.approx([0.5])


def test_errors_of_the_network_are_averaged_in_bins():
    found = reliability([0.1, 0.2, 0.9], [0, 0, 1], bins=2, errors=([0.1, 0.3, 0.2], [0.2, 0.2, 0.4]))
    np.testing.assert_allclose(found.model_lower, [0.2, 0.2])
    np.testing.assert_allclose(found.model_upper, [0.2, 0.4])


def test_bins_without_events_are_left_out_and_ends_belong_to_the_last_bins():
    found = reliability([0.0, 1.0], [False, True], bins=10)
    assert found.mean.tolist() == [0.0, 1.0]
    assert np.all((found.lower >= 0) & (found.upper <= 1))


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (([1.5], [True]), "between 0 and 1"),
        (([0.5, 0.5], [True]), "same length"),
        (([0.5, float("nan")], [True, False]), "1 of 2 responses are not finite: leave these events out"),
        (([0.5, 0.5], [True, False], [1.0, float("inf")]), "1 of 2 weights are not finite"),
        (([0.5], [True], [0.0]), "positive weight"),
    ],
)
def test_what_cannot_be_compared(given, words):
    with pytest.raises(InputError, match=words):
        reliability(*given)


def test_a_fraction_needs_both_classes():
    with pytest.raises(InputError, match="both classes need events"):
        reliability([0.5], [True], signal_fraction=0.3)
