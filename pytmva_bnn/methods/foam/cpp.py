"""Foams in C++: their cells as tables, and the way from an event to the response.

TMVA: writes a class that does not compile.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from pytmva_bnn.cpp import literals
from pytmva_bnn.cpp.methods import EVENT, regression_values
from pytmva_bnn.cpp.part import Part
from pytmva_bnn.methods.foam import cpp_text
from pytmva_bnn.methods.foam.evaluation import CellValue, FoamEvaluation
from pytmva_bnn.methods.foam.tree import FoamKind
from pytmva_bnn.tmva_types import AnalysisType
from pytmva_bnn.weights import WeightFile

if TYPE_CHECKING:
    from pytmva_bnn.methods.foam.fitted import FittedPDEFoam

_MEANINGS = {
    AnalysisType.CLASSIFICATION: "The response, from 0 (background) to 1 (signal), or -1 and 1.",
    AnalysisType.REGRESSION: "The first target, not transformed back; see GetRegressionValues.",
    AnalysisType.MULTICLASS: "The value of the first class; see GetMulticlassValues.",
}


def class_part(fitted: FittedPDEFoam, head: WeightFile) -> Part:
    """Return all that the foams contribute to a C++ class."""
    is_multi_target = fitted.foams[0].kind is FoamKind.MULTI_TARGET
    functions = [cpp_text.IS_FINITE, *_constants(fitted), cpp_text.CELL]
    # tables stand before the functions that use their sizes
    functions += [_table(number, evaluation) for number, evaluation in enumerate(fitted.evaluations)]
    functions.append(cpp_text.FIND_CELL)
    functions += [_multi_target(fitted)] if is_multi_target else [cpp_text.NEIGHBOUR, _evaluated(fitted)]
    if not is_multi_target:
        functions.append(_outputs(fitted))
    methods = [cpp_text.GET_MVA_VALUE.substitute(meaning=_MEANINGS[head.analysis_type])]
    if fitted.has_errors:
        methods.append(cpp_text.GET_MVA_ERRORS)
        body = cpp_text.RATIO_ERROR if fitted.is_separate else cpp_text.ERROR
        functions.append(cpp_text.ERROR_OF.substitute(body=body))
    n = fitted.n_outputs
    if head.analysis_type == AnalysisType.REGRESSION:
        unknown = f"   return std::vector<double>({n}, std::numeric_limits<double>::quiet_NaN());"
        methods.append(regression_values(n, "Outputs(event)", EVENT, "if (!IsFinite(event))", unknown))
    elif head.analysis_type == AnalysisType.MULTICLASS:
        methods.append(cpp_text.GET_MULTICLASS_VALUES.substitute(n_outputs=n))
    return Part(tuple(methods), tuple(functions))


def _constants(fitted: FittedPDEFoam) -> Iterator[str]:
    foam, evaluation = fitted.foams[0], fitted.evaluations[0]
    indent = literals.INDENT
    yield f"{indent}static constexpr std::size_t kDimensions = {foam.n_dimensions};"
    marks = "true" if foam.kind is FoamKind.TARGET else "false"
    yield f"{indent}static constexpr bool kMarksEmptyCells = {marks};"
    yield f"{indent}static constexpr double kSigma = {literals.double(evaluation.sigma)};"
    yield literals.doubles("kLower", foam.x_min)
    yield literals.doubles("kUpper", foam.x_max)


def _table(number: int, evaluation: FoamEvaluation) -> str:
    foam = evaluation.foam
    quantities = [evaluation.of_cells(what) for what in (CellValue.VALUE, CellValue.ERROR, CellValue.DENSITY)]
    thresholds = np.where(foam.is_active, np.float32(0.0), evaluation.by_coordinates.thresholds)
    rows = []
    for cell in range(foam.n_cells):
        links = (foam.first[cell], foam.second[cell], foam.dimension[cell])
        singles = (literals.single(one[cell]) for one in (thresholds, *quantities))
        boxes = (", ".join(map(literals.double, one[cell])) for one in (foam.positions, foam.sizes))
        rows.append(f"      {{{', '.join([*map(str, links), *singles])}, {', '.join(f'{{{one}}}' for one in boxes)}}}")
    joined = ",\n".join(rows)
    return f"   // {foam.name}\n   static constexpr Cell kFoam{number}[{foam.n_cells}] = {{\n{joined}\n   }};"


def _evaluated(fitted: FittedPDEFoam) -> str:
    return cpp_text.EVALUATED[fitted.kernel]


def _outputs(fitted: FittedPDEFoam) -> str:
    if fitted.is_separate:
        ratio = "ratio < 0.5 ? -1.0 : 1.0" if fitted.is_yes_no else "ratio"
        body, kind = cpp_text.RATIO.replace("$ratio", ratio), "double"
    else:
        values = [f"Evaluated(kFoam{number}, event, &Cell::value)" for number in range(len(fitted.foams))]
        if fitted.is_yes_no:
            values = [f"{values[0]} < 0.5f ? -1.0f : 1.0f"]
        body, kind = f"      return {{{', '.join(values)}}};", "float"
    return cpp_text.OUTPUTS.substitute(type=kind, n_outputs=fitted.n_outputs, body=body)


def _multi_target(fitted: FittedPDEFoam) -> str:
    is_mpv = fitted.is_most_probable
    return cpp_text.MULTI_TARGET.substitute(
        n_outputs=fitted.n_outputs,
        visit=cpp_text.VISIT_MPV if is_mpv else cpp_text.VISIT_MEAN,
        finish="" if is_mpv else cpp_text.FINISH_MEAN,
    )
