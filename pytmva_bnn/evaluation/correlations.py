"""Linear correlations of responses and variables, and how far methods agree on events."""

from __future__ import annotations

import logging
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.histograms import Axis, Histogram2D
from pytmva_bnn.reductions.moments import running_moments
from pytmva_bnn.reductions.summation import sequential_sum

LOGGER = logging.getLogger("pytmva_bnn.evaluation")

SMALLEST_PRODUCT = 1e-20


def response_correlations(values: ArrayLike) -> FloatArray:
    """Return the unweighted correlation matrix of responses and variables (n_events, n) of one class.

    A NaN counts as 0, as TMVA takes it for responses.
    """
    x = np.asarray(values, dtype=np.float32)
    if np.isnan(x).any():
        LOGGER.warning("Found NaN among the responses: taken as 0 for the correlations")
        x = np.nan_to_num(x, nan=0.0, posinf=np.inf, neginf=-np.inf)
    C = running_moments(x)[1]  # noqa: N806
    with np.errstate(all="ignore"):
        C = C / sequential_sum(np.diagonal(C))  # noqa: N806
    products = np.outer(np.diagonal(C), np.diagonal(C))
    usable = products > SMALLEST_PRODUCT
    for i, j in zip(*np.nonzero(~usable), strict=True):
        if i != j:
            LOGGER.warning("<GetCorrelationMatrix> zero variances for variables (%d, %d): %g", i, j, products[i, j])
    rho = np.where(usable, C / np.sqrt(np.where(usable, products, 1.0)), 0.0)
    np.fill_diagonal(rho, 1.0)
    return rho


def correlation_histogram(matrix: FloatArray) -> Histogram2D:
    """Return the histogram ``CorrelationMatrix...``: whole per cents, truncated towards zero."""
    n = len(matrix)
    rounded = np.asarray(matrix, dtype=np.float32)
    contents, squares = np.zeros((n + 2, n + 2), np.float32), np.zeros((n + 2, n + 2))
    contents[1:-1, 1:-1] = np.trunc(np.float32(100.0) * rounded)
    # TMVA: the squared errors are those of a matrix of contents |rho|, scaled by 100; their sum is scaled twice
    squares[1:-1, 1:-1] = np.abs(rounded.astype(np.float64)) * 1e4
    total = float(sequential_sum(squares.ravel())) * 1e4
    statistics = np.array([0.0, total, 0.0, 0.0, 0.0, 0.0, 0.0])
    return Histogram2D((Axis(n, 0.0, float(n)),) * 2, contents, squares, 2.0 * n * n, statistics)


def overlap_matrix(responses: ArrayLike, cuts: Sequence[float]) -> FloatArray:
    """Return the fraction of events (n_events, n_methods) that two methods put on the same side of their cuts."""
    above = np.asarray(responses, dtype=np.float64) - np.asarray(cuts, dtype=np.float64)
    n_events, n = above.shape
    agree = np.array([[np.count_nonzero(above[:, i] * above[:, j] > 0) for j in range(n)] for i in range(n)])
    with np.errstate(all="ignore"):
        return agree / np.float64(n_events)
