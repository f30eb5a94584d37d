"""Regulators and noise variances as unknowns.

The prior of a weight of group ``g`` is a Gaussian of precision ``τ_g = α_g / v``, and the noise of target ``k`` one of
precision ``1 / v_k``.  With Gamma distributions for these precisions (:class:`Hyperprior`) their distributions given
the weights are Gamma distributions again, and are drawn exactly:

``τ_g | w ~ Gamma(a + n_g / 2, b_g + Σ w² / 2)``, ``1 / v_k | w ~ Gamma(a + N / 2, b_k + Σ u (y_k - t_k)² / 2)``

with ``n_g`` weights in the group and ``N = Σ u`` events.  The noise variances, which many events determine, are drawn
before each path of a chain.  The regulators are integrated out instead, since weights that are tied to a regulator of
the moment would only creep: the prior of the weights of a group is then Student's distribution,

``-ln P(w_g) = (a + n_g / 2) ln(b_g + Σ w² / 2) + constant``

and the regulators are drawn to go with the weights.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.errors import InputError, OptionError
from pytmva_bnn.methods.mlp.training.cost import output_estimators
from pytmva_bnn.methods.mlp.training.regulators import RegulatorGroups
from pytmva_bnn.methods.mlp.training.settings import Estimator
from pytmva_bnn.posterior.target import Posterior


@dataclass(frozen=True)
class Hyperprior:
    """The prior of the regulators and noise variances: Gamma distributions of the precisions.

    ``shape`` is that of all of them; ``rate`` is in the units of the events: a weight is measured in (target or 1) over
    root mean square of its input, a noise variance in the variance of the target.  So it makes no difference whether an
    input is in GeV or MeV.

    By default the width ``1/√τ`` of a group of weights is between 0.045 and 3.2 with a probability of 95%, in these
    units, and has a tail to large values like that of a Cauchy distribution; it counts as much as one weight more in
    the group.

    >>> Hyperprior(shape=0.0)
    Traceback (most recent call last):
    ...
    pytmva_bnn.errors.OptionError: the shape of a hyperprior must be greater than 0, got 0.0
    """

    shape: float = 0.5
    rate: float = 0.005

    def __post_init__(self) -> None:
        for name, value in (("shape", self.shape), ("rate", self.rate)):
            if not 0.0 < value < np.inf:
                raise OptionError(f"the {name} of a hyperprior must be greater than 0, got {value}")


@dataclass(frozen=True, eq=False)
class Conditionals:
    """The distributions of regulators and noise variances given the weights of a network.

    ``rates`` are those of the groups' precisions, ``noise_rates`` those of the targets' (None: no noise, as for
    probabilities).
    """

    groups: RegulatorGroups
    shape: float
    rates: FloatArray
    noise_rates: FloatArray | None

    @classmethod
    def of(cls, posterior: Posterior, prior: Hyperprior) -> Conditionals:
        """Return the distributions for the events of a posterior."""
        sample, network = posterior.sample, posterior.network
        squares = np.mean(sample.inputs.astype(np.float64) ** 2, axis=0)
        units = np.ones(RegulatorGroups.of(network).n_groups)
        units[: squares.size] = 1.0 / np.where(squares > 0.0, squares, 1.0)
        noise_rates = None
        if posterior.estimator is Estimator.MSE:
            variances = sample.desired.var(axis=0)
            variances = np.where(variances > 0.0, variances, 1.0)
            noise_rates = prior.rate * variances
            # the weights into the outputs are in units of the targets
            last = slice(None) if len(network.matrices) == 1 else slice(-1, None)
            units[last] *= variances.mean()
        return cls(RegulatorGroups.of(network), prior.shape, prior.rate * units, noise_rates)

    def precisions(self, weights: FloatArray, random: np.random.Generator) -> FloatArray:
        """Return precisions ``(n, n_groups)`` drawn from their distributions given weights ``(n, n_weights)``."""
        squares = np.stack([self.groups.sums(own) for own in weights * weights])
        return np.asarray(
            random.gamma(np.broadcast_to(self._weight_shapes, squares.shape)) / (self.rates + squares / 2)
        )

    def drawn(self, posterior: Posterior, weights: FloatArray, random: np.random.Generator) -> Posterior:
        """Return the posterior with noise variances drawn from their distributions given ``weights``."""
        if self.noise_rates is None:
            return posterior
        n_events = float(posterior.sample.weights.sum())
        network = posterior.network.with_flat_weights(weights)
        rates = self.noise_rates + output_estimators(network, posterior.sample) * n_events / 2
        if not ((rates > 0.0).all() and n_events > 0.0):
            raise InputError(
                "events of negative weight outweigh the others: the noise variance of the targets cannot be sampled; "
                "train with IgnoreNegWeightsInTraining or use hyperparameters='fixed'"
            )
        variances = rates / random.gamma(self.shape + n_events / 2, size=rates.size)
        return replace(posterior, noise_variance=variances)

    def potential(self, posterior: Posterior, weights: FloatArray) -> tuple[float, FloatArray]:
        """Return the negative log posterior of the weights without regulators, and its gradient."""
        value, gradient = posterior.likelihood(weights)
        rates = self.rates + self.groups.sums(weights * weights) / 2
        value += float(np.sum(self._weight_shapes * np.log(rates)))
        return value, gradient + self.groups.of_weights(self._weight_shapes / rates) * weights

    def noise_potential(self, posterior: Posterior) -> float:
        """Return the part of the negative log posterior of weights and noise that does not depend on the weights."""
        if self.noise_rates is None:
            return 0.0
        shape = self.shape + float(posterior.sample.weights.sum()) / 2
        variances = posterior.noise_variances
        return float(np.sum((shape + 1.0) * np.log(variances) + self.noise_rates / variances))

    @cached_property
    def _weight_shapes(self) -> FloatArray:
        return self.shape + self.groups.sums(np.ones(self.groups.group.size)) / 2
