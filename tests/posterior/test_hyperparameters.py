"""Regulators and noise variances as unknowns: distributions that are known exactly."""

import numpy as np
import pytest
from scipy import stats

from pytmva_bnn.methods.mlp.network import Network
from pytmva_bnn.methods.mlp.training import Estimator, Sample
from pytmva_bnn.posterior import HMCSettings, Hyperprior
from pytmva_bnn.posterior.chains import sample_weights
from pytmva_bnn.posterior.hyperparameters import Conditionals
from pytmva_bnn.posterior.target import Posterior

PRIOR = Hyperprior(shape=3.0, rate=2.0)


def linear(x, t, weights=None, estimator=Estimator.MSE, matrices=None):
    network = Network.from_matrices(
        matrices or [np.array([[0.5], [0.1]])], output="linear" if estimator is Estimator.MSE else "sigmoid"
    )
    n_groups = len(network.matrices[0]) + len(network.matrices) - 1
    return Posterior(network, Sample.of(x, t, weights), estimator, np.ones(n_groups), 1.0)


def test_given_the_weights_regulators_and_noise_follow_gamma_distributions():
    random = np.random.default_rng(2)
    x = 2.0 * random.normal(size=(40, 1)).astype(np.float32)
    t, u = random.normal(size=40), random.uniform(0.5, 1.5, size=40)
    posterior = linear(x, t, u)
    conditionals = Conditionals.of(posterior, PRIOR)
    w = np.array([0.7, -0.2])
    variances = np.array([conditionals.drawn(posterior, w, random).noise_variances[0] for _ in range(600)])
    precisions = conditionals.precisions(np.tile(w, (600, 1)), random)
    # units: of a weight that of the target over that of its input, of the noise that of the target
    rates = 2.0 * t.var() * np.array([1.0 / np.mean(x.astype(float) ** 2), 1.0]) + w**2 / 2
    for group in range(2):
        assert stats.kstest(precisions[:, group], stats.gamma(3.5, scale=1 / rates[group]).cdf).pvalue > 0.01
    squares = np.sum(u * (0.7 * x[:, 0].astype(float) - 0.2 - t) ** 2)
    noise = stats.invgamma(3.0 + u.sum() / 2, scale=2.0 * t.var() + squares / 2)
    assert stats.kstest(variances, noise.cdf).pvalue > 0.01


def test_without_events_that_count_the_prior_is_recovered():
    """Weights of 0 leave the prior alone: regulators follow the Gamma, weights Student's distribution."""
    matrices = [np.zeros((2, 3)), np.zeros((4, 1))]
    x = np.full((10, 1), 2.0)
    posterior = linear(x, np.zeros(10), np.zeros(10), Estimator.CE, matrices)
    conditionals = Conditionals.of(posterior, PRIOR)
    chains = [
        sample_weights(posterior, HMCSettings(1500, 40, n_steps=4), np.random.default_rng(seed), None, conditionals)
        for seed in range(2)
    ]
    regulators = np.concatenate([chain.hyperparameters[::10, :3] for chain in chains])
    weights = np.concatenate([chain.positions[::10] for chain in chains])
    for group, (rate, weight) in enumerate(((2.0 / 4.0, 0), (2.0, 3), (2.0, 6))):
        assert stats.kstest(regulators[:, group], stats.gamma(3.0, scale=1 / rate).cdf).pvalue > 0.01
        student = stats.t(6.0, scale=np.sqrt(rate / 3.0))
        assert stats.kstest(weights[:, weight], student.cdf).pvalue > 0.01
    assert (chains[0].hyperparameters[:, 3] == 1.0).all()


def test_linear_regression_with_unknown_noise_and_regulators_agrees_with_integration():
    """Both can be integrated out by hand; what remains is a density of two weights, summed over a grid."""
    random = np.random.default_rng(3)
    x = random.normal(size=(12, 1)).astype(np.float32)
    t = 0.8 * x[:, 0].astype(float) + 0.3 + 0.5 * random.normal(size=12)
    posterior = linear(x, t)
    prior = Hyperprior(shape=1.0, rate=0.1)
    conditionals = Conditionals.of(posterior, prior)
    chain = sample_weights(posterior, HMCSettings(3000, 100, n_steps=4), np.random.default_rng(4), None, conditionals)

    slope, constant = np.meshgrid(np.linspace(-1, 2.5, 351), np.linspace(-1.2, 1.8, 301), indexing="ij")
    rates = 0.1 * t.var() * np.array([1.0 / np.mean(x.astype(float) ** 2), 1.0])
    squares = np.sum((slope[..., None] * x[:, 0].astype(float) + constant[..., None] - t) ** 2, axis=-1)
    log_density = -(1.0 + 6.0) * np.log(0.1 * t.var() + squares / 2)
    for weight, rate in ((slope, rates[0]), (constant, rates[1])):
        log_density -= 1.5 * np.log(rate + weight**2 / 2)
    density = np.exp(log_density - log_density.max())
    density /= density.sum()
    levels = [0.16, 0.5, 0.84]
    for number, (axis, grid) in enumerate(((1, slope[:, 0]), (0, constant[0]))):
        exact = np.interp(levels, np.cumsum(density.sum(axis=axis)), grid)
        found = np.quantile(chain.positions[:, number], levels)
        assert found == pytest.approx(exact, abs=0.12 * (exact[2] - exact[0]))
    noise = np.sum(density * (0.1 * t.var() + squares / 2)) / 6.0
    assert chain.hyperparameters[:, 2].mean() == pytest.approx(noise, rel=0.05)
    # alpha = tau v, which are independent given the weights
    alpha = 1.5 / (rates[0] + slope**2 / 2) * (0.1 * t.var() + squares / 2) / 6.0
    assert chain.hyperparameters[:, 0].mean() == pytest.approx(np.sum(density * alpha), rel=0.1)


def test_units_of_inputs_and_targets_make_no_difference():
    """An input in MeV instead of GeV, a target a hundred times as large: the same draws in other units."""
    random = np.random.default_rng(5)
    x = random.normal(size=(30, 1)).astype(np.float32)
    t = x[:, 0].astype(float) + 0.2 * random.normal(size=30)
    settings = HMCSettings(20, 8, n_steps=4)
    chains = []
    for of_input, of_target in ((1.0, 1.0), (1024.0, 64.0)):
        weights = of_target * np.array([[0.9 / of_input], [0.1]])
        posterior = linear(of_input * x, of_target * t, matrices=[weights])
        conditionals = Conditionals.of(posterior, Hyperprior())
        chain = sample_weights(posterior, settings, np.random.default_rng(6), None, conditionals)
        chains.append(chain.positions * [of_input / of_target, 1.0 / of_target])
    assert chains[0] == pytest.approx(chains[1], rel=1e-6)


def test_the_potential_is_that_of_all_distributions_together():
    random = np.random.default_rng(7)
    posterior = linear(random.normal(size=(10, 1)), random.normal(size=10))
    conditionals = Conditionals.of(posterior, PRIOR)

    def joint(one, w):
        """Return the log density of weights and noise, with its norm."""
        v = one.noise_variances[0]
        residuals = one.sample.desired[:, 0] - one.sample.inputs[:, 0] * w[0] - w[1]
        return (
            stats.norm(0, np.sqrt(v)).logpdf(residuals).sum()
            + stats.t(6.0, scale=np.sqrt(conditionals.rates / 3.0)).logpdf(w).sum()
            + stats.invgamma(3.0, scale=conditionals.noise_rates[0]).logpdf(v)
        )

    offsets = []
    for w in random.normal(size=(4, 2)):
        one = conditionals.drawn(posterior, random.normal(size=2), random)
        value, gradient = conditionals.potential(one, w)
        offsets.append(value + conditionals.noise_potential(one) + joint(one, w))
        slopes = [(joint(one, w + step) - joint(one, w - step)) / 2e-5 for step in 1e-5 * np.eye(2)]
        assert gradient == pytest.approx(-np.array(slopes), rel=1e-5, abs=1e-5)
    assert offsets == pytest.approx([offsets[0]] * 4, rel=1e-6)
