"""Variables, spectators and targets as TMVA describes them."""

from __future__ import annotations

from dataclasses import dataclass

_INTERNAL_NAME = (
    ("::", "_"),
    *((character, "_") for character in "$&!%^()'<>?=|[] "),
    ("*", "_T_"),
    ("/", "_D_"),
    ("+", "_P_"),
    ("-", "_M_"),
)


def internal_name(label: str) -> str:
    """Return TMVA's internal name of a variable: its label without characters that C++ names lack."""
    for old, new in _INTERNAL_NAME:
        label = label.replace(old, new)
    return label


@dataclass(frozen=True)
class VariableRecord:
    """A variable, spectator or target as a weight file describes it.

    ``minimum`` and ``maximum`` are over the training events; they are informative only.
    """

    expression: str
    label: str
    title: str
    unit: str
    internal: str
    type: str
    minimum: float
    maximum: float

    @classmethod
    def define(
        cls,
        definition: str,
        title: str = "",
        unit: str = "",
        type: str = "F",  # noqa: A002 - TMVA's word
        minimum: float = 0.0,
        maximum: float = 0.0,
    ) -> VariableRecord:
        """Return the record of ``definition``, which is an expression or ``label := expression``."""
        label, separator, expression = definition.replace(" ", "").partition(":=")
        if not separator:
            expression = label
        return cls(expression, label, title or label, unit, internal_name(label), type, minimum, maximum)
