"""``TMVA.Experimental``: the RReader; what needs C++ tensors is refused."""
# ruff: noqa: N802 - TMVA's names

from __future__ import annotations

from typing import Any

import numpy as np

from pytmva_bnn.compat.refused import RefusedName
from pytmva_bnn.compat.std import vector
from pytmva_bnn.model import load

REFUSED = {
    "RTensor": "use numpy arrays",
    "AsTensor": "use AsNumpy and numpy arrays",
    "RBDT": "use pytmva_bnn.from_forest for forests of XGBoost, or the Reader for weight files of TMVA",
    "SaveXGBoost": "use pytmva_bnn.from_forest(model), which writes a weight file of TMVA",
    "RStandardScaler": "use scikit-learn's StandardScaler",
    "RSofieReader": "run ONNX files with the package onnxruntime",
    "SOFIE": "run ONNX files with the package onnxruntime",
    "Classification": "use TMVA.Factory",
    "Compute": "use RReader(file).Compute(array)",
    "RBatchGenerator": "read the columns with uproot or AsNumpy",
}


class RReader:
    """A weight file ready for events: ``RReader("weights.xml").Compute([x1, x2, x3])``."""

    def __init__(self, path: str) -> None:
        self._model = load(str(path))

    def Compute(self, x: Any) -> Any:
        """Return the responses of one event as a vector, or of events ``(n_events, n_variables)`` as an array."""
        values = np.asarray(x, dtype=np.float64)
        found = self._model.predict(np.atleast_2d(values))
        columns = found[:, np.newaxis] if found.ndim == 1 else found
        return vector("float")(columns[0].tolist()) if values.ndim == 1 else columns.astype(np.float32)

    def GetVariables(self) -> Any:
        return vector("string")([variable.expression for variable in self._model.variables])

    GetVariableNames = GetVariables


class ExperimentalNamespace:
    """The namespace."""

    RReader = RReader

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        advice = REFUSED.get(name, "of this namespace only RReader exists here")
        return RefusedName(f"TMVA.Experimental.{name}", advice)


Experimental = ExperimentalNamespace()
