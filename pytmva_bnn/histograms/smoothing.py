"""Smoothing of histogram contents: the running medians of "353QH twice", and how often they run.

Why running medians: they remove single peaks but keep edges, which averages would wash out.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pytmva_bnn._typing import BoolArray, FloatArray, IntArray
from pytmva_bnn.histograms.histogram import Histogram1D


def smooth(values: ArrayLike, passes: int = 1) -> FloatArray:
    """Return ``values`` (n,) after ``passes`` passes of 353QH twice, in float64.

    Fewer than three values are returned unchanged (ROOT complains and does the same).
    """
    x = np.array(values, dtype=np.float64)
    if len(x) < 3:
        return x
    for _ in range(passes):
        x = _one_pass(x)
    return x


def _one_pass(x: FloatArray) -> FloatArray:
    rough = _medians_and_mean(x)
    result = rough + _medians_and_mean(x - rough)  # "twice": what was lost is smoothed and put back
    if x.min() >= 0:
        result = np.where(result >= 0, result, 0.0)
    return result


def _medians_and_mean(x: FloatArray) -> FloatArray:
    z = _running_median_of_3(x)
    z[0] = _median_of_3(z[1], z[0], 3 * z[1] - 2 * z[2])
    z[-1] = _median_of_3(z[-2], z[-1], 3 * z[-2] - 2 * z[-3])
    z = _running_median_of_5(z)
    z = _running_median_of_3(z)
    z = _round_off_flat_segments(z)
    mean = z.copy()
    mean[1:-1] = 0.25 * z[:-2] + 0.5 * z[1:-1] + 0.25 * z[2:]
    return mean


def _median_of_3(a: Any, b: Any, c: Any) -> Any:
    return np.maximum(np.minimum(a, b), np.minimum(np.maximum(a, b), c))


def _running_median_of_3(y: FloatArray) -> FloatArray:
    z = y.copy()
    z[1:-1] = _median_of_3(y[:-2], y[1:-1], y[2:])
    return z


def _running_median_of_5(y: FloatArray) -> FloatArray:
    z = y.copy()
    n = len(y)
    if n >= 5:
        z[2:-2] = np.sort([y[k : n - 4 + k] for k in range(5)], axis=0)[2]
    z[1] = _median_of_3(y[0], y[1], y[2])
    z[-2] = _median_of_3(y[-3], y[-2], y[-1])
    return z


def _round_off_flat_segments(z: FloatArray) -> FloatArray:
    # "Q": three equal values at a peak or in a valley are replaced by a parabola.  A place found here has
    # exactly three equal values, so no two places overlap and the order does not matter.
    n = len(z)
    i = np.arange(2, n - 2)
    p, q = z[i - 2] - z[i], z[i + 2] - z[i]
    found = (z[i - 1] == z[i]) & (z[i] == z[i + 1]) & (p * q > 0)
    i, p, q = i[found], p[found], q[found]
    j = np.where(np.abs(q) > np.abs(p), -1, 1)  # towards the smaller step
    y = z.copy()
    y[i] = -0.5 * z[i - 2 * j] + z[i] / 0.75 + z[i + 2 * j] / 6
    y[i + j] = 0.5 * (z[i + 2 * j] - z[i - 2 * j]) + z[i]
    return y


def smooth_histogram(histogram: Histogram1D, minimum: int, maximum: int) -> Histogram1D:
    """Return the histogram smoothed ``minimum`` times, or up to ``maximum`` times where errors are large.

    The contents keep their type.  Nothing happens for ``maximum`` <= 0, ``minimum`` < 0 or less than 3 bins.
    """
    if maximum <= 0 or minimum < 0 or histogram.n_bins < 3:
        return histogram
    contents = histogram.values
    if minimum == maximum:
        contents = smooth(contents, minimum).astype(contents.dtype)
    else:
        errors = np.sqrt(histogram.squares[1:-1])
        passes = _number_of_passes(passes_by_bin(contents, errors, minimum, maximum), minimum, maximum)
        for _ in range(passes):
            contents = smooth(contents).astype(histogram.cells.dtype)
    return histogram.with_values(contents)


def passes_by_bin(contents: ArrayLike, errors: ArrayLike, minimum: int, maximum: int) -> IntArray:
    """Return how often each bin (n_bins,) wants to be smoothed: the more, the larger its relative error."""
    content = np.asarray(contents, dtype=np.float64)
    error = np.asarray(errors, dtype=np.float64)
    good = content > error
    passes = np.full(len(content), maximum, dtype=np.int64)
    relative = (error[good] / content[good]).astype(np.float32)
    if len(relative) == 0:
        return passes
    n = np.float32(len(relative))
    with np.errstate(all="ignore"):  # equal errors: 0/0, or the root of a slightly negative number
        # add.accumulate adds one by one as TMVA does; sum() would add pairwise
        mean = np.add.accumulate(relative)[-1] / n
        rms = np.sqrt(np.add.accumulate(relative * relative)[-1] / n - mean * mean)
        low, high = mean - rms, mean + rms
        wanted = (relative - low) / (high - low) * np.float32(maximum - minimum)
    # TMVA: converts NaN to an integer, which on x86 gives the most negative one, and so the minimum
    wanted = np.clip(np.where(np.isfinite(wanted), wanted, 0), -1, maximum - minimum)
    passes[good] = np.clip(wanted.astype(np.int64) + minimum, minimum, maximum)
    return passes


def _number_of_passes(passes: IntArray, minimum: int, maximum: int) -> int:
    # TMVA: each region that wants smoothing makes the whole histogram be smoothed once, and k runs down to
    # 0 inclusive, so that even a histogram with small errors is smoothed minimum + 1 times
    total = 0
    for k in range(maximum, -1, -1):
        total += 1 if k <= minimum else _closed_regions(passes >= k)
    return total


def _closed_regions(wants: BoolArray) -> int:
    # TMVA: a region must have two bins or more, and one that reaches the last bin does not count
    ends = np.flatnonzero(wants[:-1] & ~wants[1:])
    return int(np.sum(wants[ends - 1] & (ends >= 1)))
