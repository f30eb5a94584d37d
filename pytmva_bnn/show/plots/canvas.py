"""Where plots are drawn: the axes that the user gives, or those of a new figure that pyplot does not know of."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.show.plots.labels import text_width, wrapped
from pytmva_bnn.show.plots.style import applied, dress, label_experiment, require_matplotlib

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure

WIDE = (6.4, 4.4)
SQUARE = (5.4, 5.0)
PANEL = (3.7, 2.9)
Layout = Literal["constrained", "compressed"]


@contextmanager
def canvas(ax: Axes | None, size: tuple[float, float] = WIDE, *, layout: Layout = "constrained") -> Iterator[Axes]:
    """Give the axes to draw on, in our style; if there are none, those of a new figure of ``size`` inches.

    Axes with a fixed aspect need the layout "compressed": the other one leaves them too little room for words.
    """
    require_matplotlib()
    with applied() as scale:
        if ax is not None:
            _dress(ax)
            yield ax
            return
        made, axes_class = _figure(size, scale, layout)
        new: Axes = made.add_subplot(axes_class=axes_class)
        yield new
        label_experiment(new)


@contextmanager
def panels(
    fig: Figure | SubFigure | None,
    n: int,
    columns: int | None = None,
    size: tuple[float, float] = PANEL,
    *,
    layout: Layout = "constrained",
) -> Iterator[tuple[Any, list[Axes]]]:
    """Give a figure and ``n`` axes in rows of ``columns``, each of ``size`` inches; empty places stay empty."""
    require_matplotlib()
    columns = columns or grid_columns(n)
    rows = math.ceil(n / columns)
    with applied() as scale:
        if fig is not None:
            yield fig, _axes(fig, n, rows, columns)
            return
        made, axes_class = _figure((size[0] * columns, size[1] * rows), scale, layout)
        axes = _axes(made, n, rows, columns, axes_class=axes_class)
        yield made, axes
        label_experiment(axes[0])


def grid_columns(n: int) -> int:
    """Return how many panels stand side by side: 1, 2, 3, then 2 for 4 and 3 for more."""
    return 2 if n == 4 else max(1, min(n, 3))


def _figure(size: tuple[float, float], scale: float, layout: Layout) -> tuple[Figure, type[Axes]]:
    """Return a new figure, and the kind of axes it should have."""
    from pytmva_bnn.show.plots.shown import ShownAxes, ShownFigure  # heavy and optional

    return ShownFigure(figsize=(size[0] * scale, size[1] * scale), layout=layout), ShownAxes


def _dress(ax: Axes) -> None:
    from pytmva_bnn.show.plots.shown import ShownFigure  # heavy and optional

    # axes of our own figures have the style already
    if not isinstance(ax.get_figure(root=True), ShownFigure):
        dress(ax)


def _axes(fig: Figure | SubFigure, n: int, rows: int, columns: int, **looks: Any) -> list[Axes]:
    grid: NDArray[Any] = fig.subplots(rows, columns, squeeze=False, subplot_kw=looks)
    flat = list(np.ravel(grid))
    for unused in flat[n:]:
        unused.remove()
    return flat[:n]


def extent(ax: Axes) -> tuple[float, float]:
    """Return width and height of axes in points, about as they will be when the figure is laid out."""
    figure: Any = ax.get_figure(root=True)
    place = ax.get_position()
    width, height = figure.get_size_inches()
    return 72.0 * float(width) * place.width, 72.0 * float(height) * place.height


def label_axes(ax: Axes, x: str, y: str) -> None:
    """Name the axes; names that are longer than the axes are in several lines."""
    width, height = extent(ax)
    ax.set(xlabel=wrapped(x, width), ylabel=wrapped(y, height))


def legend_below(ax: Axes) -> None:
    """Put the legend below the label of the x axis, in as many columns as fit."""
    handles, words = ax.get_legend_handles_labels()
    width, height = extent(ax)
    size = float(ax.xaxis.label.get_fontsize())
    widths = [max(text_width(line, "small") for line in one.split("\n")) + 3.5 * size for one in words]
    columns = 1
    for n in range(2, min(4, len(words)) + 1):
        rows = math.ceil(len(words) / n)
        if sum(max(widths[k : k + rows]) for k in range(0, len(widths), rows)) <= 1.25 * width:
            columns = n
    lines = ax.get_xlabel().count("\n") + 1
    below = -(1.8 + 1.25 * lines) * size / height
    ax.legend(handles, words, loc="upper center", bbox_to_anchor=(0.5, below), ncols=columns)


def colour_bar(ax: Axes, image: Any, **looks: Any) -> Any:
    """Put the scale of the colours of ``image`` beside the axes."""
    figure: Any = ax.get_figure()
    return figure.colorbar(image, ax=ax, **looks)


def leave_room(ax: Axes, rows: float, *, top: float, bottom: float = 0.0) -> None:
    """Set the y axis so that ``rows`` lines of a legend fit between ``top`` and the frame.

    It begins at 0, or is logarithmic and begins at a positive ``bottom``.
    """
    import matplotlib as mpl  # heavy and optional

    share = (rows * 1.45 * float(mpl.rcParams["font.size"]) * 0.85 + 10.0) / extent(ax)[1] if rows else 0.04
    filled = 1.0 - min(share + 0.03, 0.6)
    if bottom > 0:
        ax.set_yscale("log")
        ax.set_ylim(bottom, bottom * max(top / bottom, 2.0) ** (1.0 / filled))
    else:
        ax.set_ylim(0.0, top / filled if top > 0 else 1.0)
