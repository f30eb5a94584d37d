"""The forest in ONNX: the operation TreeEnsemble in float64, and what becomes of the answers of the trees.

Cuts and comparisons are exactly those of ``predict``.  Sums are in float64 as well; onnxruntime may share the trees of
few events between threads and then adds in another order, and its exp is not the C library's: the last digits (1e-15)
may differ.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pytmva_bnn._typing import FloatArray, IndexArray
from pytmva_bnn.methods.answers import OnnxOutputs
from pytmva_bnn.methods.bdt.forest import Forest
from pytmva_bnn.onnxio.graph import F64, I64, ML_DOMAIN, Graph
from pytmva_bnn.reductions.summation import sequential_sum

if TYPE_CHECKING:
    from pytmva_bnn.methods.bdt.fitted import FittedBDT

_AT_OR_ABOVE, _ADDED, _AS_IT_IS = 2, 1, 0  # modes of nodes, aggregations and post-transforms of TreeEnsemble


def onnx_outputs(graph: Graph, fitted: FittedBDT, x: str) -> OnnxOutputs:
    """Append the forest for events ``x`` (n_events, n_variables) in float64."""
    forest, n_outputs = fitted.forest, fitted.n_outputs
    tree_of_node = np.repeat(np.arange(forest.n_trees), np.diff(forest.starts))
    features = _with_fisher_values(graph, forest, x)
    if fitted.combination == "median":
        answers = _ensemble(graph, forest, features, fitted.leaf_answers, tree_of_node, forest.n_trees)
        return OnnxOutputs(_mean_around_median(graph, answers, fitted.tree_weights))
    sums = _ensemble(graph, forest, features, fitted.leaf_values, tree_of_node % n_outputs, n_outputs)
    response = _combined(graph, fitted, sums)
    if fitted.active_preselection is not None:
        for variable, is_upper, cut, answer in fitted.active_preselection.applied():
            applies = graph.op("Greater" if is_upper else "Less", graph.column(x, variable), graph.constant(cut))
            response = graph.op("Where", applies, graph.constant(answer), response)
    return OnnxOutputs(response)


def _combined(graph: Graph, fitted: FittedBDT, sums: str) -> str:
    """Append what becomes of the sums over trees (n_events, n_outputs)."""
    one, two = graph.constant(1.0), graph.constant(2.0)
    match fitted.combination:
        case "softmax":
            powers = graph.op("Exp", sums)
            norm = graph.column(powers, 0)
            for number in range(1, fitted.n_outputs):
                norm = graph.op("Add", norm, graph.column(powers, number))
            return graph.op("Div", powers, norm)
        case "logistic":
            power = graph.op("Exp", graph.op("Mul", sums, graph.constant(-2.0)))
            return graph.op("Sub", graph.op("Div", two, graph.op("Add", one, power)), one)
        case "sum":
            return graph.op("Add", sums, graph.constant(fitted.tree_weights[0]))
    total = fitted.sum_of_weights
    return graph.op("Div", sums, graph.constant(total)) if total else graph.op("Mul", sums, graph.constant(0.0))


def _mean_around_median(graph: Graph, answers: str, weights: FloatArray) -> str:
    """Append the mean of the answers (n_events, n_trees) around their weighted median; see :mod:`.response`."""
    n_trees = len(weights)
    # onnxruntime before 1.31 dies of sorting no events at all: there is always one more, which is dropped at the end
    answers = graph.op("Concat", answers, graph.constant(np.zeros((1, n_trees))), axis=0)
    ordered, order = graph.ops("TopK", 2, answers, graph.constant([n_trees], I64), axis=1, largest=0, sorted=1)
    sums = graph.op("CumSum", graph.op("Gather", graph.constant(weights), order), graph.constant(1, I64))
    half = graph.constant(float(sequential_sum(weights)) / 2.0)
    below = graph.cast(graph.op("LessOrEqual", sums, half), F64)
    count = graph.op("ReduceSum", below, graph.constant([1], I64), keepdims=1)
    middle = graph.op("Min", graph.op("Add", count, graph.constant(1.0)), graph.constant(float(n_trees)))
    side = float(n_trees // 6)
    place = graph.constant(np.arange(n_trees, dtype=F64)[np.newaxis])
    is_inside = graph.op(
        "And",
        graph.op("GreaterOrEqual", place, graph.op("Sub", middle, graph.constant(side + 1.0))),
        graph.op("Less", place, graph.op("Add", middle, graph.constant(side))),
    )
    # a cumulative sum adds in the order of TMVA
    inside = graph.op("CumSum", graph.op("Where", is_inside, ordered, graph.constant(0.0)), graph.constant(1, I64))
    number = graph.op("ReduceSum", graph.cast(is_inside, F64), graph.constant([1], I64), keepdims=1)
    means = graph.op("Div", graph.column(inside, n_trees - 1), number)
    return graph.op("Slice", means, graph.constant([0], I64), graph.constant([-1], I64), graph.constant([0], I64))


def _with_fisher_values(graph: Graph, forest: Forest, x: str) -> str:
    """Return the variables and behind them the linear combinations that nodes cut on, one for each row."""
    if not (forest.fisher_row >= 0).any():
        return x
    values = graph.constant(forest.coefficients[:, -1][np.newaxis])
    for variable in range(forest.coefficients.shape[1] - 1):
        factors = graph.constant(forest.coefficients[:, variable][np.newaxis])
        values = graph.op("Add", values, graph.op("Mul", graph.column(x, variable), factors))
    return graph.joined([x, values])


def _ensemble(
    graph: Graph, forest: Forest, features: str, values: FloatArray, targets: IndexArray, n_targets: int
) -> str:
    """Append the sums (n_events, n_targets) of the leaves' values; values and targets are given for every node."""
    inner = np.flatnonzero(forest.right_node >= 0)
    roots = forest.starts[:-1]
    # a tree has a node at least: where there is none, one is put before the leaf
    single = roots[forest.right_node[roots] < 0]
    number = np.zeros(forest.n_nodes, dtype=np.int64)
    number[inner] = np.arange(len(inner))
    leaves = _ordered_leaves(forest, number)
    root_number = number.copy()
    root_number[single] = len(inner) + np.arange(len(single))
    number[leaves] = np.arange(len(leaves))
    left, right = inner + 1, forest.right_node[inner]
    upwards = forest.cut_type[inner] != 0
    if_passed = np.append(np.where(upwards, right, left), single)
    if_not = np.append(np.where(upwards, left, right), single)
    nothing = np.zeros(len(single))
    # one leaf twice below a root is another leaf to onnxruntime before 1.30: the second is a copy
    if_not_number = np.append(number[if_not[: len(inner)]], len(leaves) + np.arange(len(single)))
    leaves = np.append(leaves, single)
    return graph.op(
        "TreeEnsemble",
        features,
        domain=ML_DOMAIN,
        n_targets=n_targets,
        aggregate_function=_ADDED,
        post_transform=_AS_IT_IS,
        tree_roots=root_number[roots].tolist(),
        nodes_modes=graph.tensor(np.full(len(if_not), _AT_OR_ABOVE), np.uint8),
        nodes_featureids=np.append(_features(forest)[inner], nothing).astype(int).tolist(),
        nodes_splits=graph.tensor(np.append(_cuts(forest)[inner], nothing)),
        nodes_truenodeids=number[if_passed].tolist(),
        nodes_trueleafs=_is_leaf(forest, if_passed).tolist(),
        nodes_falsenodeids=if_not_number.tolist(),
        nodes_falseleafs=_is_leaf(forest, if_not).tolist(),
        leaf_targetids=targets[leaves].tolist(),
        leaf_weights=graph.tensor(values[leaves]),
    )


def _ordered_leaves(forest: Forest, number: IndexArray) -> IndexArray:
    """Return the leaves in an order in which no root has a leaf and another node of the same number below it.

    onnxruntime before 1.24 takes such a root for a leaf.
    """
    leaves = np.flatnonzero(forest.right_node < 0)
    roots = forest.starts[:-1][forest.right_node[forest.starts[:-1]] >= 0]
    daughters = np.stack([roots + 1, forest.right_node[roots]], axis=1)
    is_leaf = forest.right_node[daughters] < 0
    is_mixed = is_leaf.sum(axis=1) == 1
    leaf, other = daughters[is_leaf & is_mixed[:, np.newaxis]], daughters[~is_leaf & is_mixed[:, np.newaxis]]
    bad_shifts = (number[other] - np.searchsorted(leaves, leaf)) % max(len(leaves), 1)
    # each of these trees has two leaves at least and forbids one shift: there is always another one
    return np.roll(leaves, np.setdiff1d(np.arange(len(roots) + 1), bad_shifts)[0])


def _features(forest: Forest) -> IndexArray:
    n_variables = forest.coefficients.shape[1] - 1
    return np.where(forest.fisher_row >= 0, n_variables + forest.fisher_row, forest.variable)


def _cuts(forest: Forest) -> FloatArray:
    cuts = forest.cut.astype(F64)
    # TMVA: a linear combination must exceed its cut, a variable may be equal to it
    return np.where(forest.fisher_row >= 0, np.nextafter(cuts, np.inf), cuts)


def _is_leaf(forest: Forest, nodes: IndexArray) -> IndexArray:
    return (forest.right_node[nodes] < 0).astype(np.int64)
