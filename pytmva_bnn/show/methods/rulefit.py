"""How RuleFit is shown: its rules and linear terms, by importance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from pytmva_bnn.methods.rulefit.fitted import FittedRuleFit
from pytmva_bnn.methods.rulefit.inspection import RULES_SHOWN, rules_by_importance
from pytmva_bnn.show.plots.content import Content, MethodContent, Numbers, drawings, tabulated
from pytmva_bnn.show.plots.plot import Plot
from pytmva_bnn.show.plots.rules import rule_bars


@tabulated.register
def _(fitted: FittedRuleFit, names: Sequence[str] = ()) -> Iterator[Numbers]:
    found = rules_by_importance(fitted.ensemble, names)
    rows: list[Sequence[object]] = [
        (
            one["rule"],
            f"{one['importance']:.3f}",
            f"{one['coefficient']:+.4f}",
            f"{one['support']:.1%}",
            f"{one['purity']:.1%}",
        )
        for one in found[:RULES_SHOWN]
    ]
    left = len(found) - RULES_SHOWN
    if left > 0:
        rows.append((f"and {left} more", None, None, None, None))
    if rows:
        yield Numbers(headings=("Rule", "Importance", "Coefficient", "Support", "Purity"), rows=rows)


@drawings.register
def _(fitted: FittedRuleFit, content: Content, m: MethodContent) -> Iterator[tuple[str, Plot]]:
    words = f"Rules and linear terms of {m.title} by importance: terms towards signal have the colour of signal"
    yield "Rules", Plot(f"rules_{m.title}", words, partial(rule_bars, fitted, content.input_names, title=m.title))
