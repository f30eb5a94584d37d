"""How well two distributions are separated: ½ ∫ (s - b)² / (s + b), 0 for equal ones and 1 without overlap."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import numpy as np

from pytmva_bnn.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pytmva_bnn.histograms.density import PDF
    from pytmva_bnn.histograms.histogram import Histogram

    Floats = NDArray[np.float64]

LOGGER = logging.getLogger("pytmva_bnn.histograms")

PDF_STEPS = 100


def histogram_separation(signal: Histogram, background: Histogram) -> float:
    """Return the separation of two histograms of the same binning; 0 with a warning if one is empty.

    >>> from pytmva_bnn.histograms import Histogram
    >>> histogram_separation(Histogram("s", np.array([0.0, 2.0]), 0, 1), Histogram("b", np.array([3.0, 0.0]), 0, 1))
    1.0
    """
    same_range = (signal.lower, signal.upper) == (background.lower, background.upper)
    if signal.n_bins != background.n_bins or not same_range:
        raise InputError(
            f"histograms '{signal.name}' and '{background.name}' must have the same bins for their separation: "
            f"{signal.n_bins} from {signal.lower} to {signal.upper} and "
            f"{background.n_bins} from {background.lower} to {background.upper}"
        )
    width = signal.mean_width
    s, b = (h.contents.astype(np.float64) for h in (signal, background))
    sum_s, sum_b = (np.add.accumulate(contents)[-1] for contents in (s, b))
    if not (sum_s > 0 and sum_b > 0):
        LOGGER.warning("<GetSeparation> histogram without positive sum: signal %g, background %g", sum_s, sum_b)
        return 0.0
    return separation_of(s / (sum_s * width), b / (sum_b * width), width)


def pdf_separation(signal: PDF, background: PDF) -> float:
    """Return the separation of two PDFs of the same range, at 100 points.

    >>> from pytmva_bnn.histograms import Histogram, PDFRecord, build_pdf
    >>> def density(*contents):
    ...     histogram = Histogram("h", np.array(contents), 0.0, 1.0)
    ...     return build_pdf(PDFRecord("p", 0, 0, 0, 1, 1, 1, 1.0, histogram), normalise=True)
    >>> round(pdf_separation(density(1.0, 3.0), density(1.0, 1.0)), 6)
    0.066667
    """
    h = signal.histogram
    width = (h.upper - h.lower) / PDF_STEPS
    x = h.lower + (np.arange(PDF_STEPS) + 0.5) * width
    return separation_of(signal.value(x), background.value(x), width)


def separation_of(s: Floats, b: Floats, width: float) -> float:
    """Return the separation of two densities given at points ``width`` apart.

    >>> separation_of(np.array([1.0, 0.0]), np.array([0.0, 1.0]), 1.0)
    1.0
    """
    used = s + b > 0
    s, b = s[used], b[used]
    terms = (s - b) * (s - b) / (s + b)
    return float(0.5 * width * np.add.accumulate(terms)[-1]) if len(terms) else 0.0
