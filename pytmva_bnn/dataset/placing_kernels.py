"""Compiled twins of what puts the events of the classes into their final order."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.fast.compiler import compiled


@compiled
def place(
    order: NDArray[np.integer],
    ends: NDArray[np.int64],
    events: NDArray[np.integer],
    weights: NDArray[np.float64],
    class_index: NDArray[np.int32],
    event_index: NDArray[np.integer],
    final_weights: NDArray[np.float64],
) -> None:
    """Put the events of all classes, of which the last of each stands before ``ends``, into their order."""
    for at in range(order.size):
        i = order[at]
        number = 0
        for end in ends:
            number += i >= end
        class_index[at] = number
        event_index[at] = events[i]
        final_weights[at] = weights[i]


@compiled
def take_rows(
    values: NDArray[np.float32],
    number: int,
    class_index: NDArray[np.int32],
    event_index: NDArray[np.integer],
    start: int,
    stop: int,
    variables: NDArray[np.float32],
    targets: NDArray[np.float32],
    spectators: NDArray[np.float32],
) -> None:
    """Copy the rows of a class's events to the places ``start`` to ``stop``, cut into the three kinds of quantities."""
    n, m, k = variables.shape[1], targets.shape[1], spectators.shape[1]
    for place in range(start, stop):
        if class_index[place] == number:
            row = event_index[place]
            for j in range(n):
                variables[place, j] = values[row, j]
            for j in range(m):
                targets[place, j] = values[row, n + j]
            for j in range(k):
                spectators[place, j] = values[row, n + m + j]
