"""Histograms of the densities of the response (option CreateMVAPdfs), as a method has them after reading its file."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pytmva_bnn import histograms as pdf
from pytmva_bnn.evaluation import Histogram1D, NamedHistogram
from pytmva_bnn.evaluation.histograms import from_contents
from pytmva_bnn.histograms import PDF
from pytmva_bnn.histograms.density import Interpolation
from pytmva_bnn.histograms.smoothing import smooth_histogram

INTERPOLATIONS = {
    Interpolation.SPLINE0: "spline0",
    Interpolation.SPLINE1: "spline1",
    Interpolation.SPLINE2: "spline2",
    Interpolation.SPLINE3: "spline3",
    Interpolation.SPLINE5: "spline5",
    Interpolation.KDE: "KDE",
}


def density_histograms(pdfs: tuple[PDF, PDF] | None) -> Iterator[NamedHistogram]:
    """Yield source, smoothed source and fine histogram of the densities of signal and background.

    >>> from pytmva_bnn.histograms import make_response_pdfs
    >>> made = make_response_pdfs(np.linspace(0, 1, 200), np.arange(200) > 90, np.ones(200))
    >>> [h.name for h in density_histograms((made.signal, made.background))][:3]
    ['MLP_tr_S_original', 'MLP_tr_S_smoothed', 'MLP_tr_S_smoothed_hist_from_spline2']
    """
    # TMVA: writes them twice, as cycles 1 and 2 with the same contents
    for letter, density in zip("SB", pdfs or (), strict=False):
        record = density.record
        name = f"MLP_tr_{letter}"
        smoothed = smooth_histogram(record.histogram, record.min_n_smooth, record.max_n_smooth)
        way = INTERPOLATIONS[Interpolation(record.interpolation)]
        yield NamedHistogram(f"{name}_original", f"{name}_original", _single_precision(record.histogram))
        yield NamedHistogram(f"{name}_smoothed", f"{name}_smoothed", _single_precision(smoothed))
        fine = _single_precision(density.histogram)
        yield NamedHistogram(f"{name}_smoothed_hist_from_{way}", f"{name}_smoothed_hist from_{way}", fine)


def _single_precision(histogram: pdf.Histogram) -> Histogram1D:
    made = from_contents(histogram.contents, histogram.lower, histogram.upper)
    return Histogram1D(made.contents.astype(np.float32), None, made.x_min, made.x_max, made.entries, made.statistics)
