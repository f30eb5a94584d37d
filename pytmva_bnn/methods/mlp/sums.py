"""Sums of responses over many events, with the uncertainty that the network's parameters give them.

The responses of different events share the same uncertain weights, so their errors are correlated and do not add in
quadrature.  With ``J = Σ w_i f'(h_i) s_i`` (``s_i = dh_i/dw``) the variance of ``Σ w_i f(h_i)`` is ``J A⁻¹ Jᵀ``.
"""

from __future__ import annotations

import numpy as np

from pytmva_bnn._typing import Float32Array, FloatArray
from pytmva_bnn.methods.latent import PredictedSum
from pytmva_bnn.methods.mlp.network import Network, activation, output_sensitivities, propagate


class SumOfOutputs:
    """Adds up the first outputs of a network and their derivatives block by block."""

    def __init__(self, network: Network, inverse_hessian: FloatArray) -> None:
        self._network = network
        self._inverse_hessian = inverse_hessian
        self._value = 0.0
        self._jacobian = np.zeros(network.n_weights)

    def add(self, x: Float32Array, weights: FloatArray) -> None:
        """Add transformed events ``(n_events, n_inputs)`` with their weights."""
        passed = propagate(self._network, x)
        output, h, values = activation(self._network.output), passed.neuron_inputs[-1][0], passed.values[-1][0]
        self._value += float(weights @ values)
        sensitivities = output_sensitivities(self._network, passed)
        self._jacobian += (weights * output.derivative(h, values)) @ sensitivities

    def finished(self) -> PredictedSum:
        """Return the sum and its error."""
        variance = float(self._jacobian @ self._inverse_hessian @ self._jacobian)
        return PredictedSum(self._value, float(np.sqrt(max(variance, 0.0))))
