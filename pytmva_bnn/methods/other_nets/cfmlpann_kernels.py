"""The steps of CFMlpANN's training by compiled code: the arithmetic of :mod:`.cfmlpann_training`, to the last bit.

A step depends on the one before it, so events cannot be worked on side by side; but neurons can, four at a time, if
every layer has room for a multiple of four: twice as fast as one neuron after the other.  Weights and changes of the
room that no neuron takes are 0 and stay so.  Indices are unsigned, which spares the test for negative ones.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pytmva_bnn._typing import FloatArray, IntArray
from pytmva_bnn.fast.compiler import compiled, inlined

LARGEST, BEYOND, MOMENTUM = 170.0, 0.9999999999, 0.5
U0, U1, U2, U3, U4 = map(np.uint64, range(5))


@inlined
def activation(u: float) -> float:
    """Return (1 - e^-u)/(1 + e^-u)."""
    if abs(u) > LARGEST:
        return math.copysign(BEYOND, u)
    e = math.exp(-u)
    return (1.0 - e) / (1.0 + e)


@inlined
def slope(f: float) -> float:
    """Return the derivative of the activation where it is ``f``."""
    return (f + 1.0) * (1.0 - f) / 2.0


@compiled
def steps(
    events: IntArray,
    before: int,
    rate_slope: float,
    first_rate: float,
    inputs: FloatArray,
    targets: FloatArray,
    sizes: IntArray,
    w: FloatArray,
    bias: FloatArray,
    w_change: FloatArray,
    bias_change: FloatArray,
    v: FloatArray,
    d: FloatArray,
) -> None:
    """Do a step for each event, counted from 1; ``before`` steps were done.

    ``v`` and ``d`` are memory for values and deltas of the neurons, with the same room, a multiple of four, for each
    layer from the inputs on; ``bias`` has it for each layer from the first hidden one on, ``w`` its square: from row to
    column.
    """
    last: Any = np.uint64(sizes.size - 1)
    room: Any = np.uint64(v.size) // (last + U1)
    for step in range(events.size):
        if events[step] == 0:
            continue
        event = np.uint64(events[step]) - U1
        rate = rate_slope * (before + step + 1) + first_rate
        for i in range(sizes[U0]):
            v[i] = inputs[event, i]
        for layer in range(last):
            _forward(layer, room, sizes[layer], sizes[layer + U1], w, bias, v)
        q = last * room
        for j in range(sizes[last]):
            d[q + j] = slope(v[q + j]) * (targets[event, j] - v[q + j])
        for above in range(U1, last + U1):
            layer = last - above
            if layer > U0:
                _deltas(layer, room, sizes[layer], sizes[layer + U1], w, v, d)
            _update(layer, room, sizes[layer], sizes[layer + U1], rate, w, bias, w_change, bias_change, v, d)


@inlined
def _forward(layer: Any, room: Any, n_from: Any, n_to: Any, w: FloatArray, bias: FloatArray, v: FloatArray) -> None:
    for b in range(U0, n_to, U4):
        u0, u1, u2, u3 = 0.0, 0.0, 0.0, 0.0
        k = layer * room * room + b
        for i in range(n_from):
            a = v[layer * room + i]
            u0 += w[k] * a
            u1 += w[k + U1] * a
            u2 += w[k + U2] * a
            u3 += w[k + U3] * a
            k += room
        q = layer * room + b
        u0, u1, u2, u3 = u0 + bias[q], u1 + bias[q + U1], u2 + bias[q + U2], u3 + bias[q + U3]
        f0 = activation(u0)
        f1 = activation(u1) if b + U1 < n_to else 0.0
        f2 = activation(u2) if b + U2 < n_to else 0.0
        f3 = activation(u3) if b + U3 < n_to else 0.0
        q += room
        v[q], v[q + U1], v[q + U2], v[q + U3] = f0, f1, f2, f3


@inlined
def _deltas(layer: Any, room: Any, n_from: Any, n_to: Any, w: FloatArray, v: FloatArray, d: FloatArray) -> None:
    for b in range(U0, n_from, U4):
        u0, u1, u2, u3 = 0.0, 0.0, 0.0, 0.0
        k = (layer * room + b) * room
        for j in range(n_to):
            above = d[(layer + U1) * room + j]
            u0 += w[k + j] * above
            u1 += w[k + room + j] * above
            u2 += w[k + room * U2 + j] * above
            u3 += w[k + room * U3 + j] * above
        q = layer * room + b
        u0, u1, u2, u3 = slope(v[q]) * u0, slope(v[q + U1]) * u1, slope(v[q + U2]) * u2, slope(v[q + U3]) * u3
        d[q], d[q + U1], d[q + U2], d[q + U3] = u0, u1, u2, u3


@inlined
def _update(
    layer: Any,
    room: Any,
    n_from: Any,
    n_to: Any,
    rate: float,
    w: FloatArray,
    bias: FloatArray,
    w_change: FloatArray,
    bias_change: FloatArray,
    v: FloatArray,
    d: FloatArray,
) -> None:
    for b in range(U0, n_to, U4):
        q = (layer + U1) * room + b
        r0, r1, r2, r3 = rate * d[q], rate * d[q + U1], rate * d[q + U2], rate * d[q + U3]
        k = layer * room * room + b
        for i in range(n_from):
            a = v[layer * room + i]
            c0, c1 = r0 * a + MOMENTUM * w_change[k], r1 * a + MOMENTUM * w_change[k + U1]
            c2, c3 = r2 * a + MOMENTUM * w_change[k + U2], r3 * a + MOMENTUM * w_change[k + U3]
            w0, w1, w2, w3 = w[k] + c0, w[k + U1] + c1, w[k + U2] + c2, w[k + U3] + c3
            w_change[k], w_change[k + U1], w_change[k + U2], w_change[k + U3] = c0, c1, c2, c3
            w[k], w[k + U1], w[k + U2], w[k + U3] = w0, w1, w2, w3
            k += room
        q -= room
        c0, c1 = r0 + MOMENTUM * bias_change[q], r1 + MOMENTUM * bias_change[q + U1]
        c2, c3 = r2 + MOMENTUM * bias_change[q + U2], r3 + MOMENTUM * bias_change[q + U3]
        w0, w1, w2, w3 = bias[q] + c0, bias[q + U1] + c1, bias[q + U2] + c2, bias[q + U3] + c3
        bias_change[q], bias_change[q + U1], bias_change[q + U2], bias_change[q + U3] = c0, c1, c2, c3
        bias[q], bias[q + U1], bias[q + U2], bias[q + U3] = w0, w1, w2, w3
