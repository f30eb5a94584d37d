"""What the training of a forest leaves in the output file: tree by tree, and snapshots of the boosting."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import DTypeLike, NDArray

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.histograms import Axis, Histogram1D, Histogram2D
from pytmva_bnn.histograms.entries import Entry, NamedGraph, NamedHistogram, Table
from pytmva_bnn.tmva_types import AnalysisType

if TYPE_CHECKING:
    from pytmva_bnn.methods.bdt.fitted import FittedBDT
    from pytmva_bnn.methods.bdt.training.result import BoostSnapshot, TrainingResult

BY_TREE = "#tree"
_NOT_MONITORED = ("Grad", "Bagging")


def monitoring(fitted: FittedBDT, dataset: str) -> Iterator[Entry]:
    """Yield the entries of the method's folder; nothing of a forest that was not just trained."""
    result = fitted.result
    if result is None:
        return
    if fitted.analysis == AnalysisType.MULTICLASS:
        yield _tuples(np.empty(0), np.empty(0))  # TMVA: books it, and fills nothing
        return
    yield _tuples(result.monitored_weights, result.error_fractions)
    is_regression = fitted.analysis == AnalysisType.REGRESSION
    title = "Boost event weights distribution" if is_regression else "AdaBooost weight distribution"  # TMVA: so spelt
    yield NamedHistogram(f"{dataset}_BoostWeight", title, result.boost_histogram, "boost weight")
    if result.snapshots:
        yield from _roc_integrals(result)
    is_monitored = fitted.boost_type not in _NOT_MONITORED
    weights = shown_weights(fitted, result) if is_monitored else np.empty(0)
    errors = result.error_fractions if is_monitored else np.empty(0)
    for name, title, what, values, kind in (
        ("BoostWeightVsTree", "Boost weights vs tree", "boost weight", weights, np.float32),
        ("ErrFractHist", "error fraction vs tree number", "error fraction", errors, np.float32),
        (f"{dataset}_NodesBeforePruning", "nodes before pruning", "#tree nodes", result.nodes_before_pruning, np.int32),
        (f"{dataset}_NodesAfterPruning", "nodes after pruning", "#tree nodes", result.nodes_after_pruning, np.int32),
    ):
        yield NamedHistogram(name, title, _by_tree(values, result.n_requested, kind), BY_TREE, what)
    for snapshot in result.snapshots:
        yield from _snapshot(snapshot)


def shown_weights(fitted: FittedBDT, result: TrainingResult) -> FloatArray:
    """Return what TMVA draws against the number of the tree: the boost weight, of AdaBoostR2 1/β."""
    if fitted.boost_type != "AdaBoostR2":
        return result.monitored_weights
    with np.errstate(divide="ignore"):
        return 1.0 / result.monitored_weights


def _tuples(weights: FloatArray, errors: FloatArray) -> Table:
    numbers = np.arange(len(weights), dtype=np.int32)
    return Table("MonitorNtuple", {"iTree": numbers, "boostWeight": weights, "errorFraction": errors}, "BDT variables")


def _by_tree(values: NDArray[np.generic], n_trees: int, dtype: DTypeLike) -> Histogram1D:
    """Return a histogram whose bins were set one by one; those of trees that were not grown stay 0."""
    histogram = Histogram1D.empty(Axis(n_trees, 0.0, float(n_trees)), dtype=dtype)
    histogram.values[: len(values)] = values[:n_trees]
    histogram.entries = float(len(values))
    return histogram


def _roc_integrals(result: TrainingResult) -> Iterator[Entry]:
    # TMVA: the frame in which its macro draws the graph
    frame = Histogram2D.empty(Axis(2, 0.0, float(result.n_requested)), Axis(2, 0.0, 1.05), dtype=np.float32)
    yield NamedHistogram("BoostMonitor", "ROC Integral Vs iTree", frame, BY_TREE, "ROC Integral")
    n_trees = np.array([snapshot.tree + 1.0 for snapshot in result.snapshots])
    integrals = np.array([snapshot.roc_integral for snapshot in result.snapshots])
    yield NamedGraph("BoostMonitorGraph", "ROCIntegralVsNTrees", n_trees, integrals)


def _snapshot(snapshot: BoostSnapshot) -> Iterator[NamedHistogram]:
    for number, pair in enumerate(snapshot.variables):
        for start, histogram in zip(("Sig", "Bkg"), pair, strict=True):
            name = f"{start}Var{number}AtTree{snapshot.tree}"
            yield NamedHistogram(name, name, histogram)
    for letter, histogram in zip("SB", snapshot.boost_weights, strict=True):
        name = f"BoostWeightsInTree{letter}{snapshot.tree}"
        yield NamedHistogram(name, name, histogram)
