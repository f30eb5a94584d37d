"""Writing of XML as TMVA writes it: its indentation, its order of attributes, its number formats.

Functions yield or return lines without line ends; ``level`` is the depth of the indentation.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

Lines = Iterator[str]
Attributes = Iterable[tuple[str, object]]

SHORT = "%g"
_DOUBLE = np.dtype(np.float64)
_ESCAPES = (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"))
_WIDTH = re.compile(r"^%([0-9]*)")
NOT_IN_XML = re.compile("[\x00-\x1f\ufffe\uffff]")


def escape(text: str) -> str:
    """Return text for an attribute."""
    # XML has no control characters, and no form of line ends in attributes that TMVA reads
    text = NOT_IN_XML.sub(" ", text)
    for old, new in _ESCAPES:
        text = text.replace(old, new)
    return text


def start(level: int, name: str, attributes: Attributes, end: str = ">") -> str:
    """Return the opening tag."""
    inside = "".join(f' {key}="{escape(str(value))}"' for key, value in attributes)
    return f"{'  ' * level}<{name}{inside}{end}"


def empty(level: int, name: str, attributes: Attributes) -> str:
    """Return an element without content."""
    return start(level, name, attributes, "/>")


def element(level: int, name: str, attributes: Attributes, content: Iterable[str]) -> Lines:
    """Yield an element with the given lines in it."""
    lines = iter(content)
    first = next(lines, None)
    if first is None:
        yield empty(level, name, attributes)
        return
    yield start(level, name, attributes)
    yield first
    yield from lines
    yield f"{'  ' * level}</{name}>"


def numbers(level: int, name: str, attributes: Attributes, values: NDArray[np.floating], form: str) -> Lines:
    """Yield an element with a line of numbers, each followed by a blank."""
    listed = values.ravel().tolist()
    if form == SHORT:
        line = "".join(short(value, values.dtype) + " " for value in listed)
    elif np.isnan(values).any():
        line = "".join(number(form, value) + " " for value in listed)
    else:
        line = f"{form} " * len(listed) % tuple(listed)
    yield from element(level, name, attributes, [f"{'  ' * (level + 1)}{line}"] if line else [])


def number(form: str, value: float) -> str:
    """Return a number as C prints it."""
    if math.isnan(value):  # C prints the sign of a NaN, Python does not
        text = "-nan" if math.copysign(1.0, value) < 0 else "nan"
        return text.rjust(int(_WIDTH.findall(form)[0] or 0))
    return form % value


def short(value: float, dtype: np.dtype[Any] = _DOUBLE) -> str:
    """Return the number with six digits as TMVA up to 4.1.0 wrote it, or with all if it has more."""
    text = number(SHORT, value)
    return text if dtype.type(text) == value or math.isnan(value) else f"{value:.16e}"
