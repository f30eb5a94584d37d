"""The element <Weights> of DL and DNN."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.methods.other_nets.deep.layers import ACTIVATIONS, KINDS, Layer, Shape
from pytmva_bnn.xmlio import reading as xml
from pytmva_bnn.xmlio import writing

if TYPE_CHECKING:
    from lxml.etree import _Element as Element
else:
    Element = Any

Attributes = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class NumberFormat:
    """How a file writes matrices: the form of a number, what follows each, and whether each row has a line."""

    form: str
    separator: str
    by_row: bool = False

    @classmethod
    def of(cls, element: Element) -> NumberFormat | None:
        """Return the format of the numbers in an element, None if it cannot tell it."""
        text = element.text or ""
        found = re.search(r"([-+]?\d+\.(\d+)e[-+]\d+)([ \t]*)", text)
        if found is None:
            return None
        return cls(f"%.{len(found[2])}e", found[3] or " ", len(text.strip().splitlines()) > 1)

    def lines(self, level: int, name: str, attributes: Attributes, matrix: FloatArray) -> writing.Lines:
        """Yield a matrix."""
        rows = matrix if self.by_row else matrix.reshape(1, -1)
        text = ("".join(writing.number(self.form, value) + self.separator for value in row) for row in rows.tolist())
        return writing.element(level, name, attributes, [f"{'  ' * (level + 1)}{line}" for line in text])


@dataclass(frozen=True)
class Dialect:
    """Where DL and DNN differ: the names of things in their files, and how matrices are written by default."""

    n_layers: str
    inputs: tuple[str, ...]
    rows: str
    columns: str
    numbers: NumberFormat


DL = Dialect("NetDepth", ("InputDepth", "InputHeight", "InputWidth"), "Rows", "Columns", NumberFormat("%.9e", "  "))
DNN = Dialect("Depth", ("InputWidth",), "rows", "cols", NumberFormat("%.16e", " "))
OUTPUT_FUNCTIONS = {"I": "identity", "S": "sigmoid", "M": "softmax"}
LOSSES = {"C": "cross-entropy", "R": "mean squared error", "S": "softmax cross-entropy"}


def attributes_of(element: Element) -> Attributes:
    """Return all attributes as they are."""
    return tuple((str(name), str(value)) for name, value in element.attrib.items())


def read_network(weights: Element, dialect: Dialect) -> tuple[Attributes, tuple[Layer, ...], NumberFormat]:
    """Return attributes, layers and the form of the numbers of the element <Weights>."""
    function = xml.attribute(weights, "OutputFunction")
    if function not in OUTPUT_FUNCTIONS:
        xml.fail(weights, f"OutputFunction={function!r} is not one of {', '.join(OUTPUT_FUNCTIONS)}")
    elements, announced = list(xml.children(weights)), xml.count(weights, dialect.n_layers)
    if len(elements) != announced or not elements:
        xml.fail(weights, f"{dialect.n_layers}={announced}, but there are {len(elements)} layers")
    shape, before = input_shape(weights, dialect), ""
    layers = []
    for element in elements:
        layer, shape = _layer(element, shape, before, dialect)
        layers.append(layer)
        before = layer.tag
    formats = (NumberFormat.of(matrix) for element in elements for matrix in xml.children(element))
    return attributes_of(weights), tuple(layers), next((one for one in formats if one), dialect.numbers)


def input_shape(weights: Element, dialect: Dialect) -> Shape:
    """Return depth, height and width of the input."""
    sizes = [xml.count(weights, name) for name in dialect.inputs]
    depth, height, width = [*[1] * (3 - len(sizes)), *sizes]
    return depth, height, width


def _layer(element: Element, shape: Shape, before: str, dialect: Dialect) -> tuple[Layer, Shape]:
    tag = str(element.tag)
    if dialect is DNN:
        if tag != "Layer":
            xml.fail(element, "only elements <Layer> are expected here")
        layer = Layer(tag, attributes_of(element), _matrices(element, dialect))
        width = dict(layer.matrices).get("Weights", np.empty((0, 0))).shape[0]
        needed: Mapping[str, tuple[int, int]] = {"Weights": (width, math.prod(shape)), "Biases": (width, 1)}
        after = (1, 1, width)
    else:
        if tag not in KINDS:
            xml.fail(element, f"unknown kind of layer; known: {', '.join(KINDS)}")
        for name in KINDS[tag].attributes:
            xml.count(element, name)
        for name in KINDS[tag].reals:
            xml.number(element, name)
        layer = Layer(tag, attributes_of(element), _matrices(element, dialect))
        try:
            after = KINDS[tag].shape(layer, shape, before)
        except ValueError as error:
            xml.fail(element, str(error))
        needed = KINDS[tag].matrices(layer, shape, before)
    if "ActivationFunction" in layer.numbers or dialect is DNN:
        code = xml.count(element, "ActivationFunction")
        if code >= len(ACTIVATIONS):
            xml.fail(element, f"ActivationFunction={code} is unknown; known: 0 to {len(ACTIVATIONS) - 1}")
    _check_matrices(element, layer, needed)
    if math.prod(after) == 0:
        xml.fail(element, "the layer has no neurons")
    return layer, after


def _matrices(element: Element, dialect: Dialect) -> tuple[tuple[str, FloatArray], ...]:
    found = []
    for child in xml.children(element):
        n_rows, n_columns = xml.count(child, dialect.rows), xml.count(child, dialect.columns)
        values = xml.readable_numbers(child, n_rows * n_columns, "matrix elements")
        if np.abs(values).max(initial=0.0) > xml.LARGEST_FLOAT32:
            xml.fail(child, "a number is too large: TMVA holds these as 32-bit floats")
        found.append((str(child.tag), values.reshape(n_rows, n_columns)))
    return tuple(found)


def _check_matrices(element: Element, layer: Layer, needed: Mapping[str, tuple[int, int]]) -> None:
    found = {name: matrix.shape for name, matrix in layer.matrices}
    if sorted(name for name, _ in layer.matrices) != sorted(needed):
        xml.fail(element, f"its matrices must be {', '.join(needed)}, not {', '.join(found) or 'none'}")
    for name, shape in needed.items():
        if found[name] != shape:
            xml.fail(
                xml.child(element, name),
                f"the matrix is {found[name][0]} x {found[name][1]}; {shape[0]} x {shape[1]} is expected here",
            )


def weights_lines(
    attributes: Attributes, layers: tuple[Layer, ...], numbers: NumberFormat, dialect: Dialect
) -> Iterator[str]:
    """Yield the element <Weights>."""
    yield writing.start(1, "Weights", attributes)
    for layer in layers:
        content = [
            line
            for name, matrix in layer.matrices
            for line in numbers.lines(
                3, name, ((dialect.rows, str(len(matrix))), (dialect.columns, str(matrix.shape[1]))), matrix
            )
        ]
        yield from writing.element(2, layer.tag, layer.attributes, content)
    yield "  </Weights>"
