"""Efficiencies from histograms: the numbers at 1, 10 and 30% background, the area, the reference and the best cut.

:func:`cut_efficiencies` is ``MethodBase::GetEfficiency`` (test sample), :func:`training_efficiencies`
``GetTrainingEfficiency``.  The curve background against signal efficiency has 100 points; all numbers are read off it.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.errors import InputError
from pytmva_bnn.evaluation.responses import BINS, FINE_BINS, ResponseStatistics
from pytmva_bnn.evaluation.roots import NO_ROOT, LinearInterpolator, brent_root
from pytmva_bnn.evaluation.samples import BinarySample
from pytmva_bnn.histograms import Histogram1D, fill_1d, from_contents, normalised
from pytmva_bnn.reductions.summation import sequential_sum

LOGGER = logging.getLogger("pytmva_bnn.evaluation")

CURVE_BINS = 100
SCAN_POINTS = 1000
REFERENCE_POINTS = 5000
EDGE = 1e-5
EPSILON = 2.220446049250313e-16
DEFAULT_REFERENCE_CUT = 0.5


@dataclass(frozen=True, eq=False)
class BackgroundCurve:
    """Background efficiency at 100 signal efficiencies (n + 0.5)/100, and what is read off it."""

    background_efficiency: FloatArray

    touching_counts: ClassVar[bool] = True
    """Whether the curve crosses a background efficiency that it only touches."""

    @cached_property
    def line(self) -> LinearInterpolator:
        """Linear interpolation of the curve."""
        return LinearInterpolator(grid(CURVE_BINS), self.background_efficiency)

    @cached_property
    def _scan(self) -> FloatArray:
        return self.line.at(grid(SCAN_POINTS))

    @cached_property
    def area(self) -> float:
        """Area under background rejection against signal efficiency; methods are ranked by it."""
        return float(sequential_sum(1.0 - self._scan)) / SCAN_POINTS

    def signal_efficiency_at(self, background_efficiency: float) -> float:
        """Return the signal efficiency at a background efficiency, a multiple of 0.001."""
        reference = float(np.float32(background_efficiency))  # TMVA: the number is parsed as float32
        here = self._scan - reference
        before = np.concatenate([[0.0 - reference], here[:-1]])
        crossed = np.flatnonzero(here * before <= 0 if self.touching_counts else here * before < 0)
        e = grid(SCAN_POINTS)
        if len(crossed) == 0:
            return float(e[-1])
        k = crossed[0]
        return float(0.5 * (e[k] + (e[k - 1] if k > 0 else 0.0)))

    @property
    def histograms(self) -> tuple[Histogram1D, Histogram1D, Histogram1D]:
        """``effBvsS``, ``rejBvsS`` and ``invBeffvsSeff``."""
        b = self.background_efficiency
        usable = b > EPSILON
        inverse = np.where(usable, 1.0 / np.where(usable, b, 1.0), 0.0)
        return (
            from_contents(b, 0.0, 1.0),
            from_contents(1.0 - b, 0.0, 1.0),
            from_contents(inverse, 0.0, 1.0, entries=float(np.count_nonzero(usable))),
        )


@dataclass(frozen=True, eq=False)
class Efficiencies:
    """Efficiencies as functions of the cut (10000 bins) and the curve made of them.

    ``reference_cut`` is where signal efficiency = 1 - background efficiency; ``sum_of_signal_weights`` gives errors.

    """

    signal: Histogram1D
    background: Histogram1D
    curve: BackgroundCurve
    cuts: FloatArray
    reference_cut: float
    sum_of_signal_weights: float

    def error_at(self, background_efficiency: float) -> float:
        """Return the binomial error of the signal efficiency at a background efficiency, 0 without signal."""
        if not self.sum_of_signal_weights > 0:
            return 0.0
        e = self.curve.signal_efficiency_at(background_efficiency)
        return float(np.sqrt(e * (1.0 - e) / self.sum_of_signal_weights))


@dataclass(frozen=True, eq=False)
class TrainingEfficiencies:
    """Histograms of the training sample: ``Train_S/B``, ``trainingEffS/B``, and the curve."""

    response_signal: Histogram1D
    response_background: Histogram1D
    signal: Histogram1D
    background: Histogram1D
    curve: BackgroundCurve


def grid(n: int) -> FloatArray:
    """Return the centres of n bins over [0, 1]."""
    return np.asarray((np.arange(1, n + 1) - 0.5) * (1.0 / n))


def efficiency_histogram(response: ArrayLike, weight: ArrayLike, statistics: ResponseStatistics) -> Histogram1D:
    """Return the fraction of the weight that passes a cut, for cuts at the 10000 bins of the range."""
    low, high, n = statistics.x_min, statistics.histogram_max, FINE_BINS
    v, w = np.asarray(response, dtype=np.float64), np.asarray(weight, dtype=np.float64)
    with np.errstate(all="ignore"):
        position = (v - low) / (high - low) * n
    # TMVA: the integer of a NaN is the smallest there is
    m = np.trunc(np.clip(np.where(np.isnan(position), -2.0, position), -2.0, n + 1.0)).astype(np.int64) + 1
    if statistics.positive:
        # TMVA: events above the range do not count; the bins 1..m of an event get its weight
        used = m <= n
        added = np.bincount(np.maximum(m[used], 1), weights=w[used], minlength=n + 1)[1:]
        sums = np.add.accumulate(added[::-1])[::-1]
    else:
        used = m >= 1
        added = np.bincount(np.minimum(m[used], n) + 1, weights=w[used], minlength=n + 2)[1 : n + 1]
        sums = np.add.accumulate(added)
    c = 1.0 / max(EPSILON, float(sums.max()))
    return from_contents(sums * c, low, high, entries=0.0, errors=True)


def cut_efficiencies(sample: BinarySample, statistics: ResponseStatistics) -> Efficiencies:
    """Return the efficiencies of the test sample; weights are rounded to float32."""
    signal, w = sample.is_signal, sample.weight32
    effs = efficiency_histogram(sample.response[signal], w[signal], statistics)
    effb = efficiency_histogram(sample.response[~signal], w[~signal], statistics)
    passing = _PassingSignal(effs, statistics)
    cuts = np.array([passing.cut_at(e) for e in grid(CURVE_BINS).tolist()])
    curve = BackgroundCurve(LinearInterpolator(effb.centres, effb.values).at(cuts))
    total = float(sequential_sum(w[signal].astype(np.float64)))
    return Efficiencies(effs, effb, curve, cuts, _reference_cut(curve, passing), total)


def training_efficiencies(
    sample: BinarySample, statistics: ResponseStatistics, test: Efficiencies
) -> TrainingEfficiencies:
    """Return the efficiencies of the training sample, with the re-read network and the cuts of the test sample."""
    low, high = statistics.x_min, statistics.histogram_max
    signal, v, w = sample.is_signal, sample.reread, sample.weight
    effs, effb = (efficiency_histogram(v[chosen], w[chosen], statistics) for chosen in (signal, ~signal))
    # TMVA: the cut for a signal efficiency is that of the test signal, only the background is that of training
    b = LinearInterpolator(effb.centres, effb.values).at(test.cuts)
    response = [normalised(fill_1d(v[chosen], w[chosen], BINS, low, high)) for chosen in (signal, ~signal)]
    return TrainingEfficiencies(response[0], response[1], effs, effb, BackgroundCurve(b))


class _PassingSignal:
    """The signal efficiency as a function of the cut, which is searched for a given efficiency."""

    def __init__(self, histogram: Histogram1D, statistics: ResponseStatistics) -> None:
        self._line = LinearInterpolator(histogram.centres, histogram.values)
        self._low, self._high = statistics.x_min, statistics.x_max
        self._told = False
        self._at_low, self._at_high = (1.0, 0.0) if statistics.positive else (0.0, 1.0)

    def __call__(self, cut: float) -> float:
        if cut - self._low < EDGE:
            return self._at_low
        if self._high - cut < EDGE:
            return self._at_high
        return self._line(cut)

    def cut_at(self, efficiency: float) -> float:
        at_low, at_high = self(self._low) - efficiency, self(self._high) - efficiency
        if at_low * at_high > 0:
            # TMVA: a line for each of a hundred efficiencies
            if not self._told:
                LOGGER.warning(
                    "no cut between %g and %g has the signal efficiency %g (all responses are equal, or a class has "
                    "no events): efficiencies and ROC curve are meaningless",
                    self._low,
                    self._high,
                    efficiency,
                )
            self._told = True
            return NO_ROOT
        return brent_root(lambda cut: self(cut) - efficiency, self._low, self._high)


def _reference_cut(curve: BackgroundCurve, passing: _PassingSignal) -> float:
    """Return the cut at which the signal efficiency equals the background rejection."""
    e = grid(REFERENCE_POINTS)
    difference = e - (1.0 - curve.line.at(e))
    before = np.concatenate([[0.0], difference[:-1]])
    crossed = np.flatnonzero(difference * before < 0)
    if len(crossed) == 0:
        return DEFAULT_REFERENCE_CUT
    k = crossed[0]
    return passing.cut_at(float(0.5 * (e[k] + (e[k - 1] if k > 0 else 0.0))))


# ---- the best cut for expected numbers of events (``GetMaximumSignificance``) --------------------------------


@dataclass(frozen=True, eq=False)
class MaximumSignificance:
    """The largest S/√(S + B), the cut it is reached at, and the significance of each cut."""

    cut: float
    value: float
    histogram: Histogram1D


def maximum_significance(
    signal: Histogram1D, background: Histogram1D, x_max: float, n_signal: float, n_background: float
) -> MaximumSignificance:
    """Return the best cut, from the efficiency histograms and the upper end of the range without its margin."""
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
