"""The three faces of the cost: the minimised error, its gradient, and the monitored estimator.

They differ by factors: the minimised error is a plain sum (half of the squares for MSE) plus the prior of the
regulators; its gradient is divided by the number of events; the monitored estimator has no prior, no half (twice the
entropy for CE) and is divided by the sum of weights.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pytmva_bnn import fast
from pytmva_bnn._typing import FloatArray
from pytmva_bnn.errors import InputError
from pytmva_bnn.methods.mlp.kernels import training as compiled
from pytmva_bnn.methods.mlp.network import Network
from pytmva_bnn.methods.mlp.training import kernels
from pytmva_bnn.methods.mlp.training.samples import Sample
from pytmva_bnn.methods.mlp.training.settings import Estimator


@dataclass(frozen=True, eq=False)
class Cost:
    """The minimised error as a function of the weights, for given events and regulators.

    ``regulators`` are those of every weight (0: no prior): see :meth:`RegulatorGroups.of_weights
    <pytmva_bnn.methods.mlp.training.RegulatorGroups.of_weights>`.  ``output_weights`` say how much the error of each
    output counts (None: all the same), for targets of different noise.

    >>> net = Network.from_matrices([np.array([[1.0], [0.5]])], output="linear")
    >>> cost = Cost(net, Sample.of([[2.0]], [0.5], [3.0]), Estimator.MSE, regulators=np.array([2.0, 0.0]))
    >>> cost.error(np.array([1.0, 0.5]))
    7.0
    >>> cost.error_and_gradient(np.array([1.0, 0.5]))
    (7.0, array([14.,  6.]))
    """

    network: Network
    sample: Sample
    estimator: Estimator
    regulators: FloatArray
    output_weights: FloatArray | None = None

    def error(self, weights: FloatArray) -> float:
        """Return the sum over events plus the prior; infinite or NaN if that is what the arithmetic gives."""
        network, sample = self._network(weights), self._sample
        total = 0.0
        with np.errstate(all="ignore"):
            if fast.in_training(sample.n_events, network.n_weights):
                total = compiled.error(network, sample, **flags(self.estimator))
            else:
                for block in sample.blocks(kernels.block_size(network)):
                    total += kernels.error(network, block, self.estimator)
            return total + prior(weights, self.regulators)

    def error_and_gradient(self, weights: FloatArray) -> tuple[float, FloatArray]:
        """Return the error, and its gradient divided by the number of events."""
        network = self._network(weights)
        with np.errstate(all="ignore"):
            total, gradient = self._sums(network)
            if self.output_weights is not None:
                gradient *= self._factors
            gradient += self.regulators * weights
            # TMVA: the error is not divided, the gradient is, and by the number of events, not by their weights
            gradient /= self.sample.n_events
            return total + prior(weights, self.regulators), gradient

    def _sums(self, network: Network) -> tuple[float, FloatArray]:
        """Return error and gradient without the prior, the gradient not yet divided."""
        sample = self._sample
        if fast.in_training(sample.n_events, network.n_weights):
            return compiled.error_and_gradient(network, sample, **flags(self.estimator))
        total = 0.0
        gradient = np.zeros(network.n_weights)
        for block in sample.blocks(kernels.block_size(network)):
            error, part = kernels.error_and_gradient(network, block, self.estimator)
            total += error
            gradient += part
        return total, gradient

    # An error of weight c² is that of a network whose linear output, and whose target, are multiplied by c

    @cached_property
    def _factors(self) -> FloatArray:
        """Return what multiplies each weight for that: those into the outputs change, the others do not."""
        last = self.network.matrices[-1]
        scales = np.ones(last.shape[1]) if self.output_weights is None else np.sqrt(self.output_weights)
        if self.network.neuron_input == "sqsum":
            scales = np.sqrt(scales)  # the output goes with the square of the weights
        return np.concatenate([np.ones(self.network.n_weights - last.size), np.tile(scales, len(last))])

    def _network(self, weights: FloatArray) -> Network:
        return self.network.with_flat_weights(weights if self.output_weights is None else weights * self._factors)

    @cached_property
    def _sample(self) -> Sample:
        if self.output_weights is None:
            return self.sample
        return Sample(self.sample.inputs, self.sample.desired * np.sqrt(self.output_weights), self.sample.weights)


def flags(estimator: Estimator) -> dict[str, bool]:
    """Return the cost function in the words of the compiled code."""
    return {"entropy": estimator is not Estimator.MSE, "multiclass": estimator is Estimator.SOFTMAX}


def prior(weights: FloatArray, regulators: FloatArray) -> float:
    """Return ``sum_s alpha_s w_s^2 / 2``, the regulators being those of every weight."""
    return float(0.5 * np.sum(regulators * weights * weights))


def monitored_estimator(
    network: Network,
    sample: Sample,
    estimator: Estimator,
    *,
    weight_range: float = 1.0,
    multiclass: bool = False,
) -> float:
    """Return the estimator that is printed, watched for convergence, and taken as the noise variance.

    ``weight_range`` below 1 keeps only the events of smallest deviation, up to that fraction of the sum of weights.
    NaN if there are no events.
    """
    if not sample.n_events:
        return float("nan")
    if weight_range >= 1.0 and fast.in_training(sample.n_events, network.n_weights):
        total = compiled.error(network, sample, last_output_only=multiclass, **flags(estimator))
        with np.errstate(all="ignore"):
            return float(np.divide(2.0 * total, sample.float32_sum_of_weights))
    total = 0.0
    of_events: list[FloatArray] = []
    with np.errstate(all="ignore"):
        for block in sample.blocks(kernels.block_size(network)):
            # twice the minimised error of an event: squares without the half, and twice the entropy
            values = 2.0 * kernels.errors_of_events(kernels.propagate(network, block), block, estimator)
            # TMVA: of a multiclass event only the last class counts (a softmax has one error for all)
            deviation = values[-1] if multiclass else values.sum(axis=0)
            total += float((deviation * block.weights).sum())
            if weight_range < 1.0:
                of_events.append(deviation)
        if weight_range < 1.0:
            return _estimator_of_nearest(np.concatenate(of_events), sample.weights, weight_range)
        return float(np.divide(total, sample.float32_sum_of_weights))


def output_estimators(network: Network, sample: Sample, weight_range: float = 1.0) -> FloatArray:
    """Return the mean squared deviation of each output from what is desired, ``(n_outputs,)``."""
    squares = np.concatenate(
        [
            np.square(kernels.propagate(network, block).values[-1] - block.desired)
            for block in sample.blocks(kernels.block_size(network))
        ],
        axis=1,
    )
    if weight_range < 1.0:
        return np.array([_estimator_of_nearest(own, sample.weights, weight_range) for own in squares])
    return np.asarray(squares @ sample.weights / sample.weights.sum())


def _estimator_of_nearest(deviations: FloatArray, weights: FloatArray, fraction: float) -> float:
    """Return the mean deviation of the events of smallest deviation that have ``fraction`` of the weight."""
    order = np.argsort(deviations, kind="stable")
    running = np.cumsum(weights[order])
    kept = running <= fraction * running[-1]
    # one event at least
    kept[0] = True
    chosen = order[kept]
    return float(np.divide((deviations[chosen] * weights[chosen]).sum(), weights[chosen].sum()))


def check_desired(sample: Sample, estimator: Estimator) -> None:
    """Raise InputError if a cross entropy is asked of anything but 0 and 1, or a softmax of anything but one class."""
    if estimator is Estimator.SOFTMAX:
        bad = np.flatnonzero((np.sort(sample.desired, axis=1) != np.eye(sample.desired.shape[1])[-1]).any(axis=1))
        if bad.size:
            raise InputError(
                "the cross entropy of a softmax needs a 1 for the class of an event and 0 for the others, event "
                f"{bad[0]} has {sample.desired[bad[0]].tolist()}"
            )
    if estimator is Estimator.CE:
        bad = np.flatnonzero(((sample.desired != 0.0) & (sample.desired != 1.0)).any(axis=1))
        if bad.size:
            value = sample.desired[bad[0]].tolist()
            raise InputError(
                f"cross entropy (EstimatorType=CE) needs desired outputs 0 or 1, event {bad[0]} has "
                f"{value[0] if len(value) == 1 else value}; use EstimatorType=MSE for other targets"
            )
