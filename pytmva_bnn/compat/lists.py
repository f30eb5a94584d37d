"""ROOT's lists: Python's lists with the calls of TObjArray and TList."""
# ruff: noqa: N802 - ROOT's names

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Generic, TypeVar

from pytmva_bnn.compat.null_pointer import NullPointer

T = TypeVar("T")


class ObjectList(list[T], Generic[T]):
    """ROOT's TObjArray, TList and THashList of named objects."""

    def GetEntries(self) -> int:
        """Return the number of objects."""
        return len(self)

    GetEntriesFast = GetEntries
    GetSize = GetEntries

    def At(self, index: int) -> T:
        """Return an object by its number."""
        return self[index]

    UncheckedAt = At

    def __bool__(self) -> bool:
        return True  # a pointer to an empty list is no null pointer

    def IsEmpty(self) -> bool:
        """Return whether there are no objects."""
        return len(self) == 0

    def GetLast(self) -> int:
        """Return the number of the last object, -1 if there is none."""
        return len(self) - 1

    def First(self) -> T | NullPointer:
        """Return the first object."""
        return self[0] if len(self) else NullPointer("the list is empty")

    def Last(self) -> T | NullPointer:
        """Return the last object."""
        return self[-1] if len(self) else NullPointer("the list is empty")

    def IndexOf(self, thing: T) -> int:
        """Return the number of an object, -1 if it is not there."""
        return next((number for number, one in enumerate(self) if one is thing), -1)

    def Add(self, thing: T, option: str = "") -> None:
        """Add an object."""
        del option
        self.append(thing)

    AddLast = Add

    def AddFirst(self, thing: T) -> None:
        """Add an object before all others."""
        self.insert(0, thing)

    def Remove(self, thing: T) -> T | NullPointer:
        """Take an object out and return it."""
        place = self.IndexOf(thing)
        return self.pop(place) if place >= 0 else NullPointer("the list does not have this object")

    def Clear(self, option: str = "") -> None:
        """Take all objects out."""
        del option
        self.clear()

    Delete = Clear

    def SetOwner(self, owner: bool = True) -> None:
        """Do nothing: Python owns all objects."""

    def Sort(self, *_: Any) -> None:
        """Sort by the names."""
        self.sort(key=lambda one: one.GetName())  # type: ignore[attr-defined]

    def FindObject(self, name: str) -> T | NullPointer:
        """Return the object of that name."""
        for one in self:
            if one.GetName() == name:  # type: ignore[attr-defined]
                return one
        return NullPointer(f"the list has no object {name!r}")

    def Contains(self, name: str) -> bool:
        """Return whether there is an object of that name."""
        return bool(self.FindObject(name))


class TIter:
    """An iterator: ``next()`` gives one object after the other, then a null pointer.

    >>> next = TIter(["a", "b"])
    >>> next(), next.Next(), bool(next())
    ('a', 'b', False)
    """

    def __init__(self, many: Iterable[Any]) -> None:
        self._many = many
        self.Reset()

    def Next(self) -> Any:
        """Return the next object."""
        return next(self._iterator, NullPointer("the list has no more objects"))

    __call__ = Next

    def Reset(self) -> None:
        """Begin again."""
        self._iterator = iter(self._many or ())

    Begin = Reset
