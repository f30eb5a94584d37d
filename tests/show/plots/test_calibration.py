"""The reliability of probabilities: numbers that can be checked by hand."""

import numpy as np
import pytest

from pytmva_bnn.errors import InputError
from pytmva_bnn.show.plots import calibration, reliability


def test_a_calibrated_response_is_found_to_be_so():
    rng = np.random.default_rng(1)
    p = rng.uniform(size=20000)
    found = reliability(p, rng.uniform(size=20000) < p, bins=10)
    assert found.chi2 < 30
    inside = (found.lower <= found.mean) & (found.mean <= found.upper)
    assert np.count_nonzero(inside) >= 5


def test_a_wrong_response_is_found_out():
    rng = np.random.default_rng(1)
    p = rng.uniform(size=5000)
    assert reliability(p, rng.uniform(size=5000) < p**2, bins=10).chi2 > 300


def test_chi2_is_that_of_counting_at_the_mean_response():
    # 1 of 4 at 0.2, 4 of 5 at 0.9: (0.25 - 0.2)^2 / (0.2 * 0.8 / 4) + (0.8 - 0.9)^2 / (0.9 * 0.1 / 5)
    p, signal = [0.2] * 4 + [0.9] * 5, [1, 0, 0, 0, 1, 1, 1, 1, 0]
    assert reliability(p, signal, bins=10).chi2 == pytest.approx(0.0625 + 0.5555555555555556)
    # weights that differ make the events count less: (3^2 / 5) of them instead of 2
    assert reliability([0.2, 0.2], [1, 0], [1.0, 2.0]).chi2 == pytest.approx((1 / 3 - 0.2) ** 2 / (0.16 / 1.8))
    legend = calibration(p, signal).get_legend()
    assert "events, χ²/bins = 0.6/2" in [entry.get_text() for entry in legend.get_texts()]


def test_intervals_are_those_of_wilson():
    found = reliability([0.5] * 4, [1, 0, 0, 0], bins=1)
    middle, half = (0.25 + 0.125) / 1.25, np.sqrt(0.25 * 0.75 / 4 + 0.25 / 16) / 1.25
    np.testing.assert_allclose([found.lower[0], found.upper[0]], [middle - half, middle + half])


def test_weights_count_as_numbers_of_events():
    plain = reliability([0.2, 0.2, 0.2, 0.8], [True, False, False, True], bins=2)
    weighted = reliability([0.2, 0.2, 0.8], [True, False, True], [1.0, 2.0, 1.0], bins=2)
    np.testing.assert_allclose(plain.observed, weighted.observed)
    assert weighted.events[0] == pytest.approx(9 / 5)


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
        calibration(*given)


def test_a_fraction_needs_both_classes():
    with pytest.raises(InputError, match="events of both classes"):
        reliability([0.5], [True], signal_fraction=0.3)


def test_the_legend_covers_no_points():
    ax = calibration([0.02, 0.05, 0.9], [True, True, True])
    ax.get_figure().draw_without_rendering()
    assert ax.get_legend().get_window_extent().y1 < ax.get_window_extent().y0
