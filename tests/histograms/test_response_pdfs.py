"""PDFs of the response: binning, what is lost, normalisation, and what only the training knows."""

from __future__ import annotations

import logging
import math
from dataclasses import replace

import numpy as np
import pytest

from pytmva_bnn.errors import InputError
from pytmva_bnn.histograms import (
    Axis,
    Interpolation,
    PDFRecord,
    PDFSettings,
    build_pdf,
    from_contents,
    make_response_pdfs,
)
from pytmva_bnn.histograms.kde import kernel_width
from pytmva_bnn.histograms.smoothing import passes_by_bin

RNG = np.random.default_rng(3)
N = 3000
SIGNAL = RNG.integers(0, 2, N).astype(bool)
FLAT = PDFSettings(interpolation=Interpolation.SPLINE0)
RESPONSE = np.tanh(RNG.normal(np.where(SIGNAL, 0.7, -0.7), 0.6)).astype(np.float32)
WEIGHTS = RNG.uniform(0.2, 2, N)


def naive_histogram(x, w, low, high, n):
    axis = Axis(n, low, high)
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
        assert h.values.dtype == np.float64
        assert h.values.tolist() == naive_histogram(RESPONSE[chosen], WEIGHTS[chosen], low, high, N // 50)


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
    assert pdfs.signal.histogram.values.dtype == np.float64  # without interpolation: the filled histogram


def test_densities_have_unit_area():
    pdfs = make_response_pdfs(RESPONSE, SIGNAL, WEIGHTS)
    for density in (pdfs.signal, pdfs.background):
        h = density.histogram
        assert float(density.integral(h.axis.lower, np.nextafter(h.axis.upper, -9))) == pytest.approx(1, abs=1e-6)


@pytest.mark.parametrize("interpolation", [i for i in Interpolation if i is not Interpolation.KDE])
def test_what_a_file_keeps_gives_nearly_the_same_density(interpolation):
    settings = PDFSettings(interpolation=interpolation)
    made = make_response_pdfs(RESPONSE, SIGNAL, WEIGHTS, signal=settings, background=settings).signal
    h = made.record.histogram
    stored = from_contents(np.float32([f"{c:.8e}" for c in h.values]), h.x_min, h.x_max, name=h.name)
    read = build_pdf(PDFRecord("p", 0, 0, interpolation, 1, 1, 1, 1.0, stored), normalise=True)
    np.testing.assert_allclose(made.value(RESPONSE), read.value(RESPONSE), rtol=1e-5)


def histogram_of(x, w, n_bins):
    """The histogram of the signal in the range [0, 1], which background events span."""
    responses, flags = np.append(x, [0.0, 1.0]), np.append(np.ones(len(x), bool), [False, False])
    weights = np.append(w, [1.0, 1.0])
    pdfs = make_response_pdfs(responses, flags, weights, signal=PDFSettings(n_bins=n_bins), background=FLAT)
    return pdfs.signal.record.histogram


def test_what_is_at_the_maximum_is_lost():
    assert histogram_of(np.array([0.0, 1.0, 1.0]), np.ones(3), 2).values.tolist() == [2.0, 0.0]


def test_errors_and_spread_are_those_of_the_filled_values():
    x, w = np.array([0.125, 0.25, 0.75]), np.array([1.0, 2.0, 1.0])
    histogram = histogram_of(x, w, 2)
    scale = 1 / (4 * 0.5)
    assert histogram.values.tolist() == [3 * scale, scale]
    np.testing.assert_allclose(np.sqrt(histogram.sumw2[1:-1]), [math.sqrt(5) * scale, scale], rtol=1e-15)
    mean = np.average(x, weights=w)
    rms = math.sqrt(np.average((x - mean) ** 2, weights=w))
    assert histogram.standard_deviation() == pytest.approx(rms, rel=1e-14)


def with_spread(histogram, rms):
    """The histogram as if it had been filled with values that have this RMS around 0."""
    return replace(histogram, statistics=np.array([1.0, 1.0, 0.0, rms * rms]))


def test_kernel_densities_use_the_rms_of_the_filled_values():
    h = from_contents(np.array([1.0, 2.0, 1.0, 1.0]), 0.0, 4.0, name="h")
    assert kernel_width(with_spread(h, 2.0)) == pytest.approx(2 * kernel_width(with_spread(h, 1.0)), rel=1e-6)
    wide, narrow = (
        build_pdf(PDFRecord("p", 0, 0, Interpolation.KDE, 1, 1, 1, 1.0, with_spread(h, rms)), normalise=True)
        for rms in (2.0, 0.5)
    )
    assert narrow.value(1.5) > wide.value(1.5)
    settings = PDFSettings(interpolation=Interpolation.KDE)
    made = make_response_pdfs(RESPONSE, SIGNAL, WEIGHTS, signal=settings).signal
    assert made.record.histogram.n_bins == 5 * (N // 50)
    assert float(made.value(0.7)) > float(made.value(-0.7))


def test_smoothing_uses_the_errors_of_the_filled_histogram():
    assert passes_by_bin([4.0, 4.0, 4.0, 4.0], [0.1, 0.1, 0.1, 3.0], 0, 5).tolist() == [1, 1, 1, 5]
    h = from_contents(np.random.default_rng(1).uniform(4, 20, 30), 0.0, 1.0, errors=True)
    built = []
    for errors in (np.where(np.arange(30) % 6 < 3, 3.5, 0.1), np.full(30, 0.1)):  # uneven and even
        h.sumw2[1:-1] = errors**2
        record = PDFRecord("p", 0, 4, Interpolation.SPLINE0, 1, 1, 1, 1.0, h)
        built.append(build_pdf(record, normalise=False).histogram.values.tolist())
    assert built[0] != built[1]


def test_a_bin_of_a_single_event_has_an_error_of_its_content_exactly():
    w = np.random.default_rng(1).uniform(0.1, 3.0, 300)
    histogram = histogram_of((np.arange(300) + 0.5) / 300, w, 300)
    assert np.array_equal(np.sqrt(histogram.squares), histogram.cells)
    assert passes_by_bin(histogram.values, np.sqrt(histogram.squares[1:-1]), 1, 4).tolist() == [4] * 300


def test_a_mostly_empty_histogram_is_said(caplog):
    settings = PDFSettings(n_bins=1000, check_histogram=True)
    with caplog.at_level(logging.WARNING):
        make_response_pdfs(RESPONSE[:100], SIGNAL[:100], WEIGHTS[:100], signal=settings)
    assert "More than half of the bins of the histogram of PDF 'MLP_PDFSig' are empty" in caplog.text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([0.1, 0.2], [True, True], [1.0, 1.0]), "PDF 'MLP_PDFBkg': Number of entries <= 0"),
        (([], [], []), "PDF 'MLP_PDFSig': Number of entries <= 0"),
        (([0.1, 0.2], [True], [1.0, 1.0]), "same length"),
        (([0.5, 0.5], [True, False], [1.0, 1.0]), "MLP: the response is 0.5 for all training events"),
        (([np.nan, np.nan], [True, False], [1.0, 1.0]), "MLP: the response is nan for all training events"),
    ],
)
def test_events_that_make_no_pdf_are_refused(arguments, message):
    with pytest.raises(InputError, match=message):
        make_response_pdfs(*arguments)
