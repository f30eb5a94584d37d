"""ROC curves of one or several methods."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.errors import InputError
from pytmva_bnn.evaluation import BinaryResult, RocCurve
from pytmva_bnn.show.plots.canvas import SQUARE, canvas
from pytmva_bnn.show.plots.checks import instead
from pytmva_bnn.show.plots.labels import text
from pytmva_bnn.show.plots.style import FAINT, PALETTE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Kind = Literal["rejection", "efficiency", "inverse"]
MOST_POINTS = 1500
_Y_LABELS = {
    "rejection": "Background rejection (1 − eff.)",
    "efficiency": "Background efficiency",
    "inverse": "1 / background efficiency",
}


def roc(
    curves: Mapping[str, RocCurve] | BinaryResult,
    training: Mapping[str, RocCurve] | None = None,
    *,
    kind: Kind = "rejection",
    xlabel: str = "Signal efficiency",
    title: str = "",
    ax: Axes | None = None,
) -> Axes:
    """Draw curves by name, those of ``training`` dashed in the same colours; the legend has the areas, best first.

    ``kind`` is what is drawn against the signal efficiency: background ``"rejection"``, background ``"efficiency"`` or
    its ``"inverse"``.  A result of an evaluation stands for its own two curves.

    >>> from pytmva_bnn.show import plots
    >>> ax = plots.roc({"MLP": result.roc, "BNN": other.roc})  # doctest: +SKIP
    """
    if isinstance(curves, BinaryResult):
        result = curves
        curves = {result.title: result.roc}
        training = {result.title: result.training_roc} if training is None else training
    curves, training = _checked(curves), _checked(training or {})
    # in the order given and not of the areas: a method or class has the same colour on all plots
    colours = {name: PALETTE[number % len(PALETTE)] for number, name in enumerate(curves)}
    ranked = sorted(curves.items(), key=lambda pair: -pair[1].auc)
    with canvas(ax, SQUARE) as ax:
        for name, curve in ranked:
            colour = colours[name]
            ax.plot(*_points(curve, kind), color=colour, label=f"{text(name)}: area {curve.auc:.3f}", zorder=3)
            trained = training.get(name)
            if trained is not None:
                label = f"{text(name)}, training: {trained.auc:.3f}"
                ax.plot(*_points(trained, kind), color=colour, ls="--", lw=1.1, label=label, zorder=2)
        _dress(ax, kind, xlabel, len(ranked))
        ax.set_title(text(title))
    return ax


def _checked(curves: object) -> Mapping[str, RocCurve]:
    if not isinstance(curves, Mapping):
        raise InputError(f"roc draws the result of a classification or ROC curves by name, {instead(curves)}")
    for name, curve in curves.items():
        if not isinstance(curve, RocCurve):
            kind = type(curve).__name__
            raise InputError(f"roc draws ROC curves by name, {name!r} is {kind}; give e.g. {{{name!r}: result.roc}}")
    return curves


def _points(curve: RocCurve, kind: Kind) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    e, r = curve.sensitivity, curve.specificity
    if len(e) > MOST_POINTS:
        chosen = np.unique(np.linspace(0, len(e) - 1, MOST_POINTS).astype(int))
        e, r = e[chosen], r[chosen]
    if kind == "rejection":
        return e, r
    if kind == "efficiency":
        return e, 1.0 - r
    seen = (1.0 - r > 1e-12) & (e > 0)
    return e[seen], 1.0 / (1.0 - r[seen])


def _dress(ax: Axes, kind: Kind, xlabel: str, n: int) -> None:
    import matplotlib as mpl  # heavy and optional

    ax.set_xlabel(xlabel)
    ax.set_ylabel(_Y_LABELS[kind])
    ax.set_xlim(0.0, 1.0)
    diagonal = np.linspace(0.0, 1.0, 200)
    if kind == "inverse":
        ax.set_yscale("log")
        ax.set_ylim(1.0, None)
        ax.plot(diagonal[1:], 1.0 / diagonal[1:], color=FAINT, lw=0.8, ls=":")
    else:
        ax.set_ylim(0.0, 1.02)
        ax.plot(diagonal, 1.0 - diagonal if kind == "rejection" else diagonal, color=FAINT, lw=0.8, ls=":")
    place: Any = {"rejection": "lower left", "efficiency": "upper left", "inverse": "upper right"}[kind]
    size = float(mpl.rcParams["font.size"]) * (0.83 if n <= 6 else 0.65)
    if ax.get_legend_handles_labels()[1]:
        ax.legend(loc=place, fontsize=size)
