"""TCut: a selection that can be combined with others."""
# ruff: noqa: N802 - ROOT's names

from __future__ import annotations

from typing import Any

from pytmva_bnn.compat.messages import show
from pytmva_bnn.compat.named import Named


class TCut(Named):
    """A cut as a TTreeFormula expression.

    Two cuts are combined with ``+`` or ``&`` (and), ``|`` (or), ``~`` or ``-`` (not) and ``*`` (product, for weights);
    an empty cut changes nothing.  Python has no ``&&`` and ``||`` for objects: as in PyROOT, ``cut1 and cut2`` is the
    second one alone.
    """

    def __init__(self, *arguments: Any) -> None:
        # ROOT: TCut(expression), TCut(cut) or TCut(name, expression)
        if len(arguments) > 2:
            raise TypeError(f"TCut takes (expression) or (name, expression); got {len(arguments)} arguments")
        self._name = str(arguments[0]) if len(arguments) == 2 else "CUT"
        self._title = text_of(arguments[-1]) if arguments else ""

    def Print(self) -> None:
        show(f"OBJ: TCut\t{self._name}\t{self._title}")

    def __str__(self) -> str:
        return self._title

    def __repr__(self) -> str:
        return f"TCut({self._title!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TCut | str) and text_of(other) == self._title

    def __hash__(self) -> int:
        return hash(self._title)

    def __add__(self, other: Any) -> TCut:
        return self._combined(text_of(other), "&&")

    __and__ = __add__

    def __or__(self, other: Any) -> TCut:
        return self._combined(text_of(other), "||")

    def __mul__(self, other: Any) -> TCut:
        return self._combined(text_of(other), "*")

    def __radd__(self, other: Any) -> TCut:
        return TCut(other) + self

    __rand__ = __radd__

    def __ror__(self, other: Any) -> TCut:
        return TCut(other) | self

    def __rmul__(self, other: Any) -> TCut:
        return TCut(other) * self

    def __invert__(self) -> TCut:
        return TCut(f"!({self._title})") if self._title else TCut()

    __neg__ = __invert__

    def _combined(self, other: str, operator: str) -> TCut:
        if not self._title or not other:
            return TCut(self._title or other)
        return TCut(f"({self._title}){operator}({other})")


def text_of(cut: Any) -> str:
    """Return the expression of a cut, which may be text, a number or nothing."""
    if cut is None:
        return ""
    return cut.GetTitle() if isinstance(cut, TCut) else str(cut)
