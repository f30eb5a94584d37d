"""Rules and linear terms: what a RuleFit is made of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple

import numpy as np

from pytmva_bnn._typing import BoolArray, Float32Array, FloatArray, IndexArray, IntArray

_PER_RULE = ("coefficient", "importance", "reference", "support", "sigma", "norm", "purity", "weight")


class Model(StrEnum):
    """What the response is the sum of, in the order of TMVA's numbers."""

    RULES_AND_LINEAR = "ModRuleLinear"
    RULES = "ModRule"
    LINEAR = "ModLinear"


class Cut(NamedTuple):
    """An interval of a variable, without its ends; an end that is not cut on is infinite."""

    variable: int
    low: float
    high: float


class Term(NamedTuple):
    """``x > cut`` (``above``) or ``x < cut`` of a variable."""

    variable: int
    above: bool
    cut: float


@dataclass(frozen=True, eq=False)
class Rules:
    """Rules ``(n_rules,)``, each a set of cuts ``(n_cuts,)`` on different variables; all of them must hold.

    The cuts of rule r are those from ``starts[r]`` to ``starts[r + 1]``.  ``support`` is the share of the training
    weights where a rule holds, ``weight`` their sum and ``purity`` the share of signal in it.  ``importance`` is
    absolute; ``reference`` is the largest of all rules and linear terms.
    """

    coefficient: FloatArray
    importance: FloatArray
    reference: FloatArray
    support: FloatArray
    sigma: FloatArray
    norm: FloatArray
    purity: FloatArray
    weight: FloatArray
    starts: IntArray
    variable: IntArray
    low: FloatArray
    high: FloatArray
    has_low: BoolArray
    has_high: BoolArray

    def __len__(self) -> int:
        return len(self.coefficient)

    @classmethod
    def of(cls, rules: Sequence[Sequence[Cut]]) -> Rules:
        """Return rules with these cuts, whose other numbers are still to be found."""
        cuts = [cut for rule in rules for cut in rule]
        low, high = (np.array([cut[k] for cut in cuts], dtype=np.float64) for k in (1, 2))
        has_low, has_high = low > -np.inf, high < np.inf
        return cls(
            **{name: np.zeros(len(rules)) for name in _PER_RULE},
            starts=np.cumsum([0, *map(len, rules)]),
            variable=np.array([cut.variable for cut in cuts], dtype=np.int64),
            low=np.where(has_low, low, 0.0),
            high=np.where(has_high, high, 0.0),
            has_low=has_low,
            has_high=has_high,
        )

    def cuts(self, number: int) -> Iterator[Cut]:
        """Yield the cuts of a rule."""
        for k in range(int(self.starts[number]), int(self.starts[number + 1])):
            low = float(self.low[k]) if self.has_low[k] else -np.inf
            high = float(self.high[k]) if self.has_high[k] else np.inf
            yield Cut(int(self.variable[k]), low, high)

    @cached_property
    def terms(self) -> tuple[tuple[Term, ...], ...]:
        """Return the comparisons of each rule."""
        ends = [
            [(Term(cut.variable, True, cut.low), Term(cut.variable, False, cut.high)) for cut in self.cuts(number)]
            for number in range(len(self))
        ]
        return tuple(tuple(term for pair in own for term in pair if np.isfinite(term.cut)) for own in ends)

    def at(self, numbers: IndexArray) -> Rules:
        """Return some of the rules."""
        cuts = np.concatenate([np.arange(*self.starts[n : n + 2]) for n in numbers] or [np.empty(0, dtype=np.int64)])
        return Rules(
            starts=np.cumsum([0, *np.diff(self.starts)[numbers]]),
            **{name: getattr(self, name)[numbers] for name in _PER_RULE},
            **{name: getattr(self, name)[cuts] for name in ("variable", "low", "high", "has_low", "has_high")},
        )

    def words(self, number: int, names: Sequence[str]) -> str:
        """Return a rule as people write it, such as ``0.3 < var1 < 2.1, var2 < 1``."""
        return ", ".join(_words(cut, names[cut.variable]) for cut in self.cuts(number)) or "always"

    def hold(self, columns: Float32Array) -> Iterator[BoolArray]:
        """Yield for each rule the events of ``(n_variables, n_events)`` for which it holds."""
        passed: dict[Term, BoolArray] = {}  # many rules share a comparison
        for terms in self.terms:
            for term in terms:
                if term not in passed:
                    compare = np.greater if term.above else np.less
                    passed[term] = compare(columns[term.variable], np.float64(term.cut))
            if not terms:
                yield np.ones(columns.shape[1], dtype=bool)
            elif len(terms) == 1:
                yield passed[terms[0]]
            else:
                yield np.logical_and.reduce([passed[term] for term in terms])


def _words(cut: Cut, name: str) -> str:
    if cut.low == -np.inf:
        return f"{name} < {cut.high:.4g}" if cut.high < np.inf else f"any {name}"
    return f"{cut.low:.4g} < {name} < {cut.high:.4g}" if cut.high < np.inf else f"{name} > {cut.low:.4g}"


NO_RULES = Rules.of([])


@dataclass(frozen=True, eq=False)
class LinearTerms:
    """A term ``coefficient * norm * x`` for each variable, with x cut off at ``low`` and ``high``; not all are used."""

    used: BoolArray
    coefficient: FloatArray
    norm: FloatArray
    low: FloatArray
    high: FloatArray
    importance: FloatArray

    def __len__(self) -> int:
        return len(self.coefficient)


NO_LINEAR_TERMS = LinearTerms(np.empty(0, dtype=bool), *(np.empty(0) for _ in range(5)))


@dataclass(frozen=True, eq=False)
class RuleEnsemble:
    """What a weight file holds: the model ``offset + rules + linear terms``, and how it was made.

    ``average_support`` and ``average_sigma`` are those of the rules before unimportant ones were dropped;
    ``importance_cut`` is the least relative importance, ``quantile`` the share of events beyond the ends of linear
    terms.
    """

    model: Model
    rules: Rules
    linear: LinearTerms
    offset: float
    importance_cut: float
    quantile: float
    average_support: float
    average_sigma: float

    @property
    def active_rules(self) -> Rules:
        """Return the rules that count in the response."""
        return NO_RULES if self.model == Model.LINEAR else self.rules

    @property
    def active_linear(self) -> list[int]:
        """Return the variables whose linear terms count in the response."""
        return [] if self.model == Model.RULES else np.flatnonzero(self.linear.used).tolist()

    @cached_property
    def reference(self) -> float:
        """Return the largest importance of all rules and linear terms; 1 if there are none."""
        largest = float(max(self.rules.importance.max(initial=0.0), self.linear.importance.max(initial=0.0)))
        return largest or 1.0

    def variable_importance(self, n_variables: int) -> FloatArray:
        """Return the importance of the variables, in units of the largest."""
        total = np.zeros(n_variables)
        rules = self.active_rules
        for number in range(len(rules)):
            own = [cut.variable for cut in rules.cuts(number)]
            total[own] += rules.importance[number] / max(len(own), 1)
        for variable in self.active_linear:
            total[variable] += self.linear.importance[variable]
        largest = total.max(initial=0.0)
        return total / largest if largest > 0.0 else total
