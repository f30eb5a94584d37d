"""The compiled twin of :mod:`.evolution` and :mod:`.normal`, which takes its random numbers from an array."""

from __future__ import annotations

import math

from pytmva_bnn._typing import FloatArray, IntArray
from pytmva_bnn.fast.compiler import compiled

RESERVE = 64
"""Numbers that have to be left for a gene."""
_SMALL_RATE, _LARGE_RATE, _SPARED = 10.0, 40.0, 3


@compiled
def normal(numbers: FloatArray, position: int) -> tuple[float, int]:
    """Return a number of the standard normal distribution and the position after it; -1 if numbers run out."""
    y = numbers[position]
    position += 1
    if y > 0.516058551:
        return 4.132731354 * y - 3.132731354, position
    if y < 0.107981933:
        t = 18.52161694 * y - 1.0
        return (1.0 + t if t > 0 else t - 1.0), position
    if y < 0.483941449:
        r = numbers[position]
        position += 1
        r = r - 1.0 + r
        z = 2.0 - r if r > 0 else -2.0 - r
        if (1.448242853 - y) * (1.46754004 + abs(z)) < 3.307147487:
            return z, position
        x = r * r
        if (y + 1.036467755) * (3.631288474 + x) < 5.295844968:
            return r, position
        if 0.591923442 - y < math.exp(-(z * z + 0.4515827053) / 2):
            return z, position
        if y + 0.375959516 < math.exp(-(x + 0.4515827053) / 2):
            return r, position
    while position + 2 <= numbers.size:
        x = numbers[position]
        y = 0.187308492 * numbers[position + 1]
        position += 2
        z = 0.4571828819 - 0.7270572718 * x - y
        if z > 0:
            r = 2.0 + y / x
        else:
            x = 1.0 - x
            y = 0.187308492 - y
            r = -(2.0 + y / x)
        if (y - 0.8853395638 + x) * (0.2770276848 + x) + 0.2452635696 < 0:
            return r, position
        if y < x + 0.03895759111 and r * r < 4.0 * (0.5029324303 - math.log(x)):
            return r, position
    return 0.0, -1


@compiled
def _any_value(low: float, high: float, n_bins: int, u: float) -> float:
    if n_bins > 0:
        return low + (math.floor(u * n_bins) / (n_bins - 1)) * (high - low)
    return low + (high - low) * u


@compiled
def evolve(
    genes: FloatArray,
    worst: int,
    low: FloatArray,
    high: FloatArray,
    n_bins: IntArray,
    spread: float,
    numbers: FloatArray,
) -> int:
    """Make the next generation in place; return how many random numbers that took, -1 if there are too few."""
    n, n_genes = genes.shape
    half, p = n // 2, 0
    for i in range(half):
        if p + n_genes + 1 > numbers.size:
            return -1
        partner = int(half * numbers[p])
        for k in range(n_genes):
            genes[half + i, k] = genes[i, k] if numbers[p + 1 + k] < 0.5 else genes[partner, k]
        p += 1 + n_genes
    for i in range(_SPARED, n):
        for k in range(n_genes):
            if p + RESERVE > numbers.size:
                return -1
            p += 1
            if 100.0 * numbers[p - 1] > _SMALL_RATE:
                continue
            a, b = low[k], high[k]
            if n_bins[k] > 0:
                genes[i, k] = _any_value(a, b, n_bins[k], numbers[p])
                p += 1
            elif a == b:
                genes[i, k] = a
            else:
                step, p = normal(numbers, p)
                if p < 0:
                    return -1
                v = genes[i, k] + (b - a) * spread * step
                if v < a:
                    v = a - (v - a)
                elif v >= b:
                    v = b - (v - b)
                while v < a or v >= b:
                    v = (v - a) + b if v < a else (v - b) + a
                genes[i, k] = v
    for i in range(worst, n):
        for k in range(n_genes):
            if p + 2 > numbers.size:
                return -1
            p += 1
            if 100.0 * numbers[p - 1] > _LARGE_RATE:
                continue
            if n_bins[k] == 0 and low[k] == high[k]:
                genes[i, k] = low[k]
            else:
                genes[i, k] = _any_value(low[k], high[k], n_bins[k], numbers[p])
                p += 1
    return p
