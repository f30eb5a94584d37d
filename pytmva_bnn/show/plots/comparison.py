"""A panel below histograms that compares points with them, bin by bin: their ratio, or their difference in sigmas."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.errors import InputError
from pytmva_bnn.histograms import Histogram1D, normalised
from pytmva_bnn.show.plots.style import FAINT, PALETTE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Comparison = Literal["ratio", "pull"]
HEIGHTS = (3.2, 1.0)
MARKERS = "os^Dv"
SMALLEST_LIMITS = {"ratio": 0.5, "pull": 3.5}
LARGEST_LIMITS = {"ratio": 1.0, "pull": 8.0}
_CENTRES = {"ratio": 1.0, "pull": 0.0}
_LABELS = {"ratio": "Points / bars", "pull": "Pull [σ]"}


def compared(points: Histogram1D, bars: Histogram1D, kind: Comparison) -> tuple[FloatArray, FloatArray | None]:
    """Return the ratio of two histograms of unit area with its errors, or their difference in sigmas; NaN if empty.

    >>> from pytmva_bnn.histograms import fill_1d
    >>> one, other = (fill_1d([0.5] * n + [1.5] * 4, None, 2, 0.0, 2.0) for n in (4, 12))
    >>> [x.round(2).tolist() for x in compared(one, other, "ratio")]
    [[0.67, 2.0], [0.38, 1.41]]
    >>> compared(one, other, "pull")[0].round(2).tolist()
    [-0.76, 0.89]
    """
    if not np.array_equal(points.axis.all_edges, bars.axis.all_edges):
        raise InputError("histograms can be compared if their bins are the same")
    (p, variance_p), (b, variance_b) = (
        (h.values.astype(np.float64), h.squares[1:-1]) for h in map(normalised, (points, bars))
    )
    with np.errstate(all="ignore"):
        if kind == "pull":
            sigma = np.sqrt(variance_p + variance_b)
            return np.where(sigma > 0, (p - b) / sigma, np.nan), None
        ratio = np.where((b > 0) & (p > 0), p / b, np.nan)
        return ratio, ratio * np.sqrt(variance_p / p**2 + variance_b / b**2)


def panel_below(ax: Axes) -> Axes:
    """Divide the place of axes in a grid of subplots and return new axes in its lower part, with the same x axis."""
    place = ax.get_subplotspec()
    if place is None:
        raise InputError("a panel below needs axes in a grid of subplots, as made by plt.subplots()")
    parts = place.subgridspec(2, 1, height_ratios=HEIGHTS, hspace=0.05)
    ax.set_subplotspec(parts[0])
    figure: Any = ax.get_figure()  # not None: these axes have a place in one
    lower: Axes = figure.add_subplot(parts[1], sharex=ax)
    ax.tick_params(axis="x", which="both", labelbottom=False)
    return lower


def draw_comparison(
    ax: Axes, bars: Mapping[str, Histogram1D], points: Mapping[str, Histogram1D], kind: Comparison
) -> None:
    """Draw each histogram of points compared with that of the bars at the same place."""
    if kind not in _LABELS:
        raise InputError(f"compare must be 'ratio' or 'pull', got {kind!r}")
    if not points:
        raise InputError("there are no points to compare with the bars: draw the training events too")
    centre, largest = _CENTRES[kind], 0.0
    ax.axhline(centre, color=FAINT, lw=0.9, ls=(0, (5, 4)), zorder=1)
    for number, (one, other) in enumerate(zip(points.values(), bars.values(), strict=False)):
        values, errors = compared(one, other, kind)
        known = np.isfinite(values)
        # classes stand side by side in a bin
        x = one.centres + (number - 0.5 * (len(points) - 1)) * 0.25 * one.width
        colour = PALETTE[number % len(PALETTE)]
        bars_of = None if errors is None else errors[known]
        marker = MARKERS[number % len(MARKERS)]
        ax.errorbar(x[known], values[known], yerr=bars_of, fmt=marker, color=colour, elinewidth=0.8, ms=3.5, zorder=2)
        largest = max(largest, float(np.max(np.abs(values[known] - centre), initial=0.0)))
    half = float(np.clip(1.15 * largest, SMALLEST_LIMITS[kind], LARGEST_LIMITS[kind]))
    ax.set_ylim(centre - half, centre + half)
    ax.set_ylabel(_LABELS[kind], loc="center")
