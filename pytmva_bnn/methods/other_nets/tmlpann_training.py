"""The training of TMlpANN by the six learning methods of TMultiLayerPerceptron."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from pytmva_bnn import fast
from pytmva_bnn._typing import BoolArray, FloatArray
from pytmva_bnn.errors import InputError
from pytmva_bnn.methods.mlp.kernels import training as compiled
from pytmva_bnn.methods.mlp.option_table import check_network_size
from pytmva_bnn.methods.mlp.training import Sample, kernels
from pytmva_bnn.methods.mlp.training.bfgs import updated_inverse_hessian
from pytmva_bnn.methods.mlp.training.cost import Cost
from pytmva_bnn.methods.mlp.training.line_search import line_search
from pytmva_bnn.methods.mlp.training.settings import Estimator
from pytmva_bnn.methods.other_nets.hidden_layers import hidden_sizes
from pytmva_bnn.methods.other_nets.tmlpann import FittedTMlpANN
from pytmva_bnn.methods.progress import show_progress
from pytmva_bnn.methods.protocol import MethodEvents, TrainingJob
from pytmva_bnn.methods.training_errors import TrainingError
from pytmva_bnn.random import TRandom3

log = logging.getLogger("pytmva_bnn.TMlpANN")

ETA, TAU, RESET = 0.1, 3.0, 50
"""Learning rate, factor of the line search, and epochs between restarts of the direction."""
NOTHING_TRAINED = "interrupted before the first epoch: nothing is written"


def train_tmlpann(job: TrainingJob) -> FittedTMlpANN:
    """Train a network as the options of the job say."""
    x, n_cycles = job.training.inputs.astype(np.float64), job.options.integer("NCycles")
    normalisation = _six_digits(np.column_stack([x.std(axis=0), x.mean(axis=0)]))
    if not (normalisation[:, 0] > 0.0).all():
        constant = [job.dataset.variables[i].label for i in np.flatnonzero(~(normalisation[:, 0] > 0.0))]
        raise InputError(f"{job.title}: {', '.join(constant)} is constant in all training events; leave it out")
    sizes = (x.shape[1], *hidden_sizes(job.options.string("HiddenLayers"), x.shape[1], least=1), 1)
    is_quadratic = job.options.string("LearningMethod").lower() == "bfgs"
    check_network_size(job.options.string("HiddenLayers"), sizes, int(is_quadratic), job.title)
    names = ",".join(f"@{variable.internal}" for variable in job.dataset.variables)
    start = _random_start(":".join([names, *map(str, sizes[1:-1]), "type"]), normalisation, sizes, job)
    chosen = _training_part(job.training, job.options.real("ValidationFraction"))
    if not chosen.any():
        raise InputError(f"{job.title}: no training events are left; use a smaller ValidationFraction")
    sample = Sample.of(
        start.scaling(np.ascontiguousarray(x.T)).T, job.training.is_signal.astype(np.float64), job.training.weights
    )
    costs = [Cost(start.network, sample.select(part), Estimator.MSE, np.zeros(1)) for part in (chosen, ~chosen)]
    epochs = _EPOCHS[job.options.string("LearningMethod")](costs[0], start.network.flat_weights(), n_cycles)
    weights, done, interrupted = start.network.flat_weights(), 0, ""
    with show_progress(n_cycles, log, quiet=job.quiet) as progress:
        try:
            for weights in epochs:
                done += 1
                _check_finite(weights, done)
                _report(progress, done, n_cycles, weights, costs)
        except KeyboardInterrupt:
            if not done:
                raise KeyboardInterrupt(NOTHING_TRAINED) from None
            interrupted = f"epoch {done}"
            log.warning("%s: interrupted after %d epochs; the weights so far are kept", job.title, done)
    if done < n_cycles and not interrupted:
        log.info("%s: nothing left to gain after %d epochs", job.title, done)
    trained = start.network.with_flat_weights(weights)
    biases = np.concatenate([start.neurons[: sizes[0]], *(matrix[-1] for matrix in trained.matrices)])
    synapses = np.concatenate([matrix[:-1].T.ravel() for matrix in trained.matrices])
    return FittedTMlpANN(start.build_options, normalisation, _six_digits(biases), _six_digits(synapses), interrupted)


def _six_digits(values: FloatArray) -> FloatArray:
    # TMVA: the file has no more, and the test results of the Factory are those of the file
    return np.array([float(f"{value:g}") for value in values.ravel().tolist()]).reshape(values.shape)


def _training_part(events: MethodEvents, fraction: float) -> BoolArray:
    """Return which events train the network; the others validate it."""
    # TMVA: meant for events sorted by class; with mixed ones it is just a part of them, without number n_S
    n_signal = int(events.is_signal.sum())
    n_background = len(events) - n_signal
    i = np.arange(len(events))
    last = int(n_signal + (1.0 - fraction) * n_background)
    return np.asarray((i < (1.0 - fraction) * n_signal) | ((i > n_signal) & (i < last)))


def _random_start(
    build_options: str, normalisation: FloatArray, sizes: tuple[int, ...], job: TrainingJob
) -> FittedTMlpANN:
    # TMVA: seeds with the time of day, so that no two trainings are the same
    random = TRandom3(job.options.integer("RandomSeed"))
    neurons, synapses = (random.rndm(n) - 0.5 for n in (sum(sizes), sum(n * m for n, m in pairwise(sizes))))
    return FittedTMlpANN(build_options, normalisation, neurons, synapses)


def _report(progress: Callable[..., None], done: int, n_cycles: int, weights: FloatArray, costs: list[Cost]) -> None:
    if done % max(1, n_cycles // 10) and done < n_cycles:
        progress(done)
        return
    progress(done, *(cost.error(weights) / max(cost.sample.n_events, 1) for cost in costs))


def _check_finite(weights: FloatArray, epoch: int) -> None:
    if not np.isfinite(weights).all():
        advice = "look for extreme events or event weights, or use LearningMethod=BFGS"
        raise TrainingError("the weights are no longer finite", epoch=epoch, advice=advice)


# -- the learning methods: weights after each epoch

Epochs = Iterator[FloatArray]


def _stochastic(cost: Cost, weights: FloatArray, n_cycles: int) -> Epochs:
    """Yield weights after a step against the gradient of each event, in random order."""
    n, random = cost.sample.n_events, TRandom3(n_cycles)
    (block,) = cost.sample.blocks(n)
    for _ in range(n_cycles):
        network, order = cost.network.with_flat_weights(weights), np.argsort(random.rndm(n), kind="stable")
        if fast.in_steps(n * n_cycles):
            weights = compiled.sequential_pass(network, cost.sample, order, ETA, entropy=False, multiclass=False)
        else:
            weights = kernels.sequential_pass(network, block, order.tolist(), Estimator.MSE, ETA, False).flat_weights()
        yield weights


def _batch(cost: Cost, weights: FloatArray, n_cycles: int) -> Epochs:
    """Yield weights after a step against the mean gradient of all events."""
    for _ in range(n_cycles):
        weights = weights - ETA * cost.error_and_gradient(weights)[1]
        yield weights


@dataclass
class _Directions:
    """Where line searches go: gives the direction for a gradient, from those of the epochs before.

    ``changed`` is how the last search has changed the weights.
    """

    beta: Callable[[FloatArray, FloatArray], float]
    gradient: FloatArray | None = None
    direction: FloatArray | None = None
    changed: FloatArray | None = None

    def restart(self) -> None:
        """Forget the epochs before."""
        self.gradient = self.direction = None

    def next(self, gradient: FloatArray) -> FloatArray:
        """Return the conjugate direction."""
        direction = -gradient
        if self.gradient is not None and self.direction is not None:
            direction = direction + self.beta(gradient, self.gradient) * self.direction
        self.gradient, self.direction = gradient, direction
        return direction


class _QuasiNewton(_Directions):
    """The same by BFGS: minus the approximate inverse Hessian times the gradient."""

    hessian: FloatArray | None = None

    def restart(self) -> None:
        self.gradient = self.hessian = None

    def next(self, gradient: FloatArray) -> FloatArray:
        if self.gradient is not None and self.changed is not None:
            gamma = gradient - self.gradient
            product = float(gamma @ self.changed)
            hessian = np.eye(len(gradient)) if self.hessian is None else self.hessian
            if product > 0.0:
                self.hessian = updated_inverse_hessian(hessian, gamma, self.changed, product)
        self.gradient = gradient
        return -gradient if self.hessian is None else -np.einsum("ij,j->i", self.hessian, gradient)


def _along(directions: _Directions, cost: Cost, weights: FloatArray, n_cycles: int) -> Epochs:
    """Yield weights after a line search in each direction, until nothing is left to gain."""
    alpha = 0.0
    for epoch in range(n_cycles):
        if epoch % RESET == 0:
            directions.restart()
        error, gradient = cost.error_and_gradient(weights)
        direction = directions.next(gradient)
        if float(direction @ gradient) >= 0.0:  # uphill
            directions.restart()
            direction = directions.next(gradient)
        found = line_search(lambda a, w=weights, d=direction: cost.error(w + a * d), error, alpha, TAU)  # type: ignore[misc]
        if not found.found:
            directions.restart()
            direction = directions.next(gradient)
            found = line_search(lambda a, w=weights, d=direction: cost.error(w + a * d), error, 0.0, TAU)  # type: ignore[misc]
            if not found.found:
                return
        alpha, directions.changed = found.alpha, found.alpha * direction
        weights = weights + directions.changed
        yield weights


def _steepest(cost: Cost, weights: FloatArray, n_cycles: int) -> Epochs:
    return _along(_Directions(lambda new, old: 0.0), cost, weights, n_cycles)  # noqa: ARG005


def _ribiere_polak(cost: Cost, weights: FloatArray, n_cycles: int) -> Epochs:
    return _along(_Directions(lambda new, old: float(new @ (new - old)) / float(old @ old)), cost, weights, n_cycles)


def _fletcher_reeves(cost: Cost, weights: FloatArray, n_cycles: int) -> Epochs:
    return _along(_Directions(lambda new, old: float(new @ new) / float(old @ old)), cost, weights, n_cycles)


def _bfgs(cost: Cost, weights: FloatArray, n_cycles: int) -> Epochs:
    return _along(_QuasiNewton(lambda new, old: 0.0), cost, weights, n_cycles)  # noqa: ARG005


_EPOCHS: dict[str, Callable[[Cost, FloatArray, int], Epochs]] = {
    "stochastic": _stochastic,
    "batch": _batch,
    "steepestdescent": _steepest,
    "ribierepolak": _ribiere_polak,
    "fletcherreeves": _fletcher_reeves,
    "bfgs": _bfgs,
}
