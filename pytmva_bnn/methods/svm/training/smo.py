"""Sequential minimal optimisation with two thresholds, by numpy.

Two multipliers at a time are moved to the optimum of the quadratic problem, until no event violates it by more than the
tolerance.  All is float32, and sums run in the order of the events, so that the result is TMVA's bit for bit.

The error of an event is a sum over all events with multipliers, which takes long.  Most events are far from violating
anything, so that an estimate of the error with a bound of its rounding (:mod:`.estimates`) is enough to pass them over.
"""

from __future__ import annotations

import numpy as np

from pytmva_bnn._typing import BoolArray, Float32Array
from pytmva_bnn.methods.svm.kernels.constants import MARGIN
from pytmva_bnn.methods.svm.training.estimates import Estimates
from pytmva_bnn.methods.svm.training.multipliers import Multipliers, Sample
from pytmva_bnn.reductions.summation import blocks

F = np.float32
ZERO, TWO, EPSILON = F(0), F(2), F(1e-8)
FAR = F(1e30)
LOW, UP = 0, 1
_PAIRS_IN_BLOCK, _LOOK_AHEAD = 1 << 15, 512


class Optimiser:
    """A training in progress."""

    def __init__(self, sample: Sample, state: Multipliers, tolerance: float) -> None:
        self.sample = sample
        self.state = state
        self.estimates = Estimates.start(len(sample))
        self.twice_tolerance = TWO * F(tolerance)
        self._matrix: Float32Array | None = None
        if sample.fits_into_matrix:
            n = len(sample)
            self._matrix = np.empty((n, n), dtype=np.float32)
            for part in blocks(n, max(1, _PAIRS_IN_BLOCK // n)):
                self._matrix[part] = sample.kernel.values(sample.x[part], sample.x)

    def sweep(self, *, everything: bool) -> int:
        """Examine all events, or those with a multiplier, and return how many multipliers could be changed."""
        with np.errstate(all="ignore"):  # kernels may be infinite
            return self._sweep(everything)

    def _sweep(self, everything: bool) -> int:
        alpha = self.state.alpha
        n, n_changed, j = len(alpha), 0, 0
        while j < n:
            stop = min(j + _LOOK_AHEAD, n)
            matters = self._matters(j, stop)
            if not everything:
                matters &= alpha[j:stop] > 0
                if self._are_close() and not matters[alpha[j:stop] > 0][:1].all():
                    return 0
            if not matters.any():
                j = stop
                continue
            j += int(np.argmax(matters))
            n_changed += self._examine(j)
            if not everything and self._are_close():
                return 0
            j += 1
        return n_changed

    def _are_close(self) -> bool:
        thresholds = self.state.thresholds
        return bool(thresholds[UP] > thresholds[LOW] - self.twice_tolerance)

    def _matters(self, start: int, stop: int) -> BoolArray:
        """Tell which events may change anything, or are free; the others need no examination."""
        low, up = self.state.thresholds.astype(np.float64)
        index = self.state.index[start:stop]
        flags = self.sample.flags[start:stop]
        error = self.estimates.sums[start:stop] - flags
        margin = self.estimates.margins(start, stop) + MARGIN * (abs(low) + abs(up) + np.abs(error))
        limit = float(self.twice_tolerance)
        # certain only if the comparison is true: NaN is not
        lower, upper = error - margin, error + margin
        passes_up = (lower > up) & (low - lower < limit)
        passes_low = (upper < low) & (upper - up < limit)
        passes: BoolArray = np.where(index > 0, passes_up, (index < 0) & passes_low)
        return ~passes

    def _examine(self, j: int) -> bool:
        """Look whether an event violates the optimum, and change its multiplier if so."""
        state, limit = self.state, self.twice_tolerance
        errors, thresholds, places = state.errors, state.thresholds, state.places
        index = state.index[j]
        if index != 0:
            error = errors[j] = self._sum(j) - self.sample.flags[j]
            if index == 1 and error < thresholds[UP]:
                thresholds[UP], places[UP] = error, j
            elif index == -1 and error > thresholds[LOW]:
                thresholds[LOW], places[LOW] = error, j
        above, below = thresholds[LOW] - errors[j], errors[j] - thresholds[UP]
        partner = -1
        if index >= 0 and above > limit:
            partner = LOW
        if index <= 0 and below > limit:
            partner = UP
        if partner < 0:
            return False
        if index == 0:
            partner = LOW if above > below else UP
        return self._step(int(places[partner]), j)

    def _row(self, i: int) -> Float32Array:
        """Return the kernels of an event with all."""
        x = self.sample.x
        row: Float32Array = self.sample.kernel.values(x[i : i + 1], x)[0] if self._matrix is None else self._matrix[i]
        return row

    def _sum(self, j: int) -> np.float32:
        """Return the output for an event, up to b: a sum over the events with multipliers, in order."""
        active = np.flatnonzero(self.state.alpha > 0)
        if not active.size:
            return ZERO
        terms = self.state.alpha[active] * self.sample.flags[active] * self._row(j)[active]
        sums = np.add.accumulate(terms)
        self.estimates.note(j, active, terms, sums)
        return F(sums[-1])

    def _step(self, i: int, j: int) -> bool:
        """Optimise two multipliers, and tell whether they have changed."""
        if i == j:
            return False
        state, flags, costs = self.state, self.sample.flags, self.sample.costs
        alpha, errors, index = state.alpha, state.errors, state.index
        y_i, y_j = flags[i], flags[j]
        alpha_i, alpha_j, error_i, error_j = alpha[i], alpha[j], errors[i], errors[j]
        lowest, highest = limits(alpha_i, alpha_j, costs[i], costs[j], y_i == y_j)
        if lowest == highest:
            return False
        row_i, row_j = self._row(i), self._row(j)
        k_ii, k_ij, k_jj = row_i[i], row_i[j], row_j[j]
        eta = TWO * k_ij - k_ii - k_jj
        if eta < 0:
            new_j = alpha_j + (y_j * (error_j - error_i)) / eta
            if new_j < lowest:
                new_j = lowest
            elif new_j > highest:
                new_j = highest
        else:
            p, q = eta / TWO, y_j * (error_i - error_j) - eta * alpha_j
            at_lowest, at_highest = p * lowest * lowest + q * lowest, p * highest * highest + q * highest
            new_j = alpha_j
            if at_lowest > at_highest + EPSILON:
                new_j = lowest
            elif at_lowest < at_highest - EPSILON:
                new_j = highest
        if abs(new_j - alpha_j) < EPSILON * (new_j + alpha_j + EPSILON):
            return False
        s = y_i * y_j
        new_i = alpha_i - s * (new_j - alpha_j)
        if new_i < 0:
            new_i, new_j = ZERO, new_j + s * new_i
        elif new_i > costs[i]:
            new_i, new_j = costs[i], new_j + s * (new_i - costs[i])
        d_i, d_j = y_i * (new_i - alpha_i), y_j * (new_j - alpha_j)
        free = np.flatnonzero(index == 0)
        errors[free] += d_i * row_i[free] + d_j * row_j[free]
        change_i, change_j = float(y_i) * (float(new_i) - float(alpha_i)), float(y_j) * (float(new_j) - float(alpha_j))
        self.estimates.move(((i, change_i, row_i), (j, change_j, row_j)))
        for k, new in ((i, new_i), (j, new_j)):
            alpha[k] = new
            if ZERO < new < costs[k]:
                index[k] = 0
            elif new == 0:
                index[k] = flags[k]
            elif new == costs[k]:
                index[k] = -flags[k]
        errors[i] = error_i + d_i * k_ii + d_j * k_ij
        errors[j] = error_j + d_i * k_ij + d_j * k_jj
        self._move_thresholds(i, j)
        return True

    def _move_thresholds(self, i: int, j: int) -> None:
        """Find the extreme errors among free events and the two that have changed."""
        errors, thresholds, places = self.state.errors, self.state.thresholds, self.state.places
        thresholds[:] = -FAR, FAR
        free = np.flatnonzero(self.state.index == 0)
        if free.size:
            largest, smallest = free[np.argmax(errors[free])], free[np.argmin(errors[free])]
            if errors[largest] > -FAR:
                thresholds[LOW], places[LOW] = errors[largest], largest
            if errors[smallest] < FAR:
                thresholds[UP], places[UP] = errors[smallest], smallest
        larger = max(errors[i], errors[j])
        if thresholds[LOW] < larger:
            k = i if errors[i] > thresholds[LOW] else j
            thresholds[LOW], places[LOW] = errors[k], k
        # TMVA: the larger of the two again, and the other threshold
        if thresholds[UP] > larger:
            k = i if errors[i] < thresholds[LOW] else j
            thresholds[UP], places[UP] = errors[k], k


def limits(
    alpha_i: np.float32, alpha_j: np.float32, cost_i: np.float32, cost_j: np.float32, same_class: np.bool_ | bool
) -> tuple[np.float32, np.float32]:
    """Return the range of α_j in which both multipliers stay between 0 and their costs."""
    if same_class:
        g = alpha_i + alpha_j
        if cost_i > cost_j:
            if g < cost_j:
                return ZERO, g
            return (ZERO if g < cost_i else g - cost_i), cost_j
        if g < cost_i:
            return ZERO, g
        return g - cost_i, (g if g < cost_j else cost_j)  # noqa: FURB136 - as TMVA has it
    g = alpha_i - alpha_j
    if g > 0:
        return ZERO, (cost_i - g if g >= cost_i - cost_j else cost_j)
    return -g, (cost_j if cost_i - cost_j >= g else cost_i - g)
