"""The Laplace approximation: how uncertain the input of an output neuron is.

With ``s = dh/dw`` and the inverse Hessian ``A⁻¹`` of the cost at the trained weights, the input ``h`` of the output
neuron is Gaussian with variance ``σ² = sᵀ A⁻¹ s``; :mod:`pytmva_bnn.methods.latent` makes error bars of it.
"""

from __future__ import annotations

import logging

import numpy as np

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.methods.mlp.kernels.factor import Factors

log = logging.getLogger(__name__)


def standard_deviations(sensitivities: FloatArray, factors: Factors, output: int = 0) -> FloatArray:
    """Return ``σ`` of an output's ``h`` for every event, ``sensitivities`` being ``(n_events, n_weights)``.

    A variance below zero (a matrix that is not positive) counts as zero, as in TMVA, with a warning.

    >>> import numpy as np
    >>> standard_deviations(np.array([[1.0, 2.0]]), Factors.of((np.diag([9.0, 4.0]),)))
    array([5.])
    """
    with np.errstate(over="ignore", invalid="ignore"):
        return roots_of_variances(factors.variances(sensitivities, output))


def roots_of_variances(variance: FloatArray) -> FloatArray:
    """Return the standard deviations; a variance below zero counts as zero, as in TMVA, with a warning."""
    negative = variance < 0.0
    if negative.any():
        log.warning(
            "Negative variance of %d of %d events set to zero (the lowest is %g): "
            "the inverse Hessian in the weight file is not positive",
            np.count_nonzero(negative),
            variance.size,
            variance[negative].min(),
        )
        variance = np.where(negative, 0.0, variance)
    return np.asarray(np.sqrt(variance), dtype=np.float64)
