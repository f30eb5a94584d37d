"""Networks and transformations as the flat arrays that the kernels take."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from pytmva_bnn._typing import FloatArray, IntArray
from pytmva_bnn.methods.mlp.network.activations import activation
from pytmva_bnn.methods.mlp.network.layout import NEURON_INPUTS, Network, NeuronInput


@dataclass(frozen=True, eq=False)
class NetworkPlan:
    """A network: flat weights, neurons per layer, and how the neurons work."""

    weights: FloatArray
    sizes: IntArray
    kinds: IntArray

    @classmethod
    def of(cls, network: Network) -> NetworkPlan:
        """Return the plan of a network."""
        return cls(
            network.flat_weights(),
            _integers(*network.layer_sizes),
            _kinds(network.hidden, network.output, network.neuron_input),
        )

    @property
    def work(self) -> int:
        """Return what an event costs, in multiplications; an activation function costs as much as 20 of them."""
        return int(self.weights.size + 20 * sum(self.sizes.tolist()[1:]))


@lru_cache(maxsize=64)
def _kinds(hidden: str, output: str, neuron_input: NeuronInput) -> IntArray:
    return _integers(activation(hidden).number, activation(output).number, NEURON_INPUTS.index(neuron_input))


@lru_cache(maxsize=64)
def _integers(*numbers: int) -> IntArray:
    """Return the numbers as an array that nobody changes; kept, as small calls take no longer than to make them."""
    return np.array(numbers, dtype=np.int64)
