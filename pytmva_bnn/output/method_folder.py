"""The folder of a method: how it was trained, and the histograms of its evaluation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from pytmva_bnn.dataset.dataset import DataSet
from pytmva_bnn.evaluation import (
    BinaryResult,
    BinarySample,
    MulticlassResult,
    NamedHistogram,
    RegressionResult,
    training_response_histograms,
)
from pytmva_bnn.histograms import PDF, Histogram1D, Interpolation, from_contents
from pytmva_bnn.histograms.density import density_histogram
from pytmva_bnn.histograms.entries import Entry, Folder, NamedGraph, NamedText
from pytmva_bnn.histograms.smoothing import smooth_histogram
from pytmva_bnn.output.contents import MethodOutput
from pytmva_bnn.output.variable_plots import PlottedEvents, plots

MAX_PLOTTED_VARIABLES = 200


def method_folder(method: MethodOutput, dataset: DataSet) -> Folder:
    """Return the folder of the method."""
    return Folder(method.title, _entries(method, dataset))


def _entries(method: MethodOutput, dataset: DataSet) -> Iterator[Entry]:
    if method.weight_file is not None:
        yield NamedText("TrainingPath", method.training_path)
        yield NamedText("WeightFileName", method.weight_file)
    yield from _training_densities(method, dataset)
    yield from method.monitoring
    yield from density_histograms(method.pdfs, method.kind)
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


def _training_densities(method: MethodOutput, dataset: DataSet) -> Iterator[NamedHistogram]:
    """Yield ``<kind>_tr_S`` and ``<kind>_tr_B``: the training responses that the densities were made of."""
    if method.pdfs is None or method.training_responses is None:
        return
    events = dataset.training
    sample = BinarySample(method.training_responses[:, 0], events.weights, events.of_class(dataset.signal_class))
    for index, (letter, pdf) in enumerate(zip("SB", method.pdfs, strict=True)):
        histogram = training_response_histograms(sample, pdf.record.histogram.n_bins)[index]
        name = f"{method.kind}_tr_{letter}"
        yield NamedHistogram(name, name, histogram)


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


def density_histograms(pdfs: tuple[PDF, PDF] | None, kind: str) -> Iterator[NamedHistogram]:
    """Yield source, smoothed source and fine histogram of the densities of signal and background."""
    # TMVA: writes them twice, as cycles 1 and 2 with the same contents
    for letter, density in zip("SB", pdfs or (), strict=False):
        record = density.record
        name = f"{kind}_tr_{letter}"
        smoothed = smooth_histogram(record.histogram, record.min_n_smooth, record.max_n_smooth)
        method = Interpolation(record.interpolation)
        way = "KDE" if method is Interpolation.KDE else method.name.lower()
        yield NamedHistogram(f"{name}_original", f"{name}_original", _single_precision(record.histogram))
        yield NamedHistogram(f"{name}_smoothed", f"{name}_smoothed", _single_precision(smoothed))
        fine = density_histogram(record.in_float32())
        yield NamedHistogram(f"{name}_smoothed_hist_from_{way}", f"{name}_smoothed_hist from_{way}", fine)


def _single_precision(histogram: Histogram1D) -> Histogram1D:
    return from_contents(histogram.values.astype(np.float32), histogram.axis.lower, histogram.axis.upper)
