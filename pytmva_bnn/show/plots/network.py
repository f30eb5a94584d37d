"""The network as a diagram: neurons in columns, weights as lines of their colour and width."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.errors import InputError
from pytmva_bnn.methods.mlp.network import Network
from pytmva_bnn.model import Model
from pytmva_bnn.show.plots.canvas import canvas, colour_bar
from pytmva_bnn.show.plots.labels import text, wrapped
from pytmva_bnn.show.plots.style import DIVERGING, FAINT, INK
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

    >>> from pytmva_bnn.show import plots
    >>> ax = plots.network(TMVA.load("weights.xml"))  # doctest: +SKIP
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
