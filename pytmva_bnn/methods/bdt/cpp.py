"""The forest in C++: its nodes as one table, the way through them, and what becomes of the answers of the trees."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from string import Template
from typing import TYPE_CHECKING

import numpy as np

from pytmva_bnn.cpp import literals
from pytmva_bnn.cpp.part import Part
from pytmva_bnn.methods.bdt import cpp_text
from pytmva_bnn.methods.bdt.preselection import Preselection
from pytmva_bnn.reductions.summation import sequential_sum
from pytmva_bnn.tmva_types import AnalysisType
from pytmva_bnn.weights import WeightFile

if TYPE_CHECKING:
    from pytmva_bnn.methods.bdt.fitted import FittedBDT

_ROW = literals.INDENT * 2
_COMBINATIONS = {
    "mean": ("WeightedMean", (cpp_text.WEIGHTED_MEAN,)),
    "logistic": ("Logistic", (cpp_text.SUM, cpp_text.LOGISTIC)),
    "sum": ("ShiftedSum", (cpp_text.SUM, cpp_text.SHIFTED_SUM)),
    "median": ("MeanAroundMedian", (cpp_text.MEAN_AROUND_MEDIAN,)),
}


def class_part(fitted: FittedBDT, head: WeightFile) -> Part:
    """Return all that the forest contributes to a C++ class."""
    part = _forest(fitted, len(head.variables))
    if fitted.analysis == AnalysisType.MULTICLASS:
        return part + _multiclass(fitted.n_classes)
    if fitted.analysis == AnalysisType.CLASSIFICATION:
        return part + _response(fitted, cpp_text.GET_MVA_VALUE, "The response, from background to signal.")
    # TMVA: EvaluateMVA of a regression file combines the trees as in classification
    as_classifier = replace(fitted, analysis=AnalysisType.CLASSIFICATION)
    meaning = "What EvaluateMVA of TMVA's Reader gives, which is not the target; see GetRegressionValues."
    part += _response(as_classifier, cpp_text.GET_MVA_VALUE, meaning)
    return part + _response(fitted, cpp_text.GET_REGRESSION_VALUES, "")


def _response(fitted: FittedBDT, method: Template, meaning: str) -> Part:
    """Return how the answers of the trees become a response, and the public method that returns it."""
    name, functions = _COMBINATIONS[fitted.combination]
    constants: list[str] = []
    if fitted.combination in ("mean", "median"):
        total = float(sequential_sum(fitted.tree_weights))
        constants = [literals.doubles("kTreeWeights", fitted.tree_weights), _constant("kSumOfWeights", total)]
    elif fitted.combination == "sum":
        constants = [_constant("kOffset", float(fitted.tree_weights[0]))]
    if fitted.active_preselection is not None:
        constants.append(_preselection(fitted.active_preselection))
        functions = (*functions, cpp_text.PRESELECTED.substitute(response=name))
        name = "Preselected"
    text = method.substitute(meaning=meaning, response=name, element="")
    return Part((text,), functions, tuple(constants))


def _multiclass(n_classes: int) -> Part:
    meaning = "The probability of the first class; see GetMulticlassValues."
    methods = (
        cpp_text.GET_MULTICLASS_VALUES.substitute(n_classes=n_classes),
        cpp_text.GET_MVA_VALUE.substitute(meaning=meaning, response="Probabilities", element="[0]"),
    )
    return Part(methods, (cpp_text.SUM, cpp_text.PROBABILITIES.substitute(n_classes=n_classes)))


def _forest(fitted: FittedBDT, n_variables: int) -> Part:
    """Return the table of nodes, and the functions that follow it."""
    forest = fitted.forest
    is_linear = forest.fisher_row >= 0
    passes = cpp_text.PASSES_WITH_FISHER if is_linear.any() else cpp_text.PASSES
    constants = [
        f"   static constexpr std::size_t kTrees = {forest.n_trees};",
        literals.array("int", "kFirstNodes", map(str, forest.starts[:-1].tolist())),
        _nodes(fitted, n_variables),
    ]
    if is_linear.any():
        constants.append(literals.matrix("kCoefficients", forest.coefficients))
    return Part((), (cpp_text.NODE, cpp_text.ARE_NUMBERS, passes, cpp_text.ANSWER), tuple(constants))


def _nodes(fitted: FittedBDT, n_variables: int) -> str:
    forest = fitted.forest
    lines: list[str] = []
    rows = list(_rows(fitted, n_variables))
    starts = forest.starts.tolist()
    for tree, (first, end) in enumerate(pairwise(starts)):
        lines += [f"{_ROW}// tree {tree}", literals.wrapped(rows[first:end], _ROW) + ","]
    table = "\n".join(lines)
    return f"   static constexpr Node kNodes[{forest.n_nodes}] = {{\n{table}\n   }};"


def _rows(fitted: FittedBDT, n_variables: int) -> Iterator[str]:
    """Yield the nodes as ``{cut, jump, variable}``, leaves as ``{answer, 0, 0}``."""
    forest = fitted.forest
    is_inner = forest.right_node >= 0
    jump = np.where(is_inner, forest.right_node - np.arange(forest.n_nodes), 0)
    jump[forest.cut_type == 0] *= -1
    variable = np.where(forest.fisher_row >= 0, n_variables + forest.fisher_row, forest.variable)
    # answers of leaves are float32 as cuts are: types, purities or responses
    numbers = np.where(is_inner, forest.cut, fitted.leaf_answers.astype(np.float32))
    columns = (numbers, jump.tolist(), np.where(is_inner, variable, 0).tolist())
    return (f"{{{_shortest(number)}, {step}, {index}}}" for number, step, index in zip(*columns, strict=True))


def _shortest(value: np.float32) -> str:
    """Return a float32 with as many digits as determine it."""
    return f"{value!s}f" if np.isfinite(value) else literals.single(float(value))


def _preselection(preselection: Preselection) -> str:
    rows = [
        f"{{{variable}, {'true' if is_upper else 'false'}, {literals.double(cut)}, {answer}}}"
        for variable, is_upper, cut, answer in preselection.applied()
    ]
    return literals.array("PreselectionCut", "kPreselection", rows)


def _constant(name: str, value: float) -> str:
    return f"   static constexpr double {name} = {literals.double(value)};"
