"""The contents of plots from methods trained in a Factory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from pytmva_bnn.dataset.dataset import DataSet
from pytmva_bnn.errors import InputError
from pytmva_bnn.evaluation import BinaryResult, MulticlassResult, RegressionResult, pair_plots
from pytmva_bnn.evaluation.input_histograms import PairPlots
from pytmva_bnn.factory import Factory, MethodMLP
from pytmva_bnn.output.chains import transformed_training_events
from pytmva_bnn.output.variable_plots import correlation_matrices
from pytmva_bnn.show.plots.content import Calibrated, Content, InputContent, Matrix, MethodContent
from pytmva_bnn.show.plots.correlations import Pair
from pytmva_bnn.show.plots.densities import densities_of
from pytmva_bnn.show.plots.deviations import deviation_plots, squares_of
from pytmva_bnn.show.plots.inputs import distributions_of
from pytmva_bnn.show.plots.labels import axis_label
from pytmva_bnn.tmva_types import AnalysisType


def trained_methods(given: Factory | MethodMLP | Iterable[MethodMLP]) -> list[MethodMLP]:
    """Return the trained methods of a Factory, or those given; InputError if there are none."""
    if isinstance(given, Factory):
        found = list(given.methods)
    else:
        found = [given] if isinstance(given, MethodMLP) else list(given)
    trained = [method for method in found if method.is_trained]
    if not trained:
        raise InputError("there is no trained method to plot: call TrainAllMethods first")
    return trained


def contents_of(given: Factory | MethodMLP | Iterable[MethodMLP]) -> list[Content]:
    """Return what the plots of trained methods need, data set by data set; methods are evaluated if need be."""
    methods = trained_methods(given)
    chains = given.options.string("Transformations") if isinstance(given, Factory) else "I"
    names = list(dict.fromkeys(method.dataset.name for method in methods))
    return [_content([m for m in methods if m.dataset.name == name], chains) for name in names]


def _content(methods: Sequence[MethodMLP], chains: str) -> Content:
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
        tuple(variable.title for variable in dataset.variables),
        outputs[analysis],
        list(_inputs(dataset, chains)),
        matrices,
        [_method(method) for method in methods],
    )


def _inputs(dataset: DataSet, chains: str) -> Iterator[InputContent]:
    for chain, variables, targets in transformed_training_events(dataset, chains):
        made = pair_plots(
            variables,
            dataset.training.weights,
            dataset.training.class_index,
            len(dataset.class_names),
            len(dataset.targets),
        )
        pairs: dict[str, list[Pair]] = {}
        for plot in made:
            pairs.setdefault(dataset.variables[plot.i].internal, []).append(_pair(dataset, chain, plot))
        yield InputContent(chain, distributions_of(dataset, chain, variables, targets), pairs)


def _pair(dataset: DataSet, chain: str, plot: PairPlots) -> Pair:
    p = plot.profile
    n = p.bin_entries[1:-1]
    squares = n if p.weight_squares is None else p.weight_squares[1:-1]
    with np.errstate(all="ignore"):
        spread = np.sqrt(np.clip(p.squares[1:-1] / n - p.means**2, 0.0, None))
        errors = np.nan_to_num(spread / np.sqrt(n * n / squares))
    width = (p.x_max - p.x_min) / len(n)
    return Pair(
        axis_label(dataset.variables[plot.i], chain),
        axis_label(dataset.variables[plot.j], chain),
        dataset.class_names[plot.class_index],
        plot.scatter,
        np.asarray(p.x_min + (np.arange(len(n)) + 0.5) * width, dtype=np.float64),
        p.means,
        errors,
    )


def _method(method: MethodMLP) -> MethodContent:
    result = method.evaluate()
    x = method.dataset.training.variables
    common: dict[str, Any] = {
        "events": x,
        "title": method.title,
        "history": method.result.history if len(method.result.history.epochs) else None,
        "matrices": method.trained.network.matrices,
        "evidence": method.result.evidence,
        "model": method.model,
        "centre": {v.label: float(np.median(x[:, i])) for i, v in enumerate(method.dataset.variables)},
    }
    match result:
        case BinaryResult():
            return MethodContent(**common, **_binary(method, result))
        case RegressionResult():
            return MethodContent(**common, **_regression(method, result))
        case MulticlassResult():
            return MethodContent(**common, **_multiclass(result))


def _binary(method: MethodMLP, result: BinaryResult) -> dict[str, Any]:
    dataset, test = method.dataset, method.evaluated_dataset.test
    responses = method.respond().test[:, 0]
    signal = test.of_class(dataset.signal_class)
    p = result.probabilities
    events = np.column_stack([responses, test.variables])
    return {
        "response": {"Signal": result.responses.signal, "Background": result.responses.background},
        "training_response": {
            "Signal": result.training.response_signal,
            "Background": result.training.response_background,
        },
        "probability": {} if p is None else {"Signal": p.signal, "Background": p.background},
        "rarity": {} if p is None else {"Signal": p.rarity_signal, "Background": p.rarity_background},
        "densities": densities_of(method.model),
        "efficiencies": (result.test.signal, result.test.background),
        "roc": result.roc,
        "training_roc": result.training_roc,
        "calibrated": _calibrated(method, responses, signal),
        "parallel": {"Signal": events[signal], "Background": events[~signal]},
        "columns": (method.title, *(variable.title for variable in dataset.variables)),
    }


def _calibrated(method: MethodMLP, responses: Any, signal: Any) -> Calibrated | None:
    if not np.all((responses >= 0) & (responses <= 1)):
        return None
    train, test = method.dataset.training, method.evaluated_dataset.test
    of_signal = train.of_class(method.dataset.signal_class)
    total = float(train.weights.sum())
    share = float(train.weights[of_signal].sum()) / total if total > 0 else 0.0
    errors = None
    if method.model.has_errors and not method.model.transformations.needs_spectators:
        found = method.model.predict(test.variables, errors=True)
        errors = (found.lower, found.upper)
    return Calibrated(responses, signal, test.weights, errors, share if 0 < share < 1 else None)


def _regression(method: MethodMLP, result: RegressionResult) -> dict[str, Any]:
    variables, targets = method.dataset.variables, method.dataset.targets
    made = {
        (against, sample): deviation_plots(result, variables, targets, against=against, sample=sample)
        for against in ("targets", "variables")
        for sample in ("test", "training")
    }
    return {"deviations": made, "squares": [squares_of(result, j) for j in range(len(targets))]}


def _multiclass(result: MulticlassResult) -> dict[str, Any]:
    names = result.class_names

    def by_class(rows: Any) -> dict[str, Any]:
        return {c: {true: rows[i][j] for i, true in enumerate(names)} for j, c in enumerate(names)}

    return {
        "class_responses": by_class(result.test_histograms),
        "class_training_responses": by_class(result.training_histograms),
        "rest_curves": dict(zip(names, result.test.against_rest, strict=True)),
        "rest_training_curves": dict(zip(names, result.training.against_rest, strict=True)),
        "pair_curves": {
            (r, c): result.test.against_one[i][j] for i, r in enumerate(names) for j, c in enumerate(names) if i != j
        },
    }
