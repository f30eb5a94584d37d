"""One event after the other, from memory that the user fills: a call takes about a microsecond."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.methods.mlp.kernels.plan import NetworkLike, NetworkPlan, Steps


class SingleEvent:
    """A network with its transformations, and the memory that its variables are in.

    >>> from pytmva_bnn.methods.mlp.network import Network
    >>> x = np.float32([2.0])
    >>> event = SingleEvent(Network.from_matrices([np.array([[1.0], [0.5]])], output="linear"), Steps.none(), [x])
    >>> event.evaluate()
    2.5
    """

    def __init__(self, network: NetworkLike, steps: Steps, memory: Sequence[NDArray[Any]]) -> None:
        from pytmva_bnn.methods.mlp.kernels import event_kernels  # lazy: numba

        plan = NetworkPlan.of(network)
        n_values = int(plan.sizes.sum()) + len(plan.sizes) - 1
        lengths = [len(steps.parameters), len(plan.weights), n_values, n_values, 2 * int(plan.sizes.max())]
        begins = np.concatenate([[0], np.cumsum(lengths)])
        self._kernels = event_kernels
        self._memory = tuple(memory)  # keeps it alive: the plan has addresses only
        self._plan = np.array(
            [
                *(len(memory), len(steps.kinds), len(plan.sizes)),
                *plan.kinds,
                *begins[:-1],
                *(one.ctypes.data for one in memory),
                *(one.dtype == np.float64 for one in memory),
                *steps.kinds,
                *plan.sizes,
            ],
            dtype=np.int64,
        )
        self._state = np.ones(int(begins[-1]))
        self._state[: begins[1]] = steps.parameters
        self._state[begins[1] : begins[2]] = plan.weights
        self._inputs = self._state[begins[2] : begins[2] + len(memory)]
        self._kernel = event_kernels.evaluate

    @staticmethod
    def can_read(memory: Sequence[NDArray[Any] | None]) -> bool:
        """Tell whether all of the memory is float32 or float64 as the processor has them.

        >>> SingleEvent.can_read([np.zeros(1), np.zeros(1, dtype=np.float16)])
        False
        """
        return all(one is not None and one.dtype.isnative and one.dtype in (np.float32, np.float64) for one in memory)

    def evaluate(self) -> float:
        """Return the first output of the network for what the variables hold now."""
        return self._kernel(self._plan, self._state)

    def inputs(self) -> NDArray[np.float32]:
        """Return the transformed variables ``(1, n_variables)`` of the event that was evaluated last."""
        return self._inputs.astype(np.float32)[np.newaxis]

    def errors(self, transposed: FloatArray, triangular: bool) -> tuple[float, float, float]:
        """Return variance, lower and upper error of the first output for the event that was evaluated last."""
        return self._kernels.errors(self._plan, self._state, transposed, triangular)
