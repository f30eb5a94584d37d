"""Exponential functions and logarithm, without a branch or a call, so that loops over them vectorise.

Range reduction: ``y = n ln 2 + r`` with ``|r| <= ln 2 / 2``.  The integer ``n`` is made by adding 1.5 2^52 to
``y / ln 2``, which leaves it in the low bits of the sum; shifted into the exponent (1023 is added in the same go) they
are ``s = 2^n``.  The exponential of ``r`` is the rational function (Cephes)

``exp(r) = (q + p) / (q - p)`` with ``p = r P(r²)`` and ``q = Q(r²)``, so that

* ``exp(y) = s (q + p) / (q - p)``;
* ``sigmoid(-y) = (q - p) / ((q - p) + s (q + p))``;
* ``tanh(y / 2) = ((s - 1) q + (s + 1) p) / ((s + 1) q + (s - 1) p)``: for small ``y``, where ``s = 1``, that is
  ``p / q`` without cancellation.

One division each.  Relative errors: tanh 4.5e-16 (below 3 units in the last place), sigmoid 3.5e-16, exp 2.8e-16,
log 1.5e-16.  NaN stays NaN, infinities give the limits.

The same in float32, with less of everything: 23 bits instead of 52, ``ln 2`` in one piece for tanh, and of the
continued fraction of ``tanh(r / 2) = p / q`` only ``p = r (1 + r² / 60)`` and ``q = 2 + r² / 5``.  Relative errors:
tanh 2.2e-7, sigmoid 1.9e-7 (both below 3 units in the last place), exp 1.4e-7.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pytmva_bnn.fast.compiler import bits, by_type, compiled, fma, from_bits

ROUND = 6755399441055744.0 + 1023.0  # 1.5 2^52, and what the exponent of 1 is written as
LOG2_E = 1.4426950408889634
TWICE_LOG2_E = 2.0 * LOG2_E
LN2_HIGH, LN2_LOW = 6.93145751953125e-1, 1.42860682030941723212e-6
HALF_LN2_HIGH, HALF_LN2_LOW = LN2_HIGH / 2.0, LN2_LOW / 2.0
P0, P1 = 1.26177193074810590878e-4, 3.02994407707441961300e-2
Q0, Q1, Q2 = 3.00198505138664455042e-6, 2.52448340349684104192e-3, 2.27265548208155028766e-1
SIGN = -(2**63)
MANTISSA, ONE_HALF = 2**52 - 1, 0x3FE6A09E00000000  # bits of sqrt(1/2), its low half cut off
L1, L2, L3, L4 = 6.666666666666735130e-01, 3.999999999940941908e-01, 2.857142874366239149e-01, 2.222219843214978396e-01
L5, L6, L7 = 1.818357216161805012e-01, 1.531383769920937332e-01, 1.479819860511658591e-01
LN2_UPPER, LN2_REST = 6.93147180369123816490e-01, 1.90821492927058770002e-10


def _single(x: float) -> float:
    return np.float32(x)  # type: ignore[return-value]


int32: Any = np.int32
ROUND_F, LOG2_E_F, TWICE_LOG2_E_F = _single(1.5 * 2**23 + 127), _single(LOG2_E), _single(TWICE_LOG2_E)
LN2_HIGH_F, LN2_LOW_F, HALF_LN2_F = _single(LN2_HIGH), _single(LN2_LOW), _single(np.log(2.0) / 2.0)
ZERO_F, ONE_F, TWO_F, FIFTH_F, TWO_FIFTHS_F = map(_single, (0.0, 1.0, 2.0, 0.2, 0.4))
FIFTEENTH_F, SIXTIETH_F = _single(1.0 / 15.0), _single(1.0 / 60.0)
TANH_MAX_F, SIGMOID_MAX_F, EXP_MIN_F = map(_single, (9.5, 88.0, -87.0))
SIGN_F: int = np.int32(-(2**31))  # type: ignore[assignment]


@compiled
def tanh_double(x: float) -> float:
    """Return the hyperbolic tangent."""
    y = abs(x)
    y = 20.0 if y > 20.0 else y  # noqa: FURB136 - NaN stays
    # half of y, r, p and q above: the factors 2 are in the constants
    shifted = fma(y, TWICE_LOG2_E, ROUND)
    n = shifted - ROUND
    r = fma(n, -HALF_LN2_LOW, fma(n, -HALF_LN2_HIGH, y))
    s = from_bits(bits(shifted) << 52)
    w = r * r
    p = fma(r * w, fma(16.0 * P0, w, 4.0 * P1), r)
    q = fma(fma(fma(32.0 * Q0, w, 8.0 * Q1), w, 2.0 * Q2), w, 1.0)
    less, more = s - 1.0, s + 1.0
    value = fma(less, q, more * p) / fma(more, q, less * p)
    return from_bits(bits(value) | (bits(x) & SIGN))


@compiled
def tanh_single(x: float) -> float:
    """Return the hyperbolic tangent."""
    y = abs(x)
    y = TANH_MAX_F if y > TANH_MAX_F else y  # noqa: FURB136 - NaN stays
    shifted = fma(y, TWICE_LOG2_E_F, ROUND_F)
    r = fma(shifted - ROUND_F, -HALF_LN2_F, y)
    s = from_bits(int32(bits(shifted) << 23))
    w = r * r
    p, q = fma(r * w, FIFTEENTH_F, r), fma(TWO_FIFTHS_F, w, ONE_F)
    less, more = s - ONE_F, s + ONE_F
    value = fma(less, q, more * p) / fma(more, q, less * p)
    return from_bits(int32(bits(value) | (bits(x) & SIGN_F)))


@compiled
def parts_of_exp(y: float) -> tuple[float, float, float]:
    """Return ``s``, ``p`` and ``q`` of ``exp(y)``; ``s`` is infinite from 710 on."""
    shifted = fma(y, LOG2_E, ROUND)
    n = shifted - ROUND
    r = fma(n, -LN2_LOW, fma(n, -LN2_HIGH, y))
    w = r * r
    p = fma(r * w, fma(P0, w, P1), r)
    q = fma(fma(fma(Q0, w, Q1), w, Q2), w, 2.0)
    return from_bits(bits(shifted) << 52), p, q


@compiled
def parts_of_exp_single(y: float) -> tuple[float, float, float]:
    """Return the same in float32, for ``y`` from -87 to 88."""
    shifted = fma(y, LOG2_E_F, ROUND_F)
    n = shifted - ROUND_F
    r = fma(n, -LN2_LOW_F, fma(n, -LN2_HIGH_F, y))
    w = r * r
    return from_bits(int32(bits(shifted) << 23)), fma(r * w, SIXTIETH_F, r), fma(FIFTH_F, w, TWO_F)


@compiled
def sigmoid_double(x: float) -> float:
    """Return ``1 / (1 + exp(-x))``."""
    y = 710.0 if -x > 710.0 else -x  # noqa: FURB136 - NaN stays
    s, p, q = parts_of_exp(-700.0 if y < -700.0 else y)  # noqa: FURB136
    less = q - p
    return less / fma(s, q + p, less)


@compiled
def sigmoid_single(x: float) -> float:
    """Return ``1 / (1 + exp(-x))``."""
    y = SIGMOID_MAX_F if -x > SIGMOID_MAX_F else -x  # noqa: FURB136 - NaN stays
    s, p, q = parts_of_exp_single(EXP_MIN_F if y < EXP_MIN_F else y)  # noqa: FURB136
    less = q - p
    return less / fma(s, q + p, less)


@compiled
def exp_of_negative_double(y: float) -> float:
    """Return ``exp(y)`` for ``y <= 0``; 0 below -708, where numbers would lose digits."""
    s, p, q = parts_of_exp(-708.0 if y < -708.0 else y)  # noqa: FURB136 - NaN stays
    value = s * ((q + p) / (q - p))
    return 0.0 if y < -708.0 else value


@compiled
def exp_of_negative_single(y: float) -> float:
    """Return ``exp(y)`` for ``y <= 0``; 0 below -87."""
    s, p, q = parts_of_exp_single(EXP_MIN_F if y < EXP_MIN_F else y)  # noqa: FURB136 - NaN stays
    value = s * ((q + p) / (q - p))
    return ZERO_F if y < EXP_MIN_F else value


tanh = by_type(tanh_double, tanh_single)
"""The hyperbolic tangent."""
sigmoid = by_type(sigmoid_double, sigmoid_single)
"""``1 / (1 + exp(-x))``."""
exp_of_negative = by_type(exp_of_negative_double, exp_of_negative_single)
"""``exp(y)`` for ``y <= 0``."""


@compiled
def log_of_probability(x: float) -> float:
    """Return ``log(x)`` for ``x`` from the smallest normal number to 1, and NaN of NaN.

    ``x = 2^k (1 + f)`` with ``1 + f`` between ``sqrt(1/2)`` and ``sqrt(2)``; ``log(1 + f)`` is a polynomial in
    ``(f / (2 + f))²`` (FreeBSD's).
    """
    above = bits(x) - ONE_HALF
    k = above >> 52
    f = from_bits((above & MANTISSA) + ONE_HALF) - 1.0
    s = f / (2.0 + f)
    z = s * s
    w = z * z
    odd = w * fma(fma(L6, w, L4), w, L2)
    even = z * fma(fma(fma(L7, w, L5), w, L3), w, L1)
    half_square = 0.5 * f * f
    power = float(k)
    value = power * LN2_UPPER - ((half_square - fma(s, half_square + (odd + even), power * LN2_REST)) - f)
    return value if x == x else x  # NaN
