"""Binary search trees that grow by inserting one event after the other, as TMVA's do.

Events are compared in one variable after the other, a new one at each level.  All events go down together, level by
level: where several want the same free place, the first takes it, and the others go on below it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pytmva_bnn._typing import Float32Array, IntArray

NOTHING = -1
LEFT, RIGHT = 0, 1


@dataclass(frozen=True, eq=False)
class GrownTree:
    """A tree: ``children`` ``(n_nodes, 2)``, and the nodes of each level.

    ``splits`` (n_nodes,) are the values that decide between left and right.  Nodes are numbered: first those that were
    there before, then the events.
    """

    children: IntArray
    splits: Float32Array
    levels: list[IntArray]

    @property
    def depths(self) -> IntArray:
        """Return how many nodes are above each node."""
        result = np.empty(len(self.children), dtype=np.int64)
        for depth, nodes in enumerate(self.levels):
            result[nodes] = depth
        return result

    def sizes(self) -> IntArray:
        """Return how many nodes are in the tree below each node, itself included."""
        result = np.ones(len(self.children) + 1, dtype=np.int64)
        result[NOTHING] = 0  # what a missing child has
        for nodes in reversed(self.levels):
            result[nodes] += result[self.children[nodes]].sum(axis=1)
        return result

    def pre_order(self) -> IntArray:
        """Return the place of each node in the order: node, all on its left, all on its right."""
        sizes, place = self.sizes(), np.zeros(len(self.children) + 1, dtype=np.int64)
        for nodes in self.levels:
            left, right = self.children[nodes].T
            place[left] = place[nodes] + 1
            place[right] = place[nodes] + 1 + sizes[left]
        return place[:-1]


def grow(x: Float32Array, *, equal_goes_left: bool, top: Float32Array | None = None) -> GrownTree:
    """Insert the events ``(n_events, n_variables)``.

    ``top`` holds the splits of complete levels of nodes without events, from the root down; without it the first event
    is the root.
    """
    n, n_variables = x.shape
    n_top = 0 if top is None else len(top)
    n_nodes = n_top + n
    children = np.full(2 * n_nodes, NOTHING, dtype=np.int64)
    children[: max(n_top - 1, 0)] = np.arange(1, max(n_top, 1))  # complete levels: 2 i + 1 and 2 i + 2
    splits = np.empty(n_nodes, dtype=np.float32)
    splits[:n_top] = 0 if top is None else top
    n_top_levels = (n_top + 1).bit_length() - 1
    levels = [np.arange(2**depth - 1, 2 ** (depth + 1) - 1) for depth in range(n_top_levels)]
    if not n_top:
        splits[0] = x[0, 0]
        levels.append(np.array([0]))
    events = np.arange(0 if n_top else 1, n)
    at = np.zeros(len(events), dtype=np.int64)
    depth = 0
    while events.size:
        value = x[events, depth % n_variables]
        left = value <= splits[at] if equal_goes_left else value < splits[at]
        place = 2 * at + np.where(left, LEFT, RIGHT)
        free = children[place] == NOTHING
        # the last value assigned to a place stays, so that in reverse order it is the first event's
        children[place[free][::-1]] = n_top + events[free][::-1]
        at = children[place]
        depth += 1
        is_new = at == n_top + events
        if is_new.any():
            placed = events[is_new]
            splits[n_top + placed] = x[placed, depth % n_variables]
            nodes = n_top + placed
            levels.append(nodes)
            events, at = events[~is_new], at[~is_new]
    return GrownTree(children.reshape(-1, 2), splits, levels)
