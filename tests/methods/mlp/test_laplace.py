import logging
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.special import expit

from pytmva_bnn.errors import InputError
from pytmva_bnn.methods import latent
from pytmva_bnn.methods.mlp import laplace
from pytmva_bnn.methods.mlp.kernels.factor import Factors
from pytmva_bnn.methods.mlp.network import activation

SIGMOID, LINEAR = activation("sigmoid"), activation("linear")


def test_standard_deviation_is_the_quadratic_form():
    rng = np.random.default_rng(1)
    s, a = rng.normal(size=(33, 7)), rng.normal(size=(7, 7))
    matrix = a @ a.T
    expected = [np.sqrt(float(row @ matrix @ row)) for row in s]
    np.testing.assert_allclose(laplace.standard_deviations(s, Factors.of((matrix,))), expected, rtol=1e-13)


def test_negative_variance_counts_as_zero_and_is_told(caplog):
    with caplog.at_level(logging.WARNING):
        result = laplace.standard_deviations(np.array([[1.0], [2.0]]), Factors.of((np.array([[-1.0]]),)))
    np.testing.assert_array_equal(result, [0.0, 0.0])
    assert "Negative variance of 2 of 2 events" in caplog.text


def test_error_bars_are_distances_to_the_shifted_responses():
    h, sigma = np.array([-2.0, 0.5]), np.array([0.3, 4.0])
    lower, upper = latent.error_bars(h, sigma, SIGMOID)
    y = SIGMOID.value
    np.testing.assert_allclose(lower, y(h) - y(h - sigma), rtol=1e-14)
    np.testing.assert_allclose(upper, y(h + sigma) - y(h), rtol=1e-14)


def test_quantiles_contain_the_error_bars():
    h, sigma = np.array([-2.0, 0.5]), np.array([0.3, 4.0])
    lower, upper = latent.error_bars(h, sigma, SIGMOID)
    one_sigma = latent.quantiles(h, sigma, SIGMOID, [0.15865525393145707, 0.5, 0.8413447460685429])
    np.testing.assert_allclose(one_sigma[:, 1], SIGMOID.value(h))
    np.testing.assert_allclose(one_sigma[:, 0], SIGMOID.value(h) - lower)
    np.testing.assert_allclose(one_sigma[:, 2], SIGMOID.value(h) + upper)


@pytest.mark.parametrize("levels", [[0.0], [1.0], [1.5], [-0.1], [np.nan], [[0.5]]])
def test_impossible_levels_are_refused(levels):
    with pytest.raises(InputError, match="between 0 and 1"):
        latent.quantiles(np.zeros(1), np.ones(1), SIGMOID, levels)


@pytest.mark.parametrize("h", [-15.0, -2.0, 0.0, 0.7, 12.0])
@pytest.mark.parametrize("sigma", [1e-6, 0.1, 1.0, 1.99, 2.01, 7.0, 100.0])
def test_moderated_probability_is_the_integral(h, sigma):
    def integrand(e: float) -> float:
        return np.exp(-0.5 * e * e) / np.sqrt(2 * np.pi) * expit(h + sigma * e)

    step = -h / sigma
    cuts = sorted({-12.0, 12.0, *(c for c in (step - 40 / sigma, step, step + 40 / sigma) if -12 < c < 12)})
    pieces = [quad(integrand, a, b, epsabs=1e-15, epsrel=1e-12, limit=200)[0] for a, b in pairwise(cuts)]
    found = latent.moderated(np.array([h]), np.array([sigma]), SIGMOID)
    np.testing.assert_allclose(found, sum(pieces), rtol=1e-10, atol=1e-14)


def test_moderated_response_of_a_linear_output_is_its_mean():
    np.testing.assert_array_equal(latent.moderated(np.array([3.0]), np.array([9.0]), LINEAR), [3.0])


@pytest.mark.parametrize("n_weights", [1, 7, 41, 64, 65, 150, 300])
@pytest.mark.parametrize("positive", [True, False])
def test_variances_are_those_of_extended_precision(n_weights, positive):
    rng = np.random.default_rng(n_weights)
    s, a = rng.normal(size=(70, n_weights)), rng.normal(size=(n_weights, n_weights))
    matrix = a @ a.T + np.eye(n_weights) if positive else a + a.T - 100 * np.eye(n_weights)
    factors = Factors.of((matrix,))
    assert factors.are_positive == positive
    exact = np.einsum("ij,jk,ik->i", s.astype(np.longdouble), matrix.astype(np.longdouble), s.astype(np.longdouble))
    np.testing.assert_allclose(factors.variances(s), exact.astype(float), rtol=1e-11, atol=1e-11 * np.abs(exact).max())


@settings(deadline=None, max_examples=25)
@given(data=st.data(), n_weights=st.sampled_from([5, 41, 130]), positive=st.booleans())
def test_a_variance_does_not_depend_on_the_events_it_is_computed_with(data, n_weights, positive):
    rng = np.random.default_rng(5)
    s, a = rng.normal(size=(100, n_weights)), rng.normal(size=(n_weights, n_weights))
    factors = Factors.of((a @ a.T if positive else a + a.T,))
    whole = factors.variances(s)
    chosen = data.draw(st.lists(st.integers(0, 99), min_size=1, max_size=70))
    np.testing.assert_array_equal(factors.variances(s[chosen]), whole[chosen])
