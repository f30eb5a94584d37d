"""A ranking of the input variables, which methods and the evaluation make in their own ways."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Ranking:
    """Names and values, best first, of the quantity ``discriminator``.

    >>> Ranking.of("Separation", ["a", "b"], [0.1, 0.3]).entries
    (('b', 0.3), ('a', 0.1))
    """

    discriminator: str
    entries: tuple[tuple[str, float], ...]

    @classmethod
    def of(cls, discriminator: str, names: Sequence[str], values: Iterable[float]) -> Ranking:
        """Return the ranking of unsorted values; equal ones keep their order."""
        pairs = zip(names, (float(value) for value in values), strict=True)
        return cls(discriminator, tuple(sorted(pairs, key=lambda pair: -pair[1])))
