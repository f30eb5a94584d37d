"""Derivatives of an output neuron's input with respect to every weight, event by event."""

from __future__ import annotations

import numpy as np

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.methods.mlp.network.activations import activation
from pytmva_bnn.methods.mlp.network.forward import Propagation
from pytmva_bnn.methods.mlp.network.layout import Network


def output_sensitivities(network: Network, passed: Propagation, output: int | FloatArray = 0) -> FloatArray:
    """Return ``s = dh/dw`` of output neuron ``output``, of shape ``(n_events, n_weights)``.

    Instead of a number, ``output`` may be the derivatives ``(n_outputs, n_events)`` of some function of all ``h`` by
    each of them: ``s`` is then the derivative of that function.

    ``h`` is the neuron's input, before its activation; the weights are in TMVA's order of synapses.

    >>> import numpy as np
    >>> from pytmva_bnn.methods.mlp.network import propagate
    >>> net = Network.from_matrices([np.array([[1.0], [0.5]])], output="sigmoid")
    >>> output_sensitivities(net, propagate(net, np.array([[3.0]])))
    array([[3., 1.]])
    """
    n_events = passed.with_bias[0].shape[1]
    result = np.empty((n_events, network.n_weights))
    if isinstance(output, np.ndarray):
        delta = output
    else:
        delta = np.zeros((network.n_outputs, n_events))
        delta[output] = 1.0
    hidden = activation(network.hidden)
    end = network.n_weights
    with np.errstate(over="ignore", invalid="ignore"):
        for number in range(len(network.matrices) - 1, -1, -1):
            matrix, rows = network.matrices[number], passed.with_bias[number]
            # TMVA: the derivative of `sum` is taken whatever NeuronInputType is
            block = result[:, end - matrix.size : end].reshape(n_events, *matrix.shape)
            np.multiply(rows.T[:, :, np.newaxis], delta.T[:, np.newaxis, :], out=block)
            end -= matrix.size
            if number:
                value = rows[:-1]
                back = np.zeros_like(value)
                for weights, d in zip(matrix[:-1].T, delta, strict=True):
                    back += weights[:, np.newaxis] * d
                delta = back * hidden.derivative(passed.neuron_inputs[number - 1], value)
    return result
