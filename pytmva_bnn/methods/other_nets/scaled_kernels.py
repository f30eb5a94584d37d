"""Networks behind scaled inputs by compiled code: blocks of events, and single events in linked memory.

The passes through the network are those of the MLP.  For single events all that a call needs is in two arrays, because
handing an array to compiled code takes as long as a small network.  ``plan`` are integers: the numbers named below, the
addresses of the variables, a 1 for each that is float64 rather than float32, the kinds of the steps, the sizes of the
layers.  ``state`` are floats: parameters of the steps, the table of the scaling, weights, and room for the event.
"""

from __future__ import annotations

import numpy as np

from pytmva_bnn._typing import Float32Array, FloatArray, IntArray
from pytmva_bnn.fast.compiler import compiled, load
from pytmva_bnn.methods.mlp.kernels.block_kernels import new_block, pass_block, transform
from pytmva_bnn.methods.mlp.kernels.event_kernels import pass_event
from pytmva_bnn.methods.mlp.kernels.response_kernels import LANES
from pytmva_bnn.methods.mlp.kernels.transposition import take_events
from pytmva_bnn.transform.event_kernels import transform_event

__all__ = ["LANES", "evaluate", "respond"]

N_INPUTS, N_STEPS, KINDS, SCALING, WEIGHTS, VALUES, Z, WORK, HEAD = 0, 1, 2, 5, 6, 7, 8, 9, 10


@compiled
def respond(
    x: Float32Array,
    start: int,
    stop: int,
    steps: IntArray,
    parameters: FloatArray,
    scaling: FloatArray,
    weights: FloatArray,
    sizes: IntArray,
    kinds: IntArray,
    y: FloatArray,
) -> None:
    """Set ``y[start:stop]`` to the responses of these events."""
    m = min(LANES, stop - start)
    for begin in range(start, stop, LANES):
        if begin == start or begin + m > stop:
            m = min(m, stop - begin)
            values, z = new_block(weights, sizes, kinds, m)
        take_events(x, begin, m, values)
        transform(values, sizes[0], steps, parameters)
        for j in range(sizes[0]):
            row = values[j]
            low, high, centre, width = scaling[0, j], scaling[1, j], scaling[2, j], scaling[3, j]
            for e in range(m):
                v = row[e]
                v = low if v < low else v  # noqa: FURB136 - NaN stays
                v = high if v > high else v  # noqa: FURB136
                row[e] = (v - centre) / width
        pass_block(weights, sizes, kinds, values, z)
        outputs = values[values.shape[0] - sizes[-1] :]
        for e in range(m):
            y[begin + e, 0] = outputs[0, e]


@compiled
def evaluate(plan: IntArray, state: FloatArray) -> float:
    """Return the response to what the variables hold now; NaN if one of them is not finite."""
    n = plan[N_INPUTS]
    steps, sizes = plan[HEAD + 2 * n : HEAD + 2 * n + plan[N_STEPS]], plan[HEAD + 2 * n + plan[N_STEPS] :]
    values = state[plan[VALUES] : plan[Z]]
    for j in range(n):
        values[j] = np.float32(load(plan[HEAD + j], plan[HEAD + n + j]))
        if not np.isfinite(values[j]):
            return np.nan
    transform_event(values, n, steps, state, 0, state[plan[WORK] :])
    for j in range(n):
        at = plan[SCALING] + j
        v = values[j]
        v = state[at] if v < state[at] else v  # noqa: FURB136 - NaN stays
        v = state[at + n] if v > state[at + n] else v  # noqa: FURB136
        values[j] = (v - state[at + 2 * n]) / state[at + 3 * n]
    pass_event(state[plan[WEIGHTS] : plan[VALUES]], sizes, plan[KINDS : KINDS + 3], values, state[plan[Z] : plan[WORK]])
    y: float = values[values.size - 1]
    return y
