"""Where the characters of streams come from and go to, and the flags of streams."""

from __future__ import annotations

import sys
import weakref
from pathlib import Path


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
        for one in list(_WRITING):  # streams that went out of scope in C++ may still exist here
            one.flush()
        reads = mode & ios.in_ and not mode & (ios.trunc | ios.app)
        super().__init__(Path(path).read_bytes().decode("utf-8", "surrogateescape") if reads else "")
        how = "ab" if mode & (ios.app | ios.ate) else "r+b" if reads else "wb"
        self._file = Path(path).open(how) if mode & (ios.out | ios.app) else None  # noqa: SIM115
        if self._file is not None:
            _WRITING.add(self)

    def __del__(self) -> None:  # streams close their files when they go out of scope
        if getattr(self, "_file", None) is not None:
            self.close()

    def write(self, text: str) -> None:
        if self._file is None:
            raise OSError("the file is open for reading only")
        self._file.write(text.encode("utf-8", "surrogateescape"))

    def flush(self) -> None:
        if self._file is not None and not self._file.closed:
            self._file.flush()

    def close(self) -> None:
        if self._file is not None:
            self._file.close()


_WRITING: weakref.WeakSet[FileBuffer] = weakref.WeakSet()
"""The files that are open for writing."""
