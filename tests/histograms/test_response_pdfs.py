"""PDFs of the response: binning, what is lost, normalisation, and what only the training knows."""

from __future__ import annotations

import logging
import math

import numpy as np
import pytest

from pytmva_bnn.errors import InputError
from pytmva_bnn.histograms import (
    FillStatistics,
    Histogram,
    Interpolation,
    PDFRecord,
    PDFSettings,
    build_pdf,
    histogram_separation,
    make_response_pdfs,
    pdf_separation,
)
from pytmva_bnn.histograms.kde import kernel_width
from pytmva_bnn.histograms.response_pdfs import fill
from pytmva_bnn.histograms.smoothing import passes_by_bin

RNG = np.random.default_rng(3)
N = 3000
SIGNAL = RNG.integers(0, 2, N).astype(bool)
RESPONSE = np.tanh(RNG.normal(np.where(SIGNAL, 0.7, -0.7), 0.6)).astype(np.float32)
WEIGHTS = RNG.uniform(0.2, 2, N)


def naive_histogram(x, w, low, high, n):
    axis = Histogram("h", np.zeros(n), low, high)
    contents = [0.0] * (n + 2)
    for value, weight in zip(x.tolist(), w.tolist(), strict=True):
        contents[int(axis.find_bin(value))] += weight
    inside = contents[1:-1]
    total = 0.0
    for c in inside:
        total += c
    area = total * (high - low) / n
    return [c * (1.0 / area) for c in inside]


def test_histograms_are_those_of_a_scalar_loop_bit_for_bit():
    pdfs = make_response_pdfs(RESPONSE, SIGNAL, WEIGHTS)
    low, high = float(RESPONSE.min()), float(RESPONSE.max())
    for record, chosen in zip(pdfs.records, (SIGNAL, ~SIGNAL), strict=True):
        h = record.histogram
        assert (h.x_min, h.x_max, h.n_bins) == (low, high, N // 50)
        assert h.contents.dtype == np.float64
        assert h.contents.tolist() == naive_histogram(RESPONSE[chosen], WEIGHTS[chosen], low, high, N // 50)


def test_names_are_those_of_the_weight_file():
    s, b = make_response_pdfs(RESPONSE, SIGNAL, WEIGHTS, method="My MLP").records
    assert (s.name, s.histogram.name) == ("My MLP_PDFSig", "MLP_tr_S_original")
    assert (b.name, b.histogram.name) == ("My MLP_PDFBkg", "MLP_tr_B_original")


def test_each_class_has_its_settings():
    pdfs = make_response_pdfs(
        RESPONSE,
        SIGNAL,
        WEIGHTS,
        signal=PDFSettings(n_bins=30, interpolation=Interpolation.SPLINE0),
        background=PDFSettings(min_n_smooth=1, max_n_smooth=1, kde_border=3),
    )
    s, b = pdfs.records
    assert (s.histogram.n_bins, s.interpolation, b.histogram.n_bins, b.min_n_smooth, b.kde_border) == (30, 0, 60, 1, 3)
    assert pdfs.separation is None
    assert pdfs.signal.histogram.contents.dtype == np.float64  # without interpolation: the filled histogram


def test_densities_have_unit_area():
    pdfs = make_response_pdfs(RESPONSE, SIGNAL, WEIGHTS)
    for density in (pdfs.signal, pdfs.background):
        h = density.histogram
        assert float(density.integral(h.lower, np.nextafter(h.upper, -9))) == pytest.approx(1, abs=1e-6)


@pytest.mark.parametrize("interpolation", [i for i in Interpolation if i is not Interpolation.KDE])
def test_what_a_file_keeps_gives_nearly_the_same_density(interpolation):
    settings = PDFSettings(interpolation=interpolation)
    made = make_response_pdfs(RESPONSE, SIGNAL, WEIGHTS, signal=settings, background=settings).signal
    h = made.record.histogram
    stored = Histogram(h.name, np.float32([f"{c:.8e}" for c in h.contents]), h.x_min, h.x_max)
    read = build_pdf(PDFRecord("p", 0, 0, interpolation, 1, 1, 1, 1.0, stored), normalise=True)
    np.testing.assert_allclose(made.value(RESPONSE), read.value(RESPONSE), rtol=1e-5)


def test_what_is_at_the_maximum_is_lost():
    histogram, filled = fill(np.array([0.0, 1.0, 1.0]), np.ones(3), "h", 2, 0.0, 1.0)
    assert histogram.contents.tolist() == [2.0, 0.0]
    assert filled.rms == 0.0


def test_errors_and_rms_are_those_of_the_filled_values():
    x, w = np.array([0.1, 0.2, 0.8]), np.array([1.0, 2.0, 1.0])
    histogram, filled = fill(x, w, "h", 2, 0.0, 1.0)
    scale = 1 / (4 * 0.5)
    assert histogram.contents.tolist() == [3 * scale, scale]
    np.testing.assert_allclose(filled.errors, [math.sqrt(5) * scale, scale], rtol=1e-15)
    mean = np.average(x, weights=w)
    assert filled.rms == pytest.approx(math.sqrt(np.average((x - mean) ** 2, weights=w)), rel=1e-14)


def test_kernel_densities_use_the_rms_of_the_filled_values():
    h = Histogram("h", np.array([1.0, 2.0, 1.0, 1.0]), 0.0, 4.0)
    assert kernel_width(h, rms=2.0) == pytest.approx(2 * kernel_width(h, rms=1.0), rel=1e-6)
    record = PDFRecord("p", 0, 0, Interpolation.KDE, 1, 1, 1, 1.0, h)
    wide = build_pdf(record, normalise=True, filled=FillStatistics(2.0, np.ones(4)))
    narrow = build_pdf(record, normalise=True, filled=FillStatistics(0.5, np.ones(4)))
    assert narrow.value(1.5) > wide.value(1.5)
    settings = PDFSettings(interpolation=Interpolation.KDE)
    made = make_response_pdfs(RESPONSE, SIGNAL, WEIGHTS, signal=settings).signal
    assert made.record.histogram.n_bins == 5 * (N // 50)
    assert float(made.value(0.7)) > float(made.value(-0.7))


def test_smoothing_uses_the_errors_of_the_filled_histogram():
    contents, errors = np.array([4.0, 4.0, 4.0, 4.0]), np.array([0.1, 0.1, 0.1, 3.0])
    assert passes_by_bin(contents, 0, 5, errors).tolist() == [1, 1, 1, 5]
    h = Histogram("h", np.random.default_rng(1).uniform(4, 20, 30), 0.0, 1.0)
    record = PDFRecord("p", 0, 4, Interpolation.SPLINE0, 1, 1, 1, 1.0, h)
    uneven = FillStatistics(1.0, np.where(np.arange(30) % 6 < 3, 3.5, 0.1))
    even = FillStatistics(1.0, np.full(30, 0.1))
    built = [build_pdf(record, normalise=False, filled=f).histogram.contents.tolist() for f in (uneven, even)]
    assert built[0] != built[1]


def test_a_mostly_empty_histogram_is_said(caplog):
    settings = PDFSettings(n_bins=1000, check_histogram=True)
    with caplog.at_level(logging.WARNING):
        make_response_pdfs(RESPONSE[:100], SIGNAL[:100], WEIGHTS[:100], signal=settings)
    assert "More than half of the bins of the histogram of PDF 'MLP_PDFSig' are empty" in caplog.text


def test_equal_responses_make_an_empty_pdf(caplog):
    pdfs = make_response_pdfs(np.full(100, 0.5), np.arange(100) < 50, np.ones(100))
    assert pdfs.records[0].histogram.contents.tolist() == [0.0, 0.0]
    assert pdfs.separation == 0.0
    assert "without positive sum" in caplog.text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([0.1, 0.2], [True, True], [1.0, 1.0]), "PDF 'MLP_PDFBkg': Number of entries <= 0"),
        (([], [], []), "PDF 'MLP_PDFSig': Number of entries <= 0"),
        (([0.1, 0.2], [True], [1.0, 1.0]), "same length"),
    ],
)
def test_events_that_make_no_pdf_are_refused(arguments, message):
    with pytest.raises(InputError, match=message):
        make_response_pdfs(*arguments)


def histogram(*contents, high=1.0):
    return Histogram("h", np.array(contents), 0.0, high)


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
