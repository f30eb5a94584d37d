"""Rules and linear terms in ONNX: comparisons, and sums in the order of ``predict``."""

from __future__ import annotations

from functools import reduce

from pytmva_bnn.methods.rulefit.rules import RuleEnsemble, Term
from pytmva_bnn.onnxio.graph import Graph


def onnx_response(graph: Graph, ensemble: RuleEnsemble, x: str) -> str:
    """Append the response to events ``x`` (n_events, n_variables) in float64; return its name."""
    rules, linear = ensemble.active_rules, ensemble.linear
    columns: dict[int, str] = {}
    passed: dict[Term, str] = {}

    def column(v: int) -> str:
        if v not in columns:
            columns[v] = graph.column(x, v)
        return columns[v]

    total = graph.op("Mul", graph.ones(x), graph.constant(ensemble.offset))
    for coefficient, terms in zip(rules.coefficient.tolist(), rules.terms, strict=True):
        for term in terms:
            if term not in passed:
                kind = "Greater" if term.above else "Less"
                passed[term] = graph.op(kind, column(term.variable), graph.constant(term.cut))
        if not terms:
            total = graph.op("Add", total, graph.constant(coefficient))
            continue
        holds = reduce(lambda a, b: graph.op("And", a, b), [passed[term] for term in terms])
        addend = graph.op("Where", holds, graph.constant(coefficient), graph.constant(0.0))
        total = graph.op("Add", total, addend)
    lines = ""
    for v in ensemble.active_linear:
        cut_off = graph.op("Max", column(v), graph.constant(linear.low[v]))
        cut_off = graph.op("Min", cut_off, graph.constant(linear.high[v]))
        addend = graph.op("Mul", cut_off, graph.constant(linear.coefficient[v]))
        addend = graph.op("Mul", addend, graph.constant(linear.norm[v]))
        lines = graph.op("Add", lines, addend) if lines else addend
    return graph.op("Add", total, lines) if lines else total
