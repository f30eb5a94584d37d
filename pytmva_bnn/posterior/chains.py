"""One chain of draws of the weights, with a warm-up that learns scales and step size."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.posterior.hmc import Chain, HMCSettings, Target, run_chain
from pytmva_bnn.posterior.hyperparameters import Conditionals
from pytmva_bnn.posterior.target import Posterior, symmetric_metric

_STAGES = 3
_HESSIANS = 20


def sample_weights(
    posterior: Posterior,
    settings: HMCSettings,
    random: np.random.Generator,
    advance: Callable[[], object] | None = None,
    conditionals: Conditionals | None = None,
) -> Chain:
    """Return a chain whose positions are weights, and whose hyperparameters are regulators and noise variances.

    With ``conditionals`` these are unknown; without, they stay.  The warm-up has four equal stages: after each of the
    first three the metric becomes the mean of the Hessians along the stage's draws; the last one only tunes the step
    size.
    """
    trained = posterior.network.flat_weights()
    walk = _Walk(posterior, random, conditionals)
    walk.learn(trained[np.newaxis])
    # chains start apart from each other, so that their agreement at the end means something
    origin = walk.target_at(trained).position(trained, random.normal(size=trained.size))
    stage = settings.n_warmup // (_STAGES + 1)
    for _ in range(_STAGES if stage > 1 else 0):
        # half to tune the step size, half to look around
        looking = replace(settings, n_samples=stage - stage // 2, n_warmup=stage // 2)
        chain = run_chain(walk.target_at, origin, looking, random, advance)
        walk.learn(chain.positions[:: max(1, len(chain.positions) // _HESSIANS)])
        origin = chain.positions[-1]
    rest = settings.n_warmup - (_STAGES * stage if stage > 1 else 0)
    chain = run_chain(walk.target_at, origin, replace(settings, n_warmup=rest), random, advance)
    variances = chain.hyperparameters
    if conditionals is None:
        regulators = np.tile(posterior.regulators, (len(variances), 1))
    else:
        regulators = conditionals.precisions(chain.positions, random) * variances.mean(axis=1, keepdims=True)
    return replace(chain, hyperparameters=np.concatenate([regulators, variances], axis=1))


class _Walk:
    """Where a chain is: the posterior with the noise of the moment, and the metric learned so far."""

    def __init__(self, posterior: Posterior, random: np.random.Generator, conditionals: Conditionals | None) -> None:
        self.posterior = posterior
        self.random = random
        self.conditionals = conditionals
        self.scale: FloatArray = np.eye(posterior.network.n_weights)

    def learn(self, places: FloatArray) -> None:
        """Take the mean Hessian of likelihood and prior at some weights, ``(n, n_weights)``, for the metric."""
        prior = self.posterior.precisions
        if self.conditionals is not None:
            self.posterior = self.conditionals.drawn(self.posterior, places[-1], self.random)
            # regulators that are not needed change by orders of magnitude
            logs = np.log(self.conditionals.precisions(places, self.random))
            prior = self.conditionals.groups.of_weights(np.exp(logs.mean(axis=0)))
        hessian = np.mean([self.posterior.likelihood_hessian(weights) for weights in places], axis=0)
        metric = symmetric_metric(self.posterior.network, hessian + np.diag(prior))
        self.scale = np.asarray(np.linalg.inv(np.linalg.cholesky(metric)))

    def target_at(self, weights: FloatArray) -> Target:
        """Return the density for a path from ``weights`` on."""
        if self.conditionals is None:
            return Target(self.posterior.potential, self.scale, self.posterior.noise_variances)
        here = self.posterior = self.conditionals.drawn(self.posterior, weights, self.random)
        potential = partial(self.conditionals.potential, here)
        return Target(potential, self.scale, here.noise_variances, self.conditionals.noise_potential(here))
