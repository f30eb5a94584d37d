"""The types of elements, by their C++ names, and templates that make classes of them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pytmva_bnn.compat.cpp import arithmetic, copied
from pytmva_bnn.compat.errors import MacroError
from pytmva_bnn.compat.null_pointer import nullptr


@dataclass(frozen=True)
class ElementType:
    """How a value is put into a container, what a new one is, and numpy's name of the type."""

    name: str
    convert: Callable[[Any], Any]
    default: Callable[[], Any]
    dtype: str = "O"
    make: Callable[..., Any] | None = None
    """The constructor, for types that have one of several arguments."""


def _character(value: Any) -> str:
    return value if isinstance(value, str) else chr(int(value) & 255)


def _same(value: Any) -> Any:
    return value


NUMBERS: dict[str, tuple[Callable[[Any], Any], str, list[str]]] = {
    "float": (arithmetic.float32, "f4", ["Float_t", "Float16_t"]),
    "double": (float, "f8", ["Double_t", "Double32_t", "long double"]),
    "int": (arithmetic.int32, "i4", ["Int_t", "signed", "signed int", "int32_t"]),
    "unsigned int": (arithmetic.uint32, "u4", ["UInt_t", "unsigned", "uint", "uint32_t"]),
    "short": (arithmetic.int16, "i2", ["Short_t", "int16_t", "short int"]),
    "unsigned short": (arithmetic.uint16, "u2", ["UShort_t", "uint16_t"]),
    "long": (arithmetic.int64, "i8", ["Long_t", "long int", "ptrdiff_t", "streamsize"]),
    "long long": (arithmetic.int64, "i8", ["Long64_t", "int64_t", "long long int"]),
    "unsigned long": (arithmetic.uint64, "u8", ["ULong_t", "size_t", "unsigned long int"]),
    "unsigned long long": (arithmetic.uint64, "u8", ["ULong64_t", "uint64_t"]),
    "signed char": (arithmetic.int8, "i1", ["int8_t"]),
    "unsigned char": (arithmetic.uint8, "u1", ["UChar_t", "uint8_t"]),
    "bool": (bool, "?", ["Bool_t"]),
    "char": (_character, "O", ["Char_t"]),
    "string": (str, "O", ["TString", "str", "string_view", "Option_t*", "char*"]),
}
"""Numbers and texts: how they are converted, numpy's type, and other names."""

ALIASES = {alias: name for name, (_, _, aliases) in NUMBERS.items() for alias in aliases}
TEMPLATES: dict[str, Template] = {}
"""The templates by their names; the modules that have them put them here."""

CLASSES: dict[str, Any] = {}
"""ROOT's classes by their names; the module ROOT puts them here."""

_KNOWN: dict[Any, ElementType] = {}


def plain_name(name: str) -> str:
    """Return the name of a type without ``std::``, ``const`` and ``&``; other names of a type become its own."""
    name = re.sub(r"\bconst\b|\bstd::|\bstruct\b|&", " ", name)
    name = re.sub(r"\s+", " ", re.sub(r"\s*([*<>,])\s*", r"\1", name)).strip()
    return ALIASES.get(name, name)


def split_names(names: str) -> list[str]:
    """Split at the commas that are not inside angle brackets."""
    parts, depth, start = [], 0, 0
    for i, character in enumerate(names):
        depth += (character in "<(") - (character in ">)")
        if character == "," and depth == 0:
            parts.append(names[start:i])
            start = i + 1
    return [*parts, names[start:]]


def element_type(spec: Any) -> ElementType:
    """Return the type of elements that a C++ name or a class means."""
    key = plain_name(spec) if isinstance(spec, str) else spec
    if key not in _KNOWN:
        _KNOWN[key] = _named(key) if isinstance(key, str) else _of_class(key)
    return _KNOWN[key]


def _named(name: str) -> ElementType:
    if name in NUMBERS:
        convert, dtype, _ = NUMBERS[name]
        new = convert("") if name == "string" else convert(0)
        return ElementType(name, convert, lambda: new, dtype)
    head, _, rest = name.partition("<")
    if name.endswith("*") or head in ("function", "unique_ptr", "shared_ptr", "weak_ptr", "any"):
        return ElementType(name, _same, lambda: nullptr)
    if rest and head in TEMPLATES:
        return _of_class(TEMPLATES[head][rest.removesuffix(">")])
    known = CLASSES.get(name)
    if known is None:
        raise MacroError(f"std.vector of {name!r} does not exist here; there are {', '.join(NUMBERS)}")
    return _of_class(known)


def _of_class(kind: Any) -> ElementType:
    simple = {int: "int", float: "double", bool: "bool", str: "string"}.get(kind)
    if simple is not None:
        return element_type(simple)
    name = getattr(kind, "__name__", str(kind))
    if not isinstance(kind, type):
        raise MacroError(f"{kind!r} is not a type of elements: give a name in C++ or a class")
    if hasattr(kind, "from_value"):  # containers and pairs, which also take lists and tuples
        return ElementType(name, kind.from_value, kind, "O", kind)

    def convert(value: Any) -> Any:
        return kind(*value) if type(value) in (tuple, list) else copied(value)

    return ElementType(name, convert, kind, "O", kind)


class Template:
    """A template before its types are chosen: ``vector["float"]``, ``vector("float")``, ``map["string,int"]``.

    >>> from pytmva_bnn.compat import ROOT
    >>> ROOT.std.vector("double")([1, 2])
    [1.0, 2.0]
    >>> ROOT.std.vector["no such type"]
    Traceback (most recent call last):
    pytmva_bnn.compat.errors.MacroError: std.vector of 'no such type' does not exist here; there are float, double, ...
    """

    def __init__(self, name: str, base: type[Any]) -> None:
        self._name = name
        self._base = base
        self._classes: dict[Any, type[Any]] = {}
        TEMPLATES[name] = self

    def __getitem__(self, specs: Any) -> type[Any]:
        if specs not in self._classes:
            parts = specs if isinstance(specs, tuple) else (specs,)
            names = [name for part in parts for name in (split_names(part) if isinstance(part, str) else [part])]
            key = tuple(plain_name(name) if isinstance(name, str) else name for name in names)
            if key not in self._classes:  # C++ too has one class, whatever names its types were given
                shown = ",".join(getattr(part, "__name__", str(part)) for part in key)
                members = {"__slots__": (), **self._base.members(*key)}
                self._classes[key] = type(f"{self._name}<{shown}>", (self._base,), members)
            self._classes[specs] = self._classes[key]
        return self._classes[specs]

    def __call__(self, *specs: Any) -> type[Any]:
        return self[specs if len(specs) > 1 else specs[0]]
