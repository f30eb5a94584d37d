"""Regulators: groups, the evidence procedure, the noise."""

import numpy as np
import pytest

from pytmva_bnn.methods.mlp.network import Network
from pytmva_bnn.methods.mlp.training import (
    Estimator,
    RegulatorGroups,
    Sample,
    TrainingMethod,
    TrainingSettings,
    approximate_hessian,
    train,
)
from pytmva_bnn.methods.mlp.training.regulators import noise_variance, updated_regulators


def test_each_input_and_each_hidden_layer_has_one_regulator():
    groups = RegulatorGroups.of(Network.from_matrices([np.zeros((3, 2)), np.zeros((3, 4)), np.zeros((5, 1))]))
    assert groups.n_groups == 5
    assert np.bincount(groups.group).tolist() == [2, 2, 2, 12, 5]
    assert groups.names(("pt", "ht")) == ("pt", "ht", "input bias", "hidden layer 1", "hidden layer 2")


def test_an_input_that_does_not_matter_gets_a_large_regulator():
    random = np.random.default_rng(2)
    x = random.uniform(-1.0, 1.0, (1500, 2)).astype(np.float32)
    t = np.sin(3.0 * x[:, 0]) + 0.2 * random.standard_normal(1500)
    sample = Sample.of(x, t)
    weights = [random.uniform(-1.0, 1.0, (3, 5)), random.uniform(-1.0, 1.0, (6, 1))]
    network = Network.from_matrices(weights, output="linear")
    settings = TrainingSettings(n_cycles=150, use_regulator=True, estimator=Estimator.MSE, analysis="Regression")
    result = train(network, sample, sample, settings)
    relevant, irrelevant, *_ = result.regulators
    assert irrelevant > 100.0 * relevant
    assert result.evidence.noise_variance == pytest.approx(0.04, rel=0.15)


def test_the_update_is_the_formula(make_problem, start):
    sample = make_problem()
    network = start(sample)
    groups = RegulatorGroups.of(network)
    alpha = np.array([0.1, 0.2, 0.3, 0.4])
    inverse = np.linalg.inv(approximate_hessian(network, sample) + np.diag(alpha[groups.group]))
    w = network.flat_weights()
    expected = []
    for g in range(4):
        own = groups.group == g
        expected.append(own.sum() / ((w[own] ** 2).sum() + np.diag(inverse)[own].sum()))
    found = updated_regulators(network, alpha, sample, sample, TrainingSettings())
    np.testing.assert_allclose(found, expected, rtol=1e-10)


def test_ignored_events_enter_the_hessian_but_not_the_noise(make_problem, start):
    # TMVA: IgnoreNegWeightsInTraining does not reach the Hessian
    sample = make_problem(binary=False)
    weights = np.where(np.arange(sample.n_events) % 4 == 0, -0.1, sample.weights)
    events = Sample.of(sample.inputs, sample.desired, weights)
    network = start(events, estimator=Estimator.MSE)
    settings = TrainingSettings(estimator=Estimator.MSE, analysis="Regression")
    groups = RegulatorGroups.of(network)
    alpha = np.array([0.1, 0.2, 0.3, 0.4])
    inverse = np.linalg.inv(approximate_hessian(network, events) + np.diag(alpha[groups.group]))
    gamma = np.float32(np.sum(1.0 - alpha[groups.group] * np.diag(inverse)))
    v = float(noise_variance(network, events.without_negative_weights(), settings, gamma))
    w = network.flat_weights()
    expected = v * np.bincount(groups.group) / (groups.sums(w * w) + v * groups.sums(np.diag(inverse)))
    found = updated_regulators(network, alpha, events, events.without_negative_weights(), settings)
    np.testing.assert_allclose(found, expected, rtol=1e-6)


def test_a_negative_regulator_becomes_0():
    # an event of negative weight far from the curve makes the noise variance negative
    sample = Sample.of([[-1.0], [0.0], [1.0]] * 4, [-10.0, 0.0, 27.0] * 4, [1.0, 1.0, -0.5] * 4)
    network = Network.from_matrices([np.array([[10.0], [0.001]])], output="linear")
    settings = TrainingSettings(estimator=Estimator.MSE, analysis="Regression")
    assert noise_variance(network, sample, settings, np.float32(0)) < 0
    input_1, bias = updated_regulators(network, np.array([1.0, 1.0]), sample, sample, settings)
    assert input_1 == 0.0  # its formula gives v n / (S + v T) < 0
    assert bias > 0.0  # numerator and denominator are both negative


@pytest.mark.parametrize(("gamma", "expected"), [(0.0, 1.0), (2.0, 2.0), (4.0, 1.0), (5.0, 1.0)])
def test_the_noise_variance_makes_up_for_the_parameters_if_there_are_enough_events(gamma, expected):
    network = Network.from_matrices([np.zeros((2, 1))], output="linear")
    settings = TrainingSettings(estimator=Estimator.MSE)
    assert noise_variance(network, Sample.of([[0.0]] * 4, [1.0] * 4), settings, np.float32(gamma)) == expected


def test_back_propagation_updates_the_regulators_once_at_the_end(make_problem, start):
    sample = make_problem()
    network = start(sample)
    plain, regulated = (
        train(network, sample, sample, TrainingSettings(method=TrainingMethod.BP, n_cycles=2, use_regulator=use))
        for use in (False, True)
    )
    np.testing.assert_array_equal(plain.network.flat_weights(), regulated.network.flat_weights())
    assert plain.regulators is None
    assert (regulated.regulators > 0.0).all()
    assert regulated.inverse_hessian is not None


def test_a_singular_hessian_in_an_update_names_the_method_and_leaves_the_error_bars_alone(caplog):
    # without regulators two inputs that are the same cannot be told apart
    sample = Sample.of(np.repeat([[-1.0], [0.0], [1.0]], 2, axis=1), [0.0, 1.0, 1.0])
    network = Network.from_matrices([np.array([[0.5], [0.5], [0.0]])], output="sigmoid")
    updated_regulators(network, np.zeros(3), sample, sample, TrainingSettings(), "fake rate")
    assert "fake rate: the Hessian is singular" in caplog.text
    assert "it enters this update of the regulators only, not the error bars" in caplog.text
