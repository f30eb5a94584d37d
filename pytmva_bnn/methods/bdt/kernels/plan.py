"""A forest as the flat arrays that the kernels take.

Comparing an event with all cuts of a tree and choosing among the leaves can be done for many events side by side; going
down only where the event goes cannot.  So a tree of few nodes is cut into pieces of up to three levels (padded, so that
each piece is complete), whose results further operations choose from; trees of many nodes are left to the descent.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import Float32Array, FloatArray, IntArray
from pytmva_bnn.methods.bdt.descent import Descent

UInt32Array = NDArray[np.uint32]

#: levels that a piece has at most
LEVELS = 3
#: how long the operations take, by kind, and a step down; a tree of more than so many cuts a level is gone down anyway
_COSTS, _STEP_COST, _MOST_CUTS = (2, 1, 2, 4), 11, 20
CHOOSE = 0
#: how the answers of the trees become a response, numbered
KINDS = ("mean", "logistic", "softmax", "sum", "median")


class ForestPlan(NamedTuple):
    """The operations of all trees, ``operations`` (n_operations, 4), those of a tree from ``starts`` on; see below.

    An operation fills a row of the working memory, which has ``n_rows`` of them, the last one of a tree row 0:

    =====  ======================================================================================================
    kind   what it does with ``row``; its variables and cuts begin at ``first``, its leaves at ``leaf``
    =====  ======================================================================================================
    0      takes row + 2 where the event passes the cut, row + 1 where it does not
    1..3   takes leaves of a complete tree of so many levels, whose cuts stand level by level
    =====  ======================================================================================================

    A tree without operations is gone down, in the slots of :class:`~pytmva_bnn.methods.bdt.descent.Descent`, of which
    the plan has the same arrays in the types that make the shortest code.
    """

    starts: IntArray
    operations: IntArray
    n_rows: int
    variables: IntArray
    cuts: Float32Array
    leaves: Float32Array
    roots: UInt32Array
    depths: IntArray
    slot_variable: UInt32Array
    slot_cut: Float32Array
    slot_child: UInt32Array
    slot_value: Float32Array
    fisher_starts: IntArray
    fisher_coefficients: FloatArray
    fisher_cuts: FloatArray

    @classmethod
    def of(cls, descent: Descent, values: Float32Array) -> ForestPlan:
        """Return the plan for leaves with these values, one for each slot."""
        trees = _operations(descent)
        operations = np.array([one for tree in trees for one in tree], dtype=np.int64).reshape(-1, 3)
        kinds, rows, slots = operations.T
        n_cuts, n_leaves = np.where(kinds == CHOOSE, 1, 2**kinds - 1), np.where(kinds == CHOOSE, 0, 2**kinds)
        first, leaf = (np.concatenate([[0], np.cumsum(n)]) for n in (n_cuts, n_leaves))
        cut_slots, leaf_slots = np.empty(first[-1], dtype=np.intp), np.empty(leaf[-1], dtype=np.intp)
        for kind in range(LEVELS + 1):
            chosen = np.flatnonzero(kinds == kind)
            inner, ends = _complete(descent, slots[chosen], max(kind, 1))
            cut_slots[first[chosen, np.newaxis] + np.arange(inner.shape[1])] = inner
            if kind != CHOOSE:
                leaf_slots[leaf[chosen, np.newaxis] + np.arange(ends.shape[1])] = ends
        return cls(
            starts=np.cumsum([0, *map(len, trees)]),
            operations=np.stack([kinds, rows, first[:-1], leaf[:-1]], axis=1),
            n_rows=int(rows.max(initial=0)) + 3,
            variables=descent.variable[cut_slots].astype(np.int64),
            cuts=descent.cut[cut_slots],
            leaves=values[leaf_slots],
            roots=descent.roots.astype(np.uint32),
            depths=descent.depths.astype(np.int64),
            slot_variable=descent.variable_of_all.astype(np.uint32),
            slot_cut=descent.cut,
            slot_child=descent.child.astype(np.uint32),
            slot_value=values,
            fisher_starts=descent.fisher_starts.astype(np.int64),
            fisher_coefficients=np.ascontiguousarray(descent.fisher_coefficients),
            fisher_cuts=descent.fisher_cuts,
        )

    @property
    def work(self) -> int:
        """Return what an event costs, in multiplications; a step down costs as much as ten of them."""
        followed = np.diff(self.starts) == 0
        return int(self.cuts.size + 10 * self.depths[followed].sum() + self.depths.size)


def _operations(descent: Descent) -> list[list[tuple[int, int, int]]]:
    """Return kind, row and slot of each tree's operations, in the order in which they are done."""
    n_inner = np.diff(descent.roots) // 2
    # linear cuts are computed for all events side by side: their trees are always done in pieces
    has_fisher = np.diff(descent.fisher_starts) > 0
    in_pieces = (descent.depths <= LEVELS) | (n_inner <= _MOST_CUTS * descent.depths) | has_fisher
    heights, child = descent.heights.tolist(), descent.child.tolist()
    trees = []
    for tree, root in enumerate(descent.roots[:-1].tolist()):
        operations: list[tuple[int, int, int]] = []
        waiting = [(0, root)] if in_pieces[tree] else []
        while waiting:  # the last operation first
            row, slot = waiting.pop()
            if heights[slot] <= LEVELS:
                operations.append((max(heights[slot], 1), row, slot))
            else:
                operations.append((CHOOSE, row, slot))
                waiting += [(row + 1, child[slot]), (row + 2, child[slot] + 1)]
        is_slow = sum(_COSTS[kind] for kind, _, _ in operations) > _STEP_COST * max(heights[root], 1)
        trees.append([] if is_slow and not has_fisher[tree] else operations[::-1])
    return trees


def _complete(descent: Descent, slots: IntArray, n_levels: int) -> tuple[IntArray, IntArray]:
    """Return the slots (n_slots, ...) of so many levels below some slots, and those below them; leaves repeat."""
    levels = [slots[:, np.newaxis]]
    for _ in range(n_levels):
        first = descent.child[levels[-1]]
        # both sides of a leaf are itself
        pairs = np.stack([first, first + (first != levels[-1])], axis=-1)
        levels.append(pairs.reshape(len(slots), 2 * first.shape[1]))
    return np.concatenate(levels[:-1], axis=1), levels[-1]
