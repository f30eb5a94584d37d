"""The event in the linked memory for boosted linear classifiers: five times faster than one call for each of them.

Layout and steps are those of :mod:`pytmva_bnn.methods.linear.event_kernels`; the kind of method is 4 x number of
classifiers + number of the transform, and the numbers are the sum of the weights and, for each classifier, weight, cut,
orientation and coefficients.
"""

from __future__ import annotations

import math

import numpy as np

from pytmva_bnn._typing import FloatArray, IntArray
from pytmva_bnn.fast.compiler import compiled, load
from pytmva_bnn.methods.linear.event_kernels import HEAD, METHOD, N_PARAMETERS, N_STEPS, ROOM, N
from pytmva_bnn.transform.event_kernels import transform_event

STEP, LINEAR, LOG, GAUSS = range(4)
EPSILON = math.exp(-1.0)


@compiled
def evaluate(plan: IntArray, state: FloatArray) -> float:
    """Return the response to what the variables hold now; NaN where the ordinary way has to be taken."""
    n, room = plan[N], plan[ROOM]
    n_classifiers, transform = plan[METHOD] // 4, plan[METHOD] % 4
    values, work = state[room : room + n], state[room + n : room + 2 * n]
    for i in range(n):
        values[i] = np.float32(load(plan[HEAD + i], plan[HEAD + n + i]))
        if not np.isfinite(values[i]):
            return np.nan
    transform_event(values, n, plan[HEAD + 2 * n : HEAD + 2 * n + plan[N_STEPS]], state, 0, work)
    own = plan[N_PARAMETERS]
    norm, total = state[own], 0.0
    own += 1
    for _ in range(n_classifiers):
        cut, direction, v = state[own + 1], state[own + 2], state[own + 3]
        for i in range(n):
            v += state[own + 4 + i] * values[i]
        if not np.isfinite(v):
            return np.nan
        if transform == STEP:
            v = 1.0 if v * direction > cut * direction else -1.0
        elif transform == LOG:
            v = math.log(max(v, cut) - cut + EPSILON)
        elif transform == GAUSS:
            v = v - cut - 1.0
            v = math.exp(-0.5 * v * v)
        total += state[own] * v
        own += 4 + n
    y = total / norm
    return y if np.isfinite(y) else np.nan
