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

#: events in a block: rows of an odd number of cache lines, which then do not all compete for the same few places of
#: the cache; fewer where a block has one row for each weight
LANES, FEW_LANES = 248, 120


@compiled
def take_events(x: Float32Array, start: int, values: FloatArray) -> None:
    """Put as many events as fit, from ``x[start]`` on, into the first rows of ``values``."""
    n, m = x.shape[1], values.shape[1]
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
    """Set ``y[start:stop]`` to the outputs ``(n_events, n_outputs)`` of these events."""
    m = min(LANES, stop - start)
    for begin in range(start, stop, LANES):
        if begin == start or begin + m > stop:
            m = min(m, stop - begin)
            values, z, work = new_block(sizes, kinds, m)
        take_events(x, begin, values)
        transform(values, sizes[0], steps, parameters, work)
        pass_block(weights, sizes, kinds, values, z)
        outputs = values[values.shape[0] - sizes[-1] :]
        for k in range(sizes[-1]):
            for e in range(m):
                y[begin + e, k] = outputs[k, e]


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
            values, z, work = new_block(sizes, kinds, m)
            delta, below = new_deltas(sizes, m)
            s, strip, others = new_rows(weights.size, m), new_rows(HEIGHT, m), new_rows(4, m)
            v, low, high, logit = others[0], others[1], others[2], others[3]
        take_events(x, begin, values)
        transform(values, sizes[0], steps, parameters, work)
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
