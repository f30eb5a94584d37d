"""Responses of a range of events, block by block: tree after tree for all events of a block.

Every event's sum runs over the trees in their order, so that responses are those of numpy to the last bit.
"""

from __future__ import annotations

import math

import numpy as np

from pytmva_bnn._typing import Float32Array, FloatArray, IntArray
from pytmva_bnn.fast.compiler import compiled, trailing_zeros
from pytmva_bnn.methods.bdt.kernels.plan import CHOOSE, KINDS, UInt32Array

#: events in a block: rows of an odd number of cache lines, which then do not all compete for the same few places of
#: the cache
BLOCK = 496
#: events are worked on in multiples of so many, as vector instructions do; medians of as many as fill a cache line
LANES, LINE = 32, 16
_, LOGISTIC, SOFTMAX, SUM, MEDIAN = range(len(KINDS))
_STRIDE = np.uint64(BLOCK)
_WORD, _SIX, _ONE = np.uint64(63), np.uint64(6), np.uint64(1)


@compiled
def one_level(x: Float32Array, v: IntArray, c: Float32Array, leaf: Float32Array, n: int, row: Float32Array) -> None:
    """Fill a row with the leaves of a tree with one cut."""
    x0, c0, l0, l1 = x[v[0]], c[0], leaf[0], leaf[1]
    for e in range(n):
        row[e] = l1 if x0[e] >= c0 else l0


@compiled
def two_levels(x: Float32Array, v: IntArray, c: Float32Array, leaf: Float32Array, n: int, row: Float32Array) -> None:
    """Fill a row with the leaves of a tree with three cuts."""
    x0, x1, x2 = x[v[0]], x[v[1]], x[v[2]]
    c0, c1, c2 = c[0], c[1], c[2]
    l0, l1, l2, l3 = leaf[0], leaf[1], leaf[2], leaf[3]
    for e in range(n):
        failed = l1 if x1[e] >= c1 else l0
        passed = l3 if x2[e] >= c2 else l2
        row[e] = passed if x0[e] >= c0 else failed


@compiled
def three_levels(x: Float32Array, v: IntArray, c: Float32Array, leaf: Float32Array, n: int, row: Float32Array) -> None:
    """Fill a row with the leaves of a tree with seven cuts."""
    x0, x1, x2, x3, x4, x5, x6 = x[v[0]], x[v[1]], x[v[2]], x[v[3]], x[v[4]], x[v[5]], x[v[6]]
    c0, c1, c2, c3, c4, c5, c6 = c[0], c[1], c[2], c[3], c[4], c[5], c[6]
    l0, l1, l2, l3, l4, l5, l6, l7 = leaf[0], leaf[1], leaf[2], leaf[3], leaf[4], leaf[5], leaf[6], leaf[7]
    for e in range(n):
        a = l1 if x3[e] >= c3 else l0
        b = l3 if x4[e] >= c4 else l2
        d = l5 if x5[e] >= c5 else l4
        f = l7 if x6[e] >= c6 else l6
        failed = b if x1[e] >= c1 else a
        passed = f if x2[e] >= c2 else d
        row[e] = passed if x0[e] >= c0 else failed


@compiled
def choose(x: Float32Array, c: float, failed: Float32Array, passed: Float32Array, n: int, row: Float32Array) -> None:
    """Fill a row from two others."""
    for e in range(n):
        on, off = passed[e], failed[e]  # both in any case: reading one of them is much slower
        row[e] = on if x[e] >= c else off


@compiled
def follow(
    x: Float32Array,
    n: int,
    root: int,
    depth: int,
    variable: UInt32Array,
    cut: Float32Array,
    child: UInt32Array,
    value: Float32Array,
    slots: UInt32Array,
    row: Float32Array,
) -> None:
    """Fill a row with the leaves where the events end, going down all of them level by level."""
    for e in range(n):
        slots[e] = root
    for _ in range(depth):
        for e in range(n):
            at = slots[e]
            passes = x[np.uint64(variable[at]) * _STRIDE + np.uint64(e)] >= cut[at]
            slots[e] = child[at] + np.uint32(passes)
    for e in range(n):
        row[e] = value[slots[e]]


@compiled
def fisher_row(
    x: Float32Array, coefficients: FloatArray, cut: float, n: int, total: FloatArray, row: Float32Array
) -> None:
    """Fill a row with 1 for events that pass a linear cut, 0 for others."""
    for e in range(n):
        total[e] = coefficients[-1]
    for j in range(coefficients.size - 1):
        coefficient, values = coefficients[j], x[j]
        for e in range(n):
            total[e] += coefficient * np.float64(values[e])
    for e in range(n):
        row[e] = 1.0 if total[e] > cut else 0.0


@compiled
def add(row: Float32Array, weight: float, n: int, total: FloatArray) -> None:
    """Add a row, times the weight of its tree, to the sums."""
    for e in range(n):
        total[e] += weight * np.float64(row[e])


@compiled
def finish(kind: int, constant: float, sums: FloatArray) -> None:
    """Turn the sums of an event, one for each group of trees, into its response."""
    if kind == SOFTMAX:
        total = 0.0
        for g in range(sums.size):
            sums[g] = math.exp(sums[g])
            total += sums[g]
        for g in range(sums.size):
            sums[g] /= total
    elif kind == LOGISTIC:
        sums[0] = 2.0 / (1.0 + math.exp(-2.0 * sums[0])) - 1.0
    elif kind == SUM:
        sums[0] += constant
    else:
        sums[0] = sums[0] / constant if constant != 0.0 else 0.0


@compiled
def medians(ranks: Float32Array, n: int, half: float, weights: FloatArray, values: FloatArray, y: FloatArray) -> None:
    """Set ``y`` to the means around the weighted medians of the trees' responses.

    ``ranks`` (n_trees, n_events) are the places of the leaves among all leaves of the forest in the order of their
    values, in which ``weights`` (of their trees) and ``values`` stand.  So sorting is setting bits.
    """
    n_trees, n_words = ranks.shape[0], (values.size >> 6) + 1
    sixth = n_trees // 6
    found = np.empty(n_trees, dtype=np.uint32)
    are_there = np.empty((LINE, n_words), dtype=np.uint64)
    for begin in range(0, n, LINE):
        width = min(LINE, n - begin)
        are_there[:] = np.uint64(0)
        for tree in range(n_trees):
            for i in range(width):
                rank = np.uint64(ranks[tree, begin + i])
                are_there[i, rank >> _SIX] |= _ONE << (rank & _WORD)
        for i in range(width):
            total, middle, last, count, word, bits = 0.0, 0, n_trees, 0, -1, np.uint64(0)
            while count < last:
                while bits == np.uint64(0):
                    word += 1
                    bits = are_there[i, word]
                rank = np.uint64(word * 64 + trailing_zeros(bits))
                bits &= bits - _ONE
                found[count] = rank
                count += 1
                if middle == 0:
                    total += weights[rank]
                    if total > half or count == n_trees:
                        middle = count
                        last = min(middle + sixth, n_trees)
            first = max(middle - sixth - 1, 0)
            total = 0.0
            for k in range(first, last):
                total += values[found[k]]
            y[begin + i] = total / (last - first)


@compiled
def respond(
    x: Float32Array,
    start: int,
    stop: int,
    starts: IntArray,
    operations: IntArray,
    n_rows: int,
    variables: IntArray,
    cuts: Float32Array,
    leaves: Float32Array,
    roots: UInt32Array,
    depths: IntArray,
    slot_variable: UInt32Array,
    slot_cut: Float32Array,
    slot_child: UInt32Array,
    slot_value: Float32Array,
    fisher_starts: IntArray,
    fisher_coefficients: FloatArray,
    fisher_cuts: FloatArray,
    kind: int,
    weights: FloatArray,
    constant: float,
    values: FloatArray,
    y: FloatArray,
) -> None:
    """Set ``y[start:stop]`` to the outputs ``(n_events, n_outputs)`` of these events.

    The arguments in the middle are those of the plan.  ``kind`` is how the trees are combined, with the ``weights`` of
    the trees and a ``constant``; for medians, ``weights`` and ``values`` are those of the leaves in order.
    """
    n_trees, n_groups, n_variables = depths.size, y.shape[1], x.shape[1]
    most = 0
    for tree in range(n_trees):
        most = max(most, fisher_starts[tree + 1] - fisher_starts[tree])
    columns = np.zeros((n_variables + most, BLOCK), dtype=np.float32)
    flat = columns.reshape(columns.size)
    rows, slots = np.empty((n_rows, BLOCK), dtype=np.float32), np.empty(BLOCK, dtype=np.uint32)
    ranks = np.empty((n_trees if kind == MEDIAN else 0, BLOCK), dtype=np.float32)
    sums, total, event = np.empty((n_groups, BLOCK)), np.empty(BLOCK), np.empty(n_groups)
    for begin in range(start, stop, BLOCK):
        m = min(BLOCK, stop - begin)
        n = min((m + LANES - 1) // LANES * LANES, BLOCK)
        for e in range(m):
            for j in range(n_variables):
                columns[j, e] = x[begin + e, j]
        sums[:] = 0.0
        group = 0
        for tree in range(n_trees):
            first = fisher_starts[tree]
            for k in range(first, fisher_starts[tree + 1]):
                fisher_row(columns, fisher_coefficients[k], fisher_cuts[k], n, total, columns[n_variables + k - first])
            if starts[tree] == starts[tree + 1]:
                root, depth = roots[tree], depths[tree]
                follow(flat, m, root, depth, slot_variable, slot_cut, slot_child, slot_value, slots, rows[0])
            for number in range(starts[tree], starts[tree + 1]):
                what, to, at = operations[number, 0], operations[number, 1], operations[number, 2]
                v, c, leaf = variables[at:], cuts[at:], leaves[operations[number, 3] :]
                if what == CHOOSE:
                    choose(columns[v[0]], c[0], rows[to + 1], rows[to + 2], n, rows[to])
                elif what == 1:
                    one_level(columns, v, c, leaf, n, rows[to])
                elif what == 2:
                    two_levels(columns, v, c, leaf, n, rows[to])
                else:
                    three_levels(columns, v, c, leaf, n, rows[to])
            if kind == MEDIAN:
                ranks[tree] = rows[0]
                continue
            add(rows[0], weights[tree], n, sums[group])
            group = group + 1 if group + 1 < n_groups else 0
        if kind == MEDIAN:
            medians(ranks, m, constant, weights, values, total)
            for e in range(m):
                y[begin + e, 0] = total[e]
            continue
        for e in range(m):
            for g in range(n_groups):
                event[g] = sums[g, e]
            finish(kind, constant, event)
            for g in range(n_groups):
                y[begin + e, g] = event[g]
