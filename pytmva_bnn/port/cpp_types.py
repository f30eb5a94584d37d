"""C++ types: what a type and a declarator mean together, and how their values look in Python."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from pytmva_bnn.port.parse import Node, parts_of, text_of

CODES = {
    "int8": "b", "uint8": "B", "int16": "h", "uint16": "H", "int32": "i", "uint32": "I", "int64": "q", "uint64": "Q",
    "float32": "f", "float64": "d",
}  # fmt: skip
"""Numbers and the letters of Python's ``array`` for them."""

_INTEGERS = (
    ("int8", ("signed char", "int8_t", "Char8_t")),
    ("uint8", ("unsigned char", "UChar_t", "uint8_t", "Byte_t")),
    ("int16", ("short", "short int", "Short_t", "int16_t")),
    ("uint16", ("unsigned short", "unsigned short int", "UShort_t", "uint16_t")),
    ("int32", ("int", "signed", "signed int", "Int_t", "int32_t", "Ssiz_t", "Color_t", "Style_t", "Version_t")),
    ("uint32", ("unsigned", "unsigned int", "UInt_t", "uint32_t", "uint")),
    (
        "int64",
        (
            *("long", "long int", "long long", "long long int", "Long_t", "Long64_t", "int64_t", "ssize_t"),
            *("ptrdiff_t", "time_t", "clock_t", "streampos"),
        ),
    ),
    (
        "uint64",
        (
            *("unsigned long", "unsigned long int", "unsigned long long", "unsigned long long int", "ULong_t"),
            *("ULong64_t", "uint64_t", "size_t", "size_type", "uintptr_t", "string::size_type"),
        ),
    ),
)
_NAMES: dict[str, str] = {name: kind for kind, names in _INTEGERS for name in names} | {
    "float": "float32", "Float_t": "float32", "Float16_t": "float32", "double": "float64", "Double_t": "float64",
    "Double32_t": "float64", "long double": "float64", "LongDouble_t": "float64", "Real_t": "float32",
    "Stat_t": "float64", "Axis_t": "float64", "bool": "bool", "Bool_t": "bool", "char": "char", "Char_t": "char",
    "string": "text", "TString": "text", "string_view": "text", "Text_t": "char", "Option_t": "char", "void": "void",
    "auto": "auto", "ostream": "stream", "istream": "stream", "iostream": "stream",
}  # fmt: skip
STREAMS = ("stringstream", "ostringstream", "istringstream", "ifstream", "ofstream", "fstream")
CONTAINERS = (
    "vector", "map", "unordered_map", "multimap", "set", "unordered_set", "multiset", "list", "deque", "array", "pair",
    "tuple", "stack", "queue",
)  # fmt: skip
MAPS = ("map", "unordered_map", "multimap")
ROOT_VALUES = frozenset(
    {
        "TLorentzVector", "TVector3", "TVector2", "TMatrixD", "TMatrixF", "TMatrixDSym", "TVectorD", "TVectorF",
        "TArrayD", "TArrayF", "TArrayI", "TH1F", "TH1D", "TH1I", "TH2F", "TH2D", "TProfile", "TGraph", "TGraphErrors",
        "TGraphAsymmErrors",
    }
)  # fmt: skip
"""Classes of ROOT whose objects macros copy."""
_POINTERS = ("unique_ptr", "shared_ptr", "weak_ptr", "RResultPtr")
_WRITTEN = {
    "int8": "signed char", "uint8": "unsigned char", "int16": "short", "uint16": "unsigned short", "int32": "int",
    "uint32": "unsigned int", "int64": "long long", "uint64": "unsigned long", "float32": "float",
    "float64": "double", "text": "std::string", "enum": "int",
}  # fmt: skip
_NOISE = re.compile(
    r"\b(?:(?:const|static|volatile|register|constexpr|mutable|struct|class|typename|inline|extern|virtual|enum)\b|std::)"
)


@dataclass(frozen=True)
class CppType:
    """A type: a basic name (``int32``, ``text``, ``vector``, a class), template arguments, pointers, array sizes.

    ``size`` is the text of Python for the lengths of an array, outermost first; empty text where it is not given.
    """

    name: str
    arguments: tuple[CppType, ...] = ()
    pointers: int = 0
    reference: bool = False
    const: bool = False
    sizes: tuple[Node | None, ...] = ()
    smart: bool = False

    @property
    def plain(self) -> CppType:
        """The type of a value: no reference, no const."""
        return replace(self, reference=False, const=False)

    @property
    def is_integer(self) -> bool:
        """Whether it is a whole number (not a char)."""
        return self.is_value and (self.name in CODES and not self.name.startswith("float"))

    @property
    def is_float(self) -> bool:
        """Whether it is a float or double."""
        return self.is_value and self.name in ("float32", "float64")

    @property
    def is_number(self) -> bool:
        """Whether it is a number or truth value."""
        return self.is_value and (self.name in CODES or self.name == "bool")

    @property
    def is_char(self) -> bool:
        """Whether it is one character."""
        return self.is_value and self.name == "char"

    @property
    def is_text(self) -> bool:
        """Whether it is a string of any kind, also a C string."""
        if self.name == "text":
            return self.is_value
        return self.name == "char" and self.pointers + len(self.sizes) == 1

    @property
    def is_value(self) -> bool:
        """Whether it is neither pointer nor array."""
        return self.pointers == 0 and not self.sizes

    @property
    def is_array(self) -> bool:
        """Whether it is a C array, other than text."""
        return bool(self.sizes) and not self.is_text

    @property
    def is_pointer(self) -> bool:
        """Whether it is a pointer, other than a C string."""
        return self.pointers > 0 and not self.sizes and not self.is_text

    @property
    def is_scalar_pointer(self) -> bool:
        """Whether it points to something that Python keeps in a cell: a number, a text, a pointer."""
        if not self.is_pointer:
            return False
        return self.target.is_immutable

    @property
    def is_container(self) -> bool:
        """Whether it is one of the containers of std."""
        return self.is_value and self.name in CONTAINERS

    @property
    def is_root_value(self) -> bool:
        """Whether it is an object of ROOT that ``=`` copies."""
        return self.is_value and self.name in ROOT_VALUES

    @property
    def is_immutable(self) -> bool:
        """Whether Python's value cannot be changed in place: numbers, text and pointers."""
        return not self.sizes and (
            self.is_number or self.is_char or self.is_text or self.pointers > 0 or self.name in ("enum", "function")
        )

    @property
    def target(self) -> CppType:
        """What a pointer points to, or the element of an array."""
        if self.sizes:
            return replace(self, sizes=self.sizes[1:], reference=False)
        return replace(self, pointers=max(self.pointers - 1, 0), reference=False, smart=False)

    @property
    def element(self) -> CppType:
        """The type of the elements of a container, an array or a text."""
        if self.is_text:
            return CHAR
        if self.sizes or self.pointers:
            inner = replace(self, pointers=0)
            return inner.element if inner.is_container else self.target
        if self.name in MAPS and len(self.arguments) > 1:
            return CppType("pair", self.arguments[:2])
        return self.arguments[0] if self.arguments else UNKNOWN

    @property
    def value(self) -> CppType:
        """What ``[...]`` gives: the value of a map, else the element."""
        if self.name in MAPS and self.is_value and len(self.arguments) > 1:
            return self.arguments[1]
        return self.element

    def written(self) -> str:
        """Return the type as a template argument of PyROOT.

        >>> CppType("vector", (CppType("float32"),)).written()
        'std::vector<float>'
        """
        name = _WRITTEN.get(self.name, self.name)
        if self.name in ("?", "auto", "function"):
            return "any"
        if self.name in CONTAINERS:
            name = f"std::{name}"
        arguments = f"<{','.join(one.written() for one in self.arguments)}>" if self.arguments else ""
        return name + arguments + "*" * (self.pointers if not self.is_text or self.name == "text" else 0)


UNKNOWN = CppType("?")
AUTO = CppType("auto")
VOID = CppType("void")
BOOL = CppType("bool")
CHAR = CppType("char")
TEXT = CppType("text")
INT = CppType("int32")
UINT64 = CppType("uint64")
FLOAT = CppType("float32")
DOUBLE = CppType("float64")
STREAM = CppType("stream")
NULL = CppType("null")
FUNCTION = CppType("function")
ITERATOR = CppType("iterator")


def type_by_text(text: str, aliases: Mapping[str, CppType], depth: int = 0) -> CppType:
    """Return the type of a type's text.

    >>> type_by_text("const std::map<std::string, int>*", {}).written()
    'std::map<std::string,int>*'
    """
    cleaned = re.sub(r"\s+", " ", _NOISE.sub(" ", text)).strip()
    cleaned = re.sub(r" ?([*&<>,:]) ?", r"\1", cleaned).removeprefix("::")
    is_const = re.search(r"\bconst\b", text) is not None
    bare = cleaned.rstrip("*&")
    pointers, reference = cleaned[len(bare) :].count("*"), "&" in cleaned[len(bare) :]
    found = _named(bare, aliases, depth)
    if found.smart and pointers == 0:
        return replace(found, reference=reference)
    return replace(found, pointers=found.pointers + pointers, reference=reference, const=is_const or found.const)


def _named(bare: str, aliases: Mapping[str, CppType], depth: int) -> CppType:
    if bare in aliases:
        return aliases[bare]
    if bare in _NAMES:
        return CppType(_NAMES[bare])
    if bare in STREAMS:
        return CppType(bare)
    match = re.fullmatch(r"([\w:]+)<(.*)>((?:::\w+)?)", bare)
    if bare.startswith("decltype"):
        return UNKNOWN
    if bare.endswith(("iterator", "iterator_type")):
        many = type_by_text(bare.rpartition("::")[0], aliases, depth + 1) if "::" in bare and depth < 8 else UNKNOWN
        return replace(ITERATOR, arguments=(many.element,)) if many.is_container and many.arguments else ITERATOR
    if match is None or depth > 8:
        return CppType(bare or "?")
    if match.group(3) == "::size_type":
        return UINT64
    name = match.group(1)
    arguments = tuple(type_by_text(part, aliases, depth + 1).plain for part in split_arguments(match.group(2)))
    if name in _POINTERS and arguments:
        return replace(arguments[0], pointers=arguments[0].pointers + 1, smart=True)
    if name == "function":
        return FUNCTION
    if name in CONTAINERS:
        if name == "pair":
            arguments = arguments[:2]
        elif name != "tuple":
            arguments = arguments if name in ("array", *MAPS, "set", "multiset") else arguments[:1]
        return CppType(name, arguments)
    return CppType(name, arguments)


def split_arguments(text: str) -> list[str]:
    """Split the arguments of a template at the commas that are not within brackets."""
    parts, depth = [""], 0
    for one in text:
        depth += (one in "<(") - (one in ">)")
        if one == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += one
    return [part.strip() for part in parts if part.strip()]


@dataclass(frozen=True)
class Declared:
    """What a declarator declares: name, type, and the node of the parameters if it is a function."""

    name: str
    type: CppType
    parameters: Node | None = None
    binding: tuple[str, ...] = ()


def declared(base: CppType, declarator: Node | None) -> Declared:
    """Return the name and type of a declarator on top of a type."""
    type_, parameters = base, None
    sizes: list[Node | None] = []
    node = declarator
    while node is not None:
        inner = node.child_by_field_name("declarator")
        match node.type:
            case "pointer_declarator" | "abstract_pointer_declarator":
                type_ = replace(type_, pointers=type_.pointers + 1, const=type_.const)
            case "reference_declarator" | "abstract_reference_declarator":
                type_ = replace(type_, reference=True)
                inner = next(iter(parts_of(node)), None)
            case "array_declarator" | "abstract_array_declarator":
                sizes.insert(0, node.child_by_field_name("size"))
            case "function_declarator" | "abstract_function_declarator":
                parameters = node.child_by_field_name("parameters")
                if inner is not None and inner.type == "parenthesized_declarator":
                    type_, parameters = FUNCTION, None
                    inner = next(iter(parts_of(inner)), None)
                    if inner is not None and inner.type == "pointer_declarator":
                        inner = inner.child_by_field_name("declarator")
            case "init_declarator":
                pass
            case "parenthesized_declarator":
                inner = next(iter(parts_of(node)), None)
            case "structured_binding_declarator":
                return Declared("", type_, None, tuple(text_of(part) for part in parts_of(node)))
            case _:
                return Declared(text_of(node), replace(type_, sizes=tuple(sizes)), parameters)
        node = inner
    return Declared("", replace(type_, sizes=tuple(sizes)), parameters)


def larger(a: CppType, b: CppType) -> CppType:
    """Return the type in which C++ computes with two numbers."""
    if "float64" in (a.name, b.name):
        return DOUBLE
    if "float32" in (a.name, b.name):
        return FLOAT
    ranks = ("int32", "uint32", "int64", "uint64")
    return CppType(max((one.name if one.name in ranks else "int32" for one in (a, b)), key=ranks.index))
