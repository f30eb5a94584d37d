"""Responses and their errors for a range of events, block by block."""

from __future__ import annotations

import numpy as np

from pytmva_bnn._typing import Float32Array, FloatArray, IntArray
from pytmva_bnn.fast.compiler import compiled
from pytmva_bnn.methods.mlp.kernels.block_kernels import (
    activate,
    class_logit,
    new_block,
    new_deltas,
    new_rows,
    pass_block,
    sensitivities,
    transform,
    variances,
)
from pytmva_bnn.methods.mlp.kernels.tiles import HEIGHT
from pytmva_bnn.methods.mlp.kernels.transposition import take_events

#: events in a block: rows of an odd number of cache lines, which then do not all compete for the same few places of
#: the cache; fewer where a block has one row for each weight; in float32 twice as many
LANES, FEW_LANES = 248, 120
#: bits of a float32
_NO_SIGN, _INFINITY = np.int32(0x7FFFFFFF), np.int32(0x7F800000)


@compiled
def are_finite(numbers: Float32Array) -> bool:
    """Tell whether none of the numbers is NaN or infinite, which their bits say."""
    bits, largest = numbers.view(np.int32), np.int32(0)
    for i in range(bits.size):
        size = np.int32(bits[i] & _NO_SIGN)
        largest = size if size > largest else largest  # noqa: FURB136 - in 32 bits
    return bool(largest < _INFINITY)


@compiled
def respond(
    x: Float32Array,
    start: int,
    stop: int,
    steps: IntArray,
    parameters: FloatArray,
    weights: FloatArray,
    sizes: IntArray,
    kinds: IntArray,
    y: FloatArray,
) -> None:
    """Set ``y[start:stop]`` to the outputs ``(n_events, n_outputs)`` of these events; NaN if an input is not finite.

    The numbers between are of the type of the weights.
    """
    n, flat, line = x.shape[1], x.reshape(-1), 64 // weights.itemsize
    lanes = LANES // 8 * line
    for begin in range(start, stop, lanes):
        m = min(lanes, stop - begin)
        if begin == start or m < lanes:
            # whole cache lines: an event in a vector costs less than one behind the last vector
            values, z = new_block(weights, sizes, kinds, (m + line - 1) // line * line)
        take_events(x, begin, m, values)
        transform(values, sizes[0], steps, parameters)
        pass_block(weights, sizes, kinds, values, z)
        outputs = values[values.shape[0] - sizes[-1] :]
        for k in range(sizes[-1]):
            for e in range(m):
                y[begin + e, k] = outputs[k, e]
        if not are_finite(flat[begin * n : (begin + m) * n]):
            for e in range(m):
                if not are_finite(x[begin + e]):
                    y[begin + e] = np.nan


@compiled
def respond_with_errors(
    x: Float32Array,
    start: int,
    stop: int,
    steps: IntArray,
    parameters: FloatArray,
    weights: FloatArray,
    sizes: IntArray,
    kinds: IntArray,
    factors: FloatArray,
    triangular: IntArray,
    is_softmax: bool,
    y: FloatArray,
    h: FloatArray,
    variance: FloatArray,
    lower: FloatArray,
    upper: FloatArray,
) -> None:
    """Do as :func:`respond`, and find also the outputs' inputs ``h``, their variances and the errors of ``y``.

    All results are ``(n_events, n_outputs)``; ``h`` and ``variance`` may have no rows, then they are not kept.
    ``factors[k]`` and ``triangular[k]`` belong to output ``k``, see :func:`.block_kernels.variances`.  Of a softmax
    there is one factor for all, ``h`` is the logit of each class against the rest, and there are no errors.
    """
    n_outputs = sizes[-1]
    m = min(FEW_LANES, stop - start)
    for begin in range(start, stop, FEW_LANES):
        if begin == start or begin + m > stop:
            m = min(m, stop - begin)
            values, z = new_block(weights, sizes, kinds, m)
            delta, below = new_deltas(sizes, m)
            s, strip, others = new_rows(weights.size, m), new_rows(HEIGHT, m), new_rows(4, m)
            v, low, high, logit = others[0], others[1], others[2], others[3]
        take_events(x, begin, m, values)
        transform(values, sizes[0], steps, parameters)
        pass_block(weights, sizes, kinds, values, z)
        inputs, outputs = z[z.shape[0] - n_outputs :], values[values.shape[0] - n_outputs :]
        for k in range(n_outputs):
            h_k, a, own = inputs[k], outputs[k], k
            if is_softmax:
                h_k, own = logit, 0
                class_logit(inputs, k, delta, h_k)
            sensitivities(weights, sizes, kinds[0], values, z, -1 if is_softmax else k, s, delta, below)
            variances(factors[own], triangular[own] != 0, s, strip, v)
            for e in range(m):
                y[begin + e, k] = a[e]
            if h.shape[0]:
                for e in range(m):
                    h[begin + e, k] = h_k[e]
                    variance[begin + e, k] = v[e]
            if is_softmax:
                continue
            for e in range(m):
                deviation = np.sqrt(0.0 if v[e] < 0.0 else v[e])  # noqa: FURB136 - NaN stays
                low[e] = h_k[e] - deviation
                high[e] = h_k[e] + deviation
            activate(kinds[1], low)
            activate(kinds[1], high)
            for e in range(m):
                lower[begin + e, k] = a[e] - low[e]
                upper[begin + e, k] = high[e] - a[e]
