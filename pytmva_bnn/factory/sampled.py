"""The events of a data set that its sampling shows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.dataset import Sampling, Which
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
