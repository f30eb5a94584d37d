"""Reading of XML weight files, all releases of TMVA 4: one small function per element.

The inverse Hessian, which has as many numbers as the square of the number of weights, is taken row by row while
the file streams in; all the rest is a small tree.
"""

from __future__ import annotations

import logging
import re
from typing import TYPE_CHECKING, Any, Literal

from pytmva_bnn.errors import WeightFileError
from pytmva_bnn.events.variables import VariableRecord
from pytmva_bnn.methods.mlp.xml import HessianRows, read_inverse_hessians, read_matrices, take_hessian_row
from pytmva_bnn.options import OptionRecord
from pytmva_bnn.tmva_types import AnalysisType
from pytmva_bnn.weights.records import Dialect, UnknownElement, WeightFile
from pytmva_bnn.weights.source import NotUTF8Error, Source, checked_xml
from pytmva_bnn.weights.xml_transformations import read_pdf, read_transformation, uses_offset_attribute
from pytmva_bnn.xmlio import reading as xml

if TYPE_CHECKING:
    from lxml.etree import _Element as Element
else:
    Element = Any

log = logging.getLogger(__name__)

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


def read_xml_source(source: Source) -> WeightFile:
    """Read a weight file from wherever it is; errors name ``source.name``."""
    encodings: tuple[Literal["utf-8", "latin-1"], ...] = ("utf-8", "latin-1")
    for encoding in encodings:
        try:
            root, hessian_rows, newline = _parse(source, encoding)
            return _weight_file(root, hessian_rows, encoding, newline)
        except NotUTF8Error:
            continue  # TMVA passes bytes through: titles may be in another encoding
        except WeightFileError as error:
            raise WeightFileError(
                error.problem, file=error.file or source.name, element=error.element, line=error.line
            ) from error.__cause__
    raise AssertionError("every byte string is Latin-1")


def _parse(source: Source, encoding: str) -> tuple[Element, HessianRows, Literal["\n", "\r\n"]]:
    from lxml import etree  # lazy: keeps the import of the package fast

    # remove_blank_text stays off: unknown elements are kept as they are
    parser = etree.XMLPullParser(
        events=("end",),
        tag="Row",
        encoding="iso-8859-1" if encoding == "latin-1" else encoding,
        resolve_entities=False,
        load_dtd=False,
        no_network=True,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    rows: HessianRows = {}
    newline: Literal["\n", "\r\n"] | None = None
    try:
        for chunk in checked_xml(source, encoding):
            if newline is None:
                newline = "\r\n" if b"\r\n" in chunk else "\n"
            parser.feed(chunk)
            for _, row in parser.read_events():
                take_hessian_row(row, rows)  # type: ignore[arg-type]
        root = parser.close()
    except etree.XMLSyntaxError as error:
        line = error.lineno or None
        raise WeightFileError(
            f"not well-formed XML ({error.msg}); the file is truncated, damaged or not a weight file",
            line=line,
        ) from error
    return root, rows, newline or "\n"


def _weight_file(
    root: Element,
    hessian_rows: HessianRows,
    encoding: Literal["utf-8", "latin-1"],
    newline: Literal["\n", "\r\n"],
) -> WeightFile:
    kind, separator, title = xml.attribute(root, "Method").partition("::")
    if kind.strip() != "MLP" or not separator:
        xml.fail(root, f"the method is {root.get('Method')!r}; only MLP::<title> can be read")
    parts, unknown = _parts(root)
    variables = _variables(parts.get("Variables"), "NVar", "Variable", "VarIndex")
    if "Variables" not in parts:
        xml.fail(root, "the element <Variables> is missing in it")
    if "Weights" not in parts:
        xml.fail(root, "the element <Weights> is missing in it")
    targets = _variables(parts.get("Targets"), "NTrgt", "Target", "TargetIndex")
    transformations = parts.get("Transformations")
    steps = () if transformations is None else tuple(_steps(transformations, len(variables), len(targets)))
    weights = parts["Weights"]
    layout = xml.optional_child(weights, "Layout")
    matrices = read_matrices(weights if layout is None else layout, len(variables))
    hessians = read_inverse_hessians(weights, hessian_rows, matrices)
    classes = parts.get("Classes")
    return WeightFile(
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
        matrices=matrices,
        inverse_hessian=hessians[0] if hessians else None,
        more_inverse_hessians=hessians[1:],
        dialect=Dialect(
            layout_element=layout is not None,
            classes="absent" if classes is None else "named" if len(classes) else "counted",
            offset_attribute=transformations is None or uses_offset_attribute(transformations),
            short_numbers=_short_numbers(parts["Variables"]),
            encoding=encoding,
            newline=newline,
        ),
        unknown=unknown,
    )


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
            xml.fail(element, "this element stands twice in the file")
        parts[name] = element
        previous = name
    return parts, tuple(unknown)


def _general_info(element: Element | None) -> tuple[tuple[str, str], ...]:
    if element is None:
        return ()
    info = tuple((xml.attribute(item, "name"), xml.attribute(item, "value")) for item in xml.children(element))
    analysis = dict(info).get("AnalysisType")
    if analysis is not None and AnalysisType.named(analysis) is None:
        xml.fail(element, f"the analysis type {analysis!r} is not known; known are {', '.join(AnalysisType)}")
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
            xml.fail(item, f"{index}={item.get(index)!r} stands where {position} is due")
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
    return [read_transformation(item, n_variables, n_targets) for item in xml.children(element)]


def _n_transformations(element: Element, found: int) -> int:
    announced = xml.count(element, "NTransformations")
    if announced < found:
        xml.fail(element, f"NTransformations={announced}, but {found} elements <Transform> are there")
    return announced


def _mva_pdfs(element: Element | None) -> tuple[Any, ...]:
    if element is None:
        return ()
    found = list(xml.children(element))
    if len(found) not in (0, 2):
        xml.fail(element, f"there are {len(found)} PDFs; it must be none, or signal and background")
    return tuple(read_pdf(item) for item in found)
