"""The folder of a method: how it was trained, and the histograms of its evaluation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.dataset.dataset import DataSet
from pytmva_bnn.evaluation import (
    BinaryResult,
    BinarySample,
    Histogram1D,
    Histogram2D,
    MulticlassResult,
    NamedHistogram,
    RegressionResult,
    training_response_histograms,
)
from pytmva_bnn.evaluation.histograms import fill_1d
from pytmva_bnn.output.contents import MethodOutput
from pytmva_bnn.output.entries import Entry, Folder, NamedGraph, NamedText
from pytmva_bnn.output.response_densities import density_histograms
from pytmva_bnn.output.variable_plots import PlottedEvents, plots

MAX_PLOTTED_VARIABLES = 200


def method_folder(method: MethodOutput, dataset: DataSet, number: int) -> Folder:
    """Return the folder of the method; ``number`` counts the methods of the whole file from 0."""
    return Folder(method.title, _entries(method, dataset, number))


def _entries(method: MethodOutput, dataset: DataSet, number: int) -> Iterator[Entry]:
    if method.weight_file is not None:
        yield NamedText("TrainingPath", method.training_path)
        yield NamedText("WeightFileName", method.weight_file)
    yield from _training_densities(method, dataset)
    yield from estimator_histograms(method)
    for layer, matrix in enumerate(method.matrices):
        name = f"weights_hist{layer}{layer + 1}"
        is_last = layer == len(method.matrices) - 1
        yield NamedHistogram(name, name, weight_histogram(matrix, is_last=is_last))
    yield Folder(epoch_folder_name(number), ())
    yield from density_histograms(method.pdfs)
    match method.result:
        case BinaryResult() as result:
            yield from result.named_histograms()
            yield from _variables(method, dataset)
        case RegressionResult() as result:
            yield from _deviations(result, dataset, training=False)
            yield from _variables(method, dataset)
            yield from _deviations(result, dataset, training=True)
        case MulticlassResult() as result:
            # TMVA: also histograms of the test events by the names of those of training, under an older cycle
            for training in (False, True):
                yield from result.named_histograms(training=training)
                for name, title, curve in result.named_curves(training=training):
                    yield NamedGraph(name, title, curve.sensitivity, curve.specificity)
            yield from _variables(method, dataset)


def epoch_folder_name(number: int) -> str:
    """Return the name of the folder for option EpochMonitoring.

    >>> epoch_folder_name(0), epoch_folder_name(12)
    ('EpochMonitoring', 'EpochMonitoring_  12')
    """
    # TMVA: counts the networks of the process; only the first has the plain name
    return "EpochMonitoring" if number == 0 else f"EpochMonitoring_{number:4d}"


def estimator_histograms(method: MethodOutput) -> Iterator[NamedHistogram]:
    """Yield the estimators by epoch.

    >>> from pytmva_bnn.methods.mlp.training.state import History, Monitored
    >>> history = History.of((Monitored(5, 0.9, 1.0), Monitored(10, 0.8, 0.9)))
    >>> method = MethodOutput("MLP", None, "", 12, 5, history, (), "Id")
    >>> train, test = estimator_histograms(method)
    >>> train.histogram.edges.tolist(), test.histogram.values
    ([2.0, 7.0, 12.0], array([1. , 0.9], dtype=float32))
    """
    history = method.history
    if history is None:
        return
    n_bins = max(method.n_cycles // method.test_rate, 1)
    low = method.test_rate // 2
    chosen = history.epochs % method.test_rate == 0
    for name, title, values in (
        ("estimatorHistTrain", "training estimator", history.training),
        ("estimatorHistTest", "test estimator", history.test),
    ):
        histogram = fill_1d(
            history.epochs[chosen],
            values[chosen],
            n_bins,
            low,
            low + n_bins * method.test_rate,
            dtype=np.float32,
            errors=None,
        )
        yield NamedHistogram(name, title, histogram)


def weight_histogram(matrix: NDArray[np.float64], *, is_last: bool) -> Histogram2D:
    """Return the weights (neurons + bias, neurons of the next layer) of a layer; that one has a bias unless it is last.

    >>> weight_histogram(np.array([[1.0], [2.0]]), is_last=False).values.tolist()
    [[1.0, 0.0], [2.0, 0.0]]
    """
    n_x, n_y = matrix.shape[0], matrix.shape[1] + (0 if is_last else 1)
    contents = np.zeros((n_x + 2, n_y + 2), np.float32)
    contents[1:-1, 1 : matrix.shape[1] + 1] = matrix
    return Histogram2D(contents, None, (0.0, float(n_x)), (0.0, float(n_y)), float(matrix.size), (0.0,) * 7)


def _training_densities(method: MethodOutput, dataset: DataSet) -> Iterator[NamedHistogram]:
    """Yield ``MLP_tr_S`` and ``MLP_tr_B``: the training responses that the densities were made of."""
    if method.pdfs is None or method.training_responses is None:
        return
    events = dataset.training
    sample = BinarySample(method.training_responses[:, 0], events.weights, events.of_class(dataset.signal_class))
    for index, (letter, pdf) in enumerate(zip("SB", method.pdfs, strict=True)):
        histogram = training_response_histograms(sample, pdf.record.histogram.n_bins)[index]
        yield NamedHistogram(f"MLP_tr_{letter}", f"MLP_tr_{letter}", histogram)


def _variables(method: MethodOutput, dataset: DataSet) -> Iterator[Entry]:
    if method.test_variables is None or len(dataset.variables) >= MAX_PLOTTED_VARIABLES:
        return
    targets = dataset.test.targets[:, :0] if method.test_targets is None else method.test_targets
    yield from plots(PlottedEvents(dataset, dataset.test, method.test_variables, targets, method.chain))


def _deviations(result: RegressionResult, dataset: DataSet, *, training: bool) -> Iterator[NamedHistogram]:
    """Yield the histograms of deviations, those of two dimensions with the titles of their axes."""
    titles = iter(
        [
            (column.title, f"{target.title}_{{regression}} - {target.title}_{{true}}")
            for column in (*dataset.variables, *dataset.targets)
            for target in dataset.targets
        ]
    )
    for made in result.named_histograms(training=training):
        if isinstance(made.histogram, Histogram1D):
            yield made
        else:
            x_title, y_title = next(titles)
            yield replace(made, x_title=x_title, y_title=y_title)
