"""Applying G and U compiled: 9 and 3 times faster than numpy, which takes 0.14 s for 50,000 events with 10 inputs.

TMVA finds the inverse error function by an iteration of some five steps and rounds the result to float32.  Where the
iteration cannot end anywhere but in one and the same float32, that number is found from a table instead.
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np

from pytmva_bnn._typing import BoolArray, Float32Array, FloatArray
from pytmva_bnn.fast.compiler import compiled
from pytmva_bnn.histograms.density import SMALLEST as SMALLEST_DENSITY
from pytmva_bnn.transform.error_function import LARGEST, PRECISION, SLOPE, SMALLEST, SQRT2

INVERSE = (1 / 3, 1 / 6, 1 / 120)  # of what the series divides by: multiplying is faster
NODES, MORE_NODES = 4096, 1 << 17
"""Places of the table between 0 and 1: so many up to FINE_FROM, and from there to its end, where erf is steep."""
FINE_FROM, LARGEST_IN_TABLE = 31 / 32, 0.9995
MARGIN = 10 * PRECISION
"""How far the iteration may be from the solution, in erf and relatively: ten times of what it tests."""


@cache
def table() -> tuple[FloatArray, FloatArray]:
    """Return the inverse error function and its derivative at the nodes."""
    from scipy.special import erfinv

    n_fine = int((LARGEST_IN_TABLE - FINE_FROM) * MORE_NODES) + 3
    places = np.concatenate((np.arange(NODES * FINE_FROM) / NODES, FINE_FROM + np.arange(n_fine) / MORE_NODES))
    values = erfinv(places)
    return values, SLOPE * np.exp(values * values)


@compiled
def probabilities(
    x: Float32Array, position: int, lower: float, upper: float, contents: FloatArray, c: FloatArray
) -> None:
    """Write what :meth:`pytmva_bnn.histograms.PDF.value` gives for an input, within its limits, to ``c`` (n_events,).

    Without branches: whether a value is left or right of the centre of its bin cannot be foreseen.
    """
    n = contents.size
    width = (upper - lower) / n
    for event in range(c.size):
        v = float(x[event, position])
        inside = (v >= lower) & (v < upper)
        k = int((v - lower) / width) if inside else 0
        b = 1 + k - (v < lower + width * k) + (lower + width * (k + 1) <= v)
        b = min(max(b, 1), n) if inside else (1 if v < lower else n)
        centre = lower + (b - 0.5) * width
        other = b + 1 if ((v > centre) & (b != n)) | (b == 1) else b - 1
        p = contents[b - 1]
        p = p + (v - centre) * (p - contents[other - 1]) / (centre - (lower + (other - 0.5) * width))
        # in this form it is clear what becomes of NaN
        p = p if p >= SMALLEST_DENSITY else SMALLEST_DENSITY  # noqa: FURB136
        p = p if p <= LARGEST else LARGEST  # noqa: FURB136
        c[event] = p if p >= SMALLEST else SMALLEST  # noqa: FURB136


@compiled
def gaussianise(c: FloatArray, values: FloatArray, slopes: FloatArray, y: Float32Array, position: int) -> BoolArray:
    """Write where the unit Gaussian has the probabilities ``c`` to a column of ``y``; return which are not certain."""
    left = np.empty(c.size, np.bool_)
    for i in range(c.size):
        a = 2 * c[i] - 1
        size = min(abs(a), LARGEST_IN_TABLE)
        # the fine nodes follow the coarse ones, of which there are no more from there on
        coarse = int(min(size, FINE_FROM) * NODES + 0.5)
        fine = int(max(size - FINE_FROM, 0.0) * MORE_NODES + 0.5)
        node = coarse + fine
        # the Taylor series of the inverse error function where it is f, in u = f' d
        f, u = values[node], slopes[node] * (size - (coarse / NODES + fine / MORE_NODES))
        g = f * f
        c3, c4, c5 = (1 + 4 * g) * INVERSE[0], f * (7 + 12 * g) * INVERSE[1], (28 + g * (368 + 384 * g)) * INVERSE[2]
        e = f + u * (1 + u * (f + u * (c3 + u * (c4 + u * c5))))
        # nowhere between is the slope larger than at the next node
        margin = MARGIN * (e + slopes[node + 1])
        low, high = np.float32(SQRT2 * (e - margin)), np.float32(SQRT2 * (e + margin))
        y[i, position] = math.copysign(low, a)
        left[i] = (low != high) | (size == LARGEST_IN_TABLE)
    return left
