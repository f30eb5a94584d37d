"""What a linear method has learnt: the coefficients of its variables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from pytmva_bnn.errors import InputError
from pytmva_bnn.methods.linear.coefficients import FittedCoefficients
from pytmva_bnn.model import Model
from pytmva_bnn.show.plots.canvas import canvas
from pytmva_bnn.show.plots.labels import text, wrapped
from pytmva_bnn.show.plots.style import BACKGROUND, INK, SIGNAL

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WIDEST_NAME = 150.0


def coefficients(
    method: Model | FittedCoefficients,
    inputs: Sequence[str] = (),
    *,
    output: int = 0,
    title: str = "",
    ax: Axes | None = None,
) -> Axes:
    """Draw the coefficients of a Fisher discriminant or an LD as bars, those below zero in the colour of background.

    ``inputs`` are the titles of the variables, which a model knows by itself; ``output`` is the number of the target of
    a regression.  The sizes of bars can be compared if the variables have the same scale, e.g. after VarTransform=N.
    """
    fitted = method.fitted if isinstance(method, Model) else method
    if isinstance(method, Model):
        inputs, title = inputs or [variable.title for variable in method.variables], title or method.title
    if not isinstance(fitted, FittedCoefficients):
        raise InputError(f"{method!r} has no coefficients to draw; only Fisher and LD do")
    offset, *factors = fitted.coefficients[output].tolist()
    n = len(factors)
    names = list(inputs) or [f"variable {i}" for i in range(n)]
    with canvas(ax, (7.2, float(np.clip(1.7 + 0.42 * n, 2.7, 12.0)))) as ax:
        colours = [SIGNAL if factor >= 0.0 else BACKGROUND for factor in factors]
        ax.barh(range(n), factors, color=colours, alpha=0.75, height=0.62)
        ax.axvline(0.0, color=INK, lw=0.9)
        for place, factor in enumerate(factors):
            # beside the frame: next to the bars there may be no room for it
            ax.annotate(
                f"{factor:+.4g}", (1.02, place), xycoords=ax.get_yaxis_transform(), va="center", fontsize="small"
            )
        ax.set_yticks(range(n), [wrapped(text(name), WIDEST_NAME, "small") for name in names])
        ax.tick_params(axis="y", which="both", left=False, right=False)
        ax.invert_yaxis()  # the first variable on top
        ax.margins(x=0.06)
        ax.set_xlabel("Coefficient")
        words = f"Coefficients: {text(title)}" if title else "Coefficients"
        ax.set_title(f"{words} (constant {offset:+.4g})")
    return ax
