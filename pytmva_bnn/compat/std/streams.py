"""Streams that are read, the streams of files and texts, and all names of C++'s headers of streams."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from pytmva_bnn.compat.cpp.values import CharCell
from pytmva_bnn.compat.std.buffers import Buffer, Console, FileBuffer, ios
from pytmva_bnn.compat.std.output import Manipulator, OutputStream, Stream

SPACE = re.compile(r"[ \t\n\r\f\v]*")
WORD = re.compile(r"[^ \t\n\r\f\v]*")
# an exponent counts only behind a digit; what follows may still be no number, as in "1e+"
FLOAT = re.compile(r"[+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]*)?|\.?)")
INTEGERS = {
    10: re.compile(r"[+-]?[0-9]*"),
    8: re.compile(r"[+-]?[0-7]*"),
    16: re.compile(r"[+-]?(?:0[xX])?[0-9a-fA-F]*"),
}
LARGEST = {code: float(np.finfo(code).max) for code in "fd"}
BOUNDS = {"b": 8, "h": 16, "i": 32, "l": 64, "q": 64, "B": 8, "H": 16, "I": 32, "L": 64, "Q": 64}
WHOLE = re.compile(r".*", re.DOTALL)


class InputStream(Stream):
    """A stream that values are read from; they are put into cells."""

    def __rshift__(self, cell: Any) -> Any:
        if isinstance(cell, Manipulator):
            return cell(self)
        if hasattr(type(cell), "__rrshift__") and not isinstance(cell, np.ndarray):  # an operator>> of the macro
            return NotImplemented
        if isinstance(cell, OutputStream | Buffer):
            (cell.rdbuf() if isinstance(cell, OutputStream) else cell).write(self._take(WHOLE))
            return self
        if not self._ready(skip=bool(self._flags & ios.skipws)):
            return self
        value = cell[0]
        code = getattr(cell, "typecode", None) or (cell.dtype.char if isinstance(cell, np.ndarray) else None)
        if isinstance(cell, CharCell):
            cell[0] = self._buffer.text[self._buffer.position]
            self._buffer.position += 1
        elif isinstance(value, str):
            word = self._take(WORD)
            if self._width:
                self._buffer.position -= max(len(word) - self._width, 0)
                word, self._width = word[: self._width], 0
            cell[0] = word
        elif code in ("f", "d") or (code is None and isinstance(value, float)):
            cell[0] = self._read_float(LARGEST["f" if code == "f" else "d"])
        elif code == "?" or isinstance(value, bool):
            cell[0] = self._bool()
        elif code in BOUNDS or isinstance(value, int):
            cell[0] = self._read_integer(code or "q")
        else:
            raise TypeError(f"C++ has no operator>> for a {type(value).__name__}")
        return self

    def _ready(self, *, skip: bool) -> bool:
        if self._state:
            self._state |= ios.failbit
            return False
        if skip:
            self.skip_white()
        if self._at_end():
            self._state |= ios.eofbit | ios.failbit
            return False
        return True

    def skip_white(self) -> None:
        """Pass over white space."""
        buffer = self._buffer
        while True:
            buffer.position = SPACE.match(buffer.text, buffer.position).end()  # type: ignore[union-attr]
            if buffer.position < len(buffer.text) or not buffer.more():
                return

    def _at_end(self) -> bool:
        buffer = self._buffer
        return buffer.position >= len(buffer.text) and not buffer.more()

    def _take(self, pattern: re.Pattern[str]) -> str:
        buffer = self._buffer
        match = pattern.match(buffer.text, buffer.position)
        text = match[0] if match else ""
        buffer.position += len(text)
        if self._at_end():
            self._state |= ios.eofbit
        return text

    def _read_float(self, largest: float) -> float:
        text = self._take(FLOAT)
        try:
            value = float(text)
        except ValueError:
            self._state |= ios.failbit
            return 0.0
        if abs(value) > largest:
            self._state |= ios.failbit
            return largest if value > 0 else -largest
        return value

    def _read_integer(self, code: str) -> Any:
        base = {ios.hex: 16, ios.oct: 8}.get(self._flags & ios.basefield, 10)
        text = self._take(INTEGERS[base])
        try:
            value = int(text, base)
        except ValueError:
            self._state |= ios.failbit
            return 0
        bits = BOUNDS[code]
        low, high = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if code.islower() else (1 - 2**bits, 2**bits - 1)
        if not low <= value <= high:
            self._state |= ios.failbit
            return high if value > high or code.isupper() else low
        return value if code.islower() else int(value % 2**bits)

    def _bool(self) -> bool:
        if self._flags & ios.boolalpha:
            text = self._take(re.compile("true|false|"))
            self._state |= ios.goodbit if text else ios.failbit
            return text == "true"
        value = self._read_integer("q")
        if value not in (0, 1):
            self._state |= ios.failbit
        return bool(value)

    def getline(self, cell: Any, *arguments: Any) -> Any:
        was_good = self.good()
        if not self._ready(skip=False):
            if was_good:  # C++ empties the text before it finds that there is nothing to read
                cell[0] = ""
            return self
        buffer, delimiter = self._buffer, next((one for one in arguments if isinstance(one, str)), "\n")
        while (end := buffer.text.find(delimiter, buffer.position)) < 0:
            if not buffer.more():
                self._state |= ios.eofbit
                end = len(buffer.text)
                break
        cell[0] = buffer.text[buffer.position : end]
        buffer.position = min(end + 1, len(buffer.text))
        return self

    def get(self, cell: Any = None) -> Any:
        """Return the code of the next character, -1 at the end; or put the character into a cell."""
        self._count = 0
        ready = self._ready(skip=False)
        if ready:
            self._count = 1
            character = self._buffer.text[self._buffer.position]
            self._buffer.position += 1
            if cell is not None:
                cell[0] = character
        if cell is not None:
            return self
        return ord(character) if ready else -1

    def peek(self) -> int:
        if self._state or self._at_end():
            self._state |= ios.eofbit
            return -1
        return ord(self._buffer.text[self._buffer.position])

    def unget(self, *_: Any) -> Any:
        self._state &= ~ios.eofbit
        self._buffer.position = max(self._buffer.position - 1, 0)
        return self

    putback = unget

    def ignore(self, number: float = 1, delimiter: Any = None) -> Any:
        delimiter = chr(delimiter) if isinstance(delimiter, int) and delimiter >= 0 else delimiter
        buffer = self._buffer
        while number > 0 and not self._state:
            if self._at_end():
                self._state |= ios.eofbit
            else:
                buffer.position += 1
                number -= 1
                if buffer.text[buffer.position - 1] == delimiter:
                    break
        return self

    def read(self, cell: Any, size: int) -> Any:
        while len(self._buffer.text) - self._buffer.position < size and self._buffer.more():
            pass
        position = self._buffer.position
        cell[0] = self._buffer.text[position : position + size]
        self._count = len(cell[0])
        self._buffer.position += self._count
        if self._count < size:
            self._state |= ios.eofbit | ios.failbit
        return self

    def gcount(self) -> int:
        return self._count

    def tellg(self) -> int:
        return self._buffer.position if self.good() else -1

    def seekg(self, position: int, origin: int = ios.beg) -> Any:
        self._state &= ~ios.eofbit
        start = (0, self._buffer.position, len(self._buffer.text))[origin]
        self._buffer.position = min(max(start + position, 0), len(self._buffer.text))
        return self


class stringstream(OutputStream, InputStream):  # noqa: N801 - C++'s name
    """``std::stringstream``."""

    def __init__(self, text: str = "", mode: int = 0) -> None:
        super().__init__(Buffer(text, at_end=bool(mode & (ios.ate | ios.app))))

    def str(self, text: str | None = None) -> Any:
        if text is None:
            return self._buffer.text
        self._buffer = Buffer(text)
        return None


class fstream(OutputStream, InputStream):  # noqa: N801 - C++'s name
    """``std::fstream``."""

    MODE = ios.in_ | ios.out
    ALWAYS = 0

    def __init__(self, path: Any = None, mode: int | None = None) -> None:
        super().__init__(None)
        self._open = False
        if path is not None:
            self.open(path, mode)

    def open(self, path: Any, mode: int | None = None) -> None:
        try:
            self._buffer = FileBuffer(str(path), self.ALWAYS | (self.MODE if mode is None else mode))
            self._open, self._state = True, ios.goodbit
        except OSError:
            self._open, self._state = False, self._state | ios.failbit

    def is_open(self) -> bool:
        return self._open

    def close(self) -> None:
        self._buffer.close()
        if not self._open:
            self._state |= ios.failbit
        self._open = False


class ifstream(fstream):  # noqa: N801 - C++'s name
    """``std::ifstream``."""

    MODE = ALWAYS = ios.in_


class ofstream(fstream):  # noqa: N801 - C++'s name
    """``std::ofstream``."""

    MODE = ALWAYS = ios.out


def _setting(flags: int, mask: int = 0) -> Manipulator:
    return Manipulator(lambda stream: stream.setf(flags, mask))


def _clearing(flags: int) -> Manipulator:
    return Manipulator(lambda stream: stream.unsetf(flags))


SWITCHES = ("boolalpha", "showbase", "showpoint", "showpos", "skipws", "uppercase", "unitbuf")
FIELDS = {
    ios.floatfield: ("fixed", "scientific"), ios.basefield: ("dec", "hex", "oct"),
    ios.adjustfield: ("left", "right", "internal"),
}  # fmt: skip

STREAMS: dict[str, Any] = {
    "ios": ios, "ios_base": ios, "cout": OutputStream(Console("stdout")), "cerr": OutputStream(Console("stderr")),
    "clog": OutputStream(Console("stderr")), "cin": InputStream(Console("stdin")),
    "stringstream": stringstream, "ostringstream": stringstream, "istringstream": stringstream,
    "fstream": fstream, "ifstream": ifstream, "ofstream": ofstream,
    "getline": lambda stream, cell, delimiter="\n": stream.getline(cell, delimiter),
    "ostream": OutputStream, "istream": InputStream, "iostream": Stream, "streambuf": Buffer,
    "endl": Manipulator(lambda stream: stream.write("\n").flush()),
    "flush": Manipulator(lambda stream: stream.flush()),
    "ends": Manipulator(lambda stream: stream.write("\0")),
    "ws": Manipulator(lambda stream: stream.skip_white()),
    "setw": lambda width: Manipulator(lambda stream: stream.width(width)),
    "setprecision": lambda digits: Manipulator(lambda stream: stream.precision(digits)),
    "setfill": lambda character: Manipulator(lambda stream: stream.fill(character)),
    "setbase": lambda base: _setting({8: ios.oct, 16: ios.hex, 10: ios.dec}.get(base, 0), ios.basefield),
    "setiosflags": _setting, "resetiosflags": _clearing,
    "defaultfloat": _clearing(ios.floatfield), "hexfloat": _setting(ios.floatfield, ios.floatfield),
    **{name: _setting(getattr(ios, name)) for name in SWITCHES},
    **{f"no{name}": _clearing(getattr(ios, name)) for name in SWITCHES},
    **{name: _setting(getattr(ios, name), mask) for mask, names in FIELDS.items() for name in names},
}  # fmt: skip
"""What the headers of streams have."""
