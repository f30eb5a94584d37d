"""What a network is: its weight matrices and how its neurons work."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import DTypeLike, NDArray

from pytmva_bnn._typing import FloatArray, IntArray
from pytmva_bnn.errors import InputError
from pytmva_bnn.methods.mlp.network.activations import activation

NeuronInput = Literal["sum", "sqsum", "abssum"]
NEURON_INPUTS: tuple[NeuronInput, ...] = ("sum", "sqsum", "abssum")


@dataclass(frozen=True, eq=False)
class Network:
    """A multi-layer perceptron.

    ``matrices[l]`` has the shape ``(n_l + 1, n_{l+1})``: element ``[j, k]`` is the weight from neuron ``j`` of
    layer ``l`` to neuron ``k`` of the next one, the last row being the bias neuron's.  The matrices one
    after the other, each row by row, are TMVA's order of synapses.

    >>> import numpy as np
    >>> net = Network.from_matrices([np.zeros((3, 4)), np.zeros((5, 1))])
    >>> net.layer_sizes, net.n_weights
    ((2, 4, 1), 17)
    """

    matrices: tuple[FloatArray, ...]
    hidden: str = "tanh"
    output: str = "sigmoid"
    neuron_input: NeuronInput = "sum"

    @classmethod
    def from_matrices(
        cls,
        matrices: Sequence[NDArray[np.floating]],
        *,
        hidden: str = "tanh",
        output: str = "sigmoid",
        neuron_input: NeuronInput = "sum",
    ) -> Network:
        """Return a network after checking that the matrices fit each other and that the names exist."""
        if not matrices:
            raise InputError("a network needs at least one weight matrix")
        checked = tuple(np.ascontiguousarray(m, dtype=np.float64) for m in matrices)
        for number, matrix in enumerate(checked):
            if matrix.ndim != 2 or matrix.shape[0] < 1:
                raise InputError(f"weight matrix {number} has shape {matrix.shape}, not (from + bias, to)")
            if number and matrix.shape[0] != checked[number - 1].shape[1] + 1:
                raise InputError(
                    f"weight matrix {number} has {matrix.shape[0]} rows, "
                    f"but the layer before has {checked[number - 1].shape[1]} neurons and a bias"
                )
        activation(hidden)
        activation(output)
        if neuron_input not in NEURON_INPUTS:
            raise InputError(f"neuron input type {neuron_input!r} is not one of {', '.join(NEURON_INPUTS)}")
        return cls(checked, hidden, output, neuron_input)

    @cached_property
    def layer_sizes(self) -> tuple[int, ...]:
        """Return the neurons per layer, bias neurons not counted."""
        return (self.matrices[0].shape[0] - 1, *(m.shape[1] for m in self.matrices))

    @property
    def n_inputs(self) -> int:
        """Return the number of input neurons."""
        return int(self.matrices[0].shape[0]) - 1

    @property
    def n_outputs(self) -> int:
        """Return the number of output neurons."""
        return int(self.matrices[-1].shape[1])

    @cached_property
    def n_weights(self) -> int:
        """Return the number of weights, which is the dimension of the inverse Hessian."""
        return sum(m.size for m in self.matrices)

    @cached_property
    def form(self) -> tuple[IntArray, IntArray, int]:
        """Return what compiled code wants to know besides the weights.

        These are the neurons of each layer, the numbers of how the neurons work, and what an event costs, in
        multiplications; an activation function costs as much as 20 of them.
        """
        kinds = (activation(self.hidden).number, activation(self.output).number, NEURON_INPUTS.index(self.neuron_input))
        work = self.n_weights + 20 * sum(self.layer_sizes[1:])
        return np.array(self.layer_sizes, dtype=np.int64), np.array(kinds, dtype=np.int64), work

    @cached_property
    def _flat_matrices(self) -> tuple[FloatArray, ...]:
        """The matrices as vectors in the same memory, which change with them; none where this is not possible."""
        return tuple(m.reshape(-1) for m in self.matrices) if all(m.flags.c_contiguous for m in self.matrices) else ()

    def __getstate__(self) -> dict[str, object]:
        # copies of these vectors would not change with the copies of the matrices
        return {name: value for name, value in self.__dict__.items() if name != "_flat_matrices"}

    def flat_weights(self, number: DTypeLike | None = None) -> FloatArray:
        """Return all weights as they are now, as one vector in TMVA's order of synapses, of another type if wanted."""
        parts = self._flat_matrices or tuple(m.ravel() for m in self.matrices)
        return np.concatenate(parts) if number is None else np.concatenate(parts, dtype=number, casting="same_kind")

    def with_flat_weights(self, weights: FloatArray) -> Network:
        """Return the same network with other weights, given as one vector."""
        if weights.shape != (self.n_weights,):
            raise InputError(f"{self.n_weights} weights are needed, got an array of shape {weights.shape}")
        ends = np.cumsum([m.size for m in self.matrices])[:-1]
        parts = np.split(np.asarray(weights, dtype=np.float64), ends)
        matrices = tuple(
            np.ascontiguousarray(part.reshape(old.shape)) for part, old in zip(parts, self.matrices, strict=True)
        )
        return replace(self, matrices=matrices)
