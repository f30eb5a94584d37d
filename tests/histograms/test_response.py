"""GetProba and GetRarity."""

from __future__ import annotations

import numpy as np
import pytest

from pytmva_bnn.histograms import PDFRecord, build_pdf, from_contents, probability, rarity

SIGNAL = [0.1, 0.2, 0.9, 2.0, 1.1]
BACKGROUND = [2.0, 1.0, 0.4, 0.2, 0.05]


def density(contents, interpolation=2):
    histogram = from_contents(np.float32(contents), 0.0, 1.0, name="h")
    return build_pdf(PDFRecord("p", 0, 0, interpolation, 1, 1, 1, 1.0, histogram), normalise=True)


@pytest.mark.parametrize("fraction", [0.0, 0.3, 0.5, 1.0])
def test_the_probability_is_bayes_theorem(fraction):
    signal, background = density(SIGNAL), density(BACKGROUND)
    x = np.linspace(-0.2, 1.2, 15)
    expected = []
    for v in x:
        s, b = float(signal.value(v)) * fraction, float(background.value(v)) * (1 - fraction)
        expected.append(s / (s + b))
    assert probability(signal, background, x, fraction).tolist() == expected


def test_without_a_positive_denominator_it_is_minus_one():
    assert probability(density(SIGNAL), density(BACKGROUND), [0.5], -1e3).tolist() == [-1.0]


def test_where_both_densities_vanish_it_is_the_fraction():
    assert probability(density(SIGNAL), density(BACKGROUND), [np.nan], 0.3).tolist() == [pytest.approx(0.3)]


def test_the_default_fraction_is_one_half():
    assert probability(density(SIGNAL), density(SIGNAL), [0.4]).tolist() == [0.5]


def test_rarity_is_the_integral_up_to_the_response():
    background = density(BACKGROUND)
    x = np.array([-1.0, 0.0, 0.3, 0.999])
    assert rarity(background, x).tolist() == background.integral(0.0, x).tolist()
    assert rarity(background, x)[0] == 0
    assert rarity(background, [5.0])[0] > 1  # TMVA: the last bin extends beyond the range
