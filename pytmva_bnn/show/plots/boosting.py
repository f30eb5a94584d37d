"""How a forest was boosted, tree by tree: weights, errors, sizes of the trees, and what more trees gain."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.errors import InputError
from pytmva_bnn.factory import MethodBase
from pytmva_bnn.methods.bdt.fitted import FittedBDT
from pytmva_bnn.methods.bdt.training.result import TrainingResult
from pytmva_bnn.methods.composite.boost_fitted import FittedBoost
from pytmva_bnn.model import Model
from pytmva_bnn.show.plots.canvas import WIDE, canvas, panels
from pytmva_bnn.show.plots.labels import text
from pytmva_bnn.show.plots.style import FAINT, PALETTE

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure

MOST_MARKED = 60
FEW = 20
_UNWEIGHTED = ("Grad", "Bagging")


@dataclass(frozen=True, eq=False)
class Boosting:
    """What is known of each tree of a forest; None is not known, or not there.

    ``weights`` are those of the trees in the response, ``error_fractions`` those of the training events that a tree
    gets wrong (regression: their loss); ``nodes_before`` and ``nodes`` are the numbers of nodes before and after
    pruning; ``roc`` are numbers of trees and the ROC integrals of the test events with so many (DoBoostMonitor).
    ``unit``: what is boosted, if not trees.
    """

    weights: FloatArray | None = None
    error_fractions: FloatArray | None = None
    nodes_before: NDArray[np.int32] | None = None
    nodes: NDArray[np.int32] | None = None
    roc: tuple[FloatArray, FloatArray] | None = None
    unit: str = "tree"

    @classmethod
    def of(cls, fitted: FittedBDT, result: TrainingResult | None = None) -> Boosting:
        """Return what a forest tells, and the result of its training if there is one."""
        forest = fitted.forest
        # trees of some count all the same; one that stopped the boosting at once has the weight 0
        is_weighted = fitted.boost_type not in _UNWEIGHTED and bool(forest.boost_weights.any())
        weights = forest.boost_weights if is_weighted else None
        nodes = np.diff(forest.starts).astype(np.int32)
        if result is None:
            return cls(weights, nodes=nodes)
        roc = None
        if result.snapshots:
            numbers = np.array([one.tree + 1.0 for one in result.snapshots])
            roc = numbers, np.array([one.roc_integral for one in result.snapshots])
        errors = result.error_fractions if weights is not None and result.error_fractions.any() else None
        return cls(weights, errors, result.nodes_before_pruning, result.nodes_after_pruning, roc)

    @property
    def n_trees(self) -> int:
        """Return the number of trees, 0 if it is not known."""
        return max((len(one) for one in (self.weights, self.nodes) if one is not None), default=0)


Boosted = Boosting | Model | MethodBase | FittedBDT | FittedBoost
"""A trained method or the model of its weight file."""


def boosting_of(given: Boosted, call: str) -> tuple[Boosting, str]:
    """Return what is known of the boosting, and the title of the method."""
    if isinstance(given, Boosting):
        return given, ""
    fitted: Any = given.model.fitted if isinstance(given, MethodBase) else getattr(given, "fitted", given)
    if isinstance(fitted, FittedBoost):
        is_weighted = fitted.boost_type != "Bagging"
        known = Boosting(fitted.weights if is_weighted else None, fitted.errors, unit="classifier")
        return known, getattr(given, "title", "")
    if not isinstance(fitted, FittedBDT):
        raise InputError(f"{call} draws how a forest of decision trees was boosted, not {given!r}")
    result = given.result if isinstance(given, MethodBase) else fitted.result
    return Boosting.of(fitted, result), getattr(given, "title", "")


def boosting(forest: Boosted, *, title: str = "", fig: Figure | SubFigure | None = None) -> Any:
    """Draw the weights of the trees and, after a training, their errors, and return the figure.

    ``forest`` is a model, or a trained method, which knows more.

    >>> from pytmva_bnn.show import plots
    >>> fig = plots.boosting(method)  # doctest: +SKIP
    """
    known, own = boosting_of(forest, "boosting")
    if known.weights is None:
        raise InputError(f"every {known.unit} has the same weight (boosting of type Bagging or Grad)")
    shown = [(f"Weight of the {known.unit}", known.weights)]
    if known.error_fractions is not None:
        shown.append(("Error fraction", known.error_fractions))
    with panels(fig, len(shown), 1, (WIDE[0], 2.6)) as (figure, axes):
        for ax, (label, values), colour in zip(axes, shown, PALETTE, strict=False):
            numbers = np.arange(len(values))
            ax.plot(numbers, values, color=colour, marker="o" if len(values) <= MOST_MARKED else "", ms=3)
            ax.set_ylabel(label)
            _count_trees(ax, len(values))
            finite = values[np.isfinite(values)]
            ax.set_ylim(1.12 * float(finite.min(initial=0.0)), 1.12 * float(finite.max(initial=0.0)) or 1.0)
        if len(axes) == 2:
            axes[1].axhline(0.5, color=FAINT, lw=0.8, ls=":")  # a tree that is no better than guessing
            axes[0].tick_params(labelbottom=False)
        axes[-1].set_xlabel(known.unit.capitalize())
        name = text(title or own)
        axes[0].set_title(f"Boosting: {name}" if name else "Boosting")
    return figure


def tree_sizes(forest: Boosted, *, title: str = "", ax: Axes | None = None) -> Axes:
    """Draw the number of nodes of each tree, before and after pruning if they differ."""
    known, own = boosting_of(forest, "tree_sizes")
    if known.nodes is None:
        raise InputError("the numbers of nodes are not known")
    before = known.nodes_before
    is_pruned = before is not None and not np.array_equal(before, known.nodes)
    with canvas(ax, WIDE) as ax:
        if before is not None and is_pruned:
            ax.stairs(before, np.arange(len(before) + 1) - 0.5, color=PALETTE[1], lw=1.4, label="before pruning")
        ax.stairs(
            known.nodes,
            np.arange(len(known.nodes) + 1) - 0.5,
            fill=True,
            color=PALETTE[0],
            alpha=0.55,
            label="after pruning" if is_pruned else "nodes",
        )
        most = max(float(one.max(initial=0)) for one in (known.nodes, before) if one is not None)
        _count_trees(ax, len(known.nodes))
        ax.set(ylim=(0.0, 1.25 * most or 1.0), xlabel="Tree", ylabel="Nodes")
        name = text(title or own)
        ax.set_title(f"Sizes of the trees: {name}" if name else "Sizes of the trees")
        if is_pruned:
            ax.legend(loc="upper right", ncols=2)
    return ax


def boost_monitor(forest: Boosted, *, title: str = "", ax: Axes | None = None) -> Axes:
    """Draw the ROC integral of the test events against the number of trees (option DoBoostMonitor)."""
    known, own = boosting_of(forest, "boost_monitor")
    if known.roc is None:
        raise InputError("the boosting was not monitored: train a classification with the option DoBoostMonitor")
    n_trees, integrals = known.roc
    with canvas(ax, WIDE) as ax:
        ax.plot(n_trees, integrals, color=PALETTE[0], marker="o", ms=4)
        best = int(np.nanargmax(integrals))
        words = f"largest: {integrals[best]:.3f} with {n_trees[best]:.0f} trees"
        ax.plot(n_trees[best], integrals[best], "*", color=PALETTE[2], mec="black", mew=0.7, ms=14, label=words)
        low, high = float(np.nanmin(integrals)), float(np.nanmax(integrals))
        room = 0.15 * (high - low) or 0.05
        ax.set(xlim=(0.0, 1.04 * float(n_trees.max())), ylim=(low - room, high + 2 * room))
        ax.set(xlabel="Number of trees", ylabel="ROC integral (test events)")
        name = text(title or own)
        ax.set_title(f"Boost monitor: {name}" if name else "Boost monitor")
        ax.legend(loc="lower right")
    return ax


def _count_trees(ax: Axes, n_trees: int) -> None:
    """Let the x axis count trees from 0."""
    from matplotlib.ticker import MaxNLocator  # heavy and optional

    ax.set_xlim(-0.5, max(n_trees, 2) - 0.5)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True, steps=[1, 2, 5, 10]))
    if n_trees <= FEW:
        ax.tick_params(axis="x", which="minor", bottom=False, top=False)
