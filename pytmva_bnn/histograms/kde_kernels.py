"""Adding up the kernels of a density by compiled code: 4 times faster than numpy, which takes 0.2 s for 8 densities.

These are the densities of four variables for signal and background with 2,000 training events each.
"""

from __future__ import annotations

import math

import numpy as np

from pytmva_bnn._typing import Float32Array, FloatArray, IndexArray
from pytmva_bnn.fast.compiler import compiled
from pytmva_bnn.histograms.kde import REACH, STEPS


@compiled
def add_kernels(
    edges: FloatArray,
    means: FloatArray,
    sigmas: FloatArray,
    contents: FloatArray,
    factors: FloatArray,
    first: IndexArray,
    last: IndexArray,
    table: FloatArray,
    density: Float32Array,
) -> None:
    """Add the integrals of the kernels between neighbouring edges to ``density``."""
    steps = np.empty(len(edges))
    for kernel in range(len(means)):
        mean, sigma, content, factor = means[kernel], sigmas[kernel], contents[kernel], factors[kernel]
        start, stop = first[kernel], last[kernel]
        for j in range(start, stop + 1):
            steps[j] = np.float64(np.float32((edges[j] - mean) / sigma))
        for j in range(start, stop + 1):
            steps[j] = erf(steps[j], table)
        for j in range(start, stop):
            integral = np.float32(0.5 * (steps[j + 1] - steps[j]) * factor)
            density[j] += np.float32(content * np.float64(integral))


@compiled
def erf(x: float, table: FloatArray) -> float:
    """Return the error function from the coefficients of its expansions (8, n)."""
    t = abs(x) if abs(x) < REACH else REACH  # noqa: FURB136 - NaN counts as large
    k = int(t * STEPS + 0.5)
    d = t - k * (1.0 / STEPS)
    value = table[7, k]
    for n in range(6, -1, -1):
        value = value * d + table[n, k]
    return math.copysign(value + 1.0 if 2 * k >= STEPS else value, x)
