"""The record of a PDF in weight files: the element <PDF>, and the text of TMVA up to 3.9."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pytmva_bnn.histograms.density import PDFRecord
from pytmva_bnn.histograms.histogram import from_contents
from pytmva_bnn.xmlio import reading as xml
from pytmva_bnn.xmlio import writing
from pytmva_bnn.xmlio.dialect import Dialect
from pytmva_bnn.xmlio.reading import LARGEST_FLOAT32
from pytmva_bnn.xmlio.words import Words
from pytmva_bnn.xmlio.writing import Lines

if TYPE_CHECKING:
    from lxml.etree import _Element as Element
else:
    Element = Any

MAX_INTERPOLATION = 5
MAX_SMOOTHING_PASSES = 1000
# with different least and largest numbers of passes, each peak of a histogram is smoothed on its own
MAX_LOCAL_SMOOTHING = 100_000
SETTINGS = {
    "MinNSmooth": "min_n_smooth",
    "MaxNSmooth": "max_n_smooth",
    "InterpolMethod": "interpolation",
    "KDE_type": "kde_type",
    "KDE_iter": "kde_iter",
    "KDE_border": "kde_border",
}
TEXT_DEFAULTS = {"InterpolMethod": 2, "KDE_iter": 1, "KDE_border": 1}


def read_pdf(element: Element, dtype: type[np.floating] = np.float64, *, is_used: bool = True) -> PDFRecord:
    """Read one <PDF>: settings and the original histogram, contents as ``dtype``."""
    if element.tag != "PDF":
        xml.fail(element, "an element <PDF> is expected here")
    parts = list(xml.children(element))
    if not parts or parts[0].tag != "Histogram":
        xml.fail(element, "the element <Histogram> is missing")
    histogram = parts[0]
    n_bins = xml.count(histogram, "NBins")
    if n_bins < 1:
        xml.fail(histogram, "a histogram needs at least one bin")
    edges = None
    if xml.integer(histogram, "HasEquidistantBins") == 0:
        if len(parts) < 2 or xml.count(parts[1], "NBins") != n_bins:
            xml.fail(element, f"an element <HistogramBinning> with NBins={n_bins} is expected")
        edges = xml.readable_numbers(parts[1], n_bins + 1, "bin edges", is_used=is_used)
    x_min, x_max = xml.number(histogram, "XMin"), xml.number(histogram, "XMax")
    with np.errstate(over="ignore"):
        contents = xml.readable_numbers(histogram, n_bins, "bin contents", is_used=is_used).astype(dtype)
    record = PDFRecord(
        name=element.get("Name", ""),
        **{field: xml.integer(element, name) for name, field in SETTINGS.items()},
        kde_fine_factor=xml.number(element, "KDE_finefactor"),
        histogram=from_contents(contents, x_min, x_max, edges, name=xml.attribute(histogram, "Name")),
    )
    problem = _problem_of(record)
    if problem is not None:
        xml.fail(element, problem)
    return record


def write_pdf(level: int, pdf: PDFRecord, dialect: Dialect) -> Lines:
    """Yield the lines of one <PDF>."""
    histogram = pdf.histogram
    form = writing.SHORT if dialect.short_numbers else "%5.8e"
    n_bins = histogram.n_bins
    settings = [(name, getattr(pdf, field)) for name, field in SETTINGS.items()]
    fine_factor = ("KDE_finefactor", f"{pdf.kde_fine_factor:.16e}")
    yield writing.start(level, "PDF", [("Name", pdf.name), *settings, fine_factor])
    attributes: list[tuple[str, object]] = [
        ("Name", histogram.name),
        ("NBins", n_bins),
        ("XMin", f"{histogram.x_min:.16e}"),
        ("XMax", f"{histogram.x_max:.16e}"),
        ("HasEquidistantBins", int(histogram.axis.edges is None)),
    ]
    yield from writing.numbers(level + 1, "Histogram", attributes, histogram.values, form)
    if histogram.axis.edges is not None:
        yield from writing.numbers(level + 1, "HistogramBinning", [("NBins", n_bins)], histogram.axis.edges, form)
    yield f"{'  ' * level}</PDF>"


def read_text_pdfs(words: Words) -> tuple[PDFRecord, PDFRecord]:
    """Read the two PDFs of the response: signal, then background."""
    return read_text_pdf(words, "MVA_PDFSig"), read_text_pdf(words, "MVA_PDFBkg")


def read_text_pdf(words: Words, name: str) -> PDFRecord:
    """Read one PDF of a text file and give it a name, which the file does not tell."""
    value: dict[str, float] = {}
    while words.peek() in (*SETTINGS, "NSmooth", "KDE_finefactor"):
        key = words.next("a setting")
        value[key] = words.number(f"the value of {key}")
    if "NSmooth" in value:
        value.setdefault("MinNSmooth", value["NSmooth"])
        value.setdefault("MaxNSmooth", value["NSmooth"])
    if value.get("MinNSmooth", 0) < 0:  # TMVA 3.9: this is how it says KDE
        value["InterpolMethod"] = 5
    histogram_name = name
    if words.peek() == "Histogram":  # before 3.7.3 the numbers follow at once
        words.next("Histogram")
        histogram_name = words.next("the histogram's name")
    n_bins = words.count("a number of bins")
    x_min, x_max = words.number("the lower edge"), words.number("the upper edge")
    if n_bins < 1:
        words.fail("a histogram needs at least one bin")
    if words.peek() == "Weights":
        words.next("Weights")
    contents = words.numbers(n_bins, "a bin content")
    record = PDFRecord(
        name=name,
        **{field: int(value.get(key, TEXT_DEFAULTS.get(key, 0))) for key, field in SETTINGS.items()},
        kde_fine_factor=value.get("KDE_finefactor", 0.0),
        histogram=from_contents(contents, x_min, x_max, name=histogram_name),
    )
    problem = _problem_of(record)
    if problem is not None:
        words.fail(problem)
    return record


def _problem_of(record: PDFRecord) -> str | None:
    """Return what is wrong with the record, or None."""
    histogram = record.histogram
    if histogram.axis.edges is not None and not (np.diff(histogram.axis.edges) >= 0).all():
        return "the bin edges are not in increasing order"
    lower, upper = histogram.axis.lower, histogram.axis.upper
    if not max(-lower, upper) <= LARGEST_FLOAT32 or (histogram.axis.edges is None and not lower < upper):
        return f"the histogram goes from {lower} to {upper}"
    if not np.abs(histogram.values).max() <= LARGEST_FLOAT32:
        return "a bin content is too large: TMVA holds histograms as 32-bit floats"
    if not 0 <= record.interpolation <= MAX_INTERPOLATION:
        return f"InterpolMethod={record.interpolation} is unknown; known: 0 to {MAX_INTERPOLATION}"
    least, most = record.min_n_smooth, record.max_n_smooth
    if max(least, most) > MAX_SMOOTHING_PASSES or (least != most and most * histogram.n_bins > MAX_LOCAL_SMOOTHING):
        return f"{least} to {most} smoothing passes for {histogram.n_bins} bins are implausible"
    return None
