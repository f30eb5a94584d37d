"""Have the chains run long enough?  R-hat and the effective sample size of several chains.

Both are the split-chain forms of Gelman et al., *Bayesian Data Analysis* (3rd edition, section 11.4-5); the
autocorrelations are cut off by Geyer's initial monotone sequence.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.errors import InputError

_LEAST_DRAWS = 4


@dataclass(frozen=True, eq=False)
class Diagnostics:
    """R-hat and effective sample size of some quantities, one number each.

    >>> Diagnostics(np.array([1.0, 1.02]), np.array([800.0, 310.0]))
    <Diagnostics: largest R-hat 1.020, smallest effective sample size 310>
    """

    r_hat: FloatArray
    ess: FloatArray

    @classmethod
    def of(cls, draws: FloatArray) -> Diagnostics:
        """Return the diagnostics of draws ``(n_chains, n_samples, n_quantities)``."""
        return cls(r_hat(draws), effective_sample_size(draws))

    def __repr__(self) -> str:
        return (
            f"<Diagnostics: largest R-hat {self.r_hat.max():.3f}, smallest effective sample size {self.ess.min():.0f}>"
        )


def r_hat(draws: FloatArray) -> FloatArray:
    """Return the potential scale reduction of draws ``(n_chains, n_samples, n_quantities)``, one number a quantity.

    It is 1 if all halves of all chains agree, and above 1.01 to 1.05 if they should run longer.

    >>> chains = np.random.default_rng(1).normal(size=(4, 500, 1))
    >>> r_hat(chains).round(2)
    array([1.])
    >>> chains[0] += 3.0
    >>> bool(r_hat(chains)[0] > 1.5)
    True
    """
    halves = _split(draws)
    within, pooled = _variances(halves)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.sqrt(pooled / within)
    # a quantity that never changes agrees with itself
    return np.where((within == 0.0) & (pooled == 0.0), 1.0, ratio)


def effective_sample_size(draws: FloatArray) -> FloatArray:
    """Return how many independent draws the draws ``(n_chains, n_samples, n_quantities)`` are worth for a mean.

    >>> chains = np.random.default_rng(1).normal(size=(4, 500, 1))
    >>> bool(effective_sample_size(chains)[0] > 1500)
    True
    >>> slow = np.repeat(chains, 10, axis=1)    # every draw ten times
    >>> bool(effective_sample_size(slow)[0] < 2500)
    True
    """
    halves = _split(draws)
    n_chains, n_samples, n_quantities = halves.shape
    total = float(n_chains * n_samples)
    within, pooled = _variances(halves)
    autocovariance = _autocovariances(halves).mean(axis=0)
    result = np.empty(n_quantities)
    for number in range(n_quantities):
        if pooled[number] == 0.0:
            result[number] = total
            continue
        correlation = 1.0 - (within[number] - autocovariance[:, number]) / pooled[number]
        correlation[0] = 1.0
        # Geyer: sums of neighbouring correlations are positive and fall; what follows is noise
        pairs = correlation[: n_samples // 2 * 2].reshape(-1, 2).sum(axis=1)
        negative = np.flatnonzero(pairs < 0.0)
        kept = np.minimum.accumulate(pairs[: negative[0]] if negative.size else pairs)
        time = max(2.0 * float(kept.sum()) - 1.0, 1.0 / np.log10(total))
        result[number] = total / time
    return result


def _split(draws: FloatArray) -> FloatArray:
    """Return each chain as two chains, so that a chain that drifts disagrees with itself."""
    if draws.ndim != 3 or draws.shape[1] < _LEAST_DRAWS:
        raise InputError(
            f"draws are expected as (chains, at least {_LEAST_DRAWS} samples, quantities), got the shape {draws.shape}"
        )
    half = draws.shape[1] // 2
    return np.concatenate([draws[:, :half], draws[:, -half:]])


def _variances(chains: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the mean variance within a chain, and the estimate of the whole variance from all chains."""
    n_samples = chains.shape[1]
    within = chains.var(axis=1, ddof=1).mean(axis=0)
    between_means = chains.mean(axis=1).var(axis=0, ddof=1)
    return within, within * (n_samples - 1) / n_samples + between_means


def _autocovariances(chains: FloatArray) -> FloatArray:
    """Return the autocovariances ``(n_chains, lag, n_quantities)``, by Fourier transformation."""
    n_samples = chains.shape[1]
    centred = chains - chains.mean(axis=1, keepdims=True)
    spectrum = np.fft.rfft(centred, n=2 * n_samples, axis=1)
    products = np.fft.irfft(spectrum * spectrum.conj(), n=2 * n_samples, axis=1)
    return np.asarray(products[:, :n_samples] / (n_samples - 1))
