"""Points in buckets of neighbours: a balanced tree of boxes that compiled searches walk."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import Float32Array, IndexArray, IntArray

CAPACITY = 64
"""Places in a bucket: a fixed number, for which compilers make vector instructions without loops."""
EMPTY = -1


@dataclass(frozen=True, eq=False)
class Buckets:
    """Points grouped by place.

    ``points`` is ``(n_buckets, n_variables, CAPACITY)``, infinite where there is none, and ``numbers``
    ``(n_buckets * CAPACITY,)`` tells which ones these are, EMPTY for none.  The boxes ``lower`` and ``upper``
    ``(n_boxes, n_variables)`` are those of a binary tree: the children of box i are 2 i + 1 and 2 i + 2, and the last
    boxes are the buckets.
    """

    points: Float32Array
    numbers: IntArray
    lower: Float32Array
    upper: Float32Array

    @classmethod
    def of(cls, x: Float32Array, chosen: IndexArray | None = None) -> Buckets:
        """Group points ``(n_points, n_variables)``, or the chosen ones of them; a box is cut where it is widest."""
        order = np.arange(len(x)) if chosen is None else chosen
        n, n_variables = len(order), x.shape[1]
        n_levels = max(int(np.ceil(np.log2(max(n, 1) / CAPACITY))), 0)
        lower, upper = [], []
        for level in range(n_levels + 1):
            starts = np.arange(2**level + 1) * n // 2**level
            values = x[order] if n else np.full((1, n_variables), np.inf, dtype=np.float32)
            lower.append(np.minimum.reduceat(values, starts[:-1], axis=0))
            upper.append(np.maximum.reduceat(values, starts[:-1], axis=0))
            if level < n_levels:
                box = np.repeat(np.arange(2**level), np.diff(starts))
                widest = np.argmax(upper[-1].astype(np.float64) - lower[-1], axis=1)
                order = order[np.lexsort((x[order, widest[box]], box))]
        bucket = np.repeat(np.arange(2**n_levels), np.diff(starts))
        place = bucket * CAPACITY + np.arange(n) - starts[bucket]
        numbers = np.full(2**n_levels * CAPACITY, EMPTY, dtype=np.int64)
        numbers[place] = order
        points = np.full((len(numbers), n_variables), np.inf, dtype=np.float32)
        points[place] = x[order]
        grouped = points.reshape(-1, CAPACITY, n_variables).transpose(0, 2, 1)
        return cls(np.ascontiguousarray(grouped), numbers, np.concatenate(lower), np.concatenate(upper))

    @property
    def arrays(self) -> tuple[NDArray[Any], ...]:
        """Return all of it as compiled code takes it."""
        return self.points, self.numbers, self.lower, self.upper
