"""The best cut of a node from its histograms; the compiled twin of ``node_search.grid_search``."""

from __future__ import annotations

from typing import Any

import numpy as np

from pytmva_bnn.fast.compiler import compiled
from pytmva_bnn.methods.bdt.training.kernels.separation_kernels import gain_of, index_of, regression_gain

Array = Any


@compiled
def cumulate(histogram: Array, counts: Array, place: int, regression: bool, sums: Array) -> None:
    """Set the sums (signal, background, targets, squared targets, number of events) of all bins up to each one."""
    half = histogram.size // 2
    for k in range(sums.shape[0]):
        if regression:
            here = 4 * (place + k)
            s, b = histogram[here], histogram[here + 1]
            t, t2, count = histogram[here + 2], histogram[here + 3], np.float64(counts[place + k])
        else:
            here = 2 * (place + k)
            b, s = histogram[here], histogram[half + here]
            t, t2, count = 0.0, 0.0, histogram[here + 1] + histogram[half + here + 1]
        if k > 0:
            s += sums[k - 1, 0]
            b += sums[k - 1, 1]
            t += sums[k - 1, 2]
            t2 += sums[k - 1, 3]
            count += sums[k - 1, 4]
        sums[k, 0], sums[k, 1], sums[k, 2], sums[k, 3], sums[k, 4] = s, b, t, t2, count


@compiled
def best_cut(
    sums: Array, n_events: int, total_s: float, total_b: float, kind: int, min_size: float, regression: bool
) -> tuple[float, int, int]:
    """Return gain (-1: none), number and type of the best cut for cumulated sums."""
    total = total_s + total_b
    last = sums.shape[0] - 1
    best, number, cut_type = -1.0, -1, 1
    own = 0.0 if regression else index_of(kind, total_s, total_b)
    for k in range(last):
        s, b, count = sums[k, 0], sums[k, 1], sums[k, 4]
        if not (
            count >= min_size
            and n_events - count >= min_size
            and s + b >= min_size
            and (total_s - s) + (total_b - b) >= min_size
        ):
            continue
        if regression:
            gain = regression_gain(s + b, sums[k, 2], sums[k, 3], total, sums[last, 2], sums[last, 3])
        else:
            gain = gain_of(kind, s, b, total_s, total_b, own)
        if gain > best:
            best, number = gain, k
            if not regression:
                cut_type = 1 if s / total_s > b / total_b else 0
    return best, number, cut_type
