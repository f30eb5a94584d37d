"""Gaussian kernel density: each bin of a histogram is spread by a Gaussian over many fine bins."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pytmva_bnn._typing import Float32Array, FloatArray
from pytmva_bnn.errors import InputError
from pytmva_bnn.histograms.axis import Axis
from pytmva_bnn.histograms.histogram import Histogram1D

ADAPTIVE = 2
RENORMALISE = 2
MIRROR = 3
"""Codes of ``KDE_iter`` and ``KDE_border`` in weight files."""


def kernel_density(
    histogram: Histogram1D, fine: Axis, *, iteration: int, border: int, fine_factor: float
) -> Float32Array:
    """Return the contents of the fine bins (float32), not yet normalised."""
    sigma = kernel_width(histogram)
    widths = np.full(histogram.n_bins, sigma)
    if iteration == ADAPTIVE:
        pilot = _spread(histogram, histogram.axis, widths, border)
        area = np.float32(0)
        for term in pilot[:-1] * histogram.axis.width(np.arange(1, histogram.n_bins)):
            area = np.float32(area + term)
        with np.errstate(all="ignore"):  # a bin without density gets an infinitely wide kernel
            pilot = (pilot * (1.0 / np.float64(area))).astype(np.float32)
            widths = (fine_factor * np.float64(sigma) / np.sqrt(pilot.astype(np.float64))).astype(np.float32)
    return _spread(histogram, fine, widths, border)


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


def _spread(source: Histogram1D, target: Axis, widths: Float32Array, border: int) -> Float32Array:
    """Add the kernels of all bins of ``source`` up in the bins of ``target``; widths by source bin."""
    # imported here because scipy.special takes long to load and few weight files need it
    from scipy.special import erf

    n = source.n_bins
    edges = target.low_edge(np.arange(1, target.n_bins + 1)).astype(np.float32)
    lower = np.float32(source.axis.lower)
    upper = np.float32(target.upper)
    centres = source.centres.astype(np.float32)
    density = np.zeros(target.n_bins, dtype=np.float32)
    # TMVA: leaves out the last bin of the source, and the last one of the target, which stays empty
    with np.errstate(all="ignore"):
        for i in range(n - 1):
            places = [centres[i]]
            if border == MIRROR and i + 1 < n // 5:
                places.append(np.float32(2) * lower - centres[i])
            elif border == MIRROR and i + 1 > 4 * n // 5:
                places.append(np.float32(2) * upper - centres[i])
            for place in places:
                kernel = _integrals(edges, place, widths[i], erf)
                if border == RENORMALISE:
                    whole = _integrals(np.array([lower, upper]), place, widths[i], erf)[0]
                    kernel = kernel * (np.float32(1) / whole)
                term = (source.values[i] * kernel.astype(np.float64)).astype(np.float32)
                density[:-1] += term
    return density


def _integrals(
    edges: Float32Array,
    mean: np.float32,
    sigma: np.float32,
    erf: Callable[[FloatArray], FloatArray],
) -> Float32Array:
    """Return the integrals of one kernel between neighbouring edges."""
    step = erf(((edges - mean) / sigma).astype(np.float64))
    integrals: Float32Array = (0.5 * (step[1:] - step[:-1])).astype(np.float32)
    return integrals
