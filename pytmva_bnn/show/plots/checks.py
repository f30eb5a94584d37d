"""Is what a plot is given what it can draw? If not, what to do instead."""

from __future__ import annotations

from typing import TypeVar

from pytmva_bnn.errors import InputError, suggestion
from pytmva_bnn.evaluation import BinaryResult, MulticlassResult, RegressionResult

R = TypeVar("R", BinaryResult, MulticlassResult, RegressionResult)

_KINDS: dict[type, tuple[str, str]] = {
    BinaryResult: ("classification into signal and background", "response, roc and efficiencies"),
    MulticlassResult: ("multiclass training", "multiclass_response and multiclass_roc"),
    RegressionResult: ("regression", "deviations and average_deviations"),
}


def check_result(result: object, wanted: type[R], call: str) -> R:
    """Return the result if it is of the wanted kind."""
    if isinstance(result, wanted):
        return result
    raise InputError(f"{call} draws the result of a {_KINDS[wanted][0]}, {instead(result)}")


def instead(given: object) -> str:
    """Return what was given, and what to give or to call instead."""
    if type(given) in _KINDS:
        kind, calls = _KINDS[type(given)]
        return f"this is one of a {kind}: use {calls}"
    if hasattr(given, "evaluate"):
        return f"not {given!r}; give its evaluation: method.evaluate()"
    return f"not {type(given).__name__}; give method.evaluate()"


def class_number(result: MulticlassResult, class_name: str | int) -> int:
    """Return the number of a class given by name or number."""
    names = result.class_names
    if isinstance(class_name, str):
        if class_name in names:
            return names.index(class_name)
        hint = suggestion(class_name, names)
        raise InputError(f"there is no class {class_name!r}{': ' + hint if hint else ''}; known: {', '.join(names)}")
    if not 0 <= class_name < len(names):
        raise InputError(f"there is no class number {class_name}; the {len(names)} classes are {', '.join(names)}")
    return class_name
