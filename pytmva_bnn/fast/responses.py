"""Responses of many events, with and without errors: the typed way to the kernels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.fast.factor import triangular_factor
from pytmva_bnn.fast.plan import NetworkLike, NetworkPlan, Steps
from pytmva_bnn.fast.threads import in_parts

FloatArray = NDArray[np.float64]
Float32Array = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Factors:
    """The inverse Hessians ``(n_outputs, n_weights, n_weights)`` as :func:`with_errors` wants them."""

    matrices: FloatArray
    triangular: NDArray[np.int64]

    @classmethod
    def of(cls, inverse_hessians: tuple[FloatArray, ...]) -> Factors:
        """Return the triangular factors, or the matrix itself where it is not positive.

        >>> Factors.of((np.array([[4.0]]), np.array([[-1.0]]))).matrices.tolist()
        [[[2.0]], [[-1.0]]]
        """
        factors = [triangular_factor(matrix) for matrix in inverse_hessians]
        chosen = [m if f is None else f for f, m in zip(factors, inverse_hessians, strict=True)]
        return cls(
            np.ascontiguousarray(chosen, dtype=np.float64),
            np.array([factor is not None for factor in factors], dtype=np.int64),
        )


@dataclass(frozen=True, eq=False)
class WithErrors:
    """Outputs, inputs of the output neurons, their variances, and the errors, all ``(n_events, n_outputs)``."""

    value: FloatArray
    h: FloatArray
    variance: FloatArray
    lower: FloatArray
    upper: FloatArray


def outputs(network: NetworkLike, x: Float32Array, steps: Steps, into: FloatArray | None = None) -> FloatArray:
    """Return the outputs ``(n_events, n_outputs)`` of events ``(n_events, n_inputs)``, transformed by the steps.

    ``into`` is memory for them.

    >>> from pytmva_bnn.network import Network
    >>> net = Network.from_matrices([np.array([[1.0], [0.5]])], output="linear")
    >>> outputs(net, np.float32([[2.0]]), Steps.none())
    array([[2.5]])
    """
    from pytmva_bnn.fast import response_kernels  # lazy: numba

    plan = NetworkPlan.of(network)
    y = np.empty((len(x), network.n_outputs)) if into is None else into

    def do(start: int, stop: int) -> None:
        response_kernels.respond(x, start, stop, steps.kinds, steps.parameters, plan.weights, plan.sizes, plan.kinds, y)

    in_parts(do, len(x), response_kernels.LANES, len(x) * plan.work)
    return y


def with_errors(network: NetworkLike, x: Float32Array, steps: Steps, factors: Factors) -> WithErrors:
    """Return outputs and errors of events ``(n_events, n_inputs)``, transformed by the steps.

    >>> from pytmva_bnn.network import Network
    >>> net = Network.from_matrices([np.array([[1.0], [0.5]])], output="linear")
    >>> with_errors(net, np.float32([[2.0]]), Steps.none(), Factors.of((np.eye(2),))).variance
    array([[5.]])
    """
    from pytmva_bnn.fast import response_kernels  # lazy: numba

    plan = NetworkPlan.of(network)
    found = WithErrors(*(np.empty((len(x), network.n_outputs)) for _ in range(5)))

    def do(start: int, stop: int) -> None:
        response_kernels.respond_with_errors(
            x,
            start,
            stop,
            steps.kinds,
            steps.parameters,
            plan.weights,
            plan.sizes,
            plan.kinds,
            factors.matrices,
            factors.triangular,
            found.value,
            found.h,
            found.variance,
            found.lower,
            found.upper,
        )

    in_parts(do, len(x), response_kernels.FEW_LANES, len(x) * network.n_weights**2)
    return found
