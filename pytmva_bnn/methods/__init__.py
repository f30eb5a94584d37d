"""The methods of TMVA, each in a folder of its own behind one protocol (:mod:`pytmva_bnn.methods.protocol`).

The registry knows them by TMVA's names of types; a module of a method is imported when it is first asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pytmva_bnn.errors import InputError, suggestion
from pytmva_bnn.methods.protocol import Fitted, Method, MethodEvents, Reading, TrainingJob
from pytmva_bnn.tmva_types import EMVA

__all__ = ["Fitted", "Method", "MethodEvents", "Reading", "TrainingJob", "instead_of", "kinds", "method_of", "register"]


def _mlp() -> Method:
    from pytmva_bnn.methods.mlp.method import MLP  # lazy: each method is loaded when it is needed

    return MLP()


def _bdt() -> Method:
    from pytmva_bnn.methods.bdt.method import BDT

    return BDT()


def _pdefoam() -> Method:
    from pytmva_bnn.methods.foam.method import PDEFoam

    return PDEFoam()


def _fisher() -> Method:
    from pytmva_bnn.methods.linear.fisher import Fisher

    return Fisher()


def _ld() -> Method:
    from pytmva_bnn.methods.linear.ld import LD

    return LD()


def _hmatrix() -> Method:
    from pytmva_bnn.methods.linear.hmatrix import HMatrix

    return HMatrix()


def _likelihood() -> Method:
    from pytmva_bnn.methods.density.likelihood import Likelihood

    return Likelihood()


def _knn() -> Method:
    from pytmva_bnn.methods.density.knn.method import KNN

    return KNN()


def _pders() -> Method:
    from pytmva_bnn.methods.density.pders.method import PDERS

    return PDERS()


def _cuts() -> Method:
    from pytmva_bnn.methods.cuts.method import Cuts

    return Cuts()


def _fda() -> Method:
    from pytmva_bnn.methods.fda.method import FDA

    return FDA()


def _rulefit() -> Method:
    from pytmva_bnn.methods.rulefit.method import RuleFit

    return RuleFit()


def _svm() -> Method:
    from pytmva_bnn.methods.svm.method import SVM

    return SVM()


def _tmlpann() -> Method:
    from pytmva_bnn.methods.other_nets.tmlpann import TMlpANN

    return TMlpANN()


def _cfmlpann() -> Method:
    from pytmva_bnn.methods.other_nets.cfmlpann import CFMlpANN

    return CFMlpANN()


def _dl() -> Method:
    from pytmva_bnn.methods.other_nets.deep.method import DL

    return DL()


def _dnn() -> Method:
    from pytmva_bnn.methods.other_nets.deep.method import DNN

    return DNN()


def _category() -> Method:
    from pytmva_bnn.methods.composite.category import Category

    return Category()


def _boost() -> Method:
    from pytmva_bnn.methods.composite.boost import Boost

    return Boost()


def _cross_validation() -> Method:
    from pytmva_bnn.methods.composite.cross_validation import CrossValidation

    return CrossValidation()


# One line for each method
_METHODS: dict[str, Callable[[], Method]] = {
    "BDT": _bdt,
    "MLP": _mlp,
    "PDEFoam": _pdefoam,
    "Fisher": _fisher,
    "LD": _ld,
    "HMatrix": _hmatrix,
    "Likelihood": _likelihood,
    "KNN": _knn,
    "PDERS": _pders,
    "Cuts": _cuts,
    "FDA": _fda,
    "RuleFit": _rulefit,
    "SVM": _svm,
    "TMlpANN": _tmlpann,
    "CFMlpANN": _cfmlpann,
    "DL": _dl,
    "DNN": _dnn,
    "Category": _category,
    "Boost": _boost,
    "CrossValidation": _cross_validation,
}

_BRIDGES: Mapping[str, str] = {
    "PyKeras": "it runs Keras: book an MLP here, or train with Keras itself",
    "PyTorch": "it runs PyTorch: book an MLP here, or train with PyTorch itself",
    "PyRandomForest": (
        "it runs scikit-learn: book a BDT with BoostType=Bagging:UseRandomisedTrees, or use RandomForestClassifier "
        "itself"
    ),
    "PyGTB": "it runs scikit-learn: book a BDT with BoostType=Grad, or use GradientBoostingClassifier itself",
    "PyAdaBoost": "it runs scikit-learn: book a BDT with BoostType=AdaBoost, or use AdaBoostClassifier itself",
    "C50": "it runs R: book a BDT",
    "RSNNS": "it runs R: book an MLP",
    "RSVM": "it runs R: book an SVM, or use scikit-learn's SVC",
    "RXGB": "it runs R: book a BDT with BoostType=Grad, or use xgboost itself",
}
"""TMVA's methods that hand the events to another program, and what to take instead."""


def kinds(*, trainable: bool = False) -> tuple[str, ...]:
    """Return the names of all methods, or of those that can be trained.

    >>> "MLP" in kinds(), "DL" in kinds(), "DL" in kinds(trainable=True)
    (True, True, False)
    """
    return tuple(kind for kind in _METHODS if not (trainable and method_of(kind).read_only))


def instead_of(kind: str) -> str:
    """Return what to do instead of booking a method that cannot be trained here; nothing if it can, or is not known.

    >>> instead_of("RSNNS")
    'it runs R: book an MLP'
    """
    return method_of(kind).read_only if kind in _METHODS else _BRIDGES.get(kind, "")


def method_of(kind: str) -> Method:
    """Return the method of a type name."""
    if kind not in _METHODS:
        # the name of another method of TMVA is not misspelt
        hint = "" if f"k{kind}" in EMVA.__members__ else suggestion(kind, _METHODS)
        known = f"{', '.join(_METHODS)}{'; ' + instead_of(kind) if instead_of(kind) else ''}"
        raise InputError(f"the method {kind} is not available here{': ' + hint if hint else '; available: ' + known}")
    return _METHODS[kind]()


def register(method: type[Method]) -> None:
    """Let the package know one more method: booking, weight files, Reader, reports and all the rest then take it.

    New processes (cross-validation) know it if the module that registers it is imported there.
    """
    if method.kind in _METHODS:
        raise InputError(f"the method {method.kind} is already registered")
    _METHODS[method.kind] = method
