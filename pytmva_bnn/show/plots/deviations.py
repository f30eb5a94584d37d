"""Regression: how far the response is from the target."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.errors import InputError
from pytmva_bnn.evaluation import Histogram1D, Histogram2D, RegressionResult
from pytmva_bnn.events.variables import VariableRecord
from pytmva_bnn.show.plots.canvas import canvas, colour_bar, label_axes, panels
from pytmva_bnn.show.plots.checks import check_result
from pytmva_bnn.show.plots.inputs import density
from pytmva_bnn.show.plots.labels import axis_label, text
from pytmva_bnn.show.plots.style import INK, PALETTE

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure

SIZE = (4.4, 3.5)
LEAST_EVENTS = 8


Squares = tuple[Histogram1D, Histogram1D, Histogram1D, Histogram1D]
"""Squared deviations: training, training best 90%, test, test best 90%."""


@dataclass(frozen=True, eq=False)
class DeviationPlot:
    """The deviation of one target against a variable or target; labels have units."""

    x_label: str
    y_label: str
    histogram: Histogram2D


def deviations(
    result: RegressionResult,
    variables: Sequence[VariableRecord] = (),
    targets: Sequence[VariableRecord] = (),
    *,
    against: Literal["targets", "variables"] = "targets",
    sample: Literal["test", "training"] = "test",
    fig: Figure | SubFigure | None = None,
) -> Any:
    """Draw the deviations against the true targets or the variables and return the figure.

    ``variables`` and ``targets`` (as a model or data set has them) give the axes their labels.
    """
    result = check_result(result, RegressionResult, "deviations")
    made = deviation_plots(result, variables, targets, against=against, sample=sample)
    return deviation_panels(made, title=f"{result.title}, {sample} events", fig=fig)


def deviation_plots(
    result: RegressionResult,
    variables: Sequence[VariableRecord],
    targets: Sequence[VariableRecord],
    *,
    against: Literal["targets", "variables"],
    sample: Literal["test", "training"],
) -> list[DeviationPlot]:
    """Return the histograms of a result with labels, target by target."""
    histograms = result.test_histograms if sample == "test" else result.training_histograms
    rows = histograms.targets if against == "targets" else histograms.variables
    records = targets if against == "targets" else variables
    made = []
    for i, row in enumerate(rows):
        for j, histogram in enumerate(row):
            x = axis_label(records[i]) if i < len(records) else f"{against[:-1]} {i}"
            y = text(targets[j].title) if j < len(targets) else f"target {j}"
            unit = f" [{text(targets[j].unit)}]" if j < len(targets) and targets[j].unit else ""
            made.append(DeviationPlot(x, f"{y}: response − truth{unit}", histogram))
    return made


def deviation_panels(made: Sequence[DeviationPlot], *, title: str = "", fig: Figure | SubFigure | None = None) -> Any:
    """Draw two-dimensional histograms of deviations in panels and return the figure."""
    with panels(fig, len(made), size=SIZE) as (figure, axes):
        for ax, one in zip(axes, made, strict=True):
            deviation(one, ax=ax)
        figure.suptitle(text(title), x=0.02, ha="left", fontsize="medium")
    return figure


def deviation(plot: DeviationPlot, *, ax: Axes | None = None) -> Axes:
    """Draw one histogram of deviations with a line at 0 and the median (and the central 68%) in bins of x."""
    h = plot.histogram
    with canvas(ax, SIZE) as ax:
        image = density(ax, h)
        ax.axhline(0.0, color=INK, lw=1.0, ls=(0, (5, 4)))
        x, low, middle, high = _bands(h)
        ax.plot(x, middle, color=PALETTE[1], lw=1.5, label="median")
        ax.plot(x, low, color=PALETTE[1], lw=0.9, ls=":", label="central 68%")
        ax.plot(x, high, color=PALETTE[1], lw=0.9, ls=":")
        label_axes(ax, plot.x_label, plot.y_label)
        ax.set_ylim(h.y.lower, h.y.upper + 0.16 * (h.y.upper - h.y.lower))
        ax.legend(loc="upper left", ncols=2, fontsize="x-small")
        colour_bar(ax, image, label="Events", pad=0.02)
    return ax


def _bands(h: Histogram2D) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    values = h.values.astype(np.float64)
    found = np.full((len(values), 3), np.nan)
    for i, row in enumerate(values):
        if row.sum() >= LEAST_EVENTS:
            shares = np.concatenate([[0.0], np.cumsum(row)]) / row.sum()
            found[i] = np.interp([0.16, 0.5, 0.84], shares, h.y.all_edges)
    return h.x.centres, found[:, 0], found[:, 1], found[:, 2]


def average_deviations(
    squares: Mapping[str, Squares] | RegressionResult,
    *,
    target: int = 0,
    ylabel: str = "√ mean squared deviation",
    ax: Axes | None = None,
) -> Axes:
    """Draw √(mean of d²) of training and test events, of all and of the best 90%, for each method.

    Give a result, or by title the histograms of d²: training, training best 90%, test, test best 90%.
    """
    if not isinstance(squares, Mapping):
        squares = check_result(squares, RegressionResult, "average_deviations")
        squares = {squares.title: squares_of(squares, target)}
    names = ("training", "training, best 90%", "test", "test, best 90%")
    looks = (("o", PALETTE[0], True), ("o", PALETTE[0], False), ("s", PALETTE[1], True), ("s", PALETTE[1], False))
    with canvas(ax, (4.2 + 0.8 * len(squares), 4.0)) as ax:
        points = {title: [_root_mean(h) for h in row] for title, row in squares.items()}
        for k, (name, (marker, colour, full)) in enumerate(zip(names, looks, strict=True)):
            x = np.arange(len(points)) + (k - 1.5) * 0.12
            y = np.array([row[k] for row in points.values()])
            fill = colour if full else "white"
            ax.errorbar(x, y[:, 0], y[:, 1], fmt=marker, color=colour, mfc=fill, ms=7, label=name)
        values = [value for row in points.values() for value, _ in row if value > 0]
        if values and max(values) / min(values) > 10**1.5:
            ax.set_yscale("log")
        else:
            ax.set_ylim(0.0, 1.25 * max(values, default=1.0))
        ax.set_xlim(-0.5, len(points) - 0.5)
        ax.set_xticks(range(len(points)), [text(title) for title in points])
        ax.tick_params(axis="x", which="minor", bottom=False, top=False)
        ax.set_ylabel(ylabel)
        ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.09), ncols=2)
    return ax


def squares_of(result: RegressionResult, target: int = 0) -> Squares:
    """Return the histograms of squared deviations of training (all, best 90%) and test events (all, best 90%)."""
    train, test = result.training_histograms, result.test_histograms
    n = len(test.squares)
    if not 0 <= target < n:
        raise InputError(
            f"there is no target {target}: {result.title} has {n}, give target=0" + (f" to {n - 1}" if n > 1 else "")
        )
    return train.squares[target], train.best_squares[target], test.squares[target], test.best_squares[target]


def _root_mean(h: Histogram1D) -> tuple[float, float]:
    """Return √mean and its error, from the sums of filling."""
    total, _, first, second = h.statistics
    mean = first / total if total > 0 else 0.0
    if mean <= 0 or h.entries <= 0:
        return 0.0, 0.0
    rms = np.sqrt(max(second / total - mean * mean, 0.0))
    return float(np.sqrt(mean)), float(rms / (2.0 * np.sqrt(mean) * np.sqrt(h.entries)))
