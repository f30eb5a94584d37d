"""One chain of draws of the weights, with a warm-up that learns scales and step size."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.posterior.hmc import Chain, HMCSettings, run_chain
from pytmva_bnn.posterior.target import Coordinates, Posterior, symmetric_metric

_STAGES = 3
_HESSIANS = 20


def sample_weights(
    posterior: Posterior,
    settings: HMCSettings,
    random: np.random.Generator,
    advance: Callable[[], object] | None = None,
) -> Chain:
    """Return a chain whose positions are weights.

    The warm-up has four equal stages: after each of the first three the metric becomes the mean of the Hessians along
    the stage's draws; the last one only tunes the step size.
    """
    trained = posterior.network.flat_weights()
    metric = symmetric_metric(posterior.network, posterior.hessian(trained))
    # chains start apart from each other, so that their agreement at the end means something
    around = Coordinates.of(trained, metric)
    origin = around.weights(random.normal(size=trained.size))
    stage = settings.n_warmup // (_STAGES + 1)
    for _ in range(_STAGES if stage > 1 else 0):
        # half to tune the step size, half to look around
        looking = replace(settings, n_samples=stage - stage // 2, n_warmup=stage // 2)
        chain = _run(posterior, Coordinates.of(origin, metric), looking, random, advance)
        some = chain.positions[:: max(1, len(chain.positions) // _HESSIANS)]
        metric = symmetric_metric(posterior.network, np.mean([posterior.hessian(w) for w in some], axis=0))
        origin = chain.positions[-1]
    rest = settings.n_warmup - (_STAGES * stage if stage > 1 else 0)
    return _run(posterior, Coordinates.of(origin, metric), replace(settings, n_warmup=rest), random, advance)


def _run(
    posterior: Posterior,
    coordinates: Coordinates,
    settings: HMCSettings,
    random: np.random.Generator,
    advance: Callable[[], object] | None,
) -> Chain:
    def potential(q: FloatArray) -> tuple[float, FloatArray]:
        value, gradient = posterior.potential(coordinates.weights(q))
        return value, coordinates.gradient(gradient)

    chain = run_chain(potential, np.zeros(coordinates.origin.size), settings, random, advance)
    return replace(chain, positions=coordinates.weights(chain.positions))
