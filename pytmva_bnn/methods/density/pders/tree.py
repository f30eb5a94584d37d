"""TMVA's binary search tree of training events: how it grows, its statistics, and sums in its order."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from pytmva_bnn._typing import AnyIntArray, BoolArray, Float32Array, FloatArray, IndexArray, IntArray
from pytmva_bnn.methods.density.insertion import grow
from pytmva_bnn.reductions.summation import sequential_sum


class Statistics(NamedTuple):
    """Of events of class 0, and of all others: sums of weights ``(2,)`` and widths ``(2, n_variables)``."""

    sums: FloatArray
    rms: Float32Array


@dataclass(frozen=True, eq=False)
class SearchTree:
    """The events in pre-order (a node, all on its left, all on its right), with depth and side of their nodes.

    ``variables`` ``(n_events, n_variables)``, ``targets`` and ``weights`` are float32; ``is_right`` is 1 for a node on
    the right of the one above it, and 0 for the others.
    """

    variables: Float32Array
    targets: Float32Array
    weights: Float32Array
    classes: IntArray
    depths: IntArray
    is_right: IntArray

    @classmethod
    def grown(
        cls, x: Float32Array, targets: Float32Array, weights: FloatArray, classes: AnyIntArray, *, balanced: bool
    ) -> SearchTree:
        """Insert the training events one after the other; ``balanced``: in the order of option NormTree."""
        order = balanced_order(x) if balanced else np.arange(len(x))
        tree = grow(x[order], equal_goes_left=True)
        place, is_right = tree.pre_order(), np.zeros(len(x), dtype=np.int64)
        right = tree.children[:, 1]
        is_right[right[right >= 0]] = 1
        nodes = np.argsort(place)
        events = order[nodes]
        return cls(
            x[events],
            targets[events],
            weights[events].astype(np.float32),
            classes[events].astype(np.int64),
            tree.depths[nodes],
            is_right[nodes],
        )

    def __len__(self) -> int:
        return len(self.variables)

    @cached_property
    def parents(self) -> IntArray:
        """Return the node above each node, -1 for the root."""
        result = np.empty(len(self), dtype=np.int64)
        above: list[int] = []
        for number, depth in enumerate(self.depths.tolist()):
            del above[depth:]
            result[number] = above[-1] if above else -1
            above.append(number)
        return result

    def misplaced(self) -> IndexArray:
        """Return nodes that a search would not find: what is on the left must not be larger, on the right larger."""
        n_variables = self.variables.shape[1]
        low = np.full((len(self), n_variables), -np.inf, dtype=np.float32)
        high = np.full((len(self), n_variables), np.inf, dtype=np.float32)
        for nodes in self._levels[1:]:
            above, variable = self.parents[nodes], (self.depths[nodes[0]] - 1) % n_variables
            low[nodes], high[nodes] = low[above], high[above]
            split, right = self.variables[above, variable], self.is_right[nodes] == 1
            low[nodes, variable] = np.where(right, np.maximum(split, low[above, variable]), low[above, variable])
            high[nodes, variable] = np.where(right, high[above, variable], np.minimum(split, high[above, variable]))
        inside = (self.variables > low) & (self.variables <= high)
        return np.flatnonzero(~inside.all(axis=1))

    @cached_property
    def _levels(self) -> list[IndexArray]:
        order = np.argsort(self.depths, kind="stable")
        return np.split(order, np.flatnonzero(np.diff(self.depths[order])) + 1)

    @cached_property
    def level_order(self) -> IndexArray:
        """Return the nodes from the root down, each level from left to right."""
        return np.argsort(self.depths, kind="stable")

    def ordered_sums(self, inside: BoolArray) -> FloatArray:
        """Return the weights of some events ``(n_sums, n_events)`` in the order in which TMVA's search adds them.

        That is a node, then the sum of all on its left, then that of all on its right.
        """
        sums = np.where(inside, self.weights.astype(np.float64), 0.0)
        for nodes in reversed(self._levels[1:]):
            for side in (0, 1):
                below = nodes[self.is_right[nodes] == side]
                sums[:, self.parents[below]] += sums[:, below]
        return sums[:, 0]

    @cached_property
    def statistics(self) -> Statistics:
        """Return sums and widths of the two classes."""
        # TMVA: class 0 counts as signal, whatever its name
        sums, rms = np.zeros(2), np.zeros((2, self.variables.shape[1]), dtype=np.float32)
        for number, chosen in enumerate((self.classes == 0, self.classes != 0)):
            if not chosen.any():
                continue
            x, w = self.variables[chosen], self.weights[chosen].astype(np.float64)
            total = sums[number] = sequential_sum(w)
            with np.errstate(all="ignore"):
                mean = (sequential_sum(x * w[:, np.newaxis], axis=0) / total).astype(np.float32)
                squares = sequential_sum((x * x) * w[:, np.newaxis], axis=0) / total
                variance = squares - (mean * mean).astype(np.float64)
                rms[number] = np.sqrt(np.maximum(variance, 0.0)).astype(np.float32)
        return Statistics(sums, rms)


def balanced_order(x: Float32Array) -> IndexArray:
    """Return the order of insertion of option NormTree: the median in one variable, then both halves in the next."""
    order: list[int] = []
    left = [(np.arange(len(x)), 0)]
    while left:
        events, depth = left.pop()
        if len(events) == 1:
            order.append(int(events[0]))
            continue
        values = x[events, depth % x.shape[1]]
        by_value = np.lexsort((events, values))
        events, values = events[by_value], values[by_value]
        # the first of equal values: the others have to go to its right
        middle = int(np.searchsorted(values, values[len(values) // 2]))
        order.append(int(events[middle]))
        left += [(half, depth + 1) for half in (events[middle + 1 :], events[:middle]) if half.size]
    return np.array(order, dtype=np.intp)
