"""What the error bars of a trained network are made of: the covariance of its weights, of the kind that is asked for.

What to use when is in docs/uncertainty.md; how each kind is defined, in docs/method.md.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.methods.mlp.network import Network
from pytmva_bnn.methods.mlp.training.bfgs import BFGSState
from pytmva_bnn.methods.mlp.training.calibration import ToyJob, error_factor
from pytmva_bnn.methods.mlp.training.gaussian import GaussianPosterior, sandwich_covariance
from pytmva_bnn.methods.mlp.training.hessian import inverse_hessian, invert_positive
from pytmva_bnn.methods.mlp.training.refine import Minimum, best_minimum
from pytmva_bnn.methods.mlp.training.regulators import effective_parameters
from pytmva_bnn.methods.mlp.training.samples import Sample
from pytmva_bnn.methods.mlp.training.settings import Estimator, TrainingSettings
from pytmva_bnn.methods.mlp.training.shift import shift_of_weights, with_shift
from pytmva_bnn.methods.mlp.training.softmax import common_shift
from pytmva_bnn.methods.mlp.training.state import RunState
from pytmva_bnn.methods.mlp.training.verdict import FEW_UPDATES

log = logging.getLogger("pytmva_bnn.MLP")


def at_minimum(
    state: RunState, network: Network, used: Sample, settings: TrainingSettings, title: str
) -> tuple[RunState, tuple[Minimum, Minimum]]:
    """Return the state at the minimum itself, the minimum, and the fit with weaker regulators."""
    step = state.step
    outputs = step.output_weights if isinstance(step, BFGSState) else np.ones(network.n_outputs)
    minimum, weak = best_minimum(
        network.with_flat_weights(step.weights), used, step.regulators, outputs, settings, title
    )
    weights, regulators = minimum.network.flat_weights(), minimum.regulators
    if isinstance(step, BFGSState):
        n_updates = step.n_updates + FEW_UPDATES  # until they stayed
        step = replace(
            step,
            weights=weights,
            regulators=regulators,
            output_weights=minimum.output_weights,
            n_updates=n_updates,
        )
    else:
        step = replace(step, weights=weights, regulators=regulators)
    return replace(state, step=step), (minimum, weak)


@dataclass(frozen=True, eq=False)
class ErrorBars:
    """A trained network and all that its error bars may need.

    ``events`` are those of the training, ``used`` the same without negative weights if they are ignored;
    ``regulators`` are those of every weight; ``minima`` the fit and the one with weaker regulators, if they are known.
    """

    network: Network
    events: Sample
    used: Sample
    regulators: FloatArray
    posterior: GaussianPosterior | None
    minima: tuple[Minimum, Minimum] | None
    settings: TrainingSettings
    title: str

    def matrices(self) -> tuple[FloatArray, ...]:
        """Return the matrix of each output, which TMVA's error bars are computed from."""
        network = self.network
        if self.posterior is None or self.settings.hessian == "TMVA":
            outputs = range(network.n_outputs)
            return tuple(inverse_hessian(network, self.events, output=k, title=self.title) for k in outputs)
        matrix = self._covariance(self.posterior)
        if self.factor is not None:
            matrix = self.factor**2 * matrix
        # all outputs depend on the same weights, whose covariance this is
        return (matrix,) * network.n_outputs

    def _covariance(self, posterior: GaussianPosterior) -> FloatArray:
        match self.settings.hessian:
            case "Sandwich":
                return sandwich_covariance(
                    posterior, self.network, self.used, self.regulators, self.settings, self.title
                )
            case "Likelihood":
                bare = posterior.hessian - np.diag(self.regulators)
                if self._is_softmax:  # what no probability depends on
                    bare += np.where(self.regulators > 0.0, common_shift(self.network), 0.0)
                return posterior.noise_variance * invert_positive(bare, self.title)
            case "Bias" if self.minima is not None:
                shift = shift_of_weights(*self.minima, self.used, self.title, is_softmax=self._is_softmax)
                return with_shift(posterior.covariance(self.title), shift, self._determined_part(posterior))
        return posterior.covariance(self.title)

    def _determined_part(self, posterior: GaussianPosterior) -> float:
        """Return the effective number of parameters over that of all."""
        n_all = self.network.n_weights
        if self._is_softmax:  # one of the weights of a neuron into the outputs changes no probability
            n_all -= len(self.network.matrices[-1])
        return float(effective_parameters(posterior.inverse, self.regulators)) / n_all

    @property
    def _is_softmax(self) -> bool:
        return self.settings.estimator is Estimator.SOFTMAX

    @cached_property
    def factor(self) -> float | None:
        """Return the factor on all error bars that toys give, None if it is not asked for."""
        if self.settings.hessian != "Calibrated" or self.minima is None:
            return None
        minimum, weak = self.minima
        factor = error_factor(ToyJob(minimum, weak.network, self.used, self.settings))
        n_toys = self.settings.calibration_toys
        log.info("%s: %d toys make all error bars %.3g times as large", self.title, n_toys, factor)
        return factor
