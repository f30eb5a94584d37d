"""A tree while it is trained: its nodes with what boosting and pruning need of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pytmva_bnn._typing import Float32Array, FloatArray
from pytmva_bnn.methods.bdt.forest import NO_RESPONSE, NO_VARIABLE, REGRESSION_LEAF, Int32Array, Tree


@dataclass(eq=False)
class GrownTree:
    """Nodes in pre-order as in :class:`Tree`.

    ``n_signal`` and ``n_background`` are their sums of weights, ``separation`` their indices, all as TMVA stores them,
    in float32.  ``leaf`` has for every event of the list (copies counted) the node where it ends; ``importance`` what
    the cuts of the tree say of each variable.
    """

    variable: Int32Array
    cut: Float32Array
    cut_type: Int32Array
    right: Int32Array
    node_type: Int32Array
    response: Float32Array
    rms: Float32Array
    purity: Float32Array
    n_signal: Float32Array
    n_background: Float32Array
    separation: Float32Array
    leaf: Int32Array
    importance: FloatArray
    coefficients: dict[int, FloatArray] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.variable)

    def subtree_ends(self) -> list[int]:
        """Return for every node the first one that is not below it."""
        ends = list(range(1, len(self) + 1))
        for node in range(len(self) - 1, -1, -1):
            if self.right[node]:
                ends[node] = ends[self.right[node]]
        return ends

    def collapse(self, nodes: Iterable[int], limit: float) -> None:
        """Make leaves of nodes and drop what is below them.

        Cut, cut type and linear coefficients stay, as in TMVA, which also writes them.
        """
        ends = self.subtree_ends()
        dropped = np.zeros(len(self), dtype=bool)
        for node in nodes:
            if dropped[node] or not self.right[node]:
                continue
            dropped[node + 1 : ends[node]] = True
            self.right[node] = 0
            self.variable[node] = NO_VARIABLE
            self.node_type[node] = leaf_type(self.purity[node], limit)
        if not dropped.any():
            return
        kept = ~dropped
        # in pre-order the last node that is kept before a dropped one is the leaf above it
        number = (np.cumsum(kept) - 1).astype(np.int32)
        self.leaf = number[self.leaf]
        self.right = np.where(self.right, number[self.right], 0).astype(np.int32)
        for name in _PER_NODE:
            setattr(self, name, getattr(self, name)[kept])
        self.coefficients = {int(number[node]): row for node, row in self.coefficients.items() if kept[node]}

    def remove_useless_splits(self, limit: float) -> None:
        """Make leaves of nodes whose daughters are leaves of the same type, from the bottom to the top."""
        node_type, useless = self.node_type.copy(), []
        right = self.right.tolist()
        for node in range(len(self) - 1, -1, -1):
            daughters = (node + 1, right[node])
            # the product with an inner node, of type 0, is 0
            if right[node] and node_type[daughters[0]] * node_type[daughters[1]] > 0:
                node_type[node] = leaf_type(self.purity[node], limit)
                useless.append(node)
        self.collapse(sorted(useless), limit)

    def finished(self, n_variables: int) -> Tree:
        """Return the tree for the forest."""
        nodes = sorted(self.coefficients)
        return Tree(
            self.variable,
            self.cut,
            self.cut_type,
            self.right,
            self.node_type,
            self.response,
            self.rms,
            self.purity,
            np.array(nodes, dtype=np.int32),
            np.array([self.coefficients[node] for node in nodes]).reshape(len(nodes), n_variables + 1),
        )


_PER_NODE = (
    "variable",
    "cut",
    "cut_type",
    "right",
    "node_type",
    "response",
    "rms",
    "purity",
    "n_signal",
    "n_background",
    "separation",
)


_INTEGERS = ("variable", "cut_type", "node_type")


def leaf_type(purity: np.float32, limit: float) -> int:
    """Return 1 for a signal leaf, -1 for one of background."""
    return 1 if float(purity) > limit else -1


def purity_of(n_signal: np.float32, n_background: np.float32) -> np.float32:
    """Return the purity of a node, in float32; one half if the sum of weights is not positive."""
    total = n_signal + n_background
    return np.float32(n_signal / total) if total > 0 else np.float32(0.5)


class NodeList:
    """Collects the nodes of a tree in the order in which they are made: the right side before the left one."""

    def __init__(self) -> None:
        self.values: dict[str, list[float]] = {name: [] for name in _PER_NODE if name != "right"}
        self.daughters: list[list[int]] = []
        self.coefficients: dict[int, FloatArray] = {}

    def add(self, n_signal: float, n_background: float, separation: float) -> int:
        """Add a node that has nothing but its sums, and return its number."""
        signal, background = np.float32(n_signal), np.float32(n_background)
        unset = {
            "variable": NO_VARIABLE,
            "cut": 0.0,
            "cut_type": 1,
            "node_type": REGRESSION_LEAF,
            "response": float(NO_RESPONSE),
            "rms": 0.0,
            "purity": float(purity_of(signal, background)),
            "n_signal": float(signal),
            "n_background": float(background),
            "separation": separation,
        }
        for name, value in unset.items():
            self.values[name].append(value)
        self.daughters.append([])
        return len(self.daughters) - 1

    def set(self, node: int, **values: float) -> None:
        """Set values of a node."""
        for name, value in values.items():
            self.values[name][node] = value

    def grown(self, leaf: Int32Array, importance: FloatArray) -> GrownTree:
        """Return the tree in pre-order; ``leaf`` has the numbers of the order in which nodes were made."""
        order: list[int] = []
        waiting = [0]
        while waiting:
            node = waiting.pop()
            order.append(node)
            waiting += self.daughters[node]  # right first: the left one is next
        number = np.empty(len(order), dtype=np.int32)
        number[order] = np.arange(len(order))
        right = [number[self.daughters[node][0]] if self.daughters[node] else 0 for node in order]
        arrays: dict[str, Any] = {
            name: np.array(values, dtype=np.int32 if name in _INTEGERS else np.float32)[order]
            for name, values in self.values.items()
        }
        return GrownTree(
            **arrays,
            right=np.array(right, dtype=np.int32),
            leaf=number[leaf],
            importance=importance,
            coefficients={int(number[node]): row for node, row in self.coefficients.items()},
        )
