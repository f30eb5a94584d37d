"""The output file of a cross-validation: all events, with the responses of the folds that have not seen them.

TMVA: a method of the kind CrossValidation stands for the folds; its training and test events are the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.dataset.dataset import DataSet
from pytmva_bnn.factory.cross_validation_result import CrossValidationResult
from pytmva_bnn.factory.evaluation_run import Responses, evaluate_responses
from pytmva_bnn.factory.sampled import chosen
from pytmva_bnn.output import DataSetOutput, MethodOutput
from pytmva_bnn.tmva_types import AnalysisType


def cross_validation_output(
    dataset: DataSet,
    folds: Sequence[NDArray[np.intp]],
    results: Sequence[CrossValidationResult],
    analysis: AnalysisType,
    transformations: str,
) -> DataSetOutput:
    """Return what the output file holds; the events are those of the folds, one fold after the other."""
    order = np.concatenate(folds)
    events = chosen(dataset.training, order)
    joined = replace(dataset, training=events, test=events)
    methods = [_method(result, result.responses[order], joined, analysis) for result in results]
    return DataSetOutput(joined, methods, analysis, transformations)


def _method(
    result: CrossValidationResult, responses: NDArray[np.float64], dataset: DataSet, analysis: AnalysisType
) -> MethodOutput:
    stored = responses.astype(np.float32)
    # of cuts, which have working points in place of responses, there is nothing to evaluate
    evaluation = None
    if np.ptp(responses) > 0:
        evaluation = evaluate_responses(result.title, analysis, Responses(responses, responses, responses), dataset)
    return MethodOutput(
        result.title,
        str(result.weight_file),
        str(Path.cwd()),
        "",
        "CrossValidation",
        result=evaluation,
        test_variables=dataset.test.variables,
        test_targets=dataset.test.targets,
        training_responses=stored,
        test_responses=stored,
    )
