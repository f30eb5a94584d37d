"""The response of a forest by numpy; compiled code (``kernels``) gives the same bits.

All sums run over the trees in their order, so that every response is TMVA's to the last bit.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pytmva_bnn._typing import Float32Array, FloatArray, IndexArray
from pytmva_bnn.methods.bdt.descent import Descent
from pytmva_bnn.methods.bdt.forest import Forest
from pytmva_bnn.reductions.summation import blocks, sequential_sum

#: events up to which all trees are gone through at once, by so many at a time
_FEW, _AT_ONCE = 256, 64
#: numbers of leaves that are worked on at a time, where all are needed
_LEAVES = 1 << 20


def leaf_sums(forest: Forest, values: FloatArray, x: Float32Array, n_groups: int = 1) -> FloatArray:
    """Return the sums ``(n_groups, n_events)`` of the leaves' values over trees g, g + n_groups, ... in each group.

    ``values`` has one number for each node of the forest.
    """
    sums = np.zeros((n_groups, len(x)))
    descent = forest.descent
    if len(x) <= _FEW:
        for part in blocks(len(x), _AT_ONCE):
            terms = values.take(_nodes(descent, x[part]))
            sums[:, part] += sequential_sum(terms.reshape(-1, n_groups, terms.shape[1]), axis=0)
        return sums
    for part in blocks(len(x)):
        for tree, nodes in enumerate(_nodes_by_tree(descent, x[part])):
            sums[tree % n_groups, part] += values.take(nodes)
    return sums


def leaf_numbers(forest: Forest, x: Float32Array) -> IndexArray:
    """Return the numbers ``(n_events, n_trees)`` of the nodes, counted in the forest, where the events end."""
    descent = forest.descent
    if len(x) <= _FEW:
        parts = [_nodes(descent, x[part]) for part in blocks(len(x), _AT_ONCE)]
        return np.concatenate(parts, axis=1).T if parts else np.empty((0, forest.n_trees), dtype=np.intp)
    numbers = np.empty((len(x), forest.n_trees), dtype=np.intp)
    for tree, nodes in enumerate(_nodes_by_tree(descent, x)):
        numbers[:, tree] = nodes
    return numbers


def events_at_a_time(forest: Forest) -> int:
    """Return for how many events to ask :func:`leaf_numbers` at a time."""
    return max(1, _LEAVES // max(forest.n_trees, 1))


def _nodes(descent: Descent, x: Float32Array) -> IndexArray:
    """Return the nodes ``(n_trees, n_events)`` where a few events end, by going down all trees at once."""
    columns = x.T
    if len(descent.fisher_cuts):
        columns = np.concatenate([columns, _fisher_passes(descent, slice(None), columns)])
    offsets = descent.variable_of_all if len(x) == 1 else descent.variable_of_all * len(x)
    slots = _ends(descent, columns.ravel(), offsets, descent.roots[:-1, np.newaxis], len(x))
    return descent.node.take(slots)


def _nodes_by_tree(descent: Descent, x: Float32Array) -> Iterator[IndexArray]:
    """Yield the nodes where the events end, tree by tree."""
    n_events, n_variables = x.shape
    most = int(np.diff(descent.fisher_starts).max(initial=0))
    columns = np.empty((n_variables + most, n_events), dtype=np.float32)
    columns[:n_variables] = x.T
    flat, offsets = columns.ravel(), descent.variable * n_events
    for tree in range(descent.n_trees):
        rows = slice(*descent.fisher_starts[tree : tree + 2])
        if rows.stop > rows.start:
            passes = _fisher_passes(descent, rows, columns[:n_variables])
            columns[n_variables : n_variables + len(passes)] = passes
        yield descent.node.take(_ends(descent, flat, offsets, descent.roots[tree], n_events, int(descent.depths[tree])))


def _ends(
    descent: Descent,
    flat: Float32Array,
    offsets: IndexArray,
    roots: IndexArray,
    n_events: int,
    depth: int | None = None,
) -> IndexArray:
    """Return the slots where events end that begin at the roots.

    ``flat`` has the variables one after the other, ``offsets`` says for each slot where its variable begins.
    """
    event = np.arange(n_events)
    slots = roots
    for _ in range(int(descent.depths.max(initial=0)) if depth is None else depth):
        passes = flat.take(offsets.take(slots) + event) >= descent.cut.take(slots)
        slots = descent.child.take(slots) + passes
    return slots + 0 * event if slots.shape[-1:] != event.shape else slots


def _fisher_passes(descent: Descent, rows: slice, columns: Float32Array) -> Float32Array:
    """Return 1 for events that pass linear cuts, 0 for others ``(n_rows, n_events)``."""
    values = fisher_values(descent.fisher_coefficients[rows], columns)
    return (values > descent.fisher_cuts[rows, np.newaxis]).astype(np.float32)


def fisher_values(coefficients: FloatArray, columns: Float32Array) -> FloatArray:
    """Return linear combinations ``(..., n_events)`` of the variables ``(n_variables, n_events)``.

    The last of the coefficients ``(..., n_variables + 1)`` is the offset, to which the others are added in turn.
    """
    total = np.multiply.outer(coefficients[..., -1], np.ones(columns.shape[1]))
    with np.errstate(invalid="ignore", over="ignore"):
        for number, column in enumerate(columns):
            total += np.multiply.outer(coefficients[..., number], column)
    return total


def weighted_median_mean(responses: FloatArray, weights: FloatArray) -> FloatArray:
    """Return AdaBoostR2's combination of the trees' responses ``(n_events, n_trees)``.

    That is the mean of those around the weighted median: of a sixth of the trees on either side.
    """
    n_trees = len(weights)
    order = np.argsort(responses, axis=1, kind="stable")
    ordered = np.take_along_axis(responses, order, axis=1)
    above = np.cumsum(weights[order], axis=1) > float(sequential_sum(weights)) / 2.0
    # TMVA: weights are added until their sum is above half of all; if it never is, to the end
    middle = np.where(above.any(axis=1), 1 + np.argmax(above, axis=1), n_trees)
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
