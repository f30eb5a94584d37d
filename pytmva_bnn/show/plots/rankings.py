"""Which variables matter: a method's ranking, and how often trees cut on them, as bars."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from pytmva_bnn.errors import InputError
from pytmva_bnn.factory import MethodBase
from pytmva_bnn.methods.bdt.fitted import FittedBDT
from pytmva_bnn.methods.bdt.inspection import cuts_by_variable
from pytmva_bnn.methods.ranking import Ranking
from pytmva_bnn.model import Model
from pytmva_bnn.show.plots.canvas import canvas
from pytmva_bnn.show.plots.labels import text, wrapped
from pytmva_bnn.show.plots.style import PALETTE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WIDEST_NAME = 150.0
MOST_BARS = 40


def ranking(
    found: Ranking | Mapping[str, float],
    titles: Mapping[str, str] | None = None,
    *,
    title: str = "",
    ax: Axes | None = None,
) -> Axes:
    """Draw the ranking of the input variables, best first; ``titles`` by variable replace their names.

    >>> from pytmva_bnn.show import plots
    >>> ax = plots.ranking(method.ranking)  # doctest: +SKIP
    """
    if isinstance(found, Mapping):
        found = Ranking.of("Importance", list(found), found.values())
    if not isinstance(found, Ranking):
        raise InputError("there is no ranking to draw: only some methods have one, and only after training")
    names = [(titles or {}).get(name, name) for name, _ in found.entries]
    values = [value for _, value in found.entries]
    what = found.discriminator
    return bars(
        names,
        values,
        [f"{value:#.3g}" for value in values],
        xlabel=what,
        title=f"{what}: {text(title)}" if title else what,
        ax=ax,
    )


def cut_bars(
    forest: Model | MethodBase | FittedBDT, names: Sequence[str] = (), *, title: str = "", ax: Axes | None = None
) -> Axes:
    """Draw how much of the cuts of a forest each variable has; a model has ``names`` of its own.

    >>> from pytmva_bnn.show import plots
    >>> ax = plots.cut_bars(model)  # doctest: +SKIP
    """
    if isinstance(forest, MethodBase):
        forest = forest.model
    fitted = forest.fitted if isinstance(forest, Model) else forest
    if not isinstance(fitted, FittedBDT):
        raise InputError(f"cut_bars draws the cuts of a forest of decision trees (BDT), not {forest!r}")
    if isinstance(forest, Model):
        names, title = names or [one.title for one in forest.variables], title or forest.title
    found = cuts_by_variable(fitted, names)
    return bars(
        [one["variable"] for one in found],
        [100.0 * one["fraction"] for one in found],
        [f"{one['fraction']:.1%}, {one['cuts']} cuts" for one in found],
        xlabel="Share of all cuts, with the weights of the trees [%]",
        title=f"Cuts: {text(title)}" if title else "Cuts",
        ax=ax,
    )


def bars(
    names: Sequence[str],
    values: Sequence[float],
    remarks: Sequence[str],
    *,
    xlabel: str,
    title: str,
    ax: Axes | None = None,
) -> Axes:
    """Draw a horizontal bar for each name, the first at the top, with a remark at its right.

    Of very many only the first are drawn, which the title says.
    """
    n = min(len(names), MOST_BARS)
    if n < len(names):
        names, values, remarks, title = names[:n], values[:n], remarks[:n], f"{title} (first {n} of {len(names)})"
    lengths = np.nan_to_num(np.asarray(values, dtype=np.float64), posinf=0.0, neginf=0.0)
    with canvas(ax, (7.2, float(np.clip(1.5 + 0.36 * n, 2.6, 14.0)))) as ax:
        ax.barh(range(n), lengths, color=PALETTE[0], alpha=0.75, height=0.62)
        for place, words in enumerate(remarks):
            # beside the frame: next to the bars there may be no room for it
            ax.annotate(words, (1.02, place), xycoords=ax.get_yaxis_transform(), va="center", fontsize="small")
        ax.set_yticks(range(n), [wrapped(text(name), WIDEST_NAME, "small") for name in names])
        ax.tick_params(axis="y", which="both", left=False, right=False)
        low = float(lengths.min(initial=0.0))
        ax.set_xlim(1.08 * low, 1.08 * float(lengths.max(initial=0.0)) or 1.0)
        ax.set_ylim(n - 0.5, -0.5)
        ax.set(xlabel=xlabel, title=title)
    return ax
