"""Propagation of events through a network.

Inside, arrays are ``(n_neurons, n_events)``: one row of memory per neuron.  The weighted inputs of a neuron are
added one after the other, bias last, without a matrix product: that is TMVA's order, so responses agree
with TMVA's to the last bits, and an event's response does not depend on the events it is evaluated with.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn import fast
from pytmva_bnn._typing import FloatArray
from pytmva_bnn.errors import InputError
from pytmva_bnn.methods.mlp.kernels.plan import Steps
from pytmva_bnn.methods.mlp.kernels.responses import outputs
from pytmva_bnn.methods.mlp.network.activations import activation
from pytmva_bnn.methods.mlp.network.layout import Network


@dataclass(frozen=True, eq=False)
class Propagation:
    """All that a forward pass knows: per layer the neurons' inputs ``z`` and values ``a``.

    ``values[0]`` are the network's inputs, ``neuron_inputs[l]`` and ``values[l + 1]`` belong to layer ``l + 1``;
    every array is ``(n_neurons, n_events)``, bias neurons left out.
    """

    neuron_inputs: tuple[FloatArray, ...]
    values: tuple[FloatArray, ...]


def propagate(network: Network, events: NDArray[np.floating]) -> Propagation:
    """Run the events ``(n_events, n_inputs)`` through the network, keeping every layer.

    >>> import numpy as np
    >>> net = Network.from_matrices([np.array([[1.0], [0.5]])], output="sigmoid")
    >>> propagate(net, np.array([[-0.5]])).neuron_inputs[-1]
    array([[0.]])
    """
    _check_shape(network, events)
    value: FloatArray = np.ascontiguousarray(events.T, dtype=np.float64)
    inputs: list[FloatArray] = []
    values = [value]
    last = len(network.matrices) - 1
    for number, matrix in enumerate(network.matrices):
        z = _weighted_input(network, matrix, value)
        value = activation(network.output if number == last else network.hidden).value(z)
        inputs.append(z)
        values.append(value)
    return Propagation(tuple(inputs), tuple(values))


def forward(network: Network, events: NDArray[np.floating]) -> FloatArray:
    """Return the outputs ``(n_events, n_outputs)`` for the events ``(n_events, n_inputs)``."""
    if events.dtype == np.float32 and fast.pays(len(events) * network.n_weights):
        _check_shape(network, events)
        return outputs(network, np.ascontiguousarray(events), Steps.none())
    return np.ascontiguousarray(propagate(network, events).values[-1].T)


def _check_shape(network: Network, events: NDArray[np.floating]) -> None:
    if events.ndim != 2 or events.shape[1] != network.n_inputs:
        raise InputError(
            f"the network has {network.n_inputs} inputs, but the events have the shape {events.shape} "
            "(events in rows, variables in columns)"
        )


def _weighted_input(network: Network, matrix: FloatArray, value: FloatArray) -> FloatArray:
    n_events = value.shape[1]
    z = np.zeros((matrix.shape[1], n_events))
    term = np.empty_like(z)
    bias = np.ones((1, n_events))
    # overflow to inf is what the arithmetic gives for absurd inputs; NaN stays visible
    with np.errstate(over="ignore", invalid="ignore"):
        for j in range(matrix.shape[0]):
            source = value[j : j + 1] if j < value.shape[0] else bias
            np.multiply(matrix[j][:, np.newaxis], source, out=term)
            if network.neuron_input == "sqsum":
                np.multiply(term, term, out=term)
            elif network.neuron_input == "abssum":
                np.abs(term, out=term)
            z += term
    return z
