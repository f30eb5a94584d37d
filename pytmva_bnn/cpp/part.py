"""What a part of the generator contributes to the class."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Part:
    """Members of the class: public methods, private functions and constants, each a piece of C++ text."""

    methods: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()
    constants: tuple[str, ...] = ()

    def __add__(self, other: Part) -> Part:
        return Part(
            _each_once(*self.methods, *other.methods),
            _each_once(*self.functions, *other.functions),
            _each_once(*self.constants, *other.constants),
        )


def total(parts: Iterable[Part]) -> Part:
    """Return all parts as one."""
    result = Part()
    for part in parts:
        result += part
    return result


def _each_once(*pieces: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(pieces))
