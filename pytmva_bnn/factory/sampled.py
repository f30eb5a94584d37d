"""Some of the events of a data set: those that its sampling shows, or those of a fold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.dataset import Sampling, Which, training_events
from pytmva_bnn.dataset.dataset import DataSet, EventSet


def chosen(events: EventSet, indices: NDArray[np.intp]) -> EventSet:
    """Return some of the events."""
    return EventSet(
        events.variables[indices],
        events.targets[indices],
        events.spectators[indices],
        events.class_index[indices],
        events.weights[indices],
    )


def fold_of(dataset: DataSet, folds: Sequence[NDArray[np.intp]], test_fold: int) -> DataSet:
    """Return the data set with one fold of the training events as test events, and the others for the training."""
    return replace(
        dataset,
        training=chosen(dataset.training, training_events(folds, test_fold)),
        test=chosen(dataset.training, folds[test_fold]),
    )


def shown(dataset: DataSet, sampling: Sampling) -> DataSet:
    """Return the data set as it is seen after the trainings.

    TMVA: with Sampling below 1 and SamplingEpoch=1 sampling stays on, and what follows sees the last sample only.
    """
    training, test = sampling[Which.TRAINING], sampling[Which.TESTING]
    if not (training.on or test.on):
        return dataset
    return replace(
        dataset,
        training=chosen(dataset.training, training.selected) if training.on else dataset.training,
        test=chosen(dataset.test, test.selected) if test.on else dataset.test,
    )
