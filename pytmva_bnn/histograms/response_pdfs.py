"""The PDFs of the response of a method (option CreateMVAPdfs): made of training events, and applied to others."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.errors import InputError
from pytmva_bnn.histograms.density import PDF, PDFRecord, area_of, build_pdf
from pytmva_bnn.histograms.histogram import fill_1d
from pytmva_bnn.histograms.separation import histogram_separation
from pytmva_bnn.histograms.settings import PDFSettings


@dataclass(frozen=True, eq=False)
class ResponsePDFs:
    """The PDFs of signal and background as the training has them.

    ``separation`` is that of the histograms, None if their bins differ.
    """

    signal: PDF
    background: PDF
    separation: float | None

    @property
    def records(self) -> tuple[PDFRecord, PDFRecord]:
        """What a weight file holds: signal first."""
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
    """Return the PDFs of float32 responses (n_events,) of all training events, each class with its settings."""
    x = np.asarray(responses, dtype=np.float32).astype(np.float64)
    flags, w = np.asarray(is_signal, dtype=bool), np.asarray(weights, dtype=np.float64)
    if x.ndim != 1 or flags.shape != x.shape or w.shape != x.shape:
        raise InputError(
            f"responses, class flags and weights must be lists of the same length, got the shapes {x.shape}, "
            f"{flags.shape} and {w.shape}"
        )
    ends = (float(np.fmin.reduce(x)), float(np.fmax.reduce(x))) if len(x) else (0.0, 0.0)
    if len(x) and not ends[0] < ends[1]:
        raise InputError(
            f"{method}: the response is {ends[0]:g} for all training events, so that it has no density: leave "
            "CreateMVAPdfs out, or look for what keeps the method from learning (options, variables, too few events)"
        )
    made = []
    for name, letter, chosen, given in (("Sig", "S", flags, signal), ("Bkg", "B", ~flags, background)):
        settings = given or PDFSettings()
        if not chosen.any():
            # TMVA: a histogram without entries
            raise InputError(f"PDF '{method}_PDF{name}': Number of entries <= 0, no training events of this class")
        title = f"{method_type}_tr_{letter}_original"
        counted = fill_1d(x[chosen], w[chosen], settings.bins_for(len(x)), *ends)
        area = area_of(counted)
        scale = 1.0 / area if area > 0 else 1.0
        # errors are scaled rather than their squares: the error of a single event stays exactly its content
        squares = (np.sqrt(counted.squares) * scale) ** 2
        histogram = replace(counted.scaled(scale), sumw2=squares, name=title)
        made.append(build_pdf(settings.record(f"{method}_PDF{name}", histogram), normalise=True))
    s, b = made
    same = s.record.histogram.n_bins == b.record.histogram.n_bins
    return ResponsePDFs(s, b, histogram_separation(s.record.histogram, b.record.histogram) if same else None)


def probability(signal: PDF, background: PDF, response: ArrayLike, signal_fraction: float = 0.5) -> FloatArray:
    """Return the probability that events of this response are signal (TMVA's GetProba), or -1 if undefined.

    ``signal_fraction`` π is the share of signal expected before looking: p_S π / (p_S π + p_B (1 - π)).

    >>> from pytmva_bnn.histograms import from_contents
    >>> def density(*contents):
    ...     record = PDFRecord("p", 0, 0, 0, 1, 1, 1, 1.0, from_contents(contents, 0.0, 1.0))
    ...     return build_pdf(record, normalise=True)
    >>> probability(density(1.0, 3.0), density(1.0, 1.0), [0.2, 0.7]).tolist()
    [0.3333333333333333, 0.6]
    """
    p_s, p_b = signal.value(response), background.value(response)
    d = p_s * signal_fraction + p_b * (1 - signal_fraction)
    with np.errstate(all="ignore"):
        return np.where(d > 0, p_s * signal_fraction / d, -1.0)


def rarity(pdf: PDF, response: ArrayLike) -> FloatArray:
    """Return the fraction of the class of ``pdf`` below each response (TMVA's GetRarity: background)."""
    return pdf.integral(pdf.histogram.axis.lower, response)
