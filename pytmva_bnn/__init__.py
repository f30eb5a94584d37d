"""TMVA in Python and without ROOT: all of its methods, with Bayesian error bars for its neural network.

``import pytmva_bnn as TMVA`` gives the names that TMVA has, and :func:`load` for events in arrays:

>>> import pytmva_bnn as TMVA
>>> model = TMVA.load("xml_fixtures/cases/bfgs_n/weights.xml")
>>> model.predict([[0.0, 0.0, 0.0, 0.0]]).round(6)
array([0.572247])
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pytmva_bnn._version import __version__
from pytmva_bnn.displays import before_first_display

if TYPE_CHECKING:
    from pytmva_bnn.convert import from_forest, from_sklearn
    from pytmva_bnn.dataset import DataLoader
    from pytmva_bnn.errors import TMVAError, WeightFileError
    from pytmva_bnn.estimators import BDTClassifier as BDTClassifier
    from pytmva_bnn.estimators import BDTRegressor as BDTRegressor
    from pytmva_bnn.estimators import BNNClassifier as BNNClassifier
    from pytmva_bnn.estimators import BNNRegressor as BNNRegressor
    from pytmva_bnn.estimators import FisherClassifier as FisherClassifier
    from pytmva_bnn.estimators import HMatrixClassifier as HMatrixClassifier
    from pytmva_bnn.estimators import KNNClassifier as KNNClassifier
    from pytmva_bnn.estimators import KNNRegressor as KNNRegressor
    from pytmva_bnn.estimators import LDClassifier as LDClassifier
    from pytmva_bnn.estimators import LDRegressor as LDRegressor
    from pytmva_bnn.estimators import LikelihoodClassifier as LikelihoodClassifier
    from pytmva_bnn.estimators import PDEFoamClassifier as PDEFoamClassifier
    from pytmva_bnn.estimators import PDEFoamRegressor as PDEFoamRegressor
    from pytmva_bnn.estimators import PDERSClassifier as PDERSClassifier
    from pytmva_bnn.estimators import PDERSRegressor as PDERSRegressor
    from pytmva_bnn.estimators import RuleFitClassifier as RuleFitClassifier
    from pytmva_bnn.estimators import SVMClassifier as SVMClassifier
    from pytmva_bnn.factory import CrossValidation, Factory
    from pytmva_bnn.model import Model, load, load_string
    from pytmva_bnn.posterior import sample_posterior, select_architecture, train_restarts
    from pytmva_bnn.prediction import Prediction
    from pytmva_bnn.reader import Reader
    from pytmva_bnn.samples import sample
    from pytmva_bnn.show import plots as plots
    from pytmva_bnn.show.report import TMVAGui, TMVAMultiClassGui, TMVARegGui
    from pytmva_bnn.tmva_types import Tools, Types, VIType
    from pytmva_bnn.tuning import search
else:
    # A module is imported when one of its names is first used: `import pytmva_bnn` alone is quick, and someone who only
    # reads weight files does not wait for the training code.
    def __getattr__(name: str) -> Any:
        match name:
            case "from_forest" | "from_sklearn":
                import pytmva_bnn.convert as home
            case "DataLoader":
                import pytmva_bnn.dataset as home
            case "TMVAError" | "WeightFileError":
                import pytmva_bnn.errors as home
            case "CrossValidation" | "Factory":
                import pytmva_bnn.factory as home
            case "Model" | "load" | "load_string":
                import pytmva_bnn.model as home
            case "sample_posterior" | "select_architecture" | "train_restarts":
                import pytmva_bnn.posterior as home
            case "Prediction":
                import pytmva_bnn.prediction as home
            case "Reader":
                import pytmva_bnn.reader as home
            case "sample":
                import pytmva_bnn.samples as home
            case "TMVAGui" | "TMVAMultiClassGui" | "TMVARegGui":
                import pytmva_bnn.show.report as home
            case "Tools" | "Types" | "VIType":
                import pytmva_bnn.tmva_types as home
            case "search":
                import pytmva_bnn.tuning as home
            case "plots":  # ``from pytmva_bnn import plots``
                from pytmva_bnn.show import plots

                return plots
            case _ if name in _ESTIMATORS:
                import pytmva_bnn.estimators as home
            case _:
                raise AttributeError(f"module 'pytmva_bnn' has no attribute {name!r}")
        value = getattr(home, name)
        globals()[name] = value
        return value


# with scikit-learn only, so that ``from pytmva_bnn import *`` leaves them out
_ESTIMATORS = (
    "BDTClassifier",
    "BDTRegressor",
    "BNNClassifier",
    "BNNRegressor",
    "FisherClassifier",
    "HMatrixClassifier",
    "KNNClassifier",
    "KNNRegressor",
    "LDClassifier",
    "LDRegressor",
    "LikelihoodClassifier",
    "PDEFoamClassifier",
    "PDEFoamRegressor",
    "PDERSClassifier",
    "PDERSRegressor",
    "RuleFitClassifier",
    "SVMClassifier",
)

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
    "VIType",
    "WeightFileError",
    "__version__",
    "from_forest",
    "from_sklearn",
    "load",
    "load_string",
    "sample",
    "sample_posterior",
    "search",
    "select_architecture",
    "train_restarts",
]


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_ESTIMATORS})


def _load_renderers() -> None:
    import pytmva_bnn.show.report  # noqa: F401 - what notebooks show, imported at the first display


before_first_display(_load_renderers)
