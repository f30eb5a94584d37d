"""Foams in ONNX: the way down the tree, one step for all events at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pytmva_bnn._typing import Float32Array
from pytmva_bnn.errors import InputError
from pytmva_bnn.methods.answers import OnnxOutputs
from pytmva_bnn.methods.foam.evaluation import CellValue, FoamEvaluation, Kernel
from pytmva_bnn.methods.foam.tree import FoamKind
from pytmva_bnn.onnxio.graph import F32, F64, I64, Graph

if TYPE_CHECKING:
    from pytmva_bnn.methods.foam.fitted import FittedPDEFoam


def onnx_outputs(graph: Graph, fitted: FittedPDEFoam, x: str, *, errors: bool) -> OnnxOutputs:
    """Append the foams; only those where the response is that of one cell."""
    if fitted.kernel is not Kernel.NONE:
        raise InputError(f"a foam with Kernel={fitted.kernel} cannot be written as ONNX, only one with Kernel=None")
    if fitted.foams[0].kind is FoamKind.MULTI_TARGET:
        raise InputError("a foam of several targets cannot be written as ONNX: its response combines many cells")
    if any((one.is_empty & one.foam.is_active).any() for one in fitted.evaluations):
        raise InputError("a foam with empty cells cannot be written as ONNX: its response there comes from neighbours")
    cells = [_cells(graph, evaluation, x) for evaluation in fitted.evaluations]

    def values(what: CellValue) -> list[str]:
        found = (one.of_cells(what) for one in fitted.evaluations)
        return [_looked_up(graph, table, cell) for table, cell in zip(found, cells, strict=True)]

    outputs = _ratio(graph, *values(CellValue.DENSITY)) if fitted.is_separate else graph.joined(values(CellValue.VALUE))
    if fitted.is_yes_no:
        is_low = graph.op("Less", outputs, graph.constant(0.5))
        outputs = graph.op("Where", is_low, graph.constant(-1.0), graph.constant(1.0))
    if not errors:
        return OnnxOutputs(outputs)
    error = _ratio_error(graph, *values(CellValue.VALUE)) if fitted.is_separate else values(CellValue.ERROR)[0]
    return OnnxOutputs(outputs, error_bars=(error, error))


def onnx_class_shares(graph: Graph, values: str, n_classes: int) -> str:
    """Append the shares of the classes for values in float32."""
    columns = [graph.column(values, number) for number in range(n_classes)]
    shares = []
    for i, own in enumerate(columns):
        norm = graph.constant(np.zeros((1, 1)), F32)
        for j, other in enumerate(columns):
            if j != i:
                term = graph.op("Exp", graph.cast(graph.op("Sub", other, own), F64))
                norm = graph.cast(graph.op("Add", graph.cast(norm, F64), term), F32)
        shares.append(
            graph.cast(graph.op("Reciprocal", graph.op("Add", graph.cast(norm, F64), graph.constant(1.0))), F32)
        )
    return graph.joined(shares)


def _cells(graph: Graph, evaluation: FoamEvaluation, x: str) -> str:
    """Append the numbers of the cells of events (n_events, 1)."""
    foam = evaluation.foam
    own = np.arange(foam.n_cells)
    # an active cell leads to itself
    first, second = (graph.constant(np.where(foam.is_active, own, one), I64) for one in (foam.first, foam.second))
    dimension = graph.constant(np.where(foam.is_active, 0, foam.dimension), I64)
    threshold = graph.constant(evaluation.by_variables.thresholds.astype(np.float64))
    cell = graph.cast(graph.op("Sub", graph.ones(x), graph.constant(1.0)), I64)
    for _ in range(int(foam.depths.max()) - 1):
        coordinate = graph.op("GatherElements", x, graph.op("Gather", dimension, cell), axis=1)
        is_first = graph.op("LessOrEqual", coordinate, graph.op("Gather", threshold, cell))
        daughters = (graph.op("Gather", one, cell) for one in (first, second))
        cell = graph.op("Where", is_first, *daughters)
    return cell


def _looked_up(graph: Graph, table: Float32Array, cell: str) -> str:
    return graph.op("Gather", graph.constant(table.astype(np.float64)), cell)


def _ratio(graph: Graph, s: str, b: str) -> str:
    total = graph.op("Add", s, b)
    is_empty = graph.op("Equal", total, graph.constant(0.0))
    return graph.op("Where", is_empty, graph.constant(0.5), graph.op("Div", s, total))


def _ratio_error(graph: Graph, s: str, b: str) -> str:
    total = graph.op("Add", s, b)
    squares = graph.op("Mul", total, total)

    def part(one: str, other: str) -> str:
        """Return the square of what the number ``one`` contributes."""
        is_zero = graph.op("Equal", one, graph.constant(0.0))
        error = graph.op("Where", is_zero, graph.constant(1.0), graph.op("Sqrt", one))
        found = graph.op("Mul", graph.op("Div", other, squares), error)
        return graph.op("Mul", found, found)

    error = graph.op("Sqrt", graph.op("Add", part(s, b), part(b, s)))
    smallest = graph.constant(1e-10)
    are_empty = graph.op("And", *(graph.op("LessOrEqual", one, smallest) for one in (s, b)))
    return graph.op("Where", are_empty, graph.constant(1.0), error)
