"""The renormalisation of the training weights; test weights are never changed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.dataset.settings import NormMode
from pytmva_bnn.reductions import summation


def sequential_sum(weights: NDArray[np.floating]) -> float:
    """Return the sum in float64, one weight after the other in their order.

    ``np.sum`` adds in pairs, which rounds differently.
    """
    return float(summation.sequential_sum(np.asarray(weights, dtype=np.float64)))


def event_weights(weights: ArrayLike, *, training: bool = False, ignore_negative: bool = False) -> FloatArray:
    """Return the weights as a method sees them: 0 for negative ones in training if these are to be ignored."""
    plain = np.asarray(weights, dtype=np.float64)
    return np.where(plain < 0, 0.0, plain) if training and ignore_negative else plain.copy()


def class_factors(weights: Sequence[NDArray[np.floating]], mode: NormMode) -> FloatArray:
    """Return the factor f_c (n_classes,) on the training weights of each class.

    ``weights`` are the training weights of each class in the order of its list after trimming.  NumEvents
    makes their sum n_c, EqualNumEvents n_0 for every class.
    """
    if mode is NormMode.NONE:
        return np.ones(len(weights))
    numbers = [len(of_class) for of_class in weights]
    if mode is NormMode.EQUAL_NUM_EVENTS:
        # TMVA: class index 0, be it Signal or not
        numbers = numbers[:1] * len(numbers)
    sums = np.array([sequential_sum(of_class) for of_class in weights])
    # TMVA: a sum of 0 is not checked and gives infinite weights, a negative one flips all signs
    with np.errstate(divide="ignore", invalid="ignore"):
        factors: FloatArray = np.array(numbers, dtype=np.float32).astype(np.float64) / sums
    return factors


def renormalise(
    weights: Sequence[NDArray[np.floating]],
    mode: NormMode,
    *,
    ignore_negative: bool = False,
    factors: FloatArray | None = None,
) -> list[FloatArray]:
    """Return the renormalised training weights of each class; ``factors`` are those of :func:`class_factors`.

    ``ignore_negative`` is for a data set that is built while a method with IgnoreNegWeightsInTraining is being
    trained: negative weights then become 0 for good.
    """
    if mode is NormMode.NONE:
        return [np.array(of_class, dtype=np.float64) for of_class in weights]
    # TMVA: the factors include the negative weights that are then set to 0
    by_class = class_factors(weights, mode) if factors is None else factors
    with np.errstate(invalid="ignore"):
        return [
            (event_weights(of_class, training=True, ignore_negative=True) if ignore_negative else of_class) * factor
            for of_class, factor in zip(weights, by_class, strict=True)
        ]
