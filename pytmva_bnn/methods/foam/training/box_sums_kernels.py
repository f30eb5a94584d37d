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
    low: FloatArray,
    high: FloatArray,
    first: IntArray,
    last: IntArray,
    counts: FloatArray,
    sums: FloatArray,
    marked_sums: FloatArray,
) -> None:
    """Fill the last three arrays; see :class:`pytmva_bnn.methods.foam.training.box_sums.BoxSearch`."""
    n_dimensions, n_gridded = points.shape[1], len(n_cells)
    at = np.empty(n_gridded, dtype=np.int64)
    for box in range(len(low)):
        n, weight, mark = 0, 0.0, 0.0
        at[:] = first[box]
        while True:
            base = 0
            for k in range(n_gridded - 1):
                base = (base + at[k]) * n_cells[k + 1]
            for event in range(starts[base + first[box, -1]], starts[base + last[box, -1] + 1]):
                inside = True
                for k in range(n_dimensions):
                    value = points[event, k]
                    inside &= (value > low[box, k]) & (value <= high[box, k])
                # no branch, which the processor could not foresee: adding 0 changes nothing
                n += inside
                weight += weights[event] if inside else 0.0
                mark += marked[event] if inside else 0.0
            # the next row of cells: the last but one dimension runs fastest
            k = n_gridded - 2
            while k >= 0 and at[k] == last[box, k]:
                at[k] = first[box, k]
                k -= 1
            if k < 0:
                break
            at[k] += 1
        counts[box], sums[box], marked_sums[box] = n, weight, mark
