"""Pruning of a grown tree: by expected errors or by cost complexity."""

from __future__ import annotations

import math

import numpy as np

from pytmva_bnn._typing import FloatArray, IndexArray
from pytmva_bnn.methods.bdt.forest import Forest
from pytmva_bnn.methods.bdt.response import leaf_numbers
from pytmva_bnn.methods.bdt.training.grown import GrownTree
from pytmva_bnn.methods.bdt.training.sample import BoostSample
from pytmva_bnn.methods.bdt.training.settings import BDTSettings
from pytmva_bnn.reductions.summation import sequential_sum

_SAME = 2.22e-16


def prune(tree: GrownTree, weights: FloatArray, settings: BDTSettings, validation: BoostSample | None) -> None:
    """Prune a tree; ``weights`` are those of the events of its list, ``validation`` serves automatic pruning."""
    if settings.prune_method == "expectederror":
        nodes = _worse_than_leaves(tree, weights, settings)
    else:
        nodes = _cost_complexity(tree, settings, validation)
    tree.collapse(nodes, settings.tree.purity_limit)


def _worse_than_leaves(tree: GrownTree, weights: FloatArray, settings: BDTSettings) -> list[int]:
    """Return the nodes whose subtrees are expected to make more errors than they would make as leaves."""
    z, limit = settings.prune_strength, settings.tree.purity_limit
    ends = tree.subtree_ends()
    expected, size = np.zeros(len(tree)), np.zeros(len(tree))
    listed = []
    for node in range(len(tree) - 1, -1, -1):
        inside = (tree.leaf >= node) & (tree.leaf < ends[node])
        total = float(sequential_sum(weights[inside]))
        if node == 0:
            total = float(tree.n_signal[0]) + float(tree.n_background[0])
        size[node] = np.float32(total)
        purity = float(tree.purity[node])
        f = purity if purity > limit else 1.0 - purity
        right, left = int(tree.right[node]), node + 1
        # negative weights make NaN of purities beyond 0 and 1: nothing is pruned there
        with np.errstate(all="ignore"):
            own = np.minimum(1.0, 1.0 - (f - z * np.sqrt(f * (1.0 - f) / size[node])))
            below = (size[left] * expected[left] + size[right] * expected[right]) / size[node] if right else own
        expected[node] = below
        if right and below >= own:
            listed.append(node)
    return sorted(listed)


def _cost_complexity(tree: GrownTree, settings: BDTSettings, validation: BoostSample | None) -> list[int]:
    sequence, qualities = _weakest_links(tree, settings, validation)
    if not sequence:
        return []
    if validation is None:
        return sequence[: int(settings.prune_strength / 100.0 * len(sequence))]
    best, steps = qualities[0], 0
    for step, quality in enumerate(qualities[1:]):
        if quality < best:
            best, steps = quality, step  # TMVA: counted from 0, so that one node fewer than best is pruned
    return sequence[:steps]


def _weakest_links(
    tree: GrownTree, settings: BDTSettings, validation: BoostSample | None
) -> tuple[list[int], list[float]]:
    """Return the nodes in the order of pruning, and the quality before and after each step on validation events."""
    n_nodes = len(tree)
    right = tree.right.tolist()
    mother = [-1] * n_nodes
    for node, daughter in enumerate(right):
        if daughter:
            mother[node + 1] = mother[daughter] = node
    cost = (
        (tree.n_signal.astype(np.float64) + tree.n_background.astype(np.float64)) * tree.separation.astype(np.float64)
    ).tolist()
    n_leaves, below = [1] * n_nodes, cost.copy()
    alpha, g = [math.inf] * n_nodes, [math.inf] * n_nodes

    def recompute(node: int) -> None:
        left = node + 1
        n_leaves[node] = n_leaves[left] + n_leaves[right[node]]
        below[node] = below[left] + below[right[node]]
        alpha[node] = (cost[node] - below[node]) / (n_leaves[node] - 1)
        g[node] = min(alpha[node], g[left], g[right[node]])

    for node in range(n_nodes - 1, -1, -1):
        if right[node]:
            recompute(node)
    check = _Validation(tree, settings, validation) if validation is not None else None
    sequence: list[int] = []
    qualities = [check.quality()] if check else []
    while n_leaves[0] > 1 and g[0] < alpha[0]:
        node = 0
        while g[node] < alpha[node]:
            left = node + 1
            node = left if abs(g[node] - g[left]) < _SAME else right[node]
        sequence.append(node)
        n_leaves[node], below[node], alpha[node], g[node] = 1, cost[node], math.inf, math.inf
        ancestor = mother[node]
        while ancestor >= 0:
            recompute(ancestor)
            ancestor = mother[ancestor]
        if check:
            check.prune(node)
            qualities.append(check.quality())
    return sequence, qualities


class _Validation:
    """How well a tree that is being pruned describes the validation events."""

    def __init__(self, tree: GrownTree, settings: BDTSettings, sample: BoostSample) -> None:
        self.tree = tree
        self.limit = settings.tree.purity_limit
        self.regression = settings.tree.is_regression
        self.ends = tree.subtree_ends()
        self.is_leaf = tree.right == 0
        leaves = leaf_numbers(Forest.of([tree.finished(sample.inputs.shape[1])], [1.0]), sample.inputs)[:, 0]
        weights = sample.weights
        self.total = float(sequential_sum(weights))
        if self.regression:
            t = sample.targets.astype(np.float64)
            # TMVA: sums of targets are kept in float32, every addition is rounded
            self.sums = [self._sums(leaves, terms, single) for terms, single in _regression_terms(weights, t)]
        else:
            signal = sample.is_signal
            self.sums = [self._sums(leaves[own], weights[own], single=False) for own in (signal, ~signal)]

    def _sums(self, leaves: IndexArray, terms: FloatArray, single: bool) -> FloatArray:
        """Return the sums over the events in each node, added in their order."""
        result = np.zeros(len(self.ends))
        for node, end in enumerate(self.ends):
            chosen = terms[(leaves >= node) & (leaves < end)]
            result[node] = _single_sum(chosen) if single else sequential_sum(chosen)
        return result

    def prune(self, node: int) -> None:
        self.is_leaf[node] = True

    def quality(self) -> float:
        """Return the loss of the leaves, added up daughter by daughter from the bottom to the top."""
        if self.regression:
            n, t, t2 = self.sums
            response = self.tree.response.astype(np.float64)
            loss = (t2 - 2.0 * t * response + n * response * response).tolist()
        else:
            called = self.tree.purity.astype(np.float64) > self.limit
            loss = np.where(called, self.sums[1], self.sums[0]).tolist()
        right = self.tree.right.tolist()
        for node in range(len(loss) - 1, -1, -1):
            if not self.is_leaf[node]:
                loss[node] = loss[node + 1] + loss[right[node]]
        return float(loss[0]) / self.total


def _regression_terms(weights: FloatArray, t: FloatArray) -> list[tuple[FloatArray, bool]]:
    return [(weights, False), (weights * t, True), (weights * t * t, True)]


def _single_sum(terms: FloatArray) -> float:
    total = np.float32(0.0)
    for term in terms.tolist():
        total = np.float32(float(total) + term)
    return float(total)
