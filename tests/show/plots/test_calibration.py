"""The drawing of the reliability of probabilities."""

import numpy as np
import pytest

from pytmva_bnn.show.plots import calibration, reliability


@pytest.fixture(scope="module")
def events():
    random = np.random.default_rng(1)
    p = random.beta(2, 2, size=2000)
    return p, random.uniform(size=2000) < p


def test_points_and_bands_are_those_of_the_numbers(events):
    ax, found = calibration(*events, bins=8), reliability(*events, bins=8)
    points = ax.containers[0].lines[0]
    np.testing.assert_allclose(points.get_xdata(), found.mean)
    np.testing.assert_allclose(points.get_ydata(), found.observed)
    outer, inner = (
        band.get_paths()[0].get_extents() for band in ax.collections if len(band.get_paths()[0].vertices) > 4
    )
    low95, low68, high68, high95 = found.band.T
    for drawn, low, high in ((outer, low95, high95), (inner, low68, high68)):
        assert (drawn.ymin, drawn.ymax) == pytest.approx((low.min(), high.max()))


@pytest.mark.parametrize("in_training", [False, True])
def test_the_legend_has_the_numbers(events, in_training):
    found = reliability(*events, in_training=in_training)
    words = [entry.get_text() for entry in calibration(*events, in_training=in_training).get_legend().get_texts()]
    assert (
        f"events: χ² = {found.chi2:.1f}/{6 if in_training else 8}, p = {found.p_value:.2g}, "
        f"ECE = {found.expected_calibration_error:.2g}" in words
    )


def test_the_legend_covers_no_points():
    ax = calibration([0.02, 0.05, 0.9], [True, True, True])
    ax.get_figure().draw_without_rendering()
    assert ax.get_legend().get_window_extent().y1 < ax.get_window_extent().y0
