"""The steps of boosting on arrays: the best cut on a response, and the event weights for the next classifier."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from pytmva_bnn._typing import BoolArray, Float32Array, FloatArray
from pytmva_bnn.histograms import Axis
from pytmva_bnn.methods.bdt.training.separation import gains
from pytmva_bnn.reductions.summation import sequential_sum

CUT_BINS = 10001
LEAST_NEIGHBOURS, MOST_NEIGHBOURS = 40, 5000


@dataclass(frozen=True, eq=False)
class Boosted:
    """What a step gives: error and weight of the classifier, its cut, and the new boost weights of the events."""

    error: float
    weight: float
    boosts: FloatArray
    cut: float = 0.0
    orientation: float = 1.0


def best_cut(v: FloatArray, weights: FloatArray, is_signal: BoolArray) -> tuple[float, float]:
    """Return the cut on the response with the largest gain of the Gini index, and its orientation.

    The orientation is 1 if signal is above the cut, else -1.
    """
    low, high = float(v.min()), float(v.max())
    axis = Axis(CUT_BINS, low, high + (high - low) / CUT_BINS)
    bins = axis.find_bin(v)
    s, b = (
        np.bincount(bins[chosen], weights=weights[chosen], minlength=CUT_BINS + 2)[1 : CUT_BINS + 1].cumsum()
        for chosen in (is_signal, ~is_signal)
    )
    total_s, total_b = float(s[-1]), float(b[-1])
    found = gains("giniindex", s, b, total_s, total_b)
    best = int(np.argmax(found))
    if not found[best] > 0.0:
        return low, 1.0  # no cut tells signal from background
    is_below = s[best] * (total_b - b[best]) > (total_s - s[best]) * b[best]
    return float(axis.low_edge(best + 2)), -1.0 if is_below else 1.0


def adaboost(v: FloatArray, weights: FloatArray, boosts: FloatArray, is_signal: BoolArray, beta: float) -> Boosted:
    """Return AdaBoost's step for the responses ``v``: wrong events weigh more in the next training.

    ``weights`` are those of the events without ``boosts``.
    """
    before = weights * boosts
    cut, orientation = best_cut(v, before, is_signal)
    # TMVA: keeps the responses and sums the weights in float32
    kept = v.astype(np.float32).astype(np.float64)
    rounded = before.astype(np.float32).astype(np.float64)
    wrong = (kept * orientation > cut * orientation) != is_signal
    error = float(sequential_sum(rounded[wrong]) / sequential_sum(rounded))
    if error <= 0.0:
        return Boosted(0.0, 0.0, boosts, cut, orientation)
    weight = math.log((1.0 - error) / error) * beta if error < 1.0 else -math.inf
    factor = math.exp(weight)
    with np.errstate(all="ignore"):  # an error of 1 ends the boosting
        scaled = np.where(weights < 0.0, boosts / factor, boosts * factor)
        boosts = np.where(wrong, scaled, boosts)
        old = sequential_sum(before)
        boosts = boosts * (old / sequential_sum(weights * boosts))
        # TMVA: both classes weigh the same from then on
        for chosen in (is_signal, ~is_signal):
            boosts[chosen] *= old / 2.0 / sequential_sum((weights * boosts)[chosen])
    return Boosted(error, weight, boosts, cut, orientation)


def real_adaboost(v: FloatArray, weights: FloatArray, boosts: FloatArray, is_signal: BoolArray, beta: float) -> Boosted:
    """Return the step of RealAdaBoost: how wrong an event is comes from the share of signal near its response."""
    before = weights * boosts
    y = np.where(is_signal, 1.0, -1.0)
    p = 2.0 * (signal_shares(v.astype(np.float32), before, is_signal) - 0.5)
    agreement = float(sequential_sum(before * y * p) / sequential_sum(before))
    if not abs(agreement) < 1.0:
        return Boosted(0.0, 0.0, boosts)
    weight = math.log((1.0 + agreement) / (1.0 - agreement)) * beta
    after = boosts * np.exp(-weight * y * p)
    after *= sequential_sum(before) / sequential_sum(weights * after)
    return Boosted((1.0 - agreement) / 2.0, weight, after)


def signal_shares(v: Float32Array, weights: FloatArray, is_signal: BoolArray) -> FloatArray:
    """Return for each event the share of signal, by weight, among the events of nearly the same response.

    These are a tenth of all, but not too few and not too many, half of them on each side.
    """
    n = len(v)
    reach = min(max(LEAST_NEIGHBOURS, min(MOST_NEIGHBOURS, n // 10)), n)
    order = np.argsort(v, kind="stable")
    sums = [np.concatenate([[0.0], np.cumsum(one[order])]) for one in (weights * is_signal, weights)]
    first = np.clip(np.arange(n) - reach // 2, 0, n - reach)
    s, total = (one[first + reach] - one[first] for one in sums)
    shares = np.empty(n)
    shares[order] = np.clip(np.divide(s, total, out=np.full(n, 0.5), where=total > 0.0), 0.0, 1.0)
    return shares
