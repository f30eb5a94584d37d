"""Responses of many events, with and without errors: the typed way to the kernels."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import DTypeLike

from pytmva_bnn._typing import Float32Array, FloatArray
from pytmva_bnn.fast.threads import in_parts
from pytmva_bnn.methods.mlp.kernels.factor import Factors
from pytmva_bnn.methods.mlp.kernels.plan import NetworkPlan
from pytmva_bnn.methods.mlp.network.layout import Network
from pytmva_bnn.transform.compiled import Steps


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


_NO_STEPS = Steps.none()


@cache
def _kernels() -> Any:
    from pytmva_bnn.methods.mlp.kernels import response_kernels  # lazy: numba

    return response_kernels


def outputs(
    network: Network,
    x: Float32Array,
    steps: Steps = _NO_STEPS,
    into: FloatArray | None = None,
    number: DTypeLike | None = None,
) -> FloatArray:
    """Return the outputs ``(n_events, n_outputs)`` of events ``(n_events, n_inputs)``, transformed by the steps.

    They are computed in float64 or in the type ``number``; ``into`` is memory of this type for them.
    """
    kernels = _kernels()
    x = np.ascontiguousarray(x)  # whose rows are read as one piece of memory
    weights, (sizes, kinds, work), n = network.flat_weights(number), network.form, len(x)
    y = np.empty((n, network.layer_sizes[-1]), number) if into is None else into

    def do(start: int, stop: int) -> None:
        kernels.respond(x, start, stop, steps.kinds, steps.parameters, weights, sizes, kinds, y)

    in_parts(do, n, kernels.LANES, n * work)
    return y


def with_errors(
    network: Network,
    x: Float32Array,
    steps: Steps,
    factors: Factors,
    into: Memory | None = None,
    *,
    variances: bool = True,
    is_softmax: bool = False,
) -> WithErrors:
    """Return outputs and errors of events ``(n_events, n_inputs)``, transformed by the steps.

    ``into`` is memory for them.  Without ``variances`` those, and the inputs of the output neurons, have no rows: new
    memory costs as much time as filling it.  Of a softmax the factors are of one matrix for all outputs, ``h`` are the
    logits of the classes, and there are variances instead of errors.
    """
    kernels = _kernels()
    plan = NetworkPlan.of(network)
    shape, no_rows = (len(x), network.n_outputs), (0, network.n_outputs)
    value, lower, upper = (np.empty(shape) if one is None else one for one in into or (None, None, None))
    h, variance = (np.empty(shape if variances else no_rows) for _ in range(2))
    of_network = (plan.weights, plan.sizes, plan.kinds, factors.matrices, factors.triangular, is_softmax)
    what = (steps.kinds, steps.parameters, *of_network)

    def do(start: int, stop: int) -> None:
        kernels.respond_with_errors(x, start, stop, *what, value, h, variance, lower, upper)

    in_parts(do, len(x), kernels.FEW_LANES, len(x) * network.n_weights**2)
    return WithErrors(value, lower, upper, h, variance)
