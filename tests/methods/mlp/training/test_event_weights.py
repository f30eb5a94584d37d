"""Weighted events: what they do to the Hessian, the evidence and the error bars."""

import logging

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.methods.mlp.network import output_sensitivities, propagate
from pytmva_bnn.methods.mlp.training import (
    Estimator,
    RegulatorGroups,
    Sample,
    TrainingSettings,
    evidence,
    initial_network,
    posterior_covariance,
    train,
)
from pytmva_bnn.posterior.sample import _of_method
from pytmva_bnn.random import TRandom3

GRID = np.linspace(-1.5, 1.5, 7).astype(np.float32)[:, np.newaxis]


def toy(seed, n=1000):
    """Events that pass with a probability, and half of which have a large weight whatever they are."""
    random = np.random.default_rng(seed)
    x = random.normal(size=(n, 1)).astype(np.float32)
    passes = random.uniform(size=n) < 1.0 / (1.0 + np.exp(-2.0 * np.sin(1.5 * x[:, 0])))
    return Sample.of(x, passes.astype(float), random.choice([0.3, 5.0], n))


def trained(sample, hessian, n_cycles=100, **settings):
    start = initial_network([1, 3, 1], TRandom3(1), hidden="tanh", output="sigmoid")
    given = {"use_regulator": True, "calculate_errors": True, "hessian": hessian} | settings
    return train(start, sample, sample, TrainingSettings(n_cycles=n_cycles, **given))


def h_and_sigma(result):
    passed = propagate(result.network, GRID)
    g = output_sensitivities(result.network, passed)
    return passed.neuron_inputs[-1][0], np.sqrt(np.einsum("ij,jk,ik->i", g, result.inverse_hessian, g))


def pieces(result, sample):
    """Return sensitivities by finite differences, responses and regulators of all weights."""
    weights, step = result.network.flat_weights(), 1e-6

    def h(w):
        return propagate(result.network.with_flat_weights(w), sample.inputs).neuron_inputs[-1][0]

    g = np.array([(h(weights + s) - h(weights - s)) / (2 * step) for s in step * np.eye(weights.size)]).T
    y = 1.0 / (1.0 + np.exp(-h(weights)))
    return g, y, RegulatorGroups.of(result.network).of_weights(result.regulators)


def assert_same_covariance(found, expected, tolerance):
    sizes = np.sqrt(np.outer(np.diag(expected), np.diag(expected)))
    np.testing.assert_allclose(found / sizes, expected / sizes, atol=tolerance)


def test_the_posterior_has_weights_that_add_up_to_the_effective_number_of_events():
    sample = toy(1)
    result = trained(sample, "Posterior")
    g, y, alpha = pieces(result, sample)
    u = sample.weights * sample.weights.sum() / (sample.weights**2).sum()
    assert u.sum() == pytest.approx(sample.weights.sum() ** 2 / (sample.weights**2).sum())
    assert_same_covariance(
        result.inverse_hessian, np.linalg.inv(g.T @ (g * (u * y * (1 - y))[:, None]) + np.diag(alpha)), 1e-5
    )


def test_the_sandwich_is_made_of_the_gradients_of_the_events():
    sample = toy(1)
    result = trained(sample, "Sandwich")
    g, y, alpha = pieces(result, sample)
    u = sample.weights * sample.weights.sum() / (sample.weights**2).sum()
    inverse = np.linalg.inv(g.T @ (g * (u * y * (1 - y))[:, None]) + np.diag(alpha))
    scores = g * (u * (y - sample.desired[:, 0]))[:, None]
    assert_same_covariance(result.inverse_hessian, inverse @ (scores.T @ scores + np.diag(alpha)) @ inverse, 1e-5)


def test_the_published_matrix_takes_weights_for_numbers_of_events():
    sample = toy(1)
    result, tmva = trained(sample, "Paper"), trained(sample, "TMVA")
    np.testing.assert_array_equal(result.network.flat_weights(), tmva.network.flat_weights())
    g, y, alpha = pieces(result, sample)
    expected = np.linalg.inv(g.T @ (g * (sample.weights * y * (1 - y))[:, None]) + np.diag(alpha))
    assert_same_covariance(result.inverse_hessian, expected, 1e-5)


def test_of_several_targets_the_sandwich_adds_the_gradients_of_all(make_problem, start):
    sample = make_problem(n_outputs=2, binary=False)
    settings = TrainingSettings(
        n_cycles=60, estimator=Estimator.MSE, analysis="Regression", use_regulator=True, hessian="Sandwich"
    )
    result = train(start(sample, 3, estimator=Estimator.MSE), sample, sample, settings)
    network, v = result.network, result.evidence.noise_variances
    passed = propagate(network, sample.inputs)
    u = sample.weights * sample.weights.sum() / (sample.weights**2).sum()
    alpha = RegulatorGroups.of(network).of_weights(result.regulators)
    hessian, scores = np.diag(alpha / v.mean()), 0.0
    for k in (0, 1):
        g = output_sensitivities(network, passed, k)
        hessian = hessian + g.T @ (g * u[:, None]) / v[k]
        scores = scores + g * (u * (passed.values[-1][k] - sample.desired[:, k]) / v[k])[:, None]
    inverse = np.linalg.inv(hessian)
    expected = inverse @ (scores.T @ scores + np.diag(alpha / v.mean())) @ inverse
    assert_same_covariance(result.inverse_hessians[1], expected, 1e-4)


def test_a_factor_on_all_weights_changes_nothing_in_the_posterior_form():
    sample = toy(2)
    for hessian in ("Posterior", "Sandwich"):
        one, other = (trained(sample.scaled(factor), hessian, n_cycles=30) for factor in (1.0, 8.0))
        np.testing.assert_allclose(one.network.flat_weights(), other.network.flat_weights(), rtol=1e-6, atol=1e-8)
        assert one.evidence.log_evidence == pytest.approx(other.evidence.log_evidence, rel=1e-8)
        np.testing.assert_allclose(h_and_sigma(one)[1], h_and_sigma(other)[1], rtol=1e-5)


def test_every_event_twice_with_half_its_weight_changes_nothing_in_the_published_form():
    sample = toy(3)
    twice = Sample.of(np.tile(sample.inputs, (2, 1)), np.tile(sample.desired, (2, 1)), np.tile(sample.weights / 2, 2))
    network = trained(sample, "Paper", n_cycles=30).network
    settings, alpha = TrainingSettings(), np.array([0.3, 0.2, 0.1])
    of_weights = RegulatorGroups.of(network).of_weights(alpha)
    assert_same_covariance(*(posterior_covariance(network, events, of_weights) for events in (sample, twice)), 1e-9)
    one, other = (evidence(network, alpha, events, settings) for events in (sample, twice))
    assert one.log_evidence == pytest.approx(other.log_evidence, rel=1e-12)
    np.testing.assert_allclose(one.effective, other.effective, rtol=1e-8)


def test_in_the_posterior_form_it_is_twice_the_number_of_events():
    # two events of weight 1/2 have more information than one of weight 1, and nothing tells that they are copies
    sample = toy(3)
    tiled = [np.tile(sample.inputs, (2, 1)), np.tile(sample.desired, (2, 1))]
    halves = Sample.of(*tiled, np.tile(sample.weights / 2, 2))
    wholes = Sample.of(*tiled, np.tile(sample.weights, 2))
    one, other = (trained(events, "Posterior", n_cycles=30) for events in (halves, wholes))
    np.testing.assert_allclose(one.network.flat_weights(), other.network.flat_weights(), rtol=1e-6, atol=1e-8)
    assert halves.scaled(halves.effective_scale).weights.sum() == pytest.approx(
        2.0 * sample.scaled(sample.effective_scale).weights.sum()
    )


def test_error_bars_of_weighted_events_are_as_large_as_the_scatter_of_refits():
    ratios = {}
    for hessian in ("Paper", "Posterior", "Sandwich"):
        h, sigma = np.array([h_and_sigma(trained(toy(seed), hessian)) for seed in range(16)]).transpose(1, 0, 2)
        ratios[hessian] = np.sqrt((sigma**2).mean()) / np.sqrt(h.var(axis=0, ddof=1).mean())
    assert ratios["Paper"] < 0.65
    assert 0.7 < ratios["Posterior"] < 1.3
    assert 0.7 < ratios["Sandwich"] < 1.3


def test_with_weights_of_1_the_posterior_is_the_published_one():
    sample = toy(4)
    plain = Sample.of(sample.inputs, sample.desired)
    one, other = trained(plain, "Paper"), trained(plain, "Posterior")
    np.testing.assert_array_equal(one.network.flat_weights(), other.network.flat_weights())
    np.testing.assert_array_equal(one.inverse_hessian, other.inverse_hessian)
    # and where the likelihood is right, the sandwich tells the same within statistics
    sandwich = h_and_sigma(trained(plain, "Sandwich"))[1]
    np.testing.assert_allclose(sandwich, h_and_sigma(other)[1], rtol=0.3)


def loader_with(weights):
    sample = toy(5, n=len(weights))
    loader = TMVA.DataLoader("dataset")
    loader.AddVariable("x")
    for add, target in ((loader.AddSignalTree, 1.0), (loader.AddBackgroundTree, 0.0)):
        own = sample.desired[:, 0] == target
        add({"x": sample.inputs[own, 0], "w": weights[own]})
    loader.SetWeightExpression("w")
    loader.PrepareTrainingAndTestTree("", "nTrain_Signal=150:nTrain_Background=150:NormMode=None")
    return loader


def book_and_train(weights, options):
    factory = TMVA.Factory("job", "!DrawProgressBar:!ModelPersistence:AnalysisType=Classification")
    common = "TrainingMethod=BFGS:NCycles=20:HiddenLayers=2:VarTransform=N:UseRegulator:CalculateErrors"
    method = factory.BookMethod(loader_with(weights), "MLP", "BNN", f"{common}:{options}")
    factory.TrainAllMethods()
    return method


@pytest.mark.parametrize("hessian", ["Posterior", "Sandwich"])
def test_the_scale_is_reported_and_used_by_sampling_too(caplog, hessian):
    with caplog.at_level(logging.INFO):
        method = book_and_train(np.full(400, 4.0), f"Hessian={hessian}")
    assert (
        "BNN: event weights are scaled by Σw/Σw² = 0.25: 300 events of summed weight 1200 count as 300" in caplog.text
    )
    assert method.model.info["Hessian"] == hessian
    np.testing.assert_allclose(_of_method(method, _NoEvents, None).sample.weights, 1.0)


class _NoEvents:
    events = desired = weights = None


def test_negative_weights_are_reported_and_can_be_left_out(caplog):
    weights = np.where(np.arange(400) % 10 == 0, -1.0, 1.0)
    book_and_train(weights, "Hessian=Posterior")
    assert "training events have negative weights. They count with their sign" in caplog.text
    assert "IgnoreNegWeightsInTraining leaves them out" in caplog.text
    caplog.clear()
    book_and_train(weights, "Hessian=Posterior:IgnoreNegWeightsInTraining")
    assert "have negative weights. They count" not in caplog.text
