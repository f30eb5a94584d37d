"""ROC curves, and what a cut on the response keeps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.errors import InputError
from pytmva_bnn.evaluation import BinaryResult, Histogram1D, MulticlassResult, RocCurve
from pytmva_bnn.formula import Formula
from pytmva_bnn.show.plots.canvas import SQUARE, canvas
from pytmva_bnn.show.plots.checks import check_result, class_number, instead
from pytmva_bnn.show.plots.labels import text
from pytmva_bnn.show.plots.style import FAINT, INK, PALETTE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Kind = Literal["rejection", "efficiency", "inverse"]
MOST_CURVE_POINTS = 1500
LEAST_BACKGROUND = 10
"""Background events from which an efficiency can be had: its error is a third."""
MOST_INSIDE = 10
"""Methods whose legend has room among the curves; that of more stands beside them, with a line for each."""
ROUNDS = ("-", "-.", ":")
"""The lines of methods for which there are no more colours."""
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
    its ``"inverse"``, which ends where fewer than ten background events are left.  A result of an
    evaluation stands for its own two curves.

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
    lines = {name: ROUNDS[number // len(PALETTE) % len(ROUNDS)] for number, name in enumerate(curves)}
    ranked = sorted(curves.items(), key=lambda pair: -pair[1].auc)
    many = len(curves) > MOST_INSIDE
    with canvas(ax, (1.5 * SQUARE[0], max(SQUARE[1], 0.2 * len(curves))) if many else SQUARE) as ax:
        for name, curve in ranked:
            trained = training.get(name)
            label = f"{text(name)}: area {curve.auc:.3f}"
            if many and trained is not None:
                label += f" ({trained.auc:.3f})"
            ax.plot(*_points(curve, kind), color=colours[name], ls=lines[name], label=label, zorder=3)
            if trained is not None:
                own = {"lw": 1.1, "label": f"{text(name)}, training: {trained.auc:.3f}"}
                looks: dict[str, Any] = {"lw": 0.5} if many else own
                ax.plot(*_points(trained, kind), color=colours[name], ls="--", zorder=2, **looks)
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
    if kind == "inverse" and curve.background_events is not None:
        enough = curve.background_events >= LEAST_BACKGROUND
        e, r = e[enough], r[enough]
    if len(e) > MOST_CURVE_POINTS:
        chosen = np.unique(np.linspace(0, len(e) - 1, MOST_CURVE_POINTS).astype(int))
        e, r = e[chosen], r[chosen]
    if kind == "rejection":
        return e, r
    if kind == "efficiency":
        return e, 1.0 - r
    seen = (1.0 - r > 1e-12) & (e > 0)
    return e[seen], 1.0 / (1.0 - r[seen])


def _dress(ax: Axes, kind: Kind, xlabel: str, n: int) -> None:
    import matplotlib as mpl  # heavy and optional

    ax.set(xlabel=xlabel, ylabel=_Y_LABELS[kind], xlim=(0.0, 1.0))
    diagonal = np.linspace(0.0, 1.0, 200)
    if kind == "inverse":
        ax.set(yscale="log", ylim=(1.0, None))
        ax.plot(diagonal[1:], 1.0 / diagonal[1:], color=FAINT, lw=0.8, ls=":")
    else:
        ax.set_ylim(0.0, 1.02)
        ax.plot(diagonal, 1.0 - diagonal if kind == "rejection" else diagonal, color=FAINT, lw=0.8, ls=":")
    place: Any = {"rejection": "lower left", "efficiency": "upper left", "inverse": "upper right"}[kind]
    size = float(mpl.rcParams["font.size"]) * (0.83 if n <= 6 else 0.65)
    if n > MOST_INSIDE:
        ax.legend(loc="upper left", bbox_to_anchor=(1.01, 1.0), title="test (training)", fontsize=size)
    elif ax.get_legend_handles_labels()[1]:
        ax.legend(loc=place, fontsize=size)


def multiclass_roc(
    result: MulticlassResult,
    class_name: str | int | None = None,
    against: str | int | None = None,
    *,
    training: bool = False,
    ax: Axes | None = None,
) -> Axes:
    """Draw ROC curves: of all classes against the rest, of one against the rest, or of one against one other."""
    names = check_result(result, MulticlassResult, "multiclass_roc").class_names
    if class_name is None:
        curves = dict(zip(names, result.test.against_rest, strict=True))
        trained = dict(zip(names, result.training.against_rest, strict=True))
        title = f"{result.title}: each class against the rest"
    else:
        i = class_number(result, class_name)
        if against is None:
            pair = (result.test.against_rest[i], result.training.against_rest[i])
            title = f"{names[i]} against the rest"
        else:
            j = class_number(result, against)
            if i == j:
                raise InputError(f"{names[i]} cannot be compared with itself")
            pair = (result.test.against_one[i][j], result.training.against_one[i][j])
            title = f"{names[i]} against {names[j]}"
        curves, trained = {result.title: pair[0]}, {result.title: pair[1]}
    return roc(curves, trained if training else None, xlabel="Efficiency of the class", title=title, ax=ax)


# ---- cuts -----------------------------------------------------------------------------------------------------------

SIZE = (6.8, 5.0)
MOST_CUTS = 1000


def efficiencies(
    result: BinaryResult,
    n_signal: float = 1000.0,
    n_background: float = 1000.0,
    *,
    formula: str = "S/sqrt(S+B)",
    ax: Axes | None = None,
) -> Axes:
    """Draw what a cut keeps of expected numbers of events, and where the significance is largest.

    ``formula`` is any function of the numbers S and B that pass.
    """
    result = check_result(result, BinaryResult, "efficiencies")
    signal, background = result.test.signal, result.test.background
    return efficiencies_of(signal, background, n_signal, n_background, formula=formula, title=result.title, ax=ax)


def significance(
    signal: Histogram1D, background: Histogram1D, n_signal: float, n_background: float, formula: str = "S/sqrt(S+B)"
) -> FloatArray:
    """Return the significance of each cut, 0 where it does not exist."""
    if n_signal <= 0 or n_background <= 0:
        raise InputError(
            f"the numbers of events must be positive for a significance, got {n_signal} and {n_background}"
        )
    kept = {"S": n_signal * signal.values.astype(np.float64), "B": n_background * background.values.astype(np.float64)}
    with np.errstate(all="ignore"):
        found = np.asarray(Formula(formula).evaluate(kept), dtype=np.float64)
    return np.where(np.isfinite(found), found, 0.0)


def efficiencies_of(
    signal: Histogram1D,
    background: Histogram1D,
    n_signal: float = 1000.0,
    n_background: float = 1000.0,
    *,
    formula: str = "S/sqrt(S+B)",
    title: str = "",
    ax: Axes | None = None,
) -> Axes:
    """Draw the same from the efficiency histograms ``MVA_T_effS`` and ``MVA_T_effB``."""
    cuts = signal.centres
    e_s, e_b = signal.values.astype(np.float64), background.values.astype(np.float64)
    sums = n_signal * e_s + n_background * e_b
    purity = np.where(sums > 0, n_signal * e_s / np.where(sums > 0, sums, 1.0), np.nan)
    found = significance(signal, background, n_signal, n_background, formula)
    best = int(np.argmax(found))
    few = np.unique(np.linspace(0, len(cuts) - 1, MOST_CUTS).astype(int))
    with canvas(ax, SIZE) as ax:
        for values, label, colour, dashes in (
            (e_s, "Signal efficiency", PALETTE[0], "-"),
            (e_b, "Background efficiency", PALETTE[1], "-"),
            (purity, "Signal purity", PALETTE[0], "--"),
            (e_s * purity, "Efficiency × purity", PALETTE[3], ":"),
        ):
            ax.plot(cuts[few], values[few], color=colour, ls=dashes, label=label)
        right = ax.twinx()
        ax.tick_params(axis="y", which="both", right=False)
        largest = float(found[best])
        (line,) = right.plot(cuts[few], found[few], color=PALETTE[6], lw=2.0, label=_written(formula))
        right.axvline(cuts[best], color=INK, lw=0.9, ls=(0, (4, 3)))
        right.plot([cuts[best]], [largest], "o", color=PALETTE[6], mec="black", ms=6)
        right.set_ylim(0.0, 1.1 * largest if largest > 0 else 1.0)
        right.set_ylabel(f"Significance {_written(formula)}", color=PALETTE[6])
        right.tick_params(axis="y", which="both", colors=PALETTE[6], right=True, left=False, labelright=True)
        ax.set(ylim=(0.0, 1.1), xlim=(signal.x_min, signal.x_max), ylabel="Efficiency, purity")
        ax.set_xlabel(f"Cut on the response of {text(title)}" if title else "Cut on the response")
        ax.set_title(
            f"{n_signal:g} signal, {n_background:g} background events: "
            f"largest {_written(formula)} = {largest:.2f} at {cuts[best]:.3f}",
            fontsize="small",
        )
        handles, names = ax.get_legend_handles_labels()
        ax.legend(
            [*handles, line], [*names, _written(formula)], loc="upper center", bbox_to_anchor=(0.5, -0.14), ncols=3
        )
    return ax


def _written(formula: str) -> str:
    known = {"S/sqrt(S+B)": r"$S/\sqrt{S+B}$", "S/sqrt(B)": r"$S/\sqrt{B}$", "S/B": r"$S/B$"}
    return known.get(formula.replace(" ", ""), text(formula))
