"""Gaussian kernel density: each bin of a histogram is spread by a Gaussian over many fine bins."""

from __future__ import annotations

import math
from functools import cache
from typing import NamedTuple

import numpy as np

from pytmva_bnn._typing import Float32Array, FloatArray, IndexArray
from pytmva_bnn.errors import InputError
from pytmva_bnn.fast.twins import compiled_pays
from pytmva_bnn.histograms.axis import Axis
from pytmva_bnn.histograms.histogram import Histogram1D

ADAPTIVE = 2
RENORMALISE = 2
MIRROR = 3
"""Codes of ``KDE_iter`` and ``KDE_border`` in weight files."""
REACH = 6.0
"""In widths: beyond it the error function is 1 to the last bit, and kernels add nothing."""
STEPS = 64
"""Points of the table of the error function in a unit."""
TO_INTEGRATE = 1.5e-8
"""Seconds that numpy takes for the integral of a kernel over a bin, many of which are known to be 0."""


def kernel_density(
    histogram: Histogram1D, fine: Axis, *, iteration: int, border: int, fine_factor: float
) -> Float32Array:
    """Return the contents of the fine bins (float32), not yet normalised."""
    compiled = compiled_pays(TO_INTEGRATE * histogram.n_bins * fine.n_bins)
    sigma = kernel_width(histogram)
    widths = np.full(histogram.n_bins, sigma)
    if iteration == ADAPTIVE:
        pilot = _spread(histogram, histogram.axis, widths, border, compiled=compiled)
        if pilot.min() < 0:
            raise InputError(
                f"histogram '{histogram.name}': an adaptive kernel density needs non-negative densities; avoid "
                "negative weights, or take KDEiter=Nonadaptive"
            )
        area = np.float32(0)
        for term in pilot[:-1] * histogram.axis.width(np.arange(1, histogram.n_bins)):
            area = np.float32(area + term)
        with np.errstate(all="ignore"):  # a bin without density gets an infinitely wide kernel
            pilot = (pilot * (1.0 / np.float64(area))).astype(np.float32)
            # TMVA: the product is rounded before the division
            scaled = np.float64(np.float32(fine_factor) * sigma)
            widths = (scaled / np.sqrt(pilot.astype(np.float64))).astype(np.float32)
    return _spread(histogram, fine, widths, border, compiled=compiled)


def kernel_width(histogram: Histogram1D) -> np.float32:
    """Return the width σ of the kernels, from the spread of the filled values or, after reading a file, of the bins."""
    with np.errstate(all="ignore"):
        total = np.add.accumulate(histogram.values.astype(np.float64))[-1]
        weight, _, first, second = histogram.moments()
        mean = first / weight
        rms = np.sqrt(np.abs(second / weight - mean * mean))
        # TMVA: total is the sum of the contents, usually normalised to unit area, not the number of events
        sigma = np.float32(np.sqrt(2.0) * np.power(4 / 3, 0.2) * rms * np.power(total, -0.2))
    if not sigma > 0:
        raise InputError(
            f"histogram '{histogram.name}': the kernel density needs a positive width, got {sigma}; "
            "the contents must have a positive sum and lie in more than one bin"
        )
    return sigma


class Kernels(NamedTuple):
    """Gaussians in the order in which they are added up, (n_kernels,) each.

    ``factors`` renormalise them; ``first`` and ``last`` are the edges between which they are not 0.
    """

    means: FloatArray
    sigmas: FloatArray
    contents: FloatArray
    factors: FloatArray
    first: IndexArray
    last: IndexArray


def _spread(source: Histogram1D, target: Axis, widths: Float32Array, border: int, *, compiled: bool) -> Float32Array:
    """Add the kernels of all bins of ``source`` up in the bins of ``target``; widths by source bin."""
    # TMVA: edges and centres are rounded to float32; the last bin of the source is left out, and the last one of the
    # target, which stays empty
    edges = target.low_edge(np.arange(1, target.n_bins + 1)).astype(np.float32).astype(np.float64)
    density = np.zeros(target.n_bins, dtype=np.float32)
    with np.errstate(all="ignore"):
        kernels = _kernels(source, edges, np.float64(np.float32(target.upper)), widths, border)
        if compiled:
            from pytmva_bnn.histograms.kde_kernels import add_kernels  # lazy: numba

            add_kernels(edges, *kernels, erf_table(), density)
            return density
        for mean, sigma, content, factor, first, last in zip(*kernels, strict=True):
            integrals = _integrals(edges[first : last + 1], mean, sigma) * factor
            density[first:last] += (content * integrals.astype(np.float32).astype(np.float64)).astype(np.float32)
    return density


def _kernels(source: Histogram1D, edges: FloatArray, upper: np.float64, widths: Float32Array, border: int) -> Kernels:
    n, centres = source.n_bins, source.centres
    lower = np.float64(np.float32(source.axis.lower))
    number = np.arange(1, n)
    places = np.full((n - 1, 2), np.nan)  # of a bin's kernel and, if there is one, of its mirror image
    places[:, 0] = centres[:-1]
    if border == MIRROR:
        low, high = number < n // 5, number > 4 * n // 5
        places[low, 1] = (2 * lower - centres[:-1])[low]
        places[high, 1] = (2 * upper - centres[:-1])[high]
    # empty bins add nothing; those without density around them have no finite width, nor anything to renormalise
    bins, which = np.nonzero(~np.isnan(places) & (source.values[:-1, np.newaxis] != 0))
    means = places[bins, which].astype(np.float32).astype(np.float64)
    sigmas = widths[bins].astype(np.float64)
    factors = np.ones(len(bins))
    if border == RENORMALISE:
        for k, (mean, sigma) in enumerate(zip(means, sigmas, strict=True)):
            factors[k] = np.float32(1.0 / _integrals(np.array([lower, upper]), mean, sigma)[0])
    first = np.maximum(np.searchsorted(edges, means - REACH * sigmas) - 1, 0)
    last = np.minimum(np.searchsorted(edges, means + REACH * sigmas), len(edges) - 1)
    return Kernels(means, sigmas, source.values[bins].astype(np.float64), factors, first, np.maximum(first, last))


def _integrals(edges: FloatArray, mean: float, sigma: float) -> FloatArray:
    """Return the integrals of one kernel between neighbouring edges."""
    step = erf(((edges - mean) / sigma).astype(np.float32).astype(np.float64))
    integrals: FloatArray = 0.5 * (step[1:] - step[:-1])
    return integrals


# -- the error function, with the same bits in compiled code and everywhere


@cache
def erf_table() -> FloatArray:
    """Return the coefficients (8, n) of the error function's expansions around the points k/64 up to 6.

    From 1/2 on they are those of erf - 1, which is small: so erf has no error there but that of its last rounding.
    """
    x = np.arange(int(REACH) * STEPS + 1) / STEPS
    hermite = [np.ones(len(x)), 2 * x]
    for n in range(1, 6):
        hermite.append(2 * x * hermite[n] - 2 * n * hermite[n - 1])
    slope = 2 / math.sqrt(math.pi) * np.exp(-x * x)
    terms = [slope * (-1) ** n * h / math.factorial(n + 1) for n, h in enumerate(hermite)]
    return np.array([[math.erf(one) if one < 0.5 else -math.erfc(one) for one in x], *terms])


def erf(x: FloatArray) -> FloatArray:
    """Return the error function to 1.1e-16, and correctly rounded where it is nearly 1; NaN counts as large.

    >>> abs(erf(np.array([0.3])) - math.erf(0.3)) < 2e-16
    array([ True])
    """
    table = erf_table()
    t = np.where(np.abs(x) < REACH, np.abs(x), REACH)
    k = (t * STEPS + 0.5).astype(np.intp)
    d = t - k * (1.0 / STEPS)
    value = table[-1].take(k)
    for coefficients in table[-2::-1]:
        value *= d
        value += coefficients.take(k)
    value += 2 * k >= STEPS
    signed: FloatArray = np.copysign(value, x)
    return signed
