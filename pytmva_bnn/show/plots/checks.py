"""Is what a plot is given what it can draw? If not, what to do instead."""

from __future__ import annotations

from typing import TypeVar

from pytmva_bnn.errors import InputError
from pytmva_bnn.evaluation import BinaryResult, MulticlassResult, RegressionResult
from pytmva_bnn.factory import MethodMLP

R = TypeVar("R", BinaryResult, MulticlassResult, RegressionResult)

_KINDS: dict[type, tuple[str, str]] = {
    BinaryResult: ("classification into signal and background", "response, roc and efficiencies"),
    MulticlassResult: ("multiclass training", "multiclass_response and multiclass_roc"),
    RegressionResult: ("regression", "deviations and average_deviations"),
}


def check_result(result: object, wanted: type[R], call: str) -> R:
    """Return the result if it is of the wanted kind.

    >>> check_result(3, BinaryResult, "response")
    Traceback (most recent call last):
    ...
    pytmva_bnn.errors.InputError: response draws the result of a classification into signal and background, not int; \
give method.evaluate()
    """
    if isinstance(result, wanted):
        return result
    raise InputError(f"{call} draws the result of a {_KINDS[wanted][0]}, {instead(result)}")


def instead(given: object) -> str:
    """Return what was given, and what to give or to call instead.

    >>> instead("x")
    'not str; give method.evaluate()'
    """
    if type(given) in _KINDS:
        kind, calls = _KINDS[type(given)]
        return f"this is one of a {kind}: use {calls}"
    if isinstance(given, MethodMLP):
        return f"not a method; give the evaluation of {given.title}: method.evaluate()"
    return f"not {type(given).__name__}; give method.evaluate()"
