"""TString, TObjString and std::string: Python's text with ROOT's methods."""
# ruff: noqa: N802, N815 - ROOT's names

from __future__ import annotations

import re
from typing import Any

from pytmva_bnn.compat.cpp import atof, atoi, atoll, c_format, strcmp
from pytmva_bnn.compat.cpp.c_library import float_at_start
from pytmva_bnn.compat.lists import ObjectList
from pytmva_bnn.compat.session import SESSION
from pytmva_bnn.compat.std.exceptions import out_of_range


def _cased(text: str, case: int) -> str:
    return text.lower() if case else str(text)


class TString(str):
    """Text with the methods of ROOT's class; those that change it in C++ return the new text here."""

    __slots__ = ()
    kExact, kIgnoreCase = 0, 1
    kNone, kLeading, kTrailing, kBoth = 0, 1, 2, 3

    def __add__(self, other: str) -> TString:
        return TString(str.__add__(self, str(other)))

    def __radd__(self, other: str) -> TString:
        return TString(str(other) + str(self))

    def Data(self) -> str:
        return str(self)

    def Length(self) -> int:
        return len(self)

    def IsNull(self) -> bool:
        return not self

    def Contains(self, text: str, case: int = 0) -> bool:
        """Return whether ``text`` occurs; ``case`` is kExact or kIgnoreCase, here and below."""
        return _cased(text, case) in _cased(self, case)

    def BeginsWith(self, text: str, case: int = 0) -> bool:
        return _cased(self, case).startswith(_cased(text, case))

    def EndsWith(self, text: str, case: int = 0) -> bool:
        return _cased(self, case).endswith(_cased(text, case))

    def CompareTo(self, text: str, case: int = 0) -> int:
        """Return a negative number, 0 or a positive number for before, equal to or after ``text``."""
        return strcmp(_cased(self, case), _cased(text, case))

    def EqualTo(self, text: str, case: int = 0) -> bool:
        return self.CompareTo(text, case) == 0

    def Index(self, text: str, start: int = 0, case: int = 0) -> int:
        return _cased(self, case).find(_cased(text, case), start)

    def First(self, characters: str) -> int:
        """Return where one of some characters first occurs, -1 if nowhere."""
        return next((place for place, one in enumerate(self) if one in str(characters)), -1)

    def Last(self, character: str) -> int:
        return self.rfind(character)

    def CountChar(self, character: str) -> int:
        return self.count(character)

    def IsDigit(self) -> bool:
        """Return whether there are only digits (and spaces)."""
        return re.fullmatch(r"[\s\d]*\d[\s\d]*", self) is not None

    def IsFloat(self) -> bool:
        return float_at_start(self)[1] == len(self.rstrip()) > 0

    def IsAlpha(self) -> bool:
        return self.isalpha()

    def IsAlnum(self) -> bool:
        return self.isalnum()

    def Sizeof(self) -> int:
        return len(self) + (5 if len(self) > 254 else 1)

    def Atof(self) -> float:
        return atof(self)

    def Atoi(self) -> int:
        return atoi(self)

    def Atoll(self) -> int:
        return atoll(self)

    def Tokenize(self, *arguments: Any) -> Any:
        """Return the parts between delimiters, or put the next part and where to go on into cells: ``(part, from)``.

        The second form returns whether there is another part; its delimiter is a regular expression.
        """
        if isinstance(arguments[0], str):
            parts = re.split(f"[{re.escape(arguments[0])}]", self)
            return ObjectList(TObjString(part) for part in parts if part)
        part, start = arguments[:2]
        pattern = str(arguments[2]) if len(arguments) > 2 else " "
        if not 0 <= start[0] < len(self):
            return False
        if len(pattern) == 1:  # ROOT: a single character may be repeated
            pattern = f"[{re.escape(pattern)}]+"
        delimiter = re.compile(pattern).search(self, start[0])
        end, following = (delimiter.start(), delimiter.end()) if delimiter else (len(self), len(self) + 1)
        part[0], start[0] = TString(self[start[0] : end]), following
        return True

    def __call__(self, start: int, length: int | None = None) -> str:
        """Return a character, or ``length`` of them from ``start`` on."""
        return self[start] if length is None else TString(self[start : start + length])

    # -- what changes the text in C++ returns the new text here, and the text itself stays as it is

    def ReplaceAll(self, old: str, new: str) -> TString:
        return TString(self.replace(old, new))

    def Replace(self, start: int, length: int, text: str) -> TString:
        return TString(self[:start] + text + self[start + length :])

    def Append(self, text: str, repeat: int = 1) -> TString:
        return self + text * repeat

    def Prepend(self, text: str, repeat: int = 1) -> TString:
        return TString(text * repeat + self)

    def Insert(self, start: int, text: str) -> TString:
        return self.Replace(start, 0, text)

    def Remove(self, start: int, length: int | None = None) -> TString:
        """Return the text without some characters, or without all from ``start`` on."""
        return self.Replace(start, len(self) if length is None else length, "")

    def Resize(self, length: int) -> TString:
        return TString(self[:length].ljust(length))

    def Strip(self, where: int = 2, character: str = " ") -> TString:
        """Return the text without a character at its start (kLeading), end (kTrailing) or both (kBoth)."""
        text = self.lstrip(character) if where & 1 else str(self)
        return TString(text.rstrip(character) if where & 2 else text)

    def ToLower(self) -> TString:
        return TString(self.lower())

    def ToUpper(self) -> TString:
        return TString(self.upper())

    @staticmethod
    def Format(pattern: str, *arguments: Any) -> TString:
        return TString(c_format(pattern, *arguments))

    Form = Format

    @staticmethod
    def Itoa(value: int, base: int = 10) -> TString:
        digits = ""
        rest = abs(int(value))
        while rest or not digits:
            digits = "0123456789abcdefghijklmnopqrstuvwxyz"[rest % base] + digits
            rest //= base
        return TString(("-" if value < 0 else "") + digits)

    LLtoa = Utoa = Itoa


class TObjString(TString):
    """Text that can be written to a file."""

    __slots__ = ()

    def GetString(self) -> TString:
        return TString(self)

    String = GetString

    def GetName(self) -> str:
        """Return the text, which is also the object's name."""
        return str(self)

    def Write(self, name: str = "", *_: Any) -> int:
        SESSION.directory.write_object(self, name or str(self))
        return len(self)


class StdString(str):
    """``std::string``.

    >>> StdString("abc").c_str(), StdString("abc").size()
    ('abc', 3)
    """

    __slots__ = ()
    npos = -1
    """What ``find`` of Python's text gives where C++'s gives its largest number."""

    def at(self, index: int) -> str:
        """Return a character; beyond the end it raises as C++ throws."""
        if not 0 <= index < len(self):
            raise out_of_range(f"basic_string::at: __n (which is {index}) >= this->size() (which is {len(self)})")
        return self[index]

    def c_str(self) -> str:
        return str(self)

    def size(self) -> int:
        return len(self)

    length = size
