"""In which order TMVA's search comes to events: that decides between neighbours at equal distances.

TMVA keeps the events in a binary tree below some levels of nodes without events, and searches it depth first: a node,
then the side on which the query is, then the other side.  Of two events the one above the other comes first; otherwise
it is decided at the lowest node above both.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cmp_to_key
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import Float32Array, IndexArray, IntArray
from pytmva_bnn.errors import InputError
from pytmva_bnn.methods.density.insertion import GrownTree, grow


@dataclass(frozen=True, eq=False)
class Visits:
    """The tree, its nodes numbered in pre-order.

    ``places`` are the numbers of the events' nodes, ``ends`` the first number behind the tree below a node; above node
    i ``variables[i]`` and ``splits[i]`` decide between left and right.  ``highest[l, i]`` is that one of the nodes i to
    i + 2^l - 1 which is nearest to the root.
    """

    places: IntArray
    depths: IntArray
    ends: IntArray
    variables: IntArray
    splits: Float32Array
    highest: NDArray[np.int32]

    @classmethod
    def of(cls, x: Float32Array, balance_depth: int) -> Visits:
        """Build TMVA's tree of scaled events."""
        top = balance_splits(x, balance_depth)
        tree = grow(x, equal_goes_left=False, top=top)
        return cls._numbered(tree, len(top), x.shape[1])

    @classmethod
    def _numbered(cls, tree: GrownTree, n_top: int, n_variables: int) -> Visits:
        place, n = tree.pre_order(), len(tree.children)
        depths, ends = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)
        depths[place] = tree.depths
        ends[place] = place + tree.sizes()[:-1]
        variables, splits = np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.float32)
        for side in tree.children.T:
            above = np.flatnonzero(side >= 0)
            below = place[side[above]]
            variables[below] = (depths[below] - 1) % n_variables
            splits[below] = tree.splits[above]
        highest = [np.arange(n)]
        while 2 ** len(highest) <= n:
            half = 2 ** (len(highest) - 1)
            last, other = highest[-1], np.minimum(np.arange(n) + half, n - 1)
            highest.append(np.where(depths[last[other]] < depths[last], last[other], last))
        return cls(place[n_top:], depths, ends, variables, splits, np.array(highest, dtype=np.int32))

    @property
    def arrays(self) -> tuple[NDArray[Any], ...]:
        """Return all of it as compiled code takes it."""
        return self.places, self.depths, self.ends, self.variables, self.splits, self.highest

    def first(self, q: Float32Array, a: int, b: int) -> bool:
        """Tell whether a search for ``q`` comes to event ``a`` before ``b``."""
        i, j = int(self.places[a]), int(self.places[b])
        if i > j:
            return not self.first(q, b, a)
        if j < self.ends[i]:
            return True
        # the highest node from i + 1 to j is on the right below the lowest node above both
        level = (j - i).bit_length() - 1
        one, other = self.highest[level, i + 1], self.highest[level, j + 1 - 2**level]
        node = one if self.depths[one] < self.depths[other] else other
        return bool(q[self.variables[node]] < self.splits[node])

    def sorted(self, q: Float32Array, events: IndexArray) -> list[int]:
        """Return events in the order in which a search for ``q`` comes to them."""

        def compared(a: int, b: int) -> int:
            return -1 if self.first(q, a, b) else 1

        return sorted(events.tolist(), key=cmp_to_key(compared))


def check_balance(x: Float32Array, balance_depth: int) -> None:
    """Raise an InputError if there are too few events for the levels without events."""
    if x.size.bit_length() <= balance_depth:  # less than 2^balance_depth
        raise InputError(
            f"Optimization depth exceeds number of events: BalanceDepth={balance_depth} needs 2^{balance_depth} "
            f"numbers, {len(x)} events have {x.size}; set a smaller BalanceDepth"
        )


def balance_splits(x: Float32Array, balance_depth: int) -> Float32Array:
    """Return the splits of the nodes without events, from the root down."""
    n, n_variables = x.shape
    values = np.sort(x, axis=0)
    splits = [values[n // 2, :1]]
    for depth in range(1, balance_depth):
        # TMVA: quantiles of the whole sample, not of the part above: the tree is not really balanced
        quantiles = n * np.arange(1, 2**depth + 1) // (2**depth + 1)
        splits.append(values[quantiles, depth % n_variables])
    return np.concatenate(splits)
