"""Changes to texts, bytes and archives that a damaged or careless file could have; all follow from a generator."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import numpy as np

NUMBERS = [
    *("0", "1", "-1", "2", "3", "7.5", "255", "65536", "2147483648", "-2147483649", "4294967296", "9" * 20, "9" * 5000),
    *("1e39", "1e308", "1e400", "-1e400", "1e-320", "nan", "-nan", "inf", "-inf", "0x10", "1_0", "1e", "1,5", "٣"),
    *("", " ", "+", "True"),
]
SIGNS = "\x00\n\r\t\v é≤\U0001f600\ufeff\u2028<>&\"'()[]{};:,.-+*/%^!=|?~$@#\\"
TOKENS = [*SIGNS, "::", "//", "/*", "*/", "!=", "==", "&&", "||", "<<", "->", "]]>", "<!--", *NUMBERS]
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
WORD = re.compile(r"\w+")
DEEPEST = 20_000
Mutation = Callable[[Random, bytes, Sequence[bytes]], bytes]


def text_mutation(random: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """Change a text at one to four places."""
    text = data.decode("utf-8", "replace")
    other = random.choice(others).decode("utf-8", "replace")
    for _ in range(random.choice((1, 1, 2, 4))):
        text = random.choice(TEXT_CHANGES)(random, text, other)
    return text.encode("utf-8", "replace")


def byte_mutation(random: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """Change bytes at one to eight places."""
    for _ in range(random.choice((1, 1, 2, 8))):
        start, stop = _span(random, data)
        match random.randrange(6):
            case 0:
                data = data[:start] + bytes([random.randrange(256)]) + data[start + 1 :]
            case 1:
                data = data[:start] + random.randbytes(stop - start) + data[stop:]
            case 2:
                data = data[:start] + random.choice((b"\x00", b"\xff", b"\x7f")) * (stop - start) + data[stop:]
            case 3:
                data = data[:start] + data[stop:]
            case 4:
                data = data[:start] + random.choice(others)[start:stop] + data[stop:]
            case _:
                data = data[:start]
    return data


def archive_mutation(random: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """Change one or two arrays of an archive of numpy, or a few of its bytes."""
    if random.random() < 0.3:
        return byte_mutation(random, data, others)
    with np.load(io.BytesIO(data), allow_pickle=False) as archive:
        arrays = dict(archive)
    for _ in range(random.choice((1, 2))):
        if arrays:
            change_array(random, arrays)
    stream = io.BytesIO()
    np.savez(stream, **arrays)
    return stream.getvalue()


def change_array(random: Random, arrays: dict[str, Any]) -> None:
    """Change one array: its values, its shape, its type; or take it away, or give it the place of another."""
    name = random.choice(sorted(arrays))
    values = arrays[name]
    match random.randrange(8):
        case 0:
            del arrays[name]
        case 1:
            arrays[name] = arrays[random.choice(sorted(arrays))]
        case 2:
            arrays[name] = values.reshape(-1)[: random.randrange(values.size + 1)]
        case 3:
            arrays[name] = np.concatenate([values.reshape(-1)] * 2)
        case 4:
            arrays[name] = values[None]
        case 5:
            kind = random.choice(("f4", "i1", "U3", "c16", "?", "S2"))
            arrays[name] = np.zeros(values.shape, dtype=kind)
        case 6 if values.dtype.kind in "US":
            text = "".join(map(str, values.reshape(-1)[:1]))
            arrays[name] = np.array(random.choice(TEXT_CHANGES)(random, text, text))
        case _:
            changed = np.array(values)
            if changed.size and changed.dtype.kind in "fiu":
                odd = random.choice((0, 1, -1, 2, 100, 2**31 - 1, np.nan, np.inf, -1e300))
                with np.errstate(all="ignore"):
                    changed.reshape(-1)[random.randrange(changed.size)] = np.array(odd).astype(changed.dtype)
            arrays[name] = changed


def _span(random: Random, text: Sequence[Any]) -> tuple[int, int]:
    start = random.randrange(len(text) + 1)
    return start, min(len(text), start + random.choice((1, 1, 2, 5, 20, 200, 5000)))


def _delete(random: Random, text: str, _other: str) -> str:
    start, stop = _span(random, text)
    return text[:start] + text[stop:]


def _repeat(random: Random, text: str, _other: str) -> str:
    start, stop = _span(random, text)
    return text[:stop] + text[start:stop] * random.choice((1, 2, 10)) + text[stop:]


def _deepen(random: Random, text: str, _other: str) -> str:
    start, _ = _span(random, text)
    what = random.choice(("(", "[", "{", "-", "!", "<a>", "1+(", "f(", "x?", "*", "/*", "#if 1\n", '"', "\\", "9", " "))
    return text[:start] + what * random.choice((50, 1000, DEEPEST)) + text[start:]


def _put_token(random: Random, text: str, _other: str) -> str:
    start, stop = _span(random, text)
    return text[:start] + random.choice(TOKENS) + text[random.choice((start, stop)) :]


def _put_other(random: Random, text: str, other: str) -> str:
    start, stop = _span(random, text)
    first, last = _span(random, other)
    return text[:start] + other[first:last] + text[stop:]


def _change_number(random: Random, text: str, _other: str) -> str:
    return _replace(random, NUMBER, text, random.choice(NUMBERS))


def _change_all(random: Random, text: str, _other: str) -> str:
    """Change a word wherever it stands: counts that agree with each other, and with nothing else."""
    found = random.choice(WORD.findall(text) or ["a"])
    return text.replace(found, random.choice(NUMBERS)) if len(text) < 1_000_000 else text


def _swap_words(random: Random, text: str, other: str) -> str:
    return _replace(random, WORD, text, random.choice(WORD.findall(random.choice((text, other))) or [""]))


def _drop_line(random: Random, text: str, _other: str) -> str:
    lines = text.split("\n")
    del lines[random.randrange(len(lines))]
    return "\n".join(lines)


def _swap_lines(random: Random, text: str, other: str) -> str:
    lines = text.split("\n")
    lines[random.randrange(len(lines))] = random.choice(random.choice((text, other)).split("\n"))
    return "\n".join(lines)


def _truncate(random: Random, text: str, _other: str) -> str:
    return text[: random.randrange(len(text) + 1)]


def _replace(random: Random, pattern: re.Pattern[str], text: str, new: str) -> str:
    places = list(pattern.finditer(text))
    if not places:
        return text + new
    place = random.choice(places)
    return text[: place.start()] + new + text[place.end() :]


TEXT_CHANGES: tuple[Callable[[Random, str, str], str], ...] = (
    *(_delete, _repeat, _deepen, _put_token, _put_other, _change_number, _change_number, _change_all),
    *(_swap_words, _swap_words, _drop_line, _swap_lines, _truncate),
)
