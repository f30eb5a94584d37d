"""How a forest is shown: its trees, how they were boosted, and which variables they cut on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.methods.bdt.fitted import FittedBDT
from pytmva_bnn.methods.bdt.inspection import cuts_by_variable
from pytmva_bnn.methods.bdt.training.result import TrainingResult
from pytmva_bnn.show.plots.boosting import Boosting, boost_monitor, boosting, tree_sizes
from pytmva_bnn.show.plots.content import (
    Content,
    Facts,
    MethodContent,
    Numbers,
    described,
    drawings,
    tabulated,
    training_facts,
)
from pytmva_bnn.show.plots.decision_tree import decision_tree
from pytmva_bnn.show.plots.plot import Plot
from pytmva_bnn.show.plots.rankings import cut_bars

if TYPE_CHECKING:
    from pytmva_bnn.show.report.root_file import Directory

BOOSTING, TREES = "Boosting", "Decision trees"
TREES_SHOWN = 3
MOST_ROWS = 20
ENDED_BY = {"number of trees": "all trees grown", "boosting": "boosting stopped", "interrupt": "interrupted"}


@described.register
def _(fitted: FittedBDT) -> Facts:
    forest = fitted.forest
    return [
        ("Boosting", fitted.boost_type),
        ("Trees", forest.n_trees),
        ("Nodes", forest.n_nodes),
        ("Depth", int(forest.tree_depths.max(initial=0))),
    ]


@training_facts.register
def _(result: TrainingResult) -> Facts:
    n_trees = len(result.nodes_after_pruning)
    how = ENDED_BY[result.stopped_by]
    return [("Ended", how if result.stopped_by == "number of trees" else f"{how} after {n_trees} trees")]


@training_facts.register
def _(known: Boosting) -> Facts:
    facts = [("Trees", known.n_trees), ("Nodes", 0 if known.nodes is None else int(known.nodes.sum()))]
    return [fact for fact in facts if fact[1]]


@tabulated.register
def _(fitted: FittedBDT, names: Sequence[str] = ()) -> Iterator[Numbers]:
    rows = [(one["variable"], one["cuts"], f"{one['fraction']:.1%}") for one in cuts_by_variable(fitted, names)]
    left = len(rows) - MOST_ROWS
    more = [(f"and {left} more", None, None)] if left > 0 else []
    yield Numbers(
        headings=("Variable", "Cuts", "Share, with the weights of the trees"), rows=[*rows[:MOST_ROWS], *more]
    )


# ---- plots --------------------------------------------------------------------------------------------------


@drawings.register
def _(fitted: FittedBDT, content: Content, m: MethodContent) -> Iterator[tuple[str, Plot]]:
    result = m.training if isinstance(m.training, TrainingResult) else None
    yield from drawings(Boosting.of(fitted, result), content, m)
    words = f"Variables in the cuts of the trees of {m.title}"
    yield TREES, Plot(f"cuts_{m.title}", words, partial(cut_bars, fitted, content.input_names, title=m.title))
    if m.model is None:
        return
    for number in range(min(TREES_SHOWN, fitted.forest.n_trees)):
        draw = partial(decision_tree, m.model, number)
        words = f"Tree {number} of {m.title}: events go on to 'yes', the first daughter, if they pass the cut"
        yield TREES, Plot(f"decision_tree_{number}_{m.title}", words, draw)


@drawings.register
def _(known: Boosting, content: Content, m: MethodContent) -> Iterator[tuple[str, Plot]]:
    del content
    t = m.title
    if known.weights is not None:
        what = "Weights of the trees" + ("" if known.error_fractions is None else ", and the errors they come from")
        yield BOOSTING, Plot(f"boosting_{t}", f"{what}: {t}", partial(boosting, known, title=t))
    if known.nodes is not None:
        words = f"Nodes of each tree of {t}"
        yield BOOSTING, Plot(f"tree_sizes_{t}", words, partial(tree_sizes, known, title=t))
    if known.roc is not None:
        words = f"ROC integral of {t} for test events, by number of trees"
        yield BOOSTING, Plot(f"boost_monitor_{t}", words, partial(boost_monitor, known, title=t))


# ---- output file --------------------------------------------------------------------------------------------


def read_folder(folder: Directory, title: str) -> tuple[None, Boosting | None]:
    """Return what the folder has of the boosting; the trees themselves are in the weight file only."""
    del title
    before, after = (_nodes(folder, ending) for ending in ("NodesBeforePruning", "NodesAfterPruning"))
    monitored = folder.columns("MonitorNtuple")
    grown = [int(np.count_nonzero(one)) for one in (before, after) if one is not None]
    n_trees = max([*grown, len(monitored.get("iTree", ()))])
    if not n_trees:
        return None, None
    weights, errors = (_by_tree(folder, name, n_trees) for name in ("BoostWeightVsTree", "ErrFractHist"))
    inverse = monitored.get("boostWeight", np.empty(0))
    if weights is not None and weights.shape == inverse.shape and np.allclose(weights * inverse, 1.0):
        # TMVA: of AdaBoostR2 the histogram has 1/β; the weight of the tree is its logarithm
        weights = np.log(weights)
    trees = slice(n_trees)
    return None, Boosting(
        weights,
        errors,
        None if before is None else before[trees],
        None if after is None else after[trees],
        folder.points("BoostMonitorGraph"),
    )


def _nodes(folder: Directory, ending: str) -> NDArray[np.int32] | None:
    # since ROOT 6.08 their names begin with that of the data set
    name = next((name for name in folder.names if name.endswith(ending)), "")
    h = folder.histogram(name)
    return None if h is None or not h.values.any() else h.values.astype(np.int32)


def _by_tree(folder: Directory, name: str, n_trees: int) -> FloatArray | None:
    h = folder.histogram(name)
    # TMVA: leaves them empty unless the boosting weights the trees
    return None if h is None or not h.values.any() else h.values[:n_trees].astype(np.float64)
