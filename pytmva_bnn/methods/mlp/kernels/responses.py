"""Responses of many events, with and without errors: the typed way to the kernels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import Float32Array, FloatArray
from pytmva_bnn.fast.threads import in_parts
from pytmva_bnn.methods.mlp.kernels.factor import triangular_factor
from pytmva_bnn.methods.mlp.kernels.plan import NetworkLike, NetworkPlan, Steps


@dataclass(frozen=True, eq=False)
class Factors:
    """The inverse Hessians ``(n_outputs, n_weights, n_weights)`` as :func:`with_errors` wants them."""

    matrices: FloatArray
    triangular: NDArray[np.int64]

    @property
    def are_positive(self) -> bool:
        """Whether no variance can be negative.

        >>> Factors.of((np.array([[4.0]]), np.array([[-1.0]]))).are_positive
        False
        """
        return bool(self.triangular.all())

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


class Memory(NamedTuple):
    """Where outputs, and if they are wanted their errors, are to be put, all ``(n_events, n_outputs)``."""

    value: FloatArray
    lower: FloatArray | None = None
    upper: FloatArray | None = None


@dataclass(frozen=True, eq=False)
class WithErrors:
    """Outputs with their errors, inputs of the output neurons and their variances, all ``(n_events, n_outputs)``."""

    value: FloatArray
    lower: FloatArray
    upper: FloatArray
    h: FloatArray
    variance: FloatArray


def outputs(network: NetworkLike, x: Float32Array, steps: Steps, into: FloatArray | None = None) -> FloatArray:
    """Return the outputs ``(n_events, n_outputs)`` of events ``(n_events, n_inputs)``, transformed by the steps.

    ``into`` is memory for them.

    >>> from pytmva_bnn.methods.mlp.network import Network
    >>> net = Network.from_matrices([np.array([[1.0], [0.5]])], output="linear")
    >>> outputs(net, np.float32([[2.0]]), Steps.none())
    array([[2.5]])
    """
    from pytmva_bnn.methods.mlp.kernels import response_kernels  # lazy: numba

    plan = NetworkPlan.of(network)
    y = np.empty((len(x), network.n_outputs)) if into is None else into

    def do(start: int, stop: int) -> None:
        response_kernels.respond(x, start, stop, steps.kinds, steps.parameters, plan.weights, plan.sizes, plan.kinds, y)

    in_parts(do, len(x), response_kernels.LANES, len(x) * plan.work)
    return y


def with_errors(
    network: NetworkLike,
    x: Float32Array,
    steps: Steps,
    factors: Factors,
    into: Memory | None = None,
    *,
    variances: bool = True,
) -> WithErrors:
    """Return outputs and errors of events ``(n_events, n_inputs)``, transformed by the steps.

    ``into`` is memory for them.  Without ``variances`` those, and the inputs of the output neurons, have no rows: new
    memory costs as much time as filling it.

    >>> from pytmva_bnn.methods.mlp.network import Network
    >>> net = Network.from_matrices([np.array([[1.0], [0.5]])], output="linear")
    >>> with_errors(net, np.float32([[2.0]]), Steps.none(), Factors.of((np.eye(2),))).variance
    array([[5.]])
    """
    from pytmva_bnn.methods.mlp.kernels import response_kernels  # lazy: numba

    plan = NetworkPlan.of(network)
    shape, no_rows = (len(x), network.n_outputs), (0, network.n_outputs)
    value, lower, upper = (np.empty(shape) if one is None else one for one in into or (None, None, None))
    h, variance = (np.empty(shape if variances else no_rows) for _ in range(2))

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
            value,
            h,
            variance,
            lower,
            upper,
        )

    in_parts(do, len(x), response_kernels.FEW_LANES, len(x) * network.n_weights**2)
    return WithErrors(value, lower, upper, h, variance)
