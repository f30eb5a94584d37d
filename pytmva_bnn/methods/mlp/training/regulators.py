"""Regulators: the prior on the weights, and the evidence procedure that finds its strengths."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.methods.mlp.network import Network
from pytmva_bnn.methods.mlp.training.cost import monitored_estimator
from pytmva_bnn.methods.mlp.training.hessian import FOR_REGULATORS, invert, regulated_hessian
from pytmva_bnn.methods.mlp.training.samples import Sample
from pytmva_bnn.methods.mlp.training.settings import Estimator, TrainingSettings


@dataclass(frozen=True, eq=False)
class RegulatorGroups:
    """Which weights share a regulator: ``group[s]`` is the group of weight ``s``.

    Each neuron of the input layer has its own, its bias neuron too; a hidden layer has one for all its outgoing
    weights.

    >>> groups = RegulatorGroups.of(Network.from_matrices([np.zeros((3, 2)), np.zeros((3, 1))]))
    >>> groups.group
    array([0, 0, 1, 1, 2, 2, 3, 3, 3])
    >>> groups.names()
    ('input 1', 'input 2', 'input bias', 'hidden layer 1')
    """

    group: NDArray[np.intp]
    n_groups: int
    n_inputs: int

    @classmethod
    def of(cls, network: Network) -> RegulatorGroups:
        """Return the groups of a network."""
        first, *others = network.matrices
        # TMVA: a hidden layer's bias neuron shares the layer's regulator; the published method gives it its own
        parts = [np.repeat(np.arange(first.shape[0]), first.shape[1])]
        parts += [np.full(matrix.size, first.shape[0] + number) for number, matrix in enumerate(others)]
        return cls(np.concatenate(parts).astype(np.intp), first.shape[0] + len(others), network.n_inputs)

    def of_weights(self, regulators: FloatArray) -> FloatArray:
        """Return the regulator of every weight."""
        return regulators[self.group]

    def sums(self, values: FloatArray) -> FloatArray:
        """Return the sum of ``values``, one of each weight, over each group."""
        return np.bincount(self.group, weights=values, minlength=self.n_groups).astype(np.float64)

    def names(self, inputs: tuple[str, ...] = ()) -> tuple[str, ...]:
        """Return a name for each group, the inputs' own names being used if they are given."""
        given = inputs or tuple(f"input {number + 1}" for number in range(self.n_inputs))
        n_hidden = self.n_groups - self.n_inputs - 1
        return (*given, "input bias", *(f"hidden layer {number + 1}" for number in range(n_hidden)))


def effective_parameters(inverse: FloatArray, regulators: FloatArray) -> np.float32:
    """Return ``sum_s 1 - alpha_s (A^-1)_ss``: how many parameters the data determine."""
    # TMVA: single precision
    return np.float32(np.sum(1.0 - regulators * np.diag(inverse)))


def noise_variance(network: Network, sample: Sample, settings: TrainingSettings, gamma: np.float32) -> np.float32:
    """Return the variance of the targets around the network's output; 1 for cross entropies.

    ``sample`` are the events that train; ``gamma`` is the effective number of parameters.
    """
    if settings.estimator is not Estimator.MSE:
        return np.float32(1.0)
    # TMVA: single precision
    variance = np.float32(
        monitored_estimator(
            network,
            sample,
            settings.estimator,
            weight_range=settings.weight_range,
            multiclass=settings.is_multiclass,
        )
    )
    n = number_of_events(sample, settings)
    return np.float32(variance / (np.float32(1.0) - gamma / np.float32(n))) if n > gamma else variance


def number_of_events(sample: Sample, settings: TrainingSettings) -> float:
    """Return how many events determine parameters; in the posterior form the sum of the scaled weights."""
    # TMVA: the number of events, whatever their weights are
    return float(sample.weights.sum()) if settings.is_posterior else float(sample.n_events)


def updated_regulators(
    network: Network,
    regulators: FloatArray,
    all_events: Sample,
    used_events: Sample,
    settings: TrainingSettings,
    title: str = "MLP",
) -> FloatArray:
    """Return the regulators that the evidence procedure finds for the network's weights.

    ``all_events`` enter the Hessian, ``used_events`` (without negative weights, if they are ignored) the noise
    variance.  ``title`` is the method's name in messages.
    """
    groups = RegulatorGroups.of(network)
    of_weights = groups.of_weights(regulators)
    inverse = invert(regulated_hessian(network, all_events, of_weights), title, FOR_REGULATORS)
    gamma = effective_parameters(inverse, of_weights)
    variance = float(noise_variance(network, used_events, settings, gamma))
    return re_estimated(groups, network.flat_weights(), inverse, variance)


def re_estimated(
    groups: RegulatorGroups,
    weights: FloatArray,
    inverse: FloatArray,
    variance: float,
    projector: FloatArray | None = None,
) -> FloatArray:
    """Return ``alpha_g = v n_g / (S_g + v T_g)`` with ``S`` the squared weights and ``T`` the trace of ``A^-1``.

    With a ``projector`` only the directions that it keeps count in ``n_g`` and ``T_g``.
    """
    counts = groups.sums(np.ones(weights.size) if projector is None else np.diag(projector))
    traces = groups.sums(np.diag(inverse) if projector is None else (projector * inverse).sum(axis=1))
    squares = groups.sums(weights * weights)
    with np.errstate(divide="ignore", invalid="ignore"):
        updated = variance * counts / (squares + variance * traces)
    # a layer without neurons leaves groups without weights, whose regulators nothing uses
    return np.where((updated < 0.0) | (counts == 0.0), 0.0, updated)
