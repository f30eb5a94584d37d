"""Large parts of the methods inside a Category, taken while its weight file streams in.

Each ``<SubMethod>`` has the stream that its kind of method would have in a file of its own.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from pytmva_bnn.methods import kinds, method_of
from pytmva_bnn.weights import Stream
from pytmva_bnn.weights.xml_reader import Cutter

if TYPE_CHECKING:
    from lxml.etree import _Element as Element
else:
    Element = Any

TAG = "SubMethod"
_START_OR_END = re.compile(rb"""<SubMethod\b(?:[^<>"']|"[^"<]*"|'[^'<]*')*>|</SubMethod\s*>""")
_KIND = re.compile(rb"""\sMethod\s*=\s*["']\s*([^"':]*?)\s*::""")


class SubMethodStreams:
    """Gives elements, and bytes, to the streams of the methods that they belong to."""

    def __init__(self) -> None:
        streams = (method_of(kind).stream() for kind in kinds() if kind != "Category")
        self.tags = tuple(dict.fromkeys(tag for stream in streams if stream is not None for tag in stream.tags))
        self._streams: list[Stream | None] = []
        self._known: dict[Element, Stream | None] = {}
        self._inside = False
        self._rest = b""

    def of(self, sub_method: Element) -> Stream | None:
        """Return what has taken parts of a method, or None."""
        if sub_method not in self._known:
            number = sum(1 for _ in sub_method.itersiblings(TAG, preceding=True))
            self._known[sub_method] = self._streams[number] if number < len(self._streams) else None
        return self._known[sub_method]

    def take(self, element: Element) -> None:
        """Let the stream of its method take an element."""
        sub_method = next(element.iterancestors(TAG), None)
        stream = None if sub_method is None else self.of(sub_method)
        if stream is not None and element.tag in stream.tags:
            stream.take(element)

    def cut(self, chunk: bytes) -> bytes:
        """Let the stream of each method cut its bytes."""
        chunk = self._rest + chunk
        # a tag that is not complete waits for its end
        hold = chunk.rfind(b"<")
        self._rest = chunk[hold:] if hold >= 0 and chunk.find(b">", hold) < 0 else b""
        chunk = chunk[: len(chunk) - len(self._rest)]
        kept, at = [], 0
        for tag in _START_OR_END.finditer(chunk):
            kept += [self._cut(chunk[at : tag.start()]), tag[0]]
            at = tag.end()
            self._inside = not tag[0].startswith(b"</") and not tag[0].endswith(b"/>")
            if self._inside:
                self._streams.append(_stream(tag[0]))
        kept.append(self._cut(chunk[at:]))
        return b"".join(kept)

    def _cut(self, piece: bytes) -> bytes:
        stream = self._streams[-1] if self._inside and self._streams else None
        return stream.cut(piece) if isinstance(stream, Cutter) else piece


def _stream(start: bytes) -> Stream | None:
    kind = _KIND.search(start)
    name = kind[1].decode("latin-1") if kind else ""
    return method_of(name).stream() if name in kinds() and name != "Category" else None
