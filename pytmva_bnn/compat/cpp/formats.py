"""C's formats: printf and its family on Python's values."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from math import copysign, isfinite
from typing import Any

from pytmva_bnn.compat.cpp.arithmetic import int64, uint32, uint64

SPECIFICATION = re.compile(
    r"%(?P<flags>[-+ #0]*)(?P<width>\d+|\*)?(?:\.(?P<precision>-?\d+|\*)?(?P<dot>))?"
    r"(?P<length>hh|ll|[hlLqjzt])?(?P<kind>[diouxXeEfFgGaAcsp%])"
)


def c_float(value: float, flags: str, precision: int | None, kind: str) -> str:
    """Return a float as C's ``%e``, ``%f``, ``%g`` or ``%a`` writes it, without padding."""
    if not isfinite(value):
        sign = "-" if copysign(1.0, value) < 0 else "+" if "+" in flags else " " if " " in flags else ""
        text = sign + ("nan" if value != value else "inf")
    elif kind in "aA":
        head, _, power = value.hex().partition("p")
        head = head.rstrip("0").rstrip(".") if "." in head else head
        plus = "+" if "+" in flags and not head.startswith("-") else ""
        text = f"{plus}{head}{'.' if '#' in flags and '.' not in head else ''}p{power}"
    else:
        shown = "".join(flag for flag in "#+ " if flag in flags)
        text = f"%{shown}.{6 if precision is None else precision}{kind.lower()}" % value
    return text.upper() if kind.isupper() else text


def _integer(value: Any, flags: str, precision: int | None, kind: str, length: str) -> str:
    number = int64(value)
    if kind not in "di":
        number = uint64(number) if length and length in "lljztq" else uint32(number)
    digits = format(abs(number), {"i": "d", "u": "d"}.get(kind, kind))
    digits = digits.rjust(precision or 0, "0") if precision != 0 or number else ""
    if "#" in flags and number and kind in "xXo":
        digits = f"0{kind}{digits}" if kind != "o" else f"0{digits}"
    signed = kind in "di"
    return ("-" if number < 0 else "+" if signed and "+" in flags else " " if signed and " " in flags else "") + digits


def _formatted(match: re.Match[str], arguments: Iterator[Any]) -> str:
    flags, kind, length = match["flags"], match["kind"], match["length"] or ""
    if kind == "%":
        return "%"
    width = int(next(arguments)) if match["width"] == "*" else int(match["width"] or 0)
    if width < 0:
        flags, width = flags + "-", -width
    precision: int | None = None
    if match["dot"] is not None:
        precision = int(next(arguments)) if match["precision"] == "*" else int(match["precision"] or 0)
        precision = None if precision < 0 else precision
    value = next(arguments)
    zeros = "0" in flags and "-" not in flags
    if kind == "s":
        text = "(null)" if value is None or value == None else str(value)  # noqa: E711 - null pointers equal None
        text, zeros = text if precision is None else text[:precision], False
    elif kind == "c":
        text, zeros = value if isinstance(value, str) else chr(int(value) & 255), False
    elif kind == "p":
        text = "(nil)" if not value else hex(id(value))
    elif kind in "diouxX":
        text = _integer(value, flags, precision, kind, length)
        zeros = zeros and precision is None
    else:
        text = c_float(float(value), flags, precision, kind)
        zeros = zeros and isfinite(value)
    if zeros:
        prefix = re.match(r"[-+ ]?(?:0[xX])?", text)
        end = prefix.end() if prefix else 0
        return text[:end] + text[end:].rjust(width - end, "0")
    return text.ljust(width) if "-" in flags else text.rjust(width)


def c_format(pattern: Any, *arguments: Any) -> str:
    """Return the text that C's printf would write; arguments that are not used are passed over, as in C.

    >>> c_format("%-6s|%5.2f|%03d|%lld|%x", "ab", 3.14159, 7, 2**40, -1)
    'ab    | 3.14|007|1099511627776|ffffffff'
    """
    rest = iter(arguments)
    try:
        return SPECIFICATION.sub(lambda match: _formatted(match, rest), str(pattern))
    except (StopIteration, RuntimeError):
        raise TypeError(f"the format {pattern!r} needs more than {len(arguments)} arguments") from None


class StandardFile:
    """C's ``stdout`` and ``stderr``; looked up at each call so that redirections work."""

    def __init__(self, name: str) -> None:
        self._name = name

    def write(self, text: str) -> int:
        """Write text."""
        return int(getattr(sys, self._name).write(text))

    def flush(self) -> None:
        """Write what is still kept back."""
        getattr(sys, self._name).flush()


stdout = StandardFile("stdout")
stderr = StandardFile("stderr")


def printf(pattern: Any, *arguments: Any) -> int:
    return stdout.write(c_format(pattern, *arguments))


def fprintf(file: Any, pattern: Any, *arguments: Any) -> int:
    return int(file.write(c_format(pattern, *arguments)))


def sprintf(cell: Any, pattern: Any, *arguments: Any) -> int:
    """Put formatted text into a cell and return its length."""
    cell[0] = c_format(pattern, *arguments)
    return len(cell[0])


def snprintf(cell: Any, size: int, pattern: Any, *arguments: Any) -> int:
    """Put at most ``size - 1`` characters of formatted text into a cell and return the length it would have had."""
    text = c_format(pattern, *arguments)
    cell[0] = text[: max(size - 1, 0)]
    return len(text)


def puts(text: str) -> int:
    return stdout.write(f"{text}\n")


def putchar(character: Any) -> Any:
    stdout.write(character if isinstance(character, str) else chr(character))
    return character
