"""Sums of responses over many events, with the uncertainty that the network's parameters give them.

The responses of different events share the same uncertain weights, so their errors are correlated and do not add in
quadrature.  With ``J = Σ w_i f'(h_i) s_i`` (``s_i = dh_i/dw``) the variance of ``Σ w_i f(h_i)`` is ``J A⁻¹ Jᵀ``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.methods.mlp.network import Activation


@dataclass(frozen=True)
class PredictedSum:
    """A sum of responses with its error from the network's parameters; unpacks as ``value, error``.

    >>> value, error = PredictedSum(6345.0, 56.5)
    >>> value
    6345.0
    """

    value: float
    error: float

    def __iter__(self) -> Iterator[float]:
        yield from (self.value, self.error)


class SumAccumulator:
    """Adds up responses and their derivatives block by block.

    >>> import numpy as np
    >>> from pytmva_bnn.methods.mlp.network import activation
    >>> total = SumAccumulator(activation("linear"), n_weights=1)
    >>> total.add(np.array([1.0, 2.0]), np.array([[1.0], [1.0]]), np.array([1.0, 1.0]))
    >>> total.finished(np.array([[0.25]]))  # fully correlated: 2 times 0.5, not √2 times
    PredictedSum(value=3.0, error=1.0)
    """

    def __init__(self, output: Activation, n_weights: int) -> None:
        self._output = output
        self._value = 0.0
        self._jacobian = np.zeros(n_weights)

    def add(self, h: FloatArray, sensitivities: FloatArray, weights: FloatArray) -> None:
        """Add events with the inputs ``h`` of the output neuron and ``dh/dw`` ``(n_events, n_weights)``."""
        responses = self._output.value(h)
        self._value += float(weights @ responses)
        self._jacobian += (weights * self._output.derivative(h, responses)) @ sensitivities

    def finished(self, inverse_hessian: FloatArray) -> PredictedSum:
        """Return the sum and its error."""
        variance = float(self._jacobian @ inverse_hessian @ self._jacobian)
        return PredictedSum(self._value, float(np.sqrt(max(variance, 0.0))))
