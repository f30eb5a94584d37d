"""Boosting by event weights: AdaBoost, RealAdaBoost, AdaCost, AdaBoostR2; and Bagging, which has none."""

from __future__ import annotations

import logging
import math
from typing import NamedTuple

import numpy as np

from pytmva_bnn._typing import FloatArray, IndexArray
from pytmva_bnn.methods.bdt.training.event_list import EventList
from pytmva_bnn.methods.bdt.training.grown import GrownTree
from pytmva_bnn.methods.bdt.training.sample import LEAST_BOOST
from pytmva_bnn.methods.bdt.training.settings import BDTSettings
from pytmva_bnn.reductions.summation import sequential_sum

log = logging.getLogger("pytmva_bnn.BDT")

#: what counts as the error of a tree that makes none: TMVA gives it an infinite weight
SMALLEST_ERROR = float(np.finfo(np.float64).eps)


class BoostStep(NamedTuple):
    """What came of a step of boosting.

    ``weight`` is that of the tree, not positive if boosting has to end; ``monitored`` and ``error`` are what TMVA
    monitors, ``factors`` its distribution of boost weights.  ``perfect``: no event is left that could be boosted.
    """

    weight: float
    monitored: float = 0.0
    error: float = 0.0
    factors: FloatArray | float | None = None
    perfect: bool = False


def bagging(tree: GrownTree, events: EventList, settings: BDTSettings) -> BoostStep:
    """Return the weight 1; nothing is boosted."""
    del tree, events, settings
    return BoostStep(1.0)


def adaboost(tree: GrownTree, events: EventList, settings: BDTSettings) -> BoostStep:
    """Boost by AdaBoost, with yes/no or purity leaves."""
    weights = events.weights
    signal = events.is_signal
    total = float(sequential_sum(weights))
    if settings.yes_no_leaf:
        wrong = (tree.node_type[tree.leaf] > settings.tree.purity_limit) != signal
        error = float(sequential_sum(weights[wrong])) / total
        step = _checked_error(error, len(tree))
        if step is not None:
            return step
        error = abs(error) if error < 0.5 else 0.5
        perfect = error == 0.0
        used = SMALLEST_ERROR if perfect else error
        a = math.log((1.0 - used) / used) * settings.beta
        factors = np.where(wrong, math.exp(a) if not perfect else 1.0, 1.0)
        n = _update(events, settings, factors, wrong)
    else:
        y = (tree.purity[tree.leaf].astype(np.float64) - 0.5) * 2.0
        sign = np.where(signal, 1.0, -1.0)
        error = float(sequential_sum(weights * sign * y)) / total
        if error < 0.0:
            _log_negative(error)
            error = abs(error)
        perfect = error >= 1.0
        a = _log_ratio(error) * settings.beta
        factors = np.ones(len(y)) if perfect else _exponentials(-1.0 * a * sign * y)
        n = _update(events, settings, factors, np.ones(len(y), dtype=bool))
    _normalise(events, settings, n)
    return BoostStep(a, a, error, a, perfect)


def adacost(tree: GrownTree, events: EventList, settings: BDTSettings) -> BoostStep:
    """Boost by AdaCost."""
    weights = events.weights
    signal = events.is_signal
    y = (tree.purity[tree.leaf].astype(np.float64) - 0.5) * 2.0
    sign = np.where(signal, 1.0, -1.0)
    costs = settings.costs
    called = y > 0.0
    cost = np.where(
        signal,
        np.where(called, costs.signal_as_signal, costs.signal_as_background),
        np.where(called, costs.background_as_signal, costs.background_as_background),
    )
    total_cost = float(sequential_sum(weights * sign * y * cost)) / float(sequential_sum(weights))
    perfect = total_cost >= 1.0
    a = _log_ratio(total_cost) * settings.beta
    factors = np.ones(len(y)) if perfect else _exponentials(-1.0 * a * sign * y * cost)
    n = _update(events, settings, factors, np.ones(len(y), dtype=bool), leave_negative=True)
    _normalise(events, settings, n)
    return BoostStep(a, a, 0.0, a, perfect)


def adaboost_r2(tree: GrownTree, events: EventList, settings: BDTSettings) -> BoostStep:
    """Boost a regression forest by AdaBoostR2."""
    weights = events.weights
    deviation, largest, error = _regression_error(tree, events, settings, weights)
    if largest == 0.0:
        # TMVA: 0/0, and the forest ends with a tree without weight
        log.warning("a tree fits all its events exactly: it gets a large weight, and boosting ends")
        return BoostStep(math.log(1.0 / SMALLEST_ERROR), perfect=True)
    step = _checked_error(error, len(tree))
    if step is not None:
        return step
    error = abs(error) if error < 0.5 else 0.5
    total = float(sequential_sum(weights))
    b = error / (1.0 - error)
    factors = _powers(b, 1.0 - deviation / largest)

    def boosted(boost: FloatArray, weight: FloatArray, positions: IndexArray | slice) -> FloatArray:
        factor, read = factors[positions], np.maximum(LEAST_BOOST, boost)
        # TMVA: this product is stored in float32
        single = (read * factor).astype(np.float32).astype(np.float64)
        return np.where(weight > 0.0, single, read / factor)

    n = events.rescale(boosted)
    events.rescale(lambda boost, _w, _p: np.maximum(LEAST_BOOST, boost) * (total / n))
    return BoostStep(math.log(1.0 / b) if b > 0.0 else math.inf, b, error, factors)


def regression_adaboost(tree: GrownTree, events: EventList, settings: BDTSettings) -> BoostStep:
    """Boost a regression forest by AdaBoost."""
    weights = events.weights
    deviation, largest, error = _regression_error(tree, events, settings, weights)
    if largest == 0.0 or error == 0.0:
        log.warning("a tree fits all its events exactly: it gets a large weight, and boosting ends")
        return BoostStep(math.log(1.0 / SMALLEST_ERROR), perfect=True)
    if error < 0.0:
        _log_negative(error)
        error = abs(error)
    a = _log_ratio(error) * settings.beta
    factors = _powers(1.0 / a, 1.0 - deviation / largest)
    n = _update(events, settings, factors, np.ones(len(events), dtype=bool))
    _normalise(events, settings, n)
    return BoostStep(a, a, error, factors)


def _regression_error(
    tree: GrownTree, events: EventList, settings: BDTSettings, weights: FloatArray
) -> tuple[FloatArray, float, float]:
    """Return the deviations of the tree from the targets, the largest one, and the mean loss."""
    targets = events.of(events.sample.targets).astype(np.float64)
    d = np.abs(tree.response[tree.leaf].astype(np.float64) - targets)
    largest = float(d.max())
    total = float(sequential_sum(weights))
    if largest == 0.0:
        return d, largest, 0.0
    if settings.r2_loss == "linear":
        return d, largest, float(sequential_sum(weights * d)) / largest / total
    if settings.r2_loss == "quadratic":
        return d, largest, float(sequential_sum(weights * d * d)) / largest / largest / total
    return d, largest, float(sequential_sum(weights * (1.0 - _exponentials(-d / largest)) / total))


def _checked_error(error: float, n_nodes: int) -> BoostStep | None:
    """Report an impossible error; return the step if boosting has to end."""
    if error >= 0.5:
        if n_nodes <= 1:
            log.error(
                "YOUR tree has only 1 Node... kind of a funny *tree*. I cannot boost such a thing... if after 1 step "
                "the error rate is == 0.5"
            )
            return None
        log.error(
            "The error rate in the BDT boosting is > 0.5. (%g) That should not happen, please check your code (i.e... "
            "the BDT code), I stop boosting here",
            error,
        )
        return BoostStep(-1.0)
    if error < 0.0:
        _log_negative(error)
    return None


def _log_negative(error: float) -> None:
    log.error(
        "The error rate in the BDT boosting is < 0. That can happen due to improper treatment of negative weights in a "
        "Monte Carlo.. (if you have an idea on how to do it in a better way, please let me know). For the time being I "
        "set it to its absolute value: %g",
        abs(error),
    )


def _log_ratio(error: float) -> float:
    """Return ln((1 + error)/(1 - error)), finite also for an error of 1."""
    error = min(error, 1.0 - SMALLEST_ERROR)
    return math.log((1.0 + error) / (1.0 - error))


def _exponentials(x: FloatArray) -> FloatArray:
    """Return the C library's exp; there are few different values, as all events of a leaf and class share one."""
    values, inverse = np.unique(x, return_inverse=True)
    powers = np.fromiter(map(math.exp, values.tolist()), dtype=np.float64, count=len(values))
    result: FloatArray = powers[inverse]
    return result


def _powers(base: float, exponents: FloatArray) -> FloatArray:
    return np.fromiter((math.pow(base, one) for one in exponents.tolist()), dtype=np.float64, count=len(exponents))


def _update(
    events: EventList,
    settings: BDTSettings,
    factors: FloatArray,
    has_factor: np.ndarray[tuple[int, ...], np.dtype[np.bool_]],
    *,
    leave_negative: bool = False,
) -> float:
    """Multiply boost weights by their factors; return the sum of weights that comes of it."""
    inverse = settings.negative_weights == "inverseboostnegweights"

    def boosted(boost: FloatArray, weight: FloatArray, positions: IndexArray | slice) -> FloatArray:
        factor = factors[positions]
        grown = np.maximum(LEAST_BOOST, boost) * factor
        otherwise = boost if leave_negative else grown
        negative = boost * (1.0 / factor) if inverse else otherwise
        return np.where(has_factor[positions], np.where(weight > 0.0, grown, negative), boost)

    return events.rescale(boosted)


def _normalise(events: EventList, settings: BDTSettings, n: float) -> None:
    """Make the sum of weights the number of events."""
    common = len(events) / n
    # TMVA: the ratio of signal to background is applied again at every step, so that it drifts
    of_signal = common * settings.signal_to_background
    factors = np.where(events.is_signal, of_signal, common)
    events.rescale(lambda boost, _w, positions: boost * factors[positions])
