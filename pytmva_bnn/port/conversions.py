"""Values as other types: texts, numbers, null pointers, negations."""

from __future__ import annotations

from dataclasses import replace

from pytmva_bnn.port.context import Expr, LeftError
from pytmva_bnn.port.numbers import kept
from pytmva_bnn.port.symbols import BOOL, INT, NONE, STRING, TEXTS, UNKNOWN, CppType, Kind


def negation(value: Expr) -> Expr:
    """Return the negation of a condition.

    >>> negation(Expr("a in b", "comparison", negated="a not in b")).text
    'a not in b'
    """
    if value.kind is Kind.CUT:
        raise LeftError("the negation of a TCut is not translated")
    if value.negated:
        return Expr(value.negated, "comparison", BOOL, negated=value.text)
    if value.rank == "not" and value.text.startswith("not "):
        return Expr(value.text[4:], "comparison", BOOL)
    if value.rank == "comparison" and " in " in value.text:
        return Expr(value.text.replace(" in ", " not in ", 1), "comparison", BOOL)
    return Expr(f"not {value.within('not')}", "not", BOOL)


def as_text(value: Expr) -> Expr:
    """Return a value as text: numbers are converted, texts stay."""
    if value.kind in TEXTS:
        return value
    if value.kind in (Kind.INT, Kind.FLOAT, Kind.BOOL):
        return Expr(f"str({value})", type=STRING)
    return value


def converted(value: Expr, type_: CppType) -> Expr:
    """Return a value as another type.

    >>> converted(Expr("x", type=CppType(Kind.FLOAT)), INT).text
    'int(x)'
    """
    if type_.kind is Kind.INT and not type_.pointer:
        return replace(kept(value, type_), type=type_) if value.type.is_number else Expr(f"int({value})", type=type_)
    if type_.kind is Kind.BOOL:
        return value if value.kind is Kind.BOOL else Expr(f"bool({value})", type=type_)
    if type_.kind is Kind.FLOAT and not type_.pointer:
        return kept(value, type_) if value.kind is Kind.FLOAT else Expr(f"float({value})", type=type_)
    if type_.kind in TEXTS:
        text = as_text(value)
        return Expr(text.text, text.rank, type_, text.literal)
    if type_.kind is Kind.UNKNOWN and value.kind is Kind.UNKNOWN:
        raise LeftError("a cast to this type is not translated")
    if value.kind is Kind.TREE and type_.kind not in (Kind.TREE, Kind.CHAIN):
        raise LeftError("only trees are taken from files")
    # a pointer: what counts is what the value is, unless that is not known
    keeps = value.kind is not Kind.UNKNOWN and type_.kind is not Kind.METHOD
    return value if keeps else Expr(value.text, value.rank, type_)


def null_or(value: Expr, type_: CppType) -> Expr:
    """Return the value, with 0 as None if the type is one of objects."""
    is_object = type_.pointer or type_.kind not in (Kind.INT, Kind.FLOAT, Kind.BOOL, Kind.STRING, Kind.UNKNOWN)
    return Expr("None", type=NONE) if is_object and value.text == "0" else value


def key_type(map_type: CppType) -> CppType:
    """Return the type of the keys of a map."""
    return {"STRING": STRING, "INT": INT}.get(map_type.note, UNKNOWN)
