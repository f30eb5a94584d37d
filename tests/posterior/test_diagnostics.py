"""R-hat and effective sample size: numbers that follow from how the chains were made."""

import numpy as np
import pytest

from pytmva_bnn.errors import InputError
from pytmva_bnn.posterior import Diagnostics, effective_sample_size, r_hat


def autoregressive(rho: float, n_chains: int = 4, n_samples: int = 4000) -> np.ndarray:
    random = np.random.default_rng(5)
    noise = random.normal(size=(n_chains, n_samples, 1))
    chains = noise.copy()
    for i in range(1, n_samples):
        chains[:, i] = rho * chains[:, i - 1] + np.sqrt(1 - rho**2) * noise[:, i]
    return chains


@pytest.mark.parametrize("rho", [0.0, 0.5, 0.9])
def test_effective_sample_size_of_an_autoregression_is_the_known_one(rho):
    expected = 16000 * (1 - rho) / (1 + rho)
    assert effective_sample_size(autoregressive(rho))[0] == pytest.approx(expected, rel=0.15)


def test_chains_that_alternate_are_worth_more_than_their_length():
    assert effective_sample_size(autoregressive(-0.5))[0] > 16000


def test_r_hat_is_one_for_chains_that_agree():
    assert r_hat(autoregressive(0.3))[0] == pytest.approx(1.0, abs=0.005)


def test_r_hat_tells_chains_at_different_places():
    chains = autoregressive(0.0)
    chains[1] += 2.0
    assert r_hat(chains)[0] > 1.2


def test_r_hat_tells_a_single_chain_that_drifts():
    chains = autoregressive(0.0, n_chains=1) + np.linspace(0, 3, 4000)[:, np.newaxis]
    assert r_hat(chains)[0] > 1.2


def test_a_constant_quantity_is_fully_known():
    found = Diagnostics.of(np.ones((2, 10, 1)))
    assert found.r_hat[0] == 1.0
    assert found.ess[0] == 20.0


@pytest.mark.parametrize("shape", [(10, 1), (2, 3, 1)])
def test_draws_of_another_shape_are_refused(shape):
    with pytest.raises(InputError, match="draws are expected as"):
        r_hat(np.zeros(shape))
