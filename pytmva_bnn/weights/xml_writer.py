"""Writing of XML weight files that TMVA reads: its elements, its order of attributes, its number formats."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

from pytmva_bnn import transform
from pytmva_bnn.errors import WeightFileError
from pytmva_bnn.events.variables import VariableRecord
from pytmva_bnn.files import atomic_writer, expanded
from pytmva_bnn.histograms.pdf_xml import write_pdf
from pytmva_bnn.options import OptionRecord
from pytmva_bnn.weights.companions import Companion
from pytmva_bnn.weights.records import Dialect, WeightFile
from pytmva_bnn.xmlio import writing as xml
from pytmva_bnn.xmlio.writing import Lines

log = logging.getLogger(__name__)


def write_xml(file: WeightFile, weights: Iterable[str], path: str | Path, companions: Sequence[Companion] = ()) -> None:
    """Write a weight file with the lines of its element ``<Weights>``; a name that ends in ``.gz`` is compressed.

    The file, and the ``companions`` beside it, appear under their names only when all are complete.
    """
    newline, encoding = file.dialect.newline, file.dialect.encoding
    beside = [(companion, companion.path(Path(expanded(path)))) for companion in companions]
    with ExitStack() as stack:
        stream = stack.enter_context(atomic_writer(path))
        for companion, place in beside:
            stack.enter_context(atomic_writer(place)).write(companion.data)
        for line in xml_lines(file, weights):
            try:
                stream.write((line + newline).encode(encoding, "surrogateescape"))
            except UnicodeEncodeError as error:
                problem = f"{line.strip()[:60]!r} has characters that {encoding} lacks; use Dialect(encoding='utf-8')"
                raise WeightFileError(problem, file=str(path)) from error
    for companion, place in beside:
        log.info("%s: %s", companion.words, place)


def to_xml(file: WeightFile, weights: Iterable[str]) -> str:
    """Return the text of a weight file with the lines of its element ``<Weights>``."""
    return "".join(line + file.dialect.newline for line in xml_lines(file, weights))


def xml_lines(file: WeightFile, weights: Iterable[str]) -> Lines:
    """Yield a weight file line by line, without line ends."""
    yield '<?xml version="1.0"?>'
    yield xml.start(0, "MethodSetup", [("Method", f"{file.kind}::{file.title}")])
    yield from method_lines(file, weights)
    yield "</MethodSetup>"


def method_lines(file: WeightFile, weights: Iterable[str]) -> Lines:
    """Yield all that stands in the element of a method, which may be nested in another."""
    yield from _unknown(file, None)
    for name, lines in (*_parts(file), ("Weights", weights)):
        yield from lines
        yield from _unknown(file, name)


def _parts(file: WeightFile) -> Iterator[tuple[str, Lines]]:
    dialect = file.dialect
    yield "GeneralInfo", xml.element(1, "GeneralInfo", [], _general_info(file))
    yield "Options", xml.element(1, "Options", [], map(_option, file.options))
    yield "Variables", _variables("Variables", "NVar", "Variable", "VarIndex", file.variables, dialect)
    if dialect.spectators_element or file.spectators:
        yield "Spectators", _variables("Spectators", "NSpec", "Spectator", "SpecIndex", file.spectators, dialect)
    if dialect.classes != "absent":
        yield "Classes", xml.element(1, "Classes", [("NClass", len(file.classes))], _classes(file))
    if file.targets:
        yield "Targets", _variables("Targets", "NTrgt", "Target", "TargetIndex", file.targets, dialect)
    n_transformations = file.n_transformations
    if n_transformations is None:
        n_transformations = len(file.transformations)
    yield (
        "Transformations",
        xml.element(1, "Transformations", [("NTransformations", n_transformations)], _transformations(file)),
    )
    yield (
        "MVAPdfs",
        xml.element(1, "MVAPdfs", [], (line for pdf in file.mva_pdfs for line in write_pdf(2, pdf, dialect))),
    )


def _unknown(file: WeightFile, after: str | None) -> Lines:
    return (line for element in file.unknown if element.after == after for line in f"  {element.xml}".split("\n"))


def _general_info(file: WeightFile) -> Lines:
    return (xml.empty(2, "Info", [("name", name), ("value", value)]) for name, value in file.info)


def _option(option: OptionRecord) -> str:
    attributes: list[tuple[str, object]] = [("name", option.name)]
    if option.size is not None:
        attributes.append(("size", option.size))
    attributes.append(("modified", "Yes" if option.modified else "No"))
    value = xml.NOT_IN_XML.sub(" ", option.value)
    if not value:
        return xml.empty(2, "Option", attributes)
    # TMVA: the text of an option is not escaped
    return f"{xml.start(2, 'Option', attributes)}{value}</Option>"


def _variables(
    group: str, count: str, name: str, index: str, records: tuple[VariableRecord, ...], dialect: Dialect
) -> Lines:
    lines = (
        xml.empty(
            2,
            name,
            [
                (index, position),
                ("Expression", record.expression),
                ("Label", record.label),
                ("Title", record.title),
                ("Unit", record.unit),
                ("Internal", record.internal),
                ("Type", record.type),
                ("Min", _extremum(record.minimum, dialect)),
                ("Max", _extremum(record.maximum, dialect)),
            ],
        )
        for position, record in enumerate(records)
    )
    return xml.element(1, group, [(count, len(records))], lines)


def _extremum(value: float, dialect: Dialect) -> str:
    return xml.short(value) if dialect.short_numbers else xml.number("%.8e", value)


def _classes(file: WeightFile) -> Lines:
    if file.dialect.classes == "counted":
        return iter(())
    return (xml.empty(2, "Class", [("Name", name), ("Index", index)]) for index, name in enumerate(file.classes))


def _transformations(file: WeightFile) -> Lines:
    for step in file.transformations:
        yield from transform.write_xml(step, file.variables, file.targets, file.dialect)
