"""What only the translator writes: division as IEEE, searches in text, references to elements, overloads."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import cmp_to_key
from pathlib import Path
from typing import Any

from pytmva_bnn.compat.cpp.values import Ref, Struct, assign, ref
from pytmva_bnn.compat.std.exceptions import out_of_range

npos = 2**64 - 1
"""``std::string::npos``."""


def ratio(a: float, b: float) -> float:
    """Return a / b with a fraction, also where b is 0: inf or nan as in C++.

    >>> ratio(1, 2), ratio(-1, 0), ratio(1.0, -0.0)
    (0.5, -inf, -inf)
    """
    try:
        return a / b
    except ZeroDivisionError:
        if a == 0 or math.isnan(a):
            return math.nan
        return math.copysign(math.inf, math.copysign(1.0, a) * math.copysign(1.0, b))


def set_cell(cell: Any, value: Any) -> Any:
    """Assign within an expression, and return the new value."""
    cell[0] = value
    return cell[0]


def set_value(target: Any, value: Any) -> None:
    """Make an object equal to another one, in place: references to it see the change."""
    assign(target, value)


def with_char(text: str | None, index: int, char: str) -> str:
    """Return a text with one character exchanged; what is missing before it is filled with NUL.

    >>> with_char("abc", 1, "x")
    'axc'
    """
    padded = (text or "").ljust(index, "\0")
    if char == "\0":  # the end of a C string
        return padded[:index]
    return padded[:index] + char + padded[index + 1 :]


def char_at(text: str, index: int) -> str:
    """Return a character of a C string, whose end is a NUL."""
    return text[index] if index != len(text) else "\0"


def is_null(pointer: Any) -> bool:
    """Return whether a pointer is null; an empty container is not."""
    return pointer is None or (not isinstance(pointer, (str, list)) and type(pointer).__name__ == "NullPointer")


def stepped(pointer: Any, step: int) -> Any:
    """Return a pointer into an array or a text moved by some elements."""
    if isinstance(pointer, str):
        return pointer[step:]
    return pointer + step if isinstance(pointer, Ref) else Ref(pointer, step)


def between(first: Any, last: Any) -> int:
    """Return how many elements lie between two pointers into one array."""
    return _position(last) - _position(first)


def _position(pointer: Any) -> int:
    return int(pointer.index) if isinstance(pointer, Ref) else 0


def remove(path: str) -> int:
    """Delete a file; 0 if that worked."""
    try:
        Path(path).unlink()
    except OSError:
        return -1
    return 0


def refs(container: Any) -> Iterator[Ref]:
    """Yield references to the elements of a container, one after the other."""
    for index in range(len(container)):
        yield ref(container, index)


def dereferenced(thing: Any) -> Any:
    """Return what an iterator stands for; a pointer is the object itself."""
    return thing.deref() if hasattr(thing, "deref") else thing


def by(less: Callable[[Any, Any], bool]) -> Any:
    """Return a key for Python's min and max from a comparison."""
    return cmp_to_key(lambda a, b: -1 if less(a, b) else int(less(b, a)))


def what(error: BaseException) -> str:
    """Return the message of an exception of C++ or Python."""
    return str(error.what()) if hasattr(error, "what") else str(error)


def substr(text: str, start: int, length: int = npos) -> str:
    """Return a part of a text; one that begins beyond the end raises, as C++ throws."""
    if not 0 <= start <= len(text):
        raise out_of_range(f"basic_string::substr: __pos (which is {start}) > this->size() (which is {len(text)})")
    return text[start : start + length]


def compare(a: str, b: str) -> int:
    """Return -1, 0 or 1, as two texts are ordered."""
    return (a > b) - (a < b)


def find(text: str, what: str, start: int = 0) -> int:
    """Return where a text first occurs, npos if nowhere."""
    return text.find(what, start) % (npos + 1)


def rfind(text: str, what: str, start: int = npos) -> int:
    """Return where a text last occurs, not behind ``start``; npos if nowhere."""
    return text.rfind(what, 0, min(start, len(text)) + len(what)) % (npos + 1)


def find_first_of(text: str, chars: str, start: int = 0) -> int:
    """Return where the first of some characters occurs, npos if nowhere."""
    return next((i for i in range(start, len(text)) if text[i] in chars), npos)


def find_first_not_of(text: str, chars: str, start: int = 0) -> int:
    """Return where the first other character occurs, npos if nowhere."""
    return next((i for i in range(start, len(text)) if text[i] not in chars), npos)


def find_last_of(text: str, chars: str, start: int = npos) -> int:
    """Return where the last of some characters occurs, npos if nowhere."""
    return next((i for i in range(min(start, len(text) - 1), -1, -1) if text[i] in chars), npos)


def find_last_not_of(text: str, chars: str, start: int = npos) -> int:
    """Return where the last other character occurs, npos if nowhere."""
    return next((i for i in range(min(start, len(text) - 1), -1, -1) if text[i] not in chars), npos)


def overloaded(arguments: tuple[Any, ...], *choices: tuple[Callable[..., Any], tuple[type, ...], int]) -> Any:
    """Call the function whose parameters fit the arguments best; a choice is (function, types, number needed)."""
    best, best_score = None, -1
    for function, types, n_needed in choices:
        if not n_needed <= len(arguments) <= len(types):
            continue
        score = 1 + sum(_fit(one, type_) for one, type_ in zip(arguments, types, strict=False))
        if score > best_score and all(_fit(one, type_) >= 0 for one, type_ in zip(arguments, types, strict=False)):
            best, best_score = function, score
    if best is None:
        raise TypeError(f"no overload takes {', '.join(type(one).__name__ for one in arguments) or 'no arguments'}")
    return best(*arguments)


def _fit(value: Any, wanted: type) -> int:
    """Return how well a value fits a type: 3 exactly, 0 for anything, negative if not at all."""
    if type(value) is wanted:
        return 3
    if isinstance(value, wanted) and wanted is not object:
        return 2
    if wanted in (int, float, bool) and isinstance(value, (int, float)):
        return 1
    if wanted is object:
        return 0
    return -1000 if wanted in (int, float, bool, str) or issubclass(wanted, Struct) else 0
