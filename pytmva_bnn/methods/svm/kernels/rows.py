"""The kernel of one event with many others: the compiled twin of :meth:`Kernel.values`, to the last bit.

Loops run over the others, so that they vectorise; exponentials and powers that may round to either of two neighbours in
float32 are left to the C library.
"""

from __future__ import annotations

import math
from typing import TypeAlias

import numpy as np

from pytmva_bnn._typing import Float32Array, FloatArray, IntArray
from pytmva_bnn.fast.compiler import bits, compiled, fma, from_bits, inlined
from pytmva_bnn.methods.svm.kernel import KERNELS, Kernel
from pytmva_bnn.methods.svm.kernels.constants import LARGEST_ORDER, UNCERTAINTY

RBF, MULTI_GAUSS, POLYNOMIAL = range(3)
TILE = 256
"""Events that are worked on at a time."""
ZERO, ONE = np.float32(0), np.float32(1)

# exp(y) = 2^n exp(r): n is left in the low bits of a sum with 1.5 2^52, r is at most ln 2 / 2
ROUND = 6755399441055744.0
LOG2_E, LN2 = 1.4426950408889634, 0.6931471805599453
LOWEST, HIGHEST = np.float32(-150), np.float32(700)  # far beyond 0 and infinity of float32
# the polynomial that is exp(r) at Chebyshev's points
E0, E1, E2, E3, E4 = (
    1.0000000000000135,
    1.0000000000000013,
    0.4999999999943814,
    0.16666666666615607,
    0.041666667040776456,
)
E5, E6, E7 = 0.008333333367332009, 0.0013888801714761622, 0.0001984119061583585
E8, E9 = 2.488447635159146e-05, 2.763265575933203e-06

CompiledKernel: TypeAlias = tuple[IntArray, bool, np.float32, Float32Array, np.float32, int]
"""Numbers of the kernels, whether they are multiplied, Gamma, GammaList, Theta, Order."""
Work: TypeAlias = tuple[Float32Array, Float32Array, Float32Array, FloatArray]


def compiled_kernel(kernel: Kernel) -> CompiledKernel:
    """Return a kernel as compiled code takes it."""
    return (
        np.array([KERNELS.index(name) for name in kernel.names], dtype=np.int64),
        kernel.is_product,
        np.float32(kernel.gamma),
        np.array(kernel.gammas, dtype=np.float32),
        np.float32(kernel.theta),
        kernel.order,
    )


@inlined
def quick_exp(y: float) -> float:
    """Return exp(y) for a :func:`limited` y, with a relative error of 3e-14."""
    shifted = fma(y, LOG2_E, ROUND)
    r = fma(shifted - ROUND, -LN2, y)
    s = r * r
    low = fma(fma(E3, r, E2), s, fma(E1, r, E0))
    middle = fma(fma(E7, r, E6), s, fma(E5, r, E4))
    q = s * s
    p = fma(fma(fma(E9, r, E8), q, middle), q, low)
    return from_bits(bits(p) + (bits(shifted) << 52))


@inlined
def limited(y: np.float32) -> np.float32:
    """Return y within limits beyond which float32 has no exponentials."""
    y = LOWEST if y < LOWEST else y  # noqa: FURB136 - NaN stays
    return HIGHEST if y > HIGHEST else y  # noqa: FURB136


@compiled
def exponentiate(exponents: Float32Array, n: int, values: Float32Array) -> None:
    """Put the exponentials of the first n numbers, which are limited, into ``values``."""
    n_doubtful = 0
    for e in range(n):
        value = quick_exp(np.float64(exponents[e]))
        error = value * UNCERTAINTY
        lower, upper = np.float32(value - error), np.float32(value + error)
        values[e] = lower
        n_doubtful += lower != upper
    if n_doubtful > 0:
        for e in range(n):
            values[e] = np.float32(math.exp(np.float64(exponents[e])))


@compiled
def multiply_by_exp(factors: Float32Array, exponents: Float32Array, n: int, product: Float32Array) -> None:
    """Multiply the first n factors by exponentials; ``product`` is memory."""
    n_doubtful = 0
    for e in range(n):
        value = quick_exp(np.float64(exponents[e])) * np.float64(factors[e])
        error = value * UNCERTAINTY
        lower, upper = np.float32(value - error), np.float32(value + error)
        product[e] = lower
        n_doubtful += lower != upper
    if n_doubtful > 0:
        for e in range(n):
            product[e] = np.float32(math.exp(np.float64(exponents[e])) * np.float64(factors[e]))
    for e in range(n):
        factors[e] = product[e]


@compiled
def raise_to_power(bases: Float32Array, order: int, n: int, powers: Float32Array, products: FloatArray) -> None:
    """Put the powers of the first n numbers into ``powers``; ``products`` is memory."""
    n_doubtful = 0
    if 0 <= order <= LARGEST_ORDER:
        for e in range(n):
            products[e] = 1.0
        for _ in range(order):
            for e in range(n):
                products[e] *= np.float64(bases[e])
        for e in range(n):
            error = products[e] * UNCERTAINTY
            lower, upper = np.float32(products[e] - error), np.float32(products[e] + error)
            powers[e] = lower
            n_doubtful += lower != upper
    else:
        n_doubtful = n
    if n_doubtful > 0:
        exponent = np.float64(order)
        for e in range(n):
            powers[e] = np.float32(math.pow(np.float64(bases[e]), exponent))


@compiled
def add_squares(v: Float32Array, columns: Float32Array, start: int, n: int, sums: Float32Array) -> None:
    """Add the squared differences in all variables, four of them at a time."""
    i, stop = 0, start + n
    while i + 4 <= v.size:
        v0, v1, v2, v3 = v[i], v[i + 1], v[i + 2], v[i + 3]
        c0, c1 = columns[i][start:stop], columns[i + 1][start:stop]
        c2, c3 = columns[i + 2][start:stop], columns[i + 3][start:stop]
        for e in range(n):
            d0, d1, d2, d3 = v0 - c0[e], v1 - c1[e], v2 - c2[e], v3 - c3[e]
            sums[e] = sums[e] + d0 * d0 + d1 * d1 + d2 * d2 + d3 * d3
        i += 4
    for last in range(i, v.size):
        value, column = v[last], columns[last][start:stop]
        for e in range(n):
            difference = value - column[e]
            sums[e] += difference * difference


@compiled
def new_work(n: int) -> Work:
    """Return the memory that :func:`fill_row` needs for n events."""
    return np.empty(n, np.float32), np.empty(n, np.float32), np.empty(n, np.float32), np.empty(n)


@compiled
def fill_row(
    v: Float32Array,
    columns: Float32Array,
    start: int,
    n: int,
    kernel: CompiledKernel,
    row: Float32Array,
    work: Work,
) -> None:
    """Put the kernel of the event ``v`` with n others from ``start`` on into ``row``.

    The others are ``columns`` ``(n_variables, n_events)``; see :func:`new_work`.
    """
    codes, is_product, gamma, gammas, theta, order = kernel
    sums, other, more, products = work
    for part in range(codes.size):
        values = other if part > 0 else row
        if codes[part] == POLYNOMIAL:
            for e in range(n):
                sums[e] = theta
            for i in range(v.size):
                value, column = v[i], columns[i][start : start + n]
                for e in range(n):
                    sums[e] += value * column[e]
            raise_to_power(sums, order, n, values, products)
        elif codes[part] == RBF:
            for e in range(n):
                sums[e] = ZERO
            add_squares(v, columns, start, n, sums)
            for e in range(n):
                sums[e] = limited(-sums[e] * gamma)
            exponentiate(sums, n, values)
        else:
            for e in range(n):
                values[e] = ONE
            for i in range(v.size):
                value, factor, column = v[i], gammas[i], columns[i][start : start + n]
                for e in range(n):
                    difference = value - column[e]
                    sums[e] = limited(-difference * difference * factor)
                multiply_by_exp(values, sums, n, more)
        if part > 0:
            for e in range(n):
                row[e] = row[e] * values[e] if is_product else row[e] + values[e]
