"""Making the PDFs of the response of a method from its training events (option CreateMVAPdfs)."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pytmva_bnn.errors import InputError
from pytmva_bnn.histograms.density import PDF, Interpolation, PDFRecord, build_pdf
from pytmva_bnn.histograms.histogram import FillStatistics, Histogram
from pytmva_bnn.histograms.separation import histogram_separation
from pytmva_bnn.histograms.settings import PDFSettings

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]

LOGGER = logging.getLogger("pytmva_bnn.histograms")


@dataclass(frozen=True, eq=False)
class ResponsePDFs:
    """The PDFs of signal and background as the training has them.

    ``separation`` is that of the histograms, None if their bins differ.

    >>> pdfs = make_response_pdfs(np.linspace(0, 1, 200), np.arange(200) > 90, np.ones(200))
    >>> [record.name for record in pdfs.records]
    ['MLP_PDFSig', 'MLP_PDFBkg']
    """

    signal: PDF
    background: PDF
    separation: float | None

    @property
    def records(self) -> tuple[PDFRecord, PDFRecord]:
        """What a weight file holds: signal first.

        >>> pdfs = make_response_pdfs(np.linspace(0, 1, 200), np.arange(200) > 90, np.ones(200))
        >>> pdfs.records[0].histogram.name
        'MLP_tr_S_original'
        """
        return self.signal.record, self.background.record


def make_response_pdfs(
    responses: ArrayLike,
    is_signal: ArrayLike,
    weights: ArrayLike,
    *,
    signal: PDFSettings | None = None,
    background: PDFSettings | None = None,
    method: str = "MLP",
    method_type: str = "MLP",
) -> ResponsePDFs:
    """Return the PDFs of float32 responses (n_events,) of all training events, each class with its settings.

    >>> rng = np.random.default_rng(1)
    >>> is_signal = np.arange(4000) % 2 == 0
    >>> pdfs = make_response_pdfs(rng.normal(is_signal, 1.0), is_signal, np.ones(4000))
    >>> bool(pdfs.signal.value(2.0) > pdfs.background.value(2.0)), pdfs.signal.record.histogram.n_bins
    (True, 80)
    """
    x = np.asarray(responses, dtype=np.float32).astype(np.float64)
    flags, w = np.asarray(is_signal, dtype=bool), np.asarray(weights, dtype=np.float64)
    if x.ndim != 1 or flags.shape != x.shape or w.shape != x.shape:
        raise InputError(
            f"responses, class flags and weights must be lists of the same length, got the shapes {x.shape}, "
            f"{flags.shape} and {w.shape}"
        )
    ends = (float(np.fmin.reduce(x)), float(np.fmax.reduce(x))) if len(x) else (0.0, 0.0)
    made = []
    for name, letter, chosen, given in (("Sig", "S", flags, signal), ("Bkg", "B", ~flags, background)):
        settings = given or PDFSettings()
        if not chosen.any():
            # TMVA: a histogram without entries
            raise InputError(f"PDF '{method}_PDF{name}': Number of entries <= 0, no training events of this class")
        title = f"{method_type}_tr_{letter}_original"
        histogram, filled = fill(x[chosen], w[chosen], title, settings.bins_for(len(x)), *ends)
        record = _record(f"{method}_PDF{name}", settings, histogram)
        if settings.check_histogram:
            _check_histogram(record)
        made.append(build_pdf(record, normalise=True, filled=filled))
    s, b = made
    same = s.record.histogram.n_bins == b.record.histogram.n_bins
    return ResponsePDFs(s, b, histogram_separation(s.record.histogram, b.record.histogram) if same else None)


def fill(
    x: Floats, weights: Floats, name: str, n_bins: int, x_min: float, x_max: float
) -> tuple[Histogram, FillStatistics]:
    """Return a float64 histogram of values (n_events,) of unit area, and what is known from filling it.

    >>> histogram, filled = fill(np.array([0.0, 0.2, 0.7, 1.0]), np.ones(4), "h", 2, 0.0, 1.0)
    >>> histogram.contents.round(12).tolist()  # what is at x_max is in the overflow
    [1.333333333333, 0.666666666667]
    """
    empty = Histogram(name, np.zeros(n_bins), x_min, x_max)
    bins = empty.find_bin(x)
    inside = (bins >= 1) & (bins <= n_bins)
    x, weights, bins = x[inside], weights[inside], bins[inside]
    # bincount adds one by one, in the order of events
    contents = np.bincount(bins - 1, weights, minlength=n_bins)
    errors = np.sqrt(np.bincount(bins - 1, weights * weights, minlength=n_bins))
    area = np.add.accumulate(contents)[-1] * (x_max - x_min) / n_bins
    scale = 1.0 / area if area > 0 else 1.0
    return Histogram(name, contents * scale, x_min, x_max), FillStatistics(_rms(x, weights), errors * scale)


def _rms(x: Floats, weights: Floats) -> float:
    if len(x) == 0:
        return 0.0
    with np.errstate(all="ignore"):  # a sum of weights of 0
        total = np.add.accumulate(weights)[-1]
        mean = np.add.accumulate(weights * x)[-1] / total
        return float(np.sqrt(np.abs(np.add.accumulate(weights * x * x)[-1] / total - mean * mean)))


def _record(name: str, settings: PDFSettings, histogram: Histogram) -> PDFRecord:
    return PDFRecord(
        name,
        settings.min_n_smooth,
        settings.max_n_smooth,
        settings.interpolation.value,
        settings.kde_type,
        settings.kde_iter,
        settings.kde_border,
        settings.kde_fine_factor,
        histogram,
    )


def _check_histogram(record: PDFRecord) -> None:
    empty = int(np.count_nonzero(record.histogram.contents == 0))
    if record.interpolation != Interpolation.SPLINE0 and empty > 0.5 * record.histogram.n_bins:
        LOGGER.warning(
            "More than half of the bins of the histogram of PDF '%s' are empty (%d of %d): use fewer bins",
            record.name,
            empty,
            record.histogram.n_bins,
        )
