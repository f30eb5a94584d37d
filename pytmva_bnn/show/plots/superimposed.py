"""Distributions of several classes on top of each other: the picture behind most plots of TMVA."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.evaluation.histograms import Histogram1D, normalised
from pytmva_bnn.show.plots.canvas import canvas, label_axes, leave_room
from pytmva_bnn.show.plots.labels import text
from pytmva_bnn.show.plots.style import FAINT, HATCHES, LINES, PALETTE

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.patches import Patch

SMALLEST_FLOW = 0.05  # per cent


def superimposed(
    histograms: Mapping[str, Histogram1D],
    *,
    points: Mapping[str, Histogram1D] | None = None,
    xlabel: str = "",
    ylabel: str = "(1/N) dN/dx",
    title: str = "",
    x_range: tuple[float, float] | None = None,
    legend: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Draw histograms by name, each with area 1: the first filled, the second hatched, others as lines.

    ``points`` are drawn as points with error bars, in the colours of the histograms at the same place.

    >>> from pytmva_bnn.show import plots
    >>> ax = plots.superimposed({"muons": h1, "pions": h2}, xlabel="pt [GeV]")  # doctest: +SKIP
    """
    with canvas(ax) as ax:
        top = 0.0
        for number, (name, histogram) in enumerate(histograms.items()):
            h = normalised(histogram)
            _draw(ax, h, name, number)
            top = max(top, _largest(h.values))
        for number, (name, histogram) in enumerate((points or {}).items()):
            h = normalised(histogram)
            errors = np.sqrt(np.abs(h.values if h.sumw2 is None else h.sumw2[1:-1]))
            filled = h.values != 0
            ax.errorbar(
                h.centres[filled],
                h.values[filled],
                yerr=errors[filled],
                fmt="os^Dv"[number % 5],
                color=PALETTE[number % len(PALETTE)],
                markeredgecolor="black",
                markeredgewidth=0.6,
                ecolor="black",
                elinewidth=0.8,
                label=text(name),
                zorder=4,
            )
            top = max(top, _largest(h.values + errors))
        first = next(iter(histograms.values()))
        ax.set_xlim(*(x_range or (first.x_min, first.x_max)))
        label_axes(ax, xlabel, ylabel)
        ax.set_title(text(title))
        n_names = len(histograms) + len(points or {})
        columns = 2 if n_names > 1 else 1
        leave_room(ax, -(-n_names // columns) if legend else 0, top=top)
        if legend:
            handles = [*(_handle(k, name) for k, name in enumerate(histograms)), *_point_handles(ax)]
            ax.legend(handles=handles, loc="upper center", ncols=columns, columnspacing=1.4)
        _note_flow(ax, histograms)
    return ax


def _draw(ax: Axes, h: Histogram1D, name: str, number: int) -> None:
    colour = PALETTE[number % len(PALETTE)]
    hatch = HATCHES[number % len(HATCHES)]
    if number == 0:
        ax.stairs(h.values, h.edges, fill=True, color=colour, alpha=0.4, zorder=1)
    elif hatch:
        ax.stairs(h.values, h.edges, fill=True, facecolor="none", edgecolor=colour, hatch=hatch, lw=0.0, zorder=2)
    ax.stairs(
        h.values,
        h.edges,
        color=colour,
        linestyle=LINES[number % len(LINES)],
        lw=1.6,
        label=text(name),
        zorder=3,
    )


def _handle(number: int, name: str) -> Patch:
    from matplotlib.colors import to_rgb  # heavy and optional
    from matplotlib.patches import Patch

    colour, hatch = PALETTE[number % len(PALETTE)], HATCHES[number % len(HATCHES)]
    fill = (*to_rgb(colour), 0.4) if number == 0 else "none"
    style = LINES[number % len(LINES)]
    return Patch(facecolor=fill, edgecolor=colour, hatch=hatch, linestyle=style, linewidth=1.6, label=text(name))


def _point_handles(ax: Axes) -> list[Any]:
    from matplotlib.container import ErrorbarContainer  # heavy and optional

    return [container for container in ax.containers if isinstance(container, ErrorbarContainer)]


def _largest(values: NDArray[np.floating]) -> float:
    finite = values[np.isfinite(values)]
    return float(finite.max()) if finite.size else 0.0


def _note_flow(ax: Axes, histograms: Mapping[str, Histogram1D]) -> None:
    """Say along the right side what lies beyond the axis, if there is anything."""
    under, over = [], []
    for h in histograms.values():
        total = float(np.sum(h.contents, dtype=np.float64))
        share = 100.0 / total if total > 0 else 0.0
        under.append(abs(float(h.contents[0]) * share))
        over.append(abs(float(h.contents[-1]) * share))
    if max(*under, *over, 0.0) < SMALLEST_FLOW:
        return
    words = " / ".join("(" + ", ".join(f"{x:.1f}" for x in side) + ")%" for side in (under, over))
    ax.annotate(
        f"U/O-flow: {words}",
        (1.0, 0.5),
        xycoords="axes fraction",
        xytext=(4, 0),
        textcoords="offset points",
        rotation=90,
        va="center",
        fontsize="x-small",
        color=FAINT,
    )
