"""A block of events through the transformations and the network, and its derivatives by the weights.

A network is given by its flat weights in TMVA's order of synapses and by ``sizes``, the neurons of each layer without
bias neurons.  ``values`` has one row for each neuron, layer by layer, behind each layer but the last a row of ones:
its bias neuron.  ``kinds`` are the activation of the hidden neurons, that of the output neurons, and the input type.
"""

from __future__ import annotations

import numpy as np

from pytmva_bnn._typing import Float32Array, FloatArray, IntArray
from pytmva_bnn.fast.compiler import compiled
from pytmva_bnn.methods.mlp.kernels.rows import RADIAL, SUM, activate, combine_other, copy, new_rows, times_derivative
from pytmva_bnn.methods.mlp.kernels.tiles import combine

NORMALISE, SCALE, LINEAR_MAP = range(3)
ONE, TWO = np.float32(1), np.float32(2)


@compiled
def new_values(sizes: IntArray, m: int) -> FloatArray:
    """Return ``values`` for blocks of ``m`` events, with the bias neurons' rows filled.

    >>> new_values(np.array([1, 2, 1]), 1).shape
    (6, 1)
    """
    rows = sizes.size - 1
    for size in sizes:
        rows += size
    return new_rows(rows, m)


@compiled
def take_events(
    x: Float32Array, start: int, steps: IntArray, parameters: FloatArray, values: FloatArray, work: FloatArray
) -> None:
    """Put as many events as fit, from ``x[start]`` on, into the first rows of ``values``, transformed.

    Every step rounds to float32 as the transformations do; ``parameters`` are those of the steps one after the other,
    see :func:`pytmva_bnn.methods.mlp.kernels.plan.steps_of`.  ``work`` has room for the inputs.
    """
    n = x.shape[1]
    m = values.shape[1]
    if n < 4:
        for j in range(n):
            row = values[j]
            for e in range(m):
                row[e] = x[start + e, j]
    else:  # along the events, which takes half the time if they are long
        for e in range(m):
            event = x[start + e]
            for j in range(n):
                values[j, e] = event[j]
    at = 0
    for number in range(steps.size):
        if steps[number] == NORMALISE:
            for j in range(n):
                row, low, inverse = values[j], np.float32(parameters[at + j]), np.float32(parameters[at + n + j])
                for e in range(m):
                    row[e] = (np.float32(row[e]) - low) * inverse * TWO - ONE
            at += 2 * n
        elif steps[number] == SCALE:
            for j in range(n):
                row, largest = values[j], np.float32(parameters[at + j])
                for e in range(m):
                    row[e] = np.float32(row[e]) / largest
            at += n
        else:
            for j in range(n):
                row, mean = values[j], parameters[at + j]
                for e in range(m):
                    row[e] -= mean
            for i in range(n):
                total = work[i]
                for e in range(m):
                    total[e] = 0.0
                for j in range(n):
                    row, factor = values[j], parameters[at + n + i * n + j]
                    for e in range(m):
                        total[e] += factor * row[e]
            for i in range(n):
                row, total = values[i], work[i]
                for e in range(m):
                    row[e] = np.float32(total[e])
            at += n + n * n


@compiled
def pass_block(
    weights: FloatArray, sizes: IntArray, kinds: IntArray, values: FloatArray, outputs: FloatArray, radial: FloatArray
) -> None:
    """Fill the rows of ``values`` behind those of the inputs.

    ``outputs`` gets the output neurons' inputs ``h``, and ``radial``, which has the shape of ``values`` if there are
    radial neurons, the inputs of these.
    """
    first, row = 0, 0
    for layer in range(sizes.size - 1):
        n, n_to = sizes[layer] + 1, sizes[layer + 1]
        is_last = layer == sizes.size - 2
        sums = values[row + n : row + n + n_to]
        if kinds[2] == SUM:
            combine(weights, first, n_to, 1, n, values, row, sums)
        else:
            combine_other(kinds[2], weights, first, n_to, n, values, row, sums)
        flat = sums.reshape(-1)
        if is_last:
            copy(flat, outputs.reshape(-1))
        elif kinds[0] == RADIAL:
            copy(flat, radial[row + n : row + n + n_to].reshape(-1))
        activate(kinds[1] if is_last else kinds[0], flat)
        first += n * n_to
        row += n


@compiled
def deltas_below(
    weights: FloatArray,
    first: int,
    n_from: int,
    n_to: int,
    hidden: int,
    values: FloatArray,
    radial: FloatArray,
    row: int,
    delta: FloatArray,
    below: FloatArray,
) -> None:
    """Set ``below`` to the deltas of a hidden layer, whose values start at ``row``, from those of the next layer.

    The last row of both is one of ones.
    """
    back = below[:n_from]
    combine(weights, first, 1, n_to, n_to, delta, 0, back)
    a = values[row : row + n_from].reshape(-1)
    z = radial[row : row + n_from].reshape(-1) if hidden == RADIAL else a
    times_derivative(hidden, z, a, back.reshape(-1))


@compiled
def sensitivities(
    weights: FloatArray,
    sizes: IntArray,
    hidden: int,
    values: FloatArray,
    radial: FloatArray,
    which: int,
    s: FloatArray,
    delta: FloatArray,
    below: FloatArray,
) -> None:
    """Fill ``s`` with ``dh/dw`` of output neuron ``which``: one row for each weight."""
    for k in range(sizes[-1]):
        for e in range(delta.shape[1]):
            delta[k, e] = 1.0 if k == which else 0.0
    first, row = weights.size, values.shape[0] - sizes[-1]
    for layer in range(sizes.size - 2, -1, -1):
        n_from, n_to = sizes[layer], sizes[layer + 1]
        first -= (n_from + 1) * n_to
        row -= n_from + 1
        for j in range(n_from + 1):
            a = values[row + j]
            for k in range(n_to):
                target, d = s[first + j * n_to + k], delta[k]
                for e in range(d.size):
                    target[e] = a[e] * d[e]
        if layer:
            deltas_below(weights, first, n_from, n_to, hidden, values, radial, row, delta, below)
            delta, below = below, delta
