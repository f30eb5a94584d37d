"""What is shown of methods trained in a Factory, or of the model of a weight file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from pytmva_bnn.dataset.dataset import DataSet
from pytmva_bnn.errors import InputError
from pytmva_bnn.evaluation import (
    BinaryResult,
    PairPlots,
    RegressionResult,
    final_tables,
    pair_plots,
)
from pytmva_bnn.evaluation.working_points import WorkingPointResult
from pytmva_bnn.factory import Factory, MethodBase
from pytmva_bnn.model import Model
from pytmva_bnn.output.chains import transformed_training_events
from pytmva_bnn.output.variable_plots import correlation_matrices
from pytmva_bnn.show.plots.content import (
    Calibrated,
    ClassCount,
    Content,
    Events,
    Facts,
    InputContent,
    Matrix,
    MethodContent,
    described,
    evaluated,
    training_facts,
)
from pytmva_bnn.show.plots.deviations import deviation_plots
from pytmva_bnn.show.plots.from_weights import model_content
from pytmva_bnn.show.plots.inputs import Pair, distributions_of
from pytmva_bnn.show.plots.labels import axis_label
from pytmva_bnn.show.plots.responses import densities_of
from pytmva_bnn.tmva_types import AnalysisType

Trained = Factory | MethodBase | Iterable[MethodBase] | Model
"""A Factory, a method of it, or several; or the model of a weight file."""


def trained_methods(given: Factory | MethodBase | Iterable[MethodBase]) -> list[MethodBase]:
    """Return the trained methods of a Factory, or those given; InputError if there are none."""
    methods = given.methods if isinstance(given, Factory) else given if isinstance(given, Iterable) else [given]
    trained = [method for method in methods if method.is_trained]
    if not trained:
        raise InputError("there is no trained method to plot: call TrainAllMethods first")
    return trained


def contents_of(given: Trained) -> list[Content]:
    """Return the content of trained methods, data set by data set; methods are evaluated if need be."""
    if isinstance(given, Model):
        return [model_content(given)]
    chains = given.options.string("Transformations") if isinstance(given, Factory) else "I"
    methods = trained_methods(given)
    names = list(dict.fromkeys(method.dataset.name for method in methods))
    return [_content([m for m in methods if m.dataset.name == name], chains) for name in names]


def _content(methods: Sequence[MethodBase], chains: str) -> Content:
    dataset, analysis = methods[0].dataset, methods[0].analysis_type
    outputs: dict[AnalysisType, tuple[str, ...]] = {
        AnalysisType.CLASSIFICATION: (),
        AnalysisType.REGRESSION: tuple(target.title for target in dataset.targets),
        AnalysisType.MULTICLASS: dataset.class_names,
    }
    matrices = [
        Matrix(
            one.name,
            one.title.removeprefix("Correlation Matrix").strip(" ()"),
            one.histogram.values.astype(np.float64) / 100.0,
            one.labels,
        )
        for one in correlation_matrices(dataset, analysis)
    ]
    return Content(
        dataset.name,
        analysis,
        events_of(dataset, analysis),
        tuple(variable.title for variable in dataset.variables),
        outputs[analysis],
        list(_inputs(dataset, chains)),
        matrices,
        [method_content(method) for method in methods],
        final_tables(dataset.name, [method.evaluate() for method in methods]),
    )


# ---- events -------------------------------------------------------------------------------------------------


def events_of(dataset: DataSet, analysis: str = "") -> Events:
    """Return classes, variables, targets and spectators of a data set."""
    facts = [("Name", dataset.name), ("Analysis", analysis), ("Seed of the split", dataset.seed)]
    counts = []
    for number, name in enumerate(dataset.class_names):
        training, test = (
            (int(np.count_nonzero(events.of_class(number))), float(events.weights[events.of_class(number)].sum()))
            for events in (dataset.training, dataset.test)
        )
        counts.append(ClassCount(name, training, test))
    records = {"Variable": dataset.variables, "Target": dataset.targets, "Spectator": dataset.spectators}
    return Events([fact for fact in facts if fact[1] != ""], counts, records)


def _inputs(dataset: DataSet, chains: str) -> Iterator[InputContent]:
    training = dataset.training
    for chain, variables, targets in transformed_training_events(dataset, chains):
        pairs: dict[str, list[Pair]] = {}
        for plot in pair_plots(
            variables, training.weights, training.class_index, len(dataset.class_names), len(dataset.targets)
        ):
            pairs.setdefault(dataset.variables[plot.i].internal, []).append(_pair(dataset, chain, plot))
        yield InputContent(chain, distributions_of(dataset, chain, variables, targets), pairs)


def _pair(dataset: DataSet, chain: str, plot: PairPlots) -> Pair:
    p = plot.profile
    n = p.bin_entries[1:-1]
    squares = n if p.weight_squares is None else p.weight_squares[1:-1]
    with np.errstate(all="ignore"):
        spread = np.sqrt(np.clip(p.squares[1:-1] / n - p.means**2, 0.0, None))
        errors = np.nan_to_num(spread / np.sqrt(n * n / squares))
    return Pair(
        axis_label(dataset.variables[plot.i], chain),
        axis_label(dataset.variables[plot.j], chain),
        dataset.class_names[plot.class_index],
        plot.scatter,
        p.axis.centres,
        p.means,
        errors,
    )


# ---- methods ------------------------------------------------------------------------------------------------


def booked_content(method: MethodBase) -> MethodContent:
    """Return what is known without an evaluation: options, and how the training went."""
    fitted = method.model.fitted
    facts: Facts = [("Options", method.option_string)]
    if method.weight_file is not None:
        facts = [*facts, ("Weight file", method.weight_file)]
    return MethodContent(
        method.title,
        [
            ("Type", method.GetMethodTypeName()),
            *described(fitted),
            *training_facts(method.result),
            ("Time", f"{method.GetTrainTime():.2f} s"),
        ],
        facts,
        [variable.label for variable in method.dataset.variables],
        [(record.name, record.value) for record in method.booked.records()],
        method.ranking if method.analysis_type != AnalysisType.REGRESSION else None,
        fitted,
        method.result,
    )


def method_content(method: MethodBase) -> MethodContent:
    """Return all that is known of a trained method; it is evaluated if need be."""
    result, dataset = method.evaluate(), method.dataset
    x = dataset.training.variables
    known = {
        **vars(booked_content(method)),
        **evaluated(result),
        "model": method.model,
        "centre": {v.label: float(np.median(x[:, i])) for i, v in enumerate(dataset.variables)},
        "events": x,
    }
    if isinstance(result, BinaryResult) and not isinstance(result, WorkingPointResult):
        test, responses = method.evaluated_dataset.test, method.respond().test[:, 0]
        signal, events = test.of_class(dataset.signal_class), np.column_stack([responses, test.variables])
        known |= {
            "densities": densities_of(method.model),
            **_calibrated(method, responses, signal),
            "is_probability": getattr(method.model.fitted, "is_probability", False),
            "parallel": {"Signal": events[signal], "Background": events[~signal]},
            "columns": (method.title, *(variable.title for variable in dataset.variables)),
        }
    elif isinstance(result, RegressionResult):
        known["deviations"] = {
            (against, sample): deviation_plots(
                result, dataset.variables, dataset.targets, against=against, sample=sample
            )
            for against in ("targets", "variables")
            for sample in ("test", "training")
        }
    return MethodContent(**known)


def _calibrated(method: MethodBase, responses: Any, signal: Any) -> dict[str, Calibrated]:
    """Return the responses of test and training events, if they can be probabilities."""
    if not np.all((responses >= 0) & (responses <= 1)):
        return {}
    train, test = method.dataset.training, method.evaluated_dataset.test
    total = float(train.weights.sum())
    share = float(train.weights[train.of_class(method.dataset.signal_class)].sum()) / total if total > 0 else 0.0
    errors = None
    if method.model.has_errors and not method.model.transformations.needs_spectators:
        found = method.model.predict(test.variables, errors=True)
        errors = (found.lower, found.upper)
    made = {"calibrated": Calibrated(responses, signal, test.weights, errors, share if 0 < share < 1 else None)}
    seen, trained = method.evaluated_dataset.training, method.respond().training[:, 0]
    if np.all((trained >= 0) & (trained <= 1)):
        of_signal = seen.of_class(method.dataset.signal_class)
        made["training_calibrated"] = Calibrated(trained, of_signal, seen.weights, in_training=True)
    return made
