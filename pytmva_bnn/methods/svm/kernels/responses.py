"""Sums over the support vectors: of many events, side by side, and of one."""

from __future__ import annotations

import numpy as np

from pytmva_bnn._typing import Float32Array, FloatArray
from pytmva_bnn.fast.compiler import compiled
from pytmva_bnn.methods.svm.kernels.rows import TILE, CompiledKernel, Work, fill_row, new_work


@compiled
def sums_of_events(
    x: Float32Array, vectors: Float32Array, coefficients: Float32Array, kernel: CompiledKernel, sums: FloatArray
) -> None:
    """Put the sums for events ``(n_events, n_variables)`` into ``sums``: in the order of the support vectors."""
    n_events, n_variables = x.shape
    columns = np.empty((n_variables, TILE), dtype=np.float32)
    row, work = np.empty(TILE, dtype=np.float32), new_work(TILE)
    for start in range(0, n_events, TILE):
        n = min(TILE, n_events - start)
        for i in range(n_variables):
            for e in range(n):
                columns[i, e] = x[start + e, i]
        totals = sums[start : start + n]
        totals[:] = 0.0
        for k in range(coefficients.size):
            fill_row(vectors[k], columns, 0, n, kernel, row, work)
            coefficient = coefficients[k]
            for e in range(n):
                totals[e] += np.float64(coefficient * row[e])


@compiled
def sum_of_event(
    event: Float32Array,
    columns: Float32Array,
    coefficients: Float32Array,
    kernel: CompiledKernel,
    row: Float32Array,
    work: Work,
) -> float:
    """Return the sum for one event; ``columns`` ``(n_variables, n_vectors)`` are the support vectors."""
    total = 0.0
    for start in range(0, coefficients.size, TILE):
        n = min(TILE, coefficients.size - start)
        fill_row(event, columns, start, n, kernel, row, work)
        for k in range(n):
            total += np.float64(coefficients[start + k] * row[k])
    return total
