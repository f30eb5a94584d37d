"""The loops over events of a training: error, gradient, Gauss-Newton matrix, back-propagation; and an elimination.

Sums over events are made in chunks that depend on the events alone, each by one thread, and the chunks are added in
their order: the number of threads changes nothing.
"""

from __future__ import annotations

import numpy as np

from pytmva_bnn._typing import Float32Array, FloatArray, IntArray
from pytmva_bnn.fast.compiler import compiled
from pytmva_bnn.methods.mlp.kernels.block_kernels import (
    deltas_below,
    dot,
    new_block,
    new_deltas,
    new_rows,
    pass_block,
    products,
    sensitivities,
    softmax,
    times_derivative,
)
from pytmva_bnn.methods.mlp.kernels.event_kernels import event_deltas_below, pass_event
from pytmva_bnn.methods.mlp.kernels.functions import log_of_probability
from pytmva_bnn.methods.mlp.kernels.tiles import add_outer_products
from pytmva_bnn.methods.mlp.kernels.transposition import take_events

#: events in a block; fewer where it has one row for each weight
LANES, FEW_LANES = 128, 64


@compiled
def errors_of_output(
    entropy: bool, h: FloatArray, y: FloatArray, desired: FloatArray, start: int, k: int, errors: FloatArray
) -> None:
    """Set ``errors`` to those of output ``k``: half the square of the difference, or the cross entropy.

    Where ``y`` rounds to the wrong end, the entropy is ``|h|``.
    """
    for e in range(y.size):
        t = desired[start + e, k]
        if entropy:
            probability = y[e] if t > 0.5 else 1.0 - y[e]
            log = -log_of_probability(probability)
            errors[e] = abs(h[e]) if probability == 0.0 else log
        else:
            errors[e] = 0.5 * (y[e] - t) * (y[e] - t)


@compiled
def errors_of_softmax(h: FloatArray, y: FloatArray, desired: FloatArray, start: int, errors: FloatArray) -> None:
    """Set ``errors`` to ``-log y_c`` with ``c`` the class of the event, or to ``max h - h_c`` where ``y_c`` is 0."""
    for e in range(errors.size):
        probability, own, largest = 0.0, 0.0, h[0, e]
        for k in range(h.shape[0]):
            t = desired[start + e, k]
            probability += t * y[k, e]
            own += t * h[k, e]
            largest = max(largest, h[k, e])
        errors[e] = largest - own if probability == 0.0 else -log_of_probability(probability)


@compiled
def error_and_gradient(
    x: Float32Array,
    desired: FloatArray,
    event_weights: FloatArray,
    first_chunk: int,
    last_chunk: int,
    chunk: int,
    weights: FloatArray,
    sizes: IntArray,
    kinds: IntArray,
    how: IntArray,
    sums: FloatArray,
) -> None:
    """Set ``sums[c]`` to the sums over the events of chunk ``c``, which has ``chunk`` events.

    ``how`` says whether the error is the entropy, whether the outputs go through a softmax (then there is an error only
    if it is the entropy), and whether only the last output counts for the error.  A row of ``sums`` has the error as
    its last element and, if it is longer, the gradient in front.
    """
    n, n_outputs, with_gradient = x.shape[0], sizes[-1], sums.shape[1] > 1
    cancels = how[0] != 0 or how[1] != 0  # derivatives of a sigmoid or softmax with those of its entropy
    m = 0
    for c in range(first_chunk, last_chunk):
        total = sums[c]
        for i in range(total.size):
            total[i] = 0.0
        for begin in range(c * chunk, min((c + 1) * chunk, n), LANES):
            left = min(LANES, min((c + 1) * chunk, n) - begin)
            if left != m:
                m = left
                values, z = new_block(weights, sizes, kinds, m)
                delta, below = new_deltas(sizes, m)
                errors = new_rows(1, m)[0]
            take_events(x, begin, m, values)
            pass_block(weights, sizes, kinds, values, z)
            h, y = z[z.shape[0] - n_outputs :], values[values.shape[0] - n_outputs :]
            if how[1]:
                softmax(h, y, errors)
                if how[0]:
                    errors_of_softmax(h, y, desired, begin, errors)
                    total[-1] += dot(errors, event_weights[begin : begin + m])
            else:
                for k in range(n_outputs - 1 if how[2] else 0, n_outputs):
                    errors_of_output(how[0] != 0, h[k], y[k], desired, begin, k, errors)
                    total[-1] += dot(errors, event_weights[begin : begin + m])
            if not with_gradient:
                continue
            for k in range(n_outputs):
                d, one = delta[k], y[k]
                for e in range(m):
                    d[e] = (one[e] - desired[begin + e, k]) * event_weights[begin + e]
                if not cancels:
                    times_derivative(kinds[1], h[k], one, d)
            first, row = weights.size, values.shape[0] - n_outputs
            now, then = delta, below
            for layer in range(sizes.size - 2, -1, -1):
                n_from, n_to = sizes[layer], sizes[layer + 1]
                first -= (n_from + 1) * n_to
                row -= n_from + 1
                for k in range(n_to):
                    products(values[row:], n_from + 1, now[k], total[first + k :], n_to)
                if layer:
                    deltas_below(weights[first:], n_from, n_to, kinds[0], row, values, z, now, then)
                    now, then = then, now


@compiled
def gauss_newton(
    x: Float32Array,
    event_weights: FloatArray,
    first_chunk: int,
    last_chunk: int,
    chunk: int,
    weights: FloatArray,
    sizes: IntArray,
    kinds: IntArray,
    which: int,
    weighted: bool,
    is_softmax: bool,
    sums: FloatArray,
) -> None:
    """Set the lower triangle of ``sums[c]`` to ``Σ_i c_i g_i g_iᵀ`` over the events of chunk ``c``.

    ``g = dh/dw`` of output neuron ``which`` and ``c = dy/dh``, times the event weight if ``weighted``; of a softmax
    ``g = dh_k/dw - Σ_j p_j dh_j/dw`` and ``c = p_k``.  The events are added in their order.
    """
    n, n_outputs, n_weights = x.shape[0], sizes[-1], weights.size
    # an odd number of cache lines, so that the rows do not all compete for the same few places of the cache
    length = ((n_weights + 7) // 8 | 1) * 8
    total = new_rows(n_weights, length)
    m = 0
    for c in range(first_chunk, last_chunk):
        for r in range(n_weights):
            for i in range(length):
                total[r, i] = 0.0
        for begin in range(c * chunk, min((c + 1) * chunk, n), FEW_LANES):
            left = min(FEW_LANES, min((c + 1) * chunk, n) - begin)
            if left != m:
                m = left
                values, z = new_block(weights, sizes, kinds, m)
                delta, below = new_deltas(sizes, m)
                s, factor = new_rows(n_weights, m), new_rows(1, m)[0]
                g, cg = new_rows(m, length), new_rows(m, length)  # one row per event
            take_events(x, begin, m, values)
            pass_block(weights, sizes, kinds, values, z)
            h, y = z[z.shape[0] - n_outputs :], values[values.shape[0] - n_outputs :]
            if is_softmax:
                softmax(h, y, factor)
                for k in range(n_outputs):
                    for e in range(m):
                        delta[k, e] = (1.0 if k == which else 0.0) - y[k, e]
            sensitivities(weights, sizes, kinds[0], values, z, -1 if is_softmax else which, s, delta, below)
            for e in range(m):
                factor[e] = event_weights[begin + e] if weighted else 1.0
            if is_softmax:
                for e in range(m):
                    factor[e] *= y[which, e]
            else:
                times_derivative(kinds[1], h[which], y[which], factor)
            for e in range(m):
                for r in range(n_weights):
                    g[e, r] = s[r, e]
                    cg[e, r] = s[r, e] * factor[e]
            add_outer_products(cg, g, m, total)
        for r in range(n_weights):
            for i in range(r + 1):
                sums[c, r, i] = total[r, i]


@compiled
def sequential_pass(
    x: Float32Array,
    desired: FloatArray,
    event_weights: FloatArray,
    order: IntArray,
    rate: float,
    weights: FloatArray,
    sizes: IntArray,
    kinds: IntArray,
    how: IntArray,
) -> None:
    """Change ``weights`` by one step of back-propagation for each event in the given order.

    ``how`` as in :func:`error_and_gradient`.  Loops run over the neurons of a layer, whose weights from one neuron are
    next to each other.
    """
    values = new_block(weights, sizes, kinds, 1)[0].reshape(-1)
    z, delta, below, work = np.empty_like(values), np.empty(values.size), np.empty(values.size), np.empty(1)
    n_outputs = sizes[-1]
    bottom = values.size - n_outputs
    h, y = z[bottom:], values[bottom:]
    cancels = how[0] != 0 or how[1] != 0
    for i in order:
        for j in range(sizes[0]):
            values[j] = x[i, j]
        pass_event(weights, sizes, kinds, values, z)
        if how[1]:
            softmax(h.reshape((-1, 1)), y.reshape((-1, 1)), work)
        for k in range(n_outputs):
            delta[k] = (y[k] - desired[i, k]) * event_weights[i]
        if not cancels:
            times_derivative(kinds[1], h, y, delta[:n_outputs])
        first, row = weights.size, bottom
        now, then = delta, below
        for layer in range(sizes.size - 2, -1, -1):
            n_from, n_to = sizes[layer], sizes[layer + 1]
            first -= (n_from + 1) * n_to
            row -= n_from + 1
            # the deltas of the layer below come first: they are made of the weights before the step
            if layer:
                event_deltas_below(weights, first, n_from, n_to, kinds[0], row, values, z, now, then)
            for k in range(n_to):
                now[k] *= rate
            for j in range(n_from + 1):
                one, to = values[row + j], weights[first + j * n_to : first + (j + 1) * n_to]
                for k in range(n_to):
                    to[k] -= one * now[k]
            now, then = then, now


@compiled
def swaps(targets: IntArray, order: IntArray) -> None:
    """Swap elements ``i`` and ``targets[i]`` of ``order`` for i = 0, 1, …"""
    for i in range(targets.size):
        j = targets[i]
        held = order[i]
        order[i] = order[j]
        order[j] = held


@compiled
def eliminate(a: FloatArray, rows: IntArray) -> None:
    """Turn ``a`` into its inverse with the columns permuted as ``rows`` tells: Gauss-Jordan with row pivoting."""
    n = a.shape[0]
    for k in range(n):
        pivot = k
        for i in range(k + 1, n):
            if abs(a[i, k]) > abs(a[pivot, k]):
                pivot = i
        held = rows[k]
        rows[k] = rows[pivot]
        rows[pivot] = held
        top, other = a[k], a[pivot]
        if pivot != k:
            for i in range(n):
                one = top[i]
                top[i] = other[i]
                other[i] = one
        divisor = top[k]
        top[k] = 1.0
        for i in range(n):
            top[i] /= divisor
        for r in range(n):
            if r != k:
                row = a[r]
                factor = row[k]
                row[k] = 0.0
                for i in range(n):
                    row[i] -= factor * top[i]
