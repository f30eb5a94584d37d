"""Fitting of N and S: the range of each input over the training events."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pytmva_bnn.errors import InputError
from pytmva_bnn.reductions.extremes import over_rows
from pytmva_bnn.transform.class_sets import as_inputs, class_sets, events_in
from pytmva_bnn.transform.normalise import Normalisation

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from pytmva_bnn.transform.selection import Selection

LARGEST = np.finfo(np.float32).max
"""The range of no events starts from here, and is [LARGEST, -LARGEST]."""


def fit_normalisation(
    values: ArrayLike,
    classes: ArrayLike,
    n_classes: int,
    selection: Selection | None = None,
    *,
    offset: bool = True,
) -> Normalisation:
    """Return N, or without ``offset`` S, for inputs (n_events, n_inputs); weights do not matter.

    >>> step = fit_normalisation([[1.0], [5.0], [2.0]], classes=[0, 0, 1], n_classes=2)
    >>> step.minima.tolist(), step.maxima.tolist()
    ([[1.0], [2.0], [1.0]], [[5.0], [2.0], [5.0]])
    """
    x = as_inputs(values, classes)
    if len(x) < 2:
        raise InputError(f"Not enough events (found {len(x)}) to calculate the normalization; at least 2 are needed")
    ranges = [value_range(events_in(events, x)) for events in class_sets(classes, n_classes)]
    minima, maxima = (np.stack(limits) for limits in zip(*ranges, strict=True))
    return Normalisation(selection, minima, maxima, offset)


def value_range(x: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return minima and maxima (n_inputs,) of inputs (n_events, n_inputs); NaN values do not count.

    >>> [limit.tolist() for limit in value_range(np.float32([[1.0, np.nan], [3.0, 2.0]]))]
    [[1.0, 2.0], [3.0, 2.0]]
    """
    return over_rows(np.fmin, x, initial=LARGEST), over_rows(np.fmax, x, initial=-LARGEST)
