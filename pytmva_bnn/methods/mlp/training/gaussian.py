"""The posterior of the weights as a Gaussian around the trained ones: all targets together, each with its own noise.

With a noise variance ``v_k`` for each target, the negative log posterior is

``(sum_k lambda_k E_k(w) + sum_s alpha_s w_s^2 / 2) / v`` with ``v = mean of v_k`` and ``lambda_k = v / v_k``,

so that one target, or several of the same noise, give TMVA's cost over ``v``.  TMVA knows one variance only, the sum
over the targets, and the matrix of the first output only.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.methods.mlp.network import Network
from pytmva_bnn.methods.mlp.training.cost import output_estimators
from pytmva_bnn.methods.mlp.training.hessian import (
    FOR_ERRORS,
    FOR_REGULATORS,
    approximate_hessian,
    invert,
    invert_positive,
    score_products,
)
from pytmva_bnn.methods.mlp.training.regulators import (
    RegulatorGroups,
    effective_parameters,
    noise_variance,
    number_of_events,
    re_estimated,
)
from pytmva_bnn.methods.mlp.training.samples import Sample
from pytmva_bnn.methods.mlp.training.settings import Estimator, TrainingSettings
from pytmva_bnn.methods.mlp.training.softmax import common_shift
from pytmva_bnn.methods.training_errors import TrainingError

#: rounds in which the noise variances and the parameters that they determine settle
_ROUNDS = 10
_SETTLED = 1e-6
#: smallest noise variance compared with the mean: a target that is described perfectly must not outweigh the rest
_LEAST_NOISE = 1e-12
#: part of the way that the weights of the outputs go in an update: a target that is not described yet looks noisy, and
#: if it lost its weight at once, it would never be described
_PART_OF_THE_WAY = 0.25


@dataclass(frozen=True, eq=False)
class GaussianPosterior:
    """The posterior to second order in the weights.

    ``hessian`` is ``A = sum_k lambda_k A_k + diag(alpha)``, that of the negative log posterior times
    ``noise_variance``, and ``inverse`` its inverse.  ``noise_variances`` are those of the targets, 1 for cross entropy.
    """

    hessian: FloatArray
    inverse: FloatArray
    noise_variances: FloatArray

    @property
    def noise_variance(self) -> float:
        """Return the mean of the noise variances."""
        return float(self.noise_variances.mean())

    @property
    def output_weights(self) -> FloatArray | None:
        """Return ``lambda_k``, how much each target counts; None if there is one only."""
        return None if self.noise_variances.size == 1 else relative_weights(self.noise_variances)

    def covariance(self, title: str = "MLP") -> FloatArray:
        """Return the covariance of the weights, the same matrix for all outputs."""
        return self.noise_variance * invert_positive(self.hessian, title)


def sandwich_covariance(
    posterior: GaussianPosterior,
    network: Network,
    sample: Sample,
    regulators: FloatArray,
    settings: TrainingSettings,
    title: str = "MLP",
) -> FloatArray:
    """Return ``A^-1 (B + v diag(alpha)) A^-1``, with ``B`` the scatter of the events' gradients.

    ``B`` takes nothing from the likelihood's word: an event of weight ``w`` contributes ``w^2``, and the noise is what
    the residuals are.  Where the likelihood is right and the weights are 1, ``B`` is the Hessian without regulators
    (times ``v``), and this is the covariance of the posterior.
    """
    inverse = invert_positive(posterior.hessian, title)
    scatter = score_products(network, sample, settings.estimator, posterior.output_weights)
    scatter[np.diag_indices_from(scatter)] += posterior.noise_variance * regulators
    found = inverse @ scatter @ inverse
    return np.asarray(0.5 * (found + found.T))


def relative_weights(noise_variances: FloatArray) -> FloatArray:
    """Return ``lambda_k``: the mean of the noise variances over each of them.

    >>> relative_weights(np.array([0.01, 0.03]))
    array([2.        , 0.66666667])
    """
    mean = float(noise_variances.mean())
    if not mean > 0.0:
        return np.ones(noise_variances.size)
    return np.asarray(mean / np.maximum(noise_variances, _LEAST_NOISE * mean))


def gaussian_posterior(
    network: Network,
    sample: Sample,
    regulators: FloatArray,
    settings: TrainingSettings,
    output_weights: FloatArray | None = None,
    *,
    rounds: int = _ROUNDS,
    title: str = "MLP",
    meaning: str = FOR_ERRORS,
) -> GaussianPosterior:
    """Return the Gaussian around the weights of a network.

    Parameters
    ----------
    regulators
        those of every weight, in the units of the cost
    output_weights
        ``lambda_k`` to begin with, by default 1 for each target
    rounds
        how often the noise variances, and with them ``lambda_k``, are estimated again
    title, meaning
        the method's name and what a singular matrix means, for messages
    """
    is_softmax = settings.estimator is Estimator.SOFTMAX
    parts = [
        approximate_hessian(network, sample, output=k, weighted=True, is_softmax=is_softmax)
        for k in range(network.n_outputs)
    ]
    if is_softmax:
        # without a prior nothing determines the common shift, and no probability depends on it
        parts = [sum(parts, np.where(regulators == 0.0, common_shift(network), 0.0))]
    if len(parts) == 1:
        hessian = np.diag(regulators) + parts[0]
        inverse = invert(hessian, title, meaning)
        gamma = effective_parameters(inverse, regulators)
        return GaussianPosterior(hessian, inverse, np.array([float(noise_variance(network, sample, settings, gamma))]))
    squares = output_estimators(network, sample, settings.weight_range)
    relative = np.ones(len(parts)) if output_weights is None else output_weights
    for _ in range(rounds):
        hessian = np.diag(regulators) + sum(factor * part for factor, part in zip(relative, parts, strict=True))
        inverse = invert(hessian, title, meaning)
        if settings.estimator is Estimator.CE:
            return GaussianPosterior(hessian, inverse, np.ones(len(parts)))
        # the parameters that each target determines; their sum is the effective number of parameters
        gammas = np.array([factor * np.sum(inverse * part) for factor, part in zip(relative, parts, strict=True)])
        n = number_of_events(sample, settings)
        variances = np.where(gammas < n, squares / (1.0 - np.minimum(gammas, 0.999 * n) / n), squares)
        before, relative = relative, relative_weights(variances)
        if np.allclose(before, relative, rtol=_SETTLED):
            break
    return GaussianPosterior(hessian, inverse, variances)


def updated_hyperparameters(
    network: Network,
    regulators: FloatArray,
    output_weights: FloatArray,
    sample: Sample,
    settings: TrainingSettings,
    title: str = "MLP",
) -> tuple[FloatArray, FloatArray]:
    """Return regulators of the groups and weights of the outputs by the evidence of the whole posterior.

    It is TMVA's update with the event weights in the Hessian, all outputs in it, and a noise variance for each target.
    """
    groups = RegulatorGroups.of(network)
    of_weights = groups.of_weights(regulators)
    found = gaussian_posterior(
        network, sample, of_weights, settings, output_weights, rounds=1, title=title, meaning=FOR_REGULATORS
    )
    if (found.noise_variances < 0.0).any():
        raise TrainingError(
            f"the noise variance of target {int(np.argmin(found.noise_variances)) + 1} is negative: events of negative "
            "weight outweigh the others",
            advice="train with IgnoreNegWeightsInTraining",
        )
    # directions that no probability depends on would only slow down the update: it has the same fixed point with them
    projector = None
    if settings.estimator is Estimator.SOFTMAX:
        projector = np.eye(network.n_weights) - common_shift(network)
    updated = re_estimated(groups, network.flat_weights(), found.inverse, found.noise_variance, projector)
    aim = relative_weights(found.noise_variances)
    return updated, output_weights ** (1.0 - _PART_OF_THE_WAY) * aim**_PART_OF_THE_WAY
