"""Methods inside the weight file of another one: their parts of the file, some of which they take as it streams in."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from pytmva_bnn.methods import kinds, method_of
from pytmva_bnn.weights import Section, Stream
from pytmva_bnn.weights.xml_reader import Cutter
from pytmva_bnn.xmlio import reading as xml

if TYPE_CHECKING:
    from lxml.etree import _Element as Element
else:
    Element = Any


class NestedStream:
    """Lets each inner method take what it wants to have of its part of the file.

    ``tag`` is the name of the elements that hold the methods, ``kind_of`` tells the kind of a method from its opening
    tag.
    """

    def __init__(self, tag: str, kind_of: Callable[[str], str]) -> None:
        name = re.escape(tag.encode())
        self._start = re.compile(rb"<" + name + rb"""(?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*\s*/?>""")
        self._tag = tag
        self._kind_of = kind_of
        self._streams: list[Stream | None] = []
        self._numbers: dict[Element, int] = {}
        self._tags: tuple[str, ...] | None = None
        self._line = 0
        self._rest = b""

    @property
    def tags(self) -> tuple[str, ...]:
        """Return the names of the elements that methods take: of those methods that the first bytes tell of."""
        return tuple(dict.fromkeys(tag for stream in self._streams if stream is not None for tag in stream.tags))

    def stream_of(self, number: int) -> Stream | None:
        """Return what has taken parts of a method, counted from 0."""
        return self._streams[number] if number < len(self._streams) else None

    def take(self, element: Element) -> None:
        """Let the method around the element take it."""
        place = next(element.iterancestors(self._tag), None)
        if place is None:
            return
        if place not in self._numbers:
            self._numbers[place] = sum(1 for _ in place.itersiblings(self._tag, preceding=True))
        stream = self.stream_of(self._numbers[place])
        if stream is not None and element.tag in stream.tags:
            stream.take(element)

    def cut(self, chunk: bytes) -> bytes:
        """Let the methods cut what they want to have out of the next bytes."""
        chunk = self._rest + chunk
        # a tag that is not complete waits for its end
        hold = chunk.find(b"<", chunk.rfind(b">") + 1)
        chunk, self._rest = (chunk, b"") if hold < 0 else (chunk[:hold], chunk[hold:])
        kept, at = [], 0
        for found in self._start.finditer(chunk):
            kept.append(self._cut(chunk[at : found.start()]))
            self._begin(found[0].decode("latin-1"))
            at = found.start()
        kept.append(self._cut(chunk[at:]))
        if self._tags is None:
            self._tags = self.tags
        return b"".join(kept)

    def _cut(self, piece: bytes) -> bytes:
        self._line += piece.count(b"\n")
        stream = self._streams[-1] if self._streams else None
        return stream.cut(piece) if isinstance(stream, Cutter) else piece

    def _begin(self, opening_tag: str) -> None:
        kind = self._kind_of(opening_tag)
        stream = method_of(kind).stream() if kind in kinds() else None
        if isinstance(stream, Cutter):
            stream.cut(b"\n" * self._line)  # so that it knows the lines of its errors
        elif stream is not None and self._tags is not None and not set(stream.tags) <= set(self._tags):
            stream = None  # the parser was made without them: the method reads the elements afterwards
        self._streams.append(stream)


def nested_section(section: Section, element: Element, number: int, mark: str) -> Section:
    """Return the section of an inner method, whose ``<Weights>`` stand in ``element``.

    ``number`` counts them from 0; ``mark`` stands before the endings of its companions.
    """
    stream = section.stream.stream_of(number) if isinstance(section.stream, NestedStream) else None
    return Section(xml.child(element, "Weights"), stream, source=section.source, prefix=section.prefix + mark)


def indented(lines: Iterator[str], levels: int) -> Iterator[str]:
    """Yield lines of a ``<Weights>`` so many levels deeper."""
    return (f"{'  ' * levels}{line}" for line in lines)
