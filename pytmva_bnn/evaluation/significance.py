"""The best cut for expected numbers of signal and background events (``GetMaximumSignificance``)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pytmva_bnn.errors import InputError
from pytmva_bnn.evaluation.histograms import Histogram1D, from_contents


@dataclass(frozen=True, eq=False)
class MaximumSignificance:
    """The largest S/√(S + B), the cut it is reached at, and the significance of each cut.

    >>> from pytmva_bnn.evaluation.histograms import from_contents
    >>> MaximumSignificance(0.5, 10.0, from_contents([10.0], 0.0, 1.0)).cut
    0.5
    """

    cut: float
    value: float
    histogram: Histogram1D


def maximum_significance(
    signal: Histogram1D, background: Histogram1D, x_max: float, n_signal: float, n_background: float
) -> MaximumSignificance:
    """Return the best cut, from the efficiency histograms and the upper end of the range without its margin.

    >>> from pytmva_bnn.evaluation.histograms import from_contents
    >>> effs, effb = from_contents([1.0, 0.9, 0.1], 0.0, 3.0), from_contents([1.0, 0.1, 0.0], 0.0, 3.0)
    >>> best = maximum_significance(effs, effb, 3.0, 100.0, 100.0)
    >>> best.cut, best.value
    (1.5, 9.0)
    """
    if n_signal <= 0 or n_background <= 0:
        raise InputError(
            "the numbers of signal and background events must be positive for an optimal cut, "
            f"got {n_signal} and {n_background}"
        )
    e_s, e_b = signal.values, background.values
    sums = e_s + (n_background / n_signal) * e_b
    usable = sums > 0
    s = np.where(usable, np.sqrt(n_signal) * e_s / np.sqrt(np.where(usable, sums, 1.0)), 0.0)
    # TMVA: the bins are those of [Xmin, Xmax], though the efficiencies are histogrammed up to Xmax + 0.00001
    histogram = from_contents(s, signal.x_min, x_max)
    k = int(np.argmax(s))
    return MaximumSignificance(float(histogram.centres[k]), float(s[k]), histogram)
