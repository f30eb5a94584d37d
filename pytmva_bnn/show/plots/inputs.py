"""The input variables: distributions, linear correlations, pairs of variables, events as lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.dataset.dataset import DataSet
from pytmva_bnn.errors import InputError
from pytmva_bnn.evaluation import Histogram1D, variable_histograms
from pytmva_bnn.histograms import Histogram2D
from pytmva_bnn.output.chains import transformed_training_events
from pytmva_bnn.show.plots.canvas import canvas, colour_bar, extent, label_axes, panels
from pytmva_bnn.show.plots.labels import axis_label, text, wrapped
from pytmva_bnn.show.plots.responses import superimposed
from pytmva_bnn.show.plots.style import DIVERGING, FAINT, PALETTE, SEQUENTIAL

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure

Distribution = tuple[str, Mapping[str, Histogram1D]]
"""The label of an axis with its unit, and the histograms of the classes."""


def variables(
    dataset: DataSet, transformation: str = "I", *, columns: int | None = None, fig: Figure | SubFigure | None = None
) -> Any:
    """Draw all variables (and targets) of the training events by class and return the figure.

    ``transformation`` is a chain in the syntax of VarTransform: ``"I"``, ``"G,D"``.
    """
    found = next(iter(transformed_training_events(dataset, transformation)), None)
    if found is None:
        raise InputError(f"{transformation!r} is not a chain of transformations; write e.g. 'I', 'N', 'G,D'")
    return distributions(distributions_of(dataset, *found), columns=columns, fig=fig)


def distributions_of(dataset: DataSet, chain: str, values: Any, targets: Any) -> list[Distribution]:
    """Return the histograms of variables and targets (n_events, n) of the training events after a chain."""
    records = (*dataset.variables, *dataset.targets)
    events = dataset.training
    rows = variable_histograms(
        np.column_stack([values, targets]),
        events.weights,
        events.class_index,
        len(dataset.class_names),
        [record.type.startswith("I") for record in records],
    )
    return [
        (axis_label(record, chain), dict(zip(dataset.class_names, row, strict=True)))
        for record, row in zip(records, rows, strict=True)
    ]


def distributions(
    made: Sequence[Distribution], *, columns: int | None = None, fig: Figure | SubFigure | None = None
) -> Any:
    """Draw histograms in panels, each with the label of its axis and the histograms of its classes by name."""
    with panels(fig, len(made), columns) as (figure, axes):
        for number, (ax, (label, histograms)) in enumerate(zip(axes, made, strict=True)):
            superimposed(histograms, xlabel=label, legend=number == 0 and len(histograms) > 1, ax=ax)
    return figure


MOST_CELLS = 60
WIDEST_NAME = 150.0
MOST_NUMBERS = 15
LARGEST_LINEAR_RATIO = 30.0


def correlations(dataset: DataSet, *, fig: Figure | SubFigure | None = None) -> Any:
    """Draw the linear correlation coefficients of the training events of each class and return the figure."""
    made = dataset.correlations
    if not made:
        raise InputError(f"{dataset.name} has no correlation matrices (CalcCorrelations=False)")
    names = [variable.title for variable in dataset.variables]
    with panels(fig, len(made), size=matrix_size(names), layout="compressed") as (figure, axes):
        for ax, (class_name, matrix) in zip(axes, made.items(), strict=True):
            correlation_matrix(matrix, names, title=class_name, ax=ax)
    return figure


def matrix_size(names: Sequence[str]) -> tuple[float, float]:
    """Return the size in inches of a matrix of these variables."""
    side = float(np.clip(2.2 + 0.5 * len(names), 3.6, 10.0))
    # about what a name takes beyond a short one, before it is wrapped
    longer = max(0.0, min(0.075 * max(map(len, names), default=0), WIDEST_NAME / 72.0) - 0.6)
    return round(side + 0.6 + longer, 2), round(side + (0.7 * longer if _rotated(names) else 0.0), 2)


def _rotated(names: Sequence[str]) -> bool:
    return len(names) > 4 or (len(names) > 2 and max(map(len, names)) > 7)


def correlation_matrix(matrix: ArrayLike, names: Sequence[str], *, title: str = "", ax: Axes | None = None) -> Axes:
    """Draw a matrix of coefficients between -1 and 1, in per cent."""
    rho = 100.0 * np.asarray(matrix, dtype=np.float64)
    n = len(names)
    if rho.shape != (n, n):
        raise InputError(f"{n} names for a matrix of shape {rho.shape}: give a square matrix and a name for each row")
    with canvas(ax, matrix_size(names), layout="compressed") as ax:
        image = ax.imshow(rho.T, origin="lower", cmap=DIVERGING, vmin=-100, vmax=100, aspect="equal")
        if n <= MOST_NUMBERS:
            for i, j in np.ndindex(rho.shape):
                dark = abs(rho[i, j]) > 60
                colour = "white" if dark else "black"
                size = "small" if n < 10 else "x-small"
                ax.text(i, j, f"{np.trunc(rho[i, j]) + 0.0:.0f}", ha="center", va="center", color=colour, fontsize=size)
        drawn = [wrapped(text(name), WIDEST_NAME, "small") for name in names]
        ax.set_yticks(range(n), drawn)
        if _rotated(names):
            ax.set_xticks(range(n), drawn, rotation=40, rotation_mode="anchor", ha="right")
        else:
            width = 0.7 * min(extent(ax)) / n  # of a cell
            ax.set_xticks(range(n), [wrapped(text(name), width, "small") for name in names])
        ax.tick_params(which="both", length=0)
        ax.tick_params(which="minor", bottom=False, left=False, top=False, right=False)
        ax.set_title(f"{title}: linear correlations [%]" if title else "Linear correlations [%]")
        colour_bar(ax, image, fraction=0.046, pad=0.03)
    return ax


@dataclass(frozen=True, eq=False)
class Pair:
    """Two variables of a class: their two-dimensional histogram, and the mean of y in bins of x with its error."""

    x_label: str
    y_label: str
    class_name: str
    scatter: Histogram2D
    centres: FloatArray
    means: FloatArray
    errors: FloatArray


def scatter(pair: Pair, *, ax: Axes | None = None) -> Axes:
    """Draw the events of a pair of variables as a density, and the profile of y on top."""
    with canvas(ax) as ax:
        colour_bar(ax, density(ax, pair.scatter), label="Events", pad=0.02)
        filled = pair.errors > 0
        ax.errorbar(
            pair.centres[filled],
            pair.means[filled],
            yerr=pair.errors[filled],
            fmt="o",
            ms=2.5,
            color=PALETTE[1],
            elinewidth=0.9,
            label="mean",
        )
        label_axes(ax, pair.x_label, pair.y_label)
        ax.set_title(text(pair.class_name), fontsize="small")
    return ax


def density(ax: Axes, histogram: Histogram2D, cmap: str = "Blues") -> Any:
    """Draw a two-dimensional histogram, empty cells being white; the scale is logarithmic if it needs to be."""
    import matplotlib as mpl  # heavy and optional
    from matplotlib.colors import LinearSegmentedColormap, LogNorm, Normalize

    values = _coarse(histogram.values.astype(np.float64))
    x = np.linspace(histogram.x.lower, histogram.x.upper, values.shape[0] + 1)
    y = np.linspace(histogram.y.lower, histogram.y.upper, values.shape[1] + 1)
    positive = values[values > 0]
    low, high = (float(positive.min()), float(positive.max())) if positive.size else (0.0, 1.0)
    norm = LogNorm(low, high) if high > LARGEST_LINEAR_RATIO * low > 0 else Normalize(0.0, high)
    # the lightest colours could be taken for empty cells
    colours = LinearSegmentedColormap.from_list(cmap, mpl.colormaps[cmap](np.linspace(0.22, 1.0, 128)))
    return ax.pcolormesh(x, y, np.where(values > 0, values, np.nan).T, cmap=colours, norm=norm, rasterized=True)


def _coarse(values: FloatArray) -> FloatArray:
    """Join cells until there are not too many to see."""
    for axis in (0, 1):
        group = next((g for g in (1, 2, 3, 4, 5, 6, 10) if values.shape[axis] / g <= MOST_CELLS), 10)
        if group > 1 and values.shape[axis] % group == 0:
            moved = np.moveaxis(values, axis, 0)
            moved = moved.reshape(-1, group, moved.shape[1]).sum(axis=1)
            values = np.moveaxis(moved, 0, axis)
    return values


MOST_LINES = 600


def parallel_coordinates(
    values: ArrayLike, names: Sequence[str], *, title: str = "", ends: ArrayLike | None = None, ax: Axes | None = None
) -> Axes:
    """Draw events (n_events, n_columns) as lines, coloured by the first column; at most 600, evenly chosen.

    ``ends`` (n_columns, 2) are the ranges of the columns, to compare several plots.
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
        ax.set(xlim=(-0.4, len(names) - 0.6), ylim=(-0.1, 1.1))
        room = 0.97 * extent(ax)[0] / len(names)
        ax.set_xticks(x, [wrapped(text(name), room, "small") for name in names], fontsize="small")
        ax.set_yticks([])
        ax.tick_params(which="both", length=0, left=False, right=False)
        for spine in ax.spines.values():
            spine.set_visible(False)
        ax.set_title(text(title))
    return ax
