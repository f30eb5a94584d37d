"""Linear correlations: of the input variables, of responses with them, and how far methods agree on events."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import numpy as np

from pytmva_bnn.evaluation.histograms import Histogram2D
from pytmva_bnn.reductions.moments import covariance
from pytmva_bnn.reductions.summation import sequential_sum
from pytmva_bnn.transform.fit_principal import running_moments

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]

LOGGER = logging.getLogger("pytmva_bnn.evaluation")

SMALLEST_PRODUCT = 1e-20


def input_correlations(values: ArrayLike, weights: ArrayLike) -> Floats:
    """Return the weighted correlation matrix of variables (n_events, n_variables) of one class; 0 for constant ones.

    >>> input_correlations([[1.0, 2.0], [2.0, 4.0], [3.0, 6.0]], [1.0, 1.0, 1.0]).round(6).tolist()
    [[1.0, 1.0], [1.0, 1.0]]
    """
    return _correlations(covariance(values, weights), 0.0)


def response_correlations(values: ArrayLike) -> Floats:
    """Return the unweighted correlation matrix of responses and variables (n_events, n) of one class.

    A NaN counts as 0, as TMVA takes it for responses.

    >>> response_correlations([[1.0, 3.0], [2.0, 2.0], [3.0, 1.0]]).round(6).tolist()
    [[1.0, -1.0], [-1.0, 1.0]]
    """
    x = np.asarray(values, dtype=np.float32)
    if np.isnan(x).any():
        LOGGER.warning("Found NaN among the responses: taken as 0 for the correlations")
        x = np.nan_to_num(x, nan=0.0, posinf=np.inf, neginf=-np.inf)
    C = running_moments(x)[1]  # noqa: N806
    with np.errstate(all="ignore"):
        C = C / sequential_sum(np.diagonal(C))  # noqa: N806
    return _correlations(C, SMALLEST_PRODUCT)


def _correlations(C: Floats, smallest: float) -> Floats:  # noqa: N803
    variances = np.diagonal(C)
    products = np.outer(variances, variances)
    usable = products > smallest
    for i, j in zip(*np.nonzero(~usable), strict=True):
        if i != j:
            LOGGER.warning("<GetCorrelationMatrix> zero variances for variables (%d, %d): %g", i, j, products[i, j])
    rho = np.where(usable, C / np.sqrt(np.where(usable, products, 1.0)), 0.0)
    np.fill_diagonal(rho, 1.0)
    return rho


def correlation_histogram(matrix: Floats) -> Histogram2D:
    """Return the histogram ``CorrelationMatrix...``: whole per cents, truncated towards zero.

    >>> h = correlation_histogram(np.array([[1.0, -0.429], [-0.429, 1.0]]))
    >>> h.values.tolist()
    [[100.0, -42.0], [-42.0, 100.0]]
    """
    n = len(matrix)
    rounded = np.asarray(matrix, dtype=np.float32)
    contents, squares = np.zeros((n + 2, n + 2), np.float32), np.zeros((n + 2, n + 2))
    contents[1:-1, 1:-1] = np.trunc(np.float32(100.0) * rounded)
    # TMVA: the squared errors are those of a matrix of contents |rho|, scaled by 100; their sum is scaled twice
    squares[1:-1, 1:-1] = np.abs(rounded.astype(np.float64)) * 1e4
    total = float(sequential_sum(squares.ravel())) * 1e4
    end = (0.0, float(n))
    return Histogram2D(contents, squares, end, end, 2.0 * n * n, (0.0, total, 0.0, 0.0, 0.0, 0.0, 0.0))


def overlap_matrix(responses: ArrayLike, cuts: Sequence[float]) -> Floats:
    """Return the fraction of events (n_events, n_methods) that two methods put on the same side of their cuts.

    >>> overlap_matrix([[0.1, 0.2], [0.9, 0.4], [0.8, 0.9], [0.2, 0.1]], [0.5, 0.5]).tolist()
    [[1.0, 0.75], [0.75, 1.0]]
    """
    above = np.asarray(responses, dtype=np.float64) - np.asarray(cuts, dtype=np.float64)
    n_events, n = above.shape
    agree = np.array([[np.count_nonzero(above[:, i] * above[:, j] > 0) for j in range(n)] for i in range(n)])
    with np.errstate(all="ignore"):
        return agree / np.float64(n_events)
