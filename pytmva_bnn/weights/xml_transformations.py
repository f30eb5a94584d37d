"""Reading of the elements <Transform> and <PDF>: the parameters of variable transformations and densities."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.histograms import Histogram, PDFRecord
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
from pytmva_bnn.weights.pdf_checks import LARGEST_FLOAT32, problem_of
from pytmva_bnn.xmlio import reading as xml

if TYPE_CHECKING:
    from lxml.etree import _Element as Element
else:
    Element = Any

QUANTITY_KINDS = ("Variable", "Target", "Spectator")


def read_transformation(element: Element, n_variables: int, n_targets: int) -> Step:
    """Read one <Transform>; the numbers of variables and targets are needed for files without <Selection>."""
    name = xml.attribute(element, "Name")
    if name not in _READERS:
        xml.fail(element, f"the variable transform {name!r} is unknown; known are {', '.join(_READERS)}")
    selection = _selection(element)
    if selection is not None:
        n_inputs = len(selection.inputs)
    else:
        n_inputs = n_variables + n_targets if name == "Normalize" else n_variables
    return _READERS[name](element, selection, n_inputs)


def uses_offset_attribute(transformations: Element) -> bool:
    """Tell whether the writer of the file says UseOffsetOrNot, as ROOT does since 6.38."""
    normalisations = [item for item in transformations.iterfind("Transform") if item.get("Name") == "Normalize"]
    return all(item.get("UseOffsetOrNot") is not None for item in normalisations)


def _selection(element: Element) -> Selection | None:
    selection = xml.optional_child(element, "Selection")
    if selection is None:
        return None
    # TMVA: the first child is the input list, the second the output list, whatever their names
    lists = list(xml.children(selection))
    if len(lists) != 2:
        xml.fail(selection, f"an input and an output list are due, but there are {len(lists)} elements")
    inputs, outputs = (tuple(_quantity(item) for item in xml.children(one)) for one in lists)
    for one, name, found in ((lists[0], "NInputs", inputs), (lists[1], "NOutputs", outputs)):
        if xml.count(one, name) != len(found):
            xml.fail(one, f"{name}={one.get(name)}, but {len(found)} are there")
    if len(inputs) != len(outputs):
        xml.fail(selection, f"{len(inputs)} inputs cannot go to {len(outputs)} outputs")
    return Selection(inputs, outputs)


def _quantity(element: Element) -> Quantity:
    kind = xml.attribute(element, "Type")
    if kind not in QUANTITY_KINDS:
        xml.fail(element, f"Type={kind!r} is none of {', '.join(QUANTITY_KINDS)}")
    return Quantity(kind, xml.attribute(element, "Label"), xml.attribute(element, "Expression"))


def _parameters(element: Element) -> list[Element]:
    return [item for item in xml.children(element) if item.tag != "Selection"]


def _check_class_index(element: Element, position: int) -> None:
    if xml.integer(element, "ClassIndex") != position:
        xml.fail(element, f"ClassIndex={element.get('ClassIndex')!r} stands where {position} is due")


def _normalisation(element: Element, selection: Selection | None, n_inputs: int) -> Normalisation:
    sets = _parameters(element)
    if not sets:
        xml.fail(element, "the element <Class> with the ranges is missing in it")
    ranges = np.empty((2, len(sets), n_inputs), dtype=np.float32)
    for position, item in enumerate(sets):
        _check_class_index(item, position)
        found = _old_ranges(item) if selection is None else _ranges(item)
        if len(found) != n_inputs:
            xml.fail(item, f"{len(found)} ranges for {n_inputs} inputs")
        ranges[:, position, :] = np.array(found, dtype=np.float64).reshape(-1, 2).T
    offset = element.get("UseOffsetOrNot", "UseOffset")
    if offset not in ("UseOffset", "NoOffset"):
        xml.fail(element, f"UseOffsetOrNot={offset!r} is neither UseOffset nor NoOffset")
    return Normalisation(selection, ranges[0], ranges[1], offset == "UseOffset")


def _range(element: Element, index: str, position: int) -> tuple[float, float]:
    if xml.integer(element, index) != position:
        xml.fail(element, f"{index}={element.get(index)!r} stands where {position} is due")
    low, high = xml.number(element, "Min"), xml.number(element, "Max")
    if max(abs(low), abs(high)) > LARGEST_FLOAT32:
        xml.fail(element, f"the range from {low} to {high} is too large: TMVA holds ranges as 32-bit floats")
    return low, high


def _ranges(element: Element) -> list[tuple[float, float]]:
    ranges = xml.child(element, "Ranges")
    return [_range(item, "Index", position) for position, item in enumerate(xml.children(ranges))]


def _old_ranges(element: Element) -> list[tuple[float, float]]:
    variables = [_range(v, "VarIndex", i) for i, v in enumerate(xml.children(xml.child(element, "Variables")))]
    targets = xml.optional_child(element, "Targets")
    if targets is None:
        return variables
    return variables + [_range(t, "TargetIndex", i) for i, t in enumerate(xml.children(targets))]


def _with_use(sets: Iterable[Element]) -> list[tuple[Element, bool]]:
    """Return the sets of parameters, each with whether it is used: only the last is, that of all classes."""
    listed = list(sets)
    return [(item, item is listed[-1]) for item in listed]


def _matrix(element: Element, rows: str, columns: str, n_inputs: int, *, is_used: bool) -> NDArray[np.float64]:
    shape = xml.count(element, rows), xml.count(element, columns)
    if shape != (n_inputs, n_inputs):
        xml.fail(element, f"the matrix is {shape[0]} x {shape[1]}; {n_inputs} inputs need {n_inputs} x {n_inputs}")
    return xml.readable_numbers(element, n_inputs * n_inputs, "matrix elements", is_used=is_used).reshape(shape)


def _decorrelation(element: Element, selection: Selection | None, n_inputs: int) -> Decorrelation:
    matrices = tuple(
        _matrix(item, "Rows", "Columns", n_inputs, is_used=is_used) for item, is_used in _with_use(_parameters(element))
    )
    if not matrices:
        xml.fail(element, "the element <Matrix> is missing in it")
    return Decorrelation(selection, matrices)


def _principal_components(element: Element, selection: Selection | None, n_inputs: int) -> PrincipalComponents:
    means: list[NDArray[np.float64]] = []
    eigenvectors: list[NDArray[np.float64]] = []
    for item, is_used in _with_use(element.iterfind("Statistics")):
        _check_class_index(item, len(means))
        if xml.count(item, "NRows") != n_inputs:
            xml.fail(item, f"NRows={item.get('NRows')}, but there are {n_inputs} inputs")
        means.append(xml.readable_numbers(item, n_inputs, "means", is_used=is_used))
    for item, is_used in _with_use(element.iterfind("Eigenvectors")):
        _check_class_index(item, len(eigenvectors))
        eigenvectors.append(_matrix(item, "NRows", "NCols", n_inputs, is_used=is_used))
    if not means or len(means) != len(eigenvectors):
        xml.fail(element, f"{len(means)} <Statistics> and {len(eigenvectors)} <Eigenvectors> do not make pairs")
    return PrincipalComponents(selection, tuple(means), tuple(eigenvectors))


def _gaussianisation(element: Element, selection: Selection | None, n_inputs: int) -> Gaussianisation:
    variables = _parameters(element)
    if len(variables) != n_inputs:
        xml.fail(element, f"{len(variables)} <Variable> elements for {n_inputs} inputs")
    cumulatives = []
    for position, variable in enumerate(variables):
        if xml.integer(variable, "VarIndex") != position:
            xml.fail(variable, f"VarIndex={variable.get('VarIndex')!r} stands where {position} is due")
        sets = list(xml.children(variable))
        if not sets:
            xml.fail(variable, "the cumulative PDFs of the classes are missing in it")
        cumulatives.append(
            tuple(read_pdf(xml.child(item, "PDF"), np.float32, is_used=is_used) for item, is_used in _with_use(sets))
        )
    if len({len(sets) for sets in cumulatives}) > 1:
        xml.fail(element, "the variables have different numbers of classes")
    flat = element.get("FlatOrGauss") == "Flat" or element.get("Name") == "Uniform"
    return Gaussianisation(selection, tuple(cumulatives), flat)


def _rearrangement(element: Element, selection: Selection | None, _n_inputs: int) -> Rearrangement:
    if selection is None:
        xml.fail(element, "the element <Selection> is missing in it")
    return Rearrangement(selection)


_READERS: Mapping[str, Callable[[Element, Selection | None, int], Step]] = {
    "Normalize": _normalisation,
    "Decorrelation": _decorrelation,
    "PCA": _principal_components,
    "Gauss": _gaussianisation,
    "Uniform": _gaussianisation,
    "Rearrange": _rearrangement,
}


def read_pdf(element: Element, dtype: type[np.floating] = np.float64, *, is_used: bool = True) -> PDFRecord:
    """Read one <PDF>: settings and the original histogram, contents as ``dtype``."""
    if element.tag != "PDF":
        xml.fail(element, "an element <PDF> is due here")
    parts = list(xml.children(element))
    if not parts or parts[0].tag != "Histogram":
        xml.fail(element, "the element <Histogram> is missing in it")
    histogram = parts[0]
    n_bins = xml.count(histogram, "NBins")
    if n_bins < 1:
        xml.fail(histogram, "a histogram has at least one bin")
    edges = None
    if xml.integer(histogram, "HasEquidistantBins") == 0:
        if len(parts) < 2 or xml.count(parts[1], "NBins") != n_bins:
            xml.fail(element, f"an element <HistogramBinning> with NBins={n_bins} is due")
        edges = xml.readable_numbers(parts[1], n_bins + 1, "bin edges", is_used=is_used)
    x_min, x_max = xml.number(histogram, "XMin"), xml.number(histogram, "XMax")
    with np.errstate(over="ignore"):
        contents = xml.readable_numbers(histogram, n_bins, "bin contents", is_used=is_used).astype(dtype)
    record = PDFRecord(
        name=element.get("Name", ""),
        min_n_smooth=xml.integer(element, "MinNSmooth"),
        max_n_smooth=xml.integer(element, "MaxNSmooth"),
        interpolation=xml.integer(element, "InterpolMethod"),
        kde_type=xml.integer(element, "KDE_type"),
        kde_iter=xml.integer(element, "KDE_iter"),
        kde_border=xml.integer(element, "KDE_border"),
        kde_fine_factor=xml.number(element, "KDE_finefactor"),
        histogram=Histogram(xml.attribute(histogram, "Name"), contents, x_min, x_max, edges),
    )
    problem = problem_of(record)
    if problem is not None:
        xml.fail(element, problem)
    return record
