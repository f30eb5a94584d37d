"""TMVA's values and errors for many events at a time."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import Float32Array
from pytmva_bnn.model import Model
from pytmva_bnn.tmva_types import AnalysisType


def mva_values(model: Model, events: Any) -> NDArray[np.float64]:
    """Return EvaluateMVA's values for many events, NaN where an input is NaN or infinite."""
    if model.analysis_type == AnalysisType.CLASSIFICATION:
        return cast("NDArray[np.float64]", model.predict(events))
    x, inputs = _inputs(model, events)
    outputs = model.fitted.mva_values(inputs)
    return np.where(np.isfinite(x).all(axis=1), outputs, np.nan)


def response_errors(model: Model, events: Any) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return lower and upper errors of the responses to many events."""
    if model.analysis_type == AnalysisType.CLASSIFICATION and model.has_errors:
        prediction = model.predict(events, errors=True)
        return prediction.lower, prediction.upper
    return model.fitted.error_bars(_inputs(model, events)[1], model.name)


def target_errors(
    model: Model, events: Any, spectators: Float32Array | None = None, target: int = 0
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return lower and upper errors of a target of a regression, in its units; NaN if there are none."""
    if not model.has_errors or not 0 <= target < model.fitted.n_outputs:
        nothing = np.full(model.columns(events, spectators)[0].n_events, np.nan)
        return nothing, nothing
    prediction = model.predict(events, errors=True, spectators=spectators)
    return prediction.lower[:, target], prediction.upper[:, target]


def _inputs(model: Model, events: Any) -> tuple[Float32Array, Float32Array]:
    """Return the variables of many events, and the inputs of the method."""
    columns, spectators = model.columns(events)
    n = columns.n_events
    x = columns.block(0, n)
    return x, model.transformations.forward(x, None if spectators is None else spectators.block(0, n))
