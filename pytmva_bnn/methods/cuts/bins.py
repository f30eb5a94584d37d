"""The bins of the signal efficiency: for each of them there is one set of cuts."""

from __future__ import annotations

import numpy as np

from pytmva_bnn._typing import FloatArray, IntArray

N_BINS = 100
"""Bins that a training makes."""


def bins_of(efficiencies: FloatArray, n: int = N_BINS) -> IntArray:
    """Return the numbers 1 .. n of the bins over [0, 1]; 0 below them, n + 1 above and for NaN.

    It is the rule of ROOT 6.38 and later.  Older releases take ``int(n x)``, which puts some round numbers, such as
    0.29 and 0.7, into the bin beside.

    >>> bins_of(np.array([-0.1, 0.0, 0.29, 0.3, 0.7, 1.0]))
    array([  0,   1,  30,  31,  70, 101])
    """
    x = np.asarray(efficiencies, dtype=np.float64)
    inside = (x >= 0.0) & (x < 1.0)
    width = 1.0 / n
    y = np.where(inside, x, 0.0)
    k = (y / width).astype(np.int64)
    k += 1 - (y < width * k) + (width * (k + 1) <= y)
    return np.where(inside, k, np.where(x < 0.0, 0, n + 1))


def bin_of(efficiency: float, n: int = N_BINS) -> int:
    """Return the number of the bin of one efficiency."""
    return int(bins_of(np.array([efficiency]), n)[0])


def lower_edges(n: int) -> FloatArray:
    """Return the lower edges of the bins as the axis of a histogram computes them."""
    return np.asarray(np.arange(n) * (1.0 / n))
