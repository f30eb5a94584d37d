"""The evidence against cases that can be computed exactly."""

import numpy as np
import pytest

from pytmva_bnn.methods.mlp.network import Network
from pytmva_bnn.methods.mlp.training import Estimator, Sample, TrainingSettings, evidence

MSE = TrainingSettings(estimator=Estimator.MSE, analysis="Regression")


def linear_problem():
    random = np.random.default_rng(0)
    x = random.standard_normal((30, 2)).astype(np.float32)
    design = np.column_stack([x.astype(np.float64), np.ones(30)])
    return x, design, design @ [1.0, -0.5, 0.2] + 0.3 * random.standard_normal(30)


def fitted(design, t, alpha, weights=1.0):
    normal = design.T @ (design * np.reshape(weights, (-1, 1))) + np.diag(alpha)
    return Network.from_matrices([np.linalg.solve(normal, design.T @ (weights * t))[:, np.newaxis]], output="linear")


def test_of_a_linear_model_it_is_exact():
    x, design, t = linear_problem()
    alpha = np.array([0.3, 0.2, 0.1])
    found = evidence(fitted(design, t, alpha), alpha, Sample.of(x, t), MSE)
    v = found.noise_variance
    covariance = v * np.eye(30) + design @ np.diag(v / alpha) @ design.T
    exact = -0.5 * t @ np.linalg.solve(covariance, t) - 0.5 * np.linalg.slogdet(2.0 * np.pi * covariance)[1]
    assert found.log_evidence == pytest.approx(exact, rel=1e-10)
    assert found.log_evidence == pytest.approx(found.log_likelihood + found.log_prior + found.log_occam)


def test_an_event_of_weight_2_counts_like_two_events():
    x, design, t = linear_problem()
    alpha = np.array([0.3, 0.2, 0.1])
    network = fitted(design, t, alpha, np.full(30, 2.0))
    settings = TrainingSettings(estimator=Estimator.CE)
    binary = (t > 0.0).astype(float)
    network = Network.from_matrices(network.matrices, output="sigmoid")
    once = evidence(network, alpha, Sample.of(x, binary, np.full(30, 2.0)), settings)
    twice = evidence(network, alpha, Sample.of(np.tile(x, (2, 1)), np.tile(binary, 2)), settings)
    assert once.log_evidence == pytest.approx(twice.log_evidence, rel=1e-12)


def test_weights_count_in_the_normalisation_of_the_likelihood():
    x, design, t = linear_problem()
    alpha = np.array([0.3, 0.2, 0.1])
    weights = np.linspace(0.5, 3.0, 30)
    network = fitted(design, t, alpha, weights)
    found = evidence(network, alpha, Sample.of(x, t, weights), MSE)
    v = found.noise_variance
    deviations = (design @ network.matrices[0][:, 0] - t) ** 2
    expected = -0.5 * np.sum(weights * (deviations / v + np.log(2.0 * np.pi * v)))
    assert found.log_likelihood == pytest.approx(expected, rel=1e-6)


def test_without_a_prior_there_is_no_evidence():
    x, design, t = linear_problem()
    alpha = np.array([0.0, 0.2, 0.1])
    assert evidence(fitted(design, t, alpha), alpha, Sample.of(x, t), MSE).log_evidence == -np.inf


def test_the_table_names_the_variables():
    x, design, t = linear_problem()
    alpha = np.array([0.3, 0.2, 0.1])
    lines = evidence(fitted(design, t, alpha), alpha, Sample.of(x, t), MSE).table(("pt", "a_long_name_of_a_variable"))
    assert [line.split()[0] for line in lines.splitlines()[-3:]] == ["pt", "a_long_name_of_a_variable", "input"]
