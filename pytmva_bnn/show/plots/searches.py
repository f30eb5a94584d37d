"""The scores of a search for the best options."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from pytmva_bnn.errors import InputError
from pytmva_bnn.show.plots.canvas import canvas
from pytmva_bnn.show.plots.labels import text, wrapped
from pytmva_bnn.show.plots.style import FAINT, PALETTE
from pytmva_bnn.tuning import SearchResult

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_TRIALS = 40
WIDEST_CHOICE = 220.0


def search_scores(found: SearchResult, *, title: str = "", ax: Axes | None = None) -> Axes:
    """Draw the score of each trial of a search, best first, with the error of its mean over the folds.

    >>> from pytmva_bnn.show import plots
    >>> ax = plots.search_scores(TMVA.search(loader, {"NTrees": [100, 400]}, "BDT"))  # doctest: +SKIP
    """
    if not isinstance(found, SearchResult):
        raise InputError(f"search_scores draws what TMVA.search gives, not {found!r}")
    trials = [one for one in found if math.isfinite(one.score)]
    shown, title = trials[:MOST_TRIALS], title or f"Search: {found.method}"
    n = len(shown)
    if n < len(found):
        title += f" ({n} of {len(found)} trials)"
    with canvas(ax, (7.2, float(np.clip(1.5 + 0.36 * n, 2.6, 14.0)))) as ax:
        for place, one in enumerate(shown):
            # fewer training events: fainter, since such scores are not to be compared with the others
            colour = PALETTE[0] if one.n_events == found.best.n_events else FAINT
            spread = 0.0 if math.isnan(one.spread) else one.spread
            ax.errorbar(one.score, place, xerr=spread, color=colour, marker="o", ms=6, mec="black", mew=0.6, capsize=2)
        ax.plot([found.best.score], [0], "*", color=PALETTE[2], mec="black", mew=0.7, ms=15, label="best")
        if any(one.n_events < found.best.n_events for one in shown):
            ax.plot([], [], "o", color=FAINT, mec="black", mew=0.6, label="fewer training events")
        ax.legend(loc="lower right")
        names = [", ".join(f"{name}={value}" for name, value in one.choice.items()) for one in shown]
        ax.set_yticks(range(n), [wrapped(text(name), WIDEST_CHOICE, "small") for name in names])
        ax.tick_params(axis="y", which="both", left=False, right=False)
        ax.set_ylim(n - 0.5, -0.5)
        ax.margins(x=0.08)
        ax.set(xlabel=found.score_name, title=title)
    return ax
