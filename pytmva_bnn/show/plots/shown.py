"""Figures and axes that a notebook shows, though pyplot does not know of them; imported when a figure is made."""

from __future__ import annotations

from io import BytesIO

from matplotlib.axes import Axes
from matplotlib.figure import Figure

RESOLUTION = 100


class ShownFigure(Figure):
    """A figure that is shown if it is the last thing in a cell."""

    def _repr_png_(self) -> bytes:
        buffer = BytesIO()
        self.savefig(buffer, format="png", dpi=RESOLUTION)
        return buffer.getvalue()


class ShownAxes(Axes):
    """Axes that are shown, with all of their figure, if they are the last thing in a cell."""

    def _repr_png_(self) -> bytes | None:
        figure = self.get_figure(root=True)
        return figure._repr_png_() if isinstance(figure, ShownFigure) else None
