"""Histograms of the input variables, of targets and of pairs of variables, as entries of the output file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from pytmva_bnn._typing import Float32Array
from pytmva_bnn.dataset.dataset import DataSet, EventSet
from pytmva_bnn.evaluation import NamedHistogram, correlation_histogram, pair_plots, variable_histograms
from pytmva_bnn.evaluation.inputs import MAX_SCATTER_VARIABLES
from pytmva_bnn.events.variables import VariableRecord
from pytmva_bnn.histograms.entries import Entry, Folder, LabelledMatrix, NamedProfile
from pytmva_bnn.output.chains import IDENTITY
from pytmva_bnn.tmva_types import AnalysisType


@dataclass(frozen=True, eq=False)
class PlottedEvents:
    """Events after a chain of transformations, and what their histograms are called.

    ``suffix`` stands at the end of all names: ``_<chain>`` in ``InputVariables_<chain>``, nothing in the folder of a
    method.
    """

    dataset: DataSet
    events: EventSet
    variables: Float32Array
    targets: Float32Array
    chain: str
    suffix: str = ""

    @property
    def records(self) -> tuple[VariableRecord, ...]:
        """Variables, then targets."""
        return (*self.dataset.variables, *self.dataset.targets)


def plots(plotted: PlottedEvents) -> Iterator[Entry]:
    """Yield ``V__C`` of all variables, targets and classes, and the folder ``CorrelationPlots``."""
    if len(plotted.events) == 0:
        return
    yield from _single(plotted)
    if len(plotted.records) <= MAX_SCATTER_VARIABLES:
        yield Folder("CorrelationPlots", _pairs(plotted))


def axis_title(record: VariableRecord, chain: str) -> str:
    """Return the title of the axis of a variable after a chain."""
    transformed = f" ({chain})" if chain not in ("", IDENTITY) else ""
    return f"{record.title}{transformed}{f'  [{record.unit}]' if record.unit else ''}"


def _single(plotted: PlottedEvents) -> Iterator[NamedHistogram]:
    classes, n_targets = plotted.dataset.class_names, len(plotted.dataset.targets)
    events = plotted.events
    columns = np.column_stack([plotted.variables, plotted.targets])
    for i, record in enumerate(plotted.records):
        is_target = i >= len(plotted.dataset.variables)
        # one column at a time: there may be many
        (row,) = variable_histograms(
            columns[:, i : i + 1], events.weights, events.class_index, len(classes), [record.type.startswith("I")]
        )
        for class_name, histogram in zip(classes, row, strict=True):
            # TMVA: the addition is for a single target only
            what = f"{class_name}_target" if is_target and n_targets == 1 else class_name
            yield NamedHistogram(
                f"{record.internal}__{what}{plotted.suffix}",
                record.title,
                histogram,
                axis_title(record, plotted.chain),
                f"dN_{{ }}/^{{ }}{histogram.width:.3g} {record.unit}",
            )


def _pairs(plotted: PlottedEvents) -> Iterator[NamedHistogram | NamedProfile]:
    # TMVA: plots of targets against variables are made, but not written
    yield from _pairs_of(plotted, plotted.dataset.variables, plotted.variables)
    yield from _pairs_of(plotted, plotted.dataset.targets, plotted.targets)


def _pairs_of(
    plotted: PlottedEvents, records: Sequence[VariableRecord], columns: Float32Array
) -> Iterator[NamedHistogram | NamedProfile]:
    classes, events = plotted.dataset.class_names, plotted.events
    for (i, x), (j, y) in combinations(enumerate(records), 2):
        for plot in pair_plots(columns[:, [i, j]], events.weights, events.class_index, len(classes)):
            class_name = classes[plot.class_index]
            name = f"{y.internal}_vs_{x.internal}_{class_name}{plotted.suffix}"
            title = f"{y.title} versus {x.title} ({class_name}){plotted.suffix}"
            axes = axis_title(x, plotted.chain), axis_title(y, plotted.chain)
            yield NamedHistogram(f"scat_{name}", title, plot.scatter, *axes)
            yield NamedProfile(f"prof_{name}", f"profile {title}", plot.profile, *axes)


def correlation_matrices(dataset: DataSet, analysis: AnalysisType) -> Iterator[LabelledMatrix]:
    """Yield the correlation matrices of the training events of each class."""
    labels = tuple(record.title for record in dataset.variables)
    for class_name, letter, words in _matrix_names(dataset, analysis):
        if class_name in dataset.correlations:
            yield LabelledMatrix(
                f"CorrelationMatrix{letter}",
                f"Correlation Matrix{words}",
                correlation_histogram(dataset.correlations[class_name]),
                labels,
            )


def _matrix_names(dataset: DataSet, analysis: AnalysisType) -> Sequence[tuple[str, str, str]]:
    names = dataset.class_names
    if analysis == AnalysisType.MULTICLASS:
        return [(name, name, f" ({name})") for name in names]
    if analysis == AnalysisType.REGRESSION:
        return [(names[0], "", "")]
    signal = names[dataset.signal_class]
    others = [(name, "B", " (background)") for name in names if name != signal]
    return [(signal, "S", " (signal)"), *others[:1]]
