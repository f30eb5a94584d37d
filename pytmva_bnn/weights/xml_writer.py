"""Writing of XML weight files that TMVA reads: its elements, its order of attributes, its number formats."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.errors import WeightFileError
from pytmva_bnn.events.variables import VariableRecord
from pytmva_bnn.files import atomic_writer
from pytmva_bnn.histograms import PDFRecord
from pytmva_bnn.methods.mlp.xml import FURTHER_HESSIAN
from pytmva_bnn.options import OptionRecord
from pytmva_bnn.transform import (
    Decorrelation,
    Gaussianisation,
    Normalisation,
    PrincipalComponents,
    Quantity,
    Rearrangement,
    Selection,
    Step,
)
from pytmva_bnn.weights.records import Dialect, WeightFile
from pytmva_bnn.xmlio import writing as xml
from pytmva_bnn.xmlio.writing import Attributes, Lines

PCA_CLASS_NAMES = ("Signal", "Background", "Combined")


def write_xml(weight_file: WeightFile, path: str | Path) -> None:
    """Write the weight file; a name that ends in ``.gz`` is compressed.

    The file appears under its name only when it is complete.
    """
    newline, encoding = weight_file.dialect.newline, weight_file.dialect.encoding
    with atomic_writer(path) as stream:
        for line in xml_lines(weight_file):
            try:
                stream.write((line + newline).encode(encoding, "surrogateescape"))
            except UnicodeEncodeError as error:
                problem = f"{line.strip()[:60]!r} has characters that {encoding} lacks; use Dialect(encoding='utf-8')"
                raise WeightFileError(problem, file=str(path)) from error


def to_xml(weight_file: WeightFile) -> str:
    """Return the text of the weight file."""
    newline = weight_file.dialect.newline
    return "".join(line + newline for line in xml_lines(weight_file))


def xml_lines(weight_file: WeightFile) -> Lines:
    """Yield the weight file line by line, without line ends."""
    yield '<?xml version="1.0"?>'
    yield xml.start(0, "MethodSetup", [("Method", f"MLP::{weight_file.title}")])
    yield from _unknown(weight_file, None)
    for name, lines in _parts(weight_file):
        yield from lines
        yield from _unknown(weight_file, name)
    yield "</MethodSetup>"


def _parts(file: WeightFile) -> Iterator[tuple[str, Lines]]:
    dialect = file.dialect
    yield "GeneralInfo", xml.element(1, "GeneralInfo", [], _general_info(file))
    yield "Options", xml.element(1, "Options", [], map(_option, file.options))
    yield "Variables", _variables("Variables", "NVar", "Variable", "VarIndex", file.variables, dialect)
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
        xml.element(1, "MVAPdfs", [], (line for pdf in file.mva_pdfs for line in _pdf(2, pdf, dialect))),
    )
    yield "Weights", _weights(file)


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
        yield from _transformation(step, file)


def _transformation(step: Step, file: WeightFile) -> Lines:
    attributes: list[tuple[str, object]]
    match step:
        case Normalisation():
            attributes = [("Name", "Normalize")]
            if step.selection is None:
                attributes += [("NVariables", len(file.variables)), ("NTargets", len(file.targets))]
            # S cannot be told from N without this attribute, so it is then written whatever the dialect
            if file.dialect.offset_attribute or not step.offset:
                attributes += [("UseOffsetOrNot", "UseOffset" if step.offset else "NoOffset")]
            content = _ranges(step, len(file.variables))
        case Decorrelation():
            attributes = [("Name", "Decorrelation")]
            content = _decorrelation(step, file.dialect)
        case PrincipalComponents():
            attributes = [("Name", "PCA")]
            content = _principal_components(step, file.dialect)
        case Gaussianisation():
            attributes = [("Name", "Gauss"), ("FlatOrGauss", "Flat" if step.flat else "Gauss")]
            content = _cumulatives(step, file)
        case Rearrangement():
            attributes = [("Name", "Rearrange")]
            content = iter(())
        case _:
            raise WeightFileError(
                "the Gauss transformation of the old text format has no XML form", element="Transform"
            )
    yield xml.start(2, "Transform", attributes)
    if step.selection is not None:
        yield from _selection(step.selection)
    yield from content
    yield "    </Transform>"


def _selection(selection: Selection) -> Lines:
    yield "      <Selection>"
    yield from _quantities("Input", "NInputs", selection.inputs)
    yield from _quantities("Output", "NOutputs", selection.outputs)
    yield "      </Selection>"


def _quantities(name: str, count: str, quantities: tuple[Quantity, ...]) -> Lines:
    lines = (
        xml.empty(5, name, [("Type", q.kind), ("Label", q.label), ("Expression", q.expression)]) for q in quantities
    )
    return xml.element(4, name, [(count, len(quantities))], lines)


def _ranges(step: Normalisation, n_variables: int) -> Lines:
    for number, (minima, maxima) in enumerate(zip(step.minima.tolist(), step.maxima.tolist(), strict=True)):
        ranges = list(zip(minima, maxima, strict=True))
        if step.selection is not None:
            content = xml.element(4, "Ranges", [], _range_lines("Range", "Index", ranges))
        else:
            content = iter(
                [
                    *xml.element(4, "Variables", [], _range_lines("Variable", "VarIndex", ranges[:n_variables])),
                    *xml.element(4, "Targets", [], _range_lines("Target", "TargetIndex", ranges[n_variables:])),
                ]
            )
        yield from xml.element(3, "Class", [("ClassIndex", number)], content)


def _range_lines(name: str, index: str, ranges: list[tuple[float, float]]) -> Lines:
    return (
        xml.empty(5, name, [(index, position), ("Min", f"{low:.16e}"), ("Max", f"{high:.16e}")])
        for position, (low, high) in enumerate(ranges)
    )


def _decorrelation(step: Decorrelation, dialect: Dialect) -> Lines:
    form = xml.SHORT if dialect.short_numbers else "%5.15e"
    for matrix in step.matrices:
        rows, columns = matrix.shape
        yield from xml.numbers(3, "Matrix", [("Rows", rows), ("Columns", columns)], matrix, form)


def _principal_components(step: PrincipalComponents, dialect: Dialect) -> Lines:
    form = xml.SHORT if dialect.short_numbers else "%5.8e"

    def attributes(number: int) -> list[tuple[str, object]]:
        # TMVA: the names are by index, whatever the classes are called
        return [("Class", PCA_CLASS_NAMES[min(number, 2)]), ("ClassIndex", number)]

    for number, means in enumerate(step.means):
        yield from xml.numbers(3, "Statistics", [*attributes(number), ("NRows", len(means))], means, form)
    for number, matrix in enumerate(step.eigenvectors):
        shape = [("NRows", matrix.shape[0]), ("NCols", matrix.shape[1])]
        yield from xml.numbers(3, "Eigenvectors", [*attributes(number), *shape], matrix, form)


def _cumulatives(step: Gaussianisation, file: WeightFile) -> Lines:
    for index, sets in enumerate(step.cumulatives):
        attributes: list[tuple[str, object]] = [("VarIndex", index)]
        if step.selection is None:
            attributes = [("Name", file.variables[index].label), *attributes]
        yield xml.start(3, "Variable", attributes)
        for number, pdf in enumerate(sets):
            yield from xml.element(4, f"CumulativePDF_cls{number}", [], _pdf(5, pdf, file.dialect))
        yield "      </Variable>"


def _pdf(level: int, pdf: PDFRecord, dialect: Dialect) -> Lines:
    histogram = pdf.histogram
    form = xml.SHORT if dialect.short_numbers else "%5.8e"
    n_bins = len(histogram.contents)
    yield xml.start(
        level,
        "PDF",
        [
            ("Name", pdf.name),
            ("MinNSmooth", pdf.min_n_smooth),
            ("MaxNSmooth", pdf.max_n_smooth),
            ("InterpolMethod", pdf.interpolation),
            ("KDE_type", pdf.kde_type),
            ("KDE_iter", pdf.kde_iter),
            ("KDE_border", pdf.kde_border),
            ("KDE_finefactor", f"{pdf.kde_fine_factor:.16e}"),
        ],
    )
    attributes: list[tuple[str, object]] = [
        ("Name", histogram.name),
        ("NBins", n_bins),
        ("XMin", f"{histogram.x_min:.16e}"),
        ("XMax", f"{histogram.x_max:.16e}"),
        ("HasEquidistantBins", int(histogram.edges is None)),
    ]
    yield from xml.numbers(level + 1, "Histogram", attributes, histogram.contents, form)
    if histogram.edges is not None:
        yield from xml.numbers(level + 1, "HistogramBinning", [("NBins", n_bins)], histogram.edges, form)
    yield f"{'  ' * level}</PDF>"


def _weights(file: WeightFile) -> Lines:
    n_layers = [("NLayers", len(file.matrices) + 1)]
    if file.dialect.layout_element:
        yield "  <Weights>"
        yield from xml.element(2, "Layout", n_layers, _layers(3, file.matrices))
    else:
        yield xml.start(1, "Weights", n_layers)
        yield from _layers(2, file.matrices)
    if file.inverse_hessian is not None:
        yield from _inverse_hessian("InverseHessian", [], file.inverse_hessian)
    for output, matrix in enumerate(file.more_inverse_hessians, start=1):
        yield from _inverse_hessian(FURTHER_HESSIAN, [("Output", output)], matrix)
    yield "  </Weights>"


def _layers(level: int, matrices: tuple[NDArray[np.float64], ...]) -> Lines:
    for index, matrix in enumerate(matrices):
        yield xml.start(level, "Layer", [("Index", index), ("NNeurons", matrix.shape[0])])
        for row in matrix:
            yield from xml.numbers(level + 1, "Neuron", [("NSynapses", len(row))], row, "%.16e")
        yield f"{'  ' * level}</Layer>"
    n_outputs = matrices[-1].shape[1]
    outputs = (xml.empty(level + 1, "Neuron", [("NSynapses", 0)]) for _ in range(n_outputs))
    yield from xml.element(level, "Layer", [("Index", len(matrices)), ("NNeurons", n_outputs)], outputs)


def _inverse_hessian(name: str, attributes: Attributes, matrix: NDArray[np.float64]) -> Lines:
    n = len(matrix)
    yield xml.start(2, name, [*attributes, ("NElements", n * n), ("NRows", n), ("NCols", n)])
    for index, row in enumerate(matrix):
        yield from xml.numbers(3, "Row", [("Index", index)], row, "%.16e")
    yield f"    </{name}>"
