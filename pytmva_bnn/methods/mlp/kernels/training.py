"""Sums over the events of a training: the typed way to the kernels."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import Float32Array, FloatArray
from pytmva_bnn.fast.threads import in_parts
from pytmva_bnn.methods.mlp.kernels.plan import NetworkLike, NetworkPlan

#: events in a chunk at least, and chunks at most
_CHUNK_AT_LEAST, _CHUNKS_AT_MOST = 2048, 256
#: the same for Gauss-Newton matrices, with numbers in all of them together at most
_MATRICES_AT_MOST, _NUMBERS_AT_MOST = 16, 1 << 25


def _chunk(n_events: int, at_most: int, at_least: int = _CHUNK_AT_LEAST) -> int:
    """Return the events of a chunk: it depends on nothing that differs between machines.

    >>> _chunk(5000, 256), _chunk(10_000_000, 256)
    (2048, 40960)
    """
    return max(at_least, -(-n_events // (at_most * at_least)) * at_least)


def error(
    network: NetworkLike,
    x: Float32Array,
    desired: FloatArray,
    weights: FloatArray,
    *,
    entropy: bool,
    last_output_only: bool = False,
) -> float:
    """Return the sum of the events' errors times their weights.

    >>> from pytmva_bnn.methods.mlp.network import Network
    >>> net = Network.from_matrices([np.array([[1.0], [0.5]])], output="linear")
    >>> error(net, np.float32([[2.0]]), np.array([[0.5]]), np.array([3.0]), entropy=False)
    6.0
    """
    how = np.array([entropy, False, last_output_only], dtype=np.int64)
    return float(_sums(network, x, desired, weights, how, 1)[-1])


def error_and_gradient(
    network: NetworkLike,
    x: Float32Array,
    desired: FloatArray,
    weights: FloatArray,
    *,
    entropy: bool,
    multiclass: bool = False,
) -> tuple[float, FloatArray]:
    """Return the error and the sum of its derivatives; with ``multiclass`` those of the softmax's entropy, no error.

    >>> from pytmva_bnn.methods.mlp.network import Network
    >>> net = Network.from_matrices([np.array([[1.0], [0.5]])], output="linear")
    >>> error_and_gradient(net, np.float32([[2.0]]), np.array([[0.5]]), np.array([3.0]), entropy=False)
    (6.0, array([12.,  6.]))
    """
    how = np.array([entropy, multiclass, False], dtype=np.int64)
    sums = _sums(network, x, desired, weights, how, network.n_weights + 1)
    return float(sums[-1]), sums[:-1]


def _sums(
    network: NetworkLike, x: Float32Array, desired: FloatArray, weights: FloatArray, how: NDArray[np.int64], length: int
) -> FloatArray:
    from pytmva_bnn.methods.mlp.kernels import training_kernels  # lazy: numba

    plan = NetworkPlan.of(network)
    chunk = _chunk(len(x), _CHUNKS_AT_MOST)
    sums = np.empty((-(-len(x) // chunk), length))

    def do(first: int, last: int) -> None:
        training_kernels.error_and_gradient(
            x, desired, weights, first, last, chunk, plan.weights, plan.sizes, plan.kinds, how, sums
        )

    in_parts(do, len(sums), 1, len(x) * plan.work * (1 if length == 1 else 2))
    return _in_order(sums)


def gauss_newton(
    network: NetworkLike, x: Float32Array, weights: FloatArray, output: int, *, weighted: bool, in_order: bool
) -> FloatArray:
    """Return ``Σ_i c_i g_i g_iᵀ``, see :func:`pytmva_bnn.methods.mlp.training.kernels.gauss_newton`.

    ``in_order`` adds the events one after the other rather than in chunks.

    >>> from pytmva_bnn.methods.mlp.network import Network
    >>> net = Network.from_matrices([np.array([[1.0], [0.5]])], output="linear")
    >>> gauss_newton(net, np.float32([[2.0]]), np.ones(1), 0, weighted=False, in_order=True)
    array([[4., 2.],
           [2., 1.]])
    """
    from pytmva_bnn.methods.mlp.kernels import training_kernels  # lazy: numba

    plan = NetworkPlan.of(network)
    n_weights = network.n_weights
    most = max(1, min(_MATRICES_AT_MOST, _NUMBERS_AT_MOST // n_weights**2))
    chunk = max(1, len(x)) if in_order else _chunk(len(x), most, 512)
    sums = np.zeros((-(-len(x) // chunk), n_weights, n_weights))

    def do(first: int, last: int) -> None:
        training_kernels.gauss_newton(
            x, weights, first, last, chunk, plan.weights, plan.sizes, plan.kinds, output, weighted, sums
        )

    in_parts(do, len(sums), 1, len(x) * n_weights**2)
    lower = np.tril(_in_order(sums))
    return np.asarray(lower + np.tril(lower, -1).T)


def _in_order(sums: FloatArray) -> FloatArray:
    total = np.zeros(sums.shape[1:])
    for part in sums:
        total += part
    return total


def sequential_pass(
    network: NetworkLike,
    x: Float32Array,
    desired: FloatArray,
    weights: FloatArray,
    order: NDArray[np.int64],
    rate: float,
    *,
    entropy: bool,
    multiclass: bool,
) -> FloatArray:
    """Return the flat weights after one step of back-propagation for each event in the given order.

    >>> from pytmva_bnn.methods.mlp.network import Network
    >>> net = Network.from_matrices([np.array([[1.0], [0.5]])], output="linear")
    >>> event = np.float32([[2.0]]), np.array([[0.5]]), np.ones(1)
    >>> sequential_pass(net, *event, np.array([0]), 0.1, entropy=False, multiclass=False).round(6).tolist()
    [0.6, 0.3]
    """
    from pytmva_bnn.methods.mlp.kernels import training_kernels  # lazy: numba

    plan = NetworkPlan.of(network)
    how = np.array([entropy, multiclass, False], dtype=np.int64)
    result = plan.weights.copy()
    training_kernels.sequential_pass(x, desired, weights, order, rate, result, plan.sizes, plan.kinds, how)
    return result


def swapped(targets: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return 0 .. n-1 after swapping elements i and ``targets[i]`` for i = 0 .. n-1 in turn.

    >>> swapped(np.array([1, 2, 0]))
    array([0, 2, 1])
    """
    from pytmva_bnn.methods.mlp.kernels import training_kernels  # lazy: numba

    order = np.arange(targets.size, dtype=np.int64)
    training_kernels.swaps(targets, order)
    return order


def inverse(matrix: FloatArray) -> FloatArray:
    """Return the inverse by Gauss-Jordan elimination with row pivoting; not finite if the matrix is singular.

    >>> inverse(np.array([[0.0, 2.0], [4.0, 0.0]]))
    array([[0.  , 0.25],
           [0.5 , 0.  ]])
    """
    from pytmva_bnn.methods.mlp.kernels import training_kernels  # lazy: numba

    a = np.array(matrix, dtype=np.float64)
    rows = np.arange(len(a), dtype=np.int64)
    training_kernels.eliminate(a, rows)
    result = np.empty_like(a)
    result[:, rows] = a
    return result
