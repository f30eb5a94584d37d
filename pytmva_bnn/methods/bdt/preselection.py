"""Cuts at the ends of variables where only one class is, found before the training (DoPreselection)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from pytmva_bnn._typing import BoolArray, Float32Array, FloatArray
from pytmva_bnn.methods.bdt.std_sort import sorted_order
from pytmva_bnn.reductions.summation import sequential_sum

SIDES = ("LowBkg", "LowSig", "HighBkg", "HighSig")
_ANSWERS = (-1.0, 1.0, -1.0, 1.0)
#: fraction of a class that a cut must take away
_LEAST_EFFICIENCY = 0.05


@dataclass(frozen=True, eq=False)
class Preselection:
    """Which cuts there are, and where: ``(4, n_variables)`` in the order of :data:`SIDES`.

    Below a Low cut and above a High one all training events are of the class that its name ends with.
    """

    is_on: BoolArray
    cuts: FloatArray

    def applied(self) -> Iterator[tuple[int, bool, float, float]]:
        """Yield variable, whether it is an upper cut, its value and its answer, in the order in which cuts count."""
        for variable in range(self.cuts.shape[1]):
            for side, answer in enumerate(_ANSWERS):
                if self.is_on[side, variable]:
                    yield variable, side >= 2, float(self.cuts[side, variable]), answer

    def answers(self, x: Float32Array) -> FloatArray:
        """Return -1 for events that a cut calls background, 1 for signal, 0 where no cut applies."""
        answers = np.zeros(len(x))
        for variable, is_upper, cut, answer in self.applied():
            column = x[:, variable].astype(np.float64)
            answers[column > cut if is_upper else column < cut] = answer
        return answers


def find_cuts(x: Float32Array, weights: FloatArray, is_signal: BoolArray, widths: FloatArray) -> Preselection:
    """Return the cuts for training events; ``widths`` are the ranges of the variables before transformations."""
    n_variables = x.shape[1]
    is_on, cuts = np.zeros((4, n_variables), dtype=bool), np.zeros((4, n_variables))
    total_s, total_b = (float(sequential_sum(weights[own])) for own in (is_signal, ~is_signal))
    order = np.arange(len(x))
    for variable in range(n_variables):
        # the list keeps the order of the previous sort, which decides between equal values
        order = order[sorted_order(x[order, variable])]
        values = x[order, variable].astype(np.float64)
        signal = is_signal[order]
        s = np.cumsum(np.where(signal, weights[order], 0.0))
        b = np.cumsum(np.where(signal, 0.0, weights[order]))
        for side, k in _cut_positions(s, b, total_s, total_b).items():
            margin = widths[variable] / 100.0
            is_on[side, variable] = True
            cuts[side, variable] = values[k] - margin if side < 2 else values[k] + margin
    return Preselection(is_on, cuts)


def _cut_positions(s: FloatArray, b: FloatArray, total_s: float, total_b: float) -> dict[int, int]:
    """Return the entry of the sorted list at which each side has its cut, for running sums of weights."""
    low_background, low_signal, high_background, high_signal = range(4)
    best = [_LEAST_EFFICIENCY] * 4
    found: dict[int, int] = {}
    with np.errstate(all="ignore"):
        eff_s, eff_b = s / total_s, b / total_b
    # TMVA: sums are compared exactly, although they were added in another order
    conditions = ((s == 0.0, eff_b), (b == 0.0, eff_s), (b == total_b, 1.0 - eff_s), (s == total_s, 1.0 - eff_b))
    sides = (low_background, low_signal, high_signal, high_background)
    for k in np.flatnonzero(np.any([condition for condition, _ in conditions], axis=0)):
        if k == 0:
            continue
        for side, (condition, value) in zip(sides, conditions, strict=True):
            if condition[k] and value[k] > best[side]:
                best[side], found[side] = float(value[k]), int(k)
                break
    return found
