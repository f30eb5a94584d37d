"""Likelihood in ONNX: the densities read from tables."""

from __future__ import annotations

import numpy as np

from pytmva_bnn.errors import InputError
from pytmva_bnn.histograms import PDF
from pytmva_bnn.methods.answers import OnnxOutputs
from pytmva_bnn.methods.density.likelihood_response import EDGE, LARGEST, SMALLEST, TAU, PDFPairs
from pytmva_bnn.onnxio.graph import F64, I64, Graph


def onnx_outputs(graph: Graph, x: str, pdfs: PDFPairs, *, transformed: bool) -> OnnxOutputs:
    """Append the responses (n_events, 1) for events as :func:`~.likelihood_response.class_inputs` wants them."""
    n = len(pdfs)
    # without transformations there are only n columns, so the last n are counted from the end
    last = [graph.op("Gather", x, graph.constant([i - n], I64), axis=1) for i in range(n)]
    columns = [[graph.column(x, i) for i in range(n)], last]
    smallest, one = graph.constant(SMALLEST), graph.constant(1.0)
    products = []
    for side, inputs in enumerate(columns):
        product = one
        for column, pair in zip(inputs, pdfs, strict=True):
            product = graph.op("Mul", product, graph.op("Max", _density(graph, column, pair[side], pair[0]), smallest))
        products.append(graph.op("Max", product, smallest))
    r = graph.op("Div", products[0], graph.op("Add", *products))
    r = graph.op("Where", graph.op("GreaterOrEqual", r, one), graph.constant(LARGEST), r)
    if transformed:
        r = graph.op("Where", graph.op("LessOrEqual", r, graph.constant(0.0)), smallest, r)
        odds = graph.op("Sub", graph.op("Div", one, r), one)
        r = graph.op("Div", graph.op("Neg", graph.op("Log", odds)), graph.constant(TAU))
    return OnnxOutputs(r)


def _density(graph: Graph, x: str, pdf: PDF, signal: PDF) -> str:
    """Append the density at ``x`` (n_events, 1), which may be below the smallest."""
    ends, axis, n = signal.record.histogram.axis, pdf.histogram.axis, pdf.histogram.n_bins
    if axis.edges is not None:
        raise InputError(f"the PDF '{pdf.record.name}' has bins of different width, which is not possible in ONNX")
    lower, width = graph.constant(axis.lower), graph.constant(axis.mean_width)
    upper, start = graph.constant(ends.upper), graph.constant(ends.lower)
    x = graph.op("Where", graph.op("Less", x, start), start, x)
    x = graph.op("Where", graph.op("GreaterOrEqual", x, upper), graph.constant(ends.upper - EDGE), x)
    b = _bin(graph, x, axis.lower, axis.upper, axis.mean_width, n)
    cells = graph.constant(pdf.histogram.cells.astype(np.float64))
    value = graph.op("Gather", cells, graph.cast(b, I64))
    if not signal.interpolated:
        return value

    def centre(number: str) -> str:
        return graph.op("Add", lower, graph.op("Mul", graph.op("Sub", number, graph.constant(0.5)), width))

    is_right = graph.op("And", graph.op("Greater", x, centre(b)), graph.op("Not", _equal(graph, b, n)))
    is_right = graph.op("Or", is_right, _equal(graph, b, 1))
    one = graph.constant(1.0)
    other = graph.op("Where", is_right, graph.op("Add", b, one), graph.op("Sub", b, one))
    inside = graph.op("Max", graph.op("Min", other, graph.constant(n + 1.0)), graph.constant(0.0))
    difference = graph.op("Sub", value, graph.op("Gather", cells, graph.cast(inside, I64)))
    step = graph.op("Mul", graph.op("Sub", x, centre(b)), difference)
    return graph.op("Add", value, graph.op("Div", step, graph.op("Sub", centre(b), centre(other))))


def _bin(graph: Graph, x: str, lower: float, upper: float, width: float, n: int) -> str:
    """Append the number of the bin, as float64: 0 below the range and n + 1 above it."""
    low, step, one = graph.constant(lower), graph.constant(width), graph.constant(1.0)
    k = graph.op("Floor", graph.op("Div", graph.op("Sub", x, low), step))
    k = graph.op("Max", graph.op("Min", k, graph.constant(float(n))), graph.constant(0.0))
    edge = graph.op("Add", low, graph.op("Mul", k, step))
    following = graph.op("Add", low, graph.op("Mul", graph.op("Add", k, one), step))
    less = graph.cast(graph.op("Less", x, edge), F64)
    more = graph.cast(graph.op("LessOrEqual", following, x), F64)
    b = graph.op("Add", graph.op("Sub", graph.op("Add", one, k), less), more)
    b = graph.op("Where", graph.op("Less", x, low), graph.constant(0.0), b)
    return graph.op("Where", graph.op("Less", x, graph.constant(upper)), b, graph.constant(n + 1.0))


def _equal(graph: Graph, b: str, number: int) -> str:
    return graph.op("Equal", b, graph.constant(float(number)))
