"""R-hat and effective sample size of chains that are known: ArviZ is asked in the right way."""

import numpy as np
import pytest

from pytmva_bnn.errors import MissingDependencyError
from pytmva_bnn.posterior import Diagnostics


def autoregressive(rho: float, n_chains: int = 4, n_samples: int = 4000) -> np.ndarray:
    random = np.random.default_rng(5)
    noise = random.normal(size=(n_chains, n_samples, 1))
    chains = noise.copy()
    for i in range(1, n_samples):
        chains[:, i] = rho * chains[:, i - 1] + np.sqrt(1 - rho**2) * noise[:, i]
    return chains


def test_each_quantity_has_its_own_numbers():
    apart = autoregressive(0.0)
    apart[1] += 2.0
    draws = np.concatenate([autoregressive(0.0), autoregressive(0.9), apart], axis=2)
    found = Diagnostics.of(draws)
    assert found.ess[:2] == pytest.approx([16000, 16000 * 0.1 / 1.9], rel=0.15)
    assert found.r_hat[:2] == pytest.approx([1.0, 1.0], abs=0.01)
    assert found.r_hat[2] > 1.2
    assert repr(found) == (
        f"<Diagnostics: largest R-hat {found.r_hat[2]:.3f}, smallest effective sample size {found.ess[2]:.0f}>"
    )


def test_a_constant_quantity_has_no_r_hat():
    found = Diagnostics.of(np.concatenate([np.ones((2, 10, 1)), autoregressive(0.0, 2, 10)], axis=2))
    assert np.isnan(found.r_hat[0])
    assert found.r_hat[1] > 0.9
    assert "nan" not in repr(found)


@pytest.mark.parametrize("shape", [(1, 100, 1), (2, 3, 1)])
def test_what_is_too_short_has_no_r_hat(shape):
    assert np.isnan(Diagnostics.of(np.random.default_rng(1).normal(size=shape)).r_hat).all()


def test_without_arviz_a_sentence_says_what_to_install(without_arviz):
    with pytest.raises(
        MissingDependencyError, match=r"needs arviz: install it with  pip install 'pytmva-bnn\[sampling\]'"
    ):
        Diagnostics.of(np.zeros((2, 10, 1)))
