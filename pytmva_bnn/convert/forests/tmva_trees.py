"""The trees of another library as TMVA's."""

from __future__ import annotations

import logging
from collections.abc import Sequence

import numpy as np

from pytmva_bnn._typing import BoolArray, Float32Array, FloatArray, IndexArray
from pytmva_bnn.convert.forests.cuts import LARGEST, cuts, scaled_cuts
from pytmva_bnn.convert.forests.foreign import ForeignForest, ForeignTree, not_possible
from pytmva_bnn.errors import InputError
from pytmva_bnn.methods.bdt.forest import INNER, NO_RESPONSE, NO_VARIABLE, REGRESSION_LEAF, Int32Array, Tree

log = logging.getLogger("pytmva_bnn.convert")

_LARGEST_EXPONENT = 700.0  # exp overflows at 709


def tmva_trees(forest: ForeignForest) -> tuple[list[Tree], list[float]]:
    """Return the trees and their weights."""
    trees, weights = _with_offsets(forest)
    inner = [tree.is_inner for tree in trees]
    features = np.concatenate([tree.feature[is_inner] for tree, is_inner in zip(trees, inner, strict=True)])
    thresholds = np.concatenate([tree.threshold[is_inner] for tree, is_inner in zip(trees, inner, strict=True)])
    _check_splits(forest, features, thresholds)
    if forest.scaling is None:
        all_cuts = cuts(thresholds, forest.splitting)
    else:
        all_cuts = scaled_cuts(thresholds, forest.splitting, features, forest.scaling, forest.n_features)
    ends = np.cumsum([np.count_nonzero(is_inner) for is_inner in inner])
    result = [
        _tmva_tree(forest, tree, is_inner, own)
        for tree, is_inner, own in zip(trees, inner, np.split(all_cuts, ends[:-1]), strict=True)
    ]
    if forest.form == "softmax":
        _check_exponents(forest, result)
    return result, weights


def _with_offsets(forest: ForeignForest) -> tuple[list[ForeignTree], list[float]]:
    trees, offsets = list(forest.trees), list(forest.offsets)
    weights = [1.0] * len(trees) if forest.weights is None else list(forest.weights)
    if forest.form == "sum":
        trees, weights = trees or [ForeignTree.leaf(0.0)], weights or [1.0]
        weights[0] = offsets[0]  # TMVA: the offset of a regression stands as the weight of the first tree
    elif any(offsets) or not trees:
        trees, weights = [*map(ForeignTree.leaf, offsets), *trees], [1.0] * len(offsets) + weights
    return trees, weights


def _check_splits(forest: ForeignForest, features: IndexArray, thresholds: FloatArray) -> None:
    if features.size and (features.min() < 0 or features.max() >= forest.n_features):
        raise InputError(
            f"{forest.origin}: a tree cuts on a feature beyond the {forest.n_features} features of the model"
        )
    on_missing = features[np.isposinf(thresholds)]
    if on_missing.size:
        name = dict(enumerate(forest.feature_names)).get(int(on_missing[0]), f"number {on_missing[0]}")
        raise not_possible(forest.origin, f"a tree asks whether the feature {name} is missing")


def _tmva_tree(forest: ForeignForest, tree: ForeignTree, is_inner: BoolArray, own_cuts: Float32Array) -> Tree:
    cut = np.zeros(len(is_inner), dtype=np.float32)
    cut[is_inner] = own_cuts
    order, right = _pre_order(tree, np.isinf(cut))
    cut, chosen = cut[order], is_inner[order]
    # TMVA: 2/(1 + exp(-2 s)) - 1
    value = tree.value[order] * (0.5 if forest.form == "logistic" else 1.0)
    if np.abs(value[~chosen]).max() > LARGEST:
        raise InputError(f"{forest.origin}: the value of a leaf is too large for a 32-bit float")
    by_purity = forest.form in ("vote", "purity")
    leaf_type = np.where(value > 0.5, 1, -1) if by_purity else REGRESSION_LEAF
    return Tree(
        variable=np.where(chosen, tree.feature[order], NO_VARIABLE).astype(np.int32),
        cut=cut,
        cut_type=np.ones(len(order), dtype=np.int32),
        right=right,
        node_type=np.where(chosen, INNER, leaf_type).astype(np.int32),
        response=np.where(chosen | by_purity, NO_RESPONSE, value).astype(np.float32),
        rms=np.zeros(len(order), dtype=np.float32),
        purity=value.astype(np.float32) if by_purity else np.full(len(order), 0.5, dtype=np.float32),
    )


def _pre_order(tree: ForeignTree, only_left: BoolArray) -> tuple[IndexArray, Int32Array]:
    """Return the numbers of the nodes in pre-order, and the positions of their right daughters there.

    A node of which every event goes left is left out.
    """
    left, right, skipped = tree.left.tolist(), tree.right.tolist(), only_left.tolist()
    order: list[int] = []
    right_daughters: list[int] = []
    waiting = [(0, -1)]
    while waiting:
        node, mother = waiting.pop()
        while skipped[node]:
            node = left[node]
        if mother >= 0:
            right_daughters[mother] = len(order)
        if left[node] >= 0:
            waiting += [(right[node], len(order)), (left[node], -1)]
        order.append(node)
        right_daughters.append(0)
    return np.array(order), np.array(right_daughters, dtype=np.int32)


def _check_exponents(forest: ForeignForest, trees: Sequence[Tree]) -> None:
    reach = [float(np.abs(tree.response[~tree.is_inner]).max()) for tree in trees]
    largest = max(sum(reach[c :: forest.n_classes]) for c in range(forest.n_classes))
    if largest > _LARGEST_EXPONENT:
        log.warning(
            "%s: sums of trees may reach %.3g in size; TMVA's softmax gives NaN beyond 709", forest.origin, largest
        )
