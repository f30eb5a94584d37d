"""A plot that is drawn when it is wanted, and sections of plots that belong together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, eq=False)
class Plot:
    """A figure to be drawn; ``name`` is that of TMVA's file, without ending."""

    name: str
    caption: str
    draw: Callable[[], Any]

    def figure(self) -> Any:
        """Return the figure, drawn now."""
        made = self.draw()
        figure = made if hasattr(made, "savefig") else made.get_figure()
        # once and for all: each saving would move things a little, and draw everything twice
        engine = figure.get_layout_engine()
        if engine is not None:
            from matplotlib import rc_context  # heavy and optional

            engine.execute(figure)
            with rc_context({"figure.autolayout": False, "figure.constrained_layout.use": False}):
                figure.set_layout_engine(None)
        return figure


@dataclass(frozen=True, eq=False)
class Section:
    """Plots that belong together; ``folded`` ones are many and of less interest."""

    title: str
    plots: Sequence[Plot]
    folded: bool = False
