"""TMVA's neural network with Bayesian error bars, in Python and without ROOT.

``import pytmva_bnn as TMVA`` gives the names that TMVA has, and :func:`load` for events in arrays:

>>> import pytmva_bnn as TMVA
>>> model = TMVA.load("xml_fixtures/cases/bfgs_n/weights.xml")
>>> model.predict([[0.0, 0.0, 0.0, 0.0]]).round(6)
array([0.572247])
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from pytmva_bnn._version import __version__

if TYPE_CHECKING:
    from pytmva_bnn.dataset import DataLoader
    from pytmva_bnn.errors import TMVAError, WeightFileError
    from pytmva_bnn.factory import CrossValidation, Factory, select_architecture
    from pytmva_bnn.model import Model, load, load_string
    from pytmva_bnn.posterior import sample_posterior
    from pytmva_bnn.prediction import Prediction
    from pytmva_bnn.reader import Reader
    from pytmva_bnn.show.report import TMVAGui, TMVAMultiClassGui, TMVARegGui
    from pytmva_bnn.tmva_types import Tools, Types

# Modules are imported when a name is first used: `import pytmva_bnn` alone is quick, and someone who only reads weight
# files does not wait for the training code.
_HOME = {
    "CrossValidation": "pytmva_bnn.factory",
    "DataLoader": "pytmva_bnn.dataset",
    "Factory": "pytmva_bnn.factory",
    "Model": "pytmva_bnn.model",
    "Prediction": "pytmva_bnn.prediction",
    "Reader": "pytmva_bnn.reader",
    "TMVAError": "pytmva_bnn.errors",
    "TMVAGui": "pytmva_bnn.show.report",
    "TMVAMultiClassGui": "pytmva_bnn.show.report",
    "TMVARegGui": "pytmva_bnn.show.report",
    "Tools": "pytmva_bnn.tmva_types",
    "Types": "pytmva_bnn.tmva_types",
    "WeightFileError": "pytmva_bnn.errors",
    "load": "pytmva_bnn.model",
    "load_string": "pytmva_bnn.model",
    "sample_posterior": "pytmva_bnn.posterior",
    "select_architecture": "pytmva_bnn.factory",
}

__all__ = [
    "CrossValidation",
    "DataLoader",
    "Factory",
    "Model",
    "Prediction",
    "Reader",
    "TMVAError",
    "TMVAGui",
    "TMVAMultiClassGui",
    "TMVARegGui",
    "Tools",
    "Types",
    "WeightFileError",
    "__version__",
    "load",
    "load_string",
    "sample_posterior",
    "select_architecture",
]


def __getattr__(name: str) -> Any:
    if name == "plots":  # ``from pytmva_bnn import plots``: a module that lives in the room of everything shown
        return importlib.import_module("pytmva_bnn.show.plots")
    if name not in _HOME:
        raise AttributeError(f"module 'pytmva_bnn' has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
