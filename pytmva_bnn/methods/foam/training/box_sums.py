"""Sums over the events in a box, for many boxes of the same size.

The events are sorted into a grid whose cells are about as large as the box, so that only a few cells have to be looked
at for each.  Sums run in the order of the grid, and of the events within a cell of it: the compiled twin
(:mod:`.box_sums_kernels`) gives the same bits.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise, product
from typing import NamedTuple

import numpy as np

from pytmva_bnn._typing import Float32Array, FloatArray, IndexArray
from pytmva_bnn.fast.threads import in_parts
from pytmva_bnn.fast.twins import compiled_pays
from pytmva_bnn.methods.foam.tree import IntArray

_MOST_GRIDDED = 6
"""Dimensions with a grid: more would have too many cells around a box."""
_LEAST_CELLS = 4096
_CELLS_PER_EVENT = 16
_FINE = 4
_PAIRS = 1 << 20
"""Pairs of box and event that numpy looks at in one go."""
SECONDS_A_BOX = 2e-6
"""What numpy takes."""
_KERNEL_BLOCK = 256
_OPERATIONS_A_BOX = 1000.0


class BoxSums(NamedTuple):
    """For each box the number of events, the sum of their weights, and that of ``marks`` times weights."""

    counts: FloatArray
    weights: FloatArray
    marked: FloatArray


@dataclass(frozen=True, eq=False)
class BoxSearch:
    """Events sorted into a grid.

    ``points`` (n_events, n_dimensions), ``weights`` and ``marked`` (weights times marks) are in the order of the grid;
    cell ``c`` of it has the events ``starts[c]`` to ``starts[c + 1]``.  The grid has ``n_cells`` along each of the
    first dimensions, the last of which runs fastest.  ``edges`` are those of the box; ``compiled``: by compiled code.
    """

    points: Float32Array
    weights: FloatArray
    marked: FloatArray
    starts: IntArray
    n_cells: IntArray
    origin: FloatArray
    widths: FloatArray
    edges: FloatArray
    compiled: bool

    @classmethod
    def of(
        cls, x: Float32Array, weights: Float32Array, marked: FloatArray, edges: FloatArray, n_boxes: float = 0.0
    ) -> BoxSearch:
        """Sort the events; ``marked`` are weights times marks, ``n_boxes`` is how many boxes there will be."""
        low, high = (extreme.astype(np.float64) for extreme in (x.min(axis=0), x.max(axis=0)))
        n_cells = _grid(high - low, edges, len(x))
        n = len(n_cells)
        origin, widths = low[:n], np.where(high[:n] > low[:n], (high[:n] - low[:n]) / n_cells, 1.0)
        cell = np.ravel_multi_index(tuple(_grid_index(x[:, :n], origin, widths, n_cells).T), tuple(n_cells))
        order = np.argsort(cell, kind="stable")
        starts = np.searchsorted(cell[order], np.arange(int(np.prod(n_cells)) + 1))
        return cls(
            np.ascontiguousarray(x[order]),
            weights[order].astype(np.float64),
            marked[order].astype(np.float64),
            starts.astype(np.int64),
            n_cells,
            origin,
            widths,
            edges,
            compiled_pays(n_boxes * SECONDS_A_BOX),
        )

    def sums(self, centres: Float32Array) -> BoxSums:
        """Return the sums over the events in boxes around points (n_boxes, n_dimensions).

        An event is in a box if it is above its lower and not above its upper end in all dimensions.
        """
        if self.compiled:
            return self._compiled_sums(centres)
        middle = centres.astype(np.float64)
        low, high = middle - self.edges / 2.0, middle + self.edges / 2.0
        n = len(self.n_cells)
        first, last = (_grid_index(end[:, :n], self.origin, self.widths, self.n_cells) for end in (low, high))
        rows = self._rows(first, last)
        n_candidates = np.cumsum(sum(stop - start for start, stop in rows))
        pieces = np.arange(_PAIRS, int(n_candidates[-1]), _PAIRS)
        limits = np.unique([0, *np.searchsorted(n_candidates, pieces).tolist(), len(centres)])
        found = [
            self._numpy_sums(low[a:b], high[a:b], [(start[a:b], stop[a:b]) for start, stop in rows])
            for a, b in pairwise(limits.tolist())
        ]
        return BoxSums(*(np.concatenate(one) for one in zip(*found, strict=True)))

    def _rows(self, first: IntArray, last: IntArray) -> list[tuple[IntArray, IntArray]]:
        """Return runs of events in the grid that together cover each box: starts and stops (n_boxes,)."""
        strides = np.append(np.cumprod(self.n_cells[:0:-1])[::-1], 1)
        spans = (last - first)[:, :-1].max(axis=0, initial=0) + 1
        rows = []
        for offsets in product(*(range(span) for span in spans)):
            at = first[:, :-1] + np.array(offsets, dtype=np.int64)
            there = (at <= last[:, :-1]).all(axis=1)
            base = np.where(there, at @ strides[:-1], 0)
            start, stop = self.starts[base + first[:, -1]], self.starts[base + last[:, -1] + 1]
            rows.append((np.where(there, start, 0), np.where(there, stop, 0)))
        return rows

    def _numpy_sums(self, low: FloatArray, high: FloatArray, rows: list[tuple[IntArray, IntArray]]) -> BoxSums:
        boxes, events = _pairs(rows, len(low))
        for k in range(low.shape[1]):
            values = self.points[events, k]
            inside = (values > low[boxes, k]) & (values <= high[boxes, k])
            boxes, events = boxes[inside], events[inside]
        n = len(low)
        return BoxSums(
            np.bincount(boxes, minlength=n).astype(np.float64),
            np.asarray(np.bincount(boxes, self.weights[events], n), dtype=np.float64),
            np.asarray(np.bincount(boxes, self.marked[events], n), dtype=np.float64),
        )

    def _compiled_sums(self, centres: Float32Array) -> BoxSums:
        from pytmva_bnn.methods.foam.training.box_sums_kernels import box_sums  # lazy: numba

        result = BoxSums(*(np.empty(len(centres)) for _ in range(3)))
        events = (
            self.points,
            self.weights,
            self.marked,
            self.starts,
            self.n_cells,
            self.origin,
            self.widths,
            self.edges,
        )

        def part(start: int, stop: int) -> None:
            piece = slice(start, stop)
            box_sums(*events, centres[piece], *(one[piece] for one in result))

        in_parts(part, len(centres), _KERNEL_BLOCK, _OPERATIONS_A_BOX * len(centres))
        return result


def _grid(ranges: FloatArray, edges: FloatArray, n_events: int) -> IntArray:
    """Return the number of cells along the first dimensions, as large as the box; along the last they are smaller."""
    most = max(_CELLS_PER_EVENT * n_events, _LEAST_CELLS)
    fits = np.maximum(ranges / edges, 1.0)[:_MOST_GRIDDED]
    n_cells = [int(min(fits[0], most))]
    for fit in fits[1:].tolist():
        left = most // int(np.prod(n_cells))
        if left < 2:
            break
        n_cells.append(int(min(fit, left)))
    # its cells follow one another in memory, so that more of them cost nothing
    left = most // int(np.prod(n_cells))
    n_cells[-1] = int(min(n_cells[-1] * max(left, 1), _FINE * fits[len(n_cells) - 1]))
    return np.array(n_cells, dtype=np.int64)


def _grid_index(x: FloatArray | Float32Array, origin: FloatArray, widths: FloatArray, n_cells: IntArray) -> IntArray:
    """Return the cell of each point along each dimension; a larger coordinate never has a lower number."""
    return np.clip(np.floor((x - origin) / widths), 0, n_cells - 1).astype(np.int64)


def _pairs(rows: list[tuple[IntArray, IntArray]], n_boxes: int) -> tuple[IndexArray, IndexArray]:
    """Return all pairs of a box and an event of its rows; those of a box are in the order of the rows."""
    boxes, events = [], []
    for start, stop in rows:
        lengths = stop - start
        box = np.repeat(np.arange(n_boxes), lengths)
        before = np.cumsum(lengths) - lengths
        boxes.append(box)
        events.append(np.arange(len(box)) - np.repeat(before - start, lengths))
    return np.concatenate(boxes), np.concatenate(events)
