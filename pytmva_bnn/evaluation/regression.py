"""How far regression responses are from the truth: the numbers of TMVA's tables (``TestRegression``)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pytmva_bnn.errors import InputError
from pytmva_bnn.evaluation.histograms import fill_2d
from pytmva_bnn.evaluation.information import mutual_information
from pytmva_bnn.evaluation.samples import RegressionSample
from pytmva_bnn.reductions.summation import sequential_sum

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Float32 = NDArray[np.float32]

MUTUAL_INFORMATION_BINS = (150, 100)


@dataclass(frozen=True)
class RegressionNumbers:
    """Numbers of all events, and (``truncated_...``) of those within two RMS of the bias.

    ``deviation`` is the mean of |d|, d = response - target; methods are ranked by that of the test sample.

    >>> sample = RegressionSample([1.0, 2.0, 3.5], [1.0, 2.5, 3.0], None)
    >>> numbers = regression_numbers(sample)
    >>> round(numbers.bias, 6), round(numbers.deviation, 6), round(numbers.rms, 6)
    (0.0, 0.333333, 0.408248)
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
    """Return the numbers of one target; TMVA looks at the first one only.

    >>> round(regression_numbers(RegressionSample([1.0, 2.0], [1.0, 2.0], None)).correlation, 6)
    1.0
    """
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

    def information(r: Float32, t: Float32, w: Float32) -> float:
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


def _sum(terms: Float32) -> np.float64:
    return np.float64(sequential_sum(terms.astype(np.float64)))  # products are float32, sums float64


def _moments(d: Float32, w: Float32) -> tuple[float, float, float]:
    total = _sum(w)
    bias = _sum(w * d) / total
    rms = np.sqrt(_sum(w * d * d) / total - bias * bias)
    return float(bias), float(_sum(w * np.abs(d)) / total), float(rms)


def _correlation(r: Float32, t: Float32, w: Float32) -> float:
    total = _sum(w)
    m1, m2 = _sum(t * w) / total, _sum(r * w) / total
    # TMVA: the weights are missing in the mixed term, so that values beyond 1 occur unless they all are 1
    mixed = _sum(t * r) / total - m1 * m2
    return float(mixed / np.sqrt((_sum(t * t * w) / total - m1 * m1) * (_sum(r * r * w) / total - m2 * m2)))
