"""What the regulators have done to a fit: its shift if they become weaker, as part of the error bars.

Regulators smooth.  What they smooth away is not in the posterior's covariance, unless the truth is what the prior
expects.  The fit with weaker regulators, ``h_w``, shows it: ``δ(x) = h_w(x) - h(x)``.  The change of the weights that
describes δ best to first order is a least-squares fit with the curvatures ``c`` of the likelihood,

``Δ = (Σ c g gᵀ + diag(α_w))⁻¹ Σ c g δ``,

and the covariance ``C + η Δ Δᵀ`` has the shift in quadrature: ``σ² + η (g·Δ)²``.  ``η`` is the part of the parameters
that the events determine: the weaker fit also follows noise in the others, which the regulators had rightly kept out.
For a softmax ``c`` is the matrix ``diag(p) - p pᵀ`` of all outputs.
"""

from __future__ import annotations

import numpy as np

from pytmva_bnn._typing import Float32Array, FloatArray
from pytmva_bnn.methods.mlp.multiclass import class_logit, softmax
from pytmva_bnn.methods.mlp.network import Network, output_sensitivities, propagate
from pytmva_bnn.methods.mlp.training.hessian import invert_positive
from pytmva_bnn.methods.mlp.training.kernels import block_size
from pytmva_bnn.methods.mlp.training.refine import Minimum
from pytmva_bnn.methods.mlp.training.samples import Sample


def with_shift(covariance: FloatArray, shift: FloatArray, fraction: float) -> FloatArray:
    """Return the covariance of the weights in quadrature with a shift of them, of whose square a fraction counts."""
    return np.asarray(covariance + fraction * np.outer(shift, shift))


def shift_of_weights(
    minimum: Minimum, weak: Minimum, sample: Sample, title: str = "MLP", *, is_softmax: bool = False
) -> FloatArray:
    """Return ``Δ`` from a minimum to the fit with weaker regulators."""
    network, weights_of_outputs = minimum.network, minimum.posterior.output_weights
    projection = np.zeros(network.n_weights)
    for block in sample.blocks(block_size(network)):
        inputs = np.ascontiguousarray(block.inputs[:-1].T, dtype=np.float32)
        if is_softmax:
            passed = propagate(network, inputs)
            p, h = softmax(passed.neuron_inputs[-1]), passed.neuron_inputs[-1]
            shifts = propagate(weak.network, inputs).neuron_inputs[-1] - h
            projection += block.weights @ output_sensitivities(network, passed, p * (shifts - (p * shifts).sum(axis=0)))
            continue
        for output in range(network.n_outputs):
            h, g = latent(network, inputs, output)
            shift = latent(weak.network, inputs, output)[0] - h
            factor = 1.0 if weights_of_outputs is None else weights_of_outputs[output]
            projection += (factor * block.weights * _curvature(network, h) * shift) @ g
    hessian = minimum.posterior.hessian - np.diag(minimum.of_weights - weak.of_weights)
    return np.asarray(invert_positive(hessian, title) @ projection)


def latent(
    network: Network, inputs: Float32Array, output: int, *, is_softmax: bool = False
) -> tuple[FloatArray, FloatArray]:
    """Return the input ``h`` of an output neuron, and its sensitivities ``g``, ``(n_events, n_weights)``.

    Of a softmax ``h`` is the logit of the class against the rest.
    """
    passed = propagate(network, inputs)
    if is_softmax:
        logit, derivatives = class_logit(passed.neuron_inputs[-1], output)
        return logit, output_sensitivities(network, passed, derivatives)
    return passed.neuron_inputs[-1][output], output_sensitivities(network, passed, output)


def _curvature(network: Network, h: FloatArray) -> FloatArray:
    """Return the second derivative of an event's error by ``h``."""
    if network.output != "sigmoid":
        return np.ones_like(h)
    y = 0.5 * (1.0 + np.tanh(0.5 * h))
    return np.asarray(y * (1.0 - y))
