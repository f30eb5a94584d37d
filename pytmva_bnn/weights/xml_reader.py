"""Reading of the envelope of XML weight files, all releases of TMVA 4: one small function per element.

The element ``<Weights>`` belongs to the method.  Where it is large, the method may take parts of it while the file
streams in (:class:`Stream`); all the rest is a small tree.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias, runtime_checkable

from pytmva_bnn import transform
from pytmva_bnn.errors import WeightFileError
from pytmva_bnn.events.variables import VariableRecord
from pytmva_bnn.histograms.pdf_xml import read_pdf
from pytmva_bnn.options import OptionRecord
from pytmva_bnn.tmva_types import AnalysisType
from pytmva_bnn.weights.records import Dialect, UnknownElement, WeightFile, not_readable
from pytmva_bnn.weights.source import NotUTF8Error, Source, checked_xml
from pytmva_bnn.xmlio import reading as xml
from pytmva_bnn.xmlio.words import Words

if TYPE_CHECKING:
    from lxml.etree import _Element as Element
else:
    Element = Any

log = logging.getLogger(__name__)

_KIND = re.compile(rb"""<MethodSetup\s[^<>]*Method\s*=\s*["']([^"':]*)::""")
_LONG_NUMBER = re.compile(r"-?\d\.\d{8}e[-+]\d{2,3}", re.ASCII)
KNOWN_ELEMENTS = (
    "GeneralInfo",
    "Options",
    "Variables",
    "Spectators",
    "Classes",
    "Targets",
    "Transformations",
    "MVAPdfs",
    "Weights",
)


class Stream(Protocol):
    """What takes elements of ``<Weights>`` as soon as they are parsed, so that their text can be freed."""

    @property
    def tags(self) -> tuple[str, ...]:
        """Return the names of these elements."""

    def take(self, element: Element) -> None:
        """Take what is needed of the element, and clear it; elements of that name elsewhere must be left alone."""


@runtime_checkable
class Cutter(Stream, Protocol):
    """A stream that takes bytes out of the file before they are parsed: elements nested deeper than a parser bears."""

    def cut(self, chunk: bytes) -> bytes:
        """Take what is needed of the next bytes, and return the rest with all line ends, so that lines keep their
        numbers; :attr:`tags` are asked for after the first call."""


@dataclass(frozen=True, eq=False)
class Section:
    """The part of a weight file that belongs to the method.

    It is the element ``<Weights>``, with the ``stream`` that has taken parts of it, or the ``words`` of the section
    #WGT of a text file.  ``source`` is where it comes from, with the files beside it; the endings of those of a method
    nested in another begin with ``prefix``.
    """

    element: Any = None
    stream: Any = None
    words: Words | None = None
    source: Source = field(default_factory=Source)
    prefix: str = ""

    def companion(self, ending: str) -> tuple[str, bytes]:
        """Return name and content of the file with this ending that belongs to the weight file."""
        return self.source.companion(self.prefix + ending)


StreamOf: TypeAlias = Callable[[str], Stream | None]


def read_xml_source(source: Source, stream_of: StreamOf, kinds: Sequence[str] = ()) -> tuple[WeightFile, Section]:
    """Read a weight file from wherever it is; errors name ``source.name``.

    ``stream_of`` gives the stream for a kind of method, or None; ``kinds`` are those that can be read, if not all.
    """
    kind = _KIND.search(source.beginning())
    encodings: tuple[Literal["utf-8", "latin-1"], ...] = ("utf-8", "latin-1")
    for encoding in encodings:
        try:
            stream = stream_of(kind[1].decode("latin-1").strip()) if kind else None
            root, newline = _parse(source, encoding, stream)
            file, weights = envelope(root, encoding, newline, kinds)
            return file, Section(weights, stream, source=source)
        except NotUTF8Error:
            continue  # TMVA passes bytes through: titles may be in another encoding
        except WeightFileError as error:
            raise WeightFileError(
                error.problem, file=error.file or source.name, element=error.element, line=error.line
            ) from error.__cause__
    raise AssertionError("every byte string is Latin-1")


def _parser(stream: Stream | None, encoding: str) -> Any:
    from lxml import etree  # lazy: keeps the import of the package fast

    tags = stream.tags if stream else ()
    # remove_blank_text stays off: unknown elements are kept as they are
    return etree.XMLPullParser(
        events=("end",) if tags else (),
        tag=tags or None,
        encoding="iso-8859-1" if encoding == "latin-1" else encoding,
        resolve_entities=False,
        load_dtd=False,
        no_network=True,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )


def _parse(source: Source, encoding: str, stream: Stream | None) -> tuple[Element, Literal["\n", "\r\n"]]:
    from lxml import etree  # lazy: keeps the import of the package fast

    parser = None
    newline: Literal["\n", "\r\n"] | None = None
    try:
        for chunk in checked_xml(source, encoding):
            if newline is None:
                newline = "\r\n" if b"\r\n" in chunk else "\n"
            rest = stream.cut(chunk) if isinstance(stream, Cutter) else chunk
            parser = parser or _parser(stream, encoding)  # now a stream of several methods knows their tags
            parser.feed(rest)
            for _, element in parser.read_events():
                if stream is not None:
                    stream.take(element)
        root = (parser or _parser(stream, encoding)).close()
    except etree.XMLSyntaxError as error:
        line = error.lineno or None
        raise WeightFileError(
            f"not well-formed XML ({error.msg}); the file is truncated, damaged or not a weight file",
            line=line,
        ) from error
    return root, newline or "\n"


def envelope(
    root: Element,
    encoding: Literal["utf-8", "latin-1"] = "utf-8",
    newline: Literal["\n", "\r\n"] = "\n",
    kinds: Sequence[str] = (),
) -> tuple[WeightFile, Element]:
    """Return the envelope of a file, or of a method nested in another, and its element ``<Weights>``."""
    kind, separator, title = xml.attribute(root, "Method").partition("::")
    if not kind.strip() or not separator:
        xml.fail(root, f"the method is {root.get('Method')!r}, which is not of the form <type>::<title>")
    if kinds and kind.strip() not in kinds:
        xml.fail(root, not_readable(f"{kind}::{title}", kinds))
    parts, unknown = _parts(root)
    variables = _variables(parts.get("Variables"), "NVar", "Variable", "VarIndex")
    if "Variables" not in parts:
        xml.fail(root, "the element <Variables> is missing")
    if "Weights" not in parts:
        xml.fail(root, "the element <Weights> is missing")
    targets = _variables(parts.get("Targets"), "NTrgt", "Target", "TargetIndex")
    transformations = parts.get("Transformations")
    steps = () if transformations is None else tuple(_steps(transformations, len(variables), len(targets)))
    classes = parts.get("Classes")
    file = WeightFile(
        kind=kind.strip(),
        title=title,
        info=_general_info(parts.get("GeneralInfo")),
        options=_options(parts.get("Options")),
        variables=variables,
        spectators=_variables(parts.get("Spectators"), "NSpec", "Spectator", "SpecIndex"),
        classes=_classes(classes),
        targets=targets,
        transformations=steps,
        n_transformations=None if transformations is None else _n_transformations(transformations, len(steps)),
        mva_pdfs=_mva_pdfs(parts.get("MVAPdfs")),
        dialect=Dialect(
            classes="absent" if classes is None else "named" if len(classes) else "counted",
            spectators_element="Spectators" in parts,
            offset_attribute=transformations is None or transform.uses_offset_attribute(transformations),
            short_numbers=_short_numbers(parts["Variables"]),
            encoding=encoding,
            newline=newline,
        ),
        unknown=unknown,
    )
    return file, parts["Weights"]


def _parts(root: Element) -> tuple[dict[str, Element], tuple[UnknownElement, ...]]:
    from lxml import etree

    parts: dict[str, Element] = {}
    unknown: list[UnknownElement] = []
    previous: str | None = None
    for element in xml.children(root):
        name = str(element.tag)
        if name not in KNOWN_ELEMENTS:
            log.warning("line %s: unparsed XML node: '%s'", element.sourceline, name)
            text = etree.tostring(element, encoding="unicode", with_tail=False)
            unknown.append(UnknownElement(name, text, previous))
            continue
        if name in parts:
            xml.fail(element, "this element appears twice in the file")
        parts[name] = element
        previous = name
    return parts, tuple(unknown)


def _general_info(element: Element | None) -> tuple[tuple[str, str], ...]:
    if element is None:
        return ()
    info = tuple((xml.attribute(item, "name"), xml.attribute(item, "value")) for item in xml.children(element))
    analysis = dict(info).get("AnalysisType")
    if analysis is not None and AnalysisType.named(analysis) is None:
        xml.fail(element, f"unknown analysis type {analysis!r}; known: {', '.join(AnalysisType)}")
    return info


def _options(element: Element | None) -> tuple[OptionRecord, ...]:
    if element is None:
        return ()
    return tuple(
        OptionRecord(
            name=xml.attribute(option, "name"),
            # TMVA: blanks in front of the text are skipped, those behind it are kept
            value=(option.text or "").lstrip(" \t\r\n"),
            modified=option.get("modified") == "Yes",
            size=xml.count(option, "size") if option.get("size") is not None else None,
        )
        for option in xml.children(element)
    )


def _variables(element: Element | None, count: str, name: str, index: str) -> tuple[VariableRecord, ...]:
    if element is None:
        return ()
    found = xml.counted_children(element, count, name)
    for position, item in enumerate(found):
        if xml.integer(item, index) != position:
            xml.fail(item, f"{index}={item.get(index)!r} found where {position} was expected")
    return tuple(
        VariableRecord(
            expression=xml.attribute(item, "Expression"),
            label=xml.attribute(item, "Label"),
            title=xml.attribute(item, "Title"),
            unit=xml.attribute(item, "Unit"),
            internal=xml.attribute(item, "Internal"),
            type=xml.attribute(item, "Type"),
            minimum=xml.number(item, "Min", finite=False),
            maximum=xml.number(item, "Max", finite=False),
        )
        for item in found
    )


def _short_numbers(variables: Element) -> bool:
    texts = (item.get(name, "").strip() for item in xml.children(variables) for name in ("Min", "Max"))
    return any(text[-1:].isdigit() and not _LONG_NUMBER.fullmatch(text) for text in texts)


def _classes(element: Element | None) -> tuple[str, ...]:
    if element is None:
        return ()
    if len(element):
        return tuple(xml.attribute(item, "Name") for item in xml.counted_children(element, "NClass", "Class"))
    announced = xml.count(element, "NClass")
    if announced > 10_000:
        xml.fail(element, f"NClass={announced} cannot be")
    return tuple(f"class{number}" for number in range(announced))


def _steps(element: Element, n_variables: int, n_targets: int) -> list[Any]:
    return [transform.read_xml(item, n_variables, n_targets) for item in xml.children(element)]


def _n_transformations(element: Element, found: int) -> int:
    announced = xml.count(element, "NTransformations")
    if announced < found:
        xml.fail(element, f"NTransformations={announced}, but {found} elements <Transform> are present")
    return announced


def _mva_pdfs(element: Element | None) -> tuple[Any, ...]:
    if element is None:
        return ()
    found = list(xml.children(element))
    if len(found) not in (0, 2):
        xml.fail(element, f"there are {len(found)} PDFs; it must be none, or signal and background")
    return tuple(read_pdf(item) for item in found)
