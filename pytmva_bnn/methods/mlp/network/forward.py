"""Propagation of events through a network by numpy.

Inside, arrays are ``(n_neurons, n_events)``: one row of memory per neuron.  For responses the weighted inputs of a
neuron are added one after the other, bias last, without a matrix product: that is TMVA's order, so responses agree
with TMVA's to the last bits, and an event's response does not depend on the events it is evaluated with.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from pytmva_bnn import fast
from pytmva_bnn._typing import AnyFloatArray, FloatArray
from pytmva_bnn.errors import InputError
from pytmva_bnn.methods.mlp.network.activations import activation
from pytmva_bnn.methods.mlp.network.layout import Network

#: the inputs ``(n_to, n_events)`` of a layer from its weight matrix and the values of the layer before, bias included
WeightedInput = Callable[[Network, FloatArray, FloatArray], FloatArray]


@dataclass(frozen=True, eq=False)
class Propagation:
    """All that a forward pass knows, layer by layer; every array is ``(n_neurons, n_events)``.

    ``neuron_inputs[l]`` and ``with_bias[l + 1]`` belong to layer ``l + 1``; ``with_bias[0]`` are the network's inputs.
    The last row of ``with_bias`` is the bias neuron's ones, which the output layer does not have.
    """

    neuron_inputs: tuple[FloatArray, ...]
    with_bias: tuple[FloatArray, ...]

    @property
    def values(self) -> tuple[FloatArray, ...]:
        """Return the values of each layer's neurons, bias neurons left out."""
        return (*(rows[:-1] for rows in self.with_bias[:-1]), self.with_bias[-1])


def propagate(network: Network, events: AnyFloatArray) -> Propagation:
    """Run the events ``(n_events, n_inputs)`` through the network, keeping every layer."""
    _check_shape(network, events)
    rows = np.ones((events.shape[1] + 1, len(events)))
    rows[:-1] = events.T
    return propagate_rows(network, rows, _added_in_order)


def propagate_rows(network: Network, rows: FloatArray, weighted_input: WeightedInput) -> Propagation:
    """Run events, given as ``(n_inputs + 1, n_events)`` with a last row of ones, through the network."""
    inputs: list[FloatArray] = []
    values = [rows]
    last = len(network.matrices) - 1
    for number, matrix in enumerate(network.matrices):
        z = weighted_input(network, matrix, values[-1])
        inputs.append(z)
        if number == last:
            values.append(activation(network.output).value(z))
        else:
            value = np.empty((z.shape[0] + 1, z.shape[1]))
            activation(network.hidden).value(z, value[:-1])
            value[-1] = 1.0
            values.append(value)
    return Propagation(tuple(inputs), tuple(values))


def forward(network: Network, events: AnyFloatArray) -> FloatArray:
    """Return the outputs ``(n_events, n_outputs)`` for the events ``(n_events, n_inputs)``."""
    if events.dtype == np.float32 and fast.pays(len(events) * network.n_weights):
        from pytmva_bnn.methods.mlp.kernels import responses  # lazy: for large jobs only

        _check_shape(network, events)
        return responses.outputs(network, np.ascontiguousarray(events))
    return np.ascontiguousarray(propagate(network, events).values[-1].T)


def _check_shape(network: Network, events: AnyFloatArray) -> None:
    if events.ndim != 2 or events.shape[1] != network.n_inputs:
        raise InputError(
            f"the network has {network.n_inputs} inputs, but the events have the shape {events.shape} "
            "(events in rows, variables in columns)"
        )


def _added_in_order(network: Network, matrix: FloatArray, rows: FloatArray) -> FloatArray:
    z = np.zeros((matrix.shape[1], rows.shape[1]))
    term = np.empty_like(z)
    # overflow to inf is what the arithmetic gives for absurd inputs; NaN stays visible
    with np.errstate(over="ignore", invalid="ignore"):
        for weights, row in zip(matrix, rows, strict=True):
            np.multiply(weights[:, np.newaxis], row, out=term)
            if network.neuron_input == "sqsum":
                np.multiply(term, term, out=term)
            elif network.neuron_input == "abssum":
                np.abs(term, out=term)
            z += term
    return z
