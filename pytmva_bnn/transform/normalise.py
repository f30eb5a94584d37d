"""Normalisation N, x → [-1, 1] by the range of the training events, and scaling S by the largest |x|."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from pytmva_bnn._typing import AnyArray, Float32Array
from pytmva_bnn.cpp import literals
from pytmva_bnn.errors import InputError
from pytmva_bnn.events.variables import VariableRecord
from pytmva_bnn.onnxio.graph import F32, F64, Graph
from pytmva_bnn.reductions.extremes import over_rows
from pytmva_bnn.transform.compiled import NORMALISE, SCALE
from pytmva_bnn.transform.selection import Selection
from pytmva_bnn.transform.step import (
    Code,
    Element,
    Place,
    Sample,
    Step,
    check_index,
    for_each_input,
    indented,
    parameter_elements,
)
from pytmva_bnn.xmlio import reading as xml
from pytmva_bnn.xmlio import writing
from pytmva_bnn.xmlio.dialect import Dialect
from pytmva_bnn.xmlio.reading import LARGEST_FLOAT32
from pytmva_bnn.xmlio.writing import Lines

ONE = np.float32(1)
TWO = np.float32(2)
LONG_ROW = 512


@dataclass(frozen=True, eq=False)
class Normalisation(Step):
    """Parameters of N (``offset``) or S (no ``offset``): ranges (n_sets, n_inputs), float32.

    Without a selection (TMVA <= 4.1.0) the inputs are all variables, then all targets.
    """

    minima: Float32Array
    maxima: Float32Array
    offset: bool = True

    title = "Normalize"
    xml_names = ("Normalize",)
    letters = "NS"
    parameters = ("minima", "maxima")
    takes_targets = True

    def check(self, n_inputs: int) -> None:
        for name, ranges in (("minima", self.minima), ("maxima", self.maxima)):
            shape = np.shape(ranges)
            if len(shape) != 2 or shape[0] == 0 or shape[1] != n_inputs:
                raise InputError(
                    f"transformation {self.title}: {name} must have the shape (n_sets, {n_inputs}), got {shape}"
                )

    def apply(self, x: Float32Array) -> Float32Array:
        k = x.shape[1]
        function = normalise if self.offset else scale
        return function(x, self.minima[-1][:k], self.maxima[-1][:k])

    def invert(self, y: AnyArray, positions: slice | list[int]) -> AnyArray:
        function = denormalise if self.offset else unscale
        return function(y, self.minima[-1][positions], self.maxima[-1][positions])

    # -- fit: weights do not matter, and NaN values do not count

    @classmethod
    def fit(cls, letter: str, sample: Sample, selection: Selection | None) -> Self:
        n_events = len(sample.x)
        if n_events < 2:
            raise InputError(
                f"Not enough events (found {n_events}) to calculate the normalization; at least 2 are needed"
            )
        largest = np.finfo(np.float32).max  # TMVA: the range of no events is [largest, -largest]

        def limits(x: Float32Array) -> Float32Array:
            return np.stack([over_rows(np.fmin, x, initial=largest), over_rows(np.fmax, x, initial=-largest)])

        minima, maxima = np.stack(sample.for_each_set(limits, sample.x), axis=1)
        return cls(selection, minima, maxima, letter == "N")

    # -- XML

    @classmethod
    def read_xml(cls, element: Element, selection: Selection | None, n_inputs: int) -> Self:
        sets = parameter_elements(element)
        if not sets:
            xml.fail(element, "the element <Class> with the ranges is missing")
        ranges = np.empty((2, len(sets), n_inputs), dtype=np.float32)
        for position, item in enumerate(sets):
            check_index(item, "ClassIndex", position)
            found = _old_ranges(item) if selection is None else _ranges(xml.child(item, "Ranges"), "Index")
            if len(found) != n_inputs:
                xml.fail(item, f"{len(found)} ranges for {n_inputs} inputs")
            ranges[:, position, :] = np.array(found, dtype=np.float64).reshape(-1, 2).T
        offset = element.get("UseOffsetOrNot", "UseOffset")
        if offset not in ("UseOffset", "NoOffset"):
            xml.fail(element, f"UseOffsetOrNot={offset!r} is neither UseOffset nor NoOffset")
        return cls(selection, ranges[0], ranges[1], offset == "UseOffset")

    def write_xml(
        self, variables: Sequence[VariableRecord], targets: Sequence[VariableRecord], dialect: Dialect
    ) -> tuple[list[tuple[str, object]], Lines]:
        attributes: list[tuple[str, object]] = []
        if self.selection is None:
            attributes += [("NVariables", len(variables)), ("NTargets", len(targets))]
        # without this attribute S looks like N, so it is written in every dialect
        if dialect.offset_attribute or not self.offset:
            attributes += [("UseOffsetOrNot", "UseOffset" if self.offset else "NoOffset")]
        return attributes, self._xml_sets(len(variables))

    def _xml_sets(self, n_variables: int) -> Lines:
        for number, (minima, maxima) in enumerate(zip(self.minima.tolist(), self.maxima.tolist(), strict=True)):
            ranges = list(zip(minima, maxima, strict=True))
            if self.selection is not None:
                content = list(_range_lines("Ranges", "Range", "Index", ranges))
            else:
                content = [
                    *_range_lines("Variables", "Variable", "VarIndex", ranges[:n_variables]),
                    *_range_lines("Targets", "Target", "TargetIndex", ranges[n_variables:]),
                ]
            yield from writing.element(3, "Class", [("ClassIndex", number)], content)

    # -- C++

    def _constants(self, number: int) -> tuple[str, ...]:
        low, high = self.minima[-1], self.maxima[-1]
        if self.offset:
            return literals.singles(f"kMinimum{number}", low), literals.singles(f"kMaximum{number}", high)
        return (literals.singles(f"kLargest{number}", _largest(low, high)),)

    def cpp(self, number: int) -> Code:
        if self.offset:
            value = for_each_input(f"Normalised(x[i], kMinimum{number}[i], kMaximum{number}[i])")
            return Code("Normalize to [-1, 1]", value, (CPP_NORMALISED,), self._constants(number))
        return Code("Scale to at most 1", for_each_input(f"x[i] / kLargest{number}[i]"), (), self._constants(number))

    def cpp_inverse(self, number: int, places: Sequence[Place]) -> Code:
        if self.offset:
            form = "targets[{0}] = Denormalised(outputs[{1}], kMinimum{3}[{2}], kMaximum{3}[{2}]);"
        else:
            form = "targets[{0}] = outputs[{1}] * kLargest{3}[{2}];"
        lines = indented(form.format(p.target, p.output, p.position, number) for p in places)
        return Code(self.title, lines, (CPP_DENORMALISED,) if self.offset else (), self._constants(number))

    # -- ONNX and compiled code

    def onnx(self, graph: Graph, x: str, n_inputs: int) -> str:
        low, high = self.minima[-1][:n_inputs], self.maxima[-1][:n_inputs]
        if not self.offset:
            return graph.op("Div", x, graph.constant(_largest(low, high)[np.newaxis], F32))
        shifted = graph.op("Sub", x, graph.constant(low[np.newaxis], F32))
        scaled = graph.op("Mul", shifted, graph.constant(_inverse_range(low, high)[np.newaxis], F32))
        doubled = graph.op("Mul", scaled, graph.constant(2.0, F32))
        return graph.op("Sub", doubled, graph.constant(1.0, F32))

    def onnx_inverse(self, graph: Graph, y: str, positions: list[int], dtype: type) -> str:
        low, high = self.minima[-1][positions], self.maxima[-1][positions]
        if not self.offset:
            return graph.op("Mul", y, graph.constant(_largest(low, high)[np.newaxis], dtype))
        slope: AnyArray = _inverse_range(low, high) * TWO
        if dtype is F64:
            with np.errstate(all="ignore"):
                slope = 1.0 / (high.astype(F64) - low.astype(F64)) * 2.0
        raised = graph.op("Add", y, graph.constant(1.0, dtype))
        range_part = graph.op("Div", raised, graph.constant(slope[np.newaxis], dtype))
        return graph.op("Add", graph.constant(low[np.newaxis], dtype), range_part)

    def compiled(self, n_inputs: int) -> tuple[int, list[AnyArray]]:
        low, high = self.minima[-1][:n_inputs], self.maxima[-1][:n_inputs]
        if self.offset:
            return NORMALISE, [low, _inverse_range(low, high)]
        return SCALE, [_largest(low, high)]


def normalise(x: Float32Array, minimum: Float32Array, maximum: Float32Array) -> Float32Array:
    """Return 2 (x - min) / (max - min) - 1, rounded to float32 after each operation.

    A constant variable (max = min) gives NaN or ±inf, a value beyond the range |y| > 1.
    """
    y = x.copy(order="C")
    with np.errstate(all="ignore"):
        for part, low, inverse in _long_rows(y, minimum, _inverse_range(minimum, maximum)):
            part -= low
            part *= inverse
            part *= TWO
            part -= ONE
    return y


def _long_rows(y: Float32Array, *parameters: Float32Array) -> Iterator[tuple[Float32Array, ...]]:
    """Yield parts of a table, many rows as one long one, with the parameters of its columns repeated as often.

    numpy takes several times longer for many short rows.
    """
    n_rows, n_columns = y.shape
    together = max(LONG_ROW // max(n_columns, 1), 1)
    n_long = n_rows // together
    if n_long > 1:
        head = y[: n_long * together].reshape(n_long, together * n_columns)
        yield head, *(np.tile(one, together) for one in parameters)
        y = y[n_long * together :]
    yield y, *parameters


def denormalise(y: AnyArray, minimum: Float32Array, maximum: Float32Array) -> AnyArray:
    """Return what :func:`normalise` made ``y`` from; float64 ``y`` are not rounded to float32."""
    with np.errstate(all="ignore"):
        if y.dtype == np.float64:
            low, high = minimum.astype(np.float64), maximum.astype(np.float64)
            exact: AnyArray = low + (y + 1.0) / (1.0 / (high - low) * 2.0)
            return exact
        x: AnyArray = minimum + (y + ONE) / (_inverse_range(minimum, maximum) * TWO)
    return x


def _inverse_range(minimum: Float32Array, maximum: Float32Array) -> Float32Array:
    with np.errstate(all="ignore"):
        return np.asarray((1.0 / (maximum - minimum).astype(np.float64)).astype(np.float32))


def scale(x: Float32Array, minimum: Float32Array, maximum: Float32Array) -> Float32Array:
    """Return x divided by the larger of |min| and |max|, in float32."""
    with np.errstate(all="ignore"):
        y: Float32Array = x / _largest(minimum, maximum)
    return y


def unscale(y: AnyArray, minimum: Float32Array, maximum: Float32Array) -> AnyArray:
    """Return what :func:`scale` made ``y`` from, in the precision of ``y``."""
    with np.errstate(all="ignore"):
        x: AnyArray = y * _largest(minimum, maximum)
    return x


def _largest(minimum: Float32Array, maximum: Float32Array) -> Float32Array:
    low, high = np.abs(minimum), np.abs(maximum)
    return np.where(high > low, high, low)


# -- elements


def uses_offset_attribute(transformations: Element) -> bool:
    """Tell whether the writer of the file says UseOffsetOrNot, as ROOT does since 6.38."""
    normalisations = [item for item in transformations.iterfind("Transform") if item.get("Name") == "Normalize"]
    return all(item.get("UseOffsetOrNot") is not None for item in normalisations)


def _ranges(element: Element, index: str) -> list[tuple[float, float]]:
    found = []
    for position, item in enumerate(xml.children(element)):
        check_index(item, index, position)
        low, high = xml.number(item, "Min"), xml.number(item, "Max")
        if max(abs(low), abs(high)) > LARGEST_FLOAT32:
            xml.fail(item, f"the range from {low} to {high} is too large: TMVA holds ranges as 32-bit floats")
        found.append((low, high))
    return found


def _old_ranges(element: Element) -> list[tuple[float, float]]:
    variables = _ranges(xml.child(element, "Variables"), "VarIndex")
    targets = xml.optional_child(element, "Targets")
    return variables if targets is None else variables + _ranges(targets, "TargetIndex")


def _range_lines(group: str, name: str, index: str, ranges: list[tuple[float, float]]) -> Lines:
    lines = (
        writing.empty(5, name, [(index, position), ("Min", f"{low:.16e}"), ("Max", f"{high:.16e}")])
        for position, (low, high) in enumerate(ranges)
    )
    return writing.element(4, group, [], lines)


# -- C++

CPP_NORMALISED = """\
   static float Normalised(float x, float minimum, float maximum)
   {
      const float scale = static_cast<float>(1.0 / static_cast<double>(maximum - minimum));
      return (x - minimum) * scale * 2.0f - 1.0f;
   }"""

CPP_DENORMALISED = """\
   static float Denormalised(float y, float minimum, float maximum)
   {
      const float scale = static_cast<float>(1.0 / static_cast<double>(maximum - minimum));
      return minimum + (y + 1.0f) / (scale * 2.0f);
   }

   static double Denormalised(double y, float minimum, float maximum)
   {
      const double low = minimum;
      const double high = maximum;
      return low + (y + 1.0) / (1.0 / (high - low) * 2.0);
   }"""
