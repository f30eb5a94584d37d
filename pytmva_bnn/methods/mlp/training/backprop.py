"""One epoch of back-propagation: the events in random order, a step after each of them or after each batch."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from pytmva_bnn import fast
from pytmva_bnn._typing import FloatArray, IntArray
from pytmva_bnn.methods.mlp.kernels import training as compiled
from pytmva_bnn.methods.mlp.network import Network
from pytmva_bnn.methods.mlp.training import kernels
from pytmva_bnn.methods.mlp.training.samples import Sample
from pytmva_bnn.methods.mlp.training.settings import BPMode, Estimator, TrainingSettings
from pytmva_bnn.random import TRandom3


@dataclass(frozen=True, eq=False)
class BPState:
    """All that an epoch hands to the next one.

    ``pending`` is the sum of the contributions of ``n_pending`` events that no batch has used yet; ``n_drawn`` counts
    the random numbers that shuffles have used.
    """

    weights: FloatArray
    rate: float
    pending: FloatArray
    n_pending: int = 0
    n_drawn: int = 0
    #: back-propagation knows no prior
    regulators: FloatArray = field(default_factory=lambda: np.zeros(0))
    at_floor: bool = False

    @classmethod
    def start(cls, weights: FloatArray, settings: TrainingSettings, n_regulators: int = 0) -> BPState:
        """Return the state before the first epoch."""
        return cls(weights, settings.learning_rate, np.zeros(weights.size), regulators=np.zeros(n_regulators))


def late_epoch(n_cycles: int) -> int:
    """Return the epoch, counted from 0, from which on the learning rate decays faster: the last 5%."""
    return int(0.95 * n_cycles) - 1


def shuffled(n: int, random: TRandom3) -> list[int]:
    """Return 0 .. n-1 in TMVA's random order."""
    return list(map(int, _order(n, random)))


def _order(n: int, random: TRandom3) -> IntArray:
    # TMVA: n-1 instead of n: the last place is never a target, so not all orders are equally probable
    targets = (random.rndm(n) * (n - 1)).astype(np.int64)
    if fast.in_training(n, 1):
        return compiled.swapped(targets)
    order = list(range(n))
    for i, j in enumerate(targets.tolist()):
        order[i], order[j] = order[j], order[i]
    return np.array(order, dtype=np.int64)


def bp_epoch(
    epoch: int, state: BPState, network: Network, sample: Sample, settings: TrainingSettings, random: TRandom3
) -> BPState:
    """Return the state after epoch number ``epoch``, counted from 0.

    ``network`` gives the architecture, ``random`` is the generator that drew the initial weights.
    """
    order = _order(sample.n_events, random)
    if settings.ignore_negative_weights:
        order = order[sample.weights[order] >= 0.0]
    current = network.with_flat_weights(state.weights)
    with np.errstate(all="ignore"):
        if settings.bp_mode is BPMode.SEQUENTIAL:
            weights = _sequential(current, sample, order, settings, state.rate)
            pending, n_pending = state.pending, state.n_pending
        else:
            weights, pending, n_pending = _in_batches(current, sample, order, settings, state)
    late = epoch >= late_epoch(settings.n_cycles)
    decay = math.sqrt(settings.decay_rate) if late else settings.decay_rate
    return BPState(
        weights=weights,
        rate=state.rate * (1.0 - decay),
        pending=pending,
        n_pending=n_pending,
        n_drawn=state.n_drawn + sample.n_events,
        regulators=state.regulators,
    )


def _sequential(
    network: Network, sample: Sample, order: IntArray, settings: TrainingSettings, rate: float
) -> FloatArray:
    if fast.in_steps(sample.n_events * settings.n_cycles):
        entropy = settings.estimator is Estimator.CE
        return compiled.sequential_pass(
            network, sample, order, rate, entropy=entropy, multiclass=settings.is_multiclass
        )
    (block,) = sample.blocks(sample.n_events)
    trained = kernels.sequential_pass(network, block, order.tolist(), settings.estimator, rate, settings.is_multiclass)
    return trained.flat_weights()


def _in_batches(
    network: Network, sample: Sample, order: IntArray, settings: TrainingSettings, state: BPState
) -> tuple[FloatArray, FloatArray, int]:
    """Return the weights, and the contributions left over for the next epoch with their number."""
    size = settings.batch_size if 1 <= settings.batch_size <= order.size else order.size
    weights, pending, n_pending = network.flat_weights(), state.pending, state.n_pending
    for start in range(0, order.size, size):
        batch = sample.select(order[start : start + size])
        pending = pending + _contributions(network.with_flat_weights(weights), batch, settings)
        n_pending += batch.n_events
        if batch.n_events == size:
            weights = weights - state.rate * (pending / n_pending)
            pending, n_pending = np.zeros(weights.size), 0
    return weights, pending, n_pending


def _contributions(network: Network, batch: Sample, settings: TrainingSettings) -> FloatArray:
    """Return the sum of ``delta_post a_pre`` over the batch."""
    if fast.in_training(batch.n_events, network.n_weights):
        entropy = settings.estimator is Estimator.CE
        return compiled.error_and_gradient(network, batch, entropy=entropy, multiclass=settings.is_multiclass)[1]
    total = np.zeros(network.n_weights)
    for block in batch.blocks(kernels.block_size(network)):
        passed = kernels.propagate(network, block)
        deltas = kernels.output_deltas(network, passed, block, settings.estimator, multiclass=settings.is_multiclass)
        total += kernels.back_propagated(network, passed, deltas)
    return total
