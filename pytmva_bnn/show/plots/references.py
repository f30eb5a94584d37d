"""The densities that a likelihood multiplies: for each variable those of signal and background, and their events."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from pytmva_bnn.errors import InputError
from pytmva_bnn.methods.density.likelihood_fitted import FittedLikelihood
from pytmva_bnn.model import Model
from pytmva_bnn.show.plots.canvas import leave_room, panels
from pytmva_bnn.show.plots.labels import axis_label, text
from pytmva_bnn.show.plots.responses import Density, density_of
from pytmva_bnn.show.plots.style import PALETTE

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure


@dataclass(frozen=True, eq=False)
class Reference:
    """The densities of signal and background of a variable; ``label`` is that of the axis."""

    label: str
    densities: Sequence[Density]


def references_of(fitted: FittedLikelihood, labels: Sequence[str]) -> list[Reference]:
    """Return the densities of all variables with the labels of their axes."""
    return [
        Reference(label, [density_of(pdf, name) for pdf, name in zip(pair, ("Signal", "Background"), strict=True)])
        for label, pair in zip(labels, fitted.pdfs, strict=True)
    ]


def reference_densities(model: Model, *, columns: int | None = None, fig: Figure | SubFigure | None = None) -> Any:
    """Draw for each variable of a Likelihood the densities of signal and background on the training events.

    With VarTransform these are the variables transformed for each class.  Return the figure.
    """
    if not isinstance(model.fitted, FittedLikelihood):
        raise InputError(f"{model!r} has no densities of its variables to draw; only a Likelihood does")
    chain = "transformed" if model.transformations.placed else ""
    labels = [axis_label(variable, chain) for variable in model.variables]
    return draw_references(references_of(model.fitted, labels), columns=columns, fig=fig)


def draw_references(
    made: Sequence[Reference], *, columns: int | None = None, fig: Figure | SubFigure | None = None
) -> Any:
    """Draw densities in panels, each with the label of its axis."""
    with panels(fig, len(made), columns) as (figure, axes):
        for number, (ax, one) in enumerate(zip(axes, made, strict=True)):
            _draw(ax, one, legend=number == 0)
    return figure


def _draw(ax: Axes, reference: Reference, *, legend: bool) -> None:
    top = 0.0
    for one, colour in zip(reference.densities, PALETTE, strict=False):
        half = 0.5 * (one.centres[1] - one.centres[0]) if len(one.centres) > 1 else 0.5 * float(np.ptp(one.x))
        edges = np.append(one.centres - half, one.centres[-1] + half)
        ax.stairs(one.points, edges, fill=True, color=colour, alpha=0.25, lw=0)
        ax.stairs(one.points, edges, color=colour, alpha=0.6, lw=0.8)
        ax.plot(one.x, one.y, color=colour, label=text(one.name))
        top = max(top, float(one.points.max(initial=0.0)), float(one.y.max(initial=0.0)))
    ax.set(xlabel=reference.label, ylabel="Density")
    ax.margins(x=0.0)
    leave_room(ax, 1 if legend else 0, top=top)
    if legend:
        ax.legend(loc="upper center", ncols=2)
