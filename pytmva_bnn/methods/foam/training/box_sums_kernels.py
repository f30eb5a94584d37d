"""The compiled twin of the sums over boxes: one box after the other, in the same order of additions."""

from __future__ import annotations

import numpy as np

from pytmva_bnn._typing import Float32Array, FloatArray
from pytmva_bnn.fast.compiler import compiled
from pytmva_bnn.methods.foam.tree import IntArray


@compiled
def box_sums(
    points: Float32Array,
    weights: FloatArray,
    marked: FloatArray,
    starts: IntArray,
    n_cells: IntArray,
    origin: FloatArray,
    widths: FloatArray,
    edges: FloatArray,
    centres: Float32Array,
    counts: FloatArray,
    sums: FloatArray,
    marked_sums: FloatArray,
) -> None:
    """Fill the last three arrays; see :class:`pytmva_bnn.methods.foam.training.box_sums.BoxSearch`."""
    n_dimensions, n_gridded = points.shape[1], len(n_cells)
    low, high = np.empty(n_dimensions), np.empty(n_dimensions)
    first = np.empty(n_gridded, dtype=np.int64)
    last, at = np.empty_like(first), np.empty_like(first)
    for box in range(len(centres)):
        for k in range(n_dimensions):
            middle = np.float64(centres[box, k])
            low[k], high[k] = middle - edges[k] / 2.0, middle + edges[k] / 2.0
        for k in range(n_gridded):
            most = n_cells[k] - 1.0
            first[k] = np.int64(min(max(np.floor((low[k] - origin[k]) / widths[k]), 0.0), most))
            last[k] = np.int64(min(max(np.floor((high[k] - origin[k]) / widths[k]), 0.0), most))
        n, weight, mark = 0, 0.0, 0.0
        at[:] = first
        while True:
            base = 0
            for k in range(n_gridded - 1):
                base = (base + at[k]) * n_cells[k + 1]
            for event in range(starts[base + first[-1]], starts[base + last[-1] + 1]):
                inside = True
                for k in range(n_dimensions):
                    value = points[event, k]
                    inside &= (value > low[k]) & (value <= high[k])
                # no branch, which the processor could not foresee: adding 0 changes nothing
                n += inside
                weight += weights[event] if inside else 0.0
                mark += marked[event] if inside else 0.0
            # the next row of cells: the last but one dimension runs fastest
            k = n_gridded - 2
            while k >= 0 and at[k] == last[k]:
                at[k] = first[k]
                k -= 1
            if k < 0:
                break
            at[k] += 1
        counts[box], sums[box], marked_sums[box] = n, weight, mark
