"""How a method was trained: the network as a diagram, convergence, evidence and relevance of the inputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.errors import InputError
from pytmva_bnn.methods.mlp.network import Network
from pytmva_bnn.methods.mlp.training import Evidence
from pytmva_bnn.methods.mlp.training.state import History
from pytmva_bnn.model import Model
from pytmva_bnn.posterior.candidates import Choice
from pytmva_bnn.posterior.restarts import Restarts
from pytmva_bnn.show.plots.canvas import WIDE, canvas, colour_bar
from pytmva_bnn.show.plots.labels import text, wrapped
from pytmva_bnn.show.plots.style import DIVERGING, FAINT, INK, PALETTE
from pytmva_bnn.tmva_types import AnalysisType

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WIDEST_LINE = 4.5
BIAS = "bias"
WIDEST_NAME = 150.0


def network(
    model: Model | Network | Sequence[NDArray[np.floating]],
    *,
    inputs: Sequence[str] = (),
    outputs: Sequence[str] = (),
    title: str = "",
    ax: Axes | None = None,
) -> Axes:
    """Draw the architecture with its weights: blue negative, red positive, wide for large ones.

    ``inputs`` and ``outputs`` name the neurons; a model has names of its own.  Matrices are (n + bias, n of the next
    layer) as in :class:`~pytmva_bnn.methods.mlp.network.Network`.
    """
    matrices, own_inputs, own_outputs, own_title = _parts(model)
    sizes = [len(matrices[0]) - 1, *(m.shape[1] for m in matrices)]
    largest = max((float(np.abs(m).max()) for m in matrices if m.size), default=0.0) or 1.0
    with canvas(ax, _figure_size(sizes)) as ax:
        places = [_places(n, with_bias=layer < len(sizes) - 1) for layer, n in enumerate(sizes)]
        lines = _weights(ax, matrices, places, largest)
        _neurons(ax, sizes, places)
        _names(ax, list(inputs) or own_inputs, list(outputs) or own_outputs, sizes, places)
        for layer in range(len(sizes)):
            words = "Input" if layer == 0 else "Output" if layer == len(sizes) - 1 else f"Layer {layer}"
            ax.annotate(words, (layer, -0.08), ha="center", va="top", fontsize="small", color=FAINT)
        ax.set_xlim(
            -0.12 - _margin(list(inputs) or own_inputs), len(sizes) - 0.88 + _margin(list(outputs) or own_outputs)
        )
        ax.set_ylim(-0.16, 1.06)
        ax.set_axis_off()
        ax.set_title(text(title or own_title))
        bar = colour_bar(ax, lines, label="Weight", fraction=0.03, pad=0.01, aspect=30, shrink=0.8)
        bar.ax.minorticks_off()
    return ax


def _parts(
    model: Model | Network | Sequence[NDArray[np.floating]],
) -> tuple[list[FloatArray], list[str], list[str], str]:
    if isinstance(model, Model):
        inputs = [variable.title for variable in model.variables]
        named = {
            AnalysisType.REGRESSION: [target.title for target in model.targets],
            AnalysisType.MULTICLASS: list(model.classes),
            AnalysisType.CLASSIFICATION: [],
        }
        return list(model.network.matrices), inputs, named[model.analysis_type], model.title
    given = model.matrices if isinstance(model, Network) else model
    matrices = [np.asarray(matrix, dtype=np.float64) for matrix in given]
    if not matrices:
        raise InputError("a network needs at least one matrix of weights")
    return matrices, [], [], ""


def _figure_size(sizes: Sequence[int]) -> tuple[float, float]:
    return 2.6 + 1.9 * (len(sizes) - 1), float(np.clip(1.2 + 0.32 * (max(sizes) + 1), 3.4, 11.0))


def _margin(names: Sequence[str]) -> float:
    return min(0.045 * max((min(len(name), 24) for name in names), default=0) + 0.1, 1.1)


def _places(n: int, *, with_bias: bool) -> FloatArray:
    """Return heights from 1 down to 0, the bias neuron being the lowest; few neurons stand closer to the middle."""
    total = n + with_bias
    if total == 1:
        return np.array([0.5])
    half = min(0.5, 0.11 * (total - 1))
    return np.linspace(0.5 + half, 0.5 - half, total)


def _weights(ax: Axes, matrices: Sequence[FloatArray], places: Sequence[FloatArray], largest: float) -> Any:
    from matplotlib.collections import LineCollection  # heavy and optional
    from matplotlib.colors import Normalize

    segments: list[list[tuple[float, float]]] = []
    values: list[float] = []
    for layer, matrix in enumerate(matrices):
        for (j, k), weight in np.ndenumerate(matrix):
            if weight != 0 and np.isfinite(weight):
                ends = float(places[layer][j]), float(places[layer + 1][k])
                segments.append([(layer, ends[0]), (layer + 1, ends[1])])
                values.append(float(weight))
    order = np.argsort(np.abs(values), kind="stable")  # large ones on top
    w = np.asarray(values)[order]
    drawn = LineCollection(
        [segments[i] for i in order],
        array=w,
        cmap=DIVERGING,
        norm=Normalize(-largest, largest),
        linewidths=0.3 + WIDEST_LINE * np.abs(w) / largest,
        capstyle="round",
        zorder=1,
    )
    ax.add_collection(drawn)
    return drawn


def _neurons(ax: Axes, sizes: Sequence[int], places: Sequence[FloatArray]) -> None:
    area = float(np.clip(3000.0 / (max(sizes) + 1), 25.0, 230.0))
    for layer, (n, y) in enumerate(zip(sizes, places, strict=True)):
        ax.scatter(np.full(n, layer), y[:n], s=area, c="#f2f2f2", edgecolors=INK, linewidths=1.1, zorder=3)
        if len(y) > n:
            ax.scatter([layer], y[n:], s=area * 0.8, c="white", edgecolors=FAINT, linewidths=1.1, marker="s", zorder=3)


def _names(
    ax: Axes, inputs: Sequence[str], outputs: Sequence[str], sizes: Sequence[int], places: Sequence[FloatArray]
) -> None:
    size = "small" if max(sizes[0], sizes[-1]) <= 25 else "xx-small"
    for name, y in zip([*inputs[: sizes[0]], *[""] * (sizes[0] - len(inputs)), BIAS], places[0], strict=True):
        colour = FAINT if name == BIAS else "black"
        ax.annotate(
            wrapped(text(name), WIDEST_NAME, size),
            (0, y),
            (-12, 0),
            textcoords="offset points",
            ha="right",
            va="center",
            fontsize=size,
            color=colour,
        )
    for name, y in zip(outputs, places[-1], strict=False):
        where = (len(sizes) - 1, y)
        words = wrapped(text(name), WIDEST_NAME, size)
        ax.annotate(words, where, (12, 0), textcoords="offset points", ha="left", va="center", fontsize=size)


def convergence(history: History | Mapping[str, History], *, title: str = "", ax: Axes | None = None) -> Axes:
    """Draw the estimator of training and test events by epoch, of one training or of several by name."""
    several = history if isinstance(history, Mapping) else {"": history}
    seen = [h for h in several.values() if len(h.epochs)]
    if not seen:
        raise InputError("there is no history to draw: the estimator was not tested in any epoch")
    with canvas(ax, WIDE) as ax:
        for number, (name, one) in enumerate(several.items()):
            before = f"{text(name)}, " if name else ""
            first, second = (PALETTE[0], PALETTE[1]) if len(several) == 1 else (PALETTE[number % len(PALETTE)],) * 2
            marker = "o" if len(one.epochs) <= 60 else ""
            ax.plot(one.epochs, one.training, color=first, marker=marker, ms=3, label=f"{before}training events")
            ax.plot(one.epochs, one.test, color=second, ls="--", marker=marker, ms=3, label=f"{before}test events")
        values = np.concatenate([np.concatenate([h.training, h.test]) for h in seen])
        values = values[np.isfinite(values)]
        low, high = float(values.min(initial=np.inf)), float(values.max(initial=-np.inf))
        if low < high:
            ax.set_ylim(low - 0.1 * (high - low), high + 0.1 * (high - low))
        ax.set(xlim=(0.0, max(float(h.epochs[-1]) for h in seen) * 1.02), xlabel="Epoch", ylabel="Estimator")
        ax.set_title(f"Convergence: {text(title)}" if title else "Convergence")
        # the curves fall: it is empty at the upper right
        ax.legend(loc="upper right")
    return ax


def evidence(choice: Choice[Any] | Mapping[str, float], *, ax: Axes | None = None) -> Axes:
    """Draw the log evidence of the architectures or seeds that were tried, relative to the best."""
    if isinstance(choice, Choice):
        found = {one.label: one.log_evidence for one in choice}
    else:
        found = {str(name): float(value) for name, value in choice.items()}
    usable = {name: value for name, value in found.items() if np.isfinite(value)}
    if not usable:
        raise InputError("none of the architectures has a finite evidence (a regulator of 0 makes it -inf)")
    best = max(usable, key=lambda name: usable[name])
    words = "Hidden neurons"
    if isinstance(choice, Choice):
        words = "Random seed" if isinstance(choice, Restarts) else words
        # one that has not converged is not chosen
        best = choice.best.label if choice.best.label in usable else best
    names = list(found)
    y = np.array([found[name] - usable[best] if name in usable else np.nan for name in names])
    with canvas(ax) as ax:
        ax.axhline(0.0, color=FAINT, lw=0.8, ls=":")
        ax.plot(range(len(names)), y, color=PALETTE[0], marker="o", ms=6, mec="black", mew=0.6)
        ax.plot([names.index(best)], [0.0], "*", color=PALETTE[2], mec="black", mew=0.7, ms=15, label=f"best: {best}")
        low, high = float(np.nanmin(y)), float(np.nanmax(y))
        spread = max(high - low, 1.0)
        ax.set(ylim=(high - 1.12 * spread, high + 0.22 * spread), xlim=(-0.5, len(names) - 0.5))
        ax.set_xticks(range(len(names)), [text(name) for name in names])
        ax.tick_params(axis="x", which="minor", bottom=False, top=False)
        ax.set(xlabel=words, ylabel="Log evidence − best")
        ax.set_title(f"Evidence (best: ln P(D) = {usable[best]:.2f})")
        ax.legend(loc="upper right")
    return ax


def relevance(found: Evidence, inputs: Sequence[str] = (), *, title: str = "", ax: Axes | None = None) -> Axes:
    """Draw the width of the prior of the weights of each input, 1/√regulator: a short bar is an input not needed.

    ``inputs`` are the titles of the variables, to be shown instead of the names they were trained with.  The number of
    effective parameters of each input is written at its bar.
    """
    n = sum(name.startswith("input ") and name != "input bias" for name in found.names)
    names = found.group_names(tuple(inputs))[:n]
    regulators = np.asarray(found.regulators[:n], dtype=np.float64)
    with np.errstate(divide="ignore"):
        width = 1.0 / np.sqrt(regulators)
    finite = width[np.isfinite(width)]
    longest = float(finite.max()) if finite.size else 1.0
    order = np.argsort(width)
    with canvas(ax, (7.2, float(np.clip(1.5 + 0.42 * n, 2.6, 12.0)))) as ax:
        shown = np.where(np.isfinite(width), width, 1.1 * longest)
        ax.barh(range(n), shown[order], color=PALETTE[0], alpha=0.75, height=0.62)
        for place, k in enumerate(order.tolist()):
            words = f"α = {regulators[k]:.3g}, {found.effective[k]:.1f} of {found.group_sizes[k]} effective"
            # beside the frame: next to the bars there may be no room for it
            ax.annotate(words, (1.02, place), xycoords=ax.get_yaxis_transform(), va="center", fontsize="small")
        ax.set_yticks(range(n), [wrapped(text(names[k]), WIDEST_NAME, "small") for k in order.tolist()])
        ax.tick_params(axis="y", which="both", left=False, right=False)
        ax.set_xlim(0.0, 1.08 * float(shown.max(initial=1e-300)))
        ax.set_xlabel(r"Prior width of the weights, $1/\sqrt{\alpha}$")
        ax.set_title(f"Relevance of the inputs: {text(title)}" if title else "Relevance of the inputs")
    return ax
