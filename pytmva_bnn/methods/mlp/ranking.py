"""The network's ranking of its inputs: how large they are, and how strong the synapses that leave them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.methods.ranking import Ranking
from pytmva_bnn.reductions.summation import sequential_sum


def importance_ranking(
    inputs: ArrayLike, weights: ArrayLike | None, is_signal: ArrayLike, synapses: ArrayLike, labels: Sequence[str]
) -> Ranking:
    """Rank the inputs of a network by their size and the squares of the synapses that leave them.

    ``inputs`` (n_events, n_variables) are the training events as the network sees them (transformed), ``synapses``
    (n_variables, n_hidden) the weights from each input to the first hidden layer, without that of the bias.
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


def _moments(x: FloatArray, w: FloatArray) -> tuple[FloatArray, FloatArray]:
    columns = np.ascontiguousarray(x.T)
    total = np.float64(sequential_sum(w))
    with np.errstate(all="ignore"):  # TMVA: a class without events gives NaN
        mean = sequential_sum(columns * w) / total
        return mean, np.sqrt(sequential_sum(columns * columns * w) / total - mean * mean)
