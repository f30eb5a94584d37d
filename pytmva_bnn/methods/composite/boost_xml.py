"""The element <Weights> of a boosted method: an element <Method> for each classifier, with the <Weights> of that."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pytmva_bnn.errors import InputError, OptionError
from pytmva_bnn.methods import Reading, kinds, method_of
from pytmva_bnn.methods.composite.boost_options import classifier_string
from pytmva_bnn.methods.nested import NestedStream, indented, nested_section
from pytmva_bnn.methods.protocol import Fitted
from pytmva_bnn.options import OptionSet
from pytmva_bnn.weights import Dialect, Section, WeightFile
from pytmva_bnn.xmlio import reading as xml
from pytmva_bnn.xmlio import writing

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

    from pytmva_bnn.methods.composite.boost_fitted import Classifier
else:
    Element = Any

_KIND = re.compile(r"""\bMethodTypeName\s*=\s*["']([^"']*)""")
ORIENTATION = "MethodSigCutOrientation"
USES_MAIN = "UseMainMethodTransformation"


def classifier_stream() -> NestedStream:
    """Return what lets the classifiers take parts of their elements."""
    return NestedStream("Method", lambda tag: found[1].strip() if (found := _KIND.search(tag)) else "")


def companion_mark(number: int) -> str:
    """Return what stands before the endings of the companions of a classifier."""
    return f"_B{number:04d}"


def read_classifiers(section: Section, head: WeightFile, how: Reading) -> Iterator[tuple[Fitted, dict[str, Any]]]:
    """Yield each classifier with the attributes of its element."""
    elements = xml.counted_children(section.element, "NMethods", "Method")
    if not elements:
        xml.fail(section.element, "it has no classifiers")
    heads: dict[str, WeightFile] = {}
    for number, element in enumerate(elements):
        if xml.integer(element, "Index") != number:
            xml.fail(element, f"Index={element.get('Index')} found where {number} was expected")
        attributes = _attributes(element, head, how)
        kind = attributes["kind"]
        if kind != elements[0].get("MethodTypeName", "").strip():
            xml.fail(element, f"a classifier of type {kind} among those of type {elements[0].get('MethodTypeName')}")
        if attributes["options"] not in heads:  # most have the same
            try:
                heads[attributes["options"]] = classifier_head(head, kind, attributes["name"], attributes["options"])
            except (OptionError, InputError) as error:
                xml.fail(element, f"Options: {error}")
        inner = replace(heads[attributes["options"]], title=attributes["name"])
        part = nested_section(section, element, number, companion_mark(number))
        yield method_of(kind).read(part, inner, how), attributes


def _attributes(element: Element, head: WeightFile, how: Reading) -> dict[str, Any]:
    kind = xml.attribute(element, "MethodTypeName").strip()
    if kind not in kinds():
        xml.fail(element, f"the boosted method is a {kind}, which cannot be read; available: {', '.join(kinds())}")
    if element.get(ORIENTATION) is None and how.strict:
        xml.fail(element, f"the attribute {ORIENTATION!r} is missing; current TMVA does not read the file")
    uses_main = element.get(USES_MAIN)
    if uses_main == "false" and head.transformations:
        xml.fail(
            element, f"{USES_MAIN}=false: the classifier has a transformation of its own, which the file does not hold"
        )
    return {
        "kind": kind,
        "name": xml.attribute(element, "MethodName"),
        "job_name": xml.attribute(element, "JobName"),
        "options": xml.attribute(element, "Options"),
        "weight": xml.number(element, "Weight"),
        "cut": xml.number(element, "MethodSigCut"),
        # TMVA: up to 4.1 signal was always above the cut
        "orientation": None if element.get(ORIENTATION) is None else xml.number(element, ORIENTATION),
        "uses_main_transformation": uses_main,
    }


def classifier_head(head: WeightFile, kind: str, title: str, text: str) -> WeightFile:
    """Return the envelope that a classifier would have in a file of its own."""
    method = method_of(kind)
    inner = replace(head, kind=kind, title=title, options=(), mva_pdfs=())
    options = OptionSet((*method.options_in_files(inner), *method.more_options), owner=title)
    options.parse(classifier_string(text))
    method.parse_parts(options, len(head.variables))
    # the string is that of the booking, where a file of its own has values that the method has set since
    method.settings(options, title, head.analysis_type)
    return replace(inner, options=tuple(options.records()))


def weights_lines(classifiers: Sequence[Classifier], dialect: Dialect) -> Iterator[str]:
    """Yield the element <Weights>."""
    yield writing.start(1, "Weights", [("NMethods", len(classifiers))])
    for number, one in enumerate(classifiers):
        attributes: list[tuple[str, object]] = [
            ("Index", number),
            ("Weight", f"{one.weight:.16e}"),
            ("MethodSigCut", f"{one.cut:.16e}"),
        ]
        if one.orientation is not None:
            attributes.append((ORIENTATION, f"{one.orientation:.16e}"))
        attributes += [
            ("MethodTypeName", one.kind),
            ("MethodName", one.name),
            ("JobName", one.job_name),
            ("Options", one.options),
        ]
        if one.uses_main_transformation is not None:
            attributes.append((USES_MAIN, one.uses_main_transformation))
        yield writing.start(2, "Method", attributes)
        yield from indented(one.fitted.write(dialect), 2)
        yield "    </Method>"
    yield "  </Weights>"
