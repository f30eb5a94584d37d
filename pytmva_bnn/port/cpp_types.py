"""Types as they are written → :class:`~pytmva_bnn.port.symbols.CppType`."""

from __future__ import annotations

import re
from dataclasses import replace

from pytmva_bnn.port.parse import Node, parts_of, text_of
from pytmva_bnn.port.root_idioms import CLASS_TYPES, NUMBER_TYPES
from pytmva_bnn.port.symbols import UNKNOWN, CppType, Kind

_LISTS = ("vector", "list", "deque", "set", "array", "initializer_list")
_MAPS = ("map", "unordered_map")


def type_of(node: Node | None, aliases: dict[str, CppType]) -> CppType:
    """Return the type that a type node (without declarator) means."""
    if node is None:
        return UNKNOWN
    return type_by_text(text_of(node), aliases)


def type_by_text(text: str, aliases: dict[str, CppType], depth: int = 0) -> CppType:
    """Return the type of a type's text.

    >>> type_by_text("std::map<std::string, int>", {}).kind
    <Kind.MAP: 'dictionary'>
    """
    cleaned = re.sub(r"\b(const|static|volatile|register|constexpr|mutable|struct|class)\b", " ", text)
    cleaned = re.sub(r"\b(std|ROOT)::", "", cleaned)
    cleaned = re.sub(r"\s+", " ", cleaned.replace("*", " ").replace("&", " ")).strip()
    is_pointer = "*" in text
    if cleaned in aliases:
        return aliases[cleaned]
    if cleaned in NUMBER_TYPES:
        return replace(NUMBER_TYPES[cleaned], pointer=is_pointer)
    known = CLASS_TYPES.get(cleaned) or CLASS_TYPES.get(f"TMVA::{cleaned}")
    if known is not None:
        return known
    match = re.fullmatch(r"(\w+) ?<(.*)>", cleaned)
    if match is None or depth > 8:
        return UNKNOWN
    # pointers and spaces of the arguments do not matter: a list of pointers is a list of objects
    arguments = [type_by_text(part, aliases, depth + 1) for part in _arguments(match.group(2))]
    if match.group(1) in _LISTS:
        return CppType(Kind.VECTOR, arguments[0], note=match.group(1))
    if match.group(1) in _MAPS and len(arguments) >= 2:
        return CppType(Kind.MAP, arguments[1], note=arguments[0].kind.name)
    if match.group(1) == "pair":
        return CppType(Kind.PAIR)
    if match.group(1) in ("unique_ptr", "shared_ptr"):
        return arguments[0]
    return UNKNOWN


def _arguments(text: str) -> list[str]:
    """Split the arguments of a template."""
    parts = [""]
    depth = 0
    for one in text:
        depth += (one == "<") - (one == ">")
        if one == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += one
    return parts


def is_type_name(text: str, aliases: dict[str, CppType]) -> bool:
    """Tell whether a name is that of a type."""
    return type_by_text(text, aliases).kind is not Kind.UNKNOWN


def declared_type(node: Node, aliases: dict[str, CppType]) -> CppType:
    """Return the type of a ``type_descriptor`` (in casts and templates), with its pointers."""
    base = node.child_by_field_name("type") if node.type == "type_descriptor" else node
    found = type_of(base, aliases)
    is_pointer = any(part.type == "abstract_pointer_declarator" for part in parts_of(node))
    return replace(found, pointer=True) if is_pointer and found.kind is not Kind.UNKNOWN else found
