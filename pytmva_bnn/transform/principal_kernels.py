"""The compiled twin of the running moments that fit P, of all events or of each class in one go.

Each moment is updated in the order of events; those of different variables do not depend on each other, so that
several of them make a vector instruction.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.fast.compiler import compiled


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
