"""Statistics of the response, the range that all its histograms share, and those histograms."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pytmva_bnn.errors import InputError
from pytmva_bnn.evaluation.histograms import Histogram1D, fill_1d, normalised
from pytmva_bnn.evaluation.samples import BinarySample
from pytmva_bnn.reductions.summation import sequential_sum

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

LOGGER = logging.getLogger("pytmva_bnn.evaluation")

BINS = 40
FINE_BINS = 10000
N_RMS = 10.0
MARGIN = 0.00001


@dataclass(frozen=True)
class ResponseStatistics:
    """Weighted means and RMS of signal and background, and the smallest and largest response of all.

    >>> s = ResponseStatistics(0.75, 0.25, 0.25, 0.25, 0.0, 1.0)
    >>> s.x_min, s.x_max, s.positive, round(s.significance, 6)
    (0.0, 1.0, True, 1.414214)
    """

    mean_signal: float
    rms_signal: float
    mean_background: float
    rms_background: float
    smallest: float
    largest: float

    @property
    def x_min(self) -> float:
        """Lower end of the histograms: ten RMS below the lower mean, but not below all events.

        >>> ResponseStatistics(1.0, 0.0, 0.0, 0.01, -5.0, 1.0).x_min
        -0.1
        """
        low = _smaller(self.mean_signal - N_RMS * self.rms_signal, self.mean_background - N_RMS * self.rms_background)
        return _larger(low, self.smallest)

    @property
    def x_max(self) -> float:
        """Upper end of the search for cuts: ten RMS above the higher mean, but not above all events.

        >>> ResponseStatistics(1.0, 0.0, 0.0, 0.01, -5.0, 1.5).x_max
        1.0
        """
        high = _larger(self.mean_signal + N_RMS * self.rms_signal, self.mean_background + N_RMS * self.rms_background)
        return _smaller(high, self.largest)

    @property
    def histogram_max(self) -> float:
        """Upper end of the histograms: a little more than :attr:`x_max`, so that the largest response is inside.

        >>> ResponseStatistics(1.0, 0.0, 0.0, 0.01, -5.0, 1.5).histogram_max
        1.00001
        """
        return self.x_max + MARGIN

    @property
    def positive(self) -> bool:
        """Whether signal has the larger responses on average.

        >>> ResponseStatistics(0.0, 1.0, 0.0, 1.0, -1.0, 1.0).positive
        False
        """
        return self.mean_signal > self.mean_background

    @property
    def significance(self) -> float:
        """Distance of the means over the RMS of both, 0 if nothing varies.

        >>> ResponseStatistics(1.0, 0.0, 0.0, 0.0, 0.0, 1.0).significance
        0.0
        """
        rms = np.sqrt(self.rms_signal**2 + self.rms_background**2)
        return float(abs(self.mean_signal - self.mean_background) / rms) if rms != 0 else 0.0


@dataclass(frozen=True, eq=False)
class ResponseHistograms:
    """``MVA_T_S``, ``_B`` (40 bins) and, for the test sample, ``_S_high``, ``_B_high`` (10000 bins), all of area 1.

    >>> sample = BinarySample([0.0, 1.0, 1.0], [1.0, 1.0, 1.0], [False, True, True])
    >>> response_histograms(sample, response_statistics(sample)).signal.n_bins
    40
    """

    signal: Histogram1D
    background: Histogram1D
    signal_fine: Histogram1D
    background_fine: Histogram1D


def _larger(a: float, b: float) -> float:
    return max(b, a)  # in this order a NaN as the first is ignored, as in ROOT


def _smaller(a: float, b: float) -> float:
    return min(b, a)


def response_statistics(sample: BinarySample) -> ResponseStatistics:
    """Return the statistics of the responses as stored (float32) with float64 weights.

    >>> sample = BinarySample([0.0, 0.5, 1.0, 1.0], [1.0, 1.0, 1.0, 3.0], [False, False, True, True])
    >>> s = response_statistics(sample)
    >>> s.mean_signal, s.rms_signal, s.mean_background, s.rms_background
    (1.0, 0.0, 0.25, 0.25)
    """
    v = sample.response.astype(np.float64)
    signal = _moments(v[sample.is_signal], sample.weight[sample.is_signal], "signal")
    background = _moments(v[~sample.is_signal], sample.weight[~sample.is_signal], "background")
    smallest, largest = (np.fmin.reduce(v), np.fmax.reduce(v)) if len(v) else (0.0, 0.0)
    return ResponseStatistics(*signal, *background, float(smallest), float(largest))


def _moments(v: Floats, w: Floats, what: str) -> tuple[float, float]:
    total = float(sequential_sum(w))
    if not total > 0:
        LOGGER.error("the sum of weights of %s test events is not positive (%g): mean and RMS set to 0", what, total)
        return 0.0, 0.0
    mean = float(sequential_sum(w * v)) / total
    return mean, float(np.sqrt(abs(float(sequential_sum(w * v * v)) / total - mean * mean)))


def response_histograms(sample: BinarySample, statistics: ResponseStatistics) -> ResponseHistograms:
    """Return the histograms of the test sample; weights are rounded to float32.

    >>> sample = BinarySample([0.0, 1.0, 1.0], [1.0, 1.0, 1.0], [False, True, True])
    >>> h = response_histograms(sample, response_statistics(sample)).signal
    >>> round(float(h.values.sum()) * h.width, 12)
    1.0
    """
    low, high = statistics.x_min, statistics.histogram_max
    if not low < high:
        raise InputError(
            f"the responses have no range to make histograms of, [{low}, {high}]: "
            "signal or background needs a positive sum of weights, and finite responses"
        )
    w = sample.weight32

    def filled(chosen: NDArray[np.bool_], n_bins: int) -> Histogram1D:
        return normalised(fill_1d(sample.response[chosen], w[chosen], n_bins, low, high))

    signal, background = sample.is_signal, ~sample.is_signal
    return ResponseHistograms(
        filled(signal, BINS), filled(background, BINS), filled(signal, FINE_BINS), filled(background, FINE_BINS)
    )
