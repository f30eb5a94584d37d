"""Kolmogorov-Smirnov test of two histograms: are the training and the test responses of one distribution?

TMVA's overtraining plot shows the probability of pseudo-experiments (ROOT's option "X"), which is random; this one is
that of the unbinned test.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.errors import InputError
from pytmva_bnn.histograms import Histogram1D
from pytmva_bnn.reductions.summation import sequential_sum


@dataclass(frozen=True)
class KolmogorovResult:
    """Largest distance of the cumulative distributions and the probability of a larger one.

    ``effective_entries`` are those of the two histograms.
    """

    distance: float
    probability: float
    effective_entries: tuple[float, float]


def kolmogorov_probability(z: float) -> float:
    """Return the probability that Kolmogorov's statistic exceeds ``z``."""
    u = abs(z)
    if u < 0.2:
        return 1.0
    if u < 0.755:
        v = 1.0 / (u * u)
        c1 = -math.pi * math.pi / 8.0
        terms = math.exp(c1 * v) + math.exp(9 * c1 * v) + math.exp(25 * c1 * v)
        return 1.0 - 2.50662827 * terms / u
    if u < 6.8116:
        n_terms = max(1, math.floor(3.0 / u + 0.5))
        return 2 * sum((-1.0) ** (j - 1) * math.exp(-2.0 * j * j * u * u) for j in range(1, n_terms + 1))
    return 0.0


def kolmogorov(first: Histogram1D, second: Histogram1D) -> KolmogorovResult:
    """Compare two histograms with the same bins; flow bins do not count.

    >>> from pytmva_bnn.histograms import fill_1d
    >>> rng = np.random.default_rng(1)
    >>> a, b = (fill_1d(rng.normal(mean, 1.0, 1000), None, 40, -4.0, 4.0) for mean in (0.0, 0.1))
    >>> result = kolmogorov(a, b)
    >>> round(result.distance, 3), round(result.probability, 3)
    (0.072, 0.011)
    """
    if not first.axis.same_bins(second.axis):
        raise InputError(
            "the Kolmogorov-Smirnov test needs histograms with the same bins, got "
            f"{first.n_bins} in [{first.x_min}, {first.x_max}] and {second.n_bins} in [{second.x_min}, {second.x_max}]"
        )
    n1, n2 = _effective_entries(first), _effective_entries(second)
    distance = float(np.max(np.abs(_cumulated(first) - _cumulated(second))))
    z = distance * math.sqrt(n1 * n2 / (n1 + n2))
    return KolmogorovResult(distance, kolmogorov_probability(z), (n1, n2))


def _cumulated(h: Histogram1D) -> FloatArray:
    values = h.values.astype(np.float64)
    return np.add.accumulate(values * (1.0 / float(sequential_sum(values))))


def _effective_entries(h: Histogram1D) -> float:
    total = float(sequential_sum(h.values.astype(np.float64)))
    if not total > 0:
        raise InputError(f"the Kolmogorov-Smirnov test needs histograms with a positive integral, got {total}")
    squares = h.values if h.sumw2 is None else h.sumw2[1:-1]
    return total * total / float(sequential_sum(squares.astype(np.float64)))
