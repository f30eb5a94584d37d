"""A model as an ONNX graph that runs without Python or ROOT, with the numbers of ``Model.predict``.

Inputs: ``variables`` (n_events, n_variables) in float64, in the order of the metadata entry ``variables``; where a
transformation uses spectators also ``spectators``.  Outputs: ``response`` in the form that ``predict`` has, and
``lower`` and ``upper`` where the weight file has what error bars need.

Responses agree to 1e-12 with ``predict``.  With the transformation G an event far in the tails may, rarely, differ by
the rounding of a transformed variable (1e-7): TMVA iterates for the inverse error function, the graph has a formula.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from pytmva_bnn._version import __version__
from pytmva_bnn.errors import InputError
from pytmva_bnn.files import atomic_writer
from pytmva_bnn.methods.answers import OnnxOutputs
from pytmva_bnn.model import Model
from pytmva_bnn.onnxio.graph import F32, F64, I64, Graph
from pytmva_bnn.tmva_types import AnalysisType
from pytmva_bnn.transform.chain_code import onnx_columns, onnx_forward, onnx_targets
from pytmva_bnn.transform.selection import SPECTATOR, VARIABLE


def to_onnx(model: Model, path: str | Path, *, errors: bool = True) -> None:
    """Write the network as ONNX; ``errors=False`` leaves out the error bars, and with them the inverse Hessian."""
    data = onnx_model(model, errors=errors).SerializeToString()
    with atomic_writer(path) as stream:
        stream.write(data)


def onnx_model(model: Model, *, errors: bool = True) -> Any:
    """Return the network as an ``onnx.ModelProto``."""
    with_errors = errors and model.has_errors
    graph = Graph()
    given = graph.input("variables", F64, ["events", len(model.variables)])
    x = graph.cast(given, F32)  # TMVA: events hold 32-bit floats
    event = onnx_columns(graph, x, VARIABLE, len(model.variables))
    if model.transformations.needs_spectators:
        spectators = graph.cast(graph.input("spectators", F64, ["events", len(model.spectators)]), F32)
        event |= onnx_columns(graph, spectators, SPECTATOR, len(model.spectators))
    inputs = graph.cast(onnx_forward(graph, model.transformations, event), F64)
    found = model.fitted.onnx(graph, inputs, errors=with_errors)
    bad = _is_undefined(graph, x)
    dtype = F64 if model.analysis_type == AnalysisType.CLASSIFICATION else F32
    _finish(graph, model, "response", _response(graph, model, found.outputs), bad, dtype)
    if with_errors:
        lower, upper = _error_bars(graph, model, found)
        _finish(graph, model, "lower", lower, bad, F64)
        _finish(graph, model, "upper", upper, bad, F64)
    description = f"TMVA's {model.kind} {model.title!r} for {model.analysis_type.lower()}, by pytmva_bnn {__version__}"
    return graph.model(model.kind, description, metadata(model))


def metadata(model: Model) -> dict[str, str]:
    """Return what an ONNX file tells about the network; lists are JSON."""
    return {
        "title": model.title,
        "analysis_type": model.analysis_type,
        "variables": json.dumps([one.expression for one in model.variables]),
        "labels": json.dumps([one.label for one in model.variables]),
        "spectators": json.dumps([one.expression for one in model.spectators]),
        "targets": json.dumps([one.expression for one in model.targets]),
        "classes": json.dumps(list(model.classes)),
        "pytmva_bnn": __version__,
    }


def _is_undefined(graph: Graph, x: str) -> str:
    flags = graph.cast(graph.op("Or", graph.op("IsNaN", x), graph.op("IsInf", x)), F32)
    return graph.op("Greater", graph.op("ReduceMax", flags, axes=[1], keepdims=1), graph.constant(0.0, F32))


def _finish(graph: Graph, model: Model, name: str, tensor: str, bad: str, dtype: type) -> None:
    """Make a tensor (n_events, n_outputs) an output; an event with NaN or infinity gives NaN."""
    tensor = graph.op("Where", bad, graph.constant(np.nan, dtype), tensor)
    shape: list[str | int] = ["events", model.fitted.n_outputs]
    if model.analysis_type == AnalysisType.CLASSIFICATION:
        tensor, shape = graph.op("Squeeze", tensor, graph.constant([1], I64)), ["events"]
    graph.output(name, tensor, dtype, shape)


def _response(graph: Graph, model: Model, outputs: str) -> str:
    if model.analysis_type == AnalysisType.CLASSIFICATION:
        return outputs
    rounded = graph.cast(outputs, F32)
    if model.analysis_type == AnalysisType.REGRESSION:
        return onnx_targets(graph, model.transformations, rounded, model.fitted.n_outputs, F32)
    return model.fitted.onnx_multiclass(graph, rounded)


def _error_bars(graph: Graph, model: Model, found: OnnxOutputs) -> tuple[str, str]:
    if found.error_bars is not None:
        return found.error_bars
    h, sigma, link = found.h, found.sigma, found.link
    if h is None or sigma is None or link is None:
        raise InputError(f"{model.name}: the error bars of a {model.kind} cannot be written as ONNX")

    def at(z: str) -> str:
        value = link(z)
        if model.analysis_type != AnalysisType.REGRESSION:
            return value
        return onnx_targets(graph, model.transformations, value, model.fitted.n_outputs, F64)

    low, middle, high = at(graph.op("Sub", h, sigma)), at(h), at(graph.op("Add", h, sigma))
    return graph.op("Sub", middle, low), graph.op("Sub", high, middle)
