"""An ONNX file run by onnxruntime, and compared with the model it was made of."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.convert.random_events import random_events
from pytmva_bnn.model import Model
from pytmva_bnn.optional import optional


def run_onnx(
    path: str | Path | bytes, variables: NDArray[Any], spectators: NDArray[Any] | None = None
) -> dict[str, NDArray[Any]]:
    """Return the outputs of an ONNX file, or of its bytes, by name for events (n_events, n_variables)."""
    runtime = optional("onnxruntime", "onnx", "running ONNX")
    source = path if isinstance(path, bytes) else str(path)
    session = runtime.InferenceSession(source, providers=["CPUExecutionProvider"])
    given = {"variables": np.asarray(variables, dtype=np.float64)}
    if spectators is not None:
        given["spectators"] = np.asarray(spectators, dtype=np.float64)
    names = [one.name for one in session.get_outputs()]
    return dict(zip(names, session.run(names, given), strict=True))


def largest_difference(path: str | Path | bytes, model: Model, n_events: int = 1000) -> float:
    """Return the largest difference of the responses on random events."""
    events = random_events(model.variables, n_events)
    spectators = random_events(model.spectators, n_events) if model.transformations.needs_spectators else None
    found = run_onnx(path, events, spectators)["response"]
    expected = model.predict(events, spectators=spectators)
    return float(np.abs(found.astype(np.float64) - expected.astype(np.float64)).max(initial=0.0))
