"""Putting the events of the classes into their final order: by numpy, or by compiled code with the same result."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import AnyIntArray, Float32Array, FloatArray
from pytmva_bnn.events.sources import BLOCK_SIZE
from pytmva_bnn.fast.threads import in_parts
from pytmva_bnn.fast.twins import compiled_pays

Placed = tuple[NDArray[np.int32], AnyIntArray, FloatArray]

TO_PLACE = 20e-9
"""Seconds that numpy takes to put an event into its place."""
TO_COPY = 5e-9
"""Seconds that numpy takes to copy a value to its place."""


def placed(order: AnyIntArray, events: Sequence[AnyIntArray], weights: Sequence[FloatArray]) -> Placed:
    """Return class, number and weight of the events of all classes, counted class after class, in an order.

    >>> parts = placed(np.array([2, 0, 1]), [np.array([7, 5]), np.array([3])], [np.ones(2), np.zeros(1)])
    >>> [part.tolist() for part in parts]
    [[1, 0, 0], [3, 7, 5], [0.0, 1.0, 1.0]]
    """
    sizes = [of_class.size for of_class in events]
    all_events, all_weights = np.concatenate(events), np.concatenate(weights)
    if compiled_pays(TO_PLACE * order.size):
        return _placed_by_kernel(order, np.cumsum(sizes, dtype=np.int64), all_events, all_weights)
    classes = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
    return classes[order], all_events[order], all_weights[order]


def _placed_by_kernel(order: AnyIntArray, ends: NDArray[np.int64], events: AnyIntArray, weights: FloatArray) -> Placed:
    from pytmva_bnn.dataset import placing_kernels  # lazy: numba

    found = np.empty(order.size, np.int32), np.empty(order.size, events.dtype), np.empty(order.size)
    placing_kernels.place(order, ends, events, weights, *found)
    return found


def take(
    values: Sequence[Float32Array],
    class_index: NDArray[np.int32],
    event_index: AnyIntArray,
    parts: tuple[Float32Array, Float32Array, Float32Array],
) -> None:
    """Copy the rows of the classes' events, in their final order, into ``parts``, which share the columns.

    >>> parts = np.empty((2, 1), np.float32), np.empty((2, 0), np.float32), np.empty((2, 0), np.float32)
    >>> take([np.float32([[1], [2]]), np.float32([[3]])], np.array([1, 0], np.int32), np.array([0, 1]), parts)
    >>> parts[0].tolist()
    [[3.0], [2.0]]
    """
    n_events = len(class_index)
    if compiled_pays(TO_COPY * n_events * (2 + values[0].shape[1])):
        _take_by_kernel(values, class_index, event_index, parts)
        return
    # in pieces, so that no second copy of all events is needed
    for first in range(0, n_events, BLOCK_SIZE):
        piece = slice(first, first + BLOCK_SIZE)
        for number, of_class in enumerate(values):
            rows = np.flatnonzero(class_index[piece] == number)
            chosen = np.take(of_class, event_index[piece][rows], axis=0)
            start = 0
            for part in parts:
                part[first + rows] = chosen[:, start : start + part.shape[1]]
                start += part.shape[1]


def _take_by_kernel(
    values: Sequence[Float32Array],
    class_index: NDArray[np.int32],
    event_index: AnyIntArray,
    parts: tuple[Float32Array, Float32Array, Float32Array],
) -> None:
    from pytmva_bnn.dataset.placing_kernels import take_rows  # lazy: numba

    def do(start: int, stop: int) -> None:
        for number, of_class in enumerate(values):
            take_rows(of_class, number, class_index, event_index, start, stop, *parts)

    in_parts(do, len(class_index), BLOCK_SIZE, multiplications=10.0 * len(class_index))
