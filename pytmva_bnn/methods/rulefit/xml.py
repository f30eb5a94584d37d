"""The element <Weights> of RuleFit: rules with their cuts, then linear terms."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from pytmva_bnn.methods.rulefit.rules import LinearTerms, Model, RuleEnsemble, Rules
from pytmva_bnn.xmlio import reading as xml
from pytmva_bnn.xmlio import writing

if TYPE_CHECKING:
    from lxml.etree import _Element as Element
else:
    Element = Any

_HEAD = (
    ("ImportanceCut", "importance_cut"),
    ("LinQuantile", "quantile"),
    ("AverageSupport", "average_support"),
    ("AverageRuleSigma", "average_sigma"),
    ("Offset", "offset"),
)
_RULE = (
    ("Importance", "importance"),
    ("Ref", "reference"),
    ("Coeff", "coefficient"),
    ("Support", "support"),
    ("Sigma", "sigma"),
    ("Norm", "norm"),
    ("SSB", "purity"),
    ("SSBNeve", "weight"),
)
_LINEAR = (
    ("Coeff", "coefficient"),
    ("Norm", "norm"),
    ("DM", "low"),
    ("DP", "high"),
    ("Importance", "importance"),
)
_USED = frozenset({"Coeff", "Offset", "DM", "DP", "Min", "Max"})
"""What a response is made of, besides Norm of a linear term: it has to be finite."""
MODELS = tuple(Model)
_FLAGS = {"T": True, "F": False}


def read_weights(weights: Element, n_variables: int) -> RuleEnsemble:
    """Read rules and linear terms."""
    number = xml.count(weights, "LearningModel")
    if number >= len(MODELS):
        known = ", ".join(f"{n} ({name})" for n, name in enumerate(MODELS))
        xml.fail(weights, f"unknown LearningModel={number}; known: {known}")
    head = {field: _number(weights, name) for name, field in _HEAD}
    elements = list(xml.children(weights))
    announced = [("Rule", xml.count(weights, "NRules")), ("Linear", xml.count(weights, "NLinear"))]
    due = [name for name, n in announced for _ in range(n)]
    # TMVA: takes the elements by their position, whatever they are called
    if [element.tag for element in elements] != due:
        there = ", ".join(f"{sum(element.tag == name for element in elements)} of {name}" for name, _ in announced)
        wanted = " and then ".join(f"{n} elements <{name}>" for name, n in announced)
        xml.fail(weights, f"{wanted} are expected; there are {len(elements)}, {there}")
    n_rules = announced[0][1]
    rules = _read_rules(elements[:n_rules], n_variables)
    linear = _read_linear(elements[n_rules:])
    model = MODELS[number]
    if model is not Model.RULES and len(linear) != n_variables:
        xml.fail(weights, f"NLinear={len(linear)}, but there are {n_variables} variables")
    return RuleEnsemble(model, rules, linear, **head)


def _number(element: Element, name: str) -> float:
    return xml.number(element, name, finite=name in _USED or element.tag == "Linear")


def _read_rules(elements: list[Element], n_variables: int) -> Rules:
    columns: dict[str, list[float]] = {field: [] for _, field in _RULE}
    starts, cuts = [0], []
    for rule in elements:
        for name, field in _RULE:
            columns[field].append(_number(rule, name))
        own = list(xml.children(rule))
        if len(own) != xml.count(rule, "Nvars"):
            xml.fail(rule, f"Mismatch in number of cuts: Nvars={rule.get('Nvars')}, but {len(own)} are present")
        cuts += [_read_cut(cut, n_variables) for cut in own]
        starts.append(len(cuts))
    variable, low, high, has_low, has_high = zip(*cuts, strict=True) if cuts else ((),) * 5
    return Rules(
        **{field: np.array(values, dtype=np.float64) for field, values in columns.items()},
        starts=np.array(starts, dtype=np.int64),
        variable=np.array(variable, dtype=np.int64),
        low=np.array(low, dtype=np.float64),
        high=np.array(high, dtype=np.float64),
        has_low=np.array(has_low, dtype=bool),
        has_high=np.array(has_high, dtype=bool),
    )


def _read_cut(cut: Element, n_variables: int) -> tuple[int, float, float, bool, bool]:
    if cut.tag != "Cut":
        xml.fail(cut, "only elements <Cut> are expected in a <Rule>")
    variable = xml.count(cut, "Selector")
    if variable >= n_variables:
        xml.fail(cut, f"Selector={variable}, but there are {n_variables} variables, counted from 0")
    flags = []
    for name in ("DoMin", "DoMax"):
        text = xml.attribute(cut, name)
        if text not in _FLAGS:
            xml.fail(cut, f"{name}={text!r} must be T or F")
        flags.append(_FLAGS[text])
    return variable, _number(cut, "Min"), _number(cut, "Max"), flags[0], flags[1]


def _read_linear(elements: list[Element]) -> LinearTerms:
    columns = {field: np.array([_number(term, name) for term in elements]) for name, field in _LINEAR}
    used = [xml.count(term, "OK") != 0 for term in elements]
    for term, low, high in zip(elements, columns["low"], columns["high"], strict=True):
        if low > high:
            xml.fail(term, f"DM={low:g} is larger than DP={high:g}")
    return LinearTerms(used=np.array(used, dtype=bool), **columns)


def weights_lines(ensemble: RuleEnsemble) -> writing.Lines:
    """Yield the element <Weights>."""
    rules, linear = ensemble.rules, ensemble.linear
    head: list[tuple[str, object]] = [("NRules", len(rules)), ("NLinear", len(linear))]
    head += [("LearningModel", MODELS.index(ensemble.model))]
    head += [(name, _text(getattr(ensemble, field))) for name, field in _HEAD]
    return writing.element(1, "Weights", head, _parts(rules, linear))


def _parts(rules: Rules, linear: LinearTerms) -> Iterator[str]:
    for r in range(len(rules)):
        own = range(rules.starts[r], rules.starts[r + 1])
        attributes = [*((name, _text(getattr(rules, field)[r])) for name, field in _RULE), ("Nvars", len(own))]
        yield from writing.element(2, "Rule", attributes, (_cut_line(rules, k) for k in own))
    for v in range(len(linear)):
        numbers = ((name, _text(getattr(linear, field)[v])) for name, field in _LINEAR)
        yield writing.empty(2, "Linear", [("OK", int(linear.used[v])), *numbers])


def _cut_line(rules: Rules, k: int) -> str:
    flags = (("DoMin", rules.has_low[k]), ("DoMax", rules.has_high[k]))
    numbers = (("Min", _text(rules.low[k])), ("Max", _text(rules.high[k])))
    attributes = [("Selector", int(rules.variable[k])), *numbers, *((name, "FT"[int(flag)]) for name, flag in flags)]
    return writing.empty(3, "Cut", attributes)


def _text(value: float) -> str:
    return writing.number("%.16e", float(value))
