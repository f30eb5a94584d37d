"""A forest for the way down: an event goes from slot to slot by arithmetic, without a decision.

Each tree has its slots one after the other, the root first, the two daughters of a node side by side: first the one
for events that fail the cut, behind it the one for those that pass, so that

    slot = child[slot] + (x[variable[slot]] >= cut[slot])

is a step down.  A leaf is its own child, and its cut NaN, which nothing passes: a step too many changes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from pytmva_bnn._typing import Float32Array, FloatArray, IndexArray

if TYPE_CHECKING:
    from pytmva_bnn.methods.bdt.forest import Forest


@dataclass(frozen=True, eq=False)
class Descent:
    """The slots of a forest; ``node`` says which of its nodes each slot is.

    ``roots`` (n_trees + 1) says where the trees begin.  A linear cut is a cut at 0.5 on a variable of its own behind
    the others, which is 1 for events that pass it and 0 for those that do not.  There is one for each row of the
    forest's coefficients; those of a tree begin at ``fisher_starts`` (n_trees + 1), and ``variable`` counts them within
    the tree.
    """

    roots: IndexArray
    variable: IndexArray
    cut: Float32Array
    child: IndexArray
    node: IndexArray
    fisher_starts: IndexArray
    fisher_coefficients: FloatArray
    fisher_cuts: FloatArray

    @classmethod
    def of(cls, forest: Forest) -> Descent:
        """Return the slots of a forest."""
        starts = forest.starts.astype(np.intp)
        first_nodes = starts[:-1]
        inner = np.flatnonzero(forest.right_node >= 0)
        tree = np.searchsorted(starts, inner, side="right") - 1
        left, right = inner + 1, forest.right_node[inner].astype(np.intp)
        passes_right = forest.cut_type[inner] != 0
        failing, passing = np.where(passes_right, left, right), np.where(passes_right, right, left)
        pair = tree + 1 + 2 * np.arange(len(inner))
        slot = np.full(forest.n_nodes, -1, dtype=np.intp)
        roots = np.arange(len(starts)) + 2 * np.searchsorted(inner, starts)
        slot[first_nodes], slot[failing], slot[passing] = roots[:-1], pair, pair + 1
        # a leaf may have daughters, which no event comes to: those have no mother that is descended from
        known = slot[inner] >= 0
        inner, tree, pair = inner[known], tree[known], pair[known]

        n_slots = int(roots[-1])
        variable, child = np.zeros(n_slots, dtype=np.intp), np.arange(n_slots)
        cut, node = np.full(n_slots, np.nan, dtype=np.float32), np.zeros(n_slots, dtype=np.intp)
        at = slot[inner]
        row, fisher_starts = forest.fisher_row[inner], np.searchsorted(forest.fisher_nodes, starts)
        n_variables = forest.coefficients.shape[1] - 1
        variable[at] = np.where(row < 0, forest.variable[inner], n_variables + row - fisher_starts[tree])
        cut[at] = np.where(row < 0, forest.cut[inner], np.float32(0.5))
        child[at] = pair
        node[slot[slot >= 0]] = np.flatnonzero(slot >= 0)
        cuts = forest.cut[forest.fisher_nodes].astype(np.float64)
        return cls(roots, variable, cut, child, node, fisher_starts, forest.coefficients, cuts)

    @property
    def n_trees(self) -> int:
        """Return the number of trees."""
        return len(self.roots) - 1

    @cached_property
    def heights(self) -> IndexArray:
        """Return how many steps the longest way down from each slot has."""
        layers = []
        slots = self.roots[:-1]
        while slots.size:
            slots = slots[self.child[slots] != slots]
            layers.append(slots)
            slots = np.concatenate([self.child[slots], self.child[slots] + 1])
        heights = np.zeros(len(self.child), dtype=np.intp)
        for slots in reversed(layers):
            first = self.child[slots]
            heights[slots] = 1 + np.maximum(heights[first], heights[first + 1])
        return heights

    @cached_property
    def depths(self) -> IndexArray:
        """Return how many steps the longest way through each tree has."""
        return self.heights[self.roots[:-1]]

    @cached_property
    def variable_of_all(self) -> IndexArray:
        """Return the variables with the linear cuts counted in the whole forest."""
        n_variables = self.fisher_coefficients.shape[1] - 1
        if not len(self.fisher_cuts):
            return self.variable
        shift = np.repeat(self.fisher_starts[:-1], np.diff(self.roots))
        return np.where(self.variable < n_variables, self.variable, self.variable + shift)
