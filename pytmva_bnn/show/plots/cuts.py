"""Efficiency, purity and significance as functions of the cut on the response."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.errors import InputError
from pytmva_bnn.evaluation import BinaryResult, Histogram1D
from pytmva_bnn.formula import Formula
from pytmva_bnn.show.plots.canvas import canvas
from pytmva_bnn.show.plots.checks import check_result
from pytmva_bnn.show.plots.labels import text
from pytmva_bnn.show.plots.style import INK, PALETTE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SIZE = (6.8, 5.0)
MOST_POINTS = 1000


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

    >>> from pytmva_bnn.show import plots
    >>> ax = plots.efficiencies(result, n_signal=200, n_background=5000)  # doctest: +SKIP
    """
    result = check_result(result, BinaryResult, "efficiencies")
    signal, background = result.test.signal, result.test.background
    return efficiencies_of(signal, background, n_signal, n_background, formula=formula, title=result.title, ax=ax)


def significance(
    signal: Histogram1D, background: Histogram1D, n_signal: float, n_background: float, formula: str = "S/sqrt(S+B)"
) -> FloatArray:
    """Return the significance of each cut, 0 where it does not exist.

    >>> from pytmva_bnn.evaluation.histograms import from_contents
    >>> s, b = from_contents([1.0, 0.5], 0.0, 1.0), from_contents([1.0, 0.0], 0.0, 1.0)
    >>> significance(s, b, 100.0, 300.0).round(3).tolist()
    [5.0, 7.071]
    """
    if n_signal <= 0 or n_background <= 0:
        raise InputError(
            f"the numbers of events must be positive for a significance, got {n_signal} and {n_background}"
        )
    kept = {
        "S": n_signal * signal.values.astype(np.float64),
        "B": n_background * background.values.astype(np.float64),
    }
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
    few = np.unique(np.linspace(0, len(cuts) - 1, MOST_POINTS).astype(int))
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
        ax.set_ylim(0.0, 1.1)
        ax.set_xlim(signal.x_min, signal.x_max)
        ax.set_xlabel(f"Cut on the response of {text(title)}" if title else "Cut on the response")
        ax.set_ylabel("Efficiency, purity")
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
