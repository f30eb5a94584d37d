"""Sums of predictions in groups of events: what is expected in each bin, and how the errors are correlated."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.errors import InputError
from pytmva_bnn.show.plots.canvas import canvas, label_axes, leave_room, panels
from pytmva_bnn.show.plots.inputs import correlation_matrix
from pytmva_bnn.show.plots.labels import text, wrapped
from pytmva_bnn.show.plots.style import PALETTE
from pytmva_bnn.yields import PredictedSums

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure

SIZE = (5.2, 4.2)
MOST_TICKS = 12


def predicted_sums(
    sums: PredictedSums,
    observed: ArrayLike | None = None,
    *,
    xlabel: str = "",
    ylabel: str = "events",
    log: bool = False,
    fig: Figure | SubFigure | None = None,
) -> Any:
    """Draw sums with their errors and, beside them, the correlations between them; returns the figure.

    ``observed`` are numbers of events to compare with, in the form of ``sums.values``, drawn with counting errors.
    ``log``: on a logarithmic axis.  The first panel alone is :func:`sums_with_errors`.
    """
    with panels(fig, 2, size=SIZE) as (figure, axes):
        sums_with_errors(sums, observed, xlabel=xlabel, ylabel=ylabel, log=log, ax=axes[0])
        correlation_matrix(sums.correlation, sums.labels, ax=axes[1])
        axes[1].set_title("Correlations of the errors [%]")
    return figure


def sums_with_errors(
    sums: PredictedSums,
    observed: ArrayLike | None = None,
    *,
    xlabel: str = "",
    ylabel: str = "events",
    log: bool = False,
    ax: Axes | None = None,
) -> Axes:
    """Draw sums as steps with bands of one standard deviation, bins as wide as they are, other groups side by side."""
    counted = None if observed is None else np.asarray(observed, dtype=np.float64)
    if counted is not None and counted.shape != sums.values.shape:
        raise InputError(f"{sums.values.shape} observed numbers are needed, one for each sum, got {counted.shape}")
    edges = sums.edges
    n = len(sums.groups or sums.outputs)
    with canvas(ax) as ax:
        steps = np.arange(-0.5, n) if edges is None else edges
        several = bool(sums.groups and sums.outputs)
        for number, name in enumerate(sums.outputs if several else [""]):
            own: Any = (slice(None), number) if several else ...
            colour = PALETTE[number % len(PALETTE)]
            points = None if counted is None else counted[own]
            _draw(ax, steps, sums.values[own], sums.errors[own], points, f"{text(name)} " if name else "", colour)
        if edges is None:
            width = 0.9 * 72.0 * SIZE[0] / max(n, 1)
            names = [wrapped(text(label), width, "small") for label in sums.groups or sums.outputs]
            ax.set_xticks(range(n), names, rotation=40 if n > MOST_TICKS else 0)
            ax.tick_params(axis="x", which="minor", bottom=False, top=False)
        ax.set_xlim(steps[0], steps[-1])
        label_axes(ax, text(xlabel or sums.by), text(ylabel))
        if log:
            ax.set_yscale("log")
        elif (sums.values >= 0.0).all():
            tops = [sums.values + sums.errors] + ([] if counted is None else [counted + np.sqrt(counted)])
            leave_room(ax, len(ax.get_legend_handles_labels()[1]), top=float(np.max(tops, initial=0.0)))
        ax.legend()
    return ax


def _draw(
    ax: Axes,
    edges: FloatArray,
    values: FloatArray,
    errors: FloatArray,
    observed: FloatArray | None,
    name: str,
    colour: str,
) -> None:
    ax.stairs(values + errors, edges, baseline=values - errors, fill=True, color=colour, alpha=0.35, lw=0)
    ax.stairs(values, edges, baseline=None, color=colour, label=f"{name}predicted")
    if observed is not None:
        centres = 0.5 * (edges[1:] + edges[:-1])
        looks: dict[str, Any] = {"fmt": "o", "color": "black" if not name else colour, "mfc": "white" if name else None}
        ax.errorbar(centres, observed, np.sqrt(np.abs(observed)), label=f"{name}observed", **looks)
