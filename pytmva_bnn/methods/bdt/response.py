"""The response of a forest by numpy; compiled code (``kernels``) gives the same bits.

All sums run over the trees in their order, so that every response is TMVA's to the last bit.
"""

from __future__ import annotations

import numpy as np

from pytmva_bnn._typing import BoolArray, Float32Array, FloatArray, IndexArray
from pytmva_bnn.methods.bdt.forest import INNER, Forest

#: inner nodes of a tree up to which comparing all of them beats following the way of every event
_SMALL = 31


def leaf_sums(forest: Forest, values: FloatArray, x: Float32Array, n_groups: int = 1) -> FloatArray:
    """Return the sums ``(n_groups, n_events)`` of the leaves' values over trees g, g + n_groups, ... in each group.

    ``values`` has one number for each node of the forest.
    """
    sums = np.zeros((n_groups, len(x)))
    columns = np.ascontiguousarray(x.T)
    for tree in range(forest.n_trees):
        sums[tree % n_groups] += _tree_values(forest, tree, values, columns)
    return sums


def leaf_numbers(forest: Forest, x: Float32Array) -> IndexArray:
    """Return the numbers ``(n_events, n_trees)`` of the nodes, counted in the forest, where the events end."""
    columns = np.ascontiguousarray(x.T)
    leaves = [_descend(forest, tree, columns) for tree in range(forest.n_trees)]
    return np.stack(leaves, axis=1) if leaves else np.empty((len(x), 0), dtype=np.intp)


def _tree_values(forest: Forest, tree: int, values: FloatArray, columns: Float32Array) -> FloatArray | float:
    first, end = int(forest.starts[tree]), int(forest.starts[tree + 1])
    if np.count_nonzero(forest.node_type[first:end] == INNER) <= _SMALL:
        return _chosen(forest, first, values, columns)
    return values[_descend(forest, tree, columns)]


def _chosen(forest: Forest, node: int, values: FloatArray, columns: Float32Array) -> FloatArray | float:
    """Return the values at the leaves below a node, for all events."""
    right = int(forest.right_node[node])
    if right < 0:
        return float(values[node])
    passed = _passes(forest, node, columns)
    on_left = _chosen(forest, node + 1, values, columns)
    on_right = _chosen(forest, right, values, columns)
    if forest.cut_type[node]:
        return np.where(passed, on_right, on_left)
    return np.where(passed, on_left, on_right)


def _descend(forest: Forest, tree: int, columns: Float32Array) -> IndexArray:
    """Return the leaves where the events end, by dividing them at every node."""
    leaves = np.empty(columns.shape[1], dtype=np.intp)
    waiting = [(int(forest.starts[tree]), np.arange(columns.shape[1]))]
    while waiting:
        node, events = waiting.pop()
        right = int(forest.right_node[node])
        if right < 0 or not events.size:
            leaves[events] = node
            continue
        to_right = _passes(forest, node, columns, events) == bool(forest.cut_type[node])
        waiting += [(node + 1, events[~to_right]), (right, events[to_right])]
    return leaves


def _passes(forest: Forest, node: int, columns: Float32Array, events: IndexArray | None = None) -> BoolArray:
    """Return which events are at or above the cut of a node; NaN never is."""
    row = int(forest.fisher_row[node])
    if row < 0:
        column = columns[forest.variable[node]]
        passes: BoolArray = (column if events is None else column[events]) >= forest.cut[node]
        return passes
    chosen = columns if events is None else columns[:, events]
    return fisher_values(forest.coefficients[row], chosen) > float(forest.cut[node])


def fisher_values(coefficients: FloatArray, columns: Float32Array) -> FloatArray:
    """Return linear combinations of the variables ``(n_variables, n_events)``; the last coefficient is the offset."""
    total = np.full(columns.shape[1], coefficients[-1])
    with np.errstate(invalid="ignore"):  # infinite variables
        for coefficient, column in zip(coefficients[:-1], columns, strict=True):
            total += coefficient * column
    return total


def weighted_median_mean(responses: FloatArray, weights: FloatArray) -> FloatArray:
    """Return AdaBoostR2's combination of the trees' responses ``(n_events, n_trees)``.

    That is the mean of those around the weighted median: of a sixth of the trees on either side.
    """
    n_trees = len(weights)
    order = np.argsort(responses, axis=1, kind="stable")
    ordered = np.take_along_axis(responses, order, axis=1)
    sums = np.cumsum(weights[order], axis=1)
    # the weights before which the sum is not above half of all: one tree more than lies below the median
    middle = 1 + np.count_nonzero(sums <= _sum(weights) / 2.0, axis=1)
    middle = np.minimum(middle, n_trees)
    sixth = n_trees // 6
    first = np.maximum(middle - sixth - 1, 0)
    last = np.minimum(middle + sixth, n_trees)
    total = np.zeros(len(responses))
    for step in range(int((last - first).max(initial=0))):
        position = first + step
        inside = position < last
        total[inside] += ordered[inside, position[inside]]
    total /= last - first
    return total


def _sum(values: FloatArray) -> float:
    return float(np.cumsum(values)[-1]) if values.size else 0.0
