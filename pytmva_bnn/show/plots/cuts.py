"""What rectangular cuts do: the background that they let through, and where they lie."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from pytmva_bnn.errors import InputError
from pytmva_bnn.methods.cuts.bins import lower_edges
from pytmva_bnn.methods.cuts.fitted import INFINITE, FittedCuts
from pytmva_bnn.model import Model
from pytmva_bnn.show.plots.canvas import canvas, label_axes, panels
from pytmva_bnn.show.plots.labels import text
from pytmva_bnn.show.plots.style import BACKGROUND, SIGNAL

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure


def cut_efficiency(method: Model | FittedCuts, *, title: str = "", ax: Axes | None = None) -> Axes:
    """Draw the background efficiency of the cuts against their signal efficiency, on training events."""
    fitted = _cuts(method)
    title = title or (method.title if isinstance(method, Model) else "")
    reached = fitted.is_reached
    with canvas(ax) as ax:
        ax.step(_middles(fitted)[reached], fitted.background[reached], where="mid", color=BACKGROUND)
        ax.set(xlim=(0.0, 1.0), ylim=(0.0, None))
        label_axes(ax, "Signal efficiency", "Background efficiency")
        ax.set_title(f"Cuts: {text(title)}" if title else "Cuts")
    return ax


def cut_values(method: Model | FittedCuts, inputs: Sequence[str] = (), *, fig: Figure | SubFigure | None = None) -> Any:
    """Draw the lower and upper cuts on each variable against the signal efficiency; between them events pass.

    ``inputs`` are the titles of the variables, which a model knows by itself.  Sides without a cut are left out.
    """
    fitted = _cuts(method)
    if isinstance(method, Model):
        inputs = inputs or [variable.title for variable in method.variables]
    n = fitted.lower.shape[1]
    names = list(inputs) or [f"variable {i}" for i in range(n)]
    reached, x = fitted.is_reached, _middles(fitted)
    with panels(fig, n) as (figure, axes):
        for i, (ax, name) in enumerate(zip(axes, names, strict=True)):
            for cuts, words, colour in ((fitted.lower, "lower cut", SIGNAL), (fitted.upper, "upper cut", BACKGROUND)):
                drawn = reached & (np.abs(cuts[:, i]) < INFINITE)
                if drawn.any():
                    ax.plot(x[drawn], cuts[drawn, i], ".-", ms=3.0, lw=0.8, color=colour, label=words)
            ax.set_xlim(0.0, 1.0)
            label_axes(ax, "Signal efficiency", text(name))
            if ax.get_legend_handles_labels()[0]:
                ax.legend(fontsize="x-small")
    return figure


def _cuts(method: Model | FittedCuts) -> FittedCuts:
    fitted = method.fitted if isinstance(method, Model) else method
    if not isinstance(fitted, FittedCuts):
        raise InputError(f"{method!r} has no cuts to draw; only the method Cuts does")
    return fitted


def _middles(fitted: FittedCuts) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return np.asarray(lower_edges(fitted.n_bins) + 0.5 / fitted.n_bins)
