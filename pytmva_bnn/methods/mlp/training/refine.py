"""From the end of a training to the minimum itself, with regulators that have settled.

The epochs of TMVA's BFGS end where their number says, often on a long flat valley.  Error bars that compare fits need
the minima.  So this goes on in coordinates in which the posterior is round, where BFGS needs few steps, and updates the
regulators until they stay.  A saddle is left on its lower side.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.methods.mlp.network import Network
from pytmva_bnn.methods.mlp.training.cost import Cost
from pytmva_bnn.methods.mlp.training.curvature import LARGEST_DESCENT, LOWEST_CURVATURE, Surroundings
from pytmva_bnn.methods.mlp.training.evidence import evidence
from pytmva_bnn.methods.mlp.training.gaussian import GaussianPosterior, gaussian_posterior, updated_hyperparameters
from pytmva_bnn.methods.mlp.training.regulators import RegulatorGroups
from pytmva_bnn.methods.mlp.training.samples import Sample
from pytmva_bnn.methods.mlp.training.settings import TrainingSettings

#: what weaker regulators are, compared with those of the evidence
WEAK = 0.03
#: distance to the minimum, in posterior sigmas, and relative change of the regulators that end the search
_NEAR = 0.1
_SETTLED = 0.1
#: products with the Hessian that look for a saddle
_PRODUCTS = 20
_SADDLES_AT_MOST = 3
#: smallest curvature, compared with the largest, that the coordinates are scaled by
_FLATTEST = 1e-8


@dataclass(frozen=True, eq=False)
class Effort:
    """How long a search may take: updates of the regulators, and steps of BFGS for each."""

    rounds: int
    steps: int


THOROUGH = Effort(rounds=20, steps=100)
FOR_TOYS = Effort(rounds=4, steps=60)
_WEAK_FIT = Effort(rounds=1, steps=200)


@dataclass(frozen=True, eq=False)
class Minimum:
    """A network at a minimum of its cost; ``regulators`` are those of the groups."""

    network: Network
    regulators: FloatArray
    output_weights: FloatArray
    posterior: GaussianPosterior

    @property
    def of_weights(self) -> FloatArray:
        """Return the regulator of every weight."""
        return RegulatorGroups.of(self.network).of_weights(self.regulators)

    def cost(self, sample: Sample, settings: TrainingSettings) -> Cost:
        """Return the cost that is minimal here."""
        return Cost(self.network, sample, settings.estimator, self.of_weights, _counted(self.output_weights))


def refined(
    network: Network,
    sample: Sample,
    regulators: FloatArray,
    output_weights: FloatArray,
    settings: TrainingSettings,
    effort: Effort = THOROUGH,
    title: str = "MLP",
) -> Minimum:
    """Return the minimum near a network, the regulators being updated on the way if the training has any."""
    start = _minimum(network, sample, regulators, output_weights, settings, title)
    here = _settled(start, sample, settings, effort, title)
    for _ in range(_SADDLES_AT_MOST):
        lower = _off_a_saddle(here, sample, settings, title)
        if lower is None:
            break
        here = _settled(lower, sample, settings, effort, title)
    return here


def weakened(minimum: Minimum, sample: Sample, settings: TrainingSettings, title: str = "MLP") -> Minimum:
    """Return the minimum with weaker regulators: less smooth, and less pulled towards zero."""
    weak = WEAK * minimum.regulators
    start = _minimum(minimum.network, sample, weak, minimum.output_weights, settings, title)
    network = minimised(start, sample, settings, _WEAK_FIT.steps)
    return _minimum(network, sample, weak, minimum.output_weights, settings, title)


def best_minimum(
    network: Network,
    sample: Sample,
    regulators: FloatArray,
    output_weights: FloatArray,
    settings: TrainingSettings,
    title: str = "MLP",
) -> tuple[Minimum, Minimum]:
    """Return the minimum of the larger evidence of two, and the fit with weaker regulators around it.

    One is near the end of the training.  The other is reached from the fit with weaker regulators: regulators that
    were strong early in the training can have switched off neurons that the events ask for.
    """
    first = refined(network, sample, regulators, output_weights, settings, title=title)
    if not settings.use_regulator:
        return first, first
    weak = weakened(first, sample, settings, title)
    second = refined(weak.network, sample, weak.regulators, weak.output_weights, settings, title=title)
    if _log_evidence(second, sample, settings) > _log_evidence(first, sample, settings):
        return second, weakened(second, sample, settings, title)
    return first, weak


def minimised(start: Minimum, sample: Sample, settings: TrainingSettings, steps: int) -> Network:
    """Return the network at the minimum for the regulators of ``start``."""
    weights, n_events = start.network.flat_weights(), sample.n_events
    cost = start.cost(sample, settings)
    values, vectors = np.linalg.eigh(start.posterior.hessian)
    scales = vectors / np.sqrt(np.maximum(values, _FLATTEST * values[-1]))

    def error_and_gradient(z: FloatArray) -> tuple[float, FloatArray]:
        error, gradient = cost.error_and_gradient(weights + scales @ z)
        return error, n_events * (gradient @ scales)

    near = _NEAR * np.sqrt(max(start.posterior.noise_variance, 0.0))
    with np.errstate(all="ignore"):  # a step that goes too far is taken back
        found = minimize(
            error_and_gradient,
            np.zeros(weights.size),
            jac=True,
            method="BFGS",
            options={"gtol": near, "norm": 2, "maxiter": steps},
        )
    reached = weights + scales @ found.x
    return start.network.with_flat_weights(reached) if np.isfinite(reached).all() else start.network


def _settled(here: Minimum, sample: Sample, settings: TrainingSettings, effort: Effort, title: str) -> Minimum:
    """Return where steps and updates of the regulators in turn lead to."""
    for _ in range(effort.rounds):
        if not here.posterior.noise_variance > 0.0:  # the events are described perfectly
            break
        network = minimised(here, sample, settings, effort.steps)
        before = regulators = here.regulators
        output_weights = here.output_weights
        if settings.use_regulator:
            regulators, output_weights = updated_hyperparameters(
                network, regulators, output_weights, sample, settings, title
            )
        here = _minimum(network, sample, regulators, output_weights, settings, title)
        tiny = np.finfo(np.float64).tiny
        if np.allclose(np.log(before + tiny), np.log(regulators + tiny), atol=_SETTLED, rtol=0.0):
            break
    return here


def _off_a_saddle(here: Minimum, sample: Sample, settings: TrainingSettings, title: str) -> Minimum | None:
    """Return a lower place if ``here`` is on a saddle, None if there is nothing to gain."""
    variance = here.posterior.noise_variance
    if here.network.neuron_input != "sum" or not variance > 0.0:  # only the derivative of the sum is a gradient
        return None
    covariance = variance * here.posterior.inverse
    around = Surroundings.of(here.cost(sample, settings), here.network.flat_weights(), covariance, variance)
    n = min(here.network.n_weights, _PRODUCTS)
    lowest = None if around is None else around.lowest_curvature(n)
    if around is None or lowest is None or lowest[0] >= LOWEST_CURVATURE:
        return None
    gain, weights = around.descent(*lowest, 2 * n)
    if gain <= LARGEST_DESCENT:
        return None
    network = here.network.with_flat_weights(weights)
    return _minimum(network, sample, here.regulators, here.output_weights, settings, title)


def _counted(output_weights: FloatArray) -> FloatArray | None:
    """Return how much each output counts in the cost, None if there is one only."""
    return output_weights if output_weights.size > 1 else None


def _minimum(
    network: Network,
    sample: Sample,
    regulators: FloatArray,
    output_weights: FloatArray,
    settings: TrainingSettings,
    title: str,
) -> Minimum:
    groups = RegulatorGroups.of(network)
    of_weights, counted = groups.of_weights(regulators), _counted(output_weights)
    posterior = gaussian_posterior(network, sample, of_weights, settings, counted, title=title)
    return Minimum(network, regulators, output_weights, posterior)


def _log_evidence(minimum: Minimum, sample: Sample, settings: TrainingSettings) -> float:
    found = evidence(minimum.network, minimum.regulators, sample, settings, posterior=minimum.posterior)
    return found.log_evidence
