"""The network in ONNX: its layers, and the uncertainty of its outputs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.errors import InputError
from pytmva_bnn.methods.answers import OnnxOutputs
from pytmva_bnn.methods.mlp.network import Network, activation
from pytmva_bnn.onnxio.graph import F32, F64, I64, Graph


@dataclass(frozen=True)
class Layers:
    """The names of the tensors (n_events, n_neurons) of a network: inputs ``z`` of neurons, and values ``a``."""

    z: tuple[str, ...]
    a: tuple[str, ...]


_LARGEST_BYTES = 2**31 - 2**20
"""An ONNX file of one piece has less than 2 GiB."""


def onnx_outputs(
    graph: Graph, network: Network, x: str, inverse_hessians: Sequence[FloatArray], *, is_softmax: bool = False
) -> OnnxOutputs:
    """Append the network and, with inverse Hessians, the uncertainty of its output neurons.

    Of a softmax there is one matrix, and the uncertainty is that of the logits of the classes.
    """
    if network.n_weights**2 * 8 * len(inverse_hessians) > _LARGEST_BYTES:
        raise InputError(
            f"the inverse Hessian of {network.n_weights} weights is too large for ONNX (2 GiB); write the network "
            "without error bars"
        )
    passed = layers(graph, network, x)
    if not inverse_hessians:
        return OnnxOutputs(passed.a[-1])
    if is_softmax:
        logits = [_class_logit(graph, passed.z[-1], network.n_outputs, k) for k in range(network.n_outputs)]
        of_classes = (standard_deviation(graph, network, passed, delta, inverse_hessians[0]) for _, delta in logits)
        sigmas, h = graph.joined(list(of_classes)), graph.joined([logit for logit, _ in logits])
        return OnnxOutputs(passed.a[-1], h, sigmas, lambda z: activation("sigmoid").onnx(graph, z))
    sigma = [standard_deviation(graph, network, passed, k, matrix) for k, matrix in enumerate(inverse_hessians)]
    return OnnxOutputs(
        passed.a[-1], passed.z[-1], graph.joined(sigma), lambda z: activation(network.output).onnx(graph, z)
    )


def onnx_probabilities(graph: Graph, outputs: str, n_outputs: int) -> str:
    """Append the probabilities of the classes for outputs in float32."""
    return graph.joined([_probability(graph, outputs, number) for number in range(n_outputs)])


def _probability(graph: Graph, outputs: str, number: int) -> str:
    """Append 1/Σ_j exp(t_j - t_i); the term j = i is the 1 of TMVA's formula."""
    differences = graph.cast(graph.op("Sub", outputs, graph.column(outputs, number)), F64)
    norm = graph.op("ReduceSum", graph.op("Exp", differences), graph.constant([1], I64), keepdims=1)
    return graph.cast(graph.op("Reciprocal", norm), F32)


def _class_logit(graph: Graph, h: str, n_classes: int, number: int) -> tuple[str, str]:
    """Append the logit (n_events, 1) of a class against the rest and its derivatives (n_events, n_classes)."""
    others = graph.joined([graph.column(h, other) for other in range(n_classes) if other != number])
    largest = graph.op("ReduceMax", others, axes=[1], keepdims=1)
    shares = graph.op("Exp", graph.op("Sub", others, largest))
    total = graph.op("ReduceSum", shares, graph.constant([1], I64), keepdims=1)
    logit = graph.op("Sub", graph.op("Sub", graph.column(h, number), largest), graph.op("Log", total))
    slopes = graph.op("Neg", graph.op("Div", shares, total))
    columns = [graph.column(slopes, other) for other in range(n_classes - 1)]
    return logit, graph.joined([*columns[:number], graph.ones(h), *columns[number:]])


def layers(graph: Graph, network: Network, x: str) -> Layers:
    """Append the network on float64 inputs ``x``."""
    z, a = [], [x]
    last = len(network.matrices) - 1
    for number, matrix in enumerate(network.matrices):
        z.append(_weighted(graph, network, matrix, a[-1]))
        a.append(activation(network.output if number == last else network.hidden).onnx(graph, z[-1]))
    return Layers(tuple(z), tuple(a))


def _weighted(graph: Graph, network: Network, matrix: FloatArray, value: str) -> str:
    weights, bias = matrix[:-1], matrix[-1:]
    if network.neuron_input == "sqsum":
        weights, bias, value = weights**2, bias**2, graph.op("Mul", value, value)
    elif network.neuron_input == "abssum":
        weights, bias, value = np.abs(weights), np.abs(bias), graph.op("Abs", value)
    return graph.op("Add", graph.op("MatMul", value, graph.constant(weights)), graph.constant(bias))


def standard_deviation(
    graph: Graph, network: Network, passed: Layers, output: int | str, inverse_hessian: FloatArray
) -> str:
    """Append σ of an output neuron's input (n_events, 1): √(sᵀ A⁻¹ s), 0 if that is negative.

    Instead of a number, ``output`` may be a tensor with the derivatives of some function of all these inputs.
    """
    s = _sensitivities(graph, network, passed, output)
    product = graph.op("MatMul", s, graph.constant(inverse_hessian))
    variance = graph.op("ReduceSum", graph.op("Mul", product, s), graph.constant([1], I64), keepdims=1)
    zero = graph.constant(0.0)
    return graph.op("Sqrt", graph.op("Where", graph.op("Less", variance, zero), zero, variance))


def _sensitivities(graph: Graph, network: Network, passed: Layers, output: int | str) -> str:
    """Append dh/dw (n_events, n_weights), from the last layer to the first."""
    ones = graph.ones(passed.a[0])
    delta = output if isinstance(output, str) else graph.constant(np.eye(network.n_outputs)[[output]])
    blocks: list[str] = []
    for number in range(len(network.matrices) - 1, -1, -1):
        matrix = network.matrices[number]
        sources = graph.op("Unsqueeze", graph.joined([passed.a[number], ones]), graph.constant([2], I64))
        outer = graph.op("Mul", sources, graph.op("Unsqueeze", delta, graph.constant([1], I64)))
        blocks.insert(0, graph.op("Reshape", outer, graph.constant([0, matrix.size], I64)))
        if number:
            back = graph.op("MatMul", delta, graph.constant(np.ascontiguousarray(matrix[:-1].T)))
            slope = activation(network.hidden).onnx_derivative(graph, passed.z[number - 1], passed.a[number])
            delta = graph.op("Mul", back, slope)
    return graph.joined(blocks)
