"""The nearest training events, by distances in float32 and with TMVA's choice between equal ones."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np

from pytmva_bnn._typing import Float32Array, IndexArray
from pytmva_bnn.methods.density.buckets import Buckets
from pytmva_bnn.methods.density.knn.visits import Visits

NUMBERS_IN_BLOCK = 1 << 22


class NeighbourSearch:
    """Scaled training events ``(n_events, n_variables)``, ready to be searched.

    Only the ``candidates`` are neighbours: events of positive weight.
    """

    def __init__(self, x: Float32Array, candidates: IndexArray, balance_depth: int) -> None:
        self.x = x
        self.candidates = candidates
        self._balance_depth = balance_depth

    @cached_property
    def visits(self) -> Visits:
        """Return TMVA's tree, which is needed only where distances are equal."""
        return Visits.of(self.x, self._balance_depth)

    @cached_property
    def buckets(self) -> Buckets:
        """Return the candidates for compiled code."""
        return Buckets.of(self.x, self.candidates)

    @cached_property
    def _tree(self):  # type: ignore[no-untyped-def]
        from scipy.spatial import cKDTree  # lazy: scipy

        return cKDTree(self.x[self.candidates].astype(np.float64))

    def nearest(self, queries: Float32Array, k: int) -> tuple[IndexArray, Float32Array]:
        """Return the k nearest events of each query, nearest first, and their squared distances, both ``(n, k)``."""
        index = np.empty((len(queries), k), dtype=np.intp)
        distance = np.empty((len(queries), k), dtype=np.float32)
        n_candidates = len(self.candidates)
        left, n_asked = np.arange(len(queries)), min(k + 4, n_candidates)
        while left.size:
            undecided = []
            for rows in _blocks(left, n_asked * (queries.shape[1] + 4)):
                found, d, is_complete = self._asked(queries[rows], k, n_asked)
                done = rows[is_complete]
                index[done], distance[done] = found[is_complete, :k], d[is_complete, :k]
                # the first left out is known: it may be as near as the last one
                equal = (d[:, :k] == d[:, 1 : k + 1] if n_asked > k else d[:, : k - 1] == d[:, 1:k]).any(axis=1)
                for row in np.flatnonzero(is_complete & equal):
                    near = found[row, d[row] <= d[row, k - 1]]
                    index[rows[row]] = self._in_order(queries[rows[row]], near, d[row, : len(near)])[:k]
                undecided.append(rows[~is_complete])
            left, n_asked = np.concatenate(undecided), min(2 * n_asked, n_candidates)
        return index, distance

    def _asked(self, queries: Float32Array, k: int, n_asked: int) -> tuple[IndexArray, Float32Array, IndexArray]:
        """Return so many near events of each query by ascending distance, and whether the first k are the nearest."""
        exact, found = self._tree.query(queries.astype(np.float64), np.arange(1, n_asked + 1))
        events = self.candidates[found]
        d = squared_distances(self.x[events], queries[:, np.newaxis])
        order = np.argsort(d, axis=1, kind="stable")
        events, d = np.take_along_axis(events, order, axis=1), np.take_along_axis(d, order, axis=1)
        # all that were not asked for are at least as far as the last one; float32 may see them a little nearer
        farthest = exact[:, -1] ** 2 * (1 - (queries.shape[1] + 4) * 2.0**-23) - 1e-36
        return events, d, (farthest > d[:, k - 1]) | (n_asked == len(self.candidates))

    def _in_order(self, q: Float32Array, events: IndexArray, d: Float32Array) -> list[int]:
        """Return events with the distances ``d``, in ascending order, by TMVA's order where these are equal."""
        ends = [*np.flatnonzero(d[1:] != d[:-1]) + 1, len(d)]
        result: list[int] = []
        for start, end in zip([0, *ends], ends, strict=False):
            result += self.visits.sorted(q, events[start:end]) if end - start > 1 else [int(events[start])]
        return result


def squared_distances(x: Float32Array, queries: Float32Array) -> Float32Array:
    """Return Σ (x_i - q_i)² over the last axis, with every operation in float32."""
    with np.errstate(over="ignore", invalid="ignore"):
        d = np.zeros(np.broadcast_shapes(x.shape, queries.shape)[:-1], dtype=np.float32)
        for i in range(x.shape[-1]):
            difference = x[..., i] - queries[..., i]
            d += difference * difference
        return d


def _blocks(rows: IndexArray, numbers_each: int) -> Iterator[IndexArray]:
    step = max(NUMBERS_IN_BLOCK // numbers_each, 1)
    return (rows[start : start + step] for start in range(0, len(rows), step))
