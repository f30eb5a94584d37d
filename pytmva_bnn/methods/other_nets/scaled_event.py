"""The event in the linked memory through a network behind scaled inputs."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import reduce
from operator import add, mul
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.methods.linked_response import LinkedResponse, Sides, sides_of
from pytmva_bnn.methods.mlp.kernels.plan import NetworkPlan
from pytmva_bnn.transform import TransformationChain

if TYPE_CHECKING:
    from pytmva_bnn.methods.other_nets.scaled import FittedScaled


def _sigmoid(z: float) -> float:
    return 1.0 / (1.0 + math.exp(-z))


_FUNCTIONS: dict[str, Callable[[float], float]] = {"sigmoid": _sigmoid, "tanh": math.tanh, "linear": float}


def linked_network(
    fitted: FittedScaled, chain: TransformationChain, memory: Sequence[NDArray[Any] | None]
) -> LinkedResponse | None:
    """Return the response to the event, by plain numbers and then by compiled code.

    The two differ in the last bits, as numpy and compiled code do for arrays.
    """
    sides = sides_of(chain, memory)
    if sides is None or len(sides.events) != 1:
        return None
    (event,) = sides.events
    network = fitted.network
    table = fitted.scaling.table.T.tolist()
    hidden, output = _FUNCTIONS[network.hidden], _FUNCTIONS[network.output]
    *layers, (last,) = (matrix.T.tolist() for matrix in network.matrices)

    def response() -> float:
        a = [
            ((low if v < low else min(v, high)) - centre) / width
            for v, (low, high, centre, width) in zip(event(), table, strict=True)
        ]
        for weights in layers:
            a.append(1.0)
            a = [hidden(reduce(add, map(mul, row, a))) for row in weights]
        a.append(1.0)
        return output(reduce(add, map(mul, last, a)))

    return LinkedResponse(response, lambda: CompiledNetwork(fitted, sides), (linked_network, fitted, chain, memory))


class CompiledNetwork:
    """The response by compiled code, see :mod:`.scaled_kernels`."""

    def __init__(self, fitted: FittedScaled, sides: Sides) -> None:
        from pytmva_bnn.methods.other_nets import scaled_kernels  # lazy: numba

        (steps,), memory, plan = sides.steps, sides.memory, NetworkPlan.of(fitted.network)
        n_values = int(plan.sizes.sum()) + len(plan.sizes) - 1
        table = fitted.scaling.table
        lengths = [len(steps.parameters), table.size, len(plan.weights), n_values, n_values, len(memory)]
        *begins, length = np.cumsum(lengths).tolist()
        self._memory = memory  # kept alive: the plan has addresses only
        self._plan = np.array(
            [
                *(len(memory), len(steps.kinds)),
                *plan.kinds,
                *begins,
                *(one.ctypes.data for one in memory),
                *(one.dtype == np.float64 for one in memory),
                *steps.kinds,
                *plan.sizes,
            ],
            dtype=np.int64,
        )
        self._state = np.ones(length)
        self._state[: begins[2]] = np.concatenate([steps.parameters, table.ravel(), plan.weights])
        self._evaluate = scaled_kernels.evaluate

    def evaluate(self) -> float:
        """Return the response to what the variables hold now."""
        return self._evaluate(self._plan, self._state)
