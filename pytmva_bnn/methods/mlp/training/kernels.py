"""The arithmetic on one block of events: the only part of a training that takes time.

Everything is float64; a block's arrays are ``(n_neurons, n_events)``, see samples.Block.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.methods.mlp.multiclass import softmax
from pytmva_bnn.methods.mlp.network import Network, Propagation, activation, output_sensitivities
from pytmva_bnn.methods.mlp.network.forward import propagate_rows
from pytmva_bnn.methods.mlp.training.samples import Block
from pytmva_bnn.methods.mlp.training.settings import Estimator

#: multiplications in one BLAS product at most.  OpenBLAS shares out larger ones between threads, after which the last
#: bits depend on the number of threads (and small machines are slower).
_PRODUCT_AT_MOST = 1 << 18
#: the same for the product of a matrix and a vector
_VECTOR_PRODUCT_AT_MOST = 36_000
_TILE = 64
_BLOCK_AT_MOST, _BLOCK_AT_LEAST = 2048, 32
#: numbers in an array of events x weights at most
_SENSITIVITIES_AT_ONCE = 1 << 18


def block_size(network: Network) -> int:
    """Return how many events a block has: results are added block by block in order."""
    most = min(
        (_VECTOR_PRODUCT_AT_MOST if 1 in matrix.shape else _PRODUCT_AT_MOST) // max(matrix.size, 1)
        for matrix in network.matrices
    )
    return max(_BLOCK_AT_LEAST, min(_BLOCK_AT_MOST, most))


def propagate(network: Network, block: Block) -> Propagation:
    """Run the block through the network, by matrix products."""
    return propagate_rows(network, block.inputs, _weighted_input)


def _weighted_input(network: Network, matrix: FloatArray, value: FloatArray) -> FloatArray:
    if network.neuron_input == "sum":
        return matrix.T @ value
    if network.neuron_input == "sqsum":
        return np.square(matrix).T @ np.square(value)
    return np.abs(matrix).T @ np.abs(value)


def cross_entropies(h: FloatArray, y: FloatArray, desired: FloatArray) -> FloatArray:
    """Return ``-[t log y + (1-t) log(1-y)]`` for ``t`` in {0, 1} and ``y = sigmoid(h)``.

    Where ``y`` rounds to the wrong end, the limit ``|h|`` is meant, not infinity.
    """
    probability = np.where(desired > 0.5, y, 1.0 - y)
    with np.errstate(divide="ignore"):
        result = -np.log(probability)
    wrong = probability == 0.0
    if wrong.any():
        result[wrong] = np.abs(h[wrong])
    return result


def softmax_entropies(h: FloatArray, desired: FloatArray) -> FloatArray:
    """Return ``-log p_c`` with ``c`` the class of the event, ``p`` the softmax of ``h``; ``(1, m)``."""
    largest = h.max(axis=0)
    entropies = largest + np.log(np.exp(h - largest).sum(axis=0)) - (desired * h).sum(axis=0)
    return np.asarray(entropies[np.newaxis], dtype=np.float64)


def errors_of_events(passed: Propagation, block: Block, estimator: Estimator) -> FloatArray:
    """Return the error of each event and output, ``(n_outputs, m)``, without the event weights.

    The entropy of a softmax is one number for all outputs: ``(1, m)``.
    """
    y = passed.values[-1]
    if estimator is Estimator.SOFTMAX:
        return softmax_entropies(passed.neuron_inputs[-1], block.desired)
    if estimator is Estimator.CE:
        return cross_entropies(passed.neuron_inputs[-1], y, block.desired)
    difference = y - block.desired
    return 0.5 * difference * difference


def error(network: Network, block: Block, estimator: Estimator) -> float:
    """Return the block's contribution to the minimised error."""
    return _sum(errors_of_events(propagate(network, block), block, estimator), block)


def _sum(errors: FloatArray, block: Block) -> float:
    return float((errors * block.weights).sum())


def error_and_gradient(network: Network, block: Block, estimator: Estimator) -> tuple[float, FloatArray]:
    """Return the block's contributions to the minimised error and to its derivative by the weights."""
    passed = propagate(network, block)
    total = _sum(errors_of_events(passed, block, estimator), block)
    return total, back_propagated(network, passed, output_deltas(network, passed, block, estimator))


def output_deltas(
    network: Network, passed: Propagation, block: Block, estimator: Estimator, *, multiclass: bool = False
) -> FloatArray:
    """Return the derivative of the error by the output neurons' inputs, ``(n_outputs, m)``, weighted.

    With ``multiclass`` the error is the entropy of the softmax of the outputs, as back-propagation has it.
    """
    is_softmax = multiclass or estimator is Estimator.SOFTMAX
    y = softmax(passed.neuron_inputs[-1]) if is_softmax else passed.values[-1]
    difference = y - block.desired
    difference *= block.weights
    if is_softmax or estimator is Estimator.CE or network.output == "linear":
        # of a sigmoid or softmax with its entropy the derivatives cancel
        return difference
    return difference * activation(network.output).derivative(passed.neuron_inputs[-1], y)


def back_propagated(network: Network, passed: Propagation, delta: FloatArray) -> FloatArray:
    """Return the sum over events of ``delta_post a_pre`` for every weight, from the output neurons' ``delta``."""
    hidden = activation(network.hidden)
    parts: list[FloatArray] = []
    for number in range(len(network.matrices) - 1, -1, -1):
        matrix, value = network.matrices[number], passed.with_bias[number]
        parts.append((value @ delta.T).ravel())
        if number:
            # TMVA: the derivative of `sum` is taken whatever NeuronInputType is
            back = matrix[:-1] @ delta
            back *= hidden.derivative(passed.neuron_inputs[number - 1], value[:-1])
            delta = back
    return np.concatenate(parts[::-1])


def gauss_newton(
    network: Network, block: Block, output: int, *, weighted: bool, in_order: bool, is_softmax: bool = False
) -> FloatArray:
    """Return the block's ``sum_i c_i g_i g_i'`` of an output neuron, ``(n_weights, n_weights)``.

    ``g = dh/dw`` and ``c = dy/dh`` of the output neuron (1 for a linear one), times the event weight if ``weighted``.
    Of a softmax ``g = dh_k/dw - sum_j p_j dh_j/dw`` and ``c = p_k`` for output ``k``: the sum over the outputs is
    ``G' (diag(p) - p p') G`` with ``G`` the derivatives of all of them.  ``in_order`` adds event by event, which is
    slower.
    """
    total = np.zeros((network.n_weights, network.n_weights))
    for part in block.parts(max(_TILE, _SENSITIVITIES_AT_ONCE // network.n_weights)):
        passed = propagate(network, part)
        if is_softmax:
            p = softmax(passed.neuron_inputs[-1])
            c, delta = p[output], -p
            delta[output] += 1.0
            g = output_sensitivities(network, passed, delta)
        else:
            g = output_sensitivities(network, passed, output)
            c = activation(network.output).derivative(passed.neuron_inputs[-1][output], passed.values[-1][output])
        if weighted:
            c = c * part.weights
        cg = g * c[:, np.newaxis]
        if in_order:
            total += np.einsum("ij,ik->jk", g, cg)
        else:
            _add_products(total, g, cg)
    return total


def score_products(
    network: Network, block: Block, estimator: Estimator, output_weights: FloatArray | None
) -> FloatArray:
    """Return the block's ``sum_i s_i s_i'``, ``s = sum_k lambda_k dE_k/dh_k dh_k/dw`` being an event's gradient."""
    total = np.zeros((network.n_weights, network.n_weights))
    for part in block.parts(max(_TILE, _SENSITIVITIES_AT_ONCE // network.n_weights)):
        passed = propagate(network, part)
        deltas = output_deltas(network, passed, part, estimator)
        if output_weights is not None:
            deltas = deltas * output_weights[:, np.newaxis]
        scores = np.zeros((part.weights.size, network.n_weights))
        for output, delta in enumerate(deltas):
            scores += output_sensitivities(network, passed, output) * delta[:, np.newaxis]
        _add_products(total, scores, scores)
    return total


def _add_products(total: FloatArray, g: FloatArray, cg: FloatArray) -> None:
    """Add ``g' cg``, which is symmetric, to ``total``, in tiles that BLAS does not share out between threads."""
    n_events, n_weights = g.shape
    for row in range(0, n_weights, _TILE):
        left = np.ascontiguousarray(g[:, row : row + _TILE])
        for column in range(row, n_weights, _TILE):
            right = np.ascontiguousarray(cg[:, column : column + _TILE])
            tile = np.zeros((left.shape[1], right.shape[1]))
            for start in range(0, n_events, _TILE):
                tile += left[start : start + _TILE].T @ right[start : start + _TILE]
            total[row : row + _TILE, column : column + _TILE] += tile
            if column > row:
                total[column : column + _TILE, row : row + _TILE] += tile.T


@np.errstate(over="ignore", invalid="ignore")  # who trains asks whether the weights are finite
def sequential_pass(
    network: Network, block: Block, order: Sequence[int], estimator: Estimator, rate: float, multiclass: bool
) -> Network:
    """Return the network after one step of back-propagation for each event of the block in the given order."""
    current = network.with_flat_weights(network.flat_weights().copy())
    matrices = current.matrices
    inputs, desired, weights = block.inputs.T.copy(), block.desired.T.copy(), block.weights.tolist()
    last = len(matrices) - 1
    f, f_prime = activation(network.hidden).value, activation(network.hidden).derivative
    g, g_prime = (softmax if multiclass else activation(network.output).value), activation(network.output).derivative
    is_entropy = multiclass or estimator is Estimator.CE or network.output == "linear"
    is_sum = network.neuron_input == "sum"
    # inputs and values of the hidden neurons, the bias neuron's 1 last; values[0] is the event itself
    zs = [np.empty(0)] * len(matrices)
    values = [np.ones(matrix.shape[0]) for matrix in matrices]
    for i in order:
        values[0] = inputs[i]
        for number, matrix in enumerate(matrices):
            z = np.dot(values[number], matrix) if is_sum else _weighted_input(network, matrix, values[number])
            if number < last:
                zs[number] = z
                values[number + 1][:-1] = f(z)
        y = g(z)
        delta = (y - desired[i]) * weights[i]
        if not is_entropy:
            delta = delta * g_prime(z, y)
        # all deltas are computed before any weight changes: the delta of the layer below before the step of this one
        for number in range(last, -1, -1):
            matrix, value = matrices[number], values[number]
            step = value[:, np.newaxis] * (delta * rate)
            if number:
                delta = np.dot(matrix[:-1], delta) * f_prime(zs[number - 1], value[:-1])
            np.subtract(matrix, step, out=matrix)
    return current
