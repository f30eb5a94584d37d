r"""The steps of the coefficients down the gradient.

The response is F = Σ_k a_k x_k with x_0 = 1 for the offset, 1 or 0 for a rule that holds or not, and the normalised
value of a linear term.  A step goes down the gradient of Σ w (y - F)², in which only events with \|F\| < 1 count, and
changes the coefficients whose gradient reaches tau times the largest.

Written out, the gradient needs all events and terms at every step.  But with C_k = Σ w y x_k and G_kl = Σ w x_k x_l
over the events that count it is 2 (C - G a), for which the events are not needed as long as the same ones count.  How
far F can have risen or fallen since an event was looked at is bounded by the sums of the changes of coefficients; the
event is looked at again when it may have reached ±1, and added to the sums or taken from them if it has.

All is done by numpy, or by compiled code with the same bits.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import AnyIntArray, BoolArray, FloatArray, IntArray
from pytmva_bnn.reductions.summation import blocks, sequential_sum

_LEAST_MARGIN = 1e-12
_SAFETY = 1.0 - 1e-9
"""Room for rounding in the bound of how far the response can have moved."""


@dataclass(frozen=True, eq=False)
class FitEvents:
    """Events of a fit: weights, y = ±1, rules that hold ``(n_rules, n_events)``, linear terms ``(n_lines, n_events)``.

    ``compiled``: compiled code works on them.
    """

    w: FloatArray
    y: FloatArray
    holds: NDArray[np.uint8]
    lines: FloatArray
    compiled: bool

    def __len__(self) -> int:
        return len(self.w)

    def part(self, events: slice | AnyIntArray) -> FitEvents:
        """Return some of the events, or all in another order."""
        holds, lines = np.ascontiguousarray(self.holds[:, events]), np.ascontiguousarray(self.lines[:, events])
        return FitEvents(self.w[events], self.y[events], holds, lines, self.compiled)

    @cached_property
    def total(self) -> float:
        """Return the sum of the weights."""
        return float(sequential_sum(self.w))

    def x(self, events: IntArray | slice) -> FloatArray:
        """Return offset, rules and linear terms ``(n_chosen, n_terms)`` of some events."""
        holds, lines = self.holds[:, events], self.lines[:, events]
        x = np.empty((lines.shape[1], 1 + len(holds) + len(lines)))
        x[:, 0], x[:, 1 : 1 + len(holds)], x[:, 1 + len(holds) :] = 1.0, holds.T, lines.T
        return x

    def responses(self, a: FloatArray) -> FloatArray:
        """Return F for these coefficients."""
        f = np.full(len(self), a[0])
        if self.compiled:
            from pytmva_bnn.methods.rulefit.training import path_kernels  # lazy: numba

            path_kernels.values(a, self.holds, self.lines, f)
            return f
        for coefficient, holds in zip(a[1:].tolist(), self.holds, strict=False):
            f += coefficient * holds
        for coefficient, line in zip(a[1 + len(self.holds) :].tolist(), self.lines, strict=True):
            f += coefficient * line
        return f

    def risk(self, a: FloatArray) -> float:
        """Return the mean of (y - F)², F being cut off at ±1."""
        d = self.y - np.clip(self.responses(a), -1.0, 1.0)
        return float(sequential_sum(self.w * (d * d))) / self.total


@dataclass(eq=False)
class Position:
    """Coefficients on their way, with the sums of the gradient.

    ``travelled`` bounds how far F has risen and fallen so far, ``expiry`` ``(2, n_events)`` has for each event the
    bounds at which it must be checked again.  Without ``gram`` the sums are recomputed.
    """

    a: FloatArray
    gram: FloatArray | None
    c: FloatArray
    active: BoolArray
    expiry: FloatArray
    travelled: FloatArray

    def copy(self) -> Position:
        """Return the same, to go another way."""
        return replace(
            self,
            a=self.a.copy(),
            gram=None if self.gram is None else self.gram.copy(),
            c=self.c.copy(),
            active=self.active.copy(),
            expiry=self.expiry.copy(),
            travelled=self.travelled.copy(),
        )


class Walk:
    """Makes steps, given the path events; ``norms`` are those of the linear terms."""

    def __init__(self, events: FitEvents, step: float, norms: FloatArray) -> None:
        self.events = events
        n_rules = len(events.holds)
        self.averages = sums_by_rule(events.holds, events.w) / events.total
        # TMVA: the step of a linear term is divided by its norm
        self._steps = np.concatenate([[0.0], np.full(n_rules, step), step / norms])
        self._least = np.concatenate([np.zeros(1 + n_rules), events.lines.min(axis=1)])
        self._largest = np.concatenate([np.ones(1 + n_rules), events.lines.max(axis=1)])
        self._factor = 2.0 / events.total

    @cached_property
    def _by_event(self) -> tuple[IntArray, IntArray, FloatArray]:
        """Return for each event the terms of its rules, as starts and numbers, and its linear terms."""
        numbers, rules = np.nonzero(self.events.holds.T)
        starts = np.searchsorted(numbers, np.arange(len(self.events) + 1))
        return starts, rules + 1, np.ascontiguousarray(self.events.lines.T)

    @property
    def n_terms(self) -> int:
        """Return the number of coefficients, the offset counted."""
        return len(self._steps)

    def start(self) -> Position:
        """Return the position where only the offset is not 0."""
        events, n = self.events, self.n_terms
        a = np.zeros(n)
        a[0] = -float(sequential_sum(events.w * events.y)) / events.total
        active, f = np.full(len(events), abs(a[0]) < 1.0), np.full(len(events), a[0])
        position = Position(a, None, np.zeros(n), active, np.stack([_rise(f), _rise(-f)]), np.zeros(2))
        self._make_sums(position)
        return position

    def _make_sums(self, position: Position) -> FloatArray:
        """Make C and G from the events that count; return G."""
        events, n = self.events, self.n_terms
        gram = np.zeros((n, n))
        position.gram, position.c = gram, np.zeros(n)
        if events.compiled:
            from pytmva_bnn.methods.rulefit.training import path_kernels  # lazy: numba

            path_kernels.start(events.w, events.y, *self._by_event, position.active, gram, position.c)
            return gram
        for block in blocks(len(events)):
            counts = np.flatnonzero(position.active[block]) + block.start
            x, w = events.x(counts), events.w[counts]
            wx = w[:, np.newaxis] * x
            position.c = _added(position.c, wx * events.y[counts][:, np.newaxis])
            for k in range(n):
                gram[k] = _added(gram[k], wx[:, k : k + 1] * x)
        return gram

    def go(self, position: Position, tau: float, n_steps: int) -> None:
        """Make steps from a position, which is changed."""
        gram = self._make_sums(position) if position.gram is None else position.gram
        if not self.events.compiled:
            for _ in range(n_steps):
                self._step(position, gram, tau)
            return
        from pytmva_bnn.methods.rulefit.training import path_kernels  # lazy: numba

        p, events = position, self.events
        constants = (self._factor, self._steps, self._least, self._largest, self.averages, events.w, events.y)
        state = (p.a, gram, p.c, p.active, p.expiry, p.travelled)
        path_kernels.walk(n_steps, tau, *constants, *self._by_event, *state)

    def _step(self, p: Position, gram: FloatArray, tau: float) -> None:
        a, events = p.a, self.events
        g = self._factor * _added(p.c, -(a[:, np.newaxis] * gram))
        size = np.abs(g[1:])
        largest = float(size.max(initial=0.0))
        if largest > 0.0:
            d = np.where(size >= tau * largest, self._steps[1:] * g[1:], 0.0)
            a[1:] += d
            ends = d * self._least[1:], d * self._largest[1:]
            p.travelled += np.maximum(*ends).sum(), -np.minimum(*ends).sum()
        # TMVA: the averages of the linear terms are taken where their coefficients are 0, and so do not count
        n_rules = len(self.averages)
        offset = 0.0 - float(sequential_sum(a[1 : 1 + n_rules] * self.averages))
        p.travelled += offset - a[0], a[0] - offset
        a[0] = offset
        due = np.flatnonzero((p.expiry[0] <= p.travelled[0]) | (p.expiry[1] <= p.travelled[1]))
        if not len(due):
            return
        x = events.x(due)
        f = sequential_sum(x * a)
        for k in np.flatnonzero((np.abs(f) < 1.0) != p.active[due]):
            e = due[k]
            p.active[e] = not p.active[e]
            wx = (events.w[e] if p.active[e] else -events.w[e]) * x[k]
            p.c += wx * events.y[e]
            gram += np.outer(wx, x[k])
        p.expiry[:, due] = p.travelled[:, np.newaxis] + [_rise(f), _rise(-f)]


def _rise(f: FloatArray) -> FloatArray:
    """Return how far F has to rise before it begins to count or ceases to."""
    return np.where(f >= 1.0, np.inf, _SAFETY * np.where(f <= -1.0, -1.0 - f, 1.0 - f) - _LEAST_MARGIN)


def sums_by_rule(holds: NDArray[np.uint8], weights: FloatArray) -> FloatArray:
    """Return the sums of the weights of the events in each rule, in the order of the events."""
    rules, events = np.nonzero(holds)
    return np.bincount(rules, weights[events], len(holds)).astype(np.float64)


def _added(total: FloatArray, terms: FloatArray) -> FloatArray:
    """Return the total with terms ``(n, n_terms)`` added row by row."""
    result: FloatArray = np.add.reduce(np.concatenate([total[np.newaxis], terms]), axis=0)
    return result
