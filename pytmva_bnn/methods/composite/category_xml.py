"""The element <Weights> of a Category: one <SubMethod> for each region, like a weight file of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pytmva_bnn.errors import InputError, WeightFileError, suggestion
from pytmva_bnn.formula import FormulaError
from pytmva_bnn.methods import kinds, method_of
from pytmva_bnn.methods.composite.category_fitted import FittedCategory, Region, companion_prefix
from pytmva_bnn.methods.composite.category_stream import TAG, SubMethodStreams
from pytmva_bnn.methods.protocol import Reading
from pytmva_bnn.weights import Section, WeightFile, envelope, response_pdfs_of
from pytmva_bnn.xmlio import reading as xml

if TYPE_CHECKING:
    from lxml.etree import _Element as Element
else:
    Element = Any


def read_category(section: Section, head: WeightFile, how: Reading) -> FittedCategory:
    """Read all regions."""
    if section.words is not None:
        raise WeightFileError("TMVA 3.9 had no Category, so it has no text files")
    elements = xml.counted_children(section.element, "NSubMethods", TAG)
    if not elements:
        xml.fail(section.element, "it has no sub-methods")
    labels, names = labels_of(head), tuple(one.expression for one in (*head.variables, *head.spectators))
    regions = [_region(element, section, head, labels, how) for element in elements]
    return FittedCategory(names, labels, len(head.variables), tuple(regions))


def labels_of(head: WeightFile) -> tuple[str, ...]:
    """Return the labels of variables and spectators."""
    return tuple(one.label for one in (*head.variables, *head.spectators))


def _region(element: Element, section: Section, head: WeightFile, labels: tuple[str, ...], how: Reading) -> Region:
    cut, variables = xml.attribute(element, "Cut"), xml.attribute(element, "Variables")
    able = [kind for kind in kinds() if not method_of(kind).takes_spectators]
    file, weights = envelope(element, head.dialect.encoding, head.dialect.newline, able)
    if file.analysis_type != head.analysis_type:
        xml.fail(element, f"it is trained for {file.analysis_type}, but the Category for {head.analysis_type}")
    response_pdfs_of(file)  # raises if they cannot be used
    try:
        columns = columns_of(variables, labels, len(head.variables))
    except InputError as error:
        xml.fail(element, str(error))
    expected = [(*head.variables, *head.spectators)[column].expression for column in columns]
    found = [variable.expression for variable in file.variables]
    if found != expected:
        xml.fail(element, f"its variables are {', '.join(found)}, but Variables={variables!r} means {expected}")
    stream = section.stream.of(element) if isinstance(section.stream, SubMethodStreams) else None
    prefix = section.prefix + companion_prefix(file)
    own = Section(weights, stream, source=section.source, prefix=prefix)
    region = Region(cut, variables, columns, file, method_of(file.kind).read(own, file, how))
    try:
        region.formula, region.scale  # noqa: B018 - made now, so that what is wrong with them shows
    except FormulaError as error:
        xml.fail(element, f"Cut={cut!r}: {error.problem}")
    return region


def columns_of(variables: str, labels: tuple[str, ...], n_variables: int) -> tuple[int, ...]:
    """Return the places of variables such as ``var1:var3:eta`` among labels; an empty text means all variables."""
    if not variables:
        return tuple(range(n_variables))
    columns = []
    for name in variables.replace(" ", "").split(":"):
        if name not in labels:
            hint = suggestion(name, labels)
            known = ", ".join(labels)
            raise InputError(
                f"The variable {name} was not found and could not be added{': ' + hint if hint else ''} (variables and "
                f"spectators: {known})"
            )
        columns.append(labels.index(name))
    return tuple(columns)
