"""The estimator of Cuts by compiled code: 4 times faster for many points at once, 30 times for one after the other.

It is the arithmetic of :mod:`.boxes` and :mod:`.estimator`, to the last bit.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import Float32Array, FloatArray, IntArray
from pytmva_bnn.fast.compiler import compiled, ones

TINY = 1e-4
Words = NDArray[np.uint64]


@compiled
def _rank(values: FloatArray, cut: float) -> int:
    """Return how many of the ascending values are not above the cut."""
    low, high = 0, len(values)
    while low < high:
        middle = (low + high) // 2
        if values[middle] <= cut:
            low = middle + 1
        else:
            high = middle
    return low


@compiled
def _set_rest(words: Words, order: IntArray, first: int, last: int) -> None:
    """Set the bits of the events of some ranks."""
    for rank in range(first, last):
        place = order[rank]
        words[place // 64] |= np.uint64(1) << np.uint64(place % 64)


@compiled
def _sum(words: Words, first: int, last: int, weight: float, byte_sums: FloatArray) -> float:
    """Return the sum of the weights of the events whose bits are set."""
    if not np.isnan(weight):
        count = 0
        for k in range(first, last):
            count += ones(words[k])
        return count * weight
    total = 0.0
    for k in range(first, last):
        word = words[k]
        for byte in range(8):
            total += byte_sums[8 * k + byte, np.int64((word >> np.uint64(8 * byte)) & np.uint64(255))]
    return total


@compiled
def _ratio(part: float, whole: float) -> float:
    if np.float32(whole) == 0.0:
        return 0.0
    return max(np.float64(np.float32(part) / np.float32(whole)), 0.0)


@compiled
def efficiencies(
    lower: FloatArray,
    upper: FloatArray,
    ranks: tuple[FloatArray, IntArray, Words],
    stride: int,
    n_signal_words: int,
    weights: tuple[FloatArray, FloatArray, FloatArray],
    work: Words,
    found: FloatArray,
) -> None:
    """Fill signal and background efficiencies (2,) of the box ``lower < x <= upper``."""
    values, order, rows = ranks
    byte_sums, equal, totals = weights
    n_words = rows.shape[2]
    inside, edge = work[0], work[1]
    for i in range(len(lower)):
        for side in range(2):
            rank = _rank(values[i], upper[i] if side == 0 else lower[i])
            row = rows[i, rank // stride]
            if stride > 1:
                edge[:] = row
                _set_rest(edge, order[i], rank // stride * stride, rank)
                row = edge
            if side == 0 and i == 0:
                inside[:] = row
            elif side == 0:
                for k in range(n_words):
                    inside[k] &= row[k]
            else:
                for k in range(n_words):
                    inside[k] &= ~row[k]
    found[0] = _ratio(_sum(inside, 0, n_signal_words, equal[0], byte_sums), totals[0])
    found[1] = _ratio(_sum(inside, n_signal_words, n_words, equal[1], byte_sums), totals[1])


@compiled
def _bin(x: float, n: int) -> int:
    if not x < 1.0:
        return n + 1
    width = 1.0 / n
    k = int(x / width)
    if x < width * k:
        return k
    return k + 2 if width * (k + 1) <= x else k + 1


@compiled
def estimate(
    points: FloatArray,
    ranks: tuple[FloatArray, IntArray, Words],
    stride: int,
    n_signal_words: int,
    weights: tuple[FloatArray, FloatArray, FloatArray],
    low: FloatArray,
    high: FloatArray,
    table: tuple[Float32Array, FloatArray, FloatArray],
    work: Words,
    box: FloatArray,
) -> Any:
    """Return the values of points, and put what is better than before into the table."""
    background, cuts_lower, cuts_upper = table
    n_variables, n_bins = len(low), len(background) - 2
    values = np.empty(len(points))
    found = np.empty(2)
    for number in range(len(points)):
        for i in range(n_variables):
            box[0, i] = points[number, 2 * i]
            box[1, i] = points[number, 2 * i] + points[number, 2 * i + 1]
        if np.isnan(box[1]).any():
            values[number] = np.nan
            continue
        efficiencies(box[0], box[1], ranks, stride, n_signal_words, weights, work, found)
        s, b = found[0], found[1]
        k = _bin(s, n_bins)
        h = np.float64(background[k])
        if k <= 1 and s < TINY:
            penalty = 0.0
            for i in range(n_variables):
                width = high[i] - low[i]
                above, below = (high[i] - box[1, i]) / width, (low[i] - box[0, i]) / width
                penalty += above * above + 4.0 * below * below
            values[number] = 10.0 + penalty
        elif k <= 1:
            values[number] = 10.0 * (1.0 - 10.0 * s)
        else:
            left = np.float64(background[k - 1])
            right = np.float64(background[k + 1]) if k < n_bins else h
            average = h if h < b else 0.5 * (left + right)
            values[number] = (-abs(h - average) + (1.0 - (h - b))) / (1.0 + s)
        if h < 0.0 or h > b:
            background[k] = b
            if 1 <= k <= n_bins:
                for i in range(n_variables):
                    cuts_lower[k - 1, i] = box[0, i]
                    cuts_upper[k - 1, i] = box[1, i]
    return values
