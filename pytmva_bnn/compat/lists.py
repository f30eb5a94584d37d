"""ROOT's lists: Python's lists with the calls of TObjArray and TList."""
# ruff: noqa: N802 - ROOT's names

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Generic, TypeVar

from pytmva_bnn.compat.null_pointer import NullPointer

T = TypeVar("T")


class ObjectList(list[T], Generic[T]):
    """ROOT's TObjArray, TList and THashList of named objects."""

    def GetEntries(self) -> int:
        return len(self)

    GetEntriesFast = GetEntries
    GetSize = GetEntries

    def __bool__(self) -> bool:
        return True  # a pointer to an empty list is no null pointer

    def At(self, index: int) -> T | NullPointer:
        return self[index] if 0 <= index < len(self) else NullPointer(f"the list has no object {index}")

    UncheckedAt = At

    def First(self) -> T | NullPointer:
        return self.At(0)

    def Last(self) -> T | NullPointer:
        return self.At(len(self) - 1)

    def GetLast(self) -> int:
        return len(self) - 1

    def IsEmpty(self) -> bool:
        return len(self) == 0

    def Add(self, thing: T, *_: Any) -> None:
        self.append(thing)

    AddLast = Add

    def AddFirst(self, thing: T) -> None:
        self.insert(0, thing)

    def AddAt(self, thing: T, index: int) -> None:
        self.insert(index, thing)

    def AddAll(self, others: ObjectList[T]) -> None:
        self.extend(list(others))

    def Remove(self, thing: T) -> T | NullPointer:
        for index, one in enumerate(self):
            if one is thing:
                return self.pop(index)
        return NullPointer("the list has no such object")

    def RemoveAt(self, index: int) -> T | NullPointer:
        return self.pop(index) if 0 <= index < len(self) else NullPointer(f"the list has no object {index}")

    def IndexOf(self, thing: T) -> int:
        return next((index for index, one in enumerate(self) if one is thing), -1)

    def Clear(self, *_: Any) -> None:
        self.clear()

    Delete = RemoveAll = Clear

    def Sort(self, ascending: bool = True) -> None:
        self.sort(key=lambda one: one.GetName(), reverse=not ascending)  # type: ignore[attr-defined]

    def SetOwner(self, *_: Any) -> None:
        """Do nothing: Python frees objects."""

    def MakeIterator(self, forward: bool = True) -> TIter[T]:
        return TIter(self, forward)

    def FindObject(self, name: str) -> T | NullPointer:
        for one in self:
            if one.GetName() == name:  # type: ignore[attr-defined]
                return one
        return NullPointer(f"the list has no object {name!r}")

    def Contains(self, name: str) -> bool:
        return bool(self.FindObject(name))


class TIter(Generic[T]):
    """ROOT's iterator: ``while (object = next())``.

    >>> following = TIter(ObjectList("ab"))
    >>> following(), following.Next(), bool(following())
    ('a', 'b', False)
    """

    def __init__(self, things: Any, forward: bool = True) -> None:
        self._things = things
        self._forward = forward
        self.Reset()

    def Reset(self) -> None:
        things = [] if self._things is None or isinstance(self._things, NullPointer) else list(self._things)
        self._left: Iterator[T] = iter(things if self._forward else reversed(things))

    Begin = Reset

    def Next(self) -> T | NullPointer:
        """Return the next object, a null pointer at the end."""
        return next(self._left, NullPointer("the end of the list"))

    __call__ = Next

    def __iter__(self) -> Iterator[T]:
        return self._left
