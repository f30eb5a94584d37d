"""Uncertainty of a response: a Gaussian in a latent quantity ``h``, seen through the link ``f`` to the output.

For a network ``h`` is the input of the output neuron and ``f`` its activation.  Error bars, quantiles and the
marginalised probability of the response ``f(h)`` follow from that one Gaussian.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.errors import InputError
from pytmva_bnn.methods.answers import Link


def error_bars(h: FloatArray, sigma: FloatArray, output: Link) -> tuple[FloatArray, FloatArray]:
    """Return the lower and the upper error of ``f(h)``: the distances to ``f(h ∓ σ)``."""
    value = output.value(h)
    with np.errstate(invalid="ignore"):  # infinite inputs give NaN here
        return value - output.value(h - sigma), output.value(h + sigma) - value


def quantiles(h: FloatArray, sigma: FloatArray, output: Link, levels: ArrayLike) -> FloatArray:
    """Return the quantiles of ``f(h)`` at the given levels, ``(n_events, n_levels)``.

    Level 0.5 is the response itself, 0.158655 and 0.841345 are the ends of the error bars.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        return output.value(h[:, np.newaxis] + sigma[:, np.newaxis] * standard_quantiles(levels))


def standard_quantiles(levels: ArrayLike) -> FloatArray:
    """Return the quantiles of the standard Gaussian at the given levels, which lie between 0 and 1."""
    from scipy.special import ndtri  # lazy: keeps the import of the package fast

    level = np.atleast_1d(np.asarray(levels, dtype=np.float64))
    if level.ndim != 1 or not ((level > 0.0) & (level < 1.0)).all():
        raise InputError(f"quantiles are numbers between 0 and 1 (both excluded), got {levels!r}")
    return np.asarray(ndtri(level), dtype=np.float64)


def moderated(h: FloatArray, sigma: FloatArray, output: Link) -> FloatArray:
    """Return the response averaged over the Gaussian in ``h``: the probability marginalised over the weights.

    The integral is done by the trapezoidal rule, whose error falls exponentially here: it is good to 1e-14.  Of a
    linear output the average is ``h`` itself.

    >>> import numpy as np
    >>> from pytmva_bnn.methods.mlp.network import activation
    >>> moderated(np.array([2.0]), np.array([3.0]), activation("sigmoid")).round(6)
    array([0.717424])
    """
    if output.name == "linear":
        return h.copy()
    if output.name != "sigmoid":
        raise InputError(f"the moderated response exists for sigmoid and linear outputs, not for {output.name}")
    result = np.empty_like(h)
    wide = sigma > 2.0
    result[~wide] = _average_over_gaussian(h[~wide], sigma[~wide], output)
    result[wide] = _average_over_logistic(h[wide], sigma[wide])
    return result


def _average_over_gaussian(h: FloatArray, sigma: FloatArray, output: Link) -> FloatArray:
    nodes = np.linspace(-11.0, 11.0, 111)
    weights = np.exp(-0.5 * nodes * nodes)
    weights /= weights.sum()
    total = np.zeros_like(h)
    for node, weight in zip(nodes, weights, strict=True):
        total += weight * output.value(h + sigma * node)
    return total


def _average_over_logistic(h: FloatArray, sigma: FloatArray) -> FloatArray:
    """Return the same with the roles exchanged, smooth where the sigmoid is steep on the scale of σ.

    The sigmoid is the distribution function of a logistic variable L, so the average is that of Φ((h - L)/σ).
    """
    from scipy.special import ndtr  # lazy: keeps the import of the package fast

    nodes = np.linspace(-40.0, 40.0, 161)
    weights = 0.25 / np.cosh(0.5 * nodes) ** 2
    weights /= weights.sum()
    total = np.zeros_like(h)
    for node, weight in zip(nodes, weights, strict=True):
        total += weight * ndtr((h - node) / sigma)
    return total


@dataclass(frozen=True)
class PredictedSum:
    """A sum of responses with its error from the method's parameters; unpacks as ``value, error``."""

    value: float
    error: float

    def __iter__(self) -> Iterator[float]:
        yield from (self.value, self.error)
