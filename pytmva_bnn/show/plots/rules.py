"""What a RuleFit has learnt: its most important rules and linear terms, in words, as bars."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from pytmva_bnn.errors import InputError
from pytmva_bnn.methods.rulefit.fitted import FittedRuleFit
from pytmva_bnn.methods.rulefit.inspection import terms_by_importance
from pytmva_bnn.model import Model
from pytmva_bnn.show.plots.canvas import canvas
from pytmva_bnn.show.plots.labels import text, wrapped
from pytmva_bnn.show.plots.style import BACKGROUND, SIGNAL

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WIDEST_RULE = 260.0
MOST_BARS = 20


def rule_bars(
    method: Model | FittedRuleFit, inputs: Sequence[str] = (), *, title: str = "", ax: Axes | None = None
) -> Axes:
    """Draw the importance of the most important rules and linear terms, with their coefficients (slopes) beside.

    Bars of those that speak for signal have its colour: rules with a positive coefficient, linear terms that rise.
    ``inputs`` are the titles of the variables, which a model knows by itself.
    """
    fitted = method.fitted if isinstance(method, Model) else method
    if isinstance(method, Model):
        inputs, title = inputs or [variable.title for variable in method.variables], title or method.title
    if not isinstance(fitted, FittedRuleFit):
        raise InputError(f"{method!r} has no rules to draw; only RuleFit does")
    terms = terms_by_importance(fitted.ensemble, [text(name) for name in inputs])
    shown = terms[:MOST_BARS]
    n = len(shown)
    with canvas(ax, (7.8, float(np.clip(1.6 + 0.42 * n, 2.7, 12.0)))) as ax:
        colours = [SIGNAL if term["coefficient"] >= 0.0 else BACKGROUND for term in shown]
        ax.barh(range(n), [term["importance"] for term in shown], color=colours, alpha=0.75, height=0.62)
        for place, term in enumerate(shown):
            # beside the frame: next to the bars there may be no room for it
            words = f"{term['coefficient']:+.3g}"
            ax.annotate(words, (1.02, place), xycoords=ax.get_yaxis_transform(), va="center", fontsize="small")
        ax.set_yticks(range(n), [wrapped(term["term"], WIDEST_RULE, "small") for term in shown], fontsize="small")
        ax.tick_params(axis="y", which="both", left=False, right=False)
        ax.set_xlim(0.0, 1.05)
        ax.set_ylim(n - 0.5, -0.5)
        words = "Rules and linear terms" + (f": {text(title)}" if title else "")
        ax.set(xlabel="Importance", title=words + (f" (first {n} of {len(terms)})" if n < len(terms) else ""))
    return ax
