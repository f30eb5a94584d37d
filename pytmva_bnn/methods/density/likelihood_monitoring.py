"""What the training of Likelihood leaves in the output file: the reference histograms and the densities."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from pytmva_bnn.histograms import PDF, Axis, Histogram1D, Interpolation, from_contents
from pytmva_bnn.histograms.density import density_histogram
from pytmva_bnn.histograms.entries import Entry, NamedHistogram
from pytmva_bnn.histograms.smoothing import passes_by_bin, smooth_histogram
from pytmva_bnn.methods.density.likelihood_response import PDFPairs

CHECK_BINS = 15000
MOST_BINS, MERGED = 100, 5


def monitoring(pdfs: PDFPairs, labels: Sequence[str]) -> Iterator[Entry]:
    """Yield the entries of the method's folder."""
    for label, pair in zip(labels, pdfs, strict=True):
        for name, pdf in zip(("signal", "background"), pair, strict=True):
            yield from _histograms(f"{label} {name} training", pdf)
        axis = pair[0].histogram.axis
        x = Axis(CHECK_BINS, axis.lower, axis.upper)
        name = f"{label}_additional_check"
        values = pair[0].value(x.centres).astype(np.float32)
        yield NamedHistogram(name, name, from_contents(values, axis.lower, axis.upper, name=name))
        for pdf in pair:
            nice = f"{_name(pdf)}_nice"
            yield NamedHistogram(nice, nice, _with_fewer_bins(pdf.record.histogram))


def _histograms(title: str, pdf: PDF) -> Iterator[NamedHistogram]:
    record, name = pdf.record, _name(pdf)
    smoothed = f"{name}_smoothed"
    kind = Interpolation(record.interpolation).name
    yield NamedHistogram(name, title, record.histogram)
    working = smooth_histogram(record.histogram, record.min_n_smooth, record.max_n_smooth)
    yield NamedHistogram(smoothed, smoothed, working)
    made = f"{smoothed}_hist_from_{kind if kind == 'KDE' else kind.lower()}"
    yield NamedHistogram(made, made, density_histogram(record))
    if record.min_n_smooth < record.max_n_smooth:
        errors = np.sqrt(record.histogram.squares[1:-1])
        passes = passes_by_bin(record.histogram.values, errors, record.min_n_smooth, record.max_n_smooth)
        axis = record.histogram.axis
        counts = from_contents(passes.astype(np.float32), axis.lower, axis.upper)
        yield NamedHistogram(f"{smoothed}_Nsmooth", f"{smoothed}_Nsmooth", counts)


def _name(pdf: PDF) -> str:
    return pdf.record.histogram.name.removesuffix("_original")


def _with_fewer_bins(histogram: Histogram1D) -> Histogram1D:
    """Return a histogram of more than 100 bins as means of five bins each; what is left over is in the overflow."""
    n, axis = histogram.n_bins // MERGED, histogram.axis
    if histogram.n_bins <= MOST_BINS:
        return histogram
    upper = axis.upper if n * MERGED == axis.n_bins else float(axis.low_edge(n * MERGED + 1))

    def merged(cells: np.ndarray) -> np.ndarray:
        inner = cells[1 : 1 + n * MERGED].reshape(n, MERGED).sum(axis=1)
        return np.concatenate([cells[:1], inner, [cells[1 + n * MERGED :].sum()]]).astype(cells.dtype)

    sumw2 = None if histogram.sumw2 is None else merged(histogram.sumw2)
    fewer = replace(histogram, axes=(Axis(n, axis.lower, upper),), cells=merged(histogram.cells), sumw2=sumw2)
    return fewer.scaled(1.0 / MERGED)
