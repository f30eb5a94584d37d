"""Gaussian kernel density: each bin of a histogram is spread by a Gaussian over many fine bins."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pytmva_bnn.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from pytmva_bnn.histograms.histogram import Histogram

    Floats32 = NDArray[np.float32]

ADAPTIVE = 2
RENORMALISE = 2
MIRROR = 3
"""Codes of ``KDE_iter`` and ``KDE_border`` in weight files."""


def kernel_density(
    histogram: Histogram,
    fine: Histogram,
    *,
    iteration: int,
    border: int,
    fine_factor: float,
    rms: float | None = None,
) -> Floats32:
    """Return the contents of the histogram ``fine`` (float32), not yet normalised.

    ``rms`` is that of the values filled into ``histogram``; None: take the bin centres, as after reading a file.

    >>> from pytmva_bnn.histograms import Histogram
    >>> coarse = Histogram("h", np.array([1, 2, 3, 2, 1, 0], dtype=np.float32), 0.0, 6.0)
    >>> fine = Histogram("f", np.zeros(6), 0.0, 6.0)
    >>> kernel_density(coarse, fine, iteration=1, border=1, fine_factor=1.0).astype(float).round(2).tolist()
    [1.03, 1.94, 2.42, 1.94, 1.03, 0.0]
    """
    sigma = kernel_width(histogram, rms)
    widths = np.full(histogram.n_bins, sigma)
    if iteration == ADAPTIVE:
        pilot = _spread(histogram, histogram, widths, border)
        area = np.float32(0)
        for term in pilot[:-1] * histogram.width(np.arange(1, histogram.n_bins)):
            area = np.float32(area + term)
        with np.errstate(all="ignore"):  # a bin without density gets an infinitely wide kernel
            pilot = (pilot * (1.0 / np.float64(area))).astype(np.float32)
            widths = (fine_factor * np.float64(sigma) / np.sqrt(pilot.astype(np.float64))).astype(np.float32)
    return _spread(histogram, fine, widths, border)


def kernel_width(histogram: Histogram, rms: float | None = None) -> np.float32:
    """Return the width σ of the kernels; ``rms`` as in :func:`kernel_density`.

    >>> from pytmva_bnn.histograms import Histogram
    >>> round(float(kernel_width(Histogram("h", np.array([1.0, 1.0]), 0.0, 2.0))), 6)
    0.652029
    """
    contents = histogram.contents.astype(np.float64)
    with np.errstate(all="ignore"):
        total = np.add.accumulate(contents)[-1]
        spread = _rms_of_bins(histogram) if rms is None else np.float64(rms)
        # TMVA: total is the sum of the contents, usually normalised to unit area, not the number of events
        sigma = np.float32(np.sqrt(2.0) * np.power(4 / 3, 0.2) * spread * np.power(total, -0.2))
    if not sigma > 0:
        raise InputError(
            f"histogram '{histogram.name}': the kernel density needs a positive width, got {sigma}; "
            "the contents must have a positive sum and lie in more than one bin"
        )
    return sigma


def _rms_of_bins(histogram: Histogram) -> np.float64:
    contents, x = histogram.contents.astype(np.float64), histogram.all_centres()
    total = np.add.accumulate(contents)[-1]
    mean = np.add.accumulate(contents * x)[-1] / total
    return np.float64(np.sqrt(np.abs(np.add.accumulate(contents * x * x)[-1] / total - mean * mean)))


def _spread(source: Histogram, target: Histogram, widths: Floats32, border: int) -> Floats32:
    """Add the kernels of all bins of ``source`` up in the bins of ``target``; widths by source bin."""
    # imported here because scipy.special takes long to load and few weight files need it
    from scipy.special import erf

    n = source.n_bins
    edges = target.low_edge(np.arange(1, target.n_bins + 1)).astype(np.float32)
    lower = np.float32(source.lower)
    upper = np.float32(target.upper)
    centres = source.all_centres().astype(np.float32)
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
                term = (source.contents[i] * kernel.astype(np.float64)).astype(np.float32)
                density[:-1] += term
    return density


def _integrals(
    edges: Floats32,
    mean: np.float32,
    sigma: np.float32,
    erf: Callable[[NDArray[np.float64]], NDArray[np.float64]],
) -> Floats32:
    """Return the integrals of one kernel between neighbouring edges."""
    step = erf(((edges - mean) / sigma).astype(np.float64))
    integrals: Floats32 = (0.5 * (step[1:] - step[:-1])).astype(np.float32)
    return integrals
