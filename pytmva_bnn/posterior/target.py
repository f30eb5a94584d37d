"""The negative log posterior of the weights, and the metric for paths in it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.errors import InputError
from pytmva_bnn.methods.mlp.network import Network
from pytmva_bnn.methods.mlp.training.cost import Cost
from pytmva_bnn.methods.mlp.training.gaussian import relative_weights
from pytmva_bnn.methods.mlp.training.hessian import approximate_hessian
from pytmva_bnn.methods.mlp.training.regulators import RegulatorGroups
from pytmva_bnn.methods.mlp.training.samples import Sample
from pytmva_bnn.methods.mlp.training.settings import Estimator


@dataclass(frozen=True, eq=False)
class Posterior:
    """``-ln P(w|D) = (E(w) + Σ_s α_s w_s²/2) / v``: the cost that training minimises, over the noise variance.

    ``regulators`` are those of the groups.  Several targets may have a noise variance ``v_k`` each: ``v`` is their mean
    and the error of target ``k`` counts ``v / v_k`` times.
    """

    network: Network
    sample: Sample
    estimator: Estimator
    regulators: FloatArray
    noise_variance: float | FloatArray = 1.0

    def __post_init__(self) -> None:
        names = RegulatorGroups.of(self.network).names()
        if self.regulators.shape != (len(names),):
            raise InputError(
                f"the network has {len(names)} regulators ({', '.join(names)}), "
                f"got an array of shape {self.regulators.shape}"
            )
        bad = np.flatnonzero(~(np.isfinite(self.regulators) & (self.regulators > 0.0)))
        if bad.size:
            raise InputError(
                f"the regulator of {names[bad[0]]} is {self.regulators[bad[0]]:g}: without a prior the posterior of "
                "the weights cannot be normalised or sampled; train with UseRegulator=True or give regulators > 0"
            )
        self.sample.check("training", self.network.n_inputs, self.network.n_outputs)
        n_given, n_outputs = np.size(self.noise_variance), self.network.n_outputs
        if n_given not in (1, n_outputs):
            raise InputError(
                f"the network has {n_outputs} outputs: give one noise variance, or {n_outputs}, not {n_given}"
            )
        for variance in self.noise_variances:
            if not variance > 0.0:
                raise InputError(f"the noise variance must be greater than 0, got {variance:g}")

    @cached_property
    def noise_variances(self) -> FloatArray:
        """Return the noise variance of each output."""
        given = np.ravel(np.asarray(self.noise_variance, dtype=np.float64))
        return np.asarray(np.broadcast_to(given, (self.network.n_outputs,)))

    @cached_property
    def _cost(self) -> Cost:
        outputs = relative_weights(self.noise_variances) if self.network.n_outputs > 1 else None
        return Cost(self.network, self.sample, self.estimator, np.zeros(self.network.n_weights), outputs)

    def likelihood(self, weights: FloatArray) -> tuple[float, FloatArray]:
        """Return the negative log likelihood (without its norm) and its gradient."""
        error, gradient = self._cost.error_and_gradient(weights)
        # the gradient of the cost is divided by the number of events
        variance = float(self.noise_variances.mean())
        return error / variance, gradient * (self.sample.n_events / variance)

    def potential(self, weights: FloatArray) -> tuple[float, FloatArray]:
        """Return the negative log posterior (without its norm) and its gradient."""
        value, gradient = self.likelihood(weights)
        of_prior = self.precisions * weights
        return value + 0.5 * float(of_prior @ weights), gradient + of_prior

    @cached_property
    def precisions(self) -> FloatArray:
        """Return the second derivative of the negative log prior by each weight: ``α_s / v``."""
        of_weights = RegulatorGroups.of(self.network).of_weights(self.regulators)
        return np.asarray(of_weights / self.noise_variances.mean())

    def likelihood_hessian(self, weights: FloatArray) -> FloatArray:
        """Return the approximate Hessian of the negative log likelihood; all outputs count."""
        network = self.network.with_flat_weights(weights)
        parts = (
            approximate_hessian(network, self.sample, output=output, weighted=True) / variance
            for output, variance in enumerate(self.noise_variances)
        )
        return np.asarray(sum(parts))


def symmetric_metric(network: Network, hessian: FloatArray) -> FloatArray:
    """Return a Hessian averaged over what leaves the network's response unchanged.

    Hidden neurons can change places and signs.  The posterior has all these copies, and a chain wanders between them,
    so a matrix of one of them makes paths that are unstable at the next.  Averaged, the hidden neurons are alike: the
    weights from the inputs to a neuron keep their correlations, those of different neurons have none, and of the other
    weights only the mean square slope of their group remains.  Without hidden neurons nothing is averaged.
    """
    first, *others = network.matrices
    if not others:
        return hessian
    metric = np.zeros_like(hessian)
    n_rows, n_hidden = first.shape
    of_neurons = [np.arange(n_rows) * n_hidden + neuron for neuron in range(n_hidden)]
    block = np.mean([hessian[np.ix_(rows, rows)] for rows in of_neurons], axis=0)
    for rows in of_neurons:
        metric[np.ix_(rows, rows)] = block
    diagonal = np.diag(hessian)
    offset = first.size
    for number, matrix in enumerate(others):
        own = diagonal[offset : offset + matrix.size].reshape(matrix.shape)
        # the outputs are no copies of each other, neurons of further hidden layers are
        is_last = number == len(others) - 1
        axes = (0,) if is_last else (0, 1)
        averaged = np.empty_like(own)
        averaged[:-1] = own[:-1].mean(axis=axes, keepdims=True)
        averaged[-1] = own[-1] if is_last else own[-1].mean()
        positions = np.arange(offset, offset + matrix.size)
        metric[positions, positions] = averaged.ravel()
        offset += matrix.size
    return metric
