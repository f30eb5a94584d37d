"""The responses of a classifier: their statistics, the range that all their histograms share, and those histograms."""

from __future__ import annotations

import logging
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from pytmva_bnn._typing import AnyFloatArray, BoolArray, Float32Array, FloatArray
from pytmva_bnn.errors import InputError
from pytmva_bnn.evaluation.samples import BinarySample
from pytmva_bnn.histograms import (
    PDF,
    Histogram1D,
    Interpolation,
    PDFRecord,
    build_pdf,
    fill_1d,
    normalised,
    probability,
    rarity,
)
from pytmva_bnn.reductions.summation import sequential_sum

LOGGER = logging.getLogger("pytmva_bnn.evaluation")

BINS = 40
FINE_BINS = 10000
N_RMS = 10.0
MARGIN = 0.00001


@dataclass(frozen=True)
class ResponseStatistics:
    """Weighted means and RMS of signal and background, and the smallest and largest response of all."""

    mean_signal: float
    rms_signal: float
    mean_background: float
    rms_background: float
    smallest: float
    largest: float

    @property
    def x_min(self) -> float:
        """Lower end of the histograms: ten RMS below the lower mean, but not below all events."""
        low = _smaller(self.mean_signal - N_RMS * self.rms_signal, self.mean_background - N_RMS * self.rms_background)
        return _larger(low, self.smallest)

    @property
    def x_max(self) -> float:
        """Upper end of the search for cuts: ten RMS above the higher mean, but not above all events."""
        high = _larger(self.mean_signal + N_RMS * self.rms_signal, self.mean_background + N_RMS * self.rms_background)
        return _smaller(high, self.largest)

    @property
    def histogram_max(self) -> float:
        """Upper end of the histograms: a little more than :attr:`x_max`, so that the largest response is inside."""
        return self.x_max + MARGIN

    @property
    def positive(self) -> bool:
        """Whether signal has the larger responses on average."""
        return self.mean_signal > self.mean_background

    @property
    def significance(self) -> float:
        """Distance of the means over the RMS of both, 0 if nothing varies."""
        rms = np.sqrt(self.rms_signal**2 + self.rms_background**2)
        return float(abs(self.mean_signal - self.mean_background) / rms) if rms != 0 else 0.0


def _larger(a: float, b: float) -> float:
    return max(b, a)  # in this order a NaN as the first is ignored, as in ROOT


def _smaller(a: float, b: float) -> float:
    return min(b, a)


def response_statistics(sample: BinarySample) -> ResponseStatistics:
    """Return the statistics of the responses as stored (float32) with float64 weights."""
    v = sample.response.astype(np.float64)
    signal = _moments(v[sample.is_signal], sample.weight[sample.is_signal], "signal")
    background = _moments(v[~sample.is_signal], sample.weight[~sample.is_signal], "background")
    smallest, largest = (np.fmin.reduce(v), np.fmax.reduce(v)) if len(v) else (0.0, 0.0)
    return ResponseStatistics(*signal, *background, float(smallest), float(largest))


def _moments(v: FloatArray, w: FloatArray, what: str) -> tuple[float, float]:
    total = float(sequential_sum(w))
    if not total > 0:
        LOGGER.error("the sum of weights of %s test events is not positive (%g): mean and RMS set to 0", what, total)
        return 0.0, 0.0
    mean = float(sequential_sum(w * v)) / total
    return mean, float(np.sqrt(abs(float(sequential_sum(w * v * v)) / total - mean * mean)))


@dataclass(frozen=True, eq=False)
class ResponseHistograms:
    """``MVA_T_S``, ``_B`` (40 bins) and, for the test sample, ``_S_high``, ``_B_high`` (10000 bins), all of area 1."""

    signal: Histogram1D
    background: Histogram1D
    signal_fine: Histogram1D
    background_fine: Histogram1D


def response_histograms(sample: BinarySample, statistics: ResponseStatistics) -> ResponseHistograms:
    """Return the histograms of the test sample; weights are rounded to float32."""
    low, high = statistics.x_min, statistics.histogram_max
    if not low < high:
        raise InputError(
            f"the responses have no range for histograms, [{low}, {high}]: signal or background needs a positive sum "
            "of weights, and finite responses"
        )
    w = sample.weight32

    def filled(chosen: BoolArray, n_bins: int) -> Histogram1D:
        return normalised(fill_1d(sample.response[chosen], w[chosen], n_bins, low, high))

    signal, background = sample.is_signal, ~sample.is_signal
    return ResponseHistograms(
        filled(signal, BINS), filled(background, BINS), filled(signal, FINE_BINS), filled(background, FINE_BINS)
    )


def response_density(histogram: Histogram1D) -> PDF:
    """Return the density that TMVA interpolates from a response histogram, without smoothing."""
    record = PDFRecord("MVA PDF", 0, 0, Interpolation.SPLINE2.value, 1, 1, 1, 1.0, histogram)
    return build_pdf(record, normalise=True)


# ---- probability and rarity (option CreateMVAPdfs) ----------------------------------------------------------


@dataclass(frozen=True, eq=False)
class ProbabilityHistograms:
    """``MVA_T_Proba_S/B`` and ``MVA_T_Rarity_S/B``: 40 bins in [0, 1], of area 1."""

    signal: Histogram1D
    background: Histogram1D
    rarity_signal: Histogram1D
    rarity_background: Histogram1D


def stored_probabilities(signal: PDF, background: PDF, response: ArrayLike) -> Float32Array:
    """Return ``prob_T`` (n_events,) for equal shares of signal and background; responses are in float64."""
    found = probability(signal, background, response).astype(np.float32)
    undefined = np.flatnonzero(found < 0)
    if len(undefined):
        # TMVA: the loop over the events stops here, those that follow keep 0
        found[undefined[0] :] = 0.0
    return found


def probability_histograms(sample: BinarySample, signal: PDF, background: PDF) -> ProbabilityHistograms:
    """Return the histograms of the test sample."""
    w, is_signal = sample.weight32, sample.is_signal
    # TMVA: responses are rounded when they are stored, after their probabilities are known
    p = stored_probabilities(signal, background, sample.reread)
    r = rarity(background, sample.response)

    def filled(x: AnyFloatArray, chosen: BoolArray) -> Histogram1D:
        return normalised(fill_1d(x[chosen], w[chosen], BINS, 0.0, 1.0))

    return ProbabilityHistograms(
        filled(p, is_signal), filled(p, ~is_signal), filled(r, is_signal), filled(r, ~is_signal)
    )


def training_response_histograms(sample: BinarySample, n_bins: int) -> tuple[Histogram1D, Histogram1D]:
    """Return ``MLP_tr_S`` and ``MLP_tr_B``: the training responses of signal and background, to make densities of."""
    if sample.n_events == 0:
        raise InputError("densities of the response need training events, but there are none")
    # TMVA: the largest response itself is in the overflow
    low, high = float(sample.response.min()), float(sample.response.max())
    signal, background = (
        normalised(fill_1d(sample.response[chosen], sample.weight[chosen], n_bins, low, high))
        for chosen in (sample.is_signal, ~sample.is_signal)
    )
    return signal, background
