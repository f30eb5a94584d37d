"""One number that says how well responses separate signal and background: what OptimizeAllMethods makes large."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import TypeAlias

import numpy as np

from pytmva_bnn._typing import BoolArray, FloatArray
from pytmva_bnn.errors import OptionError, suggestion
from pytmva_bnn.evaluation.roc import roc_curve
from pytmva_bnn.histograms.separation import separation_of

FigureOfMerit: TypeAlias = Callable[[FloatArray, BoolArray, FloatArray], float]
"""From responses, classes (True: signal) and weights of events, all (n_events,), to a number: larger is better."""

_BINS = 40
_AT = re.compile(r"(SigEffAtBkg|BkgEffAtSig|BkgRejAtSig)(?:Eff)?(\d+(?:\.\d*)?)")


def figure_of_merit(name: str) -> FigureOfMerit:
    """Return the figure of merit that TMVA calls so.

    The digits of an efficiency stand behind the decimal point: ``SigEffAtBkgEff01`` is at 0.1, ``SigEffAtBkgEff001`` at
    0.01, and so is ``SigEffAtBkg0.01``.

    >>> responses, is_signal = np.array([0.9, 0.7, 0.4, 0.1]), np.array([True, False, True, False])
    >>> figure_of_merit("SigEffAtBkgEff05")(responses, is_signal, np.ones(4))
    1.0
    """
    if name in _WHOLE:
        return _WHOLE[name]
    found = _AT.fullmatch(name)
    if found is None:
        hint = suggestion(name, (*_WHOLE, *_EXAMPLES))
        raise OptionError(
            f"the figure of merit '{name}' is not known{': ' + hint if hint else ''} "
            f"(known: {', '.join((*_WHOLE, *_EXAMPLES))})"
        )
    kind, digits = found.groups()
    efficiency = float(digits if "." in digits else f"{digits[0]}.{digits[1:]}")
    if not 0.0 < efficiency < 1.0:
        raise OptionError(
            f"the figure of merit '{name}' needs an efficiency between 0 and 1: write {kind}Eff01 for 0.1"
        )
    return partial(_signal_at if kind == "SigEffAtBkg" else _rejection_at, efficiency)


def _roc_integral(responses: FloatArray, is_signal: BoolArray, weights: FloatArray) -> float:
    return roc_curve(responses, is_signal, weights).auc


def _separation(responses: FloatArray, is_signal: BoolArray, weights: FloatArray) -> float:
    """Return the separation of the distributions of the responses, in 40 bins."""
    low, high = float(responses.min()), float(responses.max())
    if low == high:
        return 0.0
    s, b = (
        np.histogram(responses[of], _BINS, (low, high), weights=weights[of])[0] / weights[of].sum()
        for of in (is_signal, ~is_signal)
    )
    return separation_of(s, b, 1.0)


def _signal_at(background_efficiency: float, responses: FloatArray, is_signal: BoolArray, weights: FloatArray) -> float:
    signal, background = _efficiencies(responses, is_signal, weights)
    return float(np.interp(background_efficiency, background, signal))


def _rejection_at(signal_efficiency: float, responses: FloatArray, is_signal: BoolArray, weights: FloatArray) -> float:
    signal, background = _efficiencies(responses, is_signal, weights)
    signal, first = np.unique(signal, return_index=True)
    return 1.0 - float(np.interp(signal_efficiency, signal, background[first]))


def _efficiencies(responses: FloatArray, is_signal: BoolArray, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the efficiencies of signal and background for cuts between different responses, from none to all."""
    order = np.argsort(-responses, kind="stable")
    last = np.append(np.flatnonzero(np.diff(responses[order])), len(order) - 1)
    sums = (np.cumsum(np.where(of, weights, 0.0)[order])[last] for of in (is_signal, ~is_signal))
    signal, background = (np.append(0.0, one / one[-1]) for one in sums)
    return signal, background


_WHOLE: dict[str, FigureOfMerit] = {"ROCIntegral": _roc_integral, "Separation": _separation}
_EXAMPLES = ("SigEffAtBkgEff01", "SigEffAtBkgEff001", "BkgRejAtSigEff05", "BkgEffAtSigEff05")
