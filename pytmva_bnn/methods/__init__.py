"""The methods of TMVA, each in a folder of its own behind one protocol (:mod:`pytmva_bnn.methods.protocol`).

The registry knows them by TMVA's names of types; a module of a method is imported when it is first asked for.
"""

from __future__ import annotations

from collections.abc import Callable

from pytmva_bnn.errors import InputError, suggestion
from pytmva_bnn.methods.protocol import Fitted, Method, MethodEvents, Reading, TrainingJob
from pytmva_bnn.tmva_types import EMVA

__all__ = ["Fitted", "Method", "MethodEvents", "Reading", "TrainingJob", "kinds", "method_of", "register"]


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
}


def kinds() -> tuple[str, ...]:
    """Return the names of all methods.

    >>> "MLP" in kinds()
    True
    """
    return tuple(_METHODS)


def method_of(kind: str) -> Method:
    """Return the method of a type name."""
    if kind not in _METHODS:
        # the name of another method of TMVA is not misspelt
        hint = "" if f"k{kind}" in EMVA.__members__ else suggestion(kind, _METHODS)
        known = ", ".join(_METHODS)
        raise InputError(f"the method {kind} does not exist here{': ' + hint if hint else ''}; available: {known}")
    return _METHODS[kind]()


def register(method: type[Method]) -> None:
    """Let the package know one more method: booking, weight files, Reader, reports and all the rest then take it.

    Processes that are started anew (cross-validation) know it if the module that registers it is imported there.
    """
    if method.kind in _METHODS:
        raise InputError(f"there is a method {method.kind} already")
    _METHODS[method.kind] = method
