"""The calls that declare variables, targets and spectators."""
# ruff: noqa: N802 - TMVA's names

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import Any, overload

from pytmva_bnn.dataset.description import Description, InputVariable
from pytmva_bnn.errors import DatasetError
from pytmva_bnn.memory import check_memory

LOGGER = logging.getLogger("pytmva_bnn.DataSetFactory")

TYPES = ("F", "I")


class VariableCalls:
    """AddVariable and its kin, for a class that has a ``description``."""

    description: Description

    @overload
    def AddVariable(
        self, expression: str, title: str, unit: str, type: str = "F", min: float = 0, max: float = 0, /
    ) -> None: ...

    @overload
    def AddVariable(self, expression: str, type: str = "F", min: float = 0, max: float = 0, /) -> None: ...

    @overload
    def AddVariable(
        self,
        expression: str,
        *,
        title: str = "",
        unit: str = "",
        type: str = "F",
        min: float = 0,
        max: float = 0,
    ) -> None: ...

    def AddVariable(self, expression: str, *arguments: Any, **named: Any) -> None:
        """Add a variable: ``(expression, title, unit, type, min, max)`` or ``(expression, type, min, max)``.

        The expression may have a label in front, ``label := expression``.  ``type`` is ``"F"`` or ``"I"``.
        """
        variable = InputVariable.of(expression, **variable_arguments(arguments, named))
        kind = variable.record.type
        if kind not in TYPES and all(known.record.type != kind for known in self.description.variables):
            LOGGER.warning(
                "AddVariable: the type %r is neither F nor I; it is written to the weight file unchanged", kind
            )
        self.description.add_variable(variable)

    def AddVariablesArray(
        self,
        expression: str,
        size: int,
        type: str = "F",  # noqa: A002 - TMVA's word
        min: float = 0,  # noqa: A002
        max: float = 0,  # noqa: A002
    ) -> None:
        """Add ``size`` variables that are the elements of one array."""
        if type not in TYPES:
            raise DatasetError(
                f"AddVariablesArray({expression!r}): '{type}' variable type is not supported; use F or I"
            )
        if size < 1:
            raise DatasetError(f"AddVariablesArray({expression!r}): the size must be at least 1. Got {size} instead.")
        # a record of each, and a number of each event
        check_memory(500.0 * size, f"AddVariablesArray({expression!r}) of the size {size}")
        self.description.add_variable(*InputVariable.array(expression, size, type, min, max))

    def AddTarget(
        self,
        expression: str,
        title: str = "",
        unit: str = "",
        *limits: float | str,
        min: float = 0,  # noqa: A002 - TMVA's word
        max: float = 0,  # noqa: A002
    ) -> None:
        """Add a target of a regression."""
        self.description.add_target(InputVariable.of(expression, title, unit, "F", *_limits(limits, min, max)))

    def AddRegressionTarget(
        self,
        expression: str,
        title: str = "",
        unit: str = "",
        *limits: float | str,
        min: float = 0,  # noqa: A002 - TMVA's word
        max: float = 0,  # noqa: A002
    ) -> None:
        """Add a target of a regression; the same as AddTarget."""
        self.AddTarget(expression, title, unit, *limits, min=min, max=max)

    def AddSpectator(
        self,
        expression: str,
        title: str = "",
        unit: str = "",
        *limits: float | str,
        min: float = 0,  # noqa: A002 - TMVA's word
        max: float = 0,  # noqa: A002
    ) -> None:
        """Add a spectator: kept with the events, but not used in the training.

        A type letter in front of the limits is accepted, as macros write it; spectators are always floats.
        """
        self.description.add_spectator(InputVariable.of(expression, title, unit, "F", *_limits(limits, min, max)))

    def SetInputVariables(self, expressions: Iterable[str]) -> None:
        """Add a variable for each expression (deprecated in TMVA)."""
        for expression in expressions:
            self.AddVariable(str(expression))


def variable_arguments(arguments: tuple[Any, ...], named: dict[str, Any]) -> dict[str, Any]:
    """Return title, unit, type and range of AddVariable's arguments after the expression."""
    # TMVA: Python binds ("x", 'F', -5, 7) to the form with title and unit; here it means what it means in C++
    with_title = len(arguments) > 0 and (isinstance(_at(arguments, 1), str) or not _is_type(arguments[0]))
    order = ("title", "unit", "type", "min", "max") if with_title else ("type", "min", "max")
    if len(arguments) > len(order):
        raise DatasetError(
            f"AddVariable takes (expression, title, unit, type, min, max) or (expression, type, min, max); got "
            f"{len(arguments) + 1} arguments"
        )
    given = dict(zip(order, arguments, strict=False))
    twice_or_unknown = (set(named) & set(given)) | (set(named) - {"title", "unit", "type", "min", "max"})
    if twice_or_unknown:
        raise DatasetError(f"AddVariable: {', '.join(sorted(twice_or_unknown))} is given twice or is not an argument")
    given |= named
    return {{"min": "minimum", "max": "maximum"}.get(key, key): value for key, value in given.items()}


def _at(arguments: tuple[Any, ...], index: int) -> Any:
    return arguments[index] if len(arguments) > index else None


def _is_type(argument: Any) -> bool:
    return isinstance(argument, str) and len(argument) == 1


def _limits(given: tuple[float | str, ...], low: float, high: float) -> tuple[float, float]:
    """Return minimum and maximum from positional arguments, in front of which a type letter may stand."""
    # TMVA: C++ takes the letter as a minimum, PyROOT refuses it
    numbers = given[1:] if given and isinstance(given[0], str) else given
    if len(numbers) > 2 or any(isinstance(number, str) for number in numbers):
        raise DatasetError(f"at most a type letter, minimum and maximum may follow title and unit; got {given}")
    found = [float(number) for number in numbers]
    return (found[0] if found else float(low)), (found[1] if len(found) > 1 else float(high))
