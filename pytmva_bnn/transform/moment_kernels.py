"""Compiled twins of the sums that fit D and P, for the set of all events or for those of the classes in one go.

Each sum is added up in the order of events; sums of different variables or sets do not depend on each other, so that
several of them make a vector instruction.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.fast.compiler import compiled


@compiled
def weighted_sums(
    x: NDArray[np.float32],
    weights: NDArray[np.float64],
    classes: NDArray[np.integer],
    by_class: bool,
    zeroth: NDArray[np.float64],
    first: NDArray[np.float64],
    second: NDArray[np.float64],
) -> None:
    """Add w, x_i w and (x_i x_j) w, j <= i, to sums (n_sets,), (n_sets, n) and (n_sets, n, n).

    The last set is that of all events; ``by_class`` does the others.
    """
    n_events, n = x.shape
    p = np.empty(n)
    k = zeroth.size - 1
    for event in range(n_events):
        if by_class:
            k = classes[event]
        w = weights[event]
        zeroth[k] += w
        for i in range(n):
            p[i] = x[event, i]
            first[k, i] += p[i] * w
        for i in range(n):
            for j in range(i + 1):
                second[k, i, j] += p[j] * p[i] * w


@compiled
def running_moments(
    x: NDArray[np.float32],
    classes: NDArray[np.integer],
    by_class: bool,
    numbers: NDArray[np.int64],
    means: NDArray[np.float64],
    covariances: NDArray[np.float64],
) -> None:
    """Update numbers (n_sets,), means (n_sets, n) and lower triangles of covariances (n_sets, n, n) event by event.

    The last set is that of all events; ``by_class`` does the others.
    """
    n_events, n = x.shape
    deviation = np.empty(n)
    k = numbers.size - 1
    for event in range(n_events):
        if by_class:
            k = classes[event]
        numbers[k] += 1
        a = 1.0 / numbers[k]
        c = 1.0 - a
        for i in range(n):
            means[k, i] = means[k, i] * c + x[event, i] * a
            deviation[i] = x[event, i] - means[k, i]
        if numbers[k] > 1:
            b = 1.0 / (numbers[k] - 1.0)
            for i in range(n):
                t = deviation[i] * b
                for j in range(i + 1):
                    covariances[k, i, j] = covariances[k, i, j] * c + t * deviation[j]
