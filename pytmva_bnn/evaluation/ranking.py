"""Rankings of the input variables: before training by their distributions, after it by the network's weights.

What to use when: :func:`separation_ranking` for signal and background, :func:`target_rankings` for one regression
target, :func:`importance_ranking` for a trained network.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pytmva_bnn.evaluation.histograms import fill_2d
from pytmva_bnn.evaluation.information import correlation_ratio, mutual_information, transposed
from pytmva_bnn.evaluation.input_histograms import MAX_SCATTER_VARIABLES, SCATTER_BINS, variable_histograms
from pytmva_bnn.evaluation.separation import histogram_separation
from pytmva_bnn.reductions.summation import sequential_sum

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Ranking:
    """Names and values, best first, of the quantity ``discriminator``.

    >>> Ranking.of("Separation", ["a", "b"], [0.1, 0.3]).entries
    (('b', 0.3), ('a', 0.1))
    """

    discriminator: str
    entries: tuple[tuple[str, float], ...]

    @classmethod
    def of(cls, discriminator: str, names: Sequence[str], values: Iterable[float]) -> Ranking:
        """Return the ranking of unsorted values; equal ones keep their order.

        >>> Ranking.of("x", ["a", "b"], [1.0, 1.0]).entries
        (('a', 1.0), ('b', 1.0))
        """
        pairs = zip(names, (float(value) for value in values), strict=True)
        return cls(discriminator, tuple(sorted(pairs, key=lambda pair: -pair[1])))


def separation_ranking(
    values: ArrayLike,
    weights: ArrayLike | None,
    class_index: ArrayLike,
    titles: Sequence[str],
    integer: Sequence[bool] | None = None,
) -> Ranking:
    """Rank variables (n_events, n_variables) by the separation of class 0 (signal) and 1, in training events.

    >>> ranking = separation_ranking([[0, 0], [0, 1], [1, 0], [1, 1]], None, [0, 0, 1, 1], ["a", "b"])
    >>> [(name, round(value, 6)) for name, value in ranking.entries]
    [('a', 1.0), ('b', 0.0)]
    """
    made = variable_histograms(values, weights, class_index, 2, integer)
    return Ranking.of("Separation", titles, (histogram_separation(signal, background) for signal, background in made))


def target_rankings(
    values: ArrayLike, target: ArrayLike, weights: ArrayLike | None, labels: Sequence[str]
) -> tuple[Ranking, ...]:
    """Return the rankings of variables (n_events, n_variables) by what they tell about the target (n_events,).

    Four of them; only the first if there are more than 20 variables and targets.

    >>> x = np.random.default_rng(1).uniform(size=(1000, 2))
    >>> [ranking.entries[0][0] for ranking in target_rankings(x, x[:, 0], None, ["a", "b"])]
    ['a', 'a', 'a', 'a']
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


def _correlation(x: NDArray[np.float32], t: NDArray[np.float32]) -> float:
    """Return the unweighted correlation; products are float32, sums float64."""
    n = len(x)
    mean_x, mean_t, xx, tt, xt = (
        float(sequential_sum(terms.astype(np.float64))) / n for terms in (x, t, x * x, t * t, x * t)
    )
    with np.errstate(all="ignore"):
        return float((xt - mean_x * mean_t) / np.sqrt(np.float64((xx - mean_x**2) * (tt - mean_t**2))))


def importance_ranking(
    inputs: ArrayLike, weights: ArrayLike | None, is_signal: ArrayLike, synapses: ArrayLike, labels: Sequence[str]
) -> Ranking:
    """Rank the inputs of a network by their size and the squares of the synapses that leave them.

    ``inputs`` (n_events, n_variables) are the training events as the network sees them (transformed), ``synapses``
    (n_variables, n_hidden) the weights from each input to the first hidden layer, without that of the bias.

    >>> ranking = importance_ranking([[1.0, 0.5], [-1.0, 0.5]], None, [True, False], [[2.0], [3.0]], ["a", "b"])
    >>> ranking.entries
    (('a', 4.0), ('b', 2.25))
    """
    x = np.asarray(inputs, dtype=np.float64)
    w = np.ones(len(x)) if weights is None else np.asarray(weights, dtype=np.float64)
    signal = np.asarray(is_signal, dtype=bool)
    mean_s, rms_s = _moments(x[signal], w[signal])
    mean_b, rms_b = _moments(x[~signal], w[~signal])
    size = 0.5 * (np.abs(mean_s) + np.abs(mean_b))
    spread = 0.5 * (np.abs(rms_s) + np.abs(rms_b))
    size = np.where(size < spread, spread, size)
    squares = np.sum(np.square(np.asarray(synapses, dtype=np.float64)), axis=1)
    return Ranking.of("Importance", labels, (size * size * squares).tolist())


def _moments(x: Floats, w: Floats) -> tuple[Floats, Floats]:
    columns = np.ascontiguousarray(x.T)
    total = np.float64(sequential_sum(w))
    with np.errstate(all="ignore"):  # TMVA: a class without events gives NaN
        mean = sequential_sum(columns * w) / total
        return mean, np.sqrt(sequential_sum(columns * columns * w) / total - mean * mean)
