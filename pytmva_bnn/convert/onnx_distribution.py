"""Uniformisation and Gaussianisation in ONNX: a cumulative distribution, and the quantiles of the unit Gaussian."""

from __future__ import annotations

import math

import numpy as np

from pytmva_bnn.convert.onnx_graph import F32, F64, I64, Graph
from pytmva_bnn.errors import InputError
from pytmva_bnn.histograms import PDF
from pytmva_bnn.histograms.density import SMALLEST as SMALLEST_DENSITY
from pytmva_bnn.transform.gauss import LARGEST, SMALLEST, SQRT2, Gaussianisation, gaussianise

_LIMIT = 0.99999999  # of 2c - 1, as in gaussianise

# Wichura, algorithm AS 241 (PPND16): relative error 1e-16; the lowest powers come first
_CENTRE = (
    (3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3, 1.3731693765509461125e4,
     4.5921953931549871457e4, 6.7265770927008700853e4, 3.3430575583588128105e4, 2.5090809287301226727e3),
    (1.0, 4.2313330701600911252e1, 6.8718700749205790830e2, 5.3941960214247511077e3,
     2.1213794301586595867e4, 3.9307895800092710610e4, 2.8729085735721942674e4, 5.2264952788528545610e3),
)  # fmt: skip
_TAIL = (
    (1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0, 3.64784832476320460504e0,
     1.27045825245236838258e0, 2.41780725177450611770e-1, 2.27238449892691845833e-2, 7.74545014278341407640e-4),
    (1.0, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1,
     1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4, 1.05075007164441684324e-9),
)  # fmt: skip


def distribution_step(graph: Graph, step: Gaussianisation, x: str, n_columns: int) -> str:
    """Append U or G of the float32 columns ``x``; the result is float32 too."""
    columns = []
    for position in range(n_columns):
        c = _limited(graph, _cumulative(graph, step.distribution(position), graph.column(x, position)))
        columns.append(graph.cast(c, F32) if step.flat else _gaussianised(graph, c))
    return graph.joined(columns)


def _cumulative(graph: Graph, pdf: PDF, column: str) -> str:
    """Append :meth:`PDF.value`: the line through the bin's centre and that of its neighbour."""
    histogram = pdf.histogram
    if histogram.edges is not None or not pdf.interpolated:
        raise InputError(f"{pdf.record.name}: a distribution without interpolation has no ONNX form")
    lower, width, n = histogram.lower, histogram.mean_width, histogram.n_bins
    op, constant = graph.op, graph.constant
    x = graph.cast(column, F64)
    inside = op("And", op("GreaterOrEqual", x, constant(lower)), op("Less", x, constant(histogram.upper)))
    safe = op("Where", inside, x, constant(lower))
    k = graph.cast(op("Div", op("Sub", safe, constant(lower)), constant(width)), I64)
    too_high = op("Less", safe, _edge(graph, k, 0, lower, width))
    too_low = op("LessOrEqual", _edge(graph, k, 1, lower, width), safe)
    found = op("Add", op("Sub", k, graph.cast(too_high, I64)), graph.cast(too_low, I64))
    # NaN counts as above the range
    outside = op("Where", op("Less", x, constant(lower)), constant(0, I64), constant(n - 1, I64))
    index = op("Where", inside, found, outside)  # from 0, where bins count from 1
    index = op("Min", op("Max", index, constant(0, I64)), constant(n - 1, I64))
    centres = constant(histogram.all_centres())
    contents = constant(histogram.contents.astype(np.float64))
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


def _edge(graph: Graph, k: str, shift: int, lower: float, width: float) -> str:
    number = graph.cast(graph.op("Add", k, graph.constant(shift, I64)), F64)
    return graph.op("Add", graph.constant(lower), graph.op("Mul", number, graph.constant(width)))


def _limited(graph: Graph, c: str) -> str:
    largest, smallest = graph.constant(LARGEST), graph.constant(SMALLEST)
    c = graph.op("Where", graph.op("LessOrEqual", c, largest), c, largest)
    return graph.op("Where", graph.op("GreaterOrEqual", c, smallest), c, smallest)


def _gaussianised(graph: Graph, c: str) -> str:
    """Append √2 erfinv(2c - 1), which is the quantile of the unit Gaussian at c, times TMVA's √2 over the true one."""
    op, constant = graph.op, graph.constant
    a = op("Sub", op("Mul", constant(2.0), c), constant(1.0))
    q = op("Mul", a, constant(0.5))
    size = op("Abs", q)
    centre = op("Mul", q, _ratio(graph, op("Sub", constant(0.180625), op("Mul", q, q)), _CENTRE))
    # the smallest tail is the one of the limit, so the logarithm exists
    tail = op("Max", op("Sub", constant(0.5), size), constant((1.0 - _LIMIT) / 2))
    root = op("Sqrt", op("Neg", op("Log", tail)))
    outer = op("Mul", op("Sign", q), _ratio(graph, op("Sub", root, constant(1.6)), _TAIL))
    quantile = op("Where", op("LessOrEqual", size, constant(0.425)), centre, outer)
    y = graph.cast(op("Mul", quantile, constant(SQRT2 / math.sqrt(2.0))), F32)
    # many events lie at the limits: there the value is TMVA's to the last bit
    low, high = (constant(one, F32) for one in gaussianise(np.array([0.0, 1.0])))
    y = op("Where", op("GreaterOrEqual", a, constant(_LIMIT)), high, y)
    return op("Where", op("LessOrEqual", a, constant(-_LIMIT)), low, y)


def _ratio(graph: Graph, r: str, coefficients: tuple[tuple[float, ...], tuple[float, ...]]) -> str:
    numerator, denominator = (_polynomial(graph, r, one) for one in coefficients)
    return graph.op("Div", numerator, denominator)


def _polynomial(graph: Graph, r: str, coefficients: tuple[float, ...]) -> str:
    total = graph.constant(coefficients[-1])
    for coefficient in reversed(coefficients[:-1]):
        total = graph.op("Add", graph.op("Mul", total, r), graph.constant(coefficient))
    return total
