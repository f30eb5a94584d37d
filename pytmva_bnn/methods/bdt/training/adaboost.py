"""Boosting by event weights: AdaBoost, RealAdaBoost, AdaCost, AdaBoostR2; and Bagging, which has none."""

from __future__ import annotations

import logging
import math
from typing import NamedTuple

import numpy as np

from pytmva_bnn._typing import FloatArray, IndexArray
from pytmva_bnn.errors import InputError
from pytmva_bnn.methods.bdt import c_library
from pytmva_bnn.methods.bdt.training.boost_passes import Negative, leaf_sums, multiply, scale
from pytmva_bnn.methods.bdt.training.event_list import EventList
from pytmva_bnn.methods.bdt.training.grown import GrownTree
from pytmva_bnn.methods.bdt.training.sample import LEAST_BOOST
from pytmva_bnn.methods.bdt.training.settings import BDTSettings
from pytmva_bnn.reductions.summation import sequential_sum

log = logging.getLogger("pytmva_bnn.BDT")

#: what counts as the error of a tree that makes none: TMVA gives it an infinite weight
SMALLEST_ERROR = float(np.finfo(np.float64).eps)
_ROUNDING = 1e-12


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
    if not settings.yes_no_leaf:
        return _boost_by_purity(tree, events, settings, np.ones((len(tree), 2)), leaves_negative=False)
    called = tree.node_type > settings.tree.purity_limit
    wrong = np.stack([called, ~called], axis=1)
    total, part = leaf_sums(tree, events, wrong.astype(np.float64), np.ones(wrong.shape))
    error = part / total
    step = _checked_error(error, len(tree))
    if step is not None:
        return step
    error = abs(error) if error < 0.5 else 0.5
    if error >= 1.0:
        return _nothing(error)
    perfect = error == 0.0
    used = SMALLEST_ERROR if perfect else error
    a = math.log((1.0 - used) / used) * settings.beta
    factors = np.full(wrong.shape, 1.0 if perfect else math.exp(a))
    _finish(events, settings, multiply(tree, events, factors, wrong, _negative(settings)))
    return BoostStep(a, a, error, a, perfect)


def adacost(tree: GrownTree, events: EventList, settings: BDTSettings) -> BoostStep:
    """Boost by AdaCost."""
    costs = settings.costs
    called = tree.purity.astype(np.float64) > 0.5
    cost = np.stack(
        [
            np.where(called, costs.background_as_signal, costs.background_as_background),
            np.where(called, costs.signal_as_signal, costs.signal_as_background),
        ],
        axis=1,
    )
    step = _boost_by_purity(tree, events, settings, cost, leaves_negative=True)
    return step._replace(error=0.0)  # TMVA: it is not monitored


def _boost_by_purity(
    tree: GrownTree, events: EventList, settings: BDTSettings, cost: FloatArray, *, leaves_negative: bool
) -> BoostStep:
    """Boost by how far purities are from the truth; ``cost`` ``(n_nodes, 2)`` is that of background and signal."""
    y = (tree.purity.astype(np.float64) - 0.5) * 2.0
    right = np.stack([-y, y], axis=1)
    total, part = leaf_sums(tree, events, right, cost)
    error = part / total
    if error < 0.0 and not leaves_negative:
        _log_negative(error)
        error = abs(error)
    perfect = abs(error - 1.0) < _ROUNDING
    if abs(error) >= 1.0 and not perfect:
        return _nothing(error)
    a = _log_ratio(error) * settings.beta
    factors = np.ones(right.shape) if perfect else c_library.exp(-1.0 * a * right * cost)
    negative: Negative = "leave" if leaves_negative else "as positive"
    n = multiply(tree, events, factors, np.ones(right.shape, dtype=bool), _negative(settings, negative))
    _finish(events, settings, n)
    return BoostStep(a, a, error, a, perfect)


def _negative(settings: BDTSettings, otherwise: Negative = "as positive") -> Negative:
    return "inverse" if settings.negative_weights == "inverseboostnegweights" else otherwise


def adaboost_r2(tree: GrownTree, events: EventList, settings: BDTSettings) -> BoostStep:
    """Boost a regression forest by AdaBoostR2."""
    weights = events.weights
    deviation, largest, error = _regression_error(tree, events, settings, weights)
    if largest == 0.0 or error == 0.0:
        # TMVA: 0/0, and the forest ends with a tree without weight
        log.warning("a tree fits all its events exactly: it gets a large weight and boosting ends")
        return BoostStep(math.log(1.0 / SMALLEST_ERROR), SMALLEST_ERROR, perfect=True)
    step = _checked_error(error, len(tree))
    if step is not None:
        return step
    error = abs(error) if error < 0.5 else 0.5
    if error >= 1.0:
        return _nothing(error)
    total = float(sequential_sum(weights))
    b = error / (1.0 - error)
    factors = c_library.power(b, 1.0 - deviation / largest)

    def boosted(boost: FloatArray, weight: FloatArray, positions: IndexArray | slice) -> FloatArray:
        factor, read = factors[positions], np.maximum(LEAST_BOOST, boost)
        # TMVA: this product is stored in float32
        single = (read * factor).astype(np.float32).astype(np.float64)
        return np.where(weight > 0.0, single, read / factor)

    n = events.rescale(boosted)
    events.rescale(lambda boost, _w, _p: np.maximum(LEAST_BOOST, boost) * (total / n))
    return BoostStep(math.log(1.0 / b), b, error, factors)


def regression_adaboost(tree: GrownTree, events: EventList, settings: BDTSettings) -> BoostStep:
    """Boost a regression forest by AdaBoost."""
    weights = events.weights
    deviation, largest, error = _regression_error(tree, events, settings, weights)
    if largest == 0.0 or error == 0.0:
        log.warning("a tree fits all its events exactly: it gets a large weight and boosting ends")
        a = math.log(1.0 / SMALLEST_ERROR)
        return BoostStep(a, a, perfect=True)
    if error < 0.0:
        _log_negative(error)
        error = abs(error)
    if error >= 1.0:
        return _nothing(error)
    a = _log_ratio(error) * settings.beta
    factors = c_library.power(1.0 / a, 1.0 - deviation / largest)
    inverse = _negative(settings) == "inverse"

    def boosted(boost: FloatArray, weight: FloatArray, positions: IndexArray | slice) -> FloatArray:
        factor = factors[positions]
        grown = np.maximum(LEAST_BOOST, boost) * factor
        return np.where(weight > 0.0, grown, boost * (1.0 / factor)) if inverse else grown

    _finish(events, settings, events.rescale(boosted))
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
    if total == 0.0:
        raise InputError("the weights of the training events add up to 0: this boosting divides by their sum")
    if settings.r2_loss == "linear":
        return d, largest, float(sequential_sum(weights * d)) / largest / total
    if settings.r2_loss == "quadratic":
        return d, largest, float(sequential_sum(weights * d * d)) / largest / largest / total
    return d, largest, float(sequential_sum(weights * (1.0 - c_library.exp(-d / largest)) / total))


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


def _nothing(error: float) -> BoostStep:
    # TMVA: costs above 1 and negative weights can make an error above 1; its logarithm is NaN, and boosting ends
    return BoostStep(math.nan, math.nan, error)


def _log_ratio(error: float) -> float:
    """Return ln((1 + error)/(1 - error)), finite also for an error of 1."""
    error = min(error, 1.0 - SMALLEST_ERROR)
    return math.log((1.0 + error) / (1.0 - error))


def _finish(events: EventList, settings: BDTSettings, n: float) -> None:
    """Make the sum of weights, which is ``n`` now, the number of events."""
    common = len(events) / n
    # TMVA: the ratio of signal to background is applied again at every step, so that it drifts
    scale(events, common * settings.signal_to_background, common)
