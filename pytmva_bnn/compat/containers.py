"""std::vector and ROOT's lists: Python's lists with C++'s methods."""
# ruff: noqa: N802 - ROOT's names

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.compat.branch_values import VectorCalls
from pytmva_bnn.compat.errors import MacroError
from pytmva_bnn.compat.null_pointer import NullPointer
from pytmva_bnn.compat.strings import StdString

T = TypeVar("T")

ELEMENTS: dict[str, tuple[Callable[[Any], Any], Any, str]] = {
    "float": (lambda value: float(np.float32(value)), 0.0, "f4"),
    "double": (float, 0.0, "f8"),
    "int": (int, 0, "i4"),
    "unsigned int": (int, 0, "u4"),
    "short": (int, 0, "i2"),
    "long": (int, 0, "i8"),
    "long long": (int, 0, "i8"),
    "unsigned long": (int, 0, "u8"),
    "char": (int, 0, "i1"),
    "bool": (bool, False, "?"),
    "string": (str, "", "O"),
}
"""The types of elements: how they are converted, what a new one is, and numpy's name of the type."""

ALIASES = {
    "Float_t": "float", "Double_t": "double", "Int_t": "int", "UInt_t": "unsigned int", "Long64_t": "long long",
    "Bool_t": "bool", "Short_t": "short", "std::string": "string", "TString": "string", "str": "string",
    "unsigned": "unsigned int", "size_t": "unsigned long",
}  # fmt: skip


class Vector(list[Any], VectorCalls):
    """``std::vector`` of numbers or text; ``ROOT.std.vector("float")`` is a class derived from it."""

    element = "double"

    def __init__(self, content: int | Iterable[Any] = (), value: Any = None) -> None:
        convert, initial, _ = ELEMENTS[self.element]
        if isinstance(content, int):
            super().__init__([convert(initial if value is None else value)] * content)
        else:
            super().__init__(convert(one) for one in content)

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of the elements in numpy's words."""
        return np.dtype(ELEMENTS[self.element][2])

    def push_back(self, value: Any) -> None:
        """Append an element."""
        self.append(ELEMENTS[self.element][0](value))

    emplace_back = push_back

    def pop_back(self) -> None:
        """Remove the last element."""
        self.pop()

    def size(self) -> int:
        """Return the number of elements."""
        return len(self)

    def resize(self, size: int, value: Any = None) -> None:
        """Drop elements at the end, or append new ones."""
        convert, initial, _ = ELEMENTS[self.element]
        del self[size:]
        self.extend([convert(initial if value is None else value)] * (size - len(self)))

    def assign(self, size: int, value: Any) -> None:
        """Make it ``size`` times the same element."""
        self[:] = [ELEMENTS[self.element][0](value)] * size

    def reserve(self, size: int) -> None:
        """Do nothing: Python's lists grow by themselves."""

    def data(self) -> NDArray[Any]:
        """Return a copy of the elements as an array."""
        return np.asarray(self, dtype=self.dtype)


class VectorTemplate:
    """``std::vector`` before its type is chosen: ``vector("float")``, ``vector["float"]`` or ``vector[float]``.

    >>> vector("double")([1, 2])
    [1.0, 2.0]
    >>> vector["no such type"]
    Traceback (most recent call last):
    pytmva_bnn.compat.errors.MacroError: std.vector of 'no such type' does not exist here; there are float, double, ...
    """

    def __call__(self, element: Any) -> type[Vector]:
        """Return the class of vectors of a type."""
        name = "double" if element is float else getattr(element, "__name__", str(element))
        name = ALIASES.get(name, name)
        if name not in ELEMENTS:
            raise MacroError(f"std.vector of {name!r} does not exist here; there are {', '.join(ELEMENTS)}")
        return type(f"vector<{name}>", (Vector,), {"element": name})

    __getitem__ = __call__


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


class Std:
    """The namespace ``ROOT.std``."""

    vector = VectorTemplate()
    string = StdString


std = Std()
vector = Std.vector
