"""Responses and their standard deviations for a range of events, block by block."""

from __future__ import annotations

import numpy as np

from pytmva_bnn._typing import Float32Array, FloatArray, IntArray
from pytmva_bnn.fast.compiler import compiled, fma
from pytmva_bnn.methods.mlp.kernels.propagation import new_values, pass_block, sensitivities, take_events
from pytmva_bnn.methods.mlp.kernels.rows import RADIAL, activate, new_rows
from pytmva_bnn.methods.mlp.kernels.tiles import HEIGHT, combine

#: events in a block: rows of an odd number of cache lines, which then do not all compete for the same few places of
#: the cache; fewer where a block has one row for each weight
LANES, FEW_LANES = 248, 120


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
            values, work, outputs = new_values(sizes, m), new_rows(sizes[0], m), new_rows(sizes[-1], m)
            radial = new_values(sizes, m) if kinds[0] == RADIAL else values[:0]
        take_events(x, begin, steps, parameters, values, work)
        pass_block(weights, sizes, kinds, values, outputs, radial)
        found = values[values.shape[0] - sizes[-1] :]
        for k in range(sizes[-1]):
            for e in range(m):
                y[begin + e, k] = found[k, e]


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
    y: FloatArray,
    h: FloatArray,
    variance: FloatArray,
    lower: FloatArray,
    upper: FloatArray,
) -> None:
    """Do as :func:`respond`, and find also the outputs' inputs ``h``, their variances and the errors of ``y``.

    All results are ``(n_events, n_outputs)``; ``h`` and ``variance`` may have no rows, then they are not kept.
    ``factors[k]`` belongs to output ``k``: if ``triangular[k]`` is 1, it is
    the upper triangular ``U`` with ``A⁻¹ = Uᵀ U``, and ``V = |U s|²``, which needs half of the products and does not
    cancel; otherwise it is ``A⁻¹`` itself and ``V = sᵀ A⁻¹ s``.
    """
    n = weights.size
    widest = 0
    for size in sizes:
        widest = max(widest, size + 1)
    m = min(FEW_LANES, stop - start)
    for begin in range(start, stop, FEW_LANES):
        if begin == start or begin + m > stop:
            m = min(m, stop - begin)
            values, work, outputs = new_values(sizes, m), new_rows(sizes[0], m), new_rows(sizes[-1], m)
            radial = new_values(sizes, m) if kinds[0] == RADIAL else values[:0]
            s, delta, below = new_rows(n, m), new_rows(widest, m), new_rows(widest, m)
            strip, others = new_rows(HEIGHT, m), new_rows(3, m)
            v, low, high = others[0], others[1], others[2]
        take_events(x, begin, steps, parameters, values, work)
        pass_block(weights, sizes, kinds, values, outputs, radial)
        for k in range(sizes[-1]):
            sensitivities(weights, sizes, kinds[0], values, radial, k, s, delta, below)
            for e in range(m):
                v[e] = 0.0
            factor = factors[k].reshape(-1)
            for r in range(0, n, HEIGHT):
                count, skip = min(HEIGHT, n - r), r if triangular[k] else 0
                combine(factor, r * n + skip, 1, n, n - skip, s, skip, strip[:count])
                for i in range(count):
                    one, other = strip[i], strip[i] if triangular[k] else s[r + i]
                    for e in range(m):
                        v[e] = fma(one[e], other[e], v[e])
            z, a = outputs[k], values[values.shape[0] - sizes[-1] + k]
            for e in range(m):
                deviation = np.sqrt(0.0 if v[e] < 0.0 else v[e])  # noqa: FURB136 - NaN stays
                low[e] = z[e] - deviation
                high[e] = z[e] + deviation
            activate(kinds[1], low)
            activate(kinds[1], high)
            for e in range(m):
                y[begin + e, k] = a[e]
                lower[begin + e, k] = a[e] - low[e]
                upper[begin + e, k] = high[e] - a[e]
            if h.shape[0]:
                for e in range(m):
                    h[begin + e, k] = z[e]
                    variance[begin + e, k] = v[e]
