"""The genetic search: differential evolution of the weights within [-2, 2], then a refinement of the best.

TMVA's own fitter takes the range of each weight from the ranges of the input variables, which cannot work; this is what
a user of the option expects of it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

import numpy as np

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.methods.mlp.network import Network
from pytmva_bnn.methods.mlp.training.cost import Cost, monitored_estimator
from pytmva_bnn.methods.mlp.training.samples import Sample
from pytmva_bnn.methods.mlp.training.settings import TrainingSettings

log = logging.getLogger("pytmva_bnn.MLP")

#: TMVA's values
POPULATION, STEPS, CYCLES, SEED = 300, 40, 3, 100
RANGE = 2.0


def genetic_search(
    network: Network,
    sample: Sample,
    settings: TrainingSettings,
    after_generation: Callable[[int, FloatArray], None] | None = None,
    *,
    population: int = POPULATION,
    generations: int = STEPS * CYCLES,
) -> FloatArray:
    """Return the weights that minimise the monitored estimator of the sample; the same in each run.

    ``after_generation(number, best_weights)`` is called after each generation, counted from 1.
    """
    from scipy.optimize import differential_evolution  # lazy: heavy, and hardly anybody needs it

    def estimator(weights: FloatArray) -> float:
        value = monitored_estimator(
            network.with_flat_weights(weights),
            sample,
            settings.estimator,
            weight_range=settings.weight_range,
            multiclass=settings.is_multiclass,
        )
        return value if np.isfinite(value) else np.finfo(np.float64).max

    random = np.random.default_rng(SEED)
    first = random.uniform(-RANGE, RANGE, (population, network.n_weights))
    first[0] = np.clip(network.flat_weights(), -RANGE, RANGE)
    number = 0

    def callback(best: FloatArray, convergence: float = 0.0) -> None:  # noqa: ARG001 - scipy's signature
        nonlocal number
        number += 1
        if after_generation is not None:
            after_generation(number, np.array(best))

    found = differential_evolution(
        estimator,
        bounds=[(-RANGE, RANGE)] * network.n_weights,
        init=first,
        maxiter=generations,
        tol=1e-6,
        polish=False,
        rng=random,
        callback=callback,
    )
    return _refined(np.asarray(found.x, dtype=np.float64), network, sample, settings, estimator)


def _refined(
    weights: FloatArray,
    network: Network,
    sample: Sample,
    settings: TrainingSettings,
    estimator: Callable[[FloatArray], float],
) -> FloatArray:
    """Return the minimum of the error next to the weights, if its estimator is lower."""
    from scipy.optimize import minimize  # lazy, as above

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
