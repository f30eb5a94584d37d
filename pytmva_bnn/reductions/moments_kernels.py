"""The compiled twin of the sums of :mod:`pytmva_bnn.reductions.moments`, of all events or of each class in one go.

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

    With ``by_class`` the sets are the classes, otherwise there is one.
    """
    n_events, n = x.shape
    p = np.empty(n)
    k = 0
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
