"""The bytes of a weight file, safely: plain or gzip-compressed, in pieces, checked before XML sees them."""

from __future__ import annotations

import codecs
import gzip
import io
import re
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import BinaryIO, cast

from pytmva_bnn.errors import WeightFileError, WeightFileNotFoundError
from pytmva_bnn.files import expanded
from pytmva_bnn.weights.companions import companion_path

CHUNK = 1 << 20
_GZIP_MAGIC = b"\x1f\x8b"
# the text ends before the next option: otherwise a line of many options without end takes forever
_OPTION = re.compile(rb"(<Option\b[^<>\n]*(?<!/)>)((?:(?!<Option\b)[^\n])*?)(</Option\s*>)")
_LATE_DECLARATION = re.compile(rb"\A(\s+)<\?xml\s[^<>]*\?>")
_STRAY_AMPERSAND = re.compile(rb"&(?!(?:amp|lt|gt|quot|apos);)")
_REFUSED = (
    (b"<!ENTITY", "entity declarations are not allowed in a weight file"),
    (b"\0", "the file has NUL bytes: it is not text, or damaged"),
)
_OVERLAP = len(b"<!ENTITY") - 1


class NotUTF8Error(Exception):
    """The bytes are not UTF-8: they have to be read as Latin-1, which every byte string is."""


class Source:
    """A weight file by path, or its text; it can be opened again from the start.

    ``companions`` are the files that belong to a text, by their endings; those of a file stand beside it.

    >>> with Source(text="<MethodSetup/>").open() as stream:
    ...     stream.read()
    b'<MethodSetup/>'
    """

    def __init__(
        self,
        path: str | Path | None = None,
        text: str | bytes | None = None,
        companions: Mapping[str, bytes] | None = None,
    ) -> None:
        self._path = None if path is None else Path(expanded(path))
        # bytes that are not UTF-8 pass through as they do in TMVA: Python holds them as surrogates
        self._bytes = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
        self.name = "XML string" if self._path is None else str(path)
        self._companions = dict(companions or {})

    def open(self) -> BinaryIO:
        """Open for reading; a gzip-compressed file, known by its first bytes, is decompressed on the way."""
        if self._path is None:
            return io.BytesIO(self._bytes or b"")
        try:
            stream = self._path.open("rb")
        except IsADirectoryError as error:
            raise WeightFileNotFoundError("this is a folder, not a weight file", file=self.name) from error
        except (OSError, ValueError) as error:  # ValueError: a NUL in the name
            reason = error.strerror if isinstance(error, OSError) else error
            raise WeightFileNotFoundError(
                f"unable to open the weight file ({reason}); check the name and the folder you are in",
                file=self.name,
            ) from error
        if stream.read(2) == _GZIP_MAGIC:
            stream.close()
            return cast("BinaryIO", gzip.open(self._path, "rb"))
        stream.seek(0)
        return stream

    def beginning(self) -> bytes:
        """Return the first bytes, enough to tell the format."""
        with self.open() as stream:
            return self._read(stream, 4096)

    def companion(self, ending: str) -> tuple[str, bytes]:
        """Return name and content of the file with this ending that belongs to the weight file."""
        if ending in self._companions:
            return f"{self.name}, its {ending}", self._companions[ending]
        if self._path is None:
            raise WeightFileNotFoundError(
                f"a part of this method is in its own file (...{ending}), which a string cannot have: give the name "
                "of the weight file, or its companions",
                file=self.name,
            )
        path = companion_path(self._path, ending)
        try:
            return str(path), path.read_bytes()
        except OSError as error:
            raise WeightFileNotFoundError(
                f'Cannot open file "{path}" ({error.strerror}): a part of this method is in this file, and without it '
                "the weight file cannot be used; copy it from the folder of the training",
                file=self.name,
            ) from error

    def beside(self, name: str) -> Source:
        """Return the weight file called ``name`` in the same folder, or among the companions of a text."""
        if self._path is not None:
            return Source(self._path.with_name(name))
        stem = name.removesuffix(".xml")
        own = {one.removeprefix(stem): data for one, data in self._companions.items() if one.startswith(stem)}
        return Source(text=self.companion(name)[1], companions=own)

    def chunks(self) -> Iterator[bytes]:
        """Yield the content in pieces that end at line ends, as long as lines are of bearable length."""
        rest = b""
        with self.open() as stream:
            while True:
                piece = self._read(stream, CHUNK)
                if not piece:
                    break
                piece = rest + piece
                end = piece.rfind(b"\n") + 1 or len(piece)
                rest = piece[end:]
                yield piece[:end]
        if rest:
            yield rest

    def _read(self, stream: BinaryIO, size: int) -> bytes:
        try:
            return stream.read(size)
        except (EOFError, OSError, zlib.error) as error:
            raise WeightFileError(
                f"the file cannot be read to its end ({error}); it is truncated or damaged", file=self.name
            ) from error


def checked_xml(source: Source, encoding: str) -> Iterator[bytes]:
    """Yield the file's bytes ready for a standard XML parser.

    Refused are entity declarations (they serve attacks only; TMVA has none) and NUL bytes.  TMVA does not escape
    the text of options, so a stray ``&`` or ``<`` in one is escaped here.  Blanks in front of the XML declaration,
    which a string in a program easily has, are let through.
    """
    decoder = codecs.getincrementaldecoder("utf-8")()
    overlap = b""
    line = 1
    for number, chunk in enumerate(source.chunks()):
        for bad, problem in _REFUSED:
            position = (overlap + chunk).find(bad)
            if position >= 0:
                at = line + (overlap + chunk)[:position].count(b"\n") - overlap.count(b"\n")
                raise WeightFileError(problem, file=source.name, line=at)
        if encoding == "utf-8":
            try:
                decoder.decode(chunk)
            except UnicodeDecodeError as error:
                raise NotUTF8Error from error
        overlap = chunk[-_OVERLAP:]
        line += chunk.count(b"\n")
        if number == 0:
            chunk = _LATE_DECLARATION.sub(rb"\1", chunk, count=1) if chunk[:1].isspace() else chunk
        yield _OPTION.sub(_escape_option, chunk) if b"<Option" in chunk else chunk


def _escape_option(found: re.Match[bytes]) -> bytes:
    text = _STRAY_AMPERSAND.sub(b"&amp;", found[2]).replace(b"<", b"&lt;").replace(b">", b"&gt;")
    return found[1] + text + found[3]
