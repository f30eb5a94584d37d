"""Numbers, texts and names as C++ writes them.

Texts of a weight file come from outside: whatever they hold, they stay inside the string or comment they are put in.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.errors import InputError

LINE_LENGTH = 116
INDENT = "   "
MANY, SINGLES_PER_LINE = 1000, 6
"""From so many numbers on they are written with one format, ten times faster, and so many in a line."""

_KEYWORDS = """
alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t class
co_await co_return co_yield compl concept const const_cast consteval constexpr constinit continue decltype
default delete do double dynamic_cast else enum explicit export extern false float for friend goto if inline
int long mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public register
reinterpret_cast requires return short signed sizeof static static_assert static_cast struct switch template
this thread_local throw true try typedef typeid typename union unsigned using virtual void volatile wchar_t
while xor xor_eq
"""


def double(value: float) -> str:
    """Return a float64 with the 17 digits that determine it."""
    return _number(float(value), "double", 16, "")


def single(value: float) -> str:
    """Return a float32 with the 9 digits that determine it."""
    return _number(float(value), "float", 8, "f")


def _number(value: float, kind: str, decimals: int, suffix: str) -> str:
    if math.isnan(value):
        return f"std::numeric_limits<{kind}>::quiet_NaN()"
    if math.isinf(value):
        return f"{'-' if value < 0 else ''}std::numeric_limits<{kind}>::infinity()"
    return f"{value:.{decimals}e}{suffix}"


def string(text: str) -> str:
    r"""Return a string literal: printable ASCII as it is, the bytes of everything else in octal."""
    return '"' + "".join(map(_escaped, text.encode("utf-8", errors="backslashreplace"))) + '"'


def _escaped(byte: int) -> str:
    # a question mark could be part of a trigraph
    if chr(byte) in '"\\?':
        return "\\" + chr(byte)
    return chr(byte) if 32 <= byte < 127 else f"\\{byte:03o}"


def comment(text: str) -> str:
    r"""Return a text as one ``//`` comment."""
    # not printable are also the characters that change the direction of writing
    line = "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text).rstrip()
    if line.endswith(("\\", "??/")):
        line += " ."  # a backslash at its end would draw the next line into the comment
    return f"// {line}".rstrip()


def class_identifier(title: str) -> str:
    """Return the name of the class for a method's title: ``Read`` and the title, as far as C++ allows it in names."""
    return "Read" + re.sub(r"[^A-Za-z0-9_]+", "_", title)


def checked_identifier(name: str) -> str:
    """Return a class name given by the user if C++ takes it."""
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name, flags=re.ASCII) or name in _KEYWORDS.split():
        raise InputError(f"class_name={name!r} is not a valid name for a C++ class")
    return name


def array(kind: str, name: str, items: Iterable[str], indent: str = INDENT) -> str:
    """Return the definition of a constant array that is a member of a class."""
    items = list(items)
    return f"{indent}static constexpr {kind} {name}[{len(items)}] = {{\n{wrapped(items, indent * 2)}\n{indent}}};"


def singles(name: str, values: NDArray[Any]) -> str:
    """Return the definition of a constant array of float32."""
    if len(values) < MANY or not np.isfinite(values).all():
        return array("float", name, map(single, values))
    whole, rest = divmod(len(values), SINGLES_PER_LINE)
    rows = [SINGLES_PER_LINE] * whole + [rest] * (rest > 0)
    lines = f",\n{INDENT * 2}".join(", ".join(["%.8ef"] * n) for n in rows) % tuple(values.tolist())
    return f"{INDENT}static constexpr float {name}[{len(values)}] = {{\n{INDENT * 2}{lines}\n{INDENT}}};"


def doubles(name: str, values: NDArray[Any]) -> str:
    """Return the definition of a constant array of float64."""
    return array("double", name, map(double, values))


def matrix(name: str, rows: NDArray[np.float64], remarks: Sequence[str] = (), indent: str = INDENT) -> str:
    """Return the definition of a constant matrix of float64 that is a member of a class, a remark beside each row."""
    lines = [f"{indent}static constexpr double {name}[{rows.shape[0]}][{rows.shape[1]}] = {{"]
    for number, row in enumerate(rows):
        lines.append(f"{indent * 2}{{ {comment(remarks[number])}" if remarks else f"{indent * 2}{{")
        lines += [wrapped(map(double, row), indent * 3), f"{indent * 2}}},"]
    return "\n".join([*lines, f"{indent}}};"])


def wrapped(items: Iterable[Any], indent: str) -> str:
    """Return items separated by commas, in lines of readable length."""
    lines: list[str] = []
    line = ""
    for item in map(str, items):
        if line and len(indent) + len(line) + len(item) + 3 > LINE_LENGTH:
            lines.append(line + ",")
            line = ""
        line = f"{line}, {item}" if line else item
    return "\n".join(indent + each for each in [*lines, line])
