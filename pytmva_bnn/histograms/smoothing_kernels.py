"""The compiled twin of :func:`pytmva_bnn.histograms.smoothing.smooth` for contents that are finite."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.fast.compiler import compiled


@compiled
def smooth_once(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return values (n,), n > 2, after one pass of 353QH twice."""
    rough = _medians_and_mean(x)
    result = _medians_and_mean(x - rough)
    smallest = x[0]
    for i in range(x.size):
        smallest = min(smallest, x[i])
        result[i] = rough[i] + result[i]
    if smallest >= 0:
        for i in range(x.size):
            if not result[i] >= 0:
                result[i] = 0.0
    return result


@compiled
def _medians_and_mean(x: NDArray[np.float64]) -> NDArray[np.float64]:
    n = x.size
    z = _running_median_of_3(x)
    z[0] = _median_of_3(z[1], z[0], 3 * z[1] - 2 * z[2])
    z[n - 1] = _median_of_3(z[n - 2], z[n - 1], 3 * z[n - 2] - 2 * z[n - 3])
    z = _running_median_of_3(_running_median_of_5(z))
    z = _round_off_flat_segments(z)
    mean = z.copy()
    for i in range(1, n - 1):
        mean[i] = 0.25 * z[i - 1] + 0.5 * z[i] + 0.25 * z[i + 1]
    return mean


@compiled
def _median_of_3(a: float, b: float, c: float) -> float:
    return max(min(a, b), min(max(a, b), c))


@compiled
def _running_median_of_3(y: NDArray[np.float64]) -> NDArray[np.float64]:
    z = y.copy()
    for i in range(1, y.size - 1):
        z[i] = _median_of_3(y[i - 1], y[i], y[i + 1])
    return z


@compiled
def _running_median_of_5(y: NDArray[np.float64]) -> NDArray[np.float64]:
    n = y.size
    z = y.copy()
    for i in range(2, n - 2):
        # neither the smallest nor the largest of the first four is the median
        low = max(min(y[i - 2], y[i - 1]), min(y[i], y[i + 1]))
        high = min(max(y[i - 2], y[i - 1]), max(y[i], y[i + 1]))
        z[i] = _median_of_3(low, high, y[i + 2])
    z[1] = _median_of_3(y[0], y[1], y[2])
    z[n - 2] = _median_of_3(y[n - 3], y[n - 2], y[n - 1])
    return z


@compiled
def _round_off_flat_segments(z: NDArray[np.float64]) -> NDArray[np.float64]:
    y = z.copy()
    for i in range(2, z.size - 2):
        p, q = z[i - 2] - z[i], z[i + 2] - z[i]
        if z[i - 1] == z[i] and z[i] == z[i + 1] and p * q > 0:
            j = -1 if abs(q) > abs(p) else 1  # towards the smaller step
            y[i] = -0.5 * z[i - 2 * j] + z[i] / 0.75 + z[i + 2 * j] / 6
            y[i + j] = 0.5 * (z[i + 2 * j] - z[i - 2 * j]) + z[i]
    return y
