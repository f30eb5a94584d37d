"""The event-based ROC curve: the integral that TMVA prints, and signal efficiencies in multiclass tables."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from pytmva_bnn._typing import BoolArray, Float32Array, FloatArray, IndexArray
from pytmva_bnn.displays import Displayed
from pytmva_bnn.errors import InputError
from pytmva_bnn.evaluation.tie_order import std_sort_order
from pytmva_bnn.histograms.splines import spline1
from pytmva_bnn.reductions.summation import sequential_sum

SMALLEST_TOTAL = 2.2250738585072014e-308
MANY_EVENTS = 100_000
SMALLEST_EFFECT = 1e-6
"""In samples of many events, equal responses that change the AUC by less than this are in the order of the events."""


@dataclass(frozen=True, eq=False)
class RocCurve(Displayed):
    """Specificity (background rejection) and sensitivity (signal efficiency), (n_events + 2,) each.

    Point k + 1 belongs to a cut just at the k-th response in ascending order.  ``background_events``, if known, is the
    number of background events beyond the cut: (Σw)²/Σw², which is what weighted events are worth.

    >>> curve = roc_curve([0.1, 0.4, 0.35, 0.8], [False, False, True, True])
    >>> curve.specificity.tolist(), curve.sensitivity.tolist()
    ([0.0, 0.5, 0.5, 1.0, 1.0, 1.0], [1.0, 1.0, 1.0, 0.5, 0.5, 0.0])
    """

    specificity: FloatArray
    sensitivity: FloatArray
    background_events: FloatArray | None = None

    def __repr__(self) -> str:
        return f"<RocCurve: area {self.auc:.4f}, {len(self.specificity)} points>"

    @cached_property
    def auc(self) -> float:
        """Area under the curve (``Factory::GetROCIntegral``)."""
        lost = 1.0 - self.sensitivity
        # TMVA: half of a background event directly above a signal event counts as rejected; Mann-Whitney: 0.75 here
        return float(sequential_sum(0.5 * (lost[1:] - lost[:-1]) * (self.specificity[:-1] + self.specificity[1:])))

    def signal_efficiency_at(self, background_efficiency: float) -> float:
        """Return the signal efficiency at a background efficiency, by linear interpolation."""
        # TMVA: exactly at a background efficiency that occurs several times the result is 0/0
        return float(spline1((1.0 - self.specificity)[::-1], self.sensitivity[::-1], np.array(background_efficiency)))


def roc_curve(response: ArrayLike, is_signal: ArrayLike, weight: ArrayLike | None = None) -> RocCurve:
    """Return the curve of responses (n_events,); responses and weights are rounded to float32 as TMVA keeps them.

    Among equal responses the order is the one that TMVA's sort leaves (in a large sample: that of the events, if it
    does not matter); NaN responses count as the largest.

    """
    v = np.asarray(response, dtype=np.float64).astype(np.float32)
    signal = np.asarray(is_signal, dtype=bool)
    w = np.ones(v.shape) if weight is None else np.asarray(weight, dtype=np.float64)
    if v.ndim != 1 or signal.shape != v.shape or w.shape != v.shape:
        raise InputError(
            "responses, classes and weights must be lists of the same length, "
            f"got shapes {v.shape}, {signal.shape} and {w.shape}"
        )
    w = w.astype(np.float32).astype(np.float64)
    order = _sorted(v, signal, w)
    w, signal = w[order], signal[order]
    rejected = np.add.accumulate(np.where(signal, 0.0, w))
    accepted = np.add.accumulate(np.where(signal, w, 0.0)[::-1])[::-1]
    return RocCurve(
        np.concatenate([[0.0], _fractions(rejected, rejected[-1:]), [1.0]]),
        np.concatenate([[1.0], _fractions(accepted, accepted[:1]), [0.0]]),
        _effective(np.where(signal, 0.0, w)),
    )


def _effective(background: FloatArray) -> FloatArray:
    """Return what the background events beyond each point are worth, of their weights in the order of the responses."""
    sums, squares = (np.concatenate([np.cumsum(x[::-1])[::-1], [0.0, 0.0]]) for x in (background, background**2))
    effective: FloatArray = np.divide(sums**2, squares, out=np.zeros(len(sums)), where=squares > 0)
    return effective


def _sorted(v: Float32Array, signal: BoolArray, w: FloatArray) -> IndexArray:
    order = np.argsort(v, kind="stable")
    low, high = order[:-1], order[1:]
    tied = v[low] == v[high]
    if not np.any(tied & ((signal[low] != signal[high]) | (w[low] != w[high]))):
        return order
    if len(v) > MANY_EVENTS and _effect_of_ties(tied, signal[order], w[order]) < SMALLEST_EFFECT:
        return order
    # TMVA: an unstable sort, and the AUC depends on the order among equal responses
    return std_sort_order(v)


def _effect_of_ties(tied: BoolArray, signal: BoolArray, w: FloatArray) -> float:
    """Return by how much the order among equal responses could change the AUC, for events sorted by response."""
    starts = np.flatnonzero(np.concatenate([[True], ~tied]))
    s = np.add.reduceat(np.where(signal, np.abs(w), 0.0), starts)
    b = np.add.reduceat(np.where(signal, 0.0, np.abs(w)), starts)
    with np.errstate(all="ignore"):
        return float(np.sum(s * b) / (np.sum(s) * np.sum(b)))


def _fractions(sums: FloatArray, total: FloatArray) -> FloatArray:
    if len(total) and total[0] > SMALLEST_TOTAL:
        return sums / total
    return np.zeros(sums.shape)
