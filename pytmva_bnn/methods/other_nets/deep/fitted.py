"""A trained deep network: its responses, and what people and other programs see of it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pytmva_bnn._typing import Float32Array, FloatArray
from pytmva_bnn.errors import InputError
from pytmva_bnn.methods.answers import Inspection, OnnxOutputs
from pytmva_bnn.methods.mlp.network import activation
from pytmva_bnn.methods.other_nets.deep.layers import ACTIVATIONS, KINDS, Layer, Shape, norm_factors
from pytmva_bnn.methods.other_nets.deep.xml import DL, DNN, LOSSES, OUTPUT_FUNCTIONS, NumberFormat, weights_lines
from pytmva_bnn.methods.protocol import Fitted
from pytmva_bnn.onnxio.graph import Graph
from pytmva_bnn.weights import Dialect, WeightFile

NAN_RESPONSE = -999.0
_BLOCK_NUMBERS = 1 << 19
"""Numbers that a block of events has in its widest layer."""


@dataclass(frozen=True, eq=False)
class FittedDeep(Fitted):
    """A DL or DNN as its file has it; TMVA computes in float32, here the numbers of the file go through float64."""

    kind: str
    attributes: tuple[tuple[str, str], ...]
    layers: tuple[Layer, ...]
    numbers: NumberFormat
    is_classification: bool = True

    noun = "deep network"

    @property
    def output_function(self) -> str:
        """Return what is done to the values of the last layer."""
        return OUTPUT_FUNCTIONS[dict(self.attributes)["OutputFunction"]]

    @property
    def is_probability(self) -> bool:  # type: ignore[override]
        """Tell whether the response is a probability."""
        return self.output_function == "sigmoid"

    @cached_property
    def shapes(self) -> tuple[Shape, ...]:
        """Return depth, height and width of the input and behind each layer."""
        sizes = [int(dict(self.attributes)[name]) for name in (DL if self.kind == "DL" else DNN).inputs]
        depth, height, width = [*[1] * (3 - len(sizes)), *sizes]
        shapes = [(depth, height, width)]
        before = ""
        for layer in self._layers:
            shapes.append(KINDS[layer.tag].shape(layer, shapes[-1], before))
            before = layer.tag
        return tuple(shapes)

    @cached_property
    def _layers(self) -> tuple[Layer, ...]:
        """Return the layers with the names of DL."""
        if self.kind == "DL":
            return self.layers
        return tuple(
            Layer(
                "DenseLayer", (("Width", str(len(dict(layer.matrices)["Weights"]))), *layer.attributes), layer.matrices
            )
            for layer in self.layers
        )

    @property
    def n_outputs(self) -> int:  # type: ignore[override]
        """Return the number of outputs."""
        return 1 if self.is_classification else math.prod(self.shapes[-1])

    # -- responses

    def respond(self, x: Float32Array) -> FloatArray:
        """Return the outputs."""
        outputs = np.empty((len(x), self.n_outputs))
        size = max(1, _BLOCK_NUMBERS // self._widest)
        for start in range(0, len(x), size):
            part = slice(start, start + size)
            outputs[part] = self._outputs(x[part].astype(np.float64))[:, : self.n_outputs]
        if self.is_classification:
            # TMVA: what is not a number
            outputs[np.isnan(outputs)] = NAN_RESPONSE
        return outputs

    @cached_property
    def _widest(self) -> int:
        """Return the numbers that an event has at most in a layer, the windows of convolutions unfolded."""
        unfolded = [
            math.prod(shape[1:]) * int(layer.values["Weights"].shape[1])
            for layer, shape in zip(self._layers, self.shapes[1:], strict=True)
            if layer.tag == "ConvLayer"
        ]
        return max([*map(math.prod, self.shapes), *unfolded])

    def _outputs(self, x: FloatArray) -> FloatArray:
        with np.errstate(all="ignore"):
            x = x.reshape(len(x), *self.shapes[0])
            for layer, shape in zip(self._layers, self.shapes[1:], strict=True):
                x = KINDS[layer.tag].apply(layer, x, shape)
            z = x.reshape(len(x), -1)
            if self.output_function == "sigmoid":
                return activation("sigmoid").value(z)
            if self.output_function == "softmax":
                # TMVA: exp(z) itself, which overflows in float32 from 89 on
                z = np.exp(z - z.max(axis=1, keepdims=True))
                return np.asarray(z / z.sum(axis=1, keepdims=True))
            return z

    def why_no_errors(self) -> str:
        """Return why there are no error bars."""
        return "TMVA's deep networks have none"

    # -- weight file, people and other programs

    def write(self, dialect: Dialect) -> Iterator[str]:
        """Yield the element <Weights>."""
        del dialect
        return weights_lines(self.attributes, self.layers, self.numbers, DL if self.kind == "DL" else DNN)

    @property
    def summary(self) -> str:
        """Return the number of layers and weights."""
        return f"{len(self.layers)} layers, {self.n_weights:,} weights"

    @property
    def n_weights(self) -> int:
        """Return how many numbers the matrices have."""
        return sum(matrix.size for layer in self.layers for _, matrix in layer.matrices)

    def describe(self) -> list[tuple[str, str]]:
        """Return the layers."""
        rows = [("input", _words(self.shapes[0]))]
        for number, (layer, shape) in enumerate(zip(self._layers, self.shapes[1:], strict=True), start=1):
            words = [layer.tag.removesuffix("Layer"), _words(shape), layer.activation]
            rows.append((f"layer {number}", ", ".join(filter(None, words))))
        loss = LOSSES.get(dict(self.attributes).get("LossFunction", ""), "not known")
        return [*rows, ("output", self.output_function), ("trained with", loss), ("weights", f"{self.n_weights:,}")]

    def inspection(self, head: WeightFile) -> Inspection:
        """Return the layers with their sizes."""
        found = super().inspection(head)
        layers = [
            {"kind": layer.tag, "shape": list(shape), "activation": layer.activation or None}
            for layer, shape in zip(self._layers, self.shapes[1:], strict=True)
        ]
        data: Mapping[str, object] = {
            "input": list(self.shapes[0]),
            "layers": layers,
            "output": self.output_function,
            "weights": self.n_weights,
        }
        return Inspection(found.headline, {"network": data}, found.sections)

    def onnx(self, graph: Graph, x: str, *, errors: bool) -> OnnxOutputs:
        """Append the network, if it has dense layers, reshapes and normalisations of single numbers only."""
        del errors
        for layer, shape in zip(self._layers, self.shapes[:-1], strict=True):
            if layer.tag == "DenseLayer":
                weights, bias = layer.values["Weights"].T, layer.values["Biases"].T
                z = graph.op("Add", graph.op("MatMul", x, graph.constant(weights)), graph.constant(bias))
                x = _onnx_activation(graph, z, layer.numbers["ActivationFunction"])
            elif layer.tag == "BatchNormLayer" and len(norm_factors(layer)[0]) == math.prod(shape):
                factor, offset = (graph.constant(one[np.newaxis]) for one in norm_factors(layer))
                x = graph.op("Add", graph.op("Mul", x, factor), offset)
            elif layer.tag != "ReshapeLayer":
                raise InputError(f"a deep network with a {layer.tag} cannot be written as ONNX")
        if self.output_function == "sigmoid":
            x = activation("sigmoid").onnx(graph, x)
        elif self.output_function == "softmax":
            x = graph.op("Softmax", x, axis=1)
        return OnnxOutputs(graph.column(x, 0) if self.is_classification else x)


def _words(shape: Shape) -> str:
    depth, height, width = shape
    return str(width) if depth == height == 1 else f"{depth} x {height} x {width}"


def _onnx_activation(graph: Graph, z: str, code: int) -> str:
    names = {"identity": "linear", "ReLU": "ReLU", "sigmoid": "sigmoid", "tanh": "tanh"}
    name = ACTIVATIONS[code][0]
    if name in names:
        return activation(names[name]).onnx(graph, z)
    if name == "Gauss":
        return graph.op("Exp", graph.op("Neg", graph.op("Mul", z, z)))
    size = graph.op("Abs", z)
    return size if name == "|x|" else graph.op("Div", z, graph.op("Add", graph.constant(1.0), size))
