"""Networks and transformations as the flat arrays that the kernels take."""

from __future__ import annotations

from typing import NamedTuple

from pytmva_bnn._typing import FloatArray, IntArray
from pytmva_bnn.methods.mlp.network.layout import Network


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
            network.flat_weights(),
            *network.form,
        )
