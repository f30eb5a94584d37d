"""The error of an expression: what is wrong, where in the text, and what was probably meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytmva_bnn.errors import TMVAError, suggestion

if TYPE_CHECKING:
    from collections.abc import Iterable

WINDOW = 72  # characters of a long expression shown around the caret
LONGEST_NAME = 60  # characters of a name shown or compared: more of it helps nobody


class FormulaError(TMVAError, ValueError):
    """An expression cannot be understood, or not be evaluated on the given columns.

    ``problem`` says what is wrong, ``expression`` is the whole text, ``position`` the index of the
    character where it went wrong (None if it is not one place), ``hint`` what to do.

    >>> print(FormulaError("')' is missing", expression="(pt+1", position=0))
    ')' is missing
      (pt+1
      ^
    """

    def __init__(self, problem: str, *, expression: str, position: int | None = None, hint: str = "") -> None:
        self.problem = problem
        self.expression = expression
        self.position = position
        self.hint = hint
        super().__init__(problem)

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (self.problem, self.expression, self.position, self.hint)

    def __str__(self) -> str:
        first = f"{self.problem}: {self.hint}" if self.hint else self.problem
        if self.position is None:
            return f"{first}\n  {_window(self.expression, 0)[0]}"
        shown, column = _window(self.expression, self.position)
        return f"{first}\n  {shown}\n  {' ' * column}^"


def _rebuild(problem: str, expression: str, position: int | None, hint: str) -> FormulaError:
    """Recreate the error: unpickling passes no keyword arguments."""
    return FormulaError(problem, expression=expression, position=position, hint=hint)


def _window(expression: str, position: int) -> tuple[str, int]:
    """Return the part of ``expression`` around ``position`` on one line, and the caret's column in it."""
    text = "".join(character if character.isprintable() else " " for character in expression)
    if len(text) <= WINDOW:
        return text, position
    start = max(0, min(position - WINDOW // 2, len(text) - WINDOW))
    before = "…" if start > 0 else ""
    after = "…" if start + WINDOW < len(text) else ""
    return before + text[start : start + WINDOW] + after, position - start + len(before)


def shorten(name: str) -> str:
    """Return ``name`` as messages show it: cut if it is very long."""
    return name if len(name) <= LONGEST_NAME else name[:LONGEST_NAME] + "…"


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return a hint that names the nearest of ``known``, or an empty string."""
    return suggestion(name, known) if len(name) <= LONGEST_NAME else ""
