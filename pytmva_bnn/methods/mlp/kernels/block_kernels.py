"""A block of events through the transformations and the network: the one forward pass of compiled code.

A block is a matrix with one row per neuron and one column per event, so that every loop runs along memory and does the
same to all events: that is what vector instructions can do.  What is done to an event does not depend on the others of
its block, not even in the last bit (except in :func:`products` and :func:`dot`, which sum over events).

A network is given by its flat weights in TMVA's order of synapses, by ``sizes``, the neurons of each layer without bias
neurons, and by ``kinds``: the activation of the hidden neurons, that of the output neurons, and the input type.  The
arrays of a block are:

* ``values``: one row for each neuron, layer by layer; behind each layer but the last a row of ones, its bias neuron;
* ``z``: the neurons' inputs, in the rows of ``values`` if the hidden neurons are radial, otherwise of the outputs only.

The weights are float64 or, for responses alone, float32; ``values`` and ``z`` have their type.  The transformed inputs
are the same float32 numbers in both cases.
"""

from __future__ import annotations

import numpy as np

from pytmva_bnn._typing import FloatArray, IntArray
from pytmva_bnn.fast.compiler import compiled, fma, reordered
from pytmva_bnn.methods.mlp.kernels.functions import exp_of_negative, sigmoid, tanh
from pytmva_bnn.methods.mlp.kernels.tiles import HEIGHT, combine
from pytmva_bnn.methods.mlp.network.activations import ACTIVATIONS, FAST_TANH_LIMIT, FAST_TANH_P, FAST_TANH_Q
from pytmva_bnn.methods.mlp.network.layout import NEURON_INPUTS
from pytmva_bnn.transform.compiled import NORMALISE, SCALE

SIGMOID, TANH, FAST_TANH = (ACTIVATIONS[name].number for name in ("sigmoid", "tanh", "fast tanh"))
RELU, RADIAL = (ACTIVATIONS[name].number for name in ("ReLU", "radial"))
SUM, SQUARES = (NEURON_INPUTS.index(name) for name in ("sum", "sqsum"))
P0, P1, P2 = (np.float32(p) for p in FAST_TANH_P[:3])
Q0, Q1, Q2, Q3 = (np.float32(q) for q in FAST_TANH_Q)
ONE, TWO = np.float32(1), np.float32(2)
_DOUBLE = np.empty(0)


@compiled
def empty_rows(like: FloatArray, n: int, m: int) -> FloatArray:
    """Return ``n`` rows of ``m`` numbers, of the type that ``like`` has.

    They begin where a line of the processor's cache begins: a vector across two lines takes twice the time to read.
    """
    memory = np.empty(n * m + 64 // like.itemsize, like.dtype)
    skipped = (-memory.ctypes.data % 64) // like.itemsize
    return memory[skipped : skipped + n * m].reshape((n, m))


@compiled
def new_rows(n: int, m: int) -> FloatArray:
    """Return such rows of ones in float64."""
    rows = empty_rows(_DOUBLE, n, m)
    rows[:] = 1.0
    return rows


@compiled
def new_block(weights: FloatArray, sizes: IntArray, kinds: IntArray, m: int) -> tuple[FloatArray, FloatArray]:
    """Return ``values`` and ``z`` for ``m`` events, with the bias neurons' rows filled."""
    n = sizes.size - 1
    for size in sizes:
        n += size
    rows, row = empty_rows(weights, n + (n if kinds[0] == RADIAL else sizes[-1]), m), 0
    for layer in range(sizes.size - 1):
        row += sizes[layer] + 1
        rows[row - 1] = 1.0
    return rows[:n], rows[n:]


@compiled
def new_deltas(sizes: IntArray, m: int) -> tuple[FloatArray, FloatArray]:
    """Return room for the deltas of a layer, and of the layer below."""
    widest = 0
    for size in sizes:
        widest = max(widest, size)
    return new_rows(widest, m), new_rows(widest, m)


@compiled
def transform(values: FloatArray, n: int, steps: IntArray, parameters: FloatArray) -> None:
    """Transform the ``n`` inputs in the first rows of ``values``.

    Every step rounds to float32 as the transformations do; ``parameters`` are those of the steps one after the other,
    see :class:`pytmva_bnn.transform.compiled.Steps`.
    """
    m = values.shape[1]
    at = 0
    for number in range(steps.size):
        if steps[number] == NORMALISE:
            for j in range(n):
                low, inverse = np.float32(parameters[at + j]), np.float32(parameters[at + n + j])
                for e in range(m):
                    values[j, e] = (np.float32(values[j, e]) - low) * inverse * TWO - ONE
            at += 2 * n
        elif steps[number] == SCALE:
            for j in range(n):
                largest = np.float32(parameters[at + j])
                for e in range(m):
                    values[j, e] = np.float32(values[j, e]) / largest
            at += n
        else:
            sums, centred = empty_rows(_DOUBLE, n, m), empty_rows(_DOUBLE, n, m)
            for j in range(n):
                mean = parameters[at + j]
                for e in range(m):
                    centred[j, e] = values[j, e] - mean
            for i in range(n):
                for e in range(m):
                    sums[i, e] = 0.0
                for j in range(n):
                    factor = parameters[at + n + i * n + j]
                    for e in range(m):
                        sums[i, e] += factor * centred[j, e]
            for i in range(n):
                for e in range(m):
                    values[i, e] = np.float32(sums[i, e])
            at += n + n * n


@compiled
def fast_tanh(z: float) -> float:
    """Return the rational approximation of tanh of ROOT 6.04 to 6.14, in float32."""
    q = np.float32(z * z)
    numerator = np.float32(z * np.float64(P0 + q * (P1 + q * (P2 + q))))
    ratio = np.float64(numerator / (Q0 + q * (Q1 + q * (Q2 + Q3 * q))))
    low = -1.0 if z < -FAST_TANH_LIMIT else ratio
    return 1.0 if z > FAST_TANH_LIMIT else low


@compiled
def activate(kind: int, a: FloatArray) -> None:
    """Replace the inputs ``a`` (1-D) of neurons by their values."""
    zero, half = a.dtype.type(0.0), a.dtype.type(0.5)
    # in place: a loop that reads one row and writes another does not vectorise when both are the same
    if kind == TANH:
        for e in range(a.size):
            a[e] = tanh(a[e])
    elif kind == SIGMOID:
        for e in range(a.size):
            a[e] = sigmoid(a[e])
    elif kind == RELU:
        for e in range(a.size):
            a[e] = zero if a[e] <= zero else a[e]  # noqa: FURB136 - NaN stays
    elif kind == RADIAL:
        for e in range(a.size):
            a[e] = exp_of_negative(-a[e] * a[e] * half)
    elif kind == FAST_TANH:
        for e in range(a.size):
            a[e] = fast_tanh(a[e])


@compiled
def times_derivative(kind: int, z: FloatArray, a: FloatArray, d: FloatArray) -> None:
    """Multiply ``d`` by ``f'(z)``, given also ``a = f(z)``; of radial neurons alone is ``z`` looked at."""
    if kind in (TANH, FAST_TANH):
        for e in range(d.size):
            d[e] *= 1.0 - a[e] * a[e]
    elif kind == SIGMOID:
        for e in range(d.size):
            d[e] *= a[e] * (1.0 - a[e])
    elif kind == RELU:
        for e in range(d.size):
            d[e] *= 1.0 if a[e] > 0.0 else 0.0
    elif kind == RADIAL:
        for e in range(d.size):
            d[e] *= -z[e] * a[e]


@compiled
def combine_other(kind: int, weights: FloatArray, step: int, n: int, values: FloatArray, sums: FloatArray) -> None:
    """Do as :data:`pytmva_bnn.methods.mlp.kernels.tiles.combine` for neurons that add squares or absolute values."""
    for k in range(sums.shape[0]):
        z = sums[k]
        for e in range(z.size):
            z[e] = 0.0
        for j in range(n):
            w, x = weights[j * step + k], values[j]
            if kind == SQUARES:
                for e in range(z.size):
                    z[e] += (w * x[e]) * (w * x[e])
            else:
                for e in range(z.size):
                    z[e] += abs(w * x[e])


@compiled
def pass_block(weights: FloatArray, sizes: IntArray, kinds: IntArray, values: FloatArray, z: FloatArray) -> None:
    """Fill the rows of ``values`` behind those of the inputs, and ``z``."""
    first, row = 0, 0
    for layer in range(sizes.size - 1):
        n, n_to = sizes[layer] + 1, sizes[layer + 1]
        is_last = layer == sizes.size - 2
        begin, end = row + n, row + n + n_to
        sums = values[begin:end]
        if kinds[2] != SUM:
            combine_other(kinds[2], weights[first:], n_to, n, values[row:], sums)
        else:
            combine(weights[first:], n_to, 1, n, values[row:], sums, False)
        flat = sums.reshape(-1)
        if is_last or kinds[0] == RADIAL:
            last = z.shape[0] if is_last else end
            kept = z[last - n_to : last].reshape(-1)
            for e in range(flat.size):
                kept[e] = flat[e]
        activate(kinds[1] if is_last else kinds[0], flat)
        first += n * n_to
        row += n


@compiled
def deltas_below(
    weights: FloatArray,
    n_from: int,
    n_to: int,
    hidden: int,
    row: int,
    values: FloatArray,
    z: FloatArray,
    delta: FloatArray,
    below: FloatArray,
) -> None:
    """Set ``below`` to the deltas of a hidden layer, whose values begin at ``row``, from those of the next layer."""
    back = below[:n_from]
    combine(weights, 1, n_to, n_to, delta, back, False)
    a = values[row : row + n_from].reshape(-1)
    times_derivative(hidden, z[row : row + n_from].reshape(-1) if hidden == RADIAL else a, a, back.reshape(-1))


@compiled
def sensitivities(
    weights: FloatArray,
    sizes: IntArray,
    hidden: int,
    values: FloatArray,
    z: FloatArray,
    which: int,
    s: FloatArray,
    delta: FloatArray,
    below: FloatArray,
) -> None:
    """Fill ``s`` with ``dh/dw`` of output neuron ``which``: one row for each weight.

    If ``which`` is negative, ``delta`` has the derivatives of some function of all ``h``, and ``s`` becomes those of
    this function.
    """
    if which >= 0:
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
            deltas_below(weights[first:], n_from, n_to, hidden, row, values, z, delta, below)
            delta, below = below, delta


@compiled
def softmax(h: FloatArray, y: FloatArray, work: FloatArray) -> None:
    """Set ``y = exp(h_k) / Σ_j exp(h_j)`` over the rows."""
    for e in range(work.size):
        work[e] = h[0, e]
    for k in range(1, h.shape[0]):
        for e in range(work.size):
            work[e] = max(work[e], h[k, e])
    for k in range(h.shape[0]):
        for e in range(work.size):
            y[k, e] = exp_of_negative(h[k, e] - work[e])
    for e in range(work.size):
        work[e] = 0.0
    for k in range(h.shape[0]):
        for e in range(work.size):
            work[e] += y[k, e]
    for k in range(h.shape[0]):
        for e in range(work.size):
            y[k, e] /= work[e]


@compiled
def class_logit(h: FloatArray, which: int, delta: FloatArray, logit: FloatArray) -> None:
    """Set ``logit = h_k - log Σ_{j≠k} exp(h_j)`` of class ``which`` against the rest, and its derivatives ``delta``."""
    for e in range(logit.size):
        largest = -np.inf
        for j in range(h.shape[0]):
            if j != which:
                largest = max(largest, h[j, e])
        total = 0.0
        for j in range(h.shape[0]):
            delta[j, e] = 1.0 if j == which else -exp_of_negative(h[j, e] - largest)
            total -= 0.0 if j == which else delta[j, e]
        for j in range(h.shape[0]):
            if j != which:
                delta[j, e] /= total
        logit[e] = h[which, e] - largest - np.log(total)


@compiled
def variances(factor: FloatArray, triangular: bool, s: FloatArray, strip: FloatArray, v: FloatArray) -> None:
    """Set ``v`` to the variances of an output neuron's input, given the sensitivities ``s``.

    If the factor is triangular, it is ``U`` with ``A⁻¹ = Uᵀ U``, and ``V = |U s|²``, which needs half of the products
    and does not cancel; otherwise it is ``A⁻¹`` itself and ``V = sᵀ A⁻¹ s``.  ``strip`` has room for HEIGHT rows.
    """
    n = factor.shape[0]
    flat = factor.reshape(-1)
    for e in range(v.size):
        v[e] = 0.0
    for r in range(0, n, HEIGHT):
        count, skip = min(HEIGHT, n - r), r if triangular else 0
        combine(flat[r * n + skip :], 1, n, n - skip, s[skip:], strip[:count], False)
        for i in range(count):
            one, other = strip[i], strip[i] if triangular else s[r + i]
            for e in range(v.size):
                v[e] = fma(one[e], other[e], v[e])


@reordered
def products(values: FloatArray, n: int, d: FloatArray, sums: FloatArray, step: int) -> None:
    """Add ``Σ_e values[j, e] d[e]`` to ``sums[j step]`` for ``n`` rows."""
    for j in range(0, n, 4):
        left = n - j
        x0 = values[j]
        x1 = values[j + 1] if left > 1 else x0
        x2 = values[j + 2] if left > 2 else x0
        x3 = values[j + 3] if left > 3 else x0
        s0 = s1 = s2 = s3 = 0.0
        for e in range(d.size):
            s0 += x0[e] * d[e]
            s1 += x1[e] * d[e]
            s2 += x2[e] * d[e]
            s3 += x3[e] * d[e]
        sums[j * step] += s0
        if left > 1:
            sums[(j + 1) * step] += s1
        if left > 2:
            sums[(j + 2) * step] += s2
        if left > 3:
            sums[(j + 3) * step] += s3


@reordered
def dot(a: FloatArray, b: FloatArray) -> float:
    """Return ``Σ_e a_e b_e``."""
    total = 0.0
    for e in range(a.size):
        total += a[e] * b[e]
    return total
