"""What an option is: its name, type, default, allowed values and meaning."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum
from typing import TypeAlias

PER_VARIABLE = 0
"""The size of an array option that has an element for each variable, before their number is known."""

Scalar: TypeAlias = bool | int | float | str
OptionValue: TypeAlias = Scalar | tuple[Scalar, ...]


class Numbers(Enum):
    """How to treat a text that is not a number, or only begins with one."""

    USUAL = "the beginning counts, with a warning; no number at all is an error"
    WHOLE = "both are errors"
    AS_TMVA = "both are read as TMVA reads them, with a warning: no number is 0"


class OptionType(Enum):
    """The type of an option's value, named as TMVA names it."""

    BOOL = "Bool"
    INT = "Int"
    UINT = "UInt"
    FLOAT = "Float"
    DOUBLE = "Double"
    STRING = "String"


@dataclass(frozen=True)
class Option:
    """One declared option; the tables of :mod:`pytmva_bnn.options.tables` are made of these.

    ``allowed`` is the closed list of a String option's values (empty: any text is good).  ``size`` makes it
    an array option of that many elements, all of which start from ``default`` unless that is a tuple; with
    ``PER_VARIABLE`` there is an element for each variable (see :func:`sized`).  ``numbers`` is for integers.
    """

    name: str
    type: OptionType
    default: OptionValue
    description: str
    allowed: tuple[str, ...] = ()
    size: int | None = None
    numbers: Numbers = Numbers.USUAL

    def canonical(self, word: str) -> str | None:
        """Return the allowed value equal to ``word`` regardless of case, in its declared spelling, or None."""
        return next((value for value in self.allowed if value.lower() == word.lower()), None)


def sized(options: Iterable[Option], n_variables: int) -> tuple[Option, ...]:
    """Return the options with the arrays that have an element for each variable in their size."""
    return tuple(replace(one, size=n_variables) if one.size == PER_VARIABLE else one for one in options)
