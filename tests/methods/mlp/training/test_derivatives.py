"""The gradient and the Gauss-Newton matrix against finite differences and plain loops."""

import numpy as np
import pytest

from pytmva_bnn.methods.mlp.network import forward, output_sensitivities, propagate
from pytmva_bnn.methods.mlp.training import Cost, Estimator, approximate_hessian, kernels, posterior_covariance
from pytmva_bnn.methods.mlp.training.hessian import invert

ACTIVATIONS = ["linear", "sigmoid", "tanh", "ReLU", "radial"]


def numerical_gradient(function, weights, step=1e-6):
    shifts = step * np.eye(weights.size)
    return np.array([(function(weights + s) - function(weights - s)) / (2 * step) for s in shifts])


@pytest.mark.parametrize("hidden", ACTIVATIONS)
@pytest.mark.parametrize("estimator", list(Estimator))
@pytest.mark.parametrize(("hidden_sizes", "n_outputs"), [((3,), 1), ((3, 2), 1), ((3,), 3)])
def test_the_gradient_is_the_derivative_of_the_error(make_problem, start, hidden, estimator, hidden_sizes, n_outputs):
    sample = make_problem(n_events=50, n_outputs=n_outputs)
    network = start(sample, *hidden_sizes, estimator=estimator, hidden=hidden)
    cost = Cost(network, sample, estimator, np.linspace(0.0, 2.0, network.n_weights))
    weights = 0.5 * network.flat_weights()
    error, gradient = cost.error_and_gradient(weights)
    assert error == cost.error(weights)
    expected = numerical_gradient(cost.error, weights) / sample.n_events
    np.testing.assert_allclose(gradient, expected, rtol=1e-5, atol=1e-7)


def test_a_sigmoid_output_with_squares_has_the_right_gradient_too(make_problem, start):
    sample = make_problem(n_events=50)
    cost = Cost(start(sample), sample, Estimator.MSE, np.zeros(17))
    weights = cost.network.flat_weights()
    expected = numerical_gradient(cost.error, weights) / sample.n_events
    np.testing.assert_allclose(cost.error_and_gradient(weights)[1], expected, rtol=1e-5, atol=1e-8)


@pytest.mark.parametrize("hidden", ACTIVATIONS)
@pytest.mark.parametrize("output", [0, 1])
def test_the_hessian_is_the_sum_of_products_of_sensitivities(make_problem, start, hidden, output):
    sample = make_problem(n_events=40, n_outputs=2)
    network = start(sample, 3, hidden=hidden)
    weights = 0.5 * network.flat_weights()
    network = network.with_flat_weights(weights)

    def h(w):
        return propagate(network.with_flat_weights(w), sample.inputs).neuron_inputs[-1][output]

    sensitivities = numerical_gradient(h, weights)
    y = forward(network, sample.inputs)[:, output]
    expected = np.einsum("ie,je,e->ij", sensitivities, sensitivities, y * (1.0 - y))
    found = approximate_hessian(network, sample, output=output)
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)


def test_of_a_linear_model_the_hessian_is_the_second_derivative_of_the_error(make_problem, start):
    sample = make_problem(n_events=40, binary=False)
    network = start(sample, 1, estimator=Estimator.MSE, hidden="linear")
    last = network.with_flat_weights(np.array([1.0, 0.0, 0.0, 0.7, 0.2]))
    cost = Cost(last, sample, Estimator.MSE, np.zeros(5))
    second = numerical_gradient(lambda w: sample.n_events * cost.error_and_gradient(w)[1], last.flat_weights())
    found = approximate_hessian(last, sample, weighted=True)
    # the weights of the last layer enter linearly
    np.testing.assert_allclose(found[3:, 3:], second[3:, 3:], rtol=1e-6)


def test_the_posterior_covariance_has_prior_weights_and_noise(make_problem, start):
    sample = make_problem(binary=False)
    network = start(sample, estimator=Estimator.MSE)
    regulators = np.linspace(0.1, 1.0, network.n_weights)
    s = output_sensitivities(network, propagate(network, sample.inputs))
    expected = 0.3 * np.linalg.inv(s.T @ (s * sample.weights[:, np.newaxis]) + np.diag(regulators))
    found = posterior_covariance(network, sample, regulators, noise_variance=0.3)
    np.testing.assert_allclose(found, expected, rtol=1e-8, atol=1e-12)


def test_adding_in_tiles_and_in_order_gives_the_same_matrix(make_problem, start):
    sample = make_problem(n_inputs=8, n_events=1000)
    network = start(sample, 20)
    (block,) = sample.blocks(1000)
    in_order, in_tiles = (
        kernels.gauss_newton(network, block, 0, weighted=True, in_order=order) for order in (True, False)
    )
    np.testing.assert_allclose(in_tiles, in_order, rtol=1e-12, atol=1e-12)


def test_a_singular_matrix_is_inverted_with_a_little_on_its_diagonal(caplog):
    found = invert(np.ones((2, 2)), "BNN")
    np.testing.assert_allclose(found @ (np.ones((2, 2)) + 1e-6 * np.eye(2)), np.eye(2), atol=1e-6)
    assert "BNN: the Hessian is singular" in caplog.text
    assert "error bars are large and come from this number, not from the events" in caplog.text


def test_a_large_matrix_is_inverted_like_a_small_one():
    matrix = np.random.default_rng(0).standard_normal((1100, 1100)) + 40.0 * np.eye(1100)
    np.testing.assert_allclose(invert(matrix) @ matrix, np.eye(1100), atol=1e-10)
    assert np.isfinite(invert(np.zeros((1100, 1100)))).all()
