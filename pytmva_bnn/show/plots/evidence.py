"""What the evidence says: how many hidden neurons, and which inputs matter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from pytmva_bnn.errors import InputError
from pytmva_bnn.factory.architecture import ArchitectureChoice
from pytmva_bnn.methods.mlp.training import Evidence
from pytmva_bnn.show.plots.canvas import canvas
from pytmva_bnn.show.plots.labels import text, wrapped
from pytmva_bnn.show.plots.style import FAINT, PALETTE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WIDEST_NAME = 150.0


def evidence(choice: ArchitectureChoice | Mapping[str, float], *, ax: Axes | None = None) -> Axes:
    """Draw the log evidence of the architectures that were tried, relative to the best.

    >>> from pytmva_bnn.show import plots
    >>> ax = plots.evidence(TMVA.select_architecture(loader, [2, 4, 8]))  # doctest: +SKIP
    """
    if isinstance(choice, ArchitectureChoice):
        found = {one.hidden_layers: one.log_evidence for one in choice}
    else:
        found = {str(name): float(value) for name, value in choice.items()}
    usable = {name: value for name, value in found.items() if np.isfinite(value)}
    if not usable:
        raise InputError("none of the architectures has a finite evidence (a regulator of 0 makes it -inf)")
    best = max(usable, key=lambda name: usable[name])
    names = list(found)
    y = np.array([found[name] - usable[best] if name in usable else np.nan for name in names])
    with canvas(ax) as ax:
        ax.axhline(0.0, color=FAINT, lw=0.8, ls=":")
        ax.plot(range(len(names)), y, color=PALETTE[0], marker="o", ms=6, mec="black", mew=0.6)
        ax.plot([names.index(best)], [0.0], "*", color=PALETTE[2], mec="black", mew=0.7, ms=15, label=f"best: {best}")
        spread = max(-float(np.nanmin(y)), 1.0)
        ax.set_ylim(-1.12 * spread, 0.22 * spread)
        ax.set_xlim(-0.5, len(names) - 0.5)
        ax.set_xticks(range(len(names)), [text(name) for name in names])
        ax.tick_params(axis="x", which="minor", bottom=False, top=False)
        ax.set_xlabel("Hidden neurons")
        ax.set_ylabel("Log evidence − best")
        ax.set_title(f"Evidence (best: ln P(D) = {usable[best]:.2f})")
        ax.legend(loc="upper right")
    return ax


def relevance(found: Evidence, inputs: Sequence[str] = (), *, title: str = "", ax: Axes | None = None) -> Axes:
    """Draw the width of the prior of the weights of each input, 1/√regulator: a short bar is an input not needed.

    ``inputs`` are the titles of the variables, to be shown instead of the names they were trained with.  The number of
    effective parameters of each input is written at its bar.

    >>> from pytmva_bnn.show import plots
    >>> ax = plots.relevance(method.evidence)  # doctest: +SKIP
    """
    n = sum(name.startswith("input ") and name != "input bias" for name in found.names)
    names = found.group_names(tuple(inputs))[:n]
    regulators = np.asarray(found.regulators[:n], dtype=np.float64)
    with np.errstate(divide="ignore"):
        width = 1.0 / np.sqrt(regulators)
    finite = width[np.isfinite(width)]
    longest = float(finite.max()) if finite.size else 1.0
    order = np.argsort(width)
    with canvas(ax, (7.2, float(np.clip(1.5 + 0.42 * n, 2.6, 12.0)))) as ax:
        shown = np.where(np.isfinite(width), width, 1.1 * longest)
        ax.barh(range(n), shown[order], color=PALETTE[0], alpha=0.75, height=0.62)
        for place, k in enumerate(order.tolist()):
            words = f"α = {regulators[k]:.3g}, {found.effective[k]:.1f} of {found.group_sizes[k]} effective"
            # beside the frame: next to the bars there may be no room for it
            ax.annotate(words, (1.02, place), xycoords=ax.get_yaxis_transform(), va="center", fontsize="small")
        ax.set_yticks(range(n), [wrapped(text(names[k]), WIDEST_NAME, "small") for k in order.tolist()])
        ax.tick_params(axis="y", which="both", left=False, right=False)
        ax.set_xlim(0.0, 1.08 * float(shown.max(initial=1e-300)))
        ax.set_xlabel(r"Prior width of the weights, $1/\sqrt{\alpha}$")
        ax.set_title(f"Relevance of the inputs: {text(title)}" if title else "Relevance of the inputs")
    return ax
