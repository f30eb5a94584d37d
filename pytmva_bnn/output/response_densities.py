"""Histograms of the densities of the response (option CreateMVAPdfs), as a method has them after reading its file."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pytmva_bnn.evaluation import NamedHistogram
from pytmva_bnn.histograms import PDF, Histogram1D, Interpolation, from_contents
from pytmva_bnn.histograms.density import density_histogram
from pytmva_bnn.histograms.smoothing import smooth_histogram


def density_histograms(pdfs: tuple[PDF, PDF] | None, kind: str) -> Iterator[NamedHistogram]:
    """Yield source, smoothed source and fine histogram of the densities of signal and background."""
    # TMVA: writes them twice, as cycles 1 and 2 with the same contents
    for letter, density in zip("SB", pdfs or (), strict=False):
        record = density.record
        name = f"{kind}_tr_{letter}"
        smoothed = smooth_histogram(record.histogram, record.min_n_smooth, record.max_n_smooth)
        method = Interpolation(record.interpolation)
        way = "KDE" if method is Interpolation.KDE else method.name.lower()
        yield NamedHistogram(f"{name}_original", f"{name}_original", _single_precision(record.histogram))
        yield NamedHistogram(f"{name}_smoothed", f"{name}_smoothed", _single_precision(smoothed))
        fine = density_histogram(record.in_float32())
        yield NamedHistogram(f"{name}_smoothed_hist_from_{way}", f"{name}_smoothed_hist from_{way}", fine)


def _single_precision(histogram: Histogram1D) -> Histogram1D:
    return from_contents(histogram.values.astype(np.float32), histogram.axis.lower, histogram.axis.upper)
