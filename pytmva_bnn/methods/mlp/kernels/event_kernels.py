"""One event after the other: the same arithmetic as for blocks, to the last bit, with loops over neurons.

As blocks of one event they would take twice the time.  ``values``, ``z`` and ``work`` are those of a block, here 1-D,
``z`` always with all neurons' inputs.
"""

from __future__ import annotations

import numpy as np

from pytmva_bnn._typing import FloatArray, IntArray
from pytmva_bnn.fast.compiler import compiled, fma, inlined, load
from pytmva_bnn.methods.mlp.kernels.block_kernels import SQUARES, SUM, activate, times_derivative
from pytmva_bnn.transform.event_kernels import transform_event


@inlined
def pass_event(weights: FloatArray, sizes: IntArray, kinds: IntArray, values: FloatArray, z: FloatArray) -> None:
    """Fill ``values`` behind the inputs, and ``z``."""
    first, row = 0, 0
    for layer in range(sizes.size - 1):
        n, n_to = sizes[layer] + 1, sizes[layer + 1]
        a = values[row + n : row + n + n_to]
        for k in range(n_to):
            a[k] = 0.0
        for j in range(n):
            x, w = values[row + j], weights[first + j * n_to : first + (j + 1) * n_to]
            if kinds[2] == SUM:
                for k in range(n_to):
                    a[k] = fma(x, w[k], a[k])
            elif kinds[2] == SQUARES:
                for k in range(n_to):
                    a[k] += (x * w[k]) * (x * w[k])
            else:
                for k in range(n_to):
                    a[k] += abs(x * w[k])
        for k in range(n_to):
            z[row + n + k] = a[k]
        activate(kinds[1 if layer == sizes.size - 2 else 0], a)
        first += n * n_to
        row += n


@inlined
def event_deltas_below(
    weights: FloatArray,
    first: int,
    n_from: int,
    n_to: int,
    hidden: int,
    row: int,
    values: FloatArray,
    z: FloatArray,
    delta: FloatArray,
    below: FloatArray,
) -> None:
    """Do as :func:`.block_kernels.deltas_below`, with the layer's weights beginning at ``first``."""
    for j in range(n_from):
        back = 0.0
        for k in range(n_to):
            back = fma(weights[first + j * n_to + k], delta[k], back)
        below[j] = back
    times_derivative(hidden, z[row : row + n_from], values[row : row + n_from], below[:n_from])


# All that a call needs is in two arrays, because handing an array to compiled code takes as long as the network itself.
# ``plan`` are integers: two numbers, the three kinds, where the parts of ``state`` begin; then the addresses of the
# variables, a 1 for each that is float64 rather than float32, the kinds of the steps, the sizes of the layers.
# ``state`` are floats: parameters of the steps, weights, and room for the rest.

N_INPUTS, N_STEPS, KINDS = 0, 1, 2
PARAMETERS, WEIGHTS, VALUES, Z, WORK, DELTA, BELOW, S, SUMS, HEAD = range(5, 15)


@compiled
def evaluate(plan: IntArray, state: FloatArray) -> float:
    """Return the first output of the network for what the variables hold now; NaN if one of them is infinite."""
    n = plan[N_INPUTS]
    steps, sizes = plan[HEAD + 2 * n : HEAD + 2 * n + plan[N_STEPS]], plan[HEAD + 2 * n + plan[N_STEPS] :]
    values = state[plan[VALUES] : plan[Z]]
    finite = True
    for j in range(n):
        values[j] = np.float32(load(plan[HEAD + j], plan[HEAD + n + j]))
        finite = finite and np.isfinite(values[j])
    transform_event(values, n, steps, state, plan[PARAMETERS], state[plan[WORK] : plan[DELTA]])
    pass_event(state[plan[WEIGHTS] : plan[VALUES]], sizes, plan[KINDS : KINDS + 3], values, state[plan[Z] : plan[WORK]])
    y: float = values[values.size - sizes[-1]] if finite else np.nan
    return y


@compiled
def errors(plan: IntArray, state: FloatArray, transposed: FloatArray, triangular: bool) -> tuple[float, float, float]:
    """Return variance, lower and upper error of the first output for the event that was evaluated last.

    ``transposed`` is the transposed factor that :func:`.block_kernels.variances` takes.
    """
    sizes = plan[HEAD + 2 * plan[N_INPUTS] + plan[N_STEPS] :]
    weights, values, z = state[plan[WEIGHTS] : plan[VALUES]], state[plan[VALUES] : plan[Z]], state[plan[Z] : plan[WORK]]
    delta, below = state[plan[DELTA] : plan[BELOW]], state[plan[BELOW] : plan[S]]
    s, sums, n = state[plan[S] : plan[SUMS]], state[plan[SUMS] :], weights.size
    output = values.size - sizes[-1]
    for k in range(sizes[-1]):
        delta[k] = 1.0 if k == 0 else 0.0
    first, row = n, output
    for layer in range(sizes.size - 2, -1, -1):
        n_from, n_to = sizes[layer], sizes[layer + 1]
        first -= (n_from + 1) * n_to
        row -= n_from + 1
        for j in range(n_from + 1):
            for k in range(n_to):
                s[first + j * n_to + k] = values[row + j] * delta[k]
        if layer:
            event_deltas_below(weights, first, n_from, n_to, plan[KINDS], row, values, z, delta, below)
            delta, below = below, delta
    for r in range(n):
        sums[r] = 0.0
    for c in range(n):
        for r in range(c + 1 if triangular else n):
            sums[r] = fma(s[c], transposed[c, r], sums[r])
    variance = 0.0
    for r in range(n):
        variance = fma(sums[r], sums[r] if triangular else s[r], variance)
    deviation = np.sqrt(0.0 if variance < 0.0 else variance)  # noqa: FURB136 - NaN stays
    ends = sums[n:]
    ends[0], ends[1] = z[output] - deviation, z[output] + deviation
    activate(plan[KINDS + 1], ends)
    return variance, values[output] - ends[0], ends[1] - values[output]
