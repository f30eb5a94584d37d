"""TString, TObjString and std::string: Python's text with ROOT's methods."""
# ruff: noqa: N802 - ROOT's names

from __future__ import annotations

from typing import Any

from pytmva_bnn.compat.cpp import c_format
from pytmva_bnn.compat.session import SESSION


class TString(str):
    """Text with the methods of ROOT's class; those that change it in C++ return the new text here."""

    __slots__ = ()

    def __add__(self, other: str) -> TString:
        return TString(str.__add__(self, str(other)))

    def __radd__(self, other: str) -> TString:
        return TString(str(other) + str(self))

    def Data(self) -> str:
        """Return the text."""
        return str(self)

    def Length(self) -> int:
        """Return the number of characters."""
        return len(self)

    def IsNull(self) -> bool:
        """Return whether the text is empty."""
        return not self

    def Contains(self, text: str) -> bool:
        """Return whether ``text`` occurs."""
        return text in self

    def BeginsWith(self, text: str) -> bool:
        """Return whether it begins with ``text``."""
        return self.startswith(text)

    def EndsWith(self, text: str) -> bool:
        """Return whether it ends with ``text``."""
        return self.endswith(text)

    def ReplaceAll(self, old: str, new: str) -> TString:
        """Return the text with ``old`` replaced everywhere; unlike C++, the text itself stays as it is."""
        return TString(self.replace(old, new))

    def ToLower(self) -> TString:
        """Return the text in lower case; unlike C++, the text itself stays as it is."""
        return TString(self.lower())

    def ToUpper(self) -> TString:
        """Return the text in upper case; unlike C++, the text itself stays as it is."""
        return TString(self.upper())

    def Atof(self) -> float:
        """Return the number that the text is."""
        return float(self)

    def Atoi(self) -> int:
        """Return the whole number that the text is."""
        return int(self)

    def Index(self, text: str) -> int:
        """Return where ``text`` first occurs, -1 if nowhere."""
        return self.find(text)

    @staticmethod
    def Format(pattern: str, *arguments: Any) -> TString:
        """Return the text that C's printf would write."""
        return TString(c_format(pattern, *arguments))


class TObjString(TString):
    """Text that can be written to a file."""

    __slots__ = ()

    def GetString(self) -> TString:
        """Return the text."""
        return TString(self)

    def GetName(self) -> str:
        """Return the text, which is also the object's name."""
        return str(self)

    def Write(self, name: str = "") -> int:
        """Write the text to the current file."""
        SESSION.directory.write_object(self, name or str(self))
        return len(self)


class StdString(str):
    """``std::string``.

    >>> StdString("abc").c_str(), StdString("abc").size()
    ('abc', 3)
    """

    __slots__ = ()

    def c_str(self) -> str:
        """Return the text."""
        return str(self)

    def size(self) -> int:
        """Return the number of characters."""
        return len(self)

    length = size
