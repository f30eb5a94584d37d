"""Training events in a weight file, each a line of numbers: a hundred thousand of them, read all at once."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NoReturn

import numpy as np

from pytmva_bnn._typing import Float32Array, FloatArray, IntArray
from pytmva_bnn.errors import WeightFileError

_NUMBERS = re.compile(r"[-+0-9.eE\s]*")


class EventRows:
    """Collects events as text; ``element`` is where they stand, for messages."""

    def __init__(self, element: str) -> None:
        self._element = element
        self._weights: list[str] = []
        self._texts: list[str] = []
        self._lines: list[int | None] = []

    def __len__(self) -> int:
        return len(self._texts)

    def add(self, weight: str, text: str, line: int | None) -> None:
        """Take an event: its weight and its numbers, and the line of the file that it stands in."""
        self._weights.append(weight)
        self._texts.append(text)
        self._lines.append(line)

    def finished(self, n_numbers: int) -> tuple[Float32Array, FloatArray]:
        """Return the numbers ``(n_events, n_numbers)`` and the weights of all events."""
        if not self._texts:
            raise WeightFileError("there are no training events", element=self._element)
        counts = np.fromiter((len(text.split()) for text in self._texts), dtype=np.int64, count=len(self))
        wrong = np.flatnonzero(counts != n_numbers)
        if wrong.size:
            self.fail(int(wrong[0]), f"an event has {counts[wrong[0]]} numbers, not {n_numbers}")
        values = self._values(self._texts, n_numbers)
        with np.errstate(over="ignore"):
            numbers = values.astype(np.float32)
        wrong = np.flatnonzero(~np.isfinite(numbers).all(axis=1))
        if wrong.size:
            self.fail(int(wrong[0]), "one of the numbers is too large for a 32-bit float")
        return numbers, self._values(self._weights, 1)[:, 0]

    def codes(self, texts: Sequence[str], known: Mapping[str, int], name: str) -> IntArray:
        """Return the numbers that stand for the texts of an attribute."""
        unknown = set(texts) - known.keys()
        if unknown:
            number = next(number for number, text in enumerate(texts) if text in unknown)
            self.fail(number, f"{name}={texts[number]!r} is not one of {', '.join(known)}")
        return np.fromiter((known[text] for text in texts), dtype=np.int64, count=len(texts))

    def fail(self, number: int, problem: str) -> NoReturn:
        """Raise the WeightFileError for an event."""
        raise WeightFileError(problem, element=self._element, line=self._lines[number])

    def _values(self, texts: Sequence[str], n_numbers: int) -> FloatArray:
        joined = " ".join(texts)
        try:
            if not _NUMBERS.fullmatch(joined):
                raise ValueError
            result = np.fromiter(map(float, joined.split()), dtype=np.float64, count=len(texts) * n_numbers)
        except ValueError:
            for number, text in enumerate(texts):
                for word in text.split() or [text]:
                    if not _is_number(word):
                        self.fail(number, f"{word[:40]!r} is not a number")
            raise
        wrong = np.flatnonzero(~np.isfinite(result))
        if wrong.size:
            self.fail(int(wrong[0]) // n_numbers, "one of the numbers is too large")
        return result.reshape(len(texts), n_numbers)


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return _NUMBERS.fullmatch(word) is not None
