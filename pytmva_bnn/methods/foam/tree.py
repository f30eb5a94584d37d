"""A foam: a binary tree of boxes ("cells") that fill the unit cube, whose leaves carry values.

The unit cube stands for the range of the variables (in multi-target regression also of the targets): coordinates in it
are called foam coordinates.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import BoolArray, Float32Array, FloatArray

IntArray = NDArray[np.int64]

FLT_EPSILON = 2.0**-23
DBL_EPSILON = 2.0**-52
EVENTS_PER_BIN = 10000
"""Effective events in a bin of the edge histograms that are enough: the sampling of a cell ends."""


class FoamKind(StrEnum):
    """What the cells of a foam hold; the word is the end of the name of TMVA's class."""

    DISCRIMINANT = "Discriminant"
    DECISION_TREE = "DecisionTree"  # a discriminant whose cells were divided by separation gain
    EVENT = "Event"
    TARGET = "Target"
    MULTI_TARGET = "MultiTarget"


@dataclass(frozen=True, eq=False)
class Foam:
    """A foam with its cells in TMVA's order, the root first; all arrays but the range have a row for each cell.

    * ``x_min``, ``x_max`` (n_dimensions,) is the range;
    * ``first``, ``second`` are the daughters, -1 for an active cell (a leaf);
    * a cell is divided across ``dimension`` at the ``fraction`` of its edge;
    * ``elements`` (n_cells, 2) are its values: fraction of signal and its error (Discriminant), sums of the weights and
      of their squares (Event, MultiTarget), mean target and its error (Target; an error of -1 marks an empty cell);
    * ``volumes`` are in units of the cube; ``integrals`` and ``drives`` are what the growing was led by.

    ``role`` is the marked class (Discriminant), the target (Target) or the target selection (MultiTarget; 0: mean).
    The rest is how the foam was grown, which TMVA keeps, too.
    """

    name: str
    kind: FoamKind
    x_min: FloatArray
    x_max: FloatArray
    first: IntArray
    second: IntArray
    dimension: IntArray
    fraction: FloatArray
    elements: FloatArray
    volumes: FloatArray
    integrals: FloatArray
    drives: FloatArray
    role: int = 0
    n_bins: int = 5
    n_samples: int = 2000
    n_min: int = 100
    max_depth: int = 0
    vol_frac: float = 0.0
    original_weights: bool = False
    variable_names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "kind", FoamKind(self.kind))  # JSON has a text

    @property
    def n_dimensions(self) -> int:
        """Return the number of dimensions."""
        return len(self.x_min)

    @property
    def n_cells(self) -> int:
        """Return the number of cells, divided and active ones."""
        return len(self.first)

    @cached_property
    def is_active(self) -> BoolArray:
        """Return which cells are leaves."""
        return np.less(self.first, 0)

    @cached_property
    def active(self) -> IntArray:
        """Return the numbers of the leaves, in order."""
        return np.flatnonzero(self.is_active)

    @cached_property
    def parents(self) -> IntArray:
        """Return the parent of each cell, -1 for the root."""
        result = np.full(self.n_cells, -1)
        divided = np.flatnonzero(~self.is_active)
        result[self.first[divided]] = divided
        result[self.second[divided]] = divided
        return result

    @cached_property
    def _boxes(self) -> tuple[FloatArray, FloatArray, IntArray]:
        shape = (self.n_cells, self.n_dimensions)
        position, size, depth = np.zeros(shape), np.ones(shape), np.ones(self.n_cells, dtype=np.int64)
        cell, child = np.arange(self.n_cells), np.arange(self.n_cells)
        while True:
            # all cells take a step towards the root, in TMVA's order of multiplications
            parent = self.parents[child]
            walking = parent >= 0
            if not walking.any():
                return position, size, depth
            cell, child, parent = cell[walking], child[walking], parent[walking]
            k, x = self.dimension[parent], self.fraction[parent]
            is_first = self.first[parent] == child
            scale = np.where(is_first, x, 1.0 - x)
            size[cell, k] *= scale
            moved = position[cell, k] * scale
            position[cell, k] = np.where(is_first, moved, moved + x)
            depth[cell] += 1
            child = parent

    @property
    def positions(self) -> FloatArray:
        """Return the lower corner of each cell (n_cells, n_dimensions), in foam coordinates."""
        return self._boxes[0]

    @property
    def sizes(self) -> FloatArray:
        """Return the edges of each cell (n_cells, n_dimensions), in foam coordinates."""
        return self._boxes[1]

    @property
    def depths(self) -> IntArray:
        """Return how deep each cell lies; the root has 1."""
        return self._boxes[2]

    @property
    def thresholds(self) -> FloatArray:
        """Return for each divided cell the upper end of its first daughter across the division, in foam coordinates."""
        # the daughter's own numbers: those of the parent could differ in the last bit
        child = np.maximum(self.first, 0)
        return self.positions[child, self.dimension] + self.sizes[child, self.dimension]

    def coordinates(self, x: NDArray[np.floating]) -> Float32Array:
        """Return the foam coordinates of points (n_points, n <= n_dimensions)."""
        n = x.shape[1]
        low, width = self.x_min[:n], self.x_max[:n] - self.x_min[:n]
        with np.errstate(over="ignore", invalid="ignore"):
            return ((x.astype(np.float64) - low) / width).astype(np.float32)

    def split_counts(self) -> IntArray:
        """Return how many cells are divided across each dimension."""
        return np.bincount(self.dimension[~self.is_active], minlength=self.n_dimensions)

    def problem(self) -> str:
        """Return what is wrong with the cells, empty if they are a foam."""
        n, d = self.n_cells, self.n_dimensions
        if n == 0 or d == 0:
            return "it has no cells"
        arrays = (self.second, self.dimension, self.fraction, self.volumes, self.integrals, self.drives)
        if any(len(one) != n for one in arrays) or self.elements.shape != (n, 2) or len(self.x_max) != d:
            return "its arrays differ in length"
        if not (np.isfinite(self.x_min).all() and np.isfinite(self.x_max).all() and (self.x_min < self.x_max).all()):
            return "its range is empty or not finite"
        divided = np.flatnonzero(~self.is_active)
        children = np.concatenate((self.first[divided], self.second[divided]))
        # each cell but the root is the daughter of one cell, and daughters come later in the list: no circles
        if not np.array_equal(np.sort(children), np.arange(1, n)) or (children <= np.tile(divided, 2)).any():
            return "its cells are not a tree"
        if ((self.dimension[divided] < 0) | (self.dimension[divided] >= d)).any():
            return f"a cell is divided across a dimension beyond its {d}"
        if not ((self.fraction[divided] > 0) & (self.fraction[divided] < 1)).all():
            return "a cell is not divided between its ends"
        return "" if np.isfinite(self.elements).all() else "the values of its cells are not all finite"


def back(t: NDArray[np.floating], x_min: FloatArray, x_max: FloatArray) -> Float32Array:
    """Return the points (n_points, n_dimensions) that have these foam coordinates, which are rounded first."""
    return (t.astype(np.float32).astype(np.float64) * (x_max - x_min) + x_min).astype(np.float32)


def importance(foams: Sequence[Foam], n_variables: int) -> Float32Array:
    """Return for each variable the share of the divisions across it, averaged over the foams."""
    total = np.zeros(n_variables, dtype=np.float32)
    for foam in foams:
        counts = foam.split_counts()[:n_variables].astype(np.float32)
        n_splits = counts.sum(dtype=np.float32)
        if n_splits > 0:
            total += counts / n_splits
    return total / np.float32(len(foams))
