"""``TestTree`` and ``TrainTree``: the events of a data set and the responses of all methods."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from itertools import groupby

import numpy as np

from pytmva_bnn._typing import Float32Array
from pytmva_bnn.dataset.dataset import EventSet
from pytmva_bnn.events.variables import VariableRecord
from pytmva_bnn.histograms.entries import Column, Table, TextColumn
from pytmva_bnn.output.contents import DataSetOutput, MethodOutput
from pytmva_bnn.tmva_types import AnalysisType

LOGGER = logging.getLogger("pytmva_bnn.output")


CLASS_NAME_LENGTH = 39


def event_tables(output: DataSetOutput) -> Iterator[Table]:
    """Yield the tree of the test events, then that of the training events."""
    dataset = output.dataset
    for name, events, training in (("TestTree", dataset.test, False), ("TrainTree", dataset.training, True)):
        yield Table(name, _columns(output, events, training=training))
        LOGGER.info("Dataset:%s : Created tree '%s' with %d events", dataset.name, name, len(events))


def _columns(output: DataSetOutput, events: EventSet, *, training: bool) -> dict[str, Column]:
    dataset = output.dataset
    columns: dict[str, Column] = {}
    for name, values in _named_columns(output, events, training=training):
        if name in columns:
            # TMVA: two branches of one name, of which readers find the first
            LOGGER.warning(
                "Dataset:%s : there is more than one '%s' for the trees, the first is kept", dataset.name, name
            )
            continue
        columns[name] = values
    return columns


def _named_columns(output: DataSetOutput, events: EventSet, *, training: bool) -> Iterator[tuple[str, Column]]:
    dataset = output.dataset
    yield "classID", events.class_index
    yield "className", TextColumn(tuple(name[:CLASS_NAME_LENGTH] for name in dataset.class_names), events.class_index)
    yield from branches(dataset.variables, events.variables)
    yield from branches(dataset.targets, events.targets)
    yield from branches(dataset.spectators, events.spectators)
    yield "weight", events.weights.astype(np.float32)
    fields = _fields(output)
    found: dict[str, list[tuple[str, Column]]] = {}
    for method in output.methods:
        if not method.is_evaluated:
            continue
        responses, probabilities = _responses(method, training=training)
        if responses is not None:
            found[method.title] = list(response_branches(method.title, responses, fields))
        if probabilities is not None:
            found[f"prob_{method.title}"] = [(f"prob_{method.title}", probabilities.astype(np.float32))]
    for name in sorted(found):
        yield from found[name]


def _responses(method: MethodOutput, *, training: bool) -> tuple[Float32Array | None, Float32Array | None]:
    if training:
        return method.training_responses, method.training_probabilities
    return method.test_responses, method.test_probabilities


def _fields(output: DataSetOutput) -> Sequence[str]:
    by_analysis: dict[AnalysisType, Sequence[str]] = {
        AnalysisType.CLASSIFICATION: (),
        AnalysisType.REGRESSION: [record.internal for record in output.dataset.targets],
        AnalysisType.MULTICLASS: output.dataset.class_names,
    }
    return by_analysis[output.analysis]


def response_branches(title: str, responses: Float32Array, fields: Sequence[str]) -> Iterator[tuple[str, Float32Array]]:
    """Yield names and values of the branches of the responses (n_events, n_outputs) of a method.

    One output is one branch.  Of several outputs TMVA makes one branch with a leaf for each; here each has a branch of
    its own, ``<title>.<field>``: what ROOT calls that leaf in ``TTree::Draw`` and in a data frame.
    """
    values = np.asarray(responses, dtype=np.float32)
    if values.shape[1] == 1:
        yield title, values[:, 0]
    else:
        for field, column in zip(fields, values.T, strict=True):
            yield f"{title}.{field}", column


def branches(records: Sequence[VariableRecord], values: Float32Array) -> Iterator[tuple[str, Float32Array]]:
    """Yield names and values of the branches of variables (n_events, n_variables); an array has one branch.

    >>> from dataclasses import replace
    >>> x = VariableRecord.define("x")
    >>> jets = [replace(x, label="jet", internal=f"jet[{i}]", type="F[]") for i in range(2)]
    >>> [(name, column.shape) for name, column in branches([x, *jets], np.zeros((5, 3), np.float32))]
    [('x', (5,)), ('jet', (5, 2))]
    """
    numbered = enumerate(records)
    for (is_array, name), group in groupby(numbered, key=lambda item: _branch(item[1])):
        indices = [index for index, _ in group]
        if is_array:
            yield name, values[:, indices]
        else:
            for index in indices:
                yield name, values[:, index]


def _branch(record: VariableRecord) -> tuple[bool, str]:
    is_array = record.type.endswith("[]")
    return is_array, record.internal.rpartition("[")[0] if is_array else record.internal
