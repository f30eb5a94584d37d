"""Foams seen along pairs of their dimensions, as TMVA's foam viewer shows them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.errors import InputError
from pytmva_bnn.methods.foam.tree import Foam, FoamKind
from pytmva_bnn.show.plots.canvas import canvas, colour_bar, label_axes, panels
from pytmva_bnn.show.plots.labels import text
from pytmva_bnn.show.plots.style import SEQUENTIAL

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure

MOST_PAIRS = 6
PANEL = (4.4, 3.7)
N_BINS = 200
_WORDS = {
    FoamKind.TARGET: "Mean target",
    FoamKind.EVENT: "Events per unit area",
    FoamKind.MULTI_TARGET: "Events per unit area",
}


def projection(foam: Foam, x: int, y: int, n_bins: int = N_BINS) -> FloatArray:
    """Return the foam over a grid (n_bins, n_bins) of two of its dimensions, NaN where nothing is known.

    Densities of events are integrated over the other dimensions; fractions and targets are averaged over them, every
    part of the range with the same weight and empty cells left out.
    """
    if x == y or not (0 <= x < foam.n_dimensions and 0 <= y < foam.n_dimensions):
        raise InputError(f"two different dimensions of {foam.n_dimensions} are needed, got {x} and {y}")
    centres = (np.arange(n_bins) + 0.5) / n_bins
    total, norm = np.zeros((n_bins, n_bins)), np.zeros((n_bins, n_bins))
    is_density = foam.kind in (FoamKind.EVENT, FoamKind.MULTI_TARGET)
    widths = foam.x_max - foam.x_min
    for cell in foam.active.tolist():
        value, error = foam.elements[cell]
        if foam.kind is FoamKind.TARGET and error == -1.0:
            continue
        low, size = foam.positions[cell], foam.sizes[cell]
        begin, end = (np.searchsorted(centres, edge) for edge in (low, low + size))
        place = slice(begin[x], end[x]), slice(begin[y], end[y])
        depth = foam.volumes[cell] / (size[x] * size[y])  # in the other dimensions
        total[place] += value / (size[x] * widths[x] * size[y] * widths[y]) if is_density else value * depth
        norm[place] += depth
    with np.errstate(divide="ignore", invalid="ignore"):
        return total if is_density else total / norm


def foam_map(
    foam: Foam, x: int = 0, y: int = 1, *, labels: Sequence[str] = (), title: str = "", ax: Axes | None = None
) -> Axes:
    """Draw a foam over two of its dimensions, by their numbers; the cells of one that has no others are outlined."""
    names = labels or foam.variable_names or [f"dimension {k}" for k in range(foam.n_dimensions)]
    values = projection(foam, x, y)
    edges = [np.linspace(foam.x_min[k], foam.x_max[k], len(values) + 1) for k in (x, y)]
    is_fraction = foam.kind in (FoamKind.DISCRIMINANT, FoamKind.DECISION_TREE)
    ends: dict[str, Any] = {"vmin": 0.0, "vmax": 1.0} if is_fraction else {}
    with canvas(ax, PANEL) as ax:
        image = ax.pcolormesh(*edges, values.T, cmap=SEQUENTIAL, rasterized=True, **ends)
        fraction = "Mean fraction" if foam.n_dimensions > 2 else "Fraction"
        of_class = "signal" if foam.name == "DiscrFoam" else f"class {foam.role}"
        colour_bar(ax, image, label=_WORDS.get(foam.kind, f"{fraction} of {of_class}"), pad=0.02)
        if foam.n_dimensions == 2:
            _outline(ax, foam, x, y)
        label_axes(ax, text(names[x]), text(names[y]))
        if title:
            ax.set_title(text(title), fontsize="small")
    return ax


def foam_maps(foam: Foam, *, labels: Sequence[str] = (), title: str = "", fig: Figure | SubFigure | None = None) -> Any:
    """Draw a foam over pairs of dimensions: those across which it is divided most often; returns the figure."""
    pairs = list(shown_pairs(foam))
    with panels(fig, len(pairs), size=PANEL) as (figure, axes):
        for ax, (x, y) in zip(axes, pairs, strict=True):
            foam_map(foam, x, y, labels=labels, ax=ax)
        if title:
            figure.suptitle(text(title))
    return figure


def shown_pairs(foam: Foam) -> Iterator[tuple[int, int]]:
    """Yield the pairs of dimensions to be drawn, those with most divisions first."""
    counts = foam.split_counts()
    pairs = sorted(combinations(range(foam.n_dimensions), 2), key=lambda pair: -int(counts[pair[0]] + counts[pair[1]]))
    yield from pairs[:MOST_PAIRS]


def _outline(ax: Axes, foam: Foam, x: int, y: int) -> None:
    """Draw the edges of the active cells."""
    from matplotlib.collections import PolyCollection  # heavy and optional

    low = foam.x_min + foam.positions[foam.active] * (foam.x_max - foam.x_min)
    high = low + foam.sizes[foam.active] * (foam.x_max - foam.x_min)
    corners = [[(a[x], a[y]), (b[x], a[y]), (b[x], b[y]), (a[x], b[y])] for a, b in zip(low, high, strict=True)]
    ax.add_collection(PolyCollection(corners, facecolors="none", edgecolors="white", linewidths=0.5))
