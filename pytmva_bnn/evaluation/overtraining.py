"""Kolmogorov-Smirnov test of two histograms: are the training and the test responses of one distribution?

What to use when: :func:`kolmogorov` is reproducible; :func:`kolmogorov_by_toys` is what TMVA's overtraining plot shows
(ROOT's option "X"): right also for binned data, but random, so it takes a generator.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pytmva_bnn.errors import InputError
from pytmva_bnn.evaluation.histograms import Histogram1D
from pytmva_bnn.reductions.summation import sequential_sum

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

PSEUDO_EXPERIMENTS = 1000


@dataclass(frozen=True)
class KolmogorovResult:
    """Largest distance of the cumulative distributions and the probability of a larger one.

    ``effective_entries`` are those of the two histograms.

    >>> from pytmva_bnn.evaluation.histograms import fill_1d
    >>> h = fill_1d([0.1, 0.6, 0.7], None, 2, 0.0, 1.0)
    >>> kolmogorov(h, h)
    KolmogorovResult(distance=0.0, probability=1.0, effective_entries=(3.0, 3.0))
    """

    distance: float
    probability: float
    effective_entries: tuple[float, float]


def kolmogorov_probability(z: float) -> float:
    """Return the probability that Kolmogorov's statistic exceeds ``z``.

    >>> [round(kolmogorov_probability(z), 4) for z in (0.1, 0.5, 1.0, 2.0, 7.0)]
    [1.0, 0.9639, 0.27, 0.0007, 0.0]
    """
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

    >>> from pytmva_bnn.evaluation.histograms import fill_1d
    >>> rng = np.random.default_rng(1)
    >>> a, b = (fill_1d(rng.normal(mean, 1.0, 1000), None, 40, -4.0, 4.0) for mean in (0.0, 0.1))
    >>> result = kolmogorov(a, b)
    >>> round(result.distance, 3), round(result.probability, 3)
    (0.072, 0.011)
    """
    _check_same_bins(first, second)
    n = tuple(_effective_entries(h) for h in (first, second))
    distance = float(_distances(first.values.astype(np.float64), second.values.astype(np.float64)))
    z = distance * math.sqrt(n[0] * n[1] / (n[0] + n[1]))
    return KolmogorovResult(distance, kolmogorov_probability(z), (n[0], n[1]))


def kolmogorov_by_toys(
    first: Histogram1D,
    second: Histogram1D,
    random: np.random.Generator,
    n_experiments: int = PSEUDO_EXPERIMENTS,
) -> KolmogorovResult:
    """Compare two histograms by pseudo-experiments: how often is the distance larger if both are of one distribution?

    Both are redrawn from the one with more effective entries.  The drawing is multinomial, which ROOT's is too, with
    a small correction if there are many entries; its random numbers are others.

    >>> from pytmva_bnn.evaluation.histograms import fill_1d
    >>> rng = np.random.default_rng(1)
    >>> a, b = (fill_1d(rng.normal(mean, 1.0, 1000), None, 40, -4.0, 4.0) for mean in (0.0, 0.1))
    >>> kolmogorov_by_toys(a, b, np.random.default_rng(2)).probability < 0.06
    True
    """
    plain = kolmogorov(first, second)
    n1, n2 = plain.effective_entries
    parent = np.clip((first if n1 > n2 else second).values.astype(np.float64), 0.0, None)
    share = parent / parent.sum()
    drawn1 = random.multinomial(int(n1), share, size=n_experiments).astype(np.float64)
    drawn2 = random.multinomial(int(n2), share, size=n_experiments).astype(np.float64)
    larger = np.count_nonzero(_distances(drawn1, drawn2) > plain.distance)
    return KolmogorovResult(plain.distance, float(larger) / n_experiments, plain.effective_entries)


def _distances(first: Floats, second: Floats) -> Floats:
    a, b = (np.add.accumulate(h * (1.0 / _totals(h)), axis=-1) for h in (first, second))
    return np.asarray(np.max(np.abs(a - b), axis=-1))


def _totals(h: Floats) -> Floats:
    return np.asarray(sequential_sum(h))[..., np.newaxis]


def _effective_entries(h: Histogram1D) -> float:
    total = float(sequential_sum(h.values.astype(np.float64)))
    squares = h.values if h.sumw2 is None else h.sumw2[1:-1]
    if not total > 0:
        raise InputError(f"the Kolmogorov-Smirnov test needs histograms with a positive integral, got {total}")
    return total * total / float(sequential_sum(squares.astype(np.float64)))


def _check_same_bins(first: Histogram1D, second: Histogram1D) -> None:
    if (first.n_bins, first.x_min, first.x_max) != (second.n_bins, second.x_min, second.x_max):
        raise InputError(
            "the Kolmogorov-Smirnov test needs histograms with the same bins, got "
            f"{first.n_bins} in [{first.x_min}, {first.x_max}] and {second.n_bins} in [{second.x_min}, {second.x_max}]"
        )
