"""The response as a function of one or two variables, all others being fixed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.errors import InputError
from pytmva_bnn.events.columns import Columns
from pytmva_bnn.events.variables import VariableRecord
from pytmva_bnn.model import Model
from pytmva_bnn.show.plots.canvas import canvas, colour_bar, extent, label_axes, legend_below, panels
from pytmva_bnn.show.plots.labels import axis_label, find_variable, joined, text
from pytmva_bnn.show.plots.style import ERRORS, FAINT, PALETTE, SEQUENTIAL
from pytmva_bnn.tmva_types import AnalysisType

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure

MOST_LINES = 4


def training_range(variable: VariableRecord) -> tuple[float, float] | None:
    """Return the range of a variable in training, None if it is not known."""
    low, high = variable.minimum, variable.maximum
    return (low, high) if np.isfinite(low) and np.isfinite(high) and low < high else None


def checked_range(variable: VariableRecord, given: tuple[float, float] | None) -> tuple[float, float]:
    """Return the range to draw: the given one, or that of training."""
    found = given or training_range(variable)
    if found is None:
        raise InputError(f"the range of {variable.label} in training is not known: give the range to draw")
    low, high = float(found[0]), float(found[1])
    if not (np.isfinite(low) and np.isfinite(high) and low < high):
        raise InputError(f"the range of {variable.label} must be (low, high) with low < high, got ({low}, {high})")
    return low, high


def fixed_values(
    variables: Sequence[VariableRecord], free: Sequence[int], at: Mapping[str, float] | None
) -> dict[int, float]:
    """Return the values of all variables that are not free; where none is given, the middle of the training range.

    >>> x, y = VariableRecord.define("x", minimum=0.0, maximum=2.0), VariableRecord.define("y")
    >>> fixed_values([x, y], [0], {"y": 7.0}), fixed_values([x, y], [1], None)
    ({1: 7.0}, {0: 1.0})
    """
    fixed: dict[int, float] = {}
    for name, value in (at or {}).items():
        number = find_variable(variables, name)
        if number in free:
            raise InputError(f"{name} is drawn along an axis and cannot have a fixed value as well")
        fixed[number] = float(value)
    for number, variable in enumerate(variables):
        if number in free or number in fixed:
            continue
        ends = training_range(variable)
        if ends is None:
            raise InputError(f"give a value of {variable.label}, e.g. at={{{variable.label!r}: 1.0}}")
        fixed[number] = 0.5 * (ends[0] + ends[1])
    return fixed


def events_at(columns: Mapping[int, FloatArray], fixed: Mapping[int, float]) -> FloatArray:
    """Return events (n_events, n_variables) with these columns, all others being constant."""
    n_events = len(next(iter(columns.values())))
    events = np.empty((n_events, len(columns) + len(fixed)))
    for number, column in columns.items():
        events[:, number] = column
    for number, value in fixed.items():
        events[:, number] = value
    return events


def described(
    variables: Sequence[VariableRecord], fixed: Mapping[int, float], points: float, more: Sequence[str] = ()
) -> str:
    """Return the fixed values in words that matplotlib can draw, with units, in lines of at most ``points``.

    What does not fit into a few lines is counted.  ``more`` are remarks behind the values.
    """
    parts = [
        f"{text(variables[n].title)} = {value:.3g}{' ' + text(variables[n].unit) if variables[n].unit else ''}"
        for n, value in sorted(fixed.items())
    ]
    for named in range(len(parts), -1, -1):
        left = [f"{len(parts) - named} more"] if named < len(parts) else []
        words = joined([*parts[:named], *left, *more], points, "small")
        if words.count("\n") < MOST_LINES:
            break
    return words


LEVELS = (0.683, 0.954)
CENTRAL = (0.005, 0.995)
MOST_CURVES = 6
SMALLEST_SHARE = 0.01


def response_along(
    model: Model,
    variable: str,
    at: Mapping[str, float | Sequence[float]] | None = None,
    range: tuple[float, float] | None = None,  # noqa: A002 - the word of matplotlib and numpy
    *,
    levels: Sequence[float] = LEVELS,
    events: Any = None,
    output: int = 0,
    n_points: int = 200,
    ax: Axes | None = None,
) -> Axes:
    """Draw the response as a function of one variable, with bands that hold ``levels`` of its distribution.

    Other variables have the values ``at``, or are in the middle of their training range; several values of one give
    several curves, each with the narrowest band only.  Without a ``range`` it is that of training or, with ``events``
    in any form that predictions take, the one in which the central 99% of them are.  Beyond the training range the
    background is grey: there the network extrapolates.
    """
    number = find_variable(model.variables, variable)
    record = model.variables[number]
    if range is None and events is not None:
        range = _central(_block(events, model)[:, number])  # noqa: A001
    low, high = checked_range(record, range)
    choices = _combinations(at)
    if len(choices) > MOST_CURVES:
        raise InputError(
            f"{len(choices)} combinations of values are too many curves for one plot (at most {MOST_CURVES})"
        )
    n_outputs = {AnalysisType.REGRESSION: len(model.targets), AnalysisType.MULTICLASS: len(model.classes)}
    if not 0 <= output < n_outputs.get(model.analysis_type, 1):
        raise InputError(f"there is no output {output}: {model.title} has {n_outputs.get(model.analysis_type, 1)}")
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


def _central(values: FloatArray) -> tuple[float, float] | None:
    """Return the range in which 99% of the values are, None if it has no width."""
    finite = values[np.isfinite(values)]
    low, high = np.quantile(finite, CENTRAL).tolist() if finite.size else (0.0, 0.0)
    return (low, high) if low < high else None


def response_label(model: Model, output: int = 0) -> str:
    """Return what the response is, in words."""
    if model.analysis_type == AnalysisType.REGRESSION:
        return axis_label(model.targets[output])
    if model.analysis_type == AnalysisType.MULTICLASS:
        name = text(model.classes[output])
        return f"P({name})" if _is_probability(model) else f"{text(model.title)} response for {name}"
    if _is_probability(model):
        return (
            rf"P({', '.join(text(variable.title) for variable in model.variables)})" if _short(model) else "P(signal)"
        )
    return f"{text(model.title)} response"


def _is_probability(model: Model) -> bool:
    return model.analysis_type != AnalysisType.REGRESSION and model.fitted.is_probability


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
    if not model.fitted.has_latent:  # error bars, but no quantiles
        found = model.predict(events, errors=True)
        return value, [(LEVELS[0], of_output(found.low), of_output(found.high))]
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


ErrorMap = Literal["absolute", "relative"]
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
    errors: ErrorMap | Sequence[ErrorMap] | None = None,
    fig: Figure | SubFigure | None = None,
) -> Any:
    """Draw P(x, y) and, if the model has errors, a map of them beside it; returns the figure.

    ``errors`` are ``"absolute"`` (σ), ``"relative"`` (σ/P) or both; if not given, relative for a probability and
    absolute for anything else, which may be 0.  ``x`` and ``y`` are ranges (those of training if not given), other
    variables have the values ``at``.  Lines show where ``events`` are, in any form that predictions take: they enclose
    68% and 95% of them.
    """
    i, j = find_variable(model.variables, x_variable), find_variable(model.variables, y_variable)
    if i == j:
        raise InputError(f"a map needs two different variables, but {x_variable!r} was given twice")
    edges = [np.linspace(*checked_range(model.variables[k], r), m + 1) for k, r, m in ((i, x, n[0]), (j, y, n[1]))]
    centres = [0.5 * (e[1:] + e[:-1]) for e in edges]
    u, v = np.meshgrid(*centres, indexing="ij")
    fixed = fixed_values(model.variables, [i, j], at)
    kinds = _error_maps(model, errors)
    value, sigma = _values(model, events_at({i: u.ravel(), j: v.ravel()}, fixed), output)
    shown = None if events is None else _block(events, model)[:, [i, j]]
    with panels(fig, 1 + len(kinds), size=SIZE) as (figure, axes):
        label = response_label(model, output)
        _draw(axes[0], edges, value.reshape(u.shape), SEQUENTIAL, label)
        for ax, kind in zip(axes[1:], kinds, strict=True):
            with np.errstate(all="ignore"):
                drawn = sigma / np.abs(value) if kind == "relative" else sigma
            top = float(np.nanmin([LARGEST_RELATIVE if kind == "relative" else np.inf, np.nanmax(drawn)]))
            _draw(ax, edges, drawn.reshape(u.shape), ERRORS, _error_label(model, kind, output), (0.0, top))
        for ax in axes:
            label_axes(ax, axis_label(model.variables[i]), axis_label(model.variables[j]))
            if shown is not None:
                _outline(ax, shown[:, 0], shown[:, 1], edges)
        remarks = ["lines: 68% and 95% of the events"] if shown is not None else []
        # the words stand above both maps
        width = sum(extent(ax)[0] for ax in axes)
        axes[0].set_title(described(model.variables, fixed, width, remarks), fontsize="small")
    return figure


def _error_maps(model: Model, wanted: ErrorMap | Sequence[ErrorMap] | None) -> Sequence[ErrorMap]:
    if not model.has_errors:
        return ()
    if wanted is None:
        return ("relative",) if _is_probability(model) else ("absolute",)
    kinds: Sequence[ErrorMap] = (wanted,) if isinstance(wanted, str) else wanted
    for kind in kinds:
        if kind not in ("absolute", "relative"):
            raise InputError(f"errors of a map are 'absolute' or 'relative', got {kind!r}")
    return kinds


def _error_label(model: Model, kind: ErrorMap, output: int) -> str:
    if kind == "relative":
        return f"Relative error σ / {'P' if _is_probability(model) else '|response|'}"
    is_target = model.analysis_type == AnalysisType.REGRESSION and model.targets[output].unit
    return f"Error σ{f' [{text(model.targets[output].unit)}]' if is_target else ''}"


def _values(model: Model, grid: FloatArray, output: int) -> tuple[FloatArray, FloatArray]:
    """Return responses and their errors, the mean of the lower and the upper one; 0 if there are none."""
    column: Any = ... if model.analysis_type == AnalysisType.CLASSIFICATION else (slice(None), output)
    if not model.has_errors:
        value = np.asarray(model.predict(grid)[column], dtype=np.float64)
        return value, np.zeros(value.shape)
    found = model.predict(grid, errors=True)
    return np.asarray(found.value[column], dtype=np.float64), 0.5 * (found.lower[column] + found.upper[column])


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


def _block(events: Any, model: Model) -> FloatArray:
    """Return the variables of events (n_events, n_variables)."""
    columns = Columns(events, model.variables)
    return columns.block(0, columns.n_events).astype(np.float64)


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
    ax.set(xlim=(edges[0][0], edges[0][-1]), ylim=(edges[1][0], edges[1][-1]))


def _smoothed(values: FloatArray) -> FloatArray:
    """Average each row with its neighbours, 1 : 2 : 1."""
    padded = np.pad(values, ((1, 1), (0, 0)), mode="edge")
    return 0.25 * padded[:-2] + 0.5 * padded[1:-1] + 0.25 * padded[2:]
