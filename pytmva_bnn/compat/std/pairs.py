"""pair and tuple."""

from __future__ import annotations

from collections.abc import Iterator
from functools import total_ordering
from typing import Any, ClassVar

from pytmva_bnn.compat.cpp import copied
from pytmva_bnn.compat.std.types import ElementType, Template, element_type


class Typed:
    """Values whose types are part of the class; none if they are taken as they are."""

    __slots__ = ()
    types: ClassVar[tuple[ElementType, ...]] = ()

    @classmethod
    def members(cls, *specs: Any) -> dict[str, Any]:
        """Return what a class of some types has."""
        return {"types": tuple(element_type(spec) for spec in specs)}

    @classmethod
    def from_value(cls, value: Any) -> Any:
        """Return an object of this class."""
        return cls(*value)

    @classmethod
    def converted(cls, values: tuple[Any, ...]) -> Any:
        """Return the values in their types, or new ones if there are none."""
        if not values or not cls.types:
            return values or [kind.default() for kind in cls.types]
        return [kind.convert(value) for kind, value in zip(cls.types, values, strict=True)]


@total_ordering
class Pair(Typed):
    """``std::pair``: copied, compared and hashed by its values; ``first, second = pair`` works too."""

    __slots__ = ("first", "second")

    def __init__(self, *values: Any) -> None:
        self.first, self.second = self.converted(tuple(values[0]) if len(values) == 1 else values)

    def __copy__(self) -> Pair:
        return type(self)(copied(self.first), copied(self.second))

    def __iter__(self) -> Iterator[Any]:
        yield self.first
        yield self.second

    def __getitem__(self, index: int) -> Any:
        return (self.first, self.second)[index]

    def __setitem__(self, index: int, value: Any) -> None:
        setattr(self, ("first", "second")[index], value)

    def __len__(self) -> int:
        return 2

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Pair | tuple) and tuple(self) == tuple(other)

    def __lt__(self, other: Pair) -> bool:
        return tuple(self) < tuple(other)

    def __hash__(self) -> int:
        return hash((self.first, self.second))

    def __repr__(self) -> str:
        return f"{{{self.first!r}, {self.second!r}}}"


class Tuple(list[Any], Typed):
    """``std::tuple``."""

    __slots__ = ()

    def __init__(self, *values: Any) -> None:
        super().__init__(self.converted(values))

    def __copy__(self) -> Tuple:
        return type(self)(*(copied(value) for value in self))

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(tuple(self))


class Tie:
    """``std::tie(a, b)``: cells that ``assign`` gives the values of a tuple."""

    def __init__(self, *cells: Any) -> None:
        self._cells = cells

    def assign(self, values: Any) -> None:
        for cell, value in zip(self._cells, values, strict=True):
            cell[0] = copied(value)


class Get:
    """``std::get<i>(x)``, which is ``get[i](x)``."""

    def __getitem__(self, index: int) -> Any:
        return lambda value: value[index]


def make_pair(first: Any, second: Any) -> Pair:
    """Return a pair of copies."""
    return Pair(copied(first), copied(second))


def make_tuple(*values: Any) -> Tuple:
    """Return a tuple of copies."""
    return Tuple(*(copied(value) for value in values))


pair = Template("pair", Pair)
tuple_ = Template("tuple", Tuple)
