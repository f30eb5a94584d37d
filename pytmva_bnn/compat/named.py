"""What all objects of ROOT have: a class that can be asked for, and mostly a name and a title."""
# ruff: noqa: N802, N815 - ROOT's names

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def getter(attribute: str) -> Callable[[Any], Any]:
    """Return a method that returns an attribute: ROOT's ``GetThis()`` where Python has ``this``."""
    return lambda self: getattr(self, attribute)


class TClass:
    """A class of ROOT as an object.

    >>> TClass(Named).GetName(), TClass(Named).InheritsFrom("TObject")
    ('Named', True)
    """

    def __init__(self, python_class: type) -> None:
        self._class = python_class

    def GetName(self) -> str:
        return self._class.__name__

    def InheritsFrom(self, other: Any) -> bool:
        name = other.GetName() if hasattr(other, "GetName") else str(other)
        return any(base.__name__.removeprefix("Macro") == name for base in self._class.__mro__)


class TObject:
    """The constants of TObject, and the calls by which macros ask for an object's class."""

    kSingleKey, kOverwrite, kWriteDelete = 1, 2, 4
    kCanDelete, kMustCleanup, kCannotPick, kNoContextMenu, kInvalidObject = 1, 8, 64, 256, 8192
    kIsOnHeap, kNotDeleted, kZombie, kBitMask = 0x01000000, 0x02000000, 0x04000000, 0x00FFFFFF

    def ClassName(self) -> str:
        return type(self).__name__

    def IsA(self) -> TClass:
        return TClass(type(self))

    @classmethod
    def Class(cls) -> TClass:
        return TClass(cls)

    def InheritsFrom(self, other: Any) -> bool:
        """Return whether the object is of a class, given by its name, or of one derived from it."""
        return self.IsA().InheritsFrom(other)

    def Delete(self, option: str = "") -> None:
        """Do nothing: Python frees objects."""


class Named(TObject):
    """The calls of ROOT's TNamed."""

    _name: str = ""
    _title: str = ""

    def GetName(self) -> str:
        return self._name

    def SetName(self, name: str) -> None:
        self._name = str(name)

    def GetTitle(self) -> str:
        """Return the title; of a TCut it is the expression."""
        return self._title

    def SetTitle(self, title: str) -> None:
        self._title = str(title)

    def SetNameTitle(self, name: str, title: str) -> None:
        self.SetName(name)
        self.SetTitle(title)


class TNamed(Named):
    """A name with a title, which is written as text."""

    def __init__(self, name: Any = "", title: Any = "") -> None:
        self._name, self._title = str(name), str(title)

    def Write(self, name: str = "", *_: Any) -> int:
        """Write the title, as text, to the current file."""
        from pytmva_bnn.compat.session import SESSION  # which needs names
        from pytmva_bnn.compat.strings import TObjString

        SESSION.directory.write_object(TObjString(self._title), str(name) or self._name)
        return 1


class TParameter(Named):
    """A number with a name: ``TParameter["double"]("lumi", 35.9)``.

    >>> TParameter["double"]("lumi", 35.9).GetVal()
    35.9
    """

    def __init__(self, name: str = "", value: Any = 0, *_: Any) -> None:
        self._name, self._title, self._value = str(name), "", value

    def __class_getitem__(cls, kind: Any) -> type[TParameter]:
        return cls

    def GetVal(self) -> Any:
        return self._value

    def SetVal(self, value: Any) -> None:
        self._value = value
