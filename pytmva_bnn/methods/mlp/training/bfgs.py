"""One epoch of BFGS training: quasi-Newton direction, line search, and now and then new regulators."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.methods.mlp.training.cost import Cost
from pytmva_bnn.methods.mlp.training.line_search import LineSearch, line_search
from pytmva_bnn.methods.mlp.training.settings import TrainingSettings
from pytmva_bnn.methods.training_errors import TrainingError

log = logging.getLogger("pytmva_bnn.MLP")

#: epochs between two updates of the regulators at least
_EPOCHS_BETWEEN_UPDATES = 5


@dataclass(frozen=True, eq=False)
class BFGSState:
    """All that an epoch hands to the next one."""

    weights: FloatArray
    regulators: FloatArray
    inverse_hessian: FloatArray
    delta: FloatArray
    gradient: FloatArray
    last_alpha: float = 0.0
    update_countdown: int = 0
    n_updates: int = 0
    accumulated_error: float = 0.0
    at_floor: bool = False
    #: how much each output counts in the cost
    output_weights: FloatArray = field(default_factory=lambda: np.ones(1))

    @classmethod
    def start(cls, weights: FloatArray, n_regulators: int, n_outputs: int = 1) -> BFGSState:
        """Return the state before the first epoch."""
        n = weights.size
        return cls(
            weights, np.zeros(n_regulators), np.eye(n), np.zeros(n), np.zeros(n), output_weights=np.ones(n_outputs)
        )


def bfgs_epoch(
    epoch: int,
    state: BFGSState,
    cost: Cost,
    settings: TrainingSettings,
    updated: Callable[[FloatArray, FloatArray, FloatArray], tuple[FloatArray, FloatArray]],
) -> BFGSState:
    """Return the state after epoch number ``epoch``, counted from 0.

    ``cost`` has the epoch's events and the present regulators; ``updated(weights, regulators, output_weights)`` does
    the evidence procedure and returns both updated.  The state is ``at_floor`` if the error cannot be lowered any more.
    """
    countdown = state.update_countdown + 1 if settings.use_regulator else 0

    # gradient, and how it and the weights changed since the last one
    error_before, gradient = cost.error_and_gradient(state.weights)
    _check_finite(epoch, error_before, gradient)
    gamma = gradient - state.gradient
    delta = state.delta

    # direction
    inverse_hessian = state.inverse_hessian
    gamma_delta = float(gamma @ delta)
    restart = epoch % settings.reset_step == 0 and epoch < 0.5 * settings.n_cycles
    if not restart and gamma_delta != 0.0:
        inverse_hessian = updated_inverse_hessian(inverse_hessian, gamma, delta, gamma_delta)
        direction = -_product(inverse_hessian, gradient)
    if restart or gamma_delta == 0.0 or float(direction @ gradient) > 0.0:
        inverse_hessian, direction, countdown = np.eye(gradient.size), -gradient, 0

    # step
    search = _search(state, cost, direction, error_before, settings.tau)
    if not search.found:
        inverse_hessian, direction, countdown = np.eye(gradient.size), -gradient, 0
        search = _search(replace(state, last_alpha=search.alpha), cost, direction, error_before, settings.tau)
    if not search.found:
        return _at_floor(epoch, state, cost, search, direction, gradient, error_before)
    delta = search.alpha * direction
    weights = state.weights + delta
    d_error = _relative_decrease(error_before, search.error)
    if d_error < 0.0:
        log.debug("epoch %d: the error has grown from %g to %g", epoch + 1, error_before, search.error)
    accumulated_error = state.accumulated_error + d_error

    # regulators
    regulators, output_weights, n_updates = state.regulators, state.output_weights, state.n_updates
    if (
        settings.use_regulator
        and n_updates < settings.update_limit
        and countdown >= _EPOCHS_BETWEEN_UPDATES
        and abs(d_error) < 0.1 * accumulated_error
    ):
        regulators, output_weights = updated(weights, regulators, output_weights)
        inverse_hessian, countdown, accumulated_error = np.eye(gradient.size), 0, 0.0
        n_updates += 1

    return BFGSState(
        weights=weights,
        regulators=regulators,
        inverse_hessian=inverse_hessian,
        delta=delta,
        gradient=gradient,
        last_alpha=search.alpha,
        update_countdown=countdown,
        n_updates=n_updates,
        accumulated_error=accumulated_error,
        output_weights=output_weights,
    )


def updated_inverse_hessian(h: FloatArray, gamma: FloatArray, delta: FloatArray, gamma_delta: float) -> FloatArray:
    """Return the BFGS update of the approximate inverse Hessian; ``gamma_delta`` is ``gamma . delta``.

    It fulfils the secant condition ``H gamma = delta``.
    """
    h_gamma = _product(h, gamma)
    gamma_h = _product(h.T, gamma)
    factor = 1.0 + float(gamma @ h_gamma) / gamma_delta
    change = factor * np.outer(delta, delta) - np.outer(delta, gamma_h) - np.outer(h_gamma, delta)
    return np.asarray(h + change / gamma_delta)


def _product(matrix: FloatArray, vector: FloatArray) -> FloatArray:
    """Return ``matrix @ vector``; BLAS would share out large ones, and the last bits depended on the threads."""
    return np.asarray(np.einsum("ij,j->i", matrix, vector), dtype=np.float64)


def _search(state: BFGSState, cost: Cost, direction: FloatArray, error_before: float, tau: float) -> LineSearch:
    def error_at(alpha: float) -> float:
        return cost.error(state.weights + alpha * direction)

    return line_search(error_at, error_before, state.last_alpha, tau)


def _relative_decrease(before: float, after: float) -> float:
    if after == 0.0:
        return 0.0 if before == 0.0 else float("inf")
    return (before - after) / after


def _check_finite(epoch: int, error: float, gradient: FloatArray) -> None:
    if np.isfinite(error) and np.isfinite(gradient).all():
        return
    raise TrainingError(
        "the error or its gradient is not a finite number",
        epoch=epoch + 1,
        advice="normalise the inputs (VarTransform=N), look for extreme events or event weights, "
        "use NeuronInputType=sum and a bounded NeuronType such as tanh, or try another RandomSeed",
    )


def _at_floor(
    epoch: int,
    state: BFGSState,
    cost: Cost,
    search: LineSearch,
    direction: FloatArray,
    gradient: FloatArray,
    error_before: float,
) -> BFGSState:
    """Return the state to end with if the error is as low as it gets, otherwise raise TrainingError.

    It is so low if the events are described perfectly, here or further along the direction, or if steepest descent
    promises less than the rounding of the sum.
    """
    vanishing = 1e-6 * float(np.abs(cost.sample.weights).sum())
    promised = cost.sample.n_events * float(gradient @ gradient)
    if error_before <= vanishing or promised <= 1e-9 * abs(error_before):
        return replace(state, at_floor=True)
    for alpha, error in search.descent:
        if error <= vanishing:
            return replace(state, weights=state.weights + alpha * direction, at_floor=True)
    raise TrainingError(
        "the line search failed in the direction of steepest descent too, although the error "
        f"({error_before:g}) is not at a minimum",
        epoch=epoch + 1,
        advice="use NeuronInputType=sum (the others have no usable gradient), normalise the inputs (VarTransform=N), "
        "try another RandomSeed, or UseRegulator against weights that grow without limit",
    )
