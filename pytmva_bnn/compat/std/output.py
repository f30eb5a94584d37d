"""Streams that are written to: the state and formats of streams, and C++'s formatted output."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from pytmva_bnn.compat.cpp.arithmetic import uint32, uint64
from pytmva_bnn.compat.cpp.formats import c_float
from pytmva_bnn.compat.std.buffers import Buffer, ios


class Manipulator:
    """Something that is written to, or read from, a stream to change it."""

    __slots__ = ("change",)

    def __init__(self, change: Callable[[Any], Any]) -> None:
        self.change = change

    def __call__(self, stream: Any) -> Any:
        self.change(stream)
        return stream


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
            is_null = value is None or type(value).__name__ == "NullPointer"
            self._write("0" if is_null else repr(value))
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
