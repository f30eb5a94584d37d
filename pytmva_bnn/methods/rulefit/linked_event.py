"""The event in the linked memory, evaluated again and again: what a macro's event loop spends its time on.

One event is too few for numpy, and the rules are too quick for compiled code to win much.  For each variable a sorted
list of bounds tells which rules its value allows, as bits of an integer; those that all variables allow hold.  The sum
of their coefficients is kept for the next event with the same rules.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.methods.answers import NO_ERROR
from pytmva_bnn.methods.linked_response import Sides, sides_of
from pytmva_bnn.methods.rulefit.response import float32_bound
from pytmva_bnn.methods.rulefit.rules import RuleEnsemble, Term
from pytmva_bnn.transform import TransformationChain

_MOST_SUMS = 100_000
"""Sums that are kept at most."""


class LinkedRules:
    """The response to what the memory holds now; NaN where the ordinary way has to be taken."""

    def __init__(self, ensemble: RuleEnsemble, sides: Sides, made_by: tuple[Any, ...]) -> None:
        self._made_by = made_by
        (self._event,) = sides.events
        n_variables, linear = len(sides.memory), ensemble.linear
        tables = ((v, *_allowed(ensemble, v)) for v in range(n_variables))
        self._tables = [(v, bounds, allowed) for v, bounds, allowed in tables if bounds]
        self._all = (1 << len(ensemble.active_rules)) - 1
        self._offset, self._coefficients = ensemble.offset, ensemble.active_rules.coefficient.tolist()
        self._sums: dict[int, float] = {}
        numbers = np.stack([linear.low, linear.high, linear.coefficient, linear.norm], axis=1).tolist()
        self._lines = [(v, *numbers[v]) for v in ensemble.active_linear]

    @classmethod
    def of(
        cls, ensemble: RuleEnsemble, chain: TransformationChain, memory: Sequence[NDArray[Any] | None]
    ) -> LinkedRules | None:
        """Return the event, or None if the transformations or the memory are not known here."""
        sides = sides_of(chain, memory)
        return None if sides is None else cls(ensemble, sides, (cls.of, ensemble, chain, memory))

    def __reduce__(self) -> tuple[Any, ...]:
        return self._made_by[0], self._made_by[1:]  # a copy has memory of its own

    def evaluate(self) -> float:
        """Return the response to what the memory holds now."""
        try:
            x = self._event()
        except OverflowError:  # too large for float32
            return math.nan
        if not math.isfinite(sum(x)):
            return math.nan
        hold = self._all
        for v, bounds, allowed in self._tables:
            hold &= allowed[bisect_right(bounds, x[v])]
        y = self._sums.get(hold)
        if y is None:
            y = self._sum(hold)
        lines = 0.0
        for v, low, high, coefficient, norm in self._lines:
            value = x[v]
            value = low if value < low else min(value, high)
            lines += value * coefficient * norm
        return y + lines if self._lines else y

    def _sum(self, hold: int) -> float:
        """Return offset and coefficients of the rules that hold, and keep it."""
        y = self._offset
        for number, coefficient in enumerate(self._coefficients):
            if hold >> number & 1:
                y += coefficient
        if len(self._sums) == _MOST_SUMS:
            self._sums.clear()
        self._sums[hold] = y
        return y

    def error_bars(self, name: str) -> tuple[float, float]:
        """Return what TMVA has for no errors."""
        del name
        return NO_ERROR, NO_ERROR


def _allowed(ensemble: RuleEnsemble, variable: int) -> tuple[list[float], list[int]]:
    """Return sorted bounds of a variable, and between them the rules that it allows, as bits."""
    rules = [
        [(_bound(term), term.above) for term in terms if term.variable == variable]
        for terms in ensemble.active_rules.terms
    ]
    bounds = sorted({bound for own in rules for bound, _ in own})
    allowed = [
        sum(1 << r for r, own in enumerate(rules) if all((x >= bound) == above for bound, above in own))
        for x in (-math.inf, *bounds)
    ]
    return bounds, allowed


def _bound(term: Term) -> float:
    """Return the float32 number from which on ``x > cut`` holds, or ``x < cut`` does not."""
    bound = float32_bound(term)[1]
    return float(np.nextafter(bound, np.float32(np.inf))) if term.above else -float(bound)
