"""Histograms of regression deviations, and the two numbers of ``GetRegressionDeviation``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pytmva_bnn.errors import InputError
from pytmva_bnn.evaluation.histograms import Histogram1D, Histogram2D, fill_1d, fill_2d
from pytmva_bnn.evaluation.samples import RegressionSample

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Float32 = NDArray[np.float32]

SCATTER_BINS = 50
SQUARE_BINS = 500
BEST_FRACTION = 0.9


@dataclass(frozen=True, eq=False)
class DeviationHistograms:
    """Deviations d = response - target of a sample, in tuples over targets j (and variables or targets i).

    ``variables[i][j]`` is ``reg_var<i>_rtgt<j>``, ``targets[i][j]`` ``reg_tgt<i>_rtgt<j>``, ``squares[j]``
    ``Quadr_Deviation_target_<j>_`` and ``best_squares[j]`` ``Quadr_Dev_best90perc_target_<j>_``.

    >>> sample = RegressionSample([1.0, 2.0, 3.5], [1.0, 2.5, 3.0], None, [[0.0], [1.0], [2.0]])
    >>> made = deviation_histograms(sample)
    >>> made.variables[0][0].entries, round(made.standard_deviation(), 6)
    (3.0, 0.408248)
    """

    variables: tuple[tuple[Histogram2D, ...], ...]
    targets: tuple[tuple[Histogram2D, ...], ...]
    squares: tuple[Histogram1D, ...]
    best_squares: tuple[Histogram1D, ...]

    def standard_deviation(self, target: int = 0) -> float:
        """Return √(mean of d²): the first number of ``GetRegressionDeviation``.

        >>> deviation_histograms(RegressionSample([1.0, 2.0], [1.5, 1.5], None)).standard_deviation()
        0.5
        """
        return float(np.sqrt(self.squares[target].mean))

    def best_standard_deviation(self, target: int = 0) -> float:
        """Return √(mean of d²) of the best 90% of the events: the second number of ``GetRegressionDeviation``.

        >>> sample = RegressionSample([*[1.0] * 19, 9.0], [0.0] * 20, None)
        >>> deviation_histograms(sample).best_standard_deviation()
        1.0
        """
        return float(np.sqrt(self.best_squares[target].mean))


def deviation_histograms(
    sample: RegressionSample,
    variable_limits: ArrayLike | None = None,
    target_limits: ArrayLike | None = None,
) -> DeviationHistograms:
    """Return the histograms; limits (n, 2) are the ranges in the training sample, which the axes shall hold as well.

    >>> sample = RegressionSample([1.0, 2.0], [1.5, 1.5], None, [[0.0], [1.0]])
    >>> h = deviation_histograms(sample, [[0.0, 2.0]]).variables[0][0]
    >>> [round(end, 4) for end in h.x]
    [-0.0412, 2.0412]
    """
    if len(sample.weight) == 0:
        raise InputError("regression cannot be evaluated: there are no events")
    with np.errstate(all="ignore"):
        d = sample.response - sample.target
        squared = d * d

    def against(columns: Float32, limits: ArrayLike | None) -> tuple[tuple[Histogram2D, ...], ...]:
        known = np.full((columns.shape[1], 2), np.nan) if limits is None else np.asarray(limits)
        return tuple(
            tuple(
                fill_2d(x, dj, None, (SCATTER_BINS,) * 2, _axis(x, known_range), _axis(dj), errors=False) for dj in d.T
            )
            for x, known_range in zip(columns.T, known, strict=True)
        )

    w = sample.weight.astype(np.float32)
    squares = [
        fill_1d(s, w, SQUARE_BINS, 0.0, _tenth_more(np.fmax.reduce(s)), dtype=np.float32, errors=None)
        for s in squared.T
    ]
    best = []
    for s, h in zip(squared.T, squares, strict=True):
        q = quantile(h, BEST_FRACTION)
        near = s <= q
        best.append(fill_1d(s[near], w[near], SQUARE_BINS, 0.0, _tenth_more(q), dtype=np.float32, errors=None))
    return DeviationHistograms(
        against(sample.variables, variable_limits),
        against(sample.target, target_limits),
        tuple(squares),
        tuple(best),
    )


def quantile(histogram: Histogram1D, probability: float) -> float:
    """Return where the cumulative distribution reaches a probability, linear within bins.

    >>> quantile(fill_1d([0.5, 1.5, 2.5, 2.6], None, 3, 0.0, 3.0), 0.5)
    2.0
    """
    sums = np.concatenate([[0.0], np.add.accumulate(histogram.values.astype(np.float64))])
    if not sums[-1] > 0:
        return 0.0
    shares = sums / sums[-1]
    k = min(max(int(np.searchsorted(shares, probability, side="right")) - 1, 0), histogram.n_bins - 1)
    q = float(histogram.edges[k])
    step = float(shares[k + 1] - shares[k])
    return q + histogram.width * (probability - float(shares[k])) / step if step > 0 else q


def _tenth_more(x: np.float32 | float) -> float:
    return float(np.float32(1.1 * float(x)))


def _axis(x: Float32, known: NDArray[np.float64] | None = None) -> tuple[float, float]:
    ends = x if known is None else np.concatenate([x, known.astype(np.float32)])
    low, high = np.fmin.reduce(ends), np.fmax.reduce(ends)
    step = np.float32((high - low) / np.float32(SCATTER_BINS - 1))  # TMVA: float32, but the product is not
    margin = 1.01 * float(step)
    return float(np.float32(float(low) - margin)), float(np.float32(float(high) + margin))
