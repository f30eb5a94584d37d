"""The genetic search: TMVA's genetic algorithm over weights within [-2, 2], then a refinement of the best.

TMVA: takes the range of each weight from the ranges of the input variables, which cannot work; with a range for all of
them the same algorithm does what a user of the option expects.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

import numpy as np

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.methods.fitters.genetic import GeneticAlgorithm
from pytmva_bnn.methods.fitters.intervals import Interval
from pytmva_bnn.methods.mlp.network import Network
from pytmva_bnn.methods.mlp.training.cost import Cost, monitored_estimator
from pytmva_bnn.methods.mlp.training.samples import Sample
from pytmva_bnn.methods.mlp.training.settings import TrainingSettings

log = logging.getLogger("pytmva_bnn.MLP")

RANGE = 2.0


def genetic_search(
    network: Network,
    sample: Sample,
    settings: TrainingSettings,
    after_generation: Callable[[int, FloatArray], None] | None = None,
    *,
    algorithm: GeneticAlgorithm = GeneticAlgorithm(),  # noqa: B008 - frozen; TMVA's values
) -> FloatArray:
    """Return the weights that minimise the monitored estimator of the sample; the same in each run.

    ``after_generation(number, best_weights)`` is called after each generation, counted from 1.
    """

    def estimator(weights: FloatArray) -> float:
        value = monitored_estimator(
            network.with_flat_weights(weights),
            sample,
            settings.estimator,
            weight_range=settings.weight_range,
            multiclass=settings.is_multiclass,
        )
        return value if np.isfinite(value) else np.finfo(np.float64).max

    number = 0

    def watch(step: int, value: float, point: FloatArray) -> None:
        nonlocal number
        del step, value
        number += 1
        if after_generation is not None:
            after_generation(number, point)

    found = algorithm.minimise(
        lambda points: np.array([estimator(weights) for weights in points]),
        [Interval(-RANGE, RANGE)] * network.n_weights,
        np.clip(network.flat_weights(), -RANGE, RANGE),
        watch,
    )
    if found.interrupted_after:
        raise KeyboardInterrupt
    return _refined(found.point, network, sample, settings, estimator)


def _refined(
    weights: FloatArray,
    network: Network,
    sample: Sample,
    settings: TrainingSettings,
    estimator: Callable[[FloatArray], float],
) -> FloatArray:
    """Return the minimum of the error next to the weights, if its estimator is lower."""
    from scipy.optimize import minimize  # lazy: heavy, and hardly anybody needs it

    cost = Cost(network, sample, settings.estimator, np.zeros(weights.size))

    def mean_error(w: FloatArray) -> tuple[float, FloatArray]:
        error, gradient = cost.error_and_gradient(w)
        return error / sample.n_events, gradient

    refined = np.asarray(
        minimize(mean_error, weights, jac=True, method="L-BFGS-B", options={"maxiter": settings.n_cycles}).x,
        dtype=np.float64,
    )
    better = estimator(refined) < estimator(weights)
    log.debug("genetic search: the refinement is %s", "better" if better else "no better")
    return refined if better else weights
