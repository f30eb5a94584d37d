"""ROOT's lists: Python's lists with the calls of TObjArray and TList."""
# ruff: noqa: N802 - ROOT's names

from __future__ import annotations

from typing import Generic, TypeVar

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

    def FindObject(self, name: str) -> T | NullPointer:
        """Return the object of that name."""
        for one in self:
            if one.GetName() == name:  # type: ignore[attr-defined]
                return one
        return NullPointer(f"the list has no object {name!r}")

    def Contains(self, name: str) -> bool:
        """Return whether there is an object of that name."""
        return bool(self.FindObject(name))
