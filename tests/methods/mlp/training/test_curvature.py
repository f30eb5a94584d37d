"""Curvatures around a network, and what there is to gain by following them."""

import numpy as np
import pytest
from scipy.linalg import eigh

from pytmva_bnn.methods.mlp.network import Network
from pytmva_bnn.methods.mlp.training import Cost, Estimator, Sample, approximate_hessian, initial_network
from pytmva_bnn.methods.mlp.training.curvature import Surroundings
from pytmva_bnn.random import TRandom3


@pytest.fixture
def sample():
    random = np.random.default_rng(1)
    x = random.uniform(-2.0, 2.0, (300, 1)).astype(np.float32)
    return Sample.of(x, (random.uniform(size=300) < np.where(np.abs(x[:, 0]) < 1.0, 0.85, 0.1)).astype(float))


def test_the_lowest_curvature_is_that_of_the_second_derivatives(sample):
    network = initial_network([1, 3, 1], TRandom3(2), hidden="tanh", output="sigmoid")
    weights, alpha = network.flat_weights(), np.full(10, 0.5)
    cost = Cost(network, sample, Estimator.CE, alpha)
    hessian = approximate_hessian(network, sample) + np.diag(alpha)
    step = 1e-5 * np.eye(10)
    second = 300 * np.array(
        [(cost.error_and_gradient(weights + s)[1] - cost.error_and_gradient(weights - s)[1]) / 2e-5 for s in step]
    )
    values, vectors = eigh(0.5 * (second + second.T), hessian)
    around = Surroundings.of(cost, weights, np.linalg.inv(hessian), 1.0)
    curvature, direction = around.lowest_curvature(10)
    assert values[0] < 0.0
    assert curvature == pytest.approx(values[0], rel=0.02)
    expected = np.linalg.solve(around.factor, vectors[:, 0])
    assert abs(direction @ expected) == pytest.approx(np.linalg.norm(expected), rel=1e-3)
    # the noise variance divides the cost, not the covariance
    doubled = Surroundings.of(cost, weights, np.linalg.inv(hessian), 2.0)
    assert doubled.lowest_curvature(10)[0] == pytest.approx(0.5 * curvature, rel=1e-3)


def test_a_matrix_that_is_no_covariance_has_no_surroundings(sample):
    network = initial_network([1, 3, 1], TRandom3(2), hidden="tanh", output="sigmoid")
    cost = Cost(network, sample, Estimator.CE, np.full(10, 0.5))
    assert Surroundings.of(cost, network.flat_weights(), -np.eye(10), 1.0) is None


def test_from_a_saddle_it_goes_down_to_the_minimum():
    # a product of two weights that should be 1: level at zero, where no gradient tells where to go
    x = np.repeat([1.0, -1.0], 25)
    sample = Sample.of(x[:, np.newaxis], x)
    network = Network.from_matrices([np.zeros((2, 1)), np.zeros((2, 1))], hidden="linear", output="linear")
    cost = Cost(network, sample, Estimator.MSE, np.zeros(4))
    weights = network.flat_weights()
    assert not cost.error_and_gradient(weights)[1].any()
    around = Surroundings.of(cost, weights, 0.01 * np.eye(4), 0.5)
    curvature, direction = around.lowest_curvature(4)
    assert curvature == pytest.approx(-50 / 0.5 * 0.01, rel=1e-3)
    gain, reached = around.descent(curvature, direction, 50)
    assert gain == pytest.approx(cost.error(weights) / 0.5, rel=1e-3)
    assert reached[0] * reached[2] == pytest.approx(1.0, abs=0.01)


def test_at_a_minimum_there_is_nothing_to_gain():
    sample = Sample.of(np.ones((50, 1)), np.ones(50))
    network = Network.from_matrices([np.array([[1.0], [0.0]])], output="linear")
    cost = Cost(network, sample, Estimator.MSE, np.zeros(2))
    around = Surroundings.of(cost, network.flat_weights(), np.eye(2), 1.0)
    gain, reached = around.descent(-0.5, np.array([1.0, 0.0]), 10)
    assert gain == 0.0
    assert reached.tolist() == [1.0, 0.0]
