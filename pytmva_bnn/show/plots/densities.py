"""The densities of the training response behind probability and rarity (CreateMVAPdfs)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.errors import InputError
from pytmva_bnn.model import Model
from pytmva_bnn.show.plots.canvas import canvas, leave_room
from pytmva_bnn.show.plots.labels import text
from pytmva_bnn.show.plots.style import PALETTE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

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
    """Draw the densities of signal and background, and the histograms they were made of as points.

    >>> from pytmva_bnn.show import plots
    >>> ax = plots.response_pdfs(model)  # doctest: +SKIP
    """
    found = densities_of(model)
    if not found:
        raise InputError(f"{model.name} has no densities of the response: train it with CreateMVAPdfs")
    return densities(found, title=model.title, ax=ax)


def densities_of(model: Model) -> list[Density]:
    """Return the densities that a weight file holds, none if there are none."""
    made = []
    for one, name in zip(model.response_pdfs or (), ("Signal", "Background"), strict=False):
        h = one.record.histogram
        contents = np.asarray(h.contents, dtype=np.float64)
        width = (h.upper - h.lower) / h.n_bins
        area = float(contents.sum()) * width
        x = np.linspace(h.lower, h.upper, LINE_POINTS)
        centres = np.asarray(h.lower + (np.arange(h.n_bins) + 0.5) * width, dtype=np.float64)
        made.append(
            Density(name, x, np.asarray(one.value(x), np.float64), centres, contents / area if area > 0 else contents)
        )
    return made


def densities(found: Sequence[Density], *, title: str = "", ax: Axes | None = None) -> Axes:
    """Draw densities of the response."""
    with canvas(ax) as ax:
        top = 0.0
        for one, colour, marker in zip(found, PALETTE, "os^Dv", strict=False):
            name = text(one.name)
            ax.plot(one.x, one.y, color=colour, label=f"{name}: density", zorder=2)
            label = f"{name}: training events"
            ax.plot(one.centres, one.points, marker, color=colour, mec="black", mew=0.5, label=label)
            top = max(top, float(one.points.max(initial=0.0)), float(one.y.max(initial=0.0)))
        ax.set_xlabel(f"{text(title)} response")
        ax.set_ylabel("Density")
        ax.set_title(f"Densities of the response: {text(title)}")
        leave_room(ax, 2, top=top)
        ax.legend(loc="upper center", ncols=2)
    return ax
