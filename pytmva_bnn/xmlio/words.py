"""The words of a text weight file (TMVA up to 3.9), one by one."""

from __future__ import annotations

from typing import NoReturn

import numpy as np

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.errors import WeightFileError

MAX_COUNT = 1_000_000


class Words:
    """The words of a section, one by one, with their line numbers; comment lines are passed over."""

    def __init__(self, section: str, lines: list[tuple[int, str]]) -> None:
        self._section = section
        self._words = [(number, word) for number, line in lines if not line.startswith("#") for word in line.split()]
        self._position = 0

    @property
    def n_left(self) -> int:
        """Return the number of words that were not taken yet."""
        return len(self._words) - self._position

    @property
    def line(self) -> int | None:
        """Return the line of the word taken last."""
        return self._words[max(self._position - 1, 0)][0] if self._words else None

    def at_end(self) -> bool:
        """Tell whether all words were taken."""
        return self.n_left == 0

    def peek(self) -> str:
        """Return the next word without taking it, or an empty string at the end."""
        return "" if self.at_end() else self._words[self._position][1]

    def next(self, what: str) -> str:
        """Take the next word; ``what`` names it in the error if there is none."""
        if self.at_end():
            self.fail(f"the section ends where {what} is expected: the file is truncated or damaged")
        self._position += 1
        return self._words[self._position - 1][1]

    def expect(self, *expected: str) -> str:
        """Take the next word, which must be one of ``expected``."""
        word = self.next(f"{expected[0]!r}")
        if word not in expected:
            self.fail(f"the word {expected[0]!r} is expected, not {word[:40]!r}")
        return word

    def number(self, what: str) -> float:
        """Take a number, which must be finite."""
        word = self.next(what)
        try:
            value = float(word)
        except ValueError:
            value = float("nan")
        if not np.isfinite(value):
            self.fail(f"{what} is expected, not {word[:40]!r}")
        return value

    def count(self, what: str, at_most: int = MAX_COUNT) -> int:
        """Take a whole number that is not negative."""
        word = self.next(what)
        if not (word.isascii() and word.isdigit() and len(word) < 10 and int(word) <= at_most):
            self.fail(f"{what} is expected, not {word[:40]!r}")
        return int(word)

    def numbers(self, n: int, what: str) -> FloatArray:
        """Take ``n`` numbers."""
        return np.array([self.number(what) for _ in range(n)], dtype=np.float64)

    def fail(self, problem: str) -> NoReturn:
        """Raise the error for ``problem`` at the word taken last."""
        raise WeightFileError(problem, element=self._section, line=self.line)
