"""BFGS: its update, its minimum, its floor and its troubles."""

import numpy as np
import pytest
from scipy.optimize import minimize

from pytmva_bnn.methods.mlp.network import Network, forward
from pytmva_bnn.methods.mlp.training import Cost, Estimator, Sample, TrainingError, TrainingSettings, train
from pytmva_bnn.methods.mlp.training.bfgs import BFGSState, bfgs_epoch, updated_inverse_hessian


def test_the_update_fulfils_the_secant_condition_and_stays_symmetric():
    random = np.random.default_rng(0)
    root = random.normal(size=(5, 5))
    h, gamma, delta = root @ root.T, random.normal(size=5), random.normal(size=5)
    updated = updated_inverse_hessian(h, gamma, delta, float(gamma @ delta))
    np.testing.assert_allclose(updated @ gamma, delta, atol=1e-12)
    np.testing.assert_allclose(updated, updated.T, atol=1e-12)


@pytest.mark.parametrize("estimator", [Estimator.MSE, Estimator.CE])
def test_the_minimum_is_that_of_scipy(make_problem, start, estimator):
    sample = make_problem(n_inputs=1, n_events=100, binary=estimator is Estimator.CE)
    network = start(sample, 1, estimator=estimator)
    cost = Cost(network, sample, estimator, np.full(network.n_weights, 0.1))

    def function(w):
        error, gradient = cost.error_and_gradient(w)
        return error, gradient * sample.n_events

    best = minimize(function, network.flat_weights(), jac=True, method="L-BFGS-B", options={"ftol": 1e-14}).fun
    state = BFGSState.start(network.flat_weights(), 3)
    settings = TrainingSettings(estimator=estimator, n_cycles=150)
    for epoch in range(150):
        if not state.at_floor:
            state = bfgs_epoch(epoch, state, cost, settings, lambda _, *hyper: hyper)
    assert cost.error(state.weights) == pytest.approx(best, rel=1e-6)


def test_separable_classes_end_the_training_gracefully(start, caplog):
    x = np.concatenate([np.linspace(-2.0, -1.0, 50), np.linspace(1.0, 2.0, 50)])
    sample = Sample.of(x[:, np.newaxis], x > 0.0)
    result = train(start(sample, 3), sample, sample, TrainingSettings(n_cycles=300))
    assert result.stopped_by == "floor"
    assert result.n_epochs < 300
    assert result.training_estimator < 1e-5
    assert "cannot be lowered any more" in caplog.text
    assert ((forward(result.network, sample.inputs) > 0.5) == sample.desired).all()


def test_an_error_that_vanishes_along_the_line_ends_the_training_there():
    # one weight that may grow for ever: the line search finds no end
    sample = Sample.of([[-2.0], [-1.0], [1.0], [2.0]], [0, 0, 1, 1])
    network = Network.from_matrices([np.array([[0.5], [0.0]])], output="sigmoid")
    result = train(network, sample, sample, TrainingSettings(n_cycles=5))
    assert (result.stopped_by, result.n_epochs) == ("floor", 1)
    assert result.training_estimator < 1e-5
    assert np.abs(result.network.flat_weights()).max() < 1e3


def test_a_perfect_fit_ends_the_training_gracefully():
    sample = Sample.of([[0.0], [1.0]], [1.0, 3.0])
    network = Network.from_matrices([np.array([[2.0], [1.0]])], output="linear")
    result = train(network, sample, sample, TrainingSettings(estimator=Estimator.MSE, analysis="Regression"))
    assert (result.stopped_by, result.n_epochs) == ("floor", 1)


class WrongGradient:
    """A cost whose gradient points nowhere: every step makes it worse."""

    sample = Sample.of([[0.0]] * 10, [1.0] * 10)

    def error(self, weights):
        return 1.0 if not weights.any() else 2.0

    def error_and_gradient(self, weights):
        return self.error(weights), np.ones_like(weights)


def test_a_wrong_gradient_is_reported_with_advice():
    state = BFGSState.start(np.zeros(2), 1)
    with pytest.raises(TrainingError, match=r"epoch 4: the line search failed.*NeuronInputType=sum") as caught:
        bfgs_epoch(3, state, WrongGradient(), TrainingSettings(), lambda _, *hyper: hyper)
    assert caught.value.epoch == 4


def test_an_error_that_is_not_finite_is_reported_with_advice(make_problem, start):
    sample = make_problem(n_events=20, binary=False)
    huge = start(sample, estimator=Estimator.MSE, hidden="linear")
    huge = huge.with_flat_weights(np.full(huge.n_weights, 1e160))
    with pytest.raises(TrainingError, match=r"epoch 1: the error or its gradient is not a finite.*VarTransform=N"):
        train(huge, sample, sample, TrainingSettings(estimator=Estimator.MSE, analysis="Regression"))


def test_regulators_are_updated_no_more_often_than_allowed(make_problem, start):
    sample = make_problem()
    network = start(sample)
    updates = []

    def update(_, regulators, outputs):
        updates.append(1)
        return regulators + 1.0, outputs

    settings = TrainingSettings(n_cycles=60, use_regulator=True, update_limit=2)
    state = BFGSState.start(network.flat_weights(), 4)
    for epoch in range(60):
        cost = Cost(network, sample, Estimator.CE, np.full(network.n_weights, state.regulators[0]))
        state = bfgs_epoch(epoch, state, cost, settings, update)
    assert len(updates) == state.n_updates == 2


@pytest.mark.parametrize(
    ("n_cycles", "reset_step", "restarts"),
    [
        (20, 5, [0, 5]),  # not at half of the cycles
        (21, 5, [0, 5, 10]),  # but before it
        (24, 4, [0, 4, 8]),
        (20, 50, [0]),
    ],
)
def test_the_direction_is_restarted_at_every_reset_step_in_the_first_half(
    make_problem, start, n_cycles, reset_step, restarts
):
    sample = make_problem()
    network = start(sample)
    cost = Cost(network, sample, Estimator.CE, np.full(network.n_weights, 0.1))
    settings = TrainingSettings(n_cycles=n_cycles, reset_step=reset_step)
    state = BFGSState.start(network.flat_weights(), 4)
    found = []
    for epoch in range(n_cycles):
        state = bfgs_epoch(epoch, state, cost, settings, lambda _, *hyper: hyper)
        if np.array_equal(state.inverse_hessian, np.eye(network.n_weights)):
            found.append(epoch)
    assert found == restarts


class OnlySteepestDescent:
    """A cost that falls along its gradient at the origin only, up to a step of 0.3; keeps the steps that were tried."""

    sample = Sample.of([[0.0]] * 10, [1.0] * 10)
    gradient = np.array([1.0, 0.0])

    def __init__(self):
        self.steps = []

    def error(self, weights):
        if not weights.any():
            return 1.0
        if weights[1]:
            return 2.0
        self.steps.append(-weights[0])
        return 0.5 + (weights[0] + 0.3) ** 2

    def error_and_gradient(self, weights):
        return self.error(weights), self.gradient


def test_after_a_failed_line_search_steepest_descent_starts_with_a_small_step_and_no_history():
    cost = OnlySteepestDescent()
    state = BFGSState(
        weights=np.zeros(2),
        regulators=np.zeros(1),
        inverse_hessian=np.eye(2),
        delta=np.array([1.0, 1.0]),  # so that the quasi-Newton direction is (-1, -1)
        gradient=np.zeros(2),
        last_alpha=1.0,
        update_countdown=7,
        accumulated_error=1e6,
    )

    def no_update(*_):
        raise AssertionError("the regulators are not due: counting has begun anew")

    after = bfgs_epoch(1, state, cost, TrainingSettings(use_regulator=True), no_update)
    assert cost.steps[0] == 0.05
    assert after.update_countdown == 0
    np.testing.assert_array_equal(after.inverse_hessian, np.eye(2))
    np.testing.assert_array_equal(after.weights, [-after.last_alpha, 0.0])
    assert after.last_alpha == pytest.approx(0.3)
