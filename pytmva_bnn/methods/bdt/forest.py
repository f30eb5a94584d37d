"""A forest as arrays: the nodes of all trees one after the other, each tree in pre-order (node, left, right)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import BoolArray, Float32Array, FloatArray
from pytmva_bnn.methods.bdt.descent import Descent

Int32Array = NDArray[np.int32]

NO_VARIABLE = -1
NO_RESPONSE = np.float32(-99.0)
INNER = 0
REGRESSION_LEAF = -99


@dataclass(frozen=True, eq=False)
class Tree:
    """The nodes of a tree in pre-order.

    An event goes to the right daughter if ``x[variable] >= cut`` and ``cut_type`` is 1, or if neither; the daughter on
    the left is the next node, ``right`` the number of the other one, 0 for a node without daughters.  ``node_type`` is
    0 for a node that is descended from, else that of a leaf (1 signal, -1 background, -99 in a regression tree).
    ``fisher_nodes`` have a linear cut with their row of ``coefficients``, (n_variables + 1), offset last; it is used
    where ``variable`` is n_variables.
    """

    variable: Int32Array
    cut: Float32Array
    cut_type: Int32Array
    right: Int32Array
    node_type: Int32Array
    response: Float32Array
    rms: Float32Array
    purity: Float32Array
    fisher_nodes: Int32Array = field(default_factory=lambda: np.empty(0, dtype=np.int32))
    coefficients: FloatArray = field(default_factory=lambda: np.empty((0, 0)))

    def __len__(self) -> int:
        return len(self.variable)

    @property
    def is_inner(self) -> BoolArray:
        """Return which nodes are descended from."""
        return np.equal(self.node_type, INNER)

    def depths(self) -> Int32Array:
        """Return the depth of every node; the root has 0."""
        depths = np.zeros(len(self), dtype=np.int32)
        for node, right in enumerate(self.right.tolist()):
            if right:
                depths[node + 1] = depths[right] = depths[node] + 1
        return depths

    def coefficients_of(self) -> dict[int, FloatArray]:
        """Return the Fisher coefficients by the number of the node."""
        return dict(zip(self.fisher_nodes.tolist(), self.coefficients, strict=True))


_NODE_FIELDS = ("variable", "cut", "cut_type", "right", "node_type", "response", "rms", "purity")


@dataclass(frozen=True, eq=False)
class Forest:
    """Trees with their weights.

    ``starts`` (n_trees + 1) says where each tree begins in the arrays of nodes, which are those of :class:`Tree`;
    numbers of nodes count within a tree, those in ``fisher_nodes`` in the whole forest.
    """

    starts: Int32Array
    boost_weights: FloatArray
    variable: Int32Array
    cut: Float32Array
    cut_type: Int32Array
    right: Int32Array
    node_type: Int32Array
    response: Float32Array
    rms: Float32Array
    purity: Float32Array
    fisher_nodes: Int32Array
    coefficients: FloatArray

    @classmethod
    def of(cls, trees: Sequence[Tree], boost_weights: Iterable[float]) -> Forest:
        """Return the forest of these trees."""
        starts = np.cumsum([0, *map(len, trees)]).astype(np.int32)
        nodes = {
            name: np.concatenate([getattr(tree, name) for tree in trees]) if trees else _nothing(name)
            for name in _NODE_FIELDS
        }
        with_fisher = [(start, tree) for start, tree in zip(starts, trees, strict=False) if len(tree.fisher_nodes)]
        fisher = [tree.fisher_nodes + start for start, tree in with_fisher]
        rows = [tree.coefficients for _, tree in with_fisher]
        return cls(
            starts,
            np.fromiter(boost_weights, dtype=np.float64),
            **nodes,
            fisher_nodes=np.concatenate(fisher).astype(np.int32) if fisher else np.empty(0, dtype=np.int32),
            coefficients=np.concatenate(rows) if rows else np.empty((0, 0)),
        )

    @property
    def n_trees(self) -> int:
        """Return the number of trees."""
        return len(self.starts) - 1

    @property
    def n_nodes(self) -> int:
        """Return the number of nodes of all trees."""
        return len(self.variable)

    def __len__(self) -> int:
        return self.n_trees

    def __getitem__(self, number: int) -> Tree:
        first, end = int(self.starts[number]), int(self.starts[number + 1])
        nodes = {name: getattr(self, name)[first:end] for name in _NODE_FIELDS}
        own = slice(*np.searchsorted(self.fisher_nodes, (first, end)))
        return Tree(**nodes, fisher_nodes=self.fisher_nodes[own] - first, coefficients=self.coefficients[own])

    def __iter__(self) -> Iterator[Tree]:
        return (self[number] for number in range(self.n_trees))

    @cached_property
    def right_node(self) -> Int32Array:
        """Return the right daughters, counted in the whole forest; -1 for leaves."""
        offsets = np.repeat(self.starts[:-1], np.diff(self.starts))
        return np.where(self.node_type == INNER, self.right + offsets, -1).astype(np.int32)

    @cached_property
    def tree_depths(self) -> Int32Array:
        """Return how many steps the longest way through each tree has."""
        return np.array([tree.depths()[~tree.is_inner].max(initial=0) for tree in self], dtype=np.int32)

    @cached_property
    def descent(self) -> Descent:
        """Return the forest for the way down, which responses take."""
        return Descent.of(self)

    @cached_property
    def fisher_row(self) -> Int32Array:
        """Return for every node its row of coefficients if its cut is linear, else -1."""
        rows = np.full(self.n_nodes, -1, dtype=np.int32)
        rows[self.fisher_nodes] = np.arange(len(self.fisher_nodes))
        n_variables = self.coefficients.shape[1] - 1
        rows[(self.variable != n_variables) | (self.node_type != INNER)] = -1
        return rows

    def __getstate__(self) -> dict[str, Any]:
        return {one.name: getattr(self, one.name) for one in fields(self)}


def _nothing(name: str) -> NDArray[Any]:
    return np.empty(0, dtype=np.float32 if name in ("cut", "response", "rms", "purity") else np.int32)
