"""How much two quantities tell about each other, from their two-dimensional histogram."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from pytmva_bnn.evaluation.histograms import Histogram2D
from pytmva_bnn.reductions.summation import sequential_sum

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


def mutual_information(histogram: Histogram2D) -> float:
    """Return Σ p_xy ln(p_xy / (p_x p_y)) after merging 2 × 2 bins, or -1 for an empty histogram.

    >>> from pytmva_bnn.evaluation.histograms import fill_2d
    >>> h = fill_2d([0.1, 0.9], [0.1, 0.9], None, (4, 4), (0.0, 1.0), (0.0, 1.0))
    >>> round(mutual_information(h), 6)  # one bit
    0.693147
    """
    total = _total(histogram)
    if total == 0:
        return -1.0
    p = merged(histogram).values.astype(np.float64) / total
    p_x, p_y = p.sum(axis=1), p.sum(axis=0)
    products = np.outer(p_x, p_y)
    positive = (p > 0) & (products > 0)
    return float(np.sum(p[positive] * np.log(p[positive] / products[positive])))


def correlation_ratio(histogram: Histogram2D) -> float:
    """Return the variance of the means of y in the columns x over the variance of y, after merging 2 × 2 bins.

    >>> from pytmva_bnn.evaluation.histograms import fill_2d
    >>> h = fill_2d([0.1, 0.9], [0.1, 0.9], None, (4, 4), (0.0, 1.0), (0.0, 1.0))
    >>> round(correlation_ratio(h), 6)
    1.0
    """
    total = _total(histogram)
    if total == 0:
        return 0.0
    h = merged(histogram)
    values = h.values.astype(np.float64)
    n_y = values.shape[1]
    y = h.y[0] + (np.arange(1, n_y + 1) - 0.5) * (h.y[1] - h.y[0]) / n_y
    # TMVA: the projection includes events beyond the x axis, so that ratios above 1 occur
    projection = h.contents[:, 1:-1].astype(np.float64).sum(axis=0)
    mean = (projection @ y) / projection.sum()
    variance = (projection @ y**2) / projection.sum() - mean**2
    columns = values.sum(axis=1)
    means = np.where(columns != 0, values @ y / np.where(columns != 0, columns, 1.0), 0.0)
    if variance == 0:
        return 0.0
    return float(np.sum(columns / total * (means - mean) ** 2) / variance)


def transposed(histogram: Histogram2D) -> Histogram2D:
    """Return the histogram with its cells in range transposed; axes and flow cells stay as they are.

    >>> from pytmva_bnn.evaluation.histograms import fill_2d
    >>> h = fill_2d([0.1, 0.9], [0.1, 0.2], None, (2, 2), (0.0, 1.0), (0.0, 1.0))
    >>> transposed(h).values.tolist()
    [[1.0, 1.0], [0.0, 0.0]]
    """
    contents = histogram.contents.copy()
    contents[1:-1, 1:-1] = histogram.values.T
    return replace(histogram, contents=contents)


def merged(histogram: Histogram2D) -> Histogram2D:
    """Return the histogram with 2 × 2 cells merged, in float32: first along x, then along y.

    >>> from pytmva_bnn.evaluation.histograms import fill_2d
    >>> merged(fill_2d([0.1, 0.9], [0.1, 0.2], None, (2, 2), (0.0, 1.0), (0.0, 1.0))).values.tolist()
    [[2.0]]
    """
    along_x = _pairs(histogram.contents)
    return replace(histogram, contents=np.ascontiguousarray(_pairs(along_x.T).T))


def _pairs(contents: NDArray[np.float32]) -> NDArray[np.float32]:
    inner = contents[1:-1]
    return np.concatenate([contents[:1], inner[::2] + inner[1::2], contents[-1:]])


def _total(histogram: Histogram2D) -> float:
    return float(sequential_sum(histogram.values.astype(np.float64).ravel()))
