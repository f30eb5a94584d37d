"""The element <Weights> of a network: its layers and the inverse Hessian."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.xmlio import reading as xml
from pytmva_bnn.xmlio import writing

if TYPE_CHECKING:
    from lxml.etree import _Element as Element
else:
    Element = Any


# Ours: the matrices of further output neurons; TMVA does not look at elements of this name
FURTHER_HESSIAN = "OutputInverseHessian"
# Ours: the factor on the error bars that toys have given; the matrices contain it
CALIBRATION = "ErrorCalibration"


def read_matrices(layout: Element, n_variables: int) -> tuple[FloatArray, ...]:
    """Read the weight matrices from <Layout>, or from <Weights> of files that have none."""
    layers = xml.counted_children(layout, "NLayers", "Layer")
    if len(layers) < 2:
        xml.fail(layout, f"a network has at least 2 layers, not {len(layers)}")
    for position, layer in enumerate(layers):
        if xml.integer(layer, "Index") != position:
            xml.fail(layer, f"Index={layer.get('Index')!r} found where {position} was expected")
    neurons = [xml.counted_children(layer, "NNeurons", "Neuron") for layer in layers]
    if len(neurons[0]) != n_variables + 1:
        xml.fail(
            layers[0],
            f"the input layer has {len(neurons[0])} neurons; {n_variables} variables and bias need {n_variables + 1}",
        )
    last = len(layers) - 1
    if not neurons[last]:
        xml.fail(layers[last], "the output layer has no neuron")
    for neuron in neurons[last]:
        if xml.count(neuron, "NSynapses"):
            xml.fail(neuron, "an output neuron has no synapses")
    matrices = []
    for position in range(last):
        n_next = len(neurons[position + 1]) - (position + 1 < last)
        if n_next < 0:
            xml.fail(layers[position + 1], "a hidden layer has at least its bias neuron")
        matrices.append(_matrix(neurons[position], n_next))
    n_bad = sum(int(np.isnan(matrix).sum()) for matrix in matrices)
    if n_bad:
        xml.warn_not_finite(f"{n_bad} of the {sum(m.size for m in matrices)} weights are")
    return tuple(matrices)


def _matrix(neurons: Sequence[Element], n_next: int) -> FloatArray:
    rows = []
    for neuron in neurons:
        announced = xml.count(neuron, "NSynapses")
        if announced != n_next:
            xml.fail(neuron, f"NSynapses={announced}, but the next layer has {n_next} neurons to connect to")
        weights = xml.numbers(neuron, announced, "weights")
        if np.abs(weights, where=~np.isnan(weights), out=np.zeros_like(weights)).max(initial=0.0) > np.finfo("f4").max:
            xml.fail(neuron, "a weight is too large: TMVA holds weights as 32-bit floats")
        rows.append(weights)
    return np.array(rows, dtype=np.float64).reshape(len(rows), n_next)


class HessianRows:
    """Takes the rows of inverse Hessians while a file streams in: they are most of it, and only their numbers are kept.

    ``rows`` has them by the number of the output neuron.
    """

    tags = ("Row",)

    def __init__(self) -> None:
        self.rows: dict[int, list[FloatArray]] = {}

    def take(self, element: Element) -> None:
        """Take the numbers out of a <Row> of an inverse Hessian."""
        parent = element.getparent()
        grandparent = None if parent is None else parent.getparent()
        if parent is None or grandparent is None or grandparent.tag != "Weights":
            return
        if parent.tag not in ("InverseHessian", FURTHER_HESSIAN):
            return
        output = 0 if parent.tag == "InverseHessian" else xml.count(parent, "Output")
        numbers = xml.readable_numbers(element, xml.count(parent, "NCols"), "elements of the inverse Hessian")
        self.rows.setdefault(output, []).append(numbers)
        element.clear()

    @classmethod
    def of(cls, weights: Element) -> HessianRows:
        """Return the rows of an element that is parsed already."""
        stream = cls()
        for row in weights.iter(*cls.tags):
            stream.take(row)
        return stream


def read_inverse_hessians(
    weights: Element, rows: Mapping[int, Sequence[FloatArray]], matrices: Sequence[FloatArray]
) -> tuple[FloatArray, ...]:
    """Return the inverse Hessians: none, that of the first output, or one for each output."""
    first = xml.optional_child(weights, "InverseHessian")
    further = weights.findall(FURTHER_HESSIAN)
    found = [] if first is None else [first, *further]
    if first is None and further:
        xml.fail(further[0], "the element <InverseHessian> of the first output is missing")
    if further and len(found) != matrices[-1].shape[1]:
        xml.fail(weights, f"{len(found)} inverse Hessians for {matrices[-1].shape[1]} outputs")
    n_weights = sum(matrix.size for matrix in matrices)
    return tuple(_inverse_hessian(element, rows.get(k, ()), n_weights) for k, element in enumerate(found))


def _inverse_hessian(element: Element, rows: Sequence[FloatArray], n_weights: int) -> FloatArray:
    shape = xml.count(element, "NRows"), xml.count(element, "NCols")
    if shape != (n_weights, n_weights) or len(rows) != n_weights:
        xml.fail(
            element,
            f"NRows={shape[0]}, NCols={shape[1]} and {len(rows)} rows; the network has {n_weights} weights, so it must "
            f"be {n_weights} x {n_weights}",
        )
    return np.array(rows)


def read_error_factor(weights: Element) -> float | None:
    """Return the factor that toys have given, None if there were none."""
    element = xml.optional_child(weights, CALIBRATION)
    return None if element is None else xml.number(element, "Factor")


def weights_lines(
    matrices: Sequence[FloatArray],
    inverse_hessians: Sequence[FloatArray],
    *,
    layout_element: bool,
    error_factor: float | None = None,
) -> writing.Lines:
    """Yield the element <Weights>."""
    n_layers = [("NLayers", len(matrices) + 1)]
    if layout_element:
        yield "  <Weights>"
        yield from writing.element(2, "Layout", n_layers, _layers(3, matrices))
    else:
        yield writing.start(1, "Weights", n_layers)
        yield from _layers(2, matrices)
    for output, matrix in enumerate(inverse_hessians):
        name, attributes = ("InverseHessian", []) if output == 0 else (FURTHER_HESSIAN, [("Output", output)])
        yield from _hessian_lines(name, attributes, matrix)
    if error_factor is not None:
        yield writing.empty(2, CALIBRATION, [("Factor", f"{error_factor:.16e}")])
    yield "  </Weights>"


def _layers(level: int, matrices: Sequence[FloatArray]) -> writing.Lines:
    for index, matrix in enumerate(matrices):
        yield writing.start(level, "Layer", [("Index", index), ("NNeurons", matrix.shape[0])])
        for row in matrix:
            yield from writing.numbers(level + 1, "Neuron", [("NSynapses", len(row))], row, "%.16e")
        yield f"{'  ' * level}</Layer>"
    n_outputs = matrices[-1].shape[1]
    outputs = (writing.empty(level + 1, "Neuron", [("NSynapses", 0)]) for _ in range(n_outputs))
    yield from writing.element(level, "Layer", [("Index", len(matrices)), ("NNeurons", n_outputs)], outputs)


def _hessian_lines(name: str, attributes: writing.Attributes, matrix: FloatArray) -> writing.Lines:
    n = len(matrix)
    yield writing.start(2, name, [*attributes, ("NElements", n * n), ("NRows", n), ("NCols", n)])
    for index, row in enumerate(matrix):
        yield from writing.numbers(3, "Row", [("Index", index)], row, "%.16e")
    yield f"    </{name}>"
