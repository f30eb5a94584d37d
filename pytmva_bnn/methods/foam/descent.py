"""From points to the cells that hold them, for many points at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from pytmva_bnn._typing import Float32Array, FloatArray, IndexArray
from pytmva_bnn.methods.foam.tree import Foam, IntArray

_INFINITY = np.float32(np.inf)


@dataclass(frozen=True, eq=False)
class Descent:
    """The way from the root of a foam to its leaves.

    A point goes to the first daughter of a divided cell if its coordinate is at most ``thresholds`` there, else (also a
    NaN) to the second.  Points outside the range end in a cell at the edge.
    """

    first: tuple[int, ...]
    second: tuple[int, ...]
    dimensions: tuple[int, ...]
    thresholds: Float32Array

    @classmethod
    def in_coordinates(cls, foam: Foam) -> Descent:
        """Return the way of points in foam coordinates."""
        return cls._of(foam, _at_most(foam.thresholds))

    @classmethod
    def in_variables(cls, foam: Foam) -> Descent:
        """Return the same way for points that are not transformed to foam coordinates.

        Each threshold is the largest variable whose coordinate does not exceed the cell's: the cells are the same, and
        the transformation of every event is saved.
        """
        thresholds = foam.thresholds
        low, width = (one[foam.dimension] for one in (foam.x_min, foam.x_max - foam.x_min))
        # by bisection over the bit patterns of float32, which have the order of the numbers when they are positive
        below, above = (np.full(foam.n_cells, bits, dtype=np.int64) for bits in (_rank(-_INFINITY), _rank(_INFINITY)))
        while True:
            middle = (below + above) >> 1
            if (middle == below).all():
                return cls._of(foam, _of_rank(below))
            with np.errstate(invalid="ignore", over="ignore"):
                coordinate = ((_of_rank(middle).astype(np.float64) - low) / width).astype(np.float32)
            is_first = coordinate.astype(np.float64) <= thresholds
            below, above = np.where(is_first, middle, below), np.where(is_first, above, middle)

    @classmethod
    def _of(cls, foam: Foam, thresholds: Float32Array) -> Descent:
        return cls(tuple(foam.first.tolist()), tuple(foam.second.tolist()), tuple(foam.dimension.tolist()), thresholds)

    def cells(self, points: Float32Array) -> IntArray:
        """Return the numbers of the active cells of points (n_points, n_dimensions)."""
        found = np.empty(len(points), dtype=np.int64)
        for cell, inside in self.leaves(points):
            found[inside] = cell
        return found

    def leaves(self, points: Float32Array, free: Sequence[int] = ()) -> Iterator[tuple[int, IndexArray]]:
        """Yield active cells with the points in them, cells in the order of the tree.

        ``free`` dimensions are not known of the points: both daughters are followed there, and the cells of a point
        come one after the other.
        """
        columns = np.ascontiguousarray(points.T)  # a column is looked up at a time
        thresholds = self.thresholds
        waiting: list[tuple[int, IndexArray]] = [(0, np.arange(len(points)))]
        while waiting:
            cell, inside = waiting.pop()
            first, k = self.first[cell], self.dimensions[cell]
            if not len(inside):
                continue
            if first < 0:
                yield cell, inside
            elif k in free:
                waiting += [(self.second[cell], inside), (first, inside)]
            else:
                is_first = columns[k].take(inside) <= thresholds[cell]
                waiting += [(self.second[cell], inside[~is_first]), (first, inside[is_first])]


def _at_most(numbers: FloatArray) -> Float32Array:
    """Return the largest float32 numbers that are not larger: float32 numbers compare with them in the same way."""
    rounded = numbers.astype(np.float32)
    return np.where(rounded > numbers, np.nextafter(rounded, -_INFINITY), rounded)


def _rank(number: np.float32) -> int:
    """Return an integer in the order of the float32 numbers."""
    bits = int(np.float32(number).view(np.int32))
    return bits if bits >= 0 else -(bits & 0x7FFFFFFF)


def _of_rank(rank: IntArray) -> Float32Array:
    bits = np.where(rank >= 0, rank, -rank | 0x80000000).astype(np.uint32)
    return bits.view(np.float32)
