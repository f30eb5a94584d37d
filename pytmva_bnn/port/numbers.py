"""Numbers as C++ computes with them: what an operation gives, and what a variable keeps of a value.

Python's own operators are used wherever they give the same; else functions of :mod:`~pytmva_bnn.port.arithmetic`.
"""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from pytmva_bnn.port.context import Expr, LeftError
from pytmva_bnn.port.symbols import DOUBLE, INT, UNKNOWN, CppType, Kind

RANK = {
    "+": "sum",
    "-": "sum",
    "*": "product",
    "/": "product",
    "%": "product",
    "<<": "shift",
    ">>": "shift",
    "&": "&",
    "|": "|",
    "^": "^",
}
_SMALL = ("np.int8", "np.uint8", "np.int16", "np.uint16")
_INTEGERS = frozenset({Kind.INT, Kind.BOOL})


def bits_of_unsigned(type_: CppType) -> int:
    """Return how many bits an unsigned integer has, 0 for all other types."""
    match = re.fullmatch(r"np\.uint(\d+)", type_.dtype)
    return int(match.group(1)) if match and type_.kind is Kind.INT and not type_.pointer else 0


def is_single(type_: CppType) -> bool:
    """Tell whether a type is ``float``."""
    return type_.kind is Kind.FLOAT and type_.dtype == "np.float32" and not type_.pointer


def read(memory: Expr) -> Expr:
    """Return the value of an element of an array: numpy's small numbers would not compute as those of C++.

    >>> read(Expr("x[0]", type=CppType(Kind.FLOAT, dtype="np.float32"))).text
    'float(x[0])'
    """
    type_ = memory.type
    if not type_.is_number or type_.dtype in ("", "np.float64", "np.int64"):
        return memory
    maker = {Kind.FLOAT: "float", Kind.INT: "int"}.get(type_.kind, "bool")
    return replace(memory, text=f"{maker}({memory})", place=memory.text, is_natural=bits_of_unsigned(type_) > 0)


def arithmetic(operator: str, left: Expr, right: Expr) -> Expr:
    """Return an operation with two numbers."""
    kinds = {left.kind, right.kind}
    if Kind.LOST in kinds or Kind.NONE in kinds:
        raise LeftError("this operation is not translated")
    rank = RANK[operator]
    if not kinds <= _INTEGERS:
        type_ = DOUBLE if Kind.FLOAT in kinds else UNKNOWN
        if operator == "/" and not _is_nonzero_literal(right):
            return Expr(f"divided({left}, {right})", type=type_)
        return Expr(_joined(operator, left, right), rank, type_)
    type_ = _common(left.type, right.type)
    is_natural = _is_natural(left) and _is_natural(right)
    if operator in ("/", "%"):
        if is_natural:  # C++ divides integers without remainder
            return Expr(_joined("//" if operator == "/" else "%", left, right), rank, type_, is_natural=True)
        name = "quotient" if operator == "/" else "remainder"
        return Expr(f"{name}({left}, {right})", type=type_)
    bits = bits_of_unsigned(type_)
    if operator == "-" and bits:
        return Expr(f"({_joined(operator, left, right)}) % 2**{bits}", "product", type_, is_natural=True)
    return Expr(_joined(operator, left, right), rank, type_, is_natural=is_natural and operator != "-")


def _joined(python: str, left: Expr, right: Expr) -> str:
    rank = RANK[python.replace("//", "/")]
    return f"{left.within(rank)} {python} {right.within(rank, strictly=True)}"


def _is_natural(value: Expr) -> bool:
    """Tell whether an integer cannot be negative."""
    return value.is_natural or value.kind is Kind.BOOL or bits_of_unsigned(value.type) > 0


def _is_nonzero_literal(value: Expr) -> bool:
    try:
        return float(value.text) != 0
    except ValueError:
        return False


def _common(left: CppType, right: CppType) -> CppType:
    """Return the type that C++ computes with: at least ``int``, the wider one, of equal ones the unsigned."""
    types = [INT if one.kind is Kind.BOOL or one.dtype in _SMALL or not one.dtype else one for one in (left, right)]
    return max(types, key=lambda one: (int(one.dtype[-2:]), "uint" in one.dtype))


def kept(value: Expr, type_: CppType, *, in_memory: bool = False) -> Expr:
    """Return what a variable of a number's type keeps of a value; ``in_memory``: numpy rounds to float32.

    >>> kept(Expr("x", type=DOUBLE), INT).text, kept(Expr("n > 1", "comparison", CppType(Kind.BOOL)), INT).text
    ('int(x)', 'int(n > 1)')
    """
    if not type_.is_number or not value.type.is_number:
        return value
    if type_.kind is Kind.BOOL:
        return _as_bool(value, type_)
    if type_.kind is Kind.FLOAT:
        if value.text.removeprefix("-").isdigit():
            return kept(Expr(f"{value.text}.0", value.rank, DOUBLE), type_, in_memory=in_memory)
        if value.kind is Kind.BOOL:
            return Expr(f"float({value})", type=type_)
        is_exact = in_memory or is_single(value.type) or not is_single(type_) or _is_short(value.text)
        return replace(value, type=type_) if is_exact else Expr(f"single({value})", type=type_)
    if value.kind is Kind.FLOAT:
        value = Expr(f"int({value})", type=INT)
    elif value.kind is Kind.BOOL:
        return Expr(
            f"int({value})" if value.text not in ("True", "False") else str(int(value.text == "True")), type=INT
        )
    bits = bits_of_unsigned(type_)
    if bits and not _is_natural(value):
        return Expr(f"{value.within('product')} % 2**{bits}", "product", type_, is_natural=True)
    return value


def _as_bool(value: Expr, type_: CppType) -> Expr:
    if value.kind is Kind.BOOL:
        return value
    if re.fullmatch(r"\d+(\.\d*)?", value.text):
        return Expr(str(float(value.text) != 0), type=type_)
    return Expr(f"{value.within('comparison', strictly=True)} != 0", "comparison", type_)


def _is_short(text: str) -> bool:
    """Tell whether a text is a number that float32 keeps exactly."""
    try:
        number = float(text)
    except ValueError:
        return False
    with np.errstate(over="ignore"):
        return float(np.float32(number)) == number


def changed(target: Expr, operator: str, value: Expr) -> str:
    """Return the statement of ``target operator= value``.

    >>> changed(Expr("n", type=INT), "*", Expr("1.5", type=DOUBLE))
    'n = int(n * 1.5)'
    """
    place = target.place or target.text
    if not target.type.is_number or not value.type.is_number:
        return f"{place} {operator}= {value}"
    result = arithmetic(operator, target, value)
    stored = kept(result, target.type, in_memory=bool(target.place))
    bits = bits_of_unsigned(target.type)
    # the type of the operation is wider than a small one; sums that only grow are not expected to end
    if bits and (bits < 32 or (operator in ("*", "<<") and result.rank != "atom")) and "%" not in stored.text:
        stored = Expr(f"{stored.within('product')} % 2**{bits}", "product", target.type)
    python = next((one for one in (operator, "//") if stored.text == f"{target.text} {one} {value}"), None)
    if target.place and python is None and _is_done_by_numpy(target, operator, value):
        python = operator
    is_plain = python is not None or stored.text == f"{target.text} {operator} ({value})"
    return f"{place} {python or operator}= {value}" if is_plain else f"{place} = {stored}"


def _is_done_by_numpy(target: Expr, operator: str, value: Expr) -> bool:
    """Tell whether ``x[0] += value`` in memory gives what C++ gives."""
    return operator in "+-*" and is_single(target.type) and (is_single(value.type) or value.kind in _INTEGERS)
