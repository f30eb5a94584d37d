"""What the regulators have done to a fit: its shift if they become weaker, as part of the error bars.

Regulators smooth.  What they smooth away is not in the posterior's covariance, unless the truth is what the prior
expects.  The fit with weaker regulators, ``h_w``, shows it: ``δ(x) = h_w(x) - h(x)``.  The change of the weights that
describes δ best to first order is a least-squares fit with the curvatures ``c`` of the likelihood,

``Δ = (Σ c g gᵀ + diag(α_w))⁻¹ Σ c g δ``,

and the covariance ``C + Δ Δᵀ`` has the shift in quadrature: ``σ² + (g·Δ)²``.  What of δ is noise of the weaker fit,
outside of what the weights of this one can do, drops out.
"""

from __future__ import annotations

import numpy as np

from pytmva_bnn._typing import Float32Array, FloatArray
from pytmva_bnn.methods.mlp.network import Network, output_sensitivities, propagate
from pytmva_bnn.methods.mlp.training.hessian import invert_positive
from pytmva_bnn.methods.mlp.training.kernels import block_size
from pytmva_bnn.methods.mlp.training.refine import Minimum
from pytmva_bnn.methods.mlp.training.samples import Sample


def with_shift(covariance: FloatArray, shift: FloatArray) -> FloatArray:
    """Return the covariance of the weights in quadrature with a shift of them."""
    return np.asarray(covariance + np.outer(shift, shift))


def shift_of_weights(minimum: Minimum, weak: Minimum, sample: Sample, title: str = "MLP") -> FloatArray:
    """Return ``Δ`` from a minimum to the fit with weaker regulators."""
    network, weights_of_outputs = minimum.network, minimum.posterior.output_weights
    projection = np.zeros(network.n_weights)
    for block in sample.blocks(block_size(network)):
        inputs = np.ascontiguousarray(block.inputs[:-1].T, dtype=np.float32)
        for output in range(network.n_outputs):
            h, g = latent(network, inputs, output)
            shift = latent(weak.network, inputs, output)[0] - h
            factor = 1.0 if weights_of_outputs is None else weights_of_outputs[output]
            projection += (factor * block.weights * _curvature(network, h) * shift) @ g
    hessian = minimum.posterior.hessian - np.diag(minimum.of_weights - weak.of_weights)
    return np.asarray(invert_positive(hessian, title) @ projection)


def latent(network: Network, inputs: Float32Array, output: int) -> tuple[FloatArray, FloatArray]:
    """Return the input ``h`` of an output neuron, and its sensitivities ``g``, ``(n_events, n_weights)``."""
    passed = propagate(network, inputs)
    return passed.neuron_inputs[-1][output], output_sensitivities(network, passed, output)


def _curvature(network: Network, h: FloatArray) -> FloatArray:
    """Return the second derivative of an event's error by ``h``."""
    if network.output != "sigmoid":
        return np.ones_like(h)
    y = 0.5 * (1.0 + np.tanh(0.5 * h))
    return np.asarray(y * (1.0 - y))
