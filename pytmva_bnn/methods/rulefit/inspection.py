"""What ``pytmva-bnn inspect`` shows of a RuleFit: rules and linear terms by their importance, and the variables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pytmva_bnn.errors import InputError
from pytmva_bnn.methods.answers import Inspection
from pytmva_bnn.methods.rulefit.rules import RuleEnsemble
from pytmva_bnn.weights import WeightFile

RULES_SHOWN = 20
_CONTENT = {
    "ModRuleLinear": "offset + rules that hold + linear terms",
    "ModRule": "offset + rules that hold",
    "ModLinear": "offset + linear terms",
}


def rules_by_importance(ensemble: RuleEnsemble, names: Sequence[str]) -> list[dict[str, Any]]:
    """Return what there is to say of each rule, the most important first."""
    order = np.argsort(-ensemble.active_rules.importance, kind="stable")
    return [_rule(ensemble, number, names) for number in order.tolist()]


def terms_by_importance(ensemble: RuleEnsemble, names: Sequence[str]) -> list[dict[str, Any]]:
    """Return rules and linear terms in words with importance and coefficient (slope), the most important first."""
    found = [{"term": term["rule"], **term} for term in rules_by_importance(ensemble, names)]
    found += [
        {"term": f"linear in {term['variable']}", "coefficient": term["slope"], **term}
        for term in _linear(ensemble, names)
    ]
    return sorted(found, key=lambda term: -term["importance"])


def describe(ensemble: RuleEnsemble) -> list[tuple[str, str]]:
    """Return the model in a few words."""
    return [
        ("response", f"{_CONTENT[ensemble.model]}; signal is positive"),
        ("offset", f"{ensemble.offset:.6g}"),
        ("rules", str(len(ensemble.active_rules))),
        ("linear terms", str(len(ensemble.active_linear))),
        ("average support of rules", f"{ensemble.average_support:.3g}"),
    ]


def inspection(ensemble: RuleEnsemble, headline: str, head: WeightFile) -> Inspection:
    """Return all of it, with the most important rules for people."""
    names = [variable.label for variable in head.variables]
    rules, lines = rules_by_importance(ensemble, names), _linear(ensemble, names)
    variables = dict(zip(names, ensemble.variable_importance(len(names)).tolist(), strict=True))
    rows = describe(ensemble)
    width = max(len(name) for name, _ in rows)
    sections = [("RuleFit", [f"  {name:<{width}}  {value}" for name, value in rows])]
    if rules:
        shown = [
            f"{n:4d}  {rule['importance']:10.3f}  {rule['coefficient']:+11.4f}  {rule['support']:7.1%}  "
            f"{rule['purity']:6.1%}  {rule['rule']}"
            for n, rule in enumerate(rules[:RULES_SHOWN])
        ]
        if len(rules) > RULES_SHOWN:
            shown.append(f"  and {len(rules) - RULES_SHOWN} less important ones: see --part or --json")
        title = "   #  importance  coefficient  support  purity  the response gets the coefficient where"
        sections.append(("Rules by importance", [title, *shown]))
    width = max(map(len, names))
    if lines:
        shown = [
            f"  {line['variable']:<{width}}  importance {line['importance']:.3f}  slope {line['slope']:+.4g} "
            f"from {line['low']:.4g} to {line['high']:.4g}"
            for line in lines
        ]
        sections.append(("Linear terms", shown))
    ranked = sorted(variables.items(), key=lambda pair: -pair[1])
    sections.append(("Importance of the variables", [f"  {name:<{width}}  {value:.3f}" for name, value in ranked]))
    data = {"offset": ensemble.offset, "rules": rules, "linear_terms": lines, "variable_importance": variables}
    return Inspection(headline, data, sections)


def rule_inspection(ensemble: RuleEnsemble, number: int, head: WeightFile) -> Inspection:
    """Return one rule; they are counted by importance."""
    rules = rules_by_importance(ensemble, [variable.label for variable in head.variables])
    if not 0 <= number < len(rules):
        known = f"rules are counted from 0 to {len(rules) - 1}" if rules else "it has no rules"
        raise InputError(f"{head.title}: there is no rule {number}; {known}")
    rule = rules[number]
    title = f"Rule {number} of {len(rules)}, by importance"
    class_ = "signal" if rule["coefficient"] > 0.0 else "background"
    lines = [
        f"  {rule['rule']}",
        f"  coefficient  {rule['coefficient']:+.6g}, speaks for {class_}",
        f"  importance   {rule['importance']:.3f} of the largest",
        f"  support      {rule['support']:.2%} of the training events, by weight",
        f"  purity       {rule['purity']:.2%} of them are signal",
    ]
    return Inspection(title, {"number": number, **rule}, [(title, lines)])


def _rule(ensemble: RuleEnsemble, number: int, names: Sequence[str]) -> dict[str, Any]:
    rules = ensemble.rules
    cuts = [
        {"variable": names[cut.variable]}
        | ({"min": cut.low} if np.isfinite(cut.low) else {})
        | ({"max": cut.high} if np.isfinite(cut.high) else {})
        for cut in rules.cuts(number)
    ]
    return {
        "rule": rules.words(number, names),
        "cuts": cuts,
        "importance": float(rules.importance[number]) / ensemble.reference,
        "coefficient": float(rules.coefficient[number]),
        "support": float(rules.support[number]),
        "purity": float(rules.purity[number]),
    }


def _linear(ensemble: RuleEnsemble, names: Sequence[str]) -> list[dict[str, Any]]:
    linear = ensemble.linear
    found = [
        {
            "variable": names[v],
            "importance": float(linear.importance[v]) / ensemble.reference,
            "slope": float(linear.coefficient[v] * linear.norm[v]),
            "low": float(linear.low[v]),
            "high": float(linear.high[v]),
        }
        for v in ensemble.active_linear
    ]
    return sorted(found, key=lambda term: -term["importance"])
