"""The network in ONNX: its layers, and the uncertainty of its outputs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.convert.onnx_graph import F32, F64, I64, Graph
from pytmva_bnn.methods.mlp.network import Network


@dataclass(frozen=True)
class Layers:
    """The names of the tensors (n_events, n_neurons) of a network: inputs ``z`` of neurons, and values ``a``."""

    z: tuple[str, ...]
    a: tuple[str, ...]


def layers(graph: Graph, network: Network, x: str) -> Layers:
    """Append the network on float64 inputs ``x``."""
    z, a = [], [x]
    last = len(network.matrices) - 1
    for number, matrix in enumerate(network.matrices):
        z.append(_weighted(graph, network, matrix, a[-1]))
        a.append(activated(graph, network.output if number == last else network.hidden, z[-1]))
    return Layers(tuple(z), tuple(a))


def _weighted(graph: Graph, network: Network, matrix: NDArray[np.float64], value: str) -> str:
    weights, bias = matrix[:-1], matrix[-1:]
    if network.neuron_input == "sqsum":
        weights, bias, value = weights**2, bias**2, graph.op("Mul", value, value)
    elif network.neuron_input == "abssum":
        weights, bias, value = np.abs(weights), np.abs(bias), graph.op("Abs", value)
    return graph.op("Add", graph.op("MatMul", value, graph.constant(weights)), graph.constant(bias))


def activated(graph: Graph, name: str, z: str) -> str:
    """Append an activation function, in float64."""
    op, constant = graph.op, graph.constant
    match name:
        case "linear":
            return z
        case "sigmoid":
            # from Exp: onnxruntime's own Sigmoid is an approximation in some releases
            return op("Reciprocal", op("Add", op("Exp", op("Neg", z)), constant(1.0)))
        case "tanh":
            return op("Tanh", z)
        case "ReLU":
            return op("Max", z, constant(0.0))
        case "radial":
            return op("Exp", op("Mul", op("Mul", op("Neg", z), z), constant(0.5)))
        case "fast tanh":
            return _fast_tanh(graph, z)
    raise AssertionError(f"the activation {name} is not known")


def _fast_tanh(graph: Graph, z: str) -> str:
    op = graph.op
    q = graph.cast(op("Mul", z, z), F32)
    bracket = _horner(graph, q, (135135, 17325, 378, 1))
    numerator = graph.cast(op("Mul", z, graph.cast(bracket, F64)), F32)
    denominator = _horner(graph, q, (135135, 62370, 3150, 28))
    ratio = graph.cast(op("Div", numerator, denominator), F64)
    ratio = op("Where", op("Less", z, graph.constant(-4.97)), graph.constant(-1.0), ratio)
    return op("Where", op("Greater", z, graph.constant(4.97)), graph.constant(1.0), ratio)


def _horner(graph: Graph, q: str, coefficients: tuple[int, ...]) -> str:
    total = graph.op("Mul", q, graph.constant(coefficients[-1], F32))
    for coefficient in reversed(coefficients[1:-1]):
        total = graph.op("Mul", q, graph.op("Add", graph.constant(coefficient, F32), total))
    return graph.op("Add", graph.constant(coefficients[0], F32), total)


def _derivative(graph: Graph, name: str, z: str, a: str, ones: str) -> str:
    op, constant = graph.op, graph.constant
    match name:
        case "linear":
            return ones
        case "sigmoid":
            return op("Mul", a, op("Sub", constant(1.0), a))
        case "ReLU":
            return graph.cast(op("Greater", z, constant(0.0)), F64)
        case "radial":
            return op("Mul", op("Neg", z), a)
    return op("Sub", constant(1.0), op("Mul", a, a))


def standard_deviation(
    graph: Graph, network: Network, passed: Layers, output: int, inverse_hessian: NDArray[np.float64]
) -> str:
    """Append σ of an output neuron's input (n_events, 1): √(sᵀ A⁻¹ s), 0 if that is negative."""
    s = _sensitivities(graph, network, passed, output)
    product = graph.op("MatMul", s, graph.constant(inverse_hessian))
    variance = graph.op("ReduceSum", graph.op("Mul", product, s), graph.constant([1], I64), keepdims=1)
    zero = graph.constant(0.0)
    return graph.op("Sqrt", graph.op("Where", graph.op("Less", variance, zero), zero, variance))


def _sensitivities(graph: Graph, network: Network, passed: Layers, output: int) -> str:
    """Append dh/dw (n_events, n_weights), from the last layer to the first."""
    ones = graph.ones(passed.a[0])
    start = np.zeros((1, network.n_outputs))
    start[0, output] = 1.0
    delta = graph.constant(start)
    blocks: list[str] = []
    for number in range(len(network.matrices) - 1, -1, -1):
        matrix = network.matrices[number]
        sources = graph.op("Unsqueeze", graph.joined([passed.a[number], ones]), graph.constant([2], I64))
        outer = graph.op("Mul", sources, graph.op("Unsqueeze", delta, graph.constant([1], I64)))
        blocks.insert(0, graph.op("Reshape", outer, graph.constant([0, matrix.size], I64)))
        if number:
            back = graph.op("MatMul", delta, graph.constant(np.ascontiguousarray(matrix[:-1].T)))
            slope = _derivative(graph, network.hidden, passed.z[number - 1], passed.a[number], ones)
            delta = graph.op("Mul", back, slope)
    return graph.joined(blocks)
