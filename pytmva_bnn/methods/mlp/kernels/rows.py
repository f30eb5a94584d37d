"""Loops over the events of a block: activations, weighted sums, products.

A block is a matrix with one row per neuron and one column per event, so that every loop here runs along memory and
does the same to all events: that is what vector instructions can do.  What is done to an event does not depend on the
other events of the block, not even in the last bit (except in :func:`products`, which sums over events).
"""

from __future__ import annotations

import numpy as np

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.fast.compiler import compiled, reordered
from pytmva_bnn.methods.mlp.kernels.functions import exp_of_negative
from pytmva_bnn.methods.mlp.kernels.lanes import apply_sigmoid, apply_tanh

LINEAR, SIGMOID, TANH, RELU, RADIAL, FAST_TANH = range(6)
SUM, SQUARES, ABSOLUTES = range(3)
F1, F2, F3 = np.float32(135135), np.float32(17325), np.float32(378)
F4, F5, F6 = np.float32(62370), np.float32(3150), np.float32(28)


@compiled
def new_rows(n: int, m: int) -> FloatArray:
    """Return ``n`` rows of ``m`` ones that begin where a line of the processor's cache begins.

    A vector that lies across two lines takes twice the time to read.

    >>> new_rows(2, 3).tolist()
    [[1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]
    """
    memory = np.ones(n * m + 8)
    skipped = (-memory.ctypes.data % 64) // 8
    return memory[skipped : skipped + n * m].reshape((n, m))


@compiled
def fast_tanh(z: float) -> float:
    """Return the rational approximation of tanh of ROOT 6.04 to 6.14, in float32.

    >>> round(float(fast_tanh(0.5)), 8), fast_tanh(-6.0)
    (0.46211717, -1.0)
    """
    q = np.float32(z * z)
    bracket = F1 + q * (F2 + q * (F3 + q))
    numerator = np.float32(z * np.float64(bracket))
    denominator = F1 + q * (F4 + q * (F5 + F6 * q))
    ratio = np.float64(numerator / denominator)
    low = -1.0 if z < -4.97 else ratio
    return 1.0 if z > 4.97 else low


@compiled
def activate(kind: int, a: FloatArray) -> None:
    """Replace the inputs ``a`` (1-D) of neurons by their values."""
    # in place: a loop that reads one row and writes another does not vectorise when both are the same
    if kind == TANH:
        apply_tanh(a)
    elif kind == SIGMOID:
        apply_sigmoid(a)
    elif kind == RELU:
        for e in range(a.size):
            a[e] = 0.0 if a[e] <= 0.0 else a[e]  # noqa: FURB136 - NaN stays
    elif kind == RADIAL:
        for e in range(a.size):
            a[e] = exp_of_negative(-a[e] * a[e] * 0.5)
    elif kind == FAST_TANH:
        for e in range(a.size):
            a[e] = fast_tanh(a[e])


@compiled
def copy(source: FloatArray, target: FloatArray) -> None:
    """Set ``target`` to ``source``, both 1-D."""
    # an assignment of slices would take seconds to compile
    for e in range(source.size):
        target[e] = source[e]


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
def combine_other(
    kind: int,
    weights: FloatArray,
    first: int,
    step: int,
    n: int,
    values: FloatArray,
    row: int,
    sums: FloatArray,
) -> None:
    """Do as :func:`pytmva_bnn.methods.mlp.kernels.tiles.combine` for neurons that add squares or absolute values."""
    for k in range(sums.shape[0]):
        z = sums[k]
        for e in range(z.size):
            z[e] = 0.0
        for j in range(n):
            w, x = weights[first + j * step + k], values[row + j]
            if kind == SQUARES:
                for e in range(z.size):
                    z[e] += (w * x[e]) * (w * x[e])
            else:
                for e in range(z.size):
                    z[e] += abs(w * x[e])


@reordered
def products(values: FloatArray, row: int, n: int, d: FloatArray, sums: FloatArray, first: int, step: int) -> None:
    """Add ``Σ_e values[row + j, e] d[e]`` to ``sums[first + j step]`` for ``n`` rows."""
    for j in range(0, n, 4):
        left = n - j
        x0 = values[row + j]
        x1 = values[row + j + 1] if left > 1 else x0
        x2 = values[row + j + 2] if left > 2 else x0
        x3 = values[row + j + 3] if left > 3 else x0
        s0 = s1 = s2 = s3 = 0.0
        for e in range(d.size):
            s0 += x0[e] * d[e]
            s1 += x1[e] * d[e]
            s2 += x2[e] * d[e]
            s3 += x3[e] * d[e]
        sums[first + j * step] += s0
        if left > 1:
            sums[first + (j + 1) * step] += s1
        if left > 2:
            sums[first + (j + 2) * step] += s2
        if left > 3:
            sums[first + (j + 3) * step] += s3


@reordered
def dot(a: FloatArray, b: FloatArray) -> float:
    """Return ``Σ_e a_e b_e``.

    >>> float(dot(np.array([1.0, 2.0]), np.array([3.0, 4.0])))
    11.0
    """
    total = 0.0
    for e in range(a.size):
        total += a[e] * b[e]
    return total
