"""The response along one variable, with its error band."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.errors import InputError
from pytmva_bnn.model import Model
from pytmva_bnn.show.plots.canvas import canvas, extent, label_axes, legend_below
from pytmva_bnn.show.plots.grids import checked_range, described, events_at, fixed_values, training_range
from pytmva_bnn.show.plots.labels import axis_label, find_variable, text
from pytmva_bnn.show.plots.style import FAINT, PALETTE
from pytmva_bnn.tmva_types import AnalysisType

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LEVELS = (0.683, 0.954)
MOST_CURVES = 6
SMALLEST_SHARE = 0.01


def response_along(
    model: Model,
    variable: str,
    at: Mapping[str, float | Sequence[float]] | None = None,
    range: tuple[float, float] | None = None,  # noqa: A002 - the word of matplotlib and numpy
    *,
    levels: Sequence[float] = LEVELS,
    output: int = 0,
    n_points: int = 200,
    ax: Axes | None = None,
) -> Axes:
    """Draw the response as a function of one variable, with bands that hold ``levels`` of its distribution.

    Other variables have the values ``at``, or are in the middle of their training range; several values of one give
    several curves, each with the narrowest band only.  Beyond the training range the background is grey: there the
    network extrapolates.

    >>> from pytmva_bnn.show import plots
    >>> ax = plots.response_along(model, "pt", at={"ht": [60, 120]}, range=(10, 40))  # doctest: +SKIP
    """
    number = find_variable(model.variables, variable)
    record = model.variables[number]
    low, high = checked_range(record, range)
    choices = _combinations(at)
    if len(choices) > MOST_CURVES:
        raise InputError(
            f"{len(choices)} combinations of values are too many curves for one plot (at most {MOST_CURVES})"
        )
    if not 0 <= output < model.network.n_outputs:
        raise InputError(f"there is no output {output}: the network has {model.network.n_outputs}")
    x = np.linspace(low, high, n_points)
    varied = {find_variable(model.variables, name) for name, values in (at or {}).items() if np.size(values) > 1}
    with canvas(ax) as ax:
        width, _ = extent(ax)
        for k, choice in enumerate(choices):
            fixed = fixed_values(model.variables, [number], choice)
            value, bands = _curve(model, events_at({number: x}, fixed), levels, output)
            colour = PALETTE[k % len(PALETTE)]
            for shade, (level, lower, upper) in enumerate(bands if len(choices) == 1 else bands[-1:]):
                words = f"{100 * level:.3g}% band" if len(choices) == 1 else None
                alpha = 0.2 + 0.2 * shade
                ax.fill_between(x, lower, upper, color=colour, alpha=alpha, lw=0, label=words, zorder=1)
            differing = {n: v for n, v in fixed.items() if n in varied}
            label = described(model.variables, differing, 0.9 * width) if varied else "response"
            ax.plot(x, value, color=colour, label=label, zorder=3)
        if len(model.variables) > 1:
            same = {n: v for n, v in fixed.items() if n not in varied}
            ax.set_title(described(model.variables, same, 1.05 * width), fontsize="small")
        ax.set_xlim(low, high)
        _mark_extrapolation(ax, training_range(record), (low, high))
        label_axes(ax, axis_label(record), response_label(model, output))
        if model.analysis_type != AnalysisType.REGRESSION:
            ax.set_ylim(max(ax.get_ylim()[0], -0.02), min(ax.get_ylim()[1], 1.02))
        legend_below(ax)  # bands may be anywhere within
    return ax


def response_label(model: Model, output: int = 0) -> str:
    """Return what the response is, in words."""
    if model.analysis_type == AnalysisType.REGRESSION:
        return axis_label(model.targets[output])
    if model.analysis_type == AnalysisType.MULTICLASS:
        return f"{text(model.title)} response for {text(model.classes[output])}"
    if model.network.output == "sigmoid":
        return (
            rf"P({', '.join(text(variable.title) for variable in model.variables)})" if _short(model) else "P(signal)"
        )
    return f"{text(model.title)} response"


def _short(model: Model) -> bool:
    return len(model.variables) <= 3 and all(len(variable.title) <= 10 for variable in model.variables)


def _combinations(at: Mapping[str, float | Sequence[float]] | None) -> list[dict[str, float]]:
    values = {name: np.atleast_1d(np.asarray(given, dtype=np.float64)).tolist() for name, given in (at or {}).items()}
    return [dict(zip(values, chosen, strict=True)) for chosen in product(*values.values())]


def _curve(
    model: Model, events: FloatArray, levels: Sequence[float], output: int
) -> tuple[NDArray[Any], list[tuple[float, FloatArray, FloatArray]]]:
    """Return the response and its bands, the widest first; there are none without errors."""

    def of_output(found: NDArray[Any]) -> NDArray[Any]:
        return found if model.analysis_type == AnalysisType.CLASSIFICATION else found[:, output]

    value = of_output(model.predict(events))
    if not model.has_errors:
        return value, []
    bands = []
    for level in sorted(levels, reverse=True):
        if not 0 < level < 1:
            raise InputError(f"the level of a band must be between 0 and 1, got {level}")
        ends = of_output(model.predict(events, quantiles=[0.5 - level / 2, 0.5 + level / 2]))
        bands.append((level, ends[:, 0], ends[:, 1]))
    return value, bands


def _mark_extrapolation(ax: Axes, known: tuple[float, float] | None, shown: tuple[float, float]) -> None:
    if known is None:
        return
    label: str | None = "beyond training events"
    for low, high in ((shown[0], min(known[0], shown[1])), (max(known[1], shown[0]), shown[1])):
        if high - low > SMALLEST_SHARE * (shown[1] - shown[0]):
            ax.axvspan(low, high, color=FAINT, alpha=0.18, lw=0, label=label, zorder=0)
            label = None
