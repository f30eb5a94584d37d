"""The response of a classifier by class: distributions on top of each other, overtraining, densities."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.errors import InputError
from pytmva_bnn.evaluation import BinaryResult, Histogram1D, MulticlassResult, kolmogorov
from pytmva_bnn.histograms import PDF, normalised
from pytmva_bnn.model import Model
from pytmva_bnn.show.plots.canvas import WIDE, canvas, extent, label_axes, leave_room
from pytmva_bnn.show.plots.checks import check_result, class_number
from pytmva_bnn.show.plots.comparison import MARKERS, Comparison, draw_comparison, panel_below
from pytmva_bnn.show.plots.labels import text, wrapped
from pytmva_bnn.show.plots.style import FAINT, HATCHES, LINES, PALETTE

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.patches import Patch

SMALLEST_FLOW = 0.05  # per cent
TALL = (6.4, 5.4)


def superimposed(
    histograms: Mapping[str, Histogram1D],
    *,
    points: Mapping[str, Histogram1D] | None = None,
    xlabel: str = "",
    ylabel: str = "(1/N) dN/dx",
    title: str = "",
    x_range: tuple[float, float] | None = None,
    legend: bool = True,
    log: bool = False,
    compare: Comparison | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw histograms by name, each with area 1: the first filled, the second hatched, others as lines.

    ``points`` are drawn as points with error bars, in the colours of the histograms at the same place.  With
    ``compare`` a panel below, the last axes of the figure, has the "ratio" of points and histograms, or the "pull":
    their difference in standard deviations.  ``log`` makes the y axis logarithmic.
    """
    with canvas(ax, TALL if compare else WIDE) as ax:
        top, smallest = 0.0, np.inf
        for number, (name, histogram) in enumerate(histograms.items()):
            h = normalised(histogram)
            _draw(ax, h, name, number)
            top = max(top, _largest(h.values))
            smallest = min(smallest, _smallest(h.values))
        for number, (name, histogram) in enumerate((points or {}).items()):
            h = normalised(histogram)
            errors = np.sqrt(np.abs(h.values if h.sumw2 is None else h.sumw2[1:-1]))
            filled = h.values != 0
            ax.errorbar(
                h.centres[filled],
                h.values[filled],
                yerr=errors[filled],
                fmt=MARKERS[number % len(MARKERS)],
                color=PALETTE[number % len(PALETTE)],
                markeredgecolor="black",
                markeredgewidth=0.6,
                ecolor="black",
                elinewidth=0.8,
                label=text(name),
                zorder=4,
            )
            top = max(top, _largest(h.values + errors))
            smallest = min(smallest, _smallest(h.values))
        first = next(iter(histograms.values()))
        ax.set_xlim(*(x_range or (first.x_min, first.x_max)))
        label_axes(ax, xlabel, ylabel)
        ax.set_title(text(title))
        n_names = len(histograms) + len(points or {})
        columns = 2 if n_names > 1 else 1
        bottom = 0.5 * smallest if log and np.isfinite(smallest) else 0.0
        leave_room(ax, -(-n_names // columns) if legend else 0, top=top, bottom=bottom)
        if legend:
            handles = [*(_handle(k, name) for k, name in enumerate(histograms)), *_point_handles(ax)]
            ax.legend(handles=handles, loc="upper center", ncols=columns, columnspacing=1.4)
        _note_flow(ax, histograms)
        if compare:
            lower = panel_below(ax)
            draw_comparison(lower, histograms, points or {}, compare)
            ax.set_xlabel("")
            lower.set_xlabel(wrapped(xlabel, extent(lower)[0]))
    return ax


def _draw(ax: Axes, h: Histogram1D, name: str, number: int) -> None:
    colour = PALETTE[number % len(PALETTE)]
    hatch = HATCHES[number % len(HATCHES)]
    if number == 0:
        ax.stairs(h.values, h.axis.all_edges, fill=True, color=colour, alpha=0.4, zorder=1)
    elif hatch:
        ax.stairs(
            h.values, h.axis.all_edges, fill=True, facecolor="none", edgecolor=colour, hatch=hatch, lw=0.0, zorder=2
        )
    ax.stairs(
        h.values,
        h.axis.all_edges,
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


def _smallest(values: NDArray[np.floating]) -> float:
    positive = values[np.isfinite(values) & (values > 0)]
    return float(positive.min()) if positive.size else np.inf


def _note_flow(ax: Axes, histograms: Mapping[str, Histogram1D]) -> None:
    """Say along the right side what lies beyond the axis, if there is anything."""
    under, over = [], []
    for h in histograms.values():
        total = float(np.sum(h.cells, dtype=np.float64))
        share = 100.0 / total if total > 0 else 0.0
        under.append(abs(float(h.cells[0]) * share))
        over.append(abs(float(h.cells[-1]) * share))
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


N_RMS = 10.0


def response(
    result: BinaryResult,
    *,
    training: bool = True,
    log: bool = False,
    compare: Comparison | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the response of test events; with ``training`` that of training events too, as points (overtraining check).

    The legend has the probabilities of Kolmogorov and Smirnov that both are of one distribution; ``compare`` adds a
    panel with their "ratio" or "pull" in each bin, ``log`` makes the y axis logarithmic.
    """
    result = check_result(result, BinaryResult, "response")
    tested = {"Signal": result.responses.signal, "Background": result.responses.background}
    trained = {"Signal": result.training.response_signal, "Background": result.training.response_background}
    return response_of(tested, trained if training else None, title=result.title, log=log, compare=compare, ax=ax)


def response_of(
    test: Mapping[str, Histogram1D],
    training: Mapping[str, Histogram1D] | None = None,
    *,
    title: str = "",
    log: bool = False,
    compare: Comparison | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw responses given as histograms by class name; see :func:`response`."""
    what = "Overtraining check" if training else "Response"
    named = {f"{name} (test)": h for name, h in test.items()} if training else test
    points = {f"{name} (training){_agreement(test.get(name), h)}": h for name, h in (training or {}).items()}
    return superimposed(
        named,
        points=points,
        xlabel=f"{title} response".strip(),
        title=f"{what}: {title}" if title else what,
        x_range=_visible_range(test),
        log=log,
        compare=compare,
        ax=ax,
    )


def probability(result: BinaryResult, *, ax: Axes | None = None) -> Axes:
    """Draw the signal probability of test events (needs CreateMVAPdfs)."""
    result = check_result(result, BinaryResult, "probability")
    if result.probabilities is None:
        raise InputError(f"{result.title} has no signal probability: train it with CreateMVAPdfs")
    made = {"Signal": result.probabilities.signal, "Background": result.probabilities.background}
    return superimposed(made, xlabel="Signal probability", title=f"Probability: {result.title}", ax=ax)


def rarity(result: BinaryResult, *, ax: Axes | None = None) -> Axes:
    """Draw the rarity of test events, which is flat for background (needs CreateMVAPdfs)."""
    result = check_result(result, BinaryResult, "rarity")
    if result.probabilities is None:
        raise InputError(f"{result.title} has no rarity: train it with CreateMVAPdfs")
    made = {"Signal": result.probabilities.rarity_signal, "Background": result.probabilities.rarity_background}
    return superimposed(made, xlabel="Signal rarity", title=f"Rarity: {result.title}", ax=ax)


def _agreement(test: Histogram1D | None, training: Histogram1D) -> str:
    if test is None:
        return ""
    try:
        return f", KS p = {kolmogorov(test, training).probability:.2g}"
    except InputError:
        return ""


def _visible_range(histograms: Mapping[str, Histogram1D]) -> tuple[float, float] | None:
    """Return the mean ± 10 RMS of all, cut to the axis, as TMVA shows it."""
    lows, highs = [], []
    for h in histograms.values():
        weights = np.clip(h.values.astype(np.float64), 0.0, None)
        if not weights.sum() > 0:
            return None
        mean = float(np.average(h.centres, weights=weights))
        rms = float(np.sqrt(np.average((h.centres - mean) ** 2, weights=weights)))
        lows.append(max(h.x_min, mean - N_RMS * rms))
        highs.append(min(h.x_max, mean + N_RMS * rms))
    low, high = min(lows, default=0.0), max(highs, default=0.0)
    return (low, high) if low < high else None


LINE_POINTS = 600


@dataclass(frozen=True, eq=False)
class Density:
    """The density of a class as a line, and the histogram it was made of as points."""

    name: str
    x: FloatArray
    y: FloatArray
    centres: FloatArray
    points: FloatArray


def response_pdfs(model: Model, *, ax: Axes | None = None) -> Axes:
    """Draw the densities of signal and background, and the histograms they were made of as points."""
    found = densities_of(model)
    if not found:
        raise InputError(f"{model.name} has no densities of the response: train it with CreateMVAPdfs")
    return densities(found, title=model.title, ax=ax)


def densities_of(model: Model) -> list[Density]:
    """Return the densities that a weight file holds, none if there are none."""
    pairs = zip(model.response_pdfs or (), ("Signal", "Background"), strict=False)
    return [density_of(pdf, name) for pdf, name in pairs]


def density_of(pdf: PDF, name: str) -> Density:
    """Return a density as a line, with the histogram that it was made of."""
    h = pdf.record.histogram
    x = np.linspace(h.axis.lower, h.axis.upper, LINE_POINTS)
    points = normalised(h.with_values(h.values.astype(np.float64))).values
    return Density(name, x, pdf.value(x), h.centres, points)


def densities(found: Sequence[Density], *, title: str = "", ax: Axes | None = None) -> Axes:
    """Draw densities of the response."""
    with canvas(ax) as ax:
        top = 0.0
        for one, colour, marker in zip(found, PALETTE, MARKERS, strict=False):
            name = text(one.name)
            ax.plot(one.x, one.y, color=colour, label=f"{name}: density", zorder=2)
            label = f"{name}: training events"
            ax.plot(one.centres, one.points, marker, color=colour, mec="black", mew=0.5, label=label)
            top = max(top, float(one.points.max(initial=0.0)), float(one.y.max(initial=0.0)))
        ax.set(xlabel=f"{text(title)} response", ylabel="Density", title=f"Densities of the response: {text(title)}")
        leave_room(ax, 2, top=top)
        ax.legend(loc="upper center", ncols=2)
    return ax


def multiclass_response(
    result: MulticlassResult,
    class_name: str | int = 0,
    *,
    training: bool = False,
    log: bool = False,
    compare: Comparison | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the response for one class of the test events of all classes, with ``training`` the training events too.

    ``log`` and ``compare`` as in :func:`response`.
    """
    result = check_result(result, MulticlassResult, "multiclass_response")
    j = class_number(result, class_name)
    names = result.class_names
    tested = {name: row[j] for name, row in zip(names, result.test_histograms, strict=True)}
    trained = {name: row[j] for name, row in zip(names, result.training_histograms, strict=True)} if training else None
    looks: dict[str, Any] = {"title": result.title, "log": log, "compare": compare}
    return multiclass_response_of(tested, trained, class_name=names[j], **looks, ax=ax)


def multiclass_response_of(
    test: Mapping[str, Histogram1D],
    training: Mapping[str, Histogram1D] | None = None,
    *,
    class_name: str,
    title: str = "",
    log: bool = False,
    compare: Comparison | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the response for a class from histograms by true class; see :func:`multiclass_response`."""
    return superimposed(
        test,
        points={f"{name} (training)": h for name, h in (training or {}).items()},
        xlabel=f"{text(title)} response for {text(class_name)}".strip(),
        title=f"{'Overtraining check' if training else 'Response'}: {title}",
        x_range=(0.0, 1.0),
        log=log,
        compare=compare,
        ax=ax,
    )
