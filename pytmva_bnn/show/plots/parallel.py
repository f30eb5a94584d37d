"""Parallel coordinates: each event is a line through the response and all variables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from pytmva_bnn.errors import InputError
from pytmva_bnn.show.plots.canvas import canvas, extent
from pytmva_bnn.show.plots.labels import text, wrapped
from pytmva_bnn.show.plots.style import FAINT, SEQUENTIAL

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_LINES = 600


def parallel_coordinates(
    values: ArrayLike, names: Sequence[str], *, title: str = "", ends: ArrayLike | None = None, ax: Axes | None = None
) -> Axes:
    """Draw events (n_events, n_columns) as lines, coloured by the first column; at most 600, evenly chosen.

    ``ends`` (n_columns, 2) are the ranges of the columns, to compare several plots.

    >>> from pytmva_bnn.show import plots
    >>> ax = plots.parallel_coordinates(np.column_stack([response, x]), ["MLP", "pt", "ht"])  # doctest: +SKIP
    """
    events = np.asarray(values, dtype=np.float64)
    if events.ndim != 2 or events.shape[1] != len(names) or len(names) < 2:
        raise InputError(f"{len(names)} names for events of shape {events.shape}; at least two columns are needed")
    events = events[np.isfinite(events).all(axis=1)]
    if len(events) == 0:
        raise InputError("there are no events to draw")
    low, high = np.asarray(ends, dtype=np.float64).T if ends is not None else (events.min(axis=0), events.max(axis=0))
    width = np.where(high > low, high - low, 1.0)
    chosen = np.unique(np.linspace(0, len(events) - 1, min(MOST_LINES, len(events))).astype(int))
    scaled = (events[chosen] - low) / width
    with canvas(ax, (max(5.0, 1.35 * len(names) + 1.2), 3.9)) as ax:
        from matplotlib.collections import LineCollection  # heavy and optional

        x = np.arange(len(names))
        lines = LineCollection(
            [np.column_stack([x, row]) for row in scaled],
            array=events[chosen, 0],
            cmap=SEQUENTIAL,
            lw=0.5,
            alpha=min(1.0, 0.15 + 60.0 / len(chosen)),
            rasterized=True,
        )
        lines.set_clim(low[0], high[0])
        ax.add_collection(lines)
        for k in range(len(names)):
            ax.axvline(k, color=FAINT, lw=0.9)
            ax.annotate(f"{high[k]:.3g}", (k, 1.02), ha="center", va="bottom", fontsize="x-small")
            ax.annotate(f"{low[k]:.3g}", (k, -0.02), ha="center", va="top", fontsize="x-small")
        ax.set_xlim(-0.4, len(names) - 0.6)
        ax.set_ylim(-0.1, 1.1)
        room = 0.97 * extent(ax)[0] / len(names)
        ax.set_xticks(x, [wrapped(text(name), room, "small") for name in names], fontsize="small")
        ax.set_yticks([])
        ax.tick_params(which="both", length=0, left=False, right=False)
        for spine in ax.spines.values():
            spine.set_visible(False)
        ax.set_title(text(title))
    return ax
