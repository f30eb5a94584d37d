"""The compiled twin of the matrix product of D and P."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.fast.compiler import compiled


@compiled
def product(
    x: NDArray[np.float32],
    means: NDArray[np.float64],
    columns: NDArray[np.float64],
    start: int,
    stop: int,
    y: NDArray[np.float32],
) -> None:
    """Write Σ_j (x_j - m_j) M_ij, j ascending, of events ``start`` to ``stop`` to ``y``; ``columns`` are those of M."""
    n_inputs, n = columns.shape
    total = np.empty(n)
    for event in range(start, stop):
        total[:] = 0.0
        for j in range(n_inputs):
            p = float(x[event, j]) - means[j]
            for i in range(n):
                total[i] += columns[j, i] * p
        for i in range(n):
            y[event, i] = total[i]
