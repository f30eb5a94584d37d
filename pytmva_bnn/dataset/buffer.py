"""Memory for events while they are read: float32 only, and no more than is needed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pytmva_bnn._typing import Float32Array


class EventBuffer:
    """Rows of float32 values with their weights, to which blocks are appended.

    Room for ``capacity`` rows is set aside; the system provides memory only for those that are written.

    >>> buffer = EventBuffer(n_columns=2, capacity=1)
    >>> buffer.append(np.ones((3, 2), np.float32), np.ones(3, np.float32))
    >>> len(buffer), buffer.values.shape
    (3, (3, 2))
    """

    def __init__(self, n_columns: int, capacity: int) -> None:
        self._values = np.empty((capacity, n_columns), dtype=np.float32)
        self._weights = np.empty(capacity, dtype=np.float32)
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def append(self, values: Float32Array, weights: Float32Array) -> None:
        """Append events."""
        size = self._size + len(weights)
        if size > len(self._weights):
            capacity = max(size, 2 * len(self._weights))
            self._values = _grown(self._values, self._size, capacity)
            self._weights = _grown(self._weights, self._size, capacity)
        self._values[self._size : size] = values
        self._weights[self._size : size] = weights
        self._size = size

    @property
    def values(self) -> Float32Array:
        """The rows so far, (n_events, n_columns)."""
        return self._values[: self._size]

    @property
    def weights(self) -> Float32Array:
        """Their weights, (n_events,)."""
        return self._weights[: self._size]


def _grown(array: Float32Array, size: int, capacity: int) -> Float32Array:
    larger = np.empty((capacity, *array.shape[1:]), dtype=np.float32)
    larger[:size] = array[:size]
    return larger


def joined(buffers: Sequence[EventBuffer]) -> tuple[Float32Array, Float32Array]:
    """Return values and weights of all buffers, one after the other; nothing is copied if only one has events.

    >>> joined([EventBuffer(2, 0), EventBuffer(2, 0)])[0].shape
    (0, 2)
    """
    filled = [buffer for buffer in buffers if len(buffer)] or list(buffers[:1])
    if len(filled) == 1:
        return filled[0].values, filled[0].weights
    return np.concatenate([b.values for b in filled]), np.concatenate([b.weights for b in filled])
