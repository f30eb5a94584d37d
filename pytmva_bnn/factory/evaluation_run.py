"""The responses of a trained method on both samples, and their evaluation."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import Float32Array
from pytmva_bnn.dataset.dataset import DataSet, EventSet
from pytmva_bnn.evaluation import (
    BinaryResult,
    BinarySample,
    MulticlassResult,
    MulticlassSample,
    Ranking,
    RegressionResult,
    RegressionSample,
    evaluate_binary,
    evaluate_multiclass,
    evaluate_regression,
    separation_ranking,
    target_rankings,
)
from pytmva_bnn.factory.training_run import Trained
from pytmva_bnn.histograms import PDF
from pytmva_bnn.methods import MethodEvents
from pytmva_bnn.methods.answers import WorkingPoints
from pytmva_bnn.model import Model
from pytmva_bnn.options.transformations import split_transformations
from pytmva_bnn.output import transformed_training_events
from pytmva_bnn.tmva_types import AnalysisType

Result: TypeAlias = BinaryResult | RegressionResult | MulticlassResult


@dataclass(frozen=True, eq=False)
class Responses:
    """Responses of the training and test events as they are computed, ``(n_events, n_responses)``.

    ``as_trained`` are those of the training events by the method in memory, the others those of the weight file.
    """

    as_trained: NDArray[Any]
    training_reread: NDArray[Any]
    test_reread: NDArray[Any]

    @property
    def training(self) -> Float32Array:
        """Return the responses that TMVA stores for the training events."""
        return self.as_trained.astype(np.float32, copy=False)

    @property
    def test(self) -> Float32Array:
        """Return the responses that TMVA stores for the test events."""
        return self.test_reread.astype(np.float32, copy=False)


def respond(model: Model, trained: Trained, dataset: DataSet, seen: NDArray[np.intp] | None = None) -> Responses:
    """Evaluate the network on the data set, whose training events are those ``seen`` of the ones it was trained on."""
    inputs = trained.training.inputs
    return Responses(
        as_trained=_training_responses(model, trained, inputs if seen is None else inputs[seen]),
        training_reread=responses_in(dataset, dataset.training, model),
        test_reread=responses_in(dataset, dataset.test, model),
    )


def responses_in(dataset: DataSet, events: EventSet, model: Model) -> NDArray[Any]:
    """Return the responses ``(n_events, n_responses)`` to events of the data set."""
    columns = model.fitted.spectators_among(dataset.spectators)
    if model.method.takes_spectators:
        # it may know more of the data set's spectators than a weight file has
        file = replace(model.file, spectators=tuple(dataset.spectators[column] for column in columns))
        model = Model(file, model.fitted, name=model.name, compiled=model.compiled)
    spectators = events.spectators[:, columns] if model.transformations.needs_spectators else None
    # TMVA: no signal efficiency is set here, so that the responses of cuts are 0
    found = model.at_efficiency(0.0).predict(events.variables, spectators=spectators)
    return found[:, np.newaxis] if found.ndim == 1 else found


def _training_responses(model: Model, trained: Trained, inputs: Float32Array) -> NDArray[Any]:
    outputs = trained.fitted.respond(inputs)
    if model.analysis_type == AnalysisType.CLASSIFICATION:
        return outputs
    outputs = outputs.astype(np.float32)
    if model.analysis_type == AnalysisType.MULTICLASS:
        return trained.fitted.multiclass(outputs)
    return (
        trained.chain.training_chain().inverse_targets(outputs) if trained.fitted.targets_are_transformed else outputs
    )


def evaluate(title: str, model: Model, responses: Responses, dataset: DataSet) -> Result:
    """Compute all numbers and histograms of TMVA's evaluation."""
    points = None
    if model.has_working_points:
        points = _points(model, dataset, dataset.training), _points(model, dataset, dataset.test)
    return evaluate_responses(title, model.analysis_type, responses, dataset, model.response_pdfs, points)


def evaluate_responses(
    title: str,
    analysis: AnalysisType,
    responses: Responses,
    dataset: DataSet,
    pdfs: tuple[PDF, PDF] | None = None,
    points: tuple[WorkingPoints, WorkingPoints] | None = None,
) -> Result:
    """Do the same for responses from anywhere; ``pdfs`` are their densities, ``points`` what takes their place."""
    train, test = dataset.training, dataset.test
    if analysis == AnalysisType.REGRESSION:
        return evaluate_regression(
            RegressionSample(responses.training_reread, train.targets, train.weights, train.variables),
            RegressionSample(responses.test, test.targets, test.weights, test.variables),
            title=title,
            train_stored=responses.training,
            limits=[[(one.minimum, one.maximum) for one in kind] for kind in (dataset.variables, dataset.targets)],
        )
    if analysis == AnalysisType.MULTICLASS:
        return evaluate_multiclass(
            MulticlassSample(responses.training, train.weights, train.class_index),
            MulticlassSample(responses.test, test.weights, test.class_index),
            dataset.class_names,
            title=title,
        )
    signal = dataset.signal_class
    return evaluate_binary(
        BinarySample(
            responses.training[:, 0], train.weights, train.of_class(signal), reread=responses.training_reread[:, 0]
        ),
        BinarySample(responses.test[:, 0], test.weights, test.of_class(signal), reread=responses.test_reread[:, 0]),
        title=title,
        pdfs=pdfs,
        points=points,
    )


def _points(model: Model, dataset: DataSet, events: EventSet) -> WorkingPoints:
    # the cuts of a Category are spectators of the data set that other methods do not have
    spectators = events.spectators[:, model.fitted.spectators_among(dataset.spectators)]
    inputs = model.transformations.forward(events.variables, spectators)
    return model.fitted.working_points(
        MethodEvents(inputs, events.targets, events.class_index, events.weights, dataset.signal_class)
    )


def input_rankings(dataset: DataSet, transformations: str) -> tuple[Ranking, ...] | None:
    """Rank the input variables by their training events, after the chain of the Factory's option that begins with I.

    There is nothing to rank by with other classes than Signal and Background, and None without such a chain.
    """
    # TMVA: the last of several
    chain = next((one for one in reversed(split_transformations(transformations)) if one.startswith("I")), None)
    if chain is None:
        return None
    events = dataset.training
    ((_, variables, targets),) = transformed_training_events(dataset, chain)
    if len(dataset.targets) == 1:
        return target_rankings(variables, targets[:, 0], events.weights, [one.label for one in dataset.variables])
    if not dataset.is_binary:
        return ()
    return (
        separation_ranking(
            variables,
            events.weights,
            (events.class_index != dataset.signal_class).astype(np.intp),
            [one.title for one in dataset.variables],
            [one.type.startswith("I") for one in dataset.variables],
        ),
    )
