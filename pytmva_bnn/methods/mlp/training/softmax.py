"""What a softmax leaves open: adding the same function to all outputs changes no probability.

These directions are the common shifts of the weights that go from one neuron into all outputs.  The likelihood knows
nothing of them.  A training starts with weights that add up to 0 over the outputs: neither the likelihood nor the prior
then moves them along these directions.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.methods.mlp.network import Network


def centred(network: Network) -> Network:
    """Return the network with the same probabilities whose weights into the outputs add up to 0 over the outputs.

    >>> net = Network.from_matrices([np.array([[1.0, 3.0], [0.0, 0.5]])], output="linear")
    >>> centred(net).matrices[0].tolist()
    [[-1.0, 1.0], [-0.25, 0.25]]
    """
    *others, last = network.matrices
    return replace(network, matrices=(*others, last - last.mean(axis=1, keepdims=True)))


def common_shift(network: Network) -> FloatArray:
    """Return the projector ``(n_weights, n_weights)`` on the directions that no probability depends on.

    >>> common_shift(Network.from_matrices([np.zeros((1, 2))]))
    array([[0.5, 0.5],
           [0.5, 0.5]])
    """
    n_rows, n_outputs = network.matrices[-1].shape
    result = np.zeros((network.n_weights, network.n_weights))
    first = network.n_weights - n_rows * n_outputs
    result[first:, first:] = np.kron(np.eye(n_rows), np.full((n_outputs, n_outputs), 1.0 / n_outputs))
    return result
