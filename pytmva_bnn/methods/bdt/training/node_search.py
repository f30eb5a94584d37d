"""The search for the best cut of a node, by numpy: on a grid, or between all events."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from pytmva_bnn._typing import BoolArray, Float32Array, FloatArray, IndexArray
from pytmva_bnn.errors import InputError
from pytmva_bnn.methods.bdt.std_sort import sorted_order
from pytmva_bnn.methods.bdt.training import separation
from pytmva_bnn.reductions.summation import sequential_sum

_EPSILON = np.float32(1.1920929e-07)
_TINY = np.float32(1.17549435e-38)
#: bins of a variable of type I beyond which its range is taken for a mistake
MOST_BINS = 50_000_000


class Best(NamedTuple):
    """The best cut of a node.

    ``inner_sums`` are the sums of targets and their squares that TMVA gives an inner node of a regression tree.
    """

    gain: float
    variable: int
    cut: float
    cut_type: int
    inner_sums: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True, eq=False)
class NodeEvents:
    """The events of a node: variables ``(n_variables, n_events)``, weights, signal or not, targets of regression trees.

    ``wt`` and ``wtt`` are the products of weight and target, and of that and the target.
    """

    columns: Float32Array
    weights: FloatArray
    is_signal: BoolArray
    wt: FloatArray | None = None
    wtt: FloatArray | None = None

    def __len__(self) -> int:
        return len(self.weights)

    def at(self, events: IndexArray) -> NodeEvents:
        """Return some of the events."""
        return NodeEvents(
            self.columns[:, events],
            self.weights[events],
            self.is_signal[events],
            None if self.wt is None else self.wt[events],
            None if self.wtt is None else self.wtt[events],
        )

    @property
    def sums(self) -> tuple[float, float, float, float]:
        """Return the sums of the weights of signal and background, and of ``wt`` and ``wtt``."""
        parts = (self.weights[self.is_signal], self.weights[~self.is_signal])
        s, b = (float(sequential_sum(part)) for part in parts)
        if self.wt is None or self.wtt is None:
            return s, b, 0.0, 0.0
        return s, b, float(sequential_sum(self.wt)), float(sequential_sum(self.wtt))


def almost_equal(x: np.float32, y: np.float32) -> bool:
    """Tell whether two numbers are the same up to rounding, in float32."""
    with np.errstate(over="ignore"):
        difference = abs(x - y)
        return bool(difference < _EPSILON * abs(x + y) * np.float32(4) or difference < _TINY)


def n_integer_bins(low: np.float32, high: np.float32, variable: int) -> int:
    """Return the number of bins of a variable of type I."""
    n_bins = int(np.float32(high - low) + np.float32(1))
    if n_bins > MOST_BINS:
        raise InputError(
            f"variable number {variable} is of type I with values from {low:g} to {high:g}: a bin for each of them "
            "needs too much memory; declare it with type F"
        )
    return n_bins


def grid_search(
    events: NodeEvents,
    sums: tuple[float, float, float, float],
    kind: str,
    n_cuts: int,
    min_size: float,
    candidates: list[bool],
    is_integer: BoolArray,
    extra: FloatArray | None = None,
) -> Best | None:
    """Return the best cut on a grid, None if there is none; ``extra`` are values of one more variable (linear cuts)."""
    best: Best | None = None
    first_sums: tuple[FloatArray, FloatArray] | None = None
    n_variables = len(events.columns)
    for variable in range(n_variables + (extra is not None)):
        if not candidates[variable]:
            continue
        if extra is not None and variable == n_variables:
            column: FloatArray = extra
            # TMVA: the extremes start from ±999
            low, high = min(999.0, float(column.min())), max(-999.0, float(column.max()))
            n_bins = n_cuts + 1
            integer = False
            if almost_equal(np.float32(low), np.float32(high)):
                continue
        else:
            values = events.columns[variable]
            ends = values.min(), values.max()
            if almost_equal(ends[1], ends[0]):
                continue
            low, high = float(ends[0]), float(ends[1])
            integer = bool(is_integer[variable])
            n_bins = n_integer_bins(*ends, variable) if integer else n_cuts + 1
            column = values.astype(np.float64)
        width = 1.0 if integer else (high - low) / n_bins
        inverse = 1.0 / width
        bins = np.minimum((inverse * (column - low)).astype(np.intp), n_bins - 1)
        found, cumulated = _best_of_variable(events, sums, kind, min_size, bins, n_bins)
        if variable == 0:
            first_sums = cumulated
        if found is None:
            continue
        k, gain, cut_type = found
        if best is None or gain > best.gain:
            best = Best(gain, variable, low + (k + 1) * width, cut_type, _inner_sums(first_sums, n_bins))
    return best


def _inner_sums(first: tuple[FloatArray, FloatArray] | None, n_bins: int) -> tuple[float, float]:
    # TMVA: the sums of an inner node are read from the histograms of variable 0, at the last bin of the best variable
    if first is None:
        return 0.0, 0.0
    last = min(n_bins, len(first[0])) - 1
    return float(first[0][last]), float(first[1][last])


def _best_of_variable(
    events: NodeEvents,
    sums: tuple[float, float, float, float],
    kind: str,
    min_size: float,
    bins: IndexArray,
    n_bins: int,
) -> tuple[tuple[int, float, int] | None, tuple[FloatArray, FloatArray] | None]:
    """Return number, gain and type of the best cut, and the cumulated sums of the targets."""
    total_s, total_b = sums[:2]
    signal = events.is_signal
    s = _cumulated(bins[signal], events.weights[signal], n_bins)
    b = _cumulated(bins[~signal], events.weights[~signal], n_bins)
    count = np.cumsum(np.bincount(bins, minlength=n_bins))
    cumulated = None
    if events.wt is not None and events.wtt is not None:
        t, t2 = (_cumulated(bins, terms, n_bins) for terms in (events.wt, events.wtt))
        cumulated = t, t2
        gain = separation.regression_gains(s + b, t, t2, total_s + total_b, float(t[-1]), float(t2[-1]))
    else:
        gain = separation.gains(kind, s, b, total_s, total_b)
    left, right = s + b, (total_s - s) + (total_b - b)
    allowed = (count >= min_size) & (len(events) - count >= min_size) & (left >= min_size) & (right >= min_size)
    allowed[-1] = False
    gain = np.where(allowed & ~np.isnan(gain), gain, -1.0)
    k = int(np.argmax(gain))
    if gain[k] <= -1.0:
        return None, cumulated
    cut_type = 1
    if cumulated is None:
        with np.errstate(all="ignore"):
            cut_type = int(s[k] / total_s > b[k] / total_b)
    return (k, float(gain[k]), cut_type), cumulated


def _cumulated(bins: IndexArray, terms: FloatArray, n_bins: int) -> FloatArray:
    return np.cumsum(np.bincount(bins, terms, n_bins), dtype=np.float64)


def full_search(events: NodeEvents, kind: str, min_size: float, candidates: list[bool]) -> Best | None:
    """Return the best cut between any two events, None if there is none."""
    best: Best | None = None
    order = np.arange(len(events))
    n = len(events)
    for variable in np.flatnonzero(candidates[: len(events.columns)]):
        # TMVA: the list is sorted in place, so that ties keep what the previous variable left
        order = order[sorted_order(events.columns[variable][order])]
        x = events.columns[variable][order].astype(np.float64)
        weights, signal = events.weights[order], events.is_signal[order]
        s, b = np.cumsum(np.where(signal, weights, 0.0)), np.cumsum(np.where(signal, 0.0, weights))
        step = x[1:] - x[:-1]
        k = np.arange(1, n)
        apart = np.abs(step / (0.5 * np.abs(x[1:] + x[:-1]) + 1.0)) > 1e-6
        # TMVA: only numbers of events are tested, and the sums include the event above the cut
        allowed = (k >= min_size) & (n - k >= min_size) & apart
        gain = separation.gains(kind, s[1:], b[1:], float(s[-1]), float(b[-1]))
        gain = np.where(allowed & ~np.isnan(gain), gain, -1.0)
        at = int(np.argmax(gain)) if len(gain) else 0
        if not len(gain) or gain[at] <= -1.0 or (best is not None and gain[at] <= best.gain):
            continue
        with np.errstate(all="ignore"):
            cut_type = int(s[at + 1] / s[-1] > b[at + 1] / b[-1])
        best = Best(float(gain[at]), int(variable), float(x[at + 1] - 0.5 * step[at]), cut_type)
    return best
