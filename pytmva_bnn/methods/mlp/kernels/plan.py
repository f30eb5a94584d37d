"""Networks and transformations as the flat arrays that the kernels take."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from pytmva_bnn._typing import FloatArray, IntArray
from pytmva_bnn.methods.mlp.network.activations import activation
from pytmva_bnn.methods.mlp.network.layout import NEURON_INPUTS, Network, NeuronInput


class NetworkPlan(NamedTuple):
    """A network: flat weights, neurons per layer, and how the neurons work.

    ``work`` is what an event costs, in multiplications; an activation function costs as much as 20 of them.
    """

    weights: FloatArray
    sizes: IntArray
    kinds: IntArray
    work: int

    @classmethod
    def of(cls, network: Network) -> NetworkPlan:
        """Return the plan of a network, with the weights as they are now."""
        return cls(
            network.flat_weights(), *_form(network.layer_sizes, network.hidden, network.output, network.neuron_input)
        )


@lru_cache(maxsize=64)
def _form(
    layer_sizes: tuple[int, ...], hidden: str, output: str, neuron_input: NeuronInput
) -> tuple[IntArray, IntArray, int]:
    """Return what does not depend on the weights; kept, as small calls take no longer than to make it."""
    kinds = (activation(hidden).number, activation(output).number, NEURON_INPUTS.index(neuron_input))
    n_weights = sum((n + 1) * n_to for n, n_to in pairwise(layer_sizes))
    work = n_weights + 20 * sum(layer_sizes[1:])
    return np.array(layer_sizes, dtype=np.int64), np.array(kinds, dtype=np.int64), work
