"""The Python text as it grows: lines with their depth, comments, blank lines, and a way back."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from pytmva_bnn.port.layout import WIDTH, wrapped

DEEPEST = 17
"""Blocks within blocks; Python itself allows 20."""


class TooDeepError(Exception):
    """Blocks are nested deeper than Python allows."""


@dataclass
class Line:
    """One logical line of code with the comment behind it, a line of comment, or a blank line."""

    depth: int
    code: str = ""
    comment: str = ""

    @property
    def is_code(self) -> bool:
        """Whether it does something."""
        return bool(self.code)

    def rendered(self) -> list[str]:
        """Return the physical lines."""
        margin = "    " * self.depth
        behind = f"  # {self.comment}" if self.comment and self.code else ""
        if not self.code:
            return comment_lines(self.comment, margin) if self.comment else [""]
        if len(margin) + len(self.code) + len(behind) <= WIDTH:
            return [margin + self.code + behind]
        above = comment_lines(self.comment, margin) if self.comment else []
        return above + [margin + part for part in wrapped(self.code, WIDTH - len(margin))]


class Emitter:
    """Collects lines.

    >>> out = Emitter()
    >>> out.code("if x:")
    >>> with out.block():
    ...     out.comment("nothing to do")
    >>> print(out.text())
    if x:
        # nothing to do
        pass
    """

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self._depth = 0

    def code(self, text: str) -> None:
        """Add a line of code."""
        self.lines.append(Line(self._depth, text))

    def comment(self, text: str) -> None:
        """Add a comment on its own line."""
        self.lines.append(Line(self._depth, comment=text or "#"))

    def behind(self, text: str) -> None:
        """Add a comment behind the last line."""
        if self.lines and self.lines[-1].is_code:
            present = self.lines[-1].comment
            self.lines[-1].comment = f"{present}; {text}" if present else text
        else:
            self.comment(text)

    def blank(self, number: int = 1) -> None:
        """Have at least ``number`` blank lines here; none at the beginning of a block."""
        if self.lines and self.lines[-1].code.endswith(":"):
            return
        present = 0
        while present < len(self.lines) and self._is_blank(self.lines[-1 - present]):
            present += 1
        if present < len(self.lines):
            self.lines.extend(Line(0) for _ in range(number - present))

    @staticmethod
    def _is_blank(line: Line) -> bool:
        return not line.code and not line.comment

    @contextmanager
    def block(self) -> Iterator[None]:
        """Indent what is added meanwhile; a block without code gets a ``pass``."""
        if self._depth >= DEEPEST:
            raise TooDeepError
        start = len(self.lines)
        self._depth += 1
        try:
            yield
            if not any(line.is_code for line in self.lines[start:]):
                self.code("pass")
        finally:
            self._depth -= 1

    def insert(self, position: int, text: str) -> None:
        """Add a line of code at a position, as deep as what stands there."""
        depth = self.lines[position].depth if position < len(self.lines) else self._depth
        self.lines.insert(position, Line(depth, text))

    def last(self) -> str:
        """Return the last line of code if it is as deep as what is added now."""
        found = next((line for line in reversed(self.lines) if line.is_code), None)
        return found.code if found is not None and found.depth == self._depth else ""

    def is_deeper(self) -> bool:
        """Return whether the last line belongs to a block within the present one."""
        return bool(self.lines) and self.lines[-1].depth > self._depth

    def mark(self) -> int:
        """Return the present position, for :meth:`back_to`."""
        return len(self.lines)

    def back_to(self, mark: int) -> None:
        """Forget everything after a position."""
        del self.lines[mark:]

    def text(self) -> str:
        """Return the text."""
        return "\n".join(part for line in self.lines for part in line.rendered())


def comment_lines(comment: str, margin: str) -> list[str]:
    """Return a comment as lines that are not too long; words are never broken."""
    if comment == "#":
        return [f"{margin}#"]
    lines: list[str] = []
    for part in comment.split("\n"):
        width = max(WIDTH - len(margin) - 2, 40)
        pieces = textwrap.wrap(
            part,
            width,
            subsequent_indent=" " * min(len(part) - len(part.lstrip()), 40),
            break_on_hyphens=False,
            replace_whitespace=False,
        )
        lines.extend(f"{margin}# {piece}".rstrip() for piece in pieces or [""])
    return lines
