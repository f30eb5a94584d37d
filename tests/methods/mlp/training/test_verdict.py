"""The verdict on convergence: what a training says about itself at its end."""

import logging
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.optimize import minimize

import pytmva_bnn as TMVA
from pytmva_bnn.factory.method import NotTrainedError
from pytmva_bnn.methods.mlp.network import Network
from pytmva_bnn.methods.mlp.training import (
    Cost,
    Estimator,
    RegulatorGroups,
    Sample,
    TrainingMethod,
    TrainingSettings,
    initial_network,
    train,
)
from pytmva_bnn.methods.mlp.training.curvature import Surroundings
from pytmva_bnn.methods.mlp.training.verdict import (
    ConvergenceVerdict,
    improvement,
    n_products,
    problems,
    regulator_change,
    with_curvature,
)
from pytmva_bnn.random import TRandom3
from pytmva_bnn.show.plots.content import training_facts


def bump(n=1000):
    """Events that pass in the middle: a network needs two different neurons for that."""
    random = np.random.default_rng(1)
    x = random.uniform(-2.0, 2.0, (n, 1)).astype(np.float32)
    return Sample.of(x, (random.uniform(size=n) < np.where(np.abs(x[:, 0]) < 1.0, 0.85, 0.1)).astype(float))


def smooth_bump():
    random = np.random.default_rng(1)
    x = random.uniform(-2.0, 2.0, (1000, 1)).astype(np.float32)
    return Sample.of(x, (random.uniform(size=1000) < 0.05 + 0.9 * np.exp(-2.0 * x[:, 0] ** 2)).astype(float))


def trained(n_cycles, start=None, sample=None, **settings):
    sample = sample or bump()
    network = start or initial_network([1, 2, 1], TRandom3(1), hidden="tanh", output="sigmoid")
    return train(network, sample, sample, TrainingSettings(n_cycles=n_cycles, **settings), title="BNN")


def test_a_long_training_is_called_converged(caplog):
    result = trained(400, use_regulator=True)
    assert result.convergence.is_converged
    assert result.convergence.distance < 0.5
    assert result.convergence.newton_step <= result.convergence.distance
    assert result.convergence.regulator_change < 0.05 * result.evidence.n_effective
    assert "has not converged" not in caplog.text


def test_a_short_one_is_not_and_says_what_to_do(caplog):
    result = trained(12, use_regulator=True)
    assert not result.convergence.is_converged
    assert result.convergence.distance > 0.5
    assert "BNN has not converged. The regulators were updated" in caplog.text
    assert "of their error bars; raise NCycles" in caplog.text


def test_the_distance_is_that_of_the_minimum_found_by_going_on():
    # near the minimum the cost is a parabola: a distance of d sigmas is d²/2 of the log posterior
    sample = bump()
    result = trained(150, use_regulator=True, update_limit=6)
    regulators = RegulatorGroups.of(result.network).of_weights(result.regulators)
    cost = Cost(result.network, sample, Estimator.CE, regulators)

    def mean_cost(w):
        error, gradient = cost.error_and_gradient(w)
        return error / sample.n_events, gradient

    weights = result.network.flat_weights()
    lowest = minimize(mean_cost, weights, jac=True, method="BFGS", options={"gtol": 1e-9}).fun * sample.n_events
    gained = cost.error(weights) - lowest
    assert result.convergence.distance == pytest.approx(np.sqrt(2.0 * gained), rel=0.3, abs=0.02)


def trained_alike(**settings):
    """Train two neurons that start alike and stay alike for long: they are enough for nothing but a step."""
    matrices = [np.array([[1.0, 1.0], [0.3, 0.3]]), np.array([[0.5], [0.5], [0.1]])]
    start = Network.from_matrices(matrices, hidden="tanh", output="sigmoid")
    return trained(60, start=start, sample=smooth_bump(), use_regulator=True, **settings)


def test_a_saddle_is_recognised(caplog):
    result = trained_alike()
    assert result.convergence.distance < 0.5
    assert result.convergence.lowest_curvature < -0.1
    assert result.convergence.descent == pytest.approx(5.32, abs=0.02)
    assert not result.convergence.is_converged
    assert "on a saddle or a plateau, not at a minimum: the log posterior gains 5.3 or more" in caplog.text
    assert "another RandomSeed" in caplog.text
    assert dict(result.convergence.facts())["downhill from there"] == "5.3 of log posterior to gain"


def test_error_bars_of_the_minimum_leave_the_saddle():
    found = trained_alike(calculate_errors=True, hessian="Bias")
    assert found.convergence.is_converged
    assert found.evidence.log_evidence > trained_alike().evidence.log_evidence + 5.0


@pytest.mark.parametrize(("rise", "is_saddle"), [(1.0, False), (0.05, True)])
def test_an_almost_level_valley_is_no_saddle(rise, is_saddle):
    class Valley:
        sample = SimpleNamespace(n_events=1)

        def error_and_gradient(self, w):
            return w[0] ** 2 / 2 - w[1] ** 2 / 4 + rise * w[1] ** 4, np.array([w[0], -w[1] / 2 + 4 * rise * w[1] ** 3])

    around = Surroundings(Valley(), np.zeros(2), np.eye(2), 1.0)
    found = with_curvature(ConvergenceVerdict(100, 0.0, 0.0, distance=0.0), around, 2)
    assert found.lowest_curvature == pytest.approx(-0.5, abs=1e-4)
    assert found.descent == pytest.approx(1 / (64 * rise), rel=0.01)
    assert ["on a saddle" in problem for problem in problems(found, is_bfgs=True)] == [True] * is_saddle


def test_without_a_hessian_there_are_gradient_and_improvement(caplog):
    result = trained(60)
    assert result.convergence.distance is None
    assert result.convergence.gradient_ratio < 0.5
    assert result.convergence.last_improvement == pytest.approx(
        result.history.training[-2] / result.training_estimator - 1.0, abs=0.1
    )
    caplog.clear()
    early = trained(10, test_rate=1)
    assert early.convergence.last_improvement > 0.01
    assert "BNN has not converged. The training estimator still fell by" in caplog.text
    assert "without a Hessian nothing else can be checked" in str(trained(300).convergence)


def test_errors_without_regulators_have_tmvas_matrix(caplog):
    result = trained(20, calculate_errors=True)
    assert result.convergence.distance > 0.5
    assert "raise NCycles or train with UseRegulator" in caplog.text


def test_back_propagation_does_not_train_with_regulators(caplog):
    result = trained(40, method=TrainingMethod.BP, use_regulator=True)
    assert "effective parameters; use TrainingMethod=BFGS" in caplog.text
    assert result.convergence.n_updates is None


@pytest.mark.parametrize("neuron_input", ["sqsum", "abssum"])
def test_without_a_gradient_there_is_no_distance(neuron_input):
    matrices = [np.full((2, 2), 0.5), np.full((3, 1), 0.5)]
    start = Network.from_matrices(matrices, hidden="tanh", output="sigmoid", neuron_input=neuron_input)
    found = trained(3, start=start, method=TrainingMethod.BP).convergence
    assert found.gradient_ratio is None
    assert found.distance is None


def test_nothing_is_said_of_no_training():
    assert trained(0).convergence is None


def test_a_regulator_that_runs_away_does_not_count():
    sizes = np.array([3.0, 3.0])
    assert regulator_change(np.array([1.0, 10.0]), np.array([1.0, 1e6]), np.array([2.0, 1e-9]), sizes) < 1e-6
    assert regulator_change(
        np.array([1.0, 10.0]), np.array([np.e, 10.0]), np.array([2.0, 1.0]), sizes
    ) == pytest.approx(2.0 / 3.0)
    assert regulator_change(np.zeros(2), np.ones(2), np.array([2.0, 1.0]), sizes) == 3.0


def test_products_are_as_many_as_the_training_can_afford():
    assert [n_products(50, n) for n in (10, 29, 30, 100, 1000)] == [0, 0, 3, 10, 20]
    assert n_products(2, 100) == 2
    assert improvement(np.array([]), np.array([]), 5, 1.0) is None


def test_the_report_has_the_verdict():
    facts = dict(training_facts(trained(12, use_regulator=True)))
    assert facts["Convergence"].startswith("not converged. The regulators were updated")
    assert "posterior sigmas" in facts["Distance to the minimum"]
    assert dict(training_facts(trained(400, use_regulator=True)))["Convergence"] == "converged"


def test_a_method_of_the_factory_has_it(caplog):
    sample = bump(200)
    loader = TMVA.DataLoader("dataset")
    loader.AddVariable("x")
    for add, target in ((loader.AddSignalTree, 1.0), (loader.AddBackgroundTree, 0.0)):
        add({"x": sample.inputs[sample.desired[:, 0] == target, 0]})
    factory = TMVA.Factory("job", "!DrawProgressBar:!ModelPersistence:AnalysisType=Classification")
    method = factory.BookMethod(loader, "MLP", "rate", "TrainingMethod=BFGS:NCycles=10:HiddenLayers=2:UseRegulator")
    fisher = factory.BookMethod(loader, "Fisher", "Fisher", "")
    with caplog.at_level(logging.INFO):
        factory.TrainAllMethods()
    assert isinstance(method.convergence, ConvergenceVerdict)
    assert str(method.convergence).startswith("not converged; distance to the minimum: ")
    assert f"rate: convergence: {method.convergence}" in caplog.text
    with pytest.raises(NotTrainedError, match="Fisher has no convergence verdict"):
        fisher.convergence  # noqa: B018
