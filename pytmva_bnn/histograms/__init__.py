"""Binned probability densities as TMVA keeps them in weight files (class ``PDF``).

What to use when:

* a network was trained: :func:`parse_response_pdf_options`, then :func:`make_response_pdfs`;
* a ``PDF`` element was read: put it into a :class:`PDFRecord`, then :func:`build_pdf` it;
* the probability that an event is signal, or its rarity: :func:`probability` and :func:`rarity`;
* the density itself, or its integral: :meth:`PDF.value` and :meth:`PDF.integral`.

>>> import numpy as np
>>> contents = np.array([1, 3, 4, 2], dtype=np.float32)
>>> histogram = Histogram("MLP_tr_S_original", contents, 0.0, 1.0)
>>> record = PDFRecord("MLP_PDFSig", 0, 0, 2, 1, 1, 1, 1.0, histogram)
>>> density = build_pdf(record, normalise=True)
>>> density.value([0.2, 0.5]).round(3).tolist()
[0.691, 1.52]
"""

from __future__ import annotations

from pytmva_bnn.histograms.density import PDF, Interpolation, PDFRecord, build_pdf
from pytmva_bnn.histograms.histogram import FillStatistics, Histogram
from pytmva_bnn.histograms.response import probability, rarity
from pytmva_bnn.histograms.response_pdfs import ResponsePDFs, make_response_pdfs
from pytmva_bnn.histograms.separation import histogram_separation, pdf_separation
from pytmva_bnn.histograms.settings import PDFSettings, ResponsePDFOptions, parse_response_pdf_options

__all__ = [
    "PDF",
    "FillStatistics",
    "Histogram",
    "Interpolation",
    "PDFRecord",
    "PDFSettings",
    "ResponsePDFOptions",
    "ResponsePDFs",
    "build_pdf",
    "histogram_separation",
    "make_response_pdfs",
    "parse_response_pdf_options",
    "pdf_separation",
    "probability",
    "rarity",
]
