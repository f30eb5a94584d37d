"""The training and test events, ready for training, and how they are made from their description."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import Float32Array, FloatArray
from pytmva_bnn.dataset.class_check import check_class
from pytmva_bnn.dataset.description import BACKGROUND, FLT_MIN, SIGNAL, Description, EventClass, InputVariable
from pytmva_bnn.dataset.events import ClassEvents, Counters, read_events
from pytmva_bnn.dataset.partition import EventOrder, partition
from pytmva_bnn.dataset.settings import SplitSettings
from pytmva_bnn.dataset.split import ClassSizes
from pytmva_bnn.dataset.statistics import correlation, covariance, matrix_table, ranges
from pytmva_bnn.displays import Displayed
from pytmva_bnn.errors import DatasetError, suggestion
from pytmva_bnn.events.sources import BLOCK_SIZE
from pytmva_bnn.events.variables import VariableRecord

LOGGER = logging.getLogger("pytmva_bnn.DataSetFactory")
INFO_LOGGER = logging.getLogger("pytmva_bnn.DataSetInfo")


@dataclass(frozen=True, eq=False)
class EventSet:
    """Events in their final order.

    ``variables`` (n_events, n_variables), ``targets`` (n_events, n_targets) and ``spectators`` (n_events,
    n_spectators) are float32, as TMVA keeps them; ``class_index`` int32 and ``weights`` float64 are (n_events,).
    """

    variables: Float32Array
    targets: Float32Array
    spectators: Float32Array
    class_index: NDArray[np.int32]
    weights: FloatArray

    def __len__(self) -> int:
        return len(self.weights)

    def __repr__(self) -> str:
        return f"<EventSet: {len(self)} events, {self.variables.shape[1]} variables>"

    def of_class(self, class_index: int) -> NDArray[np.bool_]:
        """Return which events are of a class."""
        return np.equal(self.class_index, class_index)


def multiclass_targets(class_index: NDArray[np.integer], n_classes: int) -> Float32Array:
    """Return the targets (n_events, n_classes) of multiclass training: 1 for the event's class, else 0."""
    return np.asarray(class_index[:, np.newaxis] == np.arange(n_classes), dtype=np.float32)


@dataclass(frozen=True, eq=False)
class DataSet(Displayed):
    """A training and a test set, and what is known about them.

    The records of variables, targets and spectators hold the ranges of the training events.  ``correlations`` has
    a matrix for each class that has training events, and is empty with CalcCorrelations=False; ``counters`` has the
    numbers before and after the cut of each class; ``seed`` is the seed of the split that was used.
    """

    name: str
    classes: tuple[EventClass, ...]
    variables: tuple[VariableRecord, ...]
    targets: tuple[VariableRecord, ...]
    spectators: tuple[VariableRecord, ...]
    training: EventSet
    test: EventSet
    correlations: Mapping[str, FloatArray]
    counters: tuple[Counters, ...]
    settings: SplitSettings
    seed: int

    def __repr__(self) -> str:
        classes = ", ".join(self.class_names)
        return f"<DataSet {self.name}: {len(self.training)} training and {len(self.test)} test events of {classes}>"

    @property
    def class_names(self) -> tuple[str, ...]:
        """The names of the classes in the order of their indices."""
        return tuple(event_class.name for event_class in self.classes)

    @property
    def signal_class(self) -> int:
        """The index of the class called Signal, 0 if there is none."""
        return self.class_names.index(SIGNAL) if SIGNAL in self.class_names else 0

    @property
    def is_binary(self) -> bool:
        """Whether the classes are just Signal and Background."""
        return sorted(self.class_names) == [BACKGROUND, SIGNAL]


def build(
    description: Description,
    *,
    block_size: int = BLOCK_SIZE,
    ignore_negative_weights: bool = False,
    for_classification: bool = False,
) -> DataSet:
    """Read the trees, split the events and compute their statistics.

    ``ignore_negative_weights`` is for a data set that is built during the training of a method with
    IgnoreNegWeightsInTraining: negative training weights then become 0.  ``for_classification``: every class needs
    training events whose weights have a positive sum.
    """
    if not description.trees:
        raise DatasetError(
            f"Dataset[{description.name}] : there are no events; add trees with AddTree or a similar method"
        )
    if not description.variables:
        raise DatasetError(f"Dataset[{description.name}] : there are no variables; declare them with AddVariable")
    LOGGER.info("Rebuilding Dataset %s", description.name)
    description.register_remaining_classes()
    names = [event_class.name for event_class in description.classes]
    settings = SplitSettings.of(
        description.options,
        names,
        dataset=description.name,
        library=description.library,
        numbers=description.numbers,
    )
    events = read_events(description, block_size)
    _tell_input(description, events)
    sizes = [ClassSizes(*one.numbers, one.counters.n_before, one.counters.n_after) for one in events]

    def check(training_weights: Sequence[FloatArray]) -> None:
        with_trees = {tree.class_name for tree in description.trees}
        for event_class, weights in zip(description.classes, training_weights, strict=True):
            if for_classification and event_class.name in with_trees:
                check_class(event_class, weights, description.name)

    all_weights = [one.weights for one in events]
    sets = partition(sizes, settings, all_weights, ignore_negative=ignore_negative_weights, check=check)
    training = _event_set(description, events, sets.train)
    test = _event_set(description, events, sets.test)
    counters = tuple(one.counters for one in events)
    _tell_empty_classes(description, training)
    del events  # the sets have copies of what they need

    calculated = settings.calc_correlations and len(training) > 1
    correlations = _correlations(names, training) if calculated else {}
    if settings.print_correlations:
        _tell_correlations(description, correlations)
    LOGGER.info("[%s] :  ", description.name)
    LOGGER.info("")
    return DataSet(
        name=description.name,
        classes=tuple(description.classes),
        variables=_records(description, "Variable", description.variables, training.variables, calculated),
        targets=_records(description, "Target", description.targets, training.targets, calculated),
        spectators=_records(description, "Spectator", description.spectators, training.spectators, calculated),
        training=training,
        test=test,
        correlations=correlations,
        counters=counters,
        settings=settings,
        seed=sets.seed,
    )


def _tell_empty_classes(description: Description, training: EventSet) -> None:
    """Warn of classes without training events: TMVA goes on without a word."""
    with_trees = {tree.class_name for tree in description.trees}
    weighted = [one.name for one in description.classes if one.weight and one.name in (SIGNAL, BACKGROUND)]
    empty, others = [name for name in weighted if name not in with_trees], with_trees - {SIGNAL, BACKGROUND}
    if empty and others:
        # TMVA: without a class SetWeightExpression means these two, and says nothing if they have no events
        LOGGER.warning(
            '[%s] : the weight expression is for %s, but %s no events; write SetWeightExpression("...", "%s")',
            description.name,
            " and ".join(weighted),
            f"{empty[0]} has" if len(empty) < len(weighted) else "they have",
            min(others),
        )
    for index, name in enumerate(event_class.name for event_class in description.classes):
        if name not in with_trees and name not in (SIGNAL, BACKGROUND):
            hint = suggestion(name, sorted(with_trees))
            LOGGER.warning(
                "[%s] : the class '%s' has a weight or a cut, but no tree%s",
                description.name,
                name,
                f": {hint}" if hint else "",
            )
        elif name in with_trees and not training.of_class(index).any():
            LOGGER.warning(
                "[%s] : the class '%s' has no training events; check its cut, its trees and nTrain_%s",
                description.name,
                name,
                name,
            )


def _event_set(description: Description, events: Sequence[ClassEvents], order: EventOrder) -> EventSet:
    n_variables, n_targets = len(description.variables), len(description.targets)
    limits = (0, n_variables, n_variables + n_targets, len(description.quantities))
    columns = [slice(start, stop) for start, stop in pairwise(limits)]
    parts = [np.empty((len(order), one.stop - one.start), dtype=np.float32) for one in columns]
    # in pieces, so that no second copy of all events is needed
    for first in range(0, len(order), BLOCK_SIZE):
        piece = slice(first, first + BLOCK_SIZE)
        for number, of_class in enumerate(events):
            rows = np.flatnonzero(order.class_index[piece] == number)
            chosen = np.take(of_class.values, order.event_index[piece][rows], axis=0)
            for part, one in zip(parts, columns, strict=True):
                part[first + rows] = chosen[:, one]
    variables, targets, spectators = parts
    return EventSet(variables, targets, spectators, order.class_index, order.weights)


def _records(
    description: Description, what: str, inputs: Sequence[InputVariable], values: Float32Array, calculated: bool
) -> tuple[VariableRecord, ...]:
    """Return the records with the ranges of the training events, or with the user's if there are none."""
    records = tuple(one.record for one in inputs)
    if not calculated:
        return records
    found = ranges(values)
    for record, (low, high) in zip(records, found, strict=True):
        if abs(high - low) <= FLT_MIN:
            problem = (
                f"Dataset[{description.name}] : {what} {record.expression} is constant. Please remove the variable."
            )
            if what == "Target":
                raise DatasetError(problem)
            if what == "Variable":
                LOGGER.warning("%s", problem)
    return tuple(replace(record, minimum=low, maximum=high) for record, (low, high) in zip(records, found, strict=True))


def _correlations(names: Sequence[str], training: EventSet) -> dict[str, FloatArray]:
    correlations = {}
    for class_index, name in enumerate(names):
        events = np.flatnonzero(training.of_class(class_index))
        if events.size:
            correlations[name] = correlation(covariance(training.variables, training.weights, events))
    return correlations


# ---- messages ------------------------------------------------------------------------------------------------


def _tell_input(description: Description, events: Sequence[ClassEvents]) -> None:
    LOGGER.info("[%s] : Number of events in input trees", description.name)
    if not any(event_class.cut for event_class in description.classes):
        return
    width = max(len(event_class.name) for event_class in description.classes)
    for event_class, of_class in zip(description.classes, events, strict=True):
        counters = of_class.counters
        start = f"Dataset[{description.name}] :     {event_class.name.ljust(width)}"
        LOGGER.info('%s requirement: "%s"', start, event_class.cut)
        passed = f"{counters.n_after:<5}  / sum of weights: {f'{counters.weights_after:g}':<5}"
        LOGGER.info("%s      -- number of events passed: %s", start, passed)
        LOGGER.info("%s      -- efficiency             : %s", start, f"{counters.efficiency:g}".ljust(6))


def _tell_correlations(description: Description, correlations: Mapping[str, FloatArray]) -> None:
    names = [variable.record.internal for variable in description.variables]
    for class_name, matrix in correlations.items():
        INFO_LOGGER.info("Correlation matrix (%s):", class_name)
        for line in matrix_table(matrix, names):
            INFO_LOGGER.info("%s", line)
