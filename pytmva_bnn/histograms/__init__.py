"""Histograms as ROOT has them, and the probability densities that TMVA makes of them (class ``PDF``).

What to use when:

* a histogram of events: :func:`fill_1d`, :func:`fill_2d`, :func:`fill_profile`; of numbers: :func:`from_contents`;
* a network was trained: :func:`parse_response_pdf_options`, then :func:`make_response_pdfs`;
* a ``PDF`` element was read: put it into a :class:`PDFRecord`, then :func:`build_pdf` it;
* the probability that an event is signal, or its rarity: :func:`probability` and :func:`rarity`;
* the density itself, or its integral: :meth:`PDF.value` and :meth:`PDF.integral`.

>>> histogram = from_contents([1, 3, 4, 2], 0.0, 1.0, name="MLP_tr_S_original")
>>> record = PDFRecord("MLP_PDFSig", 0, 0, 2, 1, 1, 1, 1.0, histogram)
>>> density = build_pdf(record, normalise=True)
>>> density.value([0.2, 0.5]).round(3).tolist()
[0.691, 1.52]
"""

from __future__ import annotations

from pytmva_bnn.histograms.axis import Axis
from pytmva_bnn.histograms.density import PDF, Interpolation, PDFRecord, build_pdf, build_pdfs
from pytmva_bnn.histograms.histogram import (
    Histogram,
    Histogram1D,
    Histogram2D,
    fill_1d,
    fill_2d,
    from_contents,
    normalised,
    stacked,
)
from pytmva_bnn.histograms.profile import Profile, fill_profile
from pytmva_bnn.histograms.response_pdfs import ResponsePDFs, make_response_pdfs, probability, rarity
from pytmva_bnn.histograms.separation import density_roc_integral, histogram_separation, pdf_separation
from pytmva_bnn.histograms.settings import PDFSettings, ResponsePDFOptions, parse_response_pdf_options

__all__ = [
    "PDF",
    "Axis",
    "Histogram",
    "Histogram1D",
    "Histogram2D",
    "Interpolation",
    "PDFRecord",
    "PDFSettings",
    "Profile",
    "ResponsePDFOptions",
    "ResponsePDFs",
    "build_pdf",
    "build_pdfs",
    "density_roc_integral",
    "fill_1d",
    "fill_2d",
    "fill_profile",
    "from_contents",
    "histogram_separation",
    "make_response_pdfs",
    "normalised",
    "parse_response_pdf_options",
    "pdf_separation",
    "probability",
    "rarity",
    "stacked",
]
