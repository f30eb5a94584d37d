"""The response of rules and linear terms, by numpy or by compiled code with the same bits."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import Float32Array, FloatArray
from pytmva_bnn.fast.threads import in_parts
from pytmva_bnn.methods.rulefit.rules import RuleEnsemble, Term
from pytmva_bnn.reductions.summation import blocks


def responses(ensemble: RuleEnsemble, x: Float32Array) -> FloatArray:
    """Return the responses to events ``(n_events, n_variables)``, term by term in the order of the file."""
    rules, linear = ensemble.active_rules, ensemble.linear
    y = np.empty(len(x))
    for block in blocks(len(x)):
        columns = np.ascontiguousarray(x[block].T)
        total = np.full(columns.shape[1], ensemble.offset)
        term = np.empty_like(total)
        for coefficient, holds in zip(rules.coefficient.tolist(), rules.hold(columns), strict=True):
            total += np.multiply(holds, coefficient, out=term)
        lines = np.zeros_like(total)
        for v in ensemble.active_linear:
            np.clip(columns[v].astype(np.float64), linear.low[v], linear.high[v], out=term)
            term *= linear.coefficient[v]
            term *= linear.norm[v]
            lines += term
        y[block] = total + lines if ensemble.active_linear else total
    return y


def float32_bound(term: Term) -> tuple[int, np.float32]:
    """Return the comparison as ``column > bound`` in float32: the columns of -x stand behind those of x as -1 - i."""
    bound = term.cut if term.above else -term.cut
    with np.errstate(over="ignore"):
        nearest = np.float32(bound)
    if float(nearest) > bound:  # the largest float32 that is not above it
        nearest = np.nextafter(nearest, np.float32(-np.inf))
    return (term.variable if term.above else -1 - term.variable), nearest


@dataclass(frozen=True, eq=False)
class CompiledRules:
    """Rules and linear terms as :mod:`.response_kernels` wants them: comparisons, and which of them make a rule."""

    columns: NDArray[np.int64]
    bounds: Float32Array
    starts: NDArray[np.int64]
    terms: NDArray[np.int64]
    coefficients: FloatArray
    linear: NDArray[np.int64]
    line_numbers: FloatArray
    offset: float

    @classmethod
    def of(cls, ensemble: RuleEnsemble) -> CompiledRules:
        """Return the numbers of a model."""
        rules, lines, linear = ensemble.active_rules, ensemble.active_linear, ensemble.linear
        distinct: dict[Term, int] = {}
        numbers = [[distinct.setdefault(term, len(distinct)) for term in terms] for terms in rules.terms]
        bounds = [float32_bound(term) for term in distinct]
        return cls(
            np.array([column for column, _ in bounds], dtype=np.int64),
            np.array([bound for _, bound in bounds], dtype=np.float32),
            np.cumsum([0, *map(len, numbers)]),
            np.array([number for own in numbers for number in own], dtype=np.int64),
            rules.coefficient,
            np.array(lines, dtype=np.int64),
            np.stack([linear.low, linear.high, linear.coefficient, linear.norm], axis=1)[lines].reshape(-1, 4),
            ensemble.offset,
        )

    def responses(self, x: Float32Array) -> FloatArray:
        """Return the responses to events ``(n_events, n_variables)``."""
        from pytmva_bnn.methods.rulefit import response_kernels  # lazy: numba

        x = np.ascontiguousarray(x)
        y = np.empty(len(x))
        work = len(self.terms) + len(self.coefficients) + 4 * len(self.linear)

        def do(start: int, stop: int) -> None:
            response_kernels.respond(
                x[start:stop], self.columns, self.bounds, self.starts, self.terms, self.coefficients, self.linear,
                self.line_numbers, self.offset, y[start:stop],
            )  # fmt: skip

        in_parts(do, len(x), response_kernels.BLOCK, 0.25 * len(x) * work)
        return y
