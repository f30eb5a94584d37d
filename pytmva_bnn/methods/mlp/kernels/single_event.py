"""One event after the other, from memory that the user fills: a call takes about a microsecond."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pytmva_bnn._typing import AnyArray, Float32Array, FloatArray
from pytmva_bnn.methods.mlp.kernels.plan import NetworkPlan
from pytmva_bnn.methods.mlp.network.layout import Network
from pytmva_bnn.transform.compiled import Steps


class SingleEvent:
    """A network with its transformations, and the memory that its variables are in."""

    def __init__(self, network: Network, steps: Steps, memory: Sequence[AnyArray]) -> None:
        from pytmva_bnn.methods.mlp.kernels import event_kernels  # lazy: numba

        plan = NetworkPlan.of(network)
        n_values, widest = int(plan.sizes.sum()) + len(plan.sizes) - 1, int(plan.sizes.max())
        n_parameters, n_weights = len(steps.parameters), len(plan.weights)
        lengths = [n_parameters, n_weights, n_values, n_values, len(memory), widest, widest, n_weights, n_weights + 2]
        *begins, length = np.cumsum([0, *lengths]).tolist()
        self._given = (network, steps, tuple(memory))  # keeps the memory alive: the plan has addresses only
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
        self._state[: begins[1]] = steps.parameters
        self._state[begins[1] : begins[2]] = plan.weights
        self._inputs = self._state[begins[2] : begins[2] + len(memory)]
        self._outputs = self._state[begins[3] - int(plan.sizes[-1]) : begins[3]]
        self._evaluate, self._errors = event_kernels.evaluate, event_kernels.errors

    def __reduce__(self) -> tuple[Any, ...]:
        # a copy has memory of its own, and so other addresses
        return SingleEvent, self._given

    @staticmethod
    def can_read(memory: Sequence[AnyArray | None]) -> bool:
        """Tell whether all of the memory is float32 or float64 as the processor has them."""
        return all(one is not None and one.dtype.isnative and one.dtype in (np.float32, np.float64) for one in memory)

    def evaluate(self) -> float:
        """Return the first output of the network for what the variables hold now."""
        return self._evaluate(self._plan, self._state)

    def inputs(self) -> Float32Array:
        """Return the transformed variables ``(1, n_variables)`` of the event that was evaluated last."""
        return self._inputs.astype(np.float32)[np.newaxis]

    def outputs(self) -> FloatArray:
        """Return the outputs ``(n_outputs,)`` of the event that was evaluated last."""
        return self._outputs

    def errors(self, transposed: FloatArray, triangular: bool) -> tuple[float, float, float]:
        """Return variance, lower and upper error of the first output for the event that was evaluated last.

        ``transposed`` is a transposed factor of :class:`~pytmva_bnn.methods.mlp.kernels.factor.Factors`.
        """
        return self._errors(self._plan, self._state, transposed, triangular)
