"""Hamiltonian paths and chains on densities that are known."""

import numpy as np
import pytest

from pytmva_bnn.errors import OptionError
from pytmva_bnn.posterior.diagnostics import Diagnostics
from pytmva_bnn.posterior.hmc import HMCSettings, Target, leapfrog, run_chain

COVARIANCE = np.array([[2.0, 0.8], [0.8, 0.5]])
MEAN = np.array([1.0, -2.0])
PRECISION = np.linalg.inv(COVARIANCE)


def gaussian(q):
    d = q - MEAN
    return 0.5 * float(d @ PRECISION @ d), PRECISION @ d


def quartic(q):
    """A density with lighter tails than a Gaussian."""
    return float(np.sum(q**4) / 4), q**3


def always(potential, scale=None):
    return lambda _position: Target(potential, scale)


def test_a_path_run_backwards_ends_where_it_began():
    q, p = np.array([0.3, 0.1]), np.array([1.0, -0.5])
    end, momentum, _, gradient = leapfrog(gaussian, q, p, gaussian(q)[1], 0.1, 20)
    back, _, _, _ = leapfrog(gaussian, end, -momentum, gradient, 0.1, 20)
    assert back == pytest.approx(q, abs=1e-12)


def test_the_energy_error_falls_with_the_square_of_the_step():
    q, p = np.array([0.3]), np.array([1.2])

    def loss(step):
        _, momentum, value, _ = leapfrog(quartic, q, p, quartic(q)[1], step, round(1.0 / step))
        return abs(value + 0.5 * float(momentum @ momentum) - quartic(q)[0] - 0.5 * float(p @ p))

    assert loss(0.1) / loss(0.05) == pytest.approx(4.0, rel=0.1)


def test_a_path_into_a_region_of_no_density_ends_there():
    def wall(q):
        return (np.inf, np.full(1, np.nan)) if q[0] > 1 else (0.0, np.zeros(1))

    _, _, value, _ = leapfrog(wall, np.zeros(1), np.ones(1), np.zeros(1), 0.5, 10)
    assert value == np.inf


def test_draws_from_a_gaussian_have_its_mean_and_covariance():
    chains = [
        run_chain(always(gaussian), np.zeros(2), HMCSettings(1500, 200, n_steps=8), np.random.default_rng(seed))
        for seed in range(3)
    ]
    draws = np.stack([chain.positions for chain in chains])
    assert draws.mean(axis=(0, 1)) == pytest.approx(MEAN, abs=0.1)
    assert np.cov(draws.reshape(-1, 2).T) == pytest.approx(COVARIANCE, abs=0.15)
    assert Diagnostics.of(draws).r_hat.max() < 1.01
    assert not any(chain.diverging.any() for chain in chains)


def test_in_coordinates_of_the_covariance_a_gaussian_is_sampled_with_large_steps():
    scale = np.linalg.inv(np.linalg.cholesky(PRECISION))
    chain = run_chain(always(gaussian, scale), np.zeros(2), HMCSettings(2000, 200, n_steps=3), np.random.default_rng(1))
    assert chain.step_size > 0.9
    assert chain.positions.mean(axis=0) == pytest.approx(MEAN, abs=0.1)
    assert np.cov(chain.positions.T) == pytest.approx(COVARIANCE, abs=0.15)


def test_what_is_drawn_before_a_path_is_kept_with_the_draw_that_follows():
    # each is a Gaussian around half of the other: the variances are 4/3, the covariance 2/3
    random = np.random.default_rng(6)

    def target_at(q):
        s = random.normal(q[0] / 2, 1.0)
        return Target(lambda x: (0.5 * float((x[0] - s / 2) ** 2), x - s / 2), None, np.array([s]), 0.5 * s * s * 0.75)

    chain = run_chain(target_at, np.zeros(1), HMCSettings(4000, 100, n_steps=5), random)
    q, s = chain.positions[:, 0], chain.hyperparameters[:, 0]
    assert np.cov(q, s) == pytest.approx(np.array([[4, 2], [2, 4]]) / 3, abs=0.12)
    assert chain.potentials == pytest.approx(0.5 * (q - s / 2) ** 2 + 0.375 * s**2)


def test_draws_from_a_density_that_is_no_gaussian_have_its_variance():
    chain = run_chain(always(quartic), np.zeros(1), HMCSettings(4000, 200, n_steps=5), np.random.default_rng(1))
    x = np.linspace(-6, 6, 20001)
    density = np.exp(-(x**4) / 4)
    assert chain.positions.var() == pytest.approx((x**2 * density).sum() / density.sum(), rel=0.06)


def test_a_higher_acceptance_is_had_by_smaller_steps():
    # the tuned step is an average on the cautious side, so that the acceptance comes out at or above what is wanted
    loose, strict = (
        run_chain(always(quartic), np.zeros(20), HMCSettings(300, 200, 8, target), np.random.default_rng(3))
        for target in (0.6, 0.95)
    )
    assert strict.step_size < loose.step_size
    assert 0.5 < loose.acceptances.mean() < strict.acceptances.mean()
    assert strict.acceptances.mean() > 0.9


@pytest.mark.parametrize("scale", [1e-4, 1e4])
def test_the_first_step_size_does_not_depend_on_luck(scale):
    chain = run_chain(
        always(lambda q: (0.5 * float(q @ q) / scale**2, q / scale**2)),
        np.zeros(1),
        HMCSettings(300, 150, n_steps=8),
        np.random.default_rng(4),
    )
    assert chain.positions.std() == pytest.approx(scale, rel=0.25)


@pytest.mark.parametrize("wrong", [{"n_samples": 0}, {"n_warmup": -1}, {"n_steps": 0}, {"target_acceptance": 1.0}])
def test_impossible_settings_are_refused(wrong):
    with pytest.raises(OptionError, match=f"{next(iter(wrong))} must be"):
        HMCSettings(**wrong)
