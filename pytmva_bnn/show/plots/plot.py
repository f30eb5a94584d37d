"""A plot that is drawn when it is wanted, and sections of plots that belong together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, eq=False)
class Plot:
    """A figure to be drawn; ``name`` is that of TMVA's file, without ending.

    ``method`` is the title of the method it belongs to, if it is of one alone.  A page that shows all plots can leave
    out one that ``is_repeated``: another one has everything that is on it.
    """

    name: str
    caption: str
    draw: Callable[[], Any]
    method: str = ""
    is_repeated: bool = False

    def figure(self, dpi: float | None = None) -> Any:
        """Return the figure, drawn and laid out now; text is measured once only if ``dpi`` is that of the saving."""
        made = self.draw()
        figure = made if hasattr(made, "savefig") else made.get_figure()
        if dpi is not None:
            figure.set_dpi(dpi)
        # once and for all: each saving would move things a little, and draw everything twice
        if figure.get_layout_engine() is not None:
            from matplotlib import rc_context  # heavy and optional

            _lay_out(figure)
            with rc_context({"figure.autolayout": False, "figure.constrained_layout.use": False}):
                figure.set_layout_engine(None)
        return figure


def _lay_out(figure: Any) -> None:
    """Lay out a figure without its minor ticks, which have no words and would take half of the time."""
    from matplotlib.ticker import AutoMinorLocator, NullLocator  # heavy and optional

    axes = [axis for ax in figure.axes for axis in (ax.xaxis, ax.yaxis)]
    minor = [(axis, axis.get_minor_locator()) for axis in axes]
    minor = [(axis, locator) for axis, locator in minor if isinstance(locator, AutoMinorLocator)]
    for axis, _ in minor:
        axis.set_minor_locator(NullLocator())
    figure.get_layout_engine().execute(figure)
    for axis, locator in minor:
        axis.set_minor_locator(locator)


@dataclass(frozen=True, eq=False)
class Section:
    """Plots that belong together; ``folded`` ones are many and of less interest, ``compares`` is said of methods."""

    title: str
    plots: Sequence[Plot]
    folded: bool = False
    compares: bool = False
