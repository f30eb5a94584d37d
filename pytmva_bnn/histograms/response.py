"""What the densities of the response tell about an event: its signal probability and its rarity."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from pytmva_bnn.histograms.density import PDF


def probability(signal: PDF, background: PDF, response: ArrayLike, signal_fraction: float = 0.5) -> NDArray[np.float64]:
    """Return the probability that events of this response are signal (TMVA's GetProba), or -1 if undefined.

    ``signal_fraction`` π is the share of signal expected before looking: p_S π / (p_S π + p_B (1 - π)).

    >>> from pytmva_bnn.histograms import Histogram, PDFRecord, build_pdf
    >>> def density(*contents):
    ...     histogram = Histogram("h", np.array(contents), 0.0, 1.0)
    ...     return build_pdf(PDFRecord("p", 0, 0, 0, 1, 1, 1, 1.0, histogram), normalise=True)
    >>> probability(density(1.0, 3.0), density(1.0, 1.0), [0.2, 0.7]).tolist()
    [0.3333333333333333, 0.6]
    """
    p_s, p_b = signal.value(response), background.value(response)
    d = p_s * signal_fraction + p_b * (1 - signal_fraction)
    with np.errstate(all="ignore"):
        return np.where(d > 0, p_s * signal_fraction / d, -1.0)


def rarity(pdf: PDF, response: ArrayLike) -> NDArray[np.float64]:
    """Return the fraction of the class of ``pdf`` below each response (TMVA's GetRarity: background).

    >>> from pytmva_bnn.histograms import Histogram, PDFRecord, build_pdf
    >>> histogram = Histogram("h", np.array([1.0, 3.0], dtype=np.float32), 0.0, 1.0)
    >>> background = build_pdf(PDFRecord("p", 0, 0, 0, 1, 1, 1, 1.0, histogram), normalise=True)
    >>> rarity(background, [-0.5, 0.75]).tolist()
    [0.0, 0.625]
    """
    return pdf.integral(pdf.histogram.lower, response)
