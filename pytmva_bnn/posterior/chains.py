"""One chain of draws of the weights, with a warm-up that learns scales and step size."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

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

    With ``conditionals`` regulators and noise variances are drawn before each path; without, they stay.  The warm-up
    has four equal stages: after each of the first three the metric becomes the mean of the Hessians along the stage's
    draws; the last one only tunes the step size.
    """
    trained = posterior.network.flat_weights()
    if conditionals is not None:
        posterior = conditionals.drawn(posterior, trained, random)
    walk = _Walk(posterior, random, conditionals)
    walk.learn([trained])
    # chains start apart from each other, so that their agreement at the end means something
    origin = walk.target_at(trained).position(trained, random.normal(size=trained.size))
    stage = settings.n_warmup // (_STAGES + 1)
    for _ in range(_STAGES if stage > 1 else 0):
        # half to tune the step size, half to look around
        looking = replace(settings, n_samples=stage - stage // 2, n_warmup=stage // 2)
        chain = run_chain(walk.target_at, origin, looking, random, advance)
        walk.learn(list(chain.positions[:: max(1, len(chain.positions) // _HESSIANS)]))
        origin = chain.positions[-1]
    rest = settings.n_warmup - (_STAGES * stage if stage > 1 else 0)
    return run_chain(walk.target_at, origin, replace(settings, n_warmup=rest), random, advance)


class _Walk:
    """Where a chain is: the posterior with the hyperparameters of the moment, and the metric learned so far."""

    def __init__(self, posterior: Posterior, random: np.random.Generator, conditionals: Conditionals | None) -> None:
        self.posterior = posterior
        self.random = random
        self.conditionals = conditionals
        self.metric: FloatArray = np.zeros((posterior.network.n_weights,) * 2)

    def learn(self, places: list[FloatArray]) -> None:
        """Take the mean Hessian of the likelihood at some weights for the metric."""
        hessian = np.mean([self.posterior.likelihood_hessian(weights) for weights in places], axis=0)
        self.metric = symmetric_metric(self.posterior.network, hessian)

    def target_at(self, weights: FloatArray) -> Target:
        """Return the density for a path from ``weights`` on."""
        offset = 0.0
        if self.conditionals is not None:
            self.posterior = self.conditionals.drawn(self.posterior, weights, self.random)
            offset = self.conditionals.potential(self.posterior)
        here = self.posterior
        # the prior's part follows the regulators: they change by orders of magnitude if an input is not needed
        factor = np.linalg.cholesky(self.metric + np.diag(here.precisions))
        kept = np.concatenate([here.regulators, here.noise_variances])
        return Target(here.potential, np.asarray(np.linalg.inv(factor)), kept, offset)
