"""One event after the other: the same arithmetic as for blocks, to the last bit, with loops over neurons.

All that a call needs is in two arrays, because handing an array to compiled code takes as long as the network itself:

* ``plan``, integers: the numbers of inputs, of steps and of layers, the three kinds, where the parameters of the steps,
  the weights, the values, the neurons' inputs and the work space begin in ``state``; then the addresses of the
  variables, a 1 for each that is float64 rather than float32, the kinds of the steps, the sizes of the layers;
* ``state``, floats: parameters, weights, values (with the bias neurons' ones), neurons' inputs, work space.
"""

from __future__ import annotations

import numpy as np

from pytmva_bnn._typing import FloatArray, IntArray
from pytmva_bnn.fast.compiler import compiled, fma, load
from pytmva_bnn.methods.mlp.kernels.propagation import NORMALISE, ONE, SCALE, TWO
from pytmva_bnn.methods.mlp.kernels.rows import SQUARES, SUM, activate, times_derivative

N_INPUTS, N_STEPS, N_LAYERS, KINDS = 0, 1, 2, 3
PARAMETERS, WEIGHTS, VALUES, INPUTS, WORK, HEAD = 6, 7, 8, 9, 10, 11


@compiled
def take_event(plan: IntArray, state: FloatArray) -> None:
    """Read the variables from the memory they are in, and put them transformed into the values of the first layer."""
    n = plan[N_INPUTS]
    values, work = state[plan[VALUES] : plan[VALUES] + n], state[plan[WORK] : plan[WORK] + n]
    for j in range(n):
        values[j] = np.float32(load(plan[HEAD + j], plan[HEAD + n + j]))
    at = plan[PARAMETERS]
    for number in range(plan[N_STEPS]):
        kind = plan[HEAD + 2 * n + number]
        if kind == NORMALISE:
            for j in range(n):
                low, inverse = np.float32(state[at + j]), np.float32(state[at + n + j])
                values[j] = (np.float32(values[j]) - low) * inverse * TWO - ONE
            at += 2 * n
        elif kind == SCALE:
            for j in range(n):
                values[j] = np.float32(values[j]) / np.float32(state[at + j])
            at += n
        else:
            for j in range(n):
                values[j] -= state[at + j]
            for i in range(n):
                total = 0.0
                for j in range(n):
                    total += state[at + n + i * n + j] * values[j]
                work[i] = total
            for i in range(n):
                values[i] = np.float32(work[i])
            at += n + n * n


@compiled
def evaluate(plan: IntArray, state: FloatArray) -> float:
    """Return the first output of the network for the event that the variables hold now."""
    take_event(plan, state)
    sizes = plan[HEAD + 2 * plan[N_INPUTS] + plan[N_STEPS] :]
    first, row = plan[WEIGHTS], 0
    last = plan[N_LAYERS] - 2
    y = 0.0
    for layer in range(last + 1):
        n, n_to = sizes[layer] + 1, sizes[layer + 1]
        values = state[plan[VALUES] + row : plan[VALUES] + row + n]
        z = state[plan[INPUTS] + row + n : plan[INPUTS] + row + n + n_to]
        a = state[plan[VALUES] + row + n : plan[VALUES] + row + n + n_to]
        for k in range(n_to):
            a[k] = 0.0
        for j in range(n):
            one, to = values[j], state[first + j * n_to : first + (j + 1) * n_to]
            if plan[KINDS + 2] == SUM:
                for k in range(n_to):
                    a[k] = fma(one, to[k], a[k])
            elif plan[KINDS + 2] == SQUARES:
                for k in range(n_to):
                    a[k] += (one * to[k]) * (one * to[k])
            else:
                for k in range(n_to):
                    a[k] += abs(one * to[k])
        for k in range(n_to):
            z[k] = a[k]
        activate(plan[KINDS + (1 if layer == last else 0)], a)
        first += n * n_to
        row += n
        y = a[0]
    return y


@compiled
def sensitivities(plan: IntArray, state: FloatArray, s: FloatArray) -> None:
    """Set ``s = dh/dw`` of the first output neuron for the event that was evaluated last."""
    sizes = plan[HEAD + 2 * plan[N_INPUTS] + plan[N_STEPS] :]
    widest = 0
    row, n_weights = 0, 0
    for layer in range(plan[N_LAYERS]):
        widest = max(widest, sizes[layer])
        if layer:
            n_weights += (sizes[layer - 1] + 1) * sizes[layer]
            row += sizes[layer - 1] + 1
    delta, below = state[plan[WORK] : plan[WORK] + widest], state[plan[WORK] + widest : plan[WORK] + 2 * widest]
    for k in range(sizes[plan[N_LAYERS] - 1]):
        delta[k] = 1.0 if k == 0 else 0.0
    first = n_weights
    for layer in range(plan[N_LAYERS] - 2, -1, -1):
        n_from, n_to = sizes[layer], sizes[layer + 1]
        first -= (n_from + 1) * n_to
        row -= n_from + 1
        values = state[plan[VALUES] + row : plan[VALUES] + row + n_from + 1]
        for j in range(n_from + 1):
            one, to = values[j], s[first + j * n_to : first + (j + 1) * n_to]
            for k in range(n_to):
                to[k] = one * delta[k]
        if layer:
            at = plan[WEIGHTS] + first
            for j in range(n_from):
                back = state[at + j * n_to] * delta[0]
                for k in range(1, n_to):
                    back = fma(state[at + j * n_to + k], delta[k], back)
                below[j] = back
            z = state[plan[INPUTS] + row : plan[INPUTS] + row + n_from]
            times_derivative(plan[KINDS], z, values[:n_from], below[:n_from])
            delta, below = below, delta


@compiled
def errors(plan: IntArray, state: FloatArray, transposed: FloatArray, triangular: bool) -> tuple[float, float, float]:
    """Return variance, lower and upper error of the first output for the event that was evaluated last.

    ``transposed`` is the transposed factor of :class:`pytmva_bnn.methods.mlp.kernels.responses.Factors`.
    """
    n = transposed.shape[0]
    s, sums = np.empty(n), np.zeros(n)
    sensitivities(plan, state, s)
    for c in range(n):
        one, row = s[c], transposed[c]
        for r in range(c + 1 if triangular else n):
            sums[r] = fma(one, row[r], sums[r])
    variance = 0.0
    for r in range(n):
        variance = fma(sums[r], sums[r] if triangular else s[r], variance)
    deviation = np.sqrt(0.0 if variance < 0.0 else variance)  # noqa: FURB136 - NaN stays
    row_of_output = 0
    sizes = plan[HEAD + 2 * plan[N_INPUTS] + plan[N_STEPS] :]
    for layer in range(plan[N_LAYERS] - 1):
        row_of_output += sizes[layer] + 1
    h, y = state[plan[INPUTS] + row_of_output], state[plan[VALUES] + row_of_output]
    ends = np.empty(2)
    ends[0], ends[1] = h - deviation, h + deviation
    activate(plan[KINDS + 1], ends)
    return variance, y - ends[0], ends[1] - y
