"""The options of PDFs: defaults, what the classes inherit, numbers of bins."""

from __future__ import annotations

import pytest

from pytmva_bnn.errors import OptionError
from pytmva_bnn.histograms import Interpolation, PDFSettings, parse_response_pdf_options


def test_the_defaults_are_spline2_and_no_smoothing():
    options = parse_response_pdf_options("")
    assert options.signal == options.background == PDFSettings()


@pytest.mark.parametrize(
    ("text", "signal", "background"),
    [
        ("NSmoothMVAPdf=3", {"min_n_smooth": 3, "max_n_smooth": 3}, {"min_n_smooth": 3, "max_n_smooth": 3}),
        ("NsmoothMVAPdfSig=3", {}, {}),  # TMVA: no effect
        ("NSmoothMVAPdf=-3:NSmoothMVAPdfSig=5", {}, {}),  # below 0 counts as 0, and then that of a class has no effect
        ("MinNSmoothMVAPdf=1", {}, {}),  # one of the two alone has no effect
        ("MinNSmoothMVAPdfSig=1:MaxNSmoothMVAPdfSig=4", {"min_n_smooth": 1, "max_n_smooth": 4}, {}),
        ("NbinsMVAPdf=60:NbinsMVAPdfBkg=20", {"n_bins": 60}, {"n_bins": 20}),
        ("NAvEvtPerBinMVAPdfBkg=10:CheckHistMVAPdf", {"check_histogram": True}, {"events_per_bin": 10}),
        (
            "PDFInterpolMVAPdf=KDE:KDEiterMVAPdfSig=Adaptive:KDEborderMVAPdfSig=Renorm:KDEFineFactorMVAPdf=0.5",
            {"interpolation": Interpolation.KDE, "kde_iter": 2, "kde_border": 2, "kde_fine_factor": 0.5},
            {"interpolation": Interpolation.KDE, "kde_fine_factor": 0.5},
        ),
        ("PDFInterpolMVAPdfSig=Spline5", {"interpolation": Interpolation.SPLINE5}, {}),
    ],
)
def test_classes_start_from_the_common_settings(text, signal, background):
    options = parse_response_pdf_options(text)
    common = {"check_histogram": True} if "CheckHist" in text else {}
    assert options.signal == PDFSettings(**signal)
    assert options.background == PDFSettings(**(common | background))
    assert all(token.startswith("~") for token in options.marked.split(":"))


def test_other_options_stay_unmarked():
    assert parse_response_pdf_options("~!V:NCycles=3:NbinsMVAPdf=9").marked == "~!V:NCycles=3:~NbinsMVAPdf=9"


def test_a_maximum_below_the_minimum_is_refused():
    with pytest.raises(OptionError, match="MLP: MaxNSmoothMVAPdf=1 is smaller than MinNSmoothMVAPdf=2"):
        parse_response_pdf_options("MinNSmoothMVAPdf=2:MaxNSmoothMVAPdf=1", owner="MLP")


@pytest.mark.parametrize(
    ("settings", "n_events", "expected"),
    [
        ({}, 2000, 40),
        ({}, 2049, 40),
        ({}, 49, 1),
        ({"n_bins": 7}, 2000, 7),
        ({"events_per_bin": 3}, 10, 3),
        ({"interpolation": Interpolation.KDE}, 2000, 200),
        ({"interpolation": Interpolation.KDE, "n_bins": 7}, 2000, 35),
        ({"interpolation": Interpolation.KDE}, 49, 1),
    ],
)
def test_numbers_of_bins(settings, n_events, expected):
    assert PDFSettings(**settings).bins_for(n_events) == expected


def test_no_events_in_a_bin_are_refused():
    with pytest.raises(OptionError, match="NAvEvtPerBin must be positive unless Nbins is given, got 0"):
        PDFSettings(events_per_bin=0).bins_for(10)
