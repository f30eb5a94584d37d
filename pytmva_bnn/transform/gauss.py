"""Uniformisation U and Gaussianisation G: each input by its cumulative distribution."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np

from pytmva_bnn._typing import AnyArray, Float32Array
from pytmva_bnn.errors import InputError
from pytmva_bnn.events.variables import VariableRecord
from pytmva_bnn.fast.threads import in_parts
from pytmva_bnn.fast.twins import compiled_pays
from pytmva_bnn.histograms import PDF, PDFRecord, build_pdf, pdf_cpp
from pytmva_bnn.histograms.density import SMALLEST as SMALLEST_DENSITY
from pytmva_bnn.histograms.pdf_xml import read_pdf, write_pdf
from pytmva_bnn.onnxio.graph import F32, F64, I64, Graph
from pytmva_bnn.transform.cumulative import fit_cumulatives
from pytmva_bnn.transform.error_function import (
    CPP_GAUSS_TO_UNIFORM,
    check_cumulatives,
    cpp_shape,
    gauss_to_uniform,
    gaussianise,
    onnx_gaussianised,
    onnx_limited,
    uniformise,
)
from pytmva_bnn.transform.oldgauss import OldGaussianisation
from pytmva_bnn.transform.selection import Selection
from pytmva_bnn.transform.step import (
    Code,
    Element,
    Place,
    Sample,
    Step,
    check_index,
    indented,
    parameter_elements,
    with_use,
)
from pytmva_bnn.xmlio import reading as xml
from pytmva_bnn.xmlio import writing
from pytmva_bnn.xmlio.dialect import Dialect
from pytmva_bnn.xmlio.words import Words
from pytmva_bnn.xmlio.writing import Lines

LOGGER = logging.getLogger("pytmva_bnn.transform")

MANY_INPUTS = 200
EVENTS_AT_ONCE = 4096
TO_APPLY = 100e-9
"""Seconds that numpy takes for a value, at least."""


@dataclass(frozen=True, eq=False)
class Gaussianisation(Step):
    """Parameters of G, or with ``flat`` of U: ``cumulatives[input][set]``."""

    cumulatives: tuple[tuple[PDFRecord, ...], ...]
    flat: bool

    title = "Gauss"
    xml_names = ("Gauss", "Uniform")
    letters = "GU"

    def check(self, n_inputs: int) -> None:
        check_cumulatives(self.cumulatives, n_inputs, self.title)

    def only_set(self, index: int) -> Self:
        return replace(self, cumulatives=tuple((sets[index],) for sets in self.cumulatives))

    @cached_property
    def _built(self) -> dict[int, PDF]:
        return {}

    def distribution(self, position: int) -> PDF:
        """Return the cumulative distribution of an input in the last set, built on first use."""
        if position not in self._built:
            self._built[position] = build_pdf(self.cumulatives[position][-1], normalise=False)
        return self._built[position]

    def apply(self, x: Float32Array) -> Float32Array:
        y = np.empty(x.shape, np.float32)
        distributions = [self.distribution(position) for position in range(x.shape[1])]
        one_way = all(pdf.interpolated and pdf.histogram.n_bins > 1 for pdf in distributions)
        by_kernel = one_way and compiled_pays(TO_APPLY * x.size)

        def do(start: int, stop: int) -> None:
            for position, distribution in enumerate(distributions):
                if by_kernel:
                    self._apply_by_kernel(x[start:stop], position, y[start:stop])
                else:
                    c = distribution.value(x[start:stop, position])
                    y[start:stop, position] = uniformise(c) if self.flat else gaussianise(c)

        in_parts(do, len(x), EVENTS_AT_ONCE, multiplications=100.0 * x.size)
        return y

    def _apply_by_kernel(self, x: Float32Array, position: int, y: Float32Array) -> None:
        from pytmva_bnn.transform import gauss_kernels as kernels  # lazy: numba

        distribution = self.distribution(position)
        c = np.empty(len(x))
        histogram = distribution.histogram
        kernels.probabilities(x, position, histogram.axis.lower, histogram.axis.upper, distribution.contents, c)
        if self.flat:
            y[:, position] = c
        else:
            left = np.flatnonzero(kernels.gaussianise(c, *kernels.table(), y, position))
            y[left, position] = gaussianise(c[left])

    def invert(self, y: AnyArray, positions: list[int]) -> AnyArray:
        x = np.empty_like(y)
        with np.errstate(over="ignore"):
            for column, position in enumerate(positions):
                u = y[:, column].astype(np.float64)
                u = u if self.flat else gauss_to_uniform(u)
                x[:, column] = self.distribution(position).inverse_cumulative(u)
        return x

    @classmethod
    def fit(cls, letter: str, sample: Sample, selection: Selection | None) -> Self:
        n_inputs = sample.x.shape[1]
        if n_inputs > MANY_INPUTS:
            LOGGER.warning("Using more than %d variables with the Gauss transformation (%d)", MANY_INPUTS, n_inputs)
        return cls(selection, fit_cumulatives(sample), letter == "U")

    # -- weight files

    @classmethod
    def read_xml(cls, element: Element, selection: Selection | None, n_inputs: int) -> Self:
        variables = parameter_elements(element)
        if len(variables) != n_inputs:
            xml.fail(element, f"{len(variables)} <Variable> elements for {n_inputs} inputs")
        cumulatives = []
        for position, variable in enumerate(variables):
            check_index(variable, "VarIndex", position)
            sets = list(xml.children(variable))
            if not sets:
                xml.fail(variable, "the cumulative PDFs of the classes are missing in it")
            records = (
                read_pdf(xml.child(item, "PDF"), np.float32, is_used=is_used) for item, is_used in with_use(sets)
            )
            cumulatives.append(tuple(records))
        if len({len(sets) for sets in cumulatives}) > 1:
            xml.fail(element, "the variables have different numbers of classes")
        flat = element.get("FlatOrGauss") == "Flat" or element.get("Name") == "Uniform"
        return cls(selection, tuple(cumulatives), flat)

    def write_xml(
        self, variables: Sequence[VariableRecord], targets: Sequence[VariableRecord], dialect: Dialect
    ) -> tuple[list[tuple[str, object]], Lines]:
        return [("FlatOrGauss", "Flat" if self.flat else "Gauss")], self._xml_variables(variables, dialect)

    def _xml_variables(self, variables: Sequence[VariableRecord], dialect: Dialect) -> Lines:
        for index, sets in enumerate(self.cumulatives):
            name = [("Name", variables[index].label)] if self.selection is None else []
            yield writing.start(3, "Variable", [*name, ("VarIndex", index)])
            for number, pdf in enumerate(sets):
                yield from writing.element(4, f"CumulativePDF_cls{number}", [], write_pdf(5, pdf, dialect))
            yield "      </Variable>"

    @classmethod
    def read_text(cls, letter: str, words: Words, n_variables: int, applied: int) -> Step:
        return OldGaussianisation.read_text(letter, words, n_variables, applied)

    # -- C++

    def _constants(self, number: int) -> tuple[str, ...]:
        pdfs = [self.distribution(position) for position in range(len(self.cumulatives))]
        return pdf_cpp.constants_of(f"Cumulative{number}", pdfs)

    def cpp(self, number: int) -> Code:
        return cpp_shape(
            self.flat, f"Density(kCumulative{number}[i], x[i])", pdf_cpp.DISTRIBUTION, self._constants(number)
        )

    def cpp_inverse(self, number: int, places: Sequence[Place]) -> Code:
        value = "outputs[{}]" if self.flat else "GaussToUniform(outputs[{}])"
        lines = (
            f"targets[{p.target}] = static_cast<Real>(InverseCumulative(kCumulative{number}[{p.position}], "
            f"{value.format(p.output)}));"
            for p in places
        )
        functions = pdf_cpp.DISTRIBUTION, pdf_cpp.INVERSE_CUMULATIVE, CPP_GAUSS_TO_UNIFORM
        return Code(self.title, indented(lines), functions, self._constants(number))

    # -- ONNX

    def onnx(self, graph: Graph, x: str, n_inputs: int) -> str:
        columns = []
        for position in range(n_inputs):
            c = onnx_limited(graph, _onnx_value(graph, self.distribution(position), graph.column(x, position)))
            columns.append(graph.cast(c, F32) if self.flat else onnx_gaussianised(graph, c))
        return graph.joined(columns)


def _onnx_value(graph: Graph, pdf: PDF, column: str) -> str:
    """Append :meth:`PDF.value`: the line through the bin's centre and that of its neighbour."""
    histogram = pdf.histogram
    if histogram.axis.edges is not None or not pdf.interpolated:
        raise InputError(f"{pdf.record.name}: a distribution without interpolation has no ONNX form")
    lower, width, n = histogram.axis.lower, histogram.width, histogram.n_bins
    op, constant = graph.op, graph.constant
    x = graph.cast(column, F64)
    inside = op("And", op("GreaterOrEqual", x, constant(lower)), op("Less", x, constant(histogram.axis.upper)))
    safe = op("Where", inside, x, constant(lower))
    k = graph.cast(op("Div", op("Sub", safe, constant(lower)), constant(width)), I64)
    too_high = op("Less", safe, _onnx_edge(graph, k, 0, lower, width))
    too_low = op("LessOrEqual", _onnx_edge(graph, k, 1, lower, width), safe)
    found = op("Add", op("Sub", k, graph.cast(too_high, I64)), graph.cast(too_low, I64))
    # NaN counts as above the range
    outside = op("Where", op("Less", x, constant(lower)), constant(0, I64), constant(n - 1, I64))
    index = op("Where", inside, found, outside)  # from 0, where bins count from 1
    index = op("Min", op("Max", index, constant(0, I64)), constant(n - 1, I64))
    centres = constant(histogram.centres)
    contents = constant(histogram.values.astype(np.float64))
    centre, value = op("Gather", centres, index), op("Gather", contents, index)
    is_first = op("Equal", index, constant(0, I64))
    is_last = op("Equal", index, constant(n - 1, I64))
    up = op("Or", op("And", op("Greater", x, centre), op("Not", is_last)), is_first)
    neighbour = op("Add", index, op("Where", up, constant(1, I64), constant(-1, I64)))
    rise = op("Sub", value, op("Gather", contents, neighbour))
    run = op("Sub", centre, op("Gather", centres, neighbour))
    r = op("Add", value, op("Div", op("Mul", op("Sub", x, centre), rise), run))
    smallest = constant(SMALLEST_DENSITY)
    return op("Where", op("GreaterOrEqual", r, smallest), r, smallest)


def _onnx_edge(graph: Graph, k: str, shift: int, lower: float, width: float) -> str:
    number = graph.cast(graph.op("Add", k, graph.constant(shift, I64)), F64)
    return graph.op("Add", graph.constant(lower), graph.op("Mul", number, graph.constant(width)))
