"""The response in a plane of two variables, and its relative error beside it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.errors import InputError
from pytmva_bnn.events.columns import Columns
from pytmva_bnn.model import Model
from pytmva_bnn.show.plots.along import response_label
from pytmva_bnn.show.plots.canvas import colour_bar, extent, label_axes, panels
from pytmva_bnn.show.plots.grids import checked_range, described, events_at, fixed_values
from pytmva_bnn.show.plots.labels import axis_label, find_variable
from pytmva_bnn.show.plots.style import ERRORS, SEQUENTIAL
from pytmva_bnn.tmva_types import AnalysisType

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure

SIZE = (5.0, 4.1)
LARGEST_RELATIVE = 1.0
SMOOTHINGS = 3


def probability_map(
    model: Model,
    x_variable: str,
    y_variable: str,
    x: tuple[float, float] | None = None,
    y: tuple[float, float] | None = None,
    *,
    at: Mapping[str, float] | None = None,
    events: Any = None,
    n: tuple[int, int] = (100, 100),
    output: int = 0,
    fig: Figure | SubFigure | None = None,
) -> Any:
    """Draw P(x, y) and, if the model has errors, the map of σ/P beside it; returns the figure.

    ``x`` and ``y`` are ranges (those of training if not given), other variables have the values ``at``.  Lines show
    where ``events`` are, in any form that predictions take: they enclose 68% and 95% of them.

    >>> from pytmva_bnn.show import plots
    >>> fig = plots.probability_map(model, "pt", "ht", x=(10, 50), y=(20, 300))  # doctest: +SKIP
    """
    i, j = find_variable(model.variables, x_variable), find_variable(model.variables, y_variable)
    if i == j:
        raise InputError(f"a map needs two different variables, {x_variable!r} was given twice")
    edges = [np.linspace(*checked_range(model.variables[k], r), m + 1) for k, r, m in ((i, x, n[0]), (j, y, n[1]))]
    centres = [0.5 * (e[1:] + e[:-1]) for e in edges]
    u, v = np.meshgrid(*centres, indexing="ij")
    fixed = fixed_values(model.variables, [i, j], at)
    value, relative = _values(model, events_at({i: u.ravel(), j: v.ravel()}, fixed), output)
    shown = None if events is None else _pairs(events, model, i, j)
    with panels(fig, 1 if relative is None else 2, size=SIZE) as (figure, axes):
        label = response_label(model, output)
        _draw(axes[0], edges, value.reshape(u.shape), SEQUENTIAL, label)
        if relative is not None:
            top = float(np.nanmin([LARGEST_RELATIVE, np.nanmax(relative)]))
            _draw(axes[1], edges, relative.reshape(u.shape), ERRORS, _relative_label(model), (0.0, top))
        for ax in axes:
            label_axes(ax, axis_label(model.variables[i]), axis_label(model.variables[j]))
            if shown is not None:
                _outline(ax, *shown, edges)
        remarks = ["lines: 68% and 95% of the events"] if shown is not None else []
        # the words stand above both maps
        width = sum(extent(ax)[0] for ax in axes)
        axes[0].set_title(described(model.variables, fixed, width, remarks), fontsize="small")
    return figure


def _relative_label(model: Model) -> str:
    is_probability = model.analysis_type != AnalysisType.REGRESSION and model.network.output == "sigmoid"
    return f"Relative error σ / {'P' if is_probability else '|response|'}"


def _values(model: Model, grid: FloatArray, output: int) -> tuple[FloatArray, FloatArray | None]:
    column: Any = ... if model.analysis_type == AnalysisType.CLASSIFICATION else (slice(None), output)
    if not model.has_errors:
        return np.asarray(model.predict(grid)[column], dtype=np.float64), None
    found = model.predict(grid, errors=True)
    value = np.asarray(found.value[column], dtype=np.float64)
    with np.errstate(all="ignore"):
        relative = 0.5 * (found.lower[column] + found.upper[column]) / np.abs(value)
    return value, np.asarray(relative)


def _draw(
    ax: Axes,
    edges: list[FloatArray],
    values: FloatArray,
    cmap: str,
    label: str,
    ends: tuple[float, float] | None = None,
) -> None:
    low, high = ends or (float(np.nanmin(values)), float(np.nanmax(values)))
    image = ax.pcolormesh(*edges, values.T, cmap=cmap, vmin=low, vmax=high, rasterized=True)
    extend = "max" if ends and np.nanmax(values) > high * (1 + 1e-9) else "neither"
    colour_bar(ax, image, label=label, pad=0.02, extend=extend)
    centres = [0.5 * (e[1:] + e[:-1]) for e in edges]
    if high > low:
        from matplotlib.ticker import MaxNLocator  # heavy and optional

        # within the colours' range: values far beyond it would leave no line where the events are
        inside = [level for level in MaxNLocator(6).tick_values(low, high) if low < level < high]
        lines = ax.contour(*centres, values.T, colors="white", linewidths=0.7, levels=inside, alpha=0.8)
        ax.clabel(lines, fontsize="x-small", fmt="%.2g")
    ax.minorticks_on()


def _pairs(events: Any, model: Model, i: int, j: int) -> tuple[FloatArray, FloatArray]:
    columns = Columns(events, model.variables)
    block = columns.block(0, columns.n_events).astype(np.float64)
    return block[:, i], block[:, j]


def _outline(ax: Axes, x: FloatArray, y: FloatArray, edges: list[FloatArray]) -> None:
    """Draw the lines that enclose 68% and 95% of the events in the picture."""
    coarse = [np.linspace(e[0], e[-1], 31) for e in edges]
    counts, *_ = np.histogram2d(x, y, bins=coarse)
    if counts.sum() == 0:
        return
    smooth = counts.astype(np.float64)
    for _ in range(SMOOTHINGS):
        smooth = _smoothed(_smoothed(smooth).T).T
    ordered = np.sort(smooth.ravel())[::-1]
    shares = np.cumsum(ordered) / ordered.sum()
    places = np.minimum(np.searchsorted(shares, [0.954, 0.683]), len(ordered) - 1)
    levels = ordered[places].tolist()
    if levels[0] < levels[1]:
        centres = [0.5 * (e[1:] + e[:-1]) for e in coarse]
        ax.contour(*centres, smooth.T, levels=levels, colors="black", linewidths=1.1, linestyles=["dotted", "solid"])
    ax.set_xlim(edges[0][0], edges[0][-1])
    ax.set_ylim(edges[1][0], edges[1][-1])


def _smoothed(values: FloatArray) -> FloatArray:
    """Average each row with its neighbours, 1 : 2 : 1."""
    padded = np.pad(values, ((1, 1), (0, 0)), mode="edge")
    return 0.25 * padded[:-2] + 0.5 * padded[1:-1] + 0.25 * padded[2:]
