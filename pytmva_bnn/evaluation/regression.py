"""How far regression responses are from the truth: the numbers of TMVA's tables (``TestRegression``) and histograms."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from pytmva_bnn._typing import Float32Array, FloatArray
from pytmva_bnn.errors import InputError
from pytmva_bnn.evaluation.ranking import mutual_information
from pytmva_bnn.evaluation.samples import RegressionSample
from pytmva_bnn.histograms import Histogram1D, Histogram2D, fill_1d, fill_2d
from pytmva_bnn.reductions.summation import sequential_sum

MUTUAL_INFORMATION_BINS = (150, 100)
SCATTER_BINS = 50
SQUARE_BINS = 500
BEST_FRACTION = 0.9


@dataclass(frozen=True)
class RegressionNumbers:
    """Numbers of all events, and (``truncated_...``) of those within two RMS of the bias.

    ``deviation`` is the mean of |d|, d = response - target; methods are ranked by that of the test sample.
    """

    bias: float
    deviation: float
    rms: float
    correlation: float
    mutual_information: float
    truncated_bias: float
    truncated_deviation: float
    truncated_rms: float
    truncated_mutual_information: float


def regression_numbers(sample: RegressionSample, target: int = 0) -> RegressionNumbers:
    """Return the numbers of one target; TMVA looks at the first one only."""
    if len(sample.weight) == 0:
        raise InputError("regression cannot be evaluated: there are no events")
    r, t = sample.response[:, target], sample.target[:, target]
    w = sample.weight.astype(np.float32)
    with np.errstate(all="ignore"):
        d = r - t
        bias, deviation, rms = _moments(d, w)
        near = (d >= bias - 2 * rms) & (d <= bias + 2 * rms)
        truncated = _moments(d[near], w[near])
        correlation = _correlation(r, t, w)
        low = float(min(np.fmin.reduce(t), np.fmin.reduce(r)))
        high = float(max(np.fmax.reduce(t), np.fmax.reduce(r)))

    def information(r: Float32Array, t: Float32Array, w: Float32Array) -> float:
        return mutual_information(fill_2d(r, t, w, MUTUAL_INFORMATION_BINS, (low, high), (low, high)))

    return RegressionNumbers(
        bias,
        deviation,
        rms,
        correlation,
        information(r, t, w),
        *truncated,
        information(r[near], t[near], w[near]),
    )


def _sum(terms: Float32Array) -> np.float64:
    return np.float64(sequential_sum(terms.astype(np.float64)))  # products are float32, sums float64


def _moments(d: Float32Array, w: Float32Array) -> tuple[float, float, float]:
    total = _sum(w)
    bias = _sum(w * d) / total
    rms = np.sqrt(_sum(w * d * d) / total - bias * bias)
    return float(bias), float(_sum(w * np.abs(d)) / total), float(rms)


def _correlation(r: Float32Array, t: Float32Array, w: Float32Array) -> float:
    total = _sum(w)
    m1, m2 = _sum(t * w) / total, _sum(r * w) / total
    # TMVA: the weights are missing in the mixed term, so that values beyond 1 occur unless they all are 1
    mixed = _sum(t * r) / total - m1 * m2
    return float(mixed / np.sqrt((_sum(t * t * w) / total - m1 * m1) * (_sum(r * r * w) / total - m2 * m2)))


# ---- histograms of deviations, and the two numbers of ``GetRegressionDeviation`` ---------------------------


@dataclass(frozen=True, eq=False)
class DeviationHistograms:
    """Deviations d = response - target of a sample, in tuples over targets j (and variables or targets i).

    ``variables[i][j]`` is ``reg_var<i>_rtgt<j>``, ``targets[i][j]`` ``reg_tgt<i>_rtgt<j>``, ``squares[j]``
    ``Quadr_Deviation_target_<j>_`` and ``best_squares[j]`` ``Quadr_Dev_best90perc_target_<j>_``.
    """

    variables: tuple[tuple[Histogram2D, ...], ...]
    targets: tuple[tuple[Histogram2D, ...], ...]
    squares: tuple[Histogram1D, ...]
    best_squares: tuple[Histogram1D, ...]

    def standard_deviation(self, target: int = 0) -> float:
        """Return √(mean of d²): the first number of ``GetRegressionDeviation``."""
        return float(np.sqrt(self.squares[target].mean()))

    def best_standard_deviation(self, target: int = 0) -> float:
        """Return √(mean of d²) of the best 90% of the events: the second number of ``GetRegressionDeviation``."""
        return float(np.sqrt(self.best_squares[target].mean()))


def deviation_histograms(
    sample: RegressionSample,
    variable_limits: ArrayLike | None = None,
    target_limits: ArrayLike | None = None,
) -> DeviationHistograms:
    """Return the histograms; limits (n, 2) are the ranges in the training sample, which the axes shall hold as well."""
    if len(sample.weight) == 0:
        raise InputError("regression cannot be evaluated: there are no events")
    with np.errstate(all="ignore"):
        d = sample.response - sample.target
        squared = d * d

    def against(columns: Float32Array, limits: ArrayLike | None) -> tuple[tuple[Histogram2D, ...], ...]:
        known = np.full((columns.shape[1], 2), np.nan) if limits is None else np.asarray(limits)
        return tuple(
            tuple(fill_2d(x, dj, None, (SCATTER_BINS,) * 2, _axis(x, known_range), _axis(dj)) for dj in d.T)
            for x, known_range in zip(columns.T, known, strict=True)
        )

    w = sample.weight.astype(np.float32)
    squares = [
        fill_1d(s, w, SQUARE_BINS, 0.0, _tenth_more(np.fmax.reduce(s)), dtype=np.float32, errors=False)
        for s in squared.T
    ]
    best = []
    for s, h in zip(squared.T, squares, strict=True):
        q = np.float32(quantile(h, BEST_FRACTION))
        near = s <= q
        best.append(fill_1d(s[near], w[near], SQUARE_BINS, 0.0, _tenth_more(q), dtype=np.float32, errors=False))
    return DeviationHistograms(
        against(sample.variables, variable_limits),
        against(sample.target, target_limits),
        tuple(squares),
        tuple(best),
    )


def quantile(histogram: Histogram1D, probability: float) -> float:
    """Return where the cumulative distribution reaches a probability (TH1::GetQuantiles), linear within bins."""
    sums = np.concatenate([[0.0], np.add.accumulate(histogram.values.astype(np.float64))])
    if not sums[-1] > 0:
        return 0.0
    shares = sums / sums[-1]
    reached = np.flatnonzero(shares[1:] == probability)
    if len(reached):
        # TMVA: the centre of the bin that ends there, or of the range of empty bins behind it
        first, last = int(reached[0]), int(reached[-1])
        edges = histogram.axis.all_edges
        return float(edges[first if first == last else first + 1] + edges[last + 1]) / 2
    k = min(max(int(np.searchsorted(shares, probability, side="right")) - 1, 0), histogram.n_bins - 1)
    q = float(histogram.axis.all_edges[k])
    step = float(shares[k + 1] - shares[k])
    return q + histogram.width * (probability - float(shares[k])) / step if step > 0 else q


def _tenth_more(x: np.float32 | float) -> float:
    return float(np.float32(1.1 * float(x)))


def _axis(x: Float32Array, known: FloatArray | None = None) -> tuple[float, float]:
    low, high = np.fmin.reduce(x), np.fmax.reduce(x)
    if known is not None:  # upside down, from the largest number to the smallest, if it was never computed
        low, high = np.fmin(low, np.float32(known[0])), np.fmax(high, np.float32(known[1]))
    step = np.float32((high - low) / np.float32(SCATTER_BINS - 1))  # TMVA: float32, but the product is not
    margin = 1.01 * float(step)
    return float(np.float32(float(low) - margin)), float(np.float32(float(high) + margin))
