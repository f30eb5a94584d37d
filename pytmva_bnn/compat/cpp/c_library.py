"""Functions of C's library: numbers in texts, texts, characters, random numbers, time."""

from __future__ import annotations

import os
import re
import time as clocks
from collections import deque
from typing import Any

from pytmva_bnn.compat.cpp.arithmetic import int32, int64

FLOAT = re.compile(r"\s*([+-]?(?:0[xX](?=\.?[\da-fA-F])[\da-fA-F]*\.?[\da-fA-F]*(?:[pP][+-]?\d+)?"
                   r"|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|inf(?:inity)?|nan))", re.IGNORECASE)  # fmt: skip
DIGITS = {8: "0-7", 10: r"\d", 16: r"\da-fA-F"}
CLOCKS_PER_SEC = 1000000
RAND_MAX = 2147483647


def float_at_start(text: str) -> tuple[float, int]:
    """Return the number that a text begins with, and its length with white space; length 0 if there is none."""
    match = FLOAT.match(text)
    if match is None:
        return 0.0, 0
    word = match[1]
    return (float.fromhex(word) if "x" in word.lower() else float(word)), match.end()


def int_at_start(text: str, base: int = 10) -> tuple[int, int]:
    """Return the integer that a text begins with, and its length with white space; length 0 if there is none."""
    head = re.match(r"\s*[+-]?0([xX][\da-fA-F])?", text)
    if base == 0:
        base = 10 if head is None else 16 if head[1] else 8
    prefix = "(?:0[xX](?=[0-9a-fA-F]))?" if base == 16 else ""
    match = re.match(rf"\s*([+-]?{prefix}[{DIGITS[base]}]+)", text, re.ASCII)
    return (int(match[1], base), match.end()) if match else (0, 0)


def number(text: Any) -> int | float:
    """Return the number in a text: an int if it looks like one, otherwise a float, 0 if there is none."""
    whole, end = int_at_start(str(text))
    real, end_of_real = float_at_start(str(text))
    return whole if end == end_of_real else real


def atof(text: Any) -> float:
    return float_at_start(str(text))[0]


def atoll(text: Any) -> int:
    return max(-(2**63), min(2**63 - 1, int_at_start(str(text))[0]))


def atoi(text: Any) -> int:
    return int32(atoll(text))


atol = atoll


def _rest(text: str, length: int, end: Any) -> None:
    if hasattr(end, "__setitem__"):
        end[0] = text[length:]


def strtod(text: str, end: Any = None) -> float:
    """Return the float that a text begins with; the cell ``end`` gets the rest of the text."""
    value, length = float_at_start(text)
    _rest(text, length, end)
    return value


def strtol(text: str, end: Any = None, base: int = 10) -> int:
    """Return the integer that a text begins with; the cell ``end`` gets the rest of the text."""
    value, length = int_at_start(text, base)
    _rest(text, length, end)
    return max(-(2**63), min(2**63 - 1, value))


# -- texts and characters; a character is a text of length 1, or its number


def strcmp(a: str, b: str) -> int:
    return (a > b) - (a < b)


def strncmp(a: str, b: str, length: int) -> int:
    return strcmp(a[:length], b[:length])


strlen = len


def strstr(text: str, part: str) -> str | None:
    return text[text.index(part) :] if part in text else None


def strchr(text: str, character: Any) -> str | None:
    return strstr(text, _text(character))


def strrchr(text: str, character: Any) -> str | None:
    return text[text.rindex(_text(character)) :] if _text(character) in text else None


def _text(character: Any) -> str:
    return character if isinstance(character, str) else chr(character) if 0 <= character < 128 else "\0"


def _is(pattern: str) -> Any:
    compiled = re.compile(pattern)
    return lambda character: bool(compiled.fullmatch(_text(character)))


isalnum = _is("[0-9A-Za-z]")
isalpha = _is("[A-Za-z]")
isdigit = _is("[0-9]")
islower = _is("[a-z]")
ispunct = _is(r"[!-/:-@\[-`{-~]")
isspace = _is(r"[ \t\n\r\f\v]")
isupper = _is("[A-Z]")
isxdigit = _is("[0-9A-Fa-f]")


def toupper(character: Any) -> Any:
    return character.upper() if isinstance(character, str) else ord(_text(character).upper())


def tolower(character: Any) -> Any:
    return character.lower() if isinstance(character, str) else ord(_text(character).lower())


# -- random numbers: glibc's additive feedback generator

_WORDS: deque[int] = deque(maxlen=31)


def srand(seed: Any) -> None:
    word = int32(seed) or 1
    _WORDS.clear()
    for _ in range(31):
        _WORDS.append(word % 2**32)
        word = 16807 * word % 2147483647
    _WORDS.rotate(-3)
    for _ in range(310):
        rand()


def rand() -> int:
    """Return the next number of glibc's sequence."""
    if not _WORDS:
        srand(1)
    _WORDS.append((_WORDS[0] + _WORDS[-3]) % 2**32)
    return _WORDS[-1] >> 1


# -- time and the system


def time(cell: Any = None) -> int:
    now = int(clocks.time())
    if hasattr(cell, "__setitem__"):
        cell[0] = now
    return now


def clock() -> int:
    return int64(clocks.process_time() * CLOCKS_PER_SEC)


def difftime(end: int, start: int) -> float:
    return float(end - start)


def ctime(cell: Any) -> str:
    return clocks.ctime(cell[0] if hasattr(cell, "__getitem__") else cell) + "\n"


def sleep(seconds: float) -> int:
    clocks.sleep(seconds)
    return 0


def usleep(microseconds: float) -> int:
    clocks.sleep(microseconds / 1e6)
    return 0


def getenv(name: str) -> str | None:
    return os.environ.get(name)
