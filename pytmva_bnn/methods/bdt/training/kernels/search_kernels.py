"""The best cut of a node from its histograms; the compiled twin of ``node_search.grid_search``."""

from __future__ import annotations

from typing import Any

from pytmva_bnn.fast.compiler import compiled
from pytmva_bnn.methods.bdt.training.kernels.separation_kernels import gain_of, index_of, regression_gain

Array = Any


@compiled
def best_of_variable(
    histogram: Array,
    counts: Array,
    n_bins: int,
    place: int,
    n_events: int,
    totals: tuple[float, float],
    kind: int,
    min_size: float,
    regression: bool,
) -> tuple[float, int, int]:
    """Cumulate the histogram of a variable in place; return gain (-1: none), number and type of its best cut."""
    total_s, total_b = totals
    total = total_s + total_b
    for k in range(1, n_bins):
        here, before = 4 * (place + k), 4 * (place + k - 1)
        for i in range(4):
            histogram[here + i] += histogram[before + i]
        if regression:
            counts[place + k] += counts[place + k - 1]
    last = 4 * (place + n_bins - 1)
    best, number, cut_type = -1.0, -1, 1
    own = 0.0 if regression else index_of(kind, total_s, total_b)
    for k in range(n_bins - 1):
        here = 4 * (place + k)
        s, b = histogram[here], histogram[here + 1]
        count = float(counts[place + k]) if regression else histogram[here + 2]
        if not (
            count >= min_size
            and n_events - count >= min_size
            and s + b >= min_size
            and (total_s - s) + (total_b - b) >= min_size
        ):
            continue
        if regression:
            gain = regression_gain(
                s + b, histogram[here + 2], histogram[here + 3], total, histogram[last + 2], histogram[last + 3]
            )
        else:
            gain = gain_of(kind, s, b, total_s, total_b, own)
        if gain > best:
            best, number = gain, k
            if not regression:
                cut_type = 1 if s / total_s > b / total_b else 0
    return best, number, cut_type
