"""The network before its training: weights drawn uniformly in (-2, 2)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from pytmva_bnn.methods.mlp.network import Network
from pytmva_bnn.methods.mlp.network.layout import NeuronInput
from pytmva_bnn.random import TRandom3


def initial_network(
    layer_sizes: Sequence[int],
    random: TRandom3,
    *,
    hidden: str = "tanh",
    output: str = "sigmoid",
    neuron_input: NeuronInput = "sum",
) -> Network:
    """Return a network whose weights are ``4 Rndm() - 2``, drawn in TMVA's order of synapses.

    ``layer_sizes`` are the neurons per layer without biases.  Back-propagation continues with the same generator to
    shuffle events: see the argument ``random`` of :func:`pytmva_bnn.methods.mlp.training.train`.

    >>> initial_network([1, 1], TRandom3(1)).matrices[0]
    array([[-0.33191201],
           [ 1.98873923]])
    """
    shapes = [(n_from + 1, n_to) for n_from, n_to in pairwise(layer_sizes)]
    matrices = [4.0 * random.rndm(n_rows * n_columns).reshape(n_rows, n_columns) - 2.0 for n_rows, n_columns in shapes]
    return Network.from_matrices(
        [np.ascontiguousarray(matrix) for matrix in matrices], hidden=hidden, output=output, neuron_input=neuron_input
    )
