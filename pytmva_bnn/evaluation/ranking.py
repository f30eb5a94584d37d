"""Rankings of the input variables by their distributions in the training events.

What to use when: :func:`separation_ranking` for signal and background, :func:`target_rankings` for one regression
target.  Methods have rankings of their own.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from pytmva_bnn._typing import Float32Array
from pytmva_bnn.evaluation.inputs import MAX_SCATTER_VARIABLES, SCATTER_BINS, variable_histograms
from pytmva_bnn.histograms import Histogram2D, fill_2d, histogram_separation
from pytmva_bnn.methods.ranking import Ranking
from pytmva_bnn.reductions.summation import sequential_sum


def separation_ranking(
    values: ArrayLike,
    weights: ArrayLike | None,
    class_index: ArrayLike,
    titles: Sequence[str],
    integer: Sequence[bool] | None = None,
) -> Ranking:
    """Rank variables (n_events, n_variables) by the separation of class 0 (signal) and 1, in training events."""
    made = variable_histograms(values, weights, class_index, 2, integer)
    return Ranking.of("Separation", titles, (histogram_separation(signal, background) for signal, background in made))


def target_rankings(
    values: ArrayLike, target: ArrayLike, weights: ArrayLike | None, labels: Sequence[str]
) -> tuple[Ranking, ...]:
    """Return the rankings of variables (n_events, n_variables) by what they tell about the target (n_events,).

    Four of them; only the first if there are more than 20 variables and targets.
    """
    x, t = np.asarray(values, dtype=np.float32), np.asarray(target, dtype=np.float32)
    rankings = [Ranking.of("|Correlation with target|", labels, (abs(_correlation(v, t)) for v in x.T))]
    if x.shape[1] + 1 > MAX_SCATTER_VARIABLES:
        return tuple(rankings)
    w = np.ones(len(t), np.float32) if weights is None else np.asarray(weights, dtype=np.float64).astype(np.float32)
    # TMVA: the axis of the target has the range of the first variable; targets beyond it are lost
    axis = (float(x[:, 0].min()), float(x[:, 0].max()))
    scatter = [fill_2d(t, v, w, (SCATTER_BINS,) * 2, axis, (float(v.min()), float(v.max()))) for v in x.T]
    return (
        *rankings,
        Ranking.of("Mutual information", labels, map(mutual_information, scatter)),
        Ranking.of("Correlation Ratio", labels, map(correlation_ratio, scatter)),
        Ranking.of("Correlation Ratio (T)", labels, (correlation_ratio(transposed(h)) for h in scatter)),
    )


def _correlation(x: Float32Array, t: Float32Array) -> float:
    """Return the unweighted correlation; products are float32, sums float64."""
    n = len(x)
    mean_x, mean_t, xx, tt, xt = (
        float(sequential_sum(terms.astype(np.float64))) / n for terms in (x, t, x * x, t * t, x * t)
    )
    with np.errstate(all="ignore"):
        return float((xt - mean_x * mean_t) / np.sqrt(np.float64((xx - mean_x**2) * (tt - mean_t**2))))


# ---- what two quantities tell about each other, from their two-dimensional histogram -----------------------


def mutual_information(histogram: Histogram2D) -> float:
    """Return Σ p_xy ln(p_xy / (p_x p_y)) after merging 2 × 2 bins, or -1 for an empty histogram."""
    total = _total(histogram)
    if total == 0:
        return -1.0
    p = histogram.merged().values.astype(np.float64) / total
    p_x, p_y = p.sum(axis=1), p.sum(axis=0)
    products = np.outer(p_x, p_y)
    positive = (p > 0) & (products > 0)
    return float(np.sum(p[positive] * np.log(p[positive] / products[positive])))


def correlation_ratio(histogram: Histogram2D) -> float:
    """Return the variance of the means of y in the columns x over the variance of y, after merging 2 × 2 bins.

    It is 0 where it does not exist, as for weights that cancel.
    """
    total = _total(histogram)
    h = histogram.merged()
    values = h.values.astype(np.float64)
    n_y = values.shape[1]
    y = h.y.lower + (np.arange(1, n_y + 1) - 0.5) * (h.y.upper - h.y.lower) / n_y
    # TMVA: the projection includes events beyond the x axis, so that ratios above 1 occur
    projection = h.cells[:, 1:-1].astype(np.float64).sum(axis=0)
    projected = projection.sum()
    if 0 in (total, projected):
        return 0.0
    mean = (projection @ y) / projected
    variance = (projection @ y**2) / projected - mean**2
    columns = values.sum(axis=1)
    means = np.where(columns != 0, values @ y / np.where(columns != 0, columns, 1.0), 0.0)
    if variance == 0:
        return 0.0
    return float(np.sum(columns / total * (means - mean) ** 2) / variance)


def transposed(histogram: Histogram2D) -> Histogram2D:
    """Return the histogram with its cells in range transposed; axes and flow cells stay as they are."""
    return histogram.with_values(histogram.values.T)


def _total(histogram: Histogram2D) -> float:
    return float(sequential_sum(histogram.values.astype(np.float64).ravel()))
