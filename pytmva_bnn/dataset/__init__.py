"""The training and test sets.

What to use when:

* TMVA's calls, from AddVariable to PrepareTrainingAndTestTree: :class:`DataLoader` (:class:`DataLoaderCalls` for
  other classes that offer the same calls);
* the same as plain data: fill a :class:`Description` and :func:`build` the :class:`DataSet`;
* read trees, files, frames and arrays in blocks: :func:`~pytmva_bnn.events.sources.source_of`;
* the options of PrepareTrainingAndTestTree as values: :class:`SplitSettings`;
* split, renormalise and mix the events of all classes: :func:`partition`;
* the folds of a cross-validation: :func:`random_folds`, :func:`stratified_folds`, :func:`folds_by_value`;
* the MLP's sampling of events: :class:`Sampling` with a :class:`SamplingSchedule`.

The splitting is done by functions of numbers and arrays.  Messages go to the logger ``pytmva_bnn.DataSetFactory``.

>>> settings = SplitSettings.of("nTrain_Signal=2:nTrain_Background=1", ["Signal", "Background"])
>>> sets = partition([ClassSizes(n_undefined=4), ClassSizes(n_undefined=3)], settings)
>>> len(sets.train), len(sets.test)
(3, 4)
"""

from __future__ import annotations

from pytmva_bnn.dataset.dataset import DataSet, EventSet, build, multiclass_targets
from pytmva_bnn.dataset.description import Description, EventClass, InputTree, InputVariable
from pytmva_bnn.dataset.folds import (
    all_events,
    fold_assignment,
    folds_by_value,
    random_folds,
    stratified_folds,
    training_events,
)
from pytmva_bnn.dataset.info import DataSetInfo
from pytmva_bnn.dataset.loader import DataLoader, DataLoaderCalls
from pytmva_bnn.dataset.partition import EventOrder, Partition, partition
from pytmva_bnn.dataset.renormalise import class_factors, event_weights, renormalise, sequential_sum
from pytmva_bnn.dataset.sampling import SampledSet, Sampling, SamplingSchedule, Which
from pytmva_bnn.dataset.settings import ClassRequest, NormMode, SplitMode, SplitSettings
from pytmva_bnn.dataset.split import ClassSizes, ClassSplit, mix, split_classes
from pytmva_bnn.errors import DatasetError
from pytmva_bnn.events.sources import EventSource, source_of

__all__ = [
    "ClassRequest",
    "ClassSizes",
    "ClassSplit",
    "DataLoader",
    "DataLoaderCalls",
    "DataSet",
    "DataSetInfo",
    "DatasetError",
    "Description",
    "EventClass",
    "EventOrder",
    "EventSet",
    "EventSource",
    "InputTree",
    "InputVariable",
    "NormMode",
    "Partition",
    "SampledSet",
    "Sampling",
    "SamplingSchedule",
    "SplitMode",
    "SplitSettings",
    "Which",
    "all_events",
    "build",
    "class_factors",
    "event_weights",
    "fold_assignment",
    "folds_by_value",
    "mix",
    "multiclass_targets",
    "partition",
    "random_folds",
    "renormalise",
    "sequential_sum",
    "source_of",
    "split_classes",
    "stratified_folds",
    "training_events",
]
