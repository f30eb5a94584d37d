"""Streams: C++'s formatted output and input on texts, files, the screen and the keyboard."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from pytmva_bnn.compat.cpp.arithmetic import uint32, uint64
from pytmva_bnn.compat.cpp.formats import c_float
from pytmva_bnn.compat.cpp.values import CharCell

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


class ios:  # noqa: N801 - C++'s name
    """``std::ios``: flags of formats, states, ways of opening and places, with libstdc++'s numbers."""

    boolalpha, dec, fixed, hex, internal, left, oct, right = 1, 2, 4, 8, 16, 32, 64, 128
    scientific, showbase, showpoint, showpos, skipws, unitbuf, uppercase = 256, 512, 1024, 2048, 4096, 8192, 16384
    adjustfield, basefield, floatfield = 176, 74, 260
    goodbit, badbit, eofbit, failbit = 0, 1, 2, 4
    app, ate, binary, in_, out, trunc = 1, 2, 4, 8, 16, 32
    beg, cur, end = 0, 1, 2

    @staticmethod
    def sync_with_stdio(sync: bool = True) -> bool:
        return sync


class Manipulator:
    """Something that is written to, or read from, a stream to change it."""

    __slots__ = ("change",)

    def __init__(self, change: Callable[[Any], Any]) -> None:
        self.change = change

    def __call__(self, stream: Any) -> Any:
        self.change(stream)
        return stream


# -- where the characters come from and go to


class Buffer:
    """Text that is read from a position and written at another."""

    def __init__(self, text: str = "", *, at_end: bool = False) -> None:
        self._parts = [text]  # joined when they are read: many small pieces are written
        self._length = len(text)
        self._put = self._length if at_end else 0
        self.position = 0

    @property
    def text(self) -> str:
        """All characters."""
        if len(self._parts) > 1:
            self._parts = ["".join(self._parts)]
        return self._parts[0]

    @text.setter
    def text(self, text: str) -> None:
        self._parts, self._length = [text], len(text)

    def more(self) -> bool:
        """Get more text, if there is more to come."""
        return False

    def write(self, text: str) -> None:
        if self._put == self._length:
            self._parts.append(text)
            self._length += len(text)
        else:
            self.text = self.text[: self._put] + text + self.text[self._put + len(text) :]
        self._put += len(text)

    def flush(self) -> None:
        """Write what is still kept back."""

    def close(self) -> None:
        """End the work."""


class Console(Buffer):
    """The screen or the keyboard; looked up at each use so that redirections work."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name

    def more(self) -> bool:
        """Read a line from the keyboard."""
        self.text = self.text[self.position :] + (line := sys.stdin.readline())
        self.position = 0
        return bool(line)

    def write(self, text: str) -> None:
        getattr(sys, self._name).write(text)

    def flush(self) -> None:
        getattr(sys, self._name).flush()


class FileBuffer(Buffer):
    """A file: what is read is all taken at once, what is written goes out with the next flush."""

    def __init__(self, path: str, mode: int) -> None:
        reads = mode & ios.in_ and not mode & (ios.trunc | ios.app)
        super().__init__(Path(path).read_bytes().decode("utf-8", "surrogateescape") if reads else "")
        how = "ab" if mode & (ios.app | ios.ate) else "r+b" if reads else "wb"
        self._file = Path(path).open(how) if mode & (ios.out | ios.app) else None  # noqa: SIM115

    def __del__(self) -> None:  # streams close their files when they go out of scope
        if getattr(self, "_file", None) is not None:
            self.close()

    def write(self, text: str) -> None:
        if self._file is None:
            raise OSError("the file is open for reading only")
        self._file.write(text.encode("utf-8", "surrogateescape"))

    def flush(self) -> None:
        if self._file is not None:
            self._file.flush()

    def close(self) -> None:
        if self._file is not None:
            self._file.close()


# -- streams


def _accessor(name: str, convert: Callable[[Any], Any]) -> Any:
    """Return a method that returns a setting, and replaces it if it is given another."""

    def access(self: Any, value: Any = None) -> Any:
        old = getattr(self, name)
        if value is not None:
            setattr(self, name, convert(value))
        return old

    return access


class Stream:
    """The state and formats of a stream."""

    def __init__(self, buffer: Buffer | None) -> None:
        self._buffer = buffer or Buffer()
        self._flags = ios.dec | ios.skipws
        self._precision, self._width, self._fill, self._state = 6, 0, " ", ios.goodbit
        self._count = 0

    def rdbuf(self, buffer: Buffer | None = None) -> Buffer:
        old = self._buffer
        if buffer is not None:
            self._buffer = buffer
            self._state = ios.goodbit
        return old

    flags = _accessor("_flags", int)
    precision = _accessor("_precision", int)
    width = _accessor("_width", int)
    fill = _accessor("_fill", str)

    def setf(self, flags: int, mask: int = 0) -> Any:
        return self.flags(self._flags & ~mask | (flags & mask if mask else flags))

    def unsetf(self, flags: int) -> None:
        self._flags &= ~flags

    def copyfmt(self, other: Stream) -> Stream:
        self._flags, self._precision, self._width, self._fill = (
            other._flags, other._precision, other._width, other._fill)  # fmt: skip
        return self

    def good(self) -> bool:
        return self._state == ios.goodbit

    def eof(self) -> bool:
        return bool(self._state & ios.eofbit)

    def fail(self) -> bool:
        return bool(self._state & (ios.failbit | ios.badbit))

    def bad(self) -> bool:
        return bool(self._state & ios.badbit)

    def rdstate(self) -> int:
        return self._state

    def clear(self, state: int = ios.goodbit) -> None:
        self._state = state

    def setstate(self, state: int) -> None:
        self._state |= state

    def __bool__(self) -> bool:
        return not self.fail()


class OutputStream(Stream):
    """A stream that values are written to."""

    def __lshift__(self, value: Any) -> Any:
        if isinstance(value, str):
            self._write(value, is_number=False)
        elif isinstance(value, Manipulator):
            value(self)
        elif isinstance(value, bool | np.bool_):
            alpha = self._flags & ios.boolalpha
            self._write(("true" if value else "false") if alpha else self._integer(int(value)))
        elif isinstance(value, int):
            self._write(self._integer(int(value)))
        elif isinstance(value, float):
            self._write(self._float(value))
        elif isinstance(value, np.generic):
            return self << value.item()
        elif isinstance(value, Buffer):
            self._write(value.text[value.position :])
            value.position = len(value.text)
        elif hasattr(type(value), "__rlshift__"):  # an operator<< of the macro
            return NotImplemented
        elif isinstance(value, list | dict | tuple):
            raise TypeError(f"a {type(value).__name__} cannot be printed: C++ has no operator<< for it")
        else:
            self._write(repr(value))
        return self

    def _write(self, text: str, *, is_number: bool = True) -> None:
        width = self._width
        if width:
            self._width = 0
            missing = width - len(text)
            if missing > 0:
                text = self._padded(text, self._fill * missing, is_number=is_number)
        if self._state:
            return
        try:
            self._buffer.write(text)
        except (OSError, ValueError):  # closed, or for reading only
            self._state |= ios.badbit

    def _padded(self, text: str, padding: str, *, is_number: bool) -> str:
        adjust = self._flags & ios.adjustfield
        if adjust == ios.left:
            return text + padding
        if is_number and adjust == ios.internal and (head := re.match(r"[+-]|0[xX]", text)):
            return head[0] + padding + text[head.end() :]
        return padding + text

    def _integer(self, value: int) -> str:
        base = self._flags & ios.basefield
        if base in (ios.hex, ios.oct):
            # the type is not known here: what does not fit in 32 bits has 64
            value = uint32(value) if -(2**31) <= value < 2**32 else uint64(value)
            text = f"{value:x}" if base == ios.hex else f"{value:o}"
            if self._flags & ios.showbase and value:
                text = ("0x" if base == ios.hex else "0") + text
            return text.upper() if self._flags & ios.uppercase else text
        return f"+{value}" if self._flags & ios.showpos and value >= 0 else str(value)

    def _float(self, value: float) -> str:
        flags = self._flags
        kind = {ios.fixed: "f", ios.scientific: "e", ios.floatfield: "a"}.get(flags & ios.floatfield, "g")
        shown = ("#" if flags & ios.showpoint else "") + ("+" if flags & ios.showpos else "")
        precision = self._precision if self._precision >= 0 else 6
        return c_float(value, shown, precision, kind.upper() if flags & ios.uppercase and kind != "f" else kind)

    def put(self, character: str | int) -> Any:
        return self.write(character if isinstance(character, str) else chr(character))

    def write(self, text: str, size: int | None = None) -> Any:
        width, self._width = self._width, 0
        self._write(text if size is None else text[:size])
        self._width = width
        return self

    def flush(self) -> Any:
        self._buffer.flush()
        return self

    def tellp(self) -> int:
        return self._buffer._put


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
        characters = [one for one in arguments if isinstance(one, str)]
        cell_text = self._line(characters[0] if characters else "\n")
        if cell_text is not None:
            cell[0] = cell_text
        return self

    def _line(self, delimiter: str) -> str | None:
        if not self._ready(skip=False):
            return None
        buffer = self._buffer
        while (end := buffer.text.find(delimiter, buffer.position)) < 0:
            if not buffer.more():
                self._state |= ios.eofbit
                end = len(buffer.text)
                break
        line = buffer.text[buffer.position : end]
        buffer.position = min(end + 1, len(buffer.text))
        return line

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

    def unget(self) -> Any:
        self._state &= ~ios.eofbit
        self._buffer.position = max(self._buffer.position - 1, 0)
        return self

    def putback(self, character: str) -> Any:
        del character
        return self.unget()

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


WHOLE = re.compile(r".*", re.DOTALL)


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


class StandardInput(InputStream):
    """``std::cin``."""


def getline(stream: Any, cell: Any, delimiter: str = "\n") -> Any:
    """Read a line, or up to a delimiter, into a cell."""
    return stream.getline(cell, delimiter)


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
    "clog": OutputStream(Console("stderr")), "cin": StandardInput(Console("stdin")),
    "stringstream": stringstream, "ostringstream": stringstream, "istringstream": stringstream,
    "fstream": fstream, "ifstream": ifstream, "ofstream": ofstream, "getline": getline,
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
