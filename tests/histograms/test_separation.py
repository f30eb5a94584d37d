"""How well distributions are apart: separation and ROC integral of histograms and densities."""

from __future__ import annotations

import numpy as np
import pytest

from pytmva_bnn.errors import InputError
from pytmva_bnn.histograms import (
    PDFRecord,
    build_pdf,
    density_roc_integral,
    fill_1d,
    from_contents,
    histogram_separation,
    pdf_separation,
)


@pytest.fixture(scope="module")
def densities():
    rng = np.random.default_rng(1)
    filled = [fill_1d(rng.normal(mean, 1.0, 5000), None, 40, -4.0, 5.0) for mean in (1.0, 0.0)]
    return [build_pdf(PDFRecord("p", 0, 0, 2, 1, 1, 1, 1.0, h), normalise=True) for h in filled]


def test_separation_of_histograms_is_that_of_a_loop():
    s, b = from_contents([1.0, 5.0, 0.0, 2.0], 0.0, 2.0), from_contents([4.0, 1.0, 0.0, 1.0], 0.0, 2.0)
    total = 0.0
    for x, y in zip(s.values / 8 / 0.5, b.values / 6 / 0.5, strict=True):
        total += (x - y) ** 2 / (x + y) if x + y > 0 else 0.0
    assert histogram_separation(s, b) == pytest.approx(0.5 * total * 0.5)


@pytest.mark.parametrize(
    ("signal", "background", "expected"),
    [([1.0, 0.0], [0.0, 1.0], 1.0), ([1.0, 2.0], [2.0, 4.0], 0.0), ([0.0, 0.0], [1.0, 1.0], 0.0)],
    ids=["apart", "equal", "empty"],
)
def test_separation_is_between_0_and_1(signal, background, expected):
    found = histogram_separation(from_contents(signal, 0.0, 1.0), from_contents(background, 0.0, 1.0))
    assert found == pytest.approx(expected)


def test_numbers_of_densities_are_those_of_loops(densities):
    signal, background = densities
    low, high = -4.0, 5.0
    d, total = (high - low) / 100, 0.0
    for k in range(100):
        s, b = (float(p.value((k + 0.5) * d + low)) for p in densities)
        total += (s - b) ** 2 / (s + b)
    assert pdf_separation(signal, background) == pytest.approx(0.5 * d * total, rel=1e-12)
    step, cut, total = (high - low) / 1000, low, 0.0
    for _ in range(1000):
        total += (1.0 - float(background.integral(cut, high))) * float(signal.value(cut))
        cut += step
    assert density_roc_integral(signal, background) == pytest.approx(total * step, rel=1e-12)
    assert density_roc_integral(signal, background) == pytest.approx(0.76, abs=0.015)


def histogram(*contents, high=1.0):
    return from_contents(np.array(contents), 0.0, high, name="h")


@pytest.mark.parametrize(
    ("s", "b", "expected"),
    [((1.0, 1.0), (2.0, 2.0), 0.0), ((1.0, 0.0), (0.0, 4.0), 1.0), ((1.0, 3.0), (1.0, 1.0), 1 / 15)],
)
def test_separation(s, b, expected):
    assert histogram_separation(histogram(*s), histogram(*b)) == pytest.approx(expected, abs=1e-15)
    assert histogram_separation(histogram(*s, high=7.0), histogram(*b, high=7.0)) == pytest.approx(expected, abs=1e-15)

    def density(*contents):
        return build_pdf(PDFRecord("p", 0, 0, 0, 1, 1, 1, 1.0, histogram(*contents)), normalise=True)

    assert pdf_separation(density(*s), density(*b)) == pytest.approx(expected, abs=1e-9)


def test_separation_needs_the_same_bins():
    with pytest.raises(InputError, match="must have the same bins"):
        histogram_separation(histogram(1.0), histogram(1.0, 2.0))
    with pytest.raises(InputError, match="must have the same bins"):
        histogram_separation(histogram(1.0), histogram(1.0, high=2.0))
