"""The transformations of a weight file in ONNX, rounded to float32 where TMVA does it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.convert.onnx_distribution import distribution_step
from pytmva_bnn.convert.onnx_graph import F32, F64, Graph
from pytmva_bnn.errors import InputError
from pytmva_bnn.transform import (
    Decorrelation,
    Gaussianisation,
    Normalisation,
    PrincipalComponents,
    Rearrangement,
    Step,
    TransformationChain,
)
from pytmva_bnn.transform.selection import TARGET, VARIABLE, Column

Columns = dict[Column, str]


def columns_of(graph: Graph, matrix: str, kind: str, number: int) -> Columns:
    """Return the columns of a matrix by what they are."""
    return {Column(kind, index): graph.column(matrix, index) for index in range(number)}


def transformed(graph: Graph, chain: TransformationChain, event: Columns) -> str:
    """Append all steps; return the transformed variables, float32 (n_events, n_variables)."""
    n_variables = sum(column.kind == VARIABLE for column in event)
    for placed in chain.placed:
        n = placed.columns.n_present
        if not n:
            continue
        x = graph.joined([event[column] for column in placed.columns.get[:n]])
        y = _step(graph, placed.step, x, n)
        for position, column in enumerate(placed.columns.put[:n]):
            if column in event:
                event[column] = graph.column(y, position)
    return graph.joined([event[Column(VARIABLE, index)] for index in range(n_variables)])


def _step(graph: Graph, step: Step, x: str, n: int) -> str:
    match step:
        case Normalisation(offset=True):
            low, high = step.minima[-1][:n], step.maxima[-1][:n]
            shifted = graph.op("Sub", x, graph.constant(low[np.newaxis], F32))
            scaled = graph.op("Mul", shifted, graph.constant(_inverse_range(low, high)[np.newaxis], F32))
            doubled = graph.op("Mul", scaled, graph.constant(2.0, F32))
            return graph.op("Sub", doubled, graph.constant(1.0, F32))
        case Normalisation():
            return graph.op("Div", x, graph.constant(_largest(step)[np.newaxis, :n], F32))
        case Decorrelation():
            return _product(graph, graph.cast(x, F64), step.matrices[-1])
        case PrincipalComponents():
            centred = graph.op("Sub", graph.cast(x, F64), graph.constant(step.means[-1][np.newaxis]))
            return _product(graph, centred, step.eigenvectors[-1].T)
        case Gaussianisation():
            return distribution_step(graph, step, x, n)
        case Rearrangement():
            return x
    raise InputError(f"the transformation {step.title} has no ONNX form")


def _product(graph: Graph, x: str, matrix: NDArray[np.float64]) -> str:
    """Append Σ_j x_j M_ij term by term: a matrix product would round in another order, which float32 can show."""
    total = ""
    for j in range(matrix.shape[1]):
        term = graph.op("Mul", graph.column(x, j), graph.constant(matrix[:, j][np.newaxis]))
        total = graph.op("Add", total, term) if total else term
    return graph.cast(total, F32)


def targets(graph: Graph, chain: TransformationChain, outputs: str, n_outputs: int, dtype: type) -> str:
    """Append the way back from network outputs (n_events, n_targets) to targets, in float32 or float64."""
    # TMVA: only the first step with targets counts; see TransformationChain
    placed = next((one for one in chain.placed if one.columns.has_targets), None)
    if placed is None:
        return outputs
    pairs = list(enumerate(zip(placed.columns.get, placed.columns.put, strict=False)))
    wanted = [(position, to, at) for position, (to, at) in pairs if to.kind == TARGET]
    y = graph.joined([graph.column(outputs, at.index) for _, _, at in wanted])
    x = _inverse(graph, placed.step, y, [position for position, _, _ in wanted], dtype)
    result = columns_of(graph, outputs, TARGET, n_outputs)
    for number, (_, to, _) in enumerate(wanted):
        result[to] = graph.column(x, number)
    return graph.joined(list(result.values()))


def _inverse(graph: Graph, step: Step, y: str, positions: list[int], dtype: type) -> str:
    match step:
        case Normalisation(offset=True):
            low, high = step.minima[-1][positions], step.maxima[-1][positions]
            slope: NDArray[Any] = _inverse_range(low, high) * F32(2)
            if dtype is F64:
                with np.errstate(all="ignore"):
                    slope = 1.0 / (high.astype(F64) - low.astype(F64)) * 2.0
            raised = graph.op("Add", y, graph.constant(1.0, dtype))
            range_part = graph.op("Div", raised, graph.constant(slope[np.newaxis], dtype))
            return graph.op("Add", graph.constant(low[np.newaxis], dtype), range_part)
        case Normalisation():
            return graph.op("Mul", y, graph.constant(_largest(step)[positions][np.newaxis], dtype))
        case PrincipalComponents():
            chosen = min(2, len(step.means) - 1)
            return _from_components(graph, y, step.means[chosen], step.eigenvectors[chosen], dtype)
    raise InputError(f"the transformation {step.title} of a regression's targets has no ONNX form; use N, S or P")


def _from_components(
    graph: Graph, y: str, means: NDArray[np.float64], eigenvectors: NDArray[np.float64], dtype: type
) -> str:
    total = ""
    for j, mean in enumerate(means):
        part = graph.op("Mul", graph.cast(graph.column(y, j), F64), graph.constant(eigenvectors[:, j][np.newaxis]))
        part = graph.op("Add", part, graph.constant(mean))
        total = graph.op("Add", total, part) if total else part
    return graph.cast(total, dtype)


def _inverse_range(low: NDArray[np.float32], high: NDArray[np.float32]) -> NDArray[np.float32]:
    with np.errstate(all="ignore"):
        result: NDArray[np.float32] = (1.0 / (high - low).astype(np.float64)).astype(np.float32)
    return result


def _largest(step: Normalisation) -> NDArray[np.float32]:
    low, high = np.abs(step.minima[-1]), np.abs(step.maxima[-1])
    return np.asarray(np.where(high > low, high, low), dtype=np.float32)
