"""Passes over the events of a node: ranges of the variables, sums, histograms on the grid.

The rows of a node's events lie side by side in memory.  Numbers of many rows are worked on as one long list, with the
constants of the variables repeated as often, so that the compiler can use vector instructions whatever the number of
variables is.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pytmva_bnn.fast.compiler import compiled
from pytmva_bnn.methods.bdt.training.kernels.lanes import add_four, add_two

Array = Any

ROWS = 64
"""Rows whose bins are computed at a time: few enough to stay in the first-level cache with the histograms."""
GROUP = 8
"""Rows whose extremes are taken side by side."""


@compiled
def ranges(x: Array, first: int, last: int, low: Array, high: Array) -> None:
    """Set the extremes of all variables over the rows first .. last-1."""
    n_variables = low.size
    width = GROUP * n_variables
    smallest = np.full(width, np.inf, dtype=np.float32)
    largest = np.full(width, -np.inf, dtype=np.float32)
    flat = x.reshape(x.size)
    start, end = first * n_variables, last * n_variables
    while start + width <= end:
        part = flat[start : start + width]
        for j in range(width):
            value = part[j]
            smallest[j] = min(smallest[j], value)
            largest[j] = max(largest[j], value)
        start += width
    for j in range(end - start):
        value = flat[start + j]
        smallest[j] = min(smallest[j], value)
        largest[j] = max(largest[j], value)
    for v in range(n_variables):
        low[v], high[v] = smallest[v], largest[v]
        for j in range(v + n_variables, width, n_variables):
            low[v] = min(low[v], smallest[j])
            high[v] = max(high[v], largest[j])


@compiled
def sums(w: Array, s: Array, t: Array, first: int, last: int, regression: bool) -> tuple[float, float, float, float]:
    """Return the sums of the weights of signal and background and, for regression trees, of targets and squares."""
    signal = background = sum_t = sum_t2 = 0.0
    if regression:
        for e in range(first, last):
            weight = w[e]
            is_signal = np.float64(s[e])
            signal += weight * is_signal
            background += weight * (1.0 - is_signal)
            product = weight * t[e]
            sum_t += product
            sum_t2 += product * t[e]
    else:
        for e in range(first, last):
            is_signal = np.float64(s[e])
            signal += w[e] * is_signal
            background += w[e] * (1.0 - is_signal)
    return signal, background, sum_t, sum_t2


@compiled
def set_grid(
    low: Array,
    high: Array,
    is_candidate: Array,
    is_integer: Array,
    n_cuts: int,
    grid: Array,
    n_bins: Array,
    capacity: Array,
) -> None:
    """Set lower end and inverse width of the grid of each variable, and its number of bins (0: not scanned)."""
    four, epsilon, tiny = np.float32(4.0), np.float32(1.1920929e-07), np.float32(1.17549435e-38)
    for v in range(low.size):
        grid[0, v] = grid[1, v] = grid[2, v] = 0.0
        n_bins[v] = 0
        difference = abs(high[v] - low[v])
        same = difference < epsilon * abs(high[v] + low[v]) * four or difference < tiny
        if same or not is_candidate[v]:
            continue
        grid[0, v] = np.float64(low[v])
        if is_integer[v]:
            n_bins[v] = int(np.float32(high[v] - low[v]) + np.float32(1.0))
            grid[1, v] = grid[2, v] = 1.0
        else:
            n_bins[v] = n_cuts + 1
            grid[2, v] = (np.float64(high[v]) - np.float64(low[v])) / (n_cuts + 1)
            grid[1, v] = 1.0 / grid[2, v]
        n_bins[v] = min(n_bins[v], capacity[v])


@compiled
def fill_classification(
    x: Array,
    w: Array,
    s: Array,
    first: int,
    last: int,
    grid: Array,
    n_bins: Array,
    offset: Array,
    histogram: Array,
) -> None:
    """Fill the histograms of all variables that are scanned: weights and numbers, of background, then of signal."""
    n_variables = n_bins.size
    lows, inverses, lasts, places = _tiled(grid, n_bins, offset)
    cells = np.empty(ROWS * n_variables, dtype=np.uint32)
    flat = x.reshape(x.size)
    signal_part = histogram.size // 2
    for start in range(first, last, ROWS):
        rows = min(ROWS, last - start)
        _cells(flat[start * n_variables : (start + rows) * n_variables], lows, inverses, lasts, places, cells, 2)
        for r in range(rows):
            part = signal_part * np.int64(s[start + r])
            pair = (w[start + r], 1.0)
            for j in range(r * n_variables, (r + 1) * n_variables):
                add_two(histogram, part + np.int64(cells[np.uint64(j)]), pair)


@compiled
def fill_regression(
    x: Array,
    w: Array,
    s: Array,
    t: Array,
    first: int,
    last: int,
    grid: Array,
    n_bins: Array,
    offset: Array,
    histogram: Array,
    counts: Array,
) -> None:
    """Fill the histograms (signal, background, targets, squared targets) and numbers of events."""
    n_variables = n_bins.size
    lows, inverses, lasts, places = _tiled(grid, n_bins, offset)
    cells = np.empty(ROWS * n_variables, dtype=np.uint32)
    flat = x.reshape(x.size)
    for start in range(first, last, ROWS):
        rows = min(ROWS, last - start)
        _cells(flat[start * n_variables : (start + rows) * n_variables], lows, inverses, lasts, places, cells, 4)
        for r in range(rows):
            weight, is_signal, target = w[start + r], np.float64(s[start + r]), np.float64(t[start + r])
            product = weight * target
            four = (weight * is_signal, weight * (1.0 - is_signal), product, product * target)
            for j in range(r * n_variables, (r + 1) * n_variables):
                cell = cells[np.uint64(j)]
                add_four(histogram, np.int64(cell), four)
                counts[cell >> np.uint32(2)] += 1


@compiled
def _tiled(grid: Array, n_bins: Array, offset: Array) -> tuple[Array, Array, Array, Array]:
    """Return the constants of the variables, repeated for every row of a block."""
    n_variables = n_bins.size
    lows, inverses = np.empty(ROWS * n_variables), np.empty(ROWS * n_variables)
    lasts, places = np.empty(ROWS * n_variables, dtype=np.int32), np.empty(ROWS * n_variables, dtype=np.int32)
    for j in range(ROWS * n_variables):
        v = j % n_variables
        lows[j], inverses[j] = grid[0, v], grid[1, v]
        lasts[j], places[j] = max(n_bins[v] - 1, 0), offset[v]
    return lows, inverses, lasts, places


@compiled
def _cells(part: Array, lows: Array, inverses: Array, lasts: Array, places: Array, cells: Array, step: int) -> None:
    """Set the place in the histograms, which have ``step`` numbers in a bin, for every number of a block."""
    for j in range(part.size):
        number = np.int32(inverses[j] * (np.float64(part[j]) - lows[j]))
        number = min(lasts[j], number)
        cells[j] = np.int32(step) * (places[j] + number)
