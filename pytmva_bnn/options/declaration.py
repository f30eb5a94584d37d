"""What an option is: its name, type, default, allowed values and meaning."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

Scalar: TypeAlias = bool | int | float | str
OptionValue: TypeAlias = Scalar | tuple[Scalar, ...]


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
    an array option of that many elements, all of which start from ``default`` unless that is a tuple.
    """

    name: str
    type: OptionType
    default: OptionValue
    description: str
    allowed: tuple[str, ...] = ()
    size: int | None = None

    def canonical(self, word: str) -> str | None:
        """Return the allowed value equal to ``word`` regardless of case, in its declared spelling, or None."""
        return next((value for value in self.allowed if value.lower() == word.lower()), None)
