"""Sums over the events of a training: the typed way to the kernels."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pytmva_bnn._typing import FloatArray, IntArray
from pytmva_bnn.fast.threads import in_parts
from pytmva_bnn.methods.mlp.kernels.plan import NetworkPlan
from pytmva_bnn.methods.mlp.network.layout import Network

if TYPE_CHECKING:
    from pytmva_bnn.methods.mlp.training.samples import Sample

#: events in a chunk at least, and chunks at most
_CHUNK_AT_LEAST, _CHUNKS_AT_MOST = 2048, 256
#: the same for Gauss-Newton matrices, with numbers in all of them together at most
_MATRICES_AT_MOST, _NUMBERS_AT_MOST = 16, 1 << 25


def _chunk(n_events: int, at_most: int, at_least: int = _CHUNK_AT_LEAST) -> int:
    """Return the events of a chunk: it depends on nothing that differs between machines."""
    return max(at_least, -(-n_events // (at_most * at_least)) * at_least)


def error(
    network: Network, sample: Sample, *, entropy: bool, multiclass: bool = False, last_output_only: bool = False
) -> float:
    """Return the sum of the events' errors times their weights."""
    return float(_sums(network, sample, (entropy, multiclass, last_output_only), 1)[-1])


def error_and_gradient(
    network: Network, sample: Sample, *, entropy: bool, multiclass: bool = False
) -> tuple[float, FloatArray]:
    """Return the error and the sum of its derivatives; with ``multiclass`` those of the softmax's entropy.

    Of the latter the error is computed only if ``entropy`` says so too.
    """
    sums = _sums(network, sample, (entropy, multiclass, False), network.n_weights + 1)
    return float(sums[-1]), sums[:-1]


def _sums(network: Network, sample: Sample, flags: tuple[bool, bool, bool], length: int) -> FloatArray:
    from pytmva_bnn.methods.mlp.kernels import training_kernels  # lazy: numba

    plan, how = NetworkPlan.of(network), np.array(flags, dtype=np.int64)
    events = (sample.inputs, sample.desired, sample.weights)
    chunk = _chunk(sample.n_events, _CHUNKS_AT_MOST)
    sums = np.empty((-(-sample.n_events // chunk), length))

    def do(first: int, last: int) -> None:
        training_kernels.error_and_gradient(
            *events, first, last, chunk, plan.weights, plan.sizes, plan.kinds, how, sums
        )

    in_parts(do, len(sums), 1, sample.n_events * plan.work * (1 if length == 1 else 2))
    return _in_order(sums)


def gauss_newton(
    network: Network, sample: Sample, output: int, *, weighted: bool, in_order: bool, is_softmax: bool = False
) -> FloatArray:
    """Return ``Σ_i c_i g_i g_iᵀ``, see :func:`pytmva_bnn.methods.mlp.training.kernels.gauss_newton`.

    ``in_order`` adds the events one after the other rather than in chunks.
    """
    from pytmva_bnn.methods.mlp.kernels import training_kernels  # lazy: numba

    plan, n, n_weights = NetworkPlan.of(network), sample.n_events, network.n_weights
    most = max(1, min(_MATRICES_AT_MOST, _NUMBERS_AT_MOST // n_weights**2))
    chunk = max(1, n) if in_order else _chunk(n, most, 512)
    sums = np.zeros((-(-n // chunk), n_weights, n_weights))
    of_network = (plan.weights, plan.sizes, plan.kinds, output, weighted, is_softmax)

    def do(first: int, last: int) -> None:
        training_kernels.gauss_newton(sample.inputs, sample.weights, first, last, chunk, *of_network, sums)

    in_parts(do, len(sums), 1, n * n_weights**2)
    lower = np.tril(_in_order(sums))
    return np.asarray(lower + np.tril(lower, -1).T)


def _in_order(sums: FloatArray) -> FloatArray:
    total = np.zeros(sums.shape[1:])
    for part in sums:
        total += part
    return total


def sequential_pass(
    network: Network, sample: Sample, order: IntArray, rate: float, *, entropy: bool, multiclass: bool
) -> FloatArray:
    """Return the flat weights after one step of back-propagation for each event in the given order."""
    from pytmva_bnn.methods.mlp.kernels import training_kernels  # lazy: numba

    plan = NetworkPlan.of(network)
    how = np.array([entropy, multiclass, False], dtype=np.int64)
    result = plan.weights.copy()
    events = (sample.inputs, sample.desired, sample.weights)
    training_kernels.sequential_pass(*events, order, rate, result, plan.sizes, plan.kinds, how)
    return result


def swapped(targets: IntArray) -> IntArray:
    """Return 0 .. n-1 after swapping elements i and ``targets[i]`` for i = 0 .. n-1 in turn."""
    from pytmva_bnn.methods.mlp.kernels import training_kernels  # lazy: numba

    order = np.arange(targets.size, dtype=np.int64)
    training_kernels.swaps(targets, order)
    return order


def inverse(matrix: FloatArray) -> FloatArray:
    """Return the inverse by Gauss-Jordan elimination with row pivoting; not finite if the matrix is singular."""
    from pytmva_bnn.methods.mlp.kernels import training_kernels  # lazy: numba

    a = np.array(matrix, dtype=np.float64)
    rows = np.arange(len(a), dtype=np.int64)
    training_kernels.eliminate(a, rows)
    result = np.empty_like(a)
    result[:, rows] = a
    return result
