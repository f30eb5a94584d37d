"""The box around an event: how large it is, and what is in it.

A box is lower < x <= upper, in float64.  Where an event lies in boxes that grow and shrink around one centre is told by
its distance r: the largest difference in a variable in units of half the first box's width.  r is computed once, in
float32, and only events with an r close to that of the box are compared with its real limits.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pytmva_bnn._typing import BoolArray, Float32Array, FloatArray, IndexArray
from pytmva_bnn.methods.density.pders.option_table import PDERSSettings
from pytmva_bnn.methods.density.pders.tree import SearchTree

GROWTH = 1.15
LARGEST = 1e30
"""Scale of a box that does not grow any more."""
_MANY = 5000
"""Training events of which it pays to forget those far away."""
DOUBTFUL, TOO_FEW, NOT_FOUND = 1, 2, 4
"""What may be wrong with a box: its content could be rounded either way; all events together are fewer than NEventsMin;
no box with a content between NEventsMin and NEventsMax was found."""


@dataclass(frozen=True, eq=False)
class BoxSearch:
    """Training events, and ``delta`` (n_variables,), the widths of the first box around an event."""

    tree: SearchTree
    settings: PDERSSettings
    delta: Float32Array

    @cached_property
    def half(self) -> FloatArray:
        """Return half the widths of the first box."""
        return self.delta.astype(np.float64) / 2.0

    @cached_property
    def inverse(self) -> Float32Array:
        """Return 1/half in float32; infinite where a box has no width."""
        with np.errstate(divide="ignore", over="ignore"):
            return (1.0 / self.half).astype(np.float32)

    @cached_property
    def slack(self) -> float:
        """Return by how much sums of weights in different orders may differ; 0 if all of them are exact."""
        w = np.abs(self.tree.weights[self.tree.weights != 0]).astype(np.float64)
        if not w.size:
            return 0.0
        unit = 2.0 ** (float(np.frexp(w.min())[1]) - 24)  # all weights are multiples of it
        return 0.0 if w.sum() <= 2.0**52 * unit else 2.0**-52 * len(w) * float(w.sum())

    def first_boxes(self, q: Float32Array) -> tuple[FloatArray, FloatArray]:
        """Return lower and upper limits of the first boxes of events ``(n_events, n_variables)``."""
        return q - self.half, q + self.half

    def inside(self, lower: FloatArray, upper: FloatArray) -> BoolArray:
        """Return which events are in boxes, ``(n_boxes, n_events)``."""
        x = self.tree.variables
        # in float32: x > lower is x > the largest float32 that is not above lower
        low, high = _rounded_down(lower), _rounded_down(upper)
        result = np.ones((len(lower), len(x)), dtype=np.bool_)
        for i in range(x.shape[1]):
            result &= x[:, i] > low[:, i, np.newaxis]
            result &= x[:, i] <= high[:, i, np.newaxis]
        return result


def scaled(lower: FloatArray, upper: FloatArray, scale: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return boxes ``(n_boxes, n_variables)`` scaled by ``(n_boxes,)`` around their centres."""
    f = scale[:, np.newaxis]
    with np.errstate(over="ignore", invalid="ignore"):
        return 0.5 * (lower * (1.0 + f) + upper * (1.0 - f)), 0.5 * (lower * (1.0 - f) + upper * (1.0 + f))


def _rounded_down(limits: FloatArray) -> Float32Array:
    with np.errstate(over="ignore"):
        result = limits.astype(np.float32)
    above = result > limits
    result[above] = np.nextafter(result[above], np.float32(-np.inf))
    return result


class AdaptiveBoxes:
    """The boxes of VolumeRangeMode=Adaptive around some events, all searched for together."""

    def __init__(self, search: BoxSearch, q: Float32Array, *, ordered: bool) -> None:
        self._search = search
        self._ordered = ordered
        self._lower, self._upper = search.first_boxes(q)
        self._radius = np.ones(len(q))
        self.status = np.zeros(len(q), dtype=np.int64)
        x = search.tree.variables
        self._r = np.zeros((len(q), len(x)), dtype=np.float32)
        with np.errstate(all="ignore"):
            for i, inverse in enumerate(search.inverse):
                np.maximum(self._r, np.abs(x[:, i] - q[:, i, np.newaxis]) * inverse, out=self._r)
            # the rounding of the limits, in units of r
            self._blur = 1e-14 * np.abs(q / search.half).max(axis=1, initial=0.0)
        if not (search.half > 0).all():
            self._r[:] = np.inf  # nothing is in a box without width
        farthest = self._r.max(axis=1, initial=0.0).astype(np.float64)
        self._largest = np.minimum(1.001 * farthest, LARGEST)  # all events are in such a box
        self._reach = float("inf")
        self._close = self._r, np.arange(len(x))

    def find(self) -> None:
        """Let the boxes grow until they hold enough, then look for scales at which they hold neither too much."""
        settings = self._search.settings
        n_min, n_max = np.float32(settings.n_min), np.float32(settings.n_max)
        n_0 = self._grown(n_min)
        wanted = np.float32(0.5 * np.float64(n_min + n_max))
        n = n_0.copy()
        s, best = np.full_like(n, settings.initial_scale), np.full_like(n, settings.initial_scale)
        n_best = n.copy()
        count = 1
        while count < settings.max_iterations:
            rows = np.flatnonzero((n < n_min) | (n > n_max))
            if not rows.size:
                break
            n[rows] = self._contents(rows, s[rows].astype(np.float64))
            s[rows] = _next_scale(s[rows], n[rows], n_0[rows], wanted)
            # TMVA: keeps the next scale, not the one that was tried; and never updates the first point of the secant
            nearer = np.abs(n[rows] - wanted) < np.abs(n_best[rows] - wanted)
            better = rows[nearer & ((n[rows] >= n_min) | (n_best[rows] < n[rows]))]
            n_best[better], best[better] = n[better], s[better]
            count += 1
        self.status[(n_best < n_min - np.float32(1)) | (n_best > n_max + np.float32(1))] |= NOT_FOUND
        self.best = best.astype(np.float64)

    def limits(self) -> tuple[FloatArray, FloatArray]:
        """Return lower and upper limits of the boxes that were found."""
        return scaled(self._lower, self._upper, self.best)

    def _grown(self, n_min: np.float32) -> Float32Array:
        everything = np.arange(len(self._r))
        n = self._contents(everything, np.ones(len(everything)))
        rows = np.flatnonzero(n < n_min)
        while rows.size:
            # TMVA: never ends if all events together are too few
            hopeless = self._radius[rows] > self._largest[rows]
            self.status[rows[hopeless]] |= TOO_FEW
            rows = rows[~hopeless]
            growth = np.full(len(rows), GROWTH)
            self._lower[rows], self._upper[rows] = scaled(self._lower[rows], self._upper[rows], growth)
            self._radius[rows] *= GROWTH
            self._blur[rows] *= 1.2
            n[rows] = self._contents(rows, np.ones(len(rows)))
            rows = rows[n[rows] < n_min]
        return n

    def _contents(self, rows: IndexArray, scale: FloatArray) -> Float32Array:
        """Return the weights in boxes that are scaled once more."""
        tree = self._search.tree
        if self._ordered:
            lower, upper = scaled(self._lower[rows], self._upper[rows], scale)
            return tree.ordered_sums(self._search.inside(lower, upper)).astype(np.float32)
        total = self.sums(rows, scale, tree.weights.astype(np.float64)[:, np.newaxis])[:, 0]
        slack, result = self._search.slack, total.astype(np.float32)
        doubtful = (total - slack).astype(np.float32) != (total + slack).astype(np.float32)
        self.status[rows[doubtful]] |= DOUBTFUL
        return result

    def sums(self, rows: IndexArray, scale: FloatArray, weights: FloatArray) -> FloatArray:
        """Return the sums, in any order, of weights ``(n_events, n_kinds)`` in boxes that are scaled once more."""
        radius = self._radius[rows] * scale
        blur = 1e-6 * np.abs(radius) + self._blur[rows] * (1.0 + np.abs(scale))
        with np.errstate(over="ignore"):
            low, high = (radius - blur).astype(np.float32), (radius + blur).astype(np.float32)
        r, events = self._near(float(high.max(initial=0.0)))
        if len(rows) < len(r):
            r = r[rows]
        inside = r < low[:, np.newaxis]
        result: FloatArray = inside.astype(np.float64) @ weights[events]
        row, place = np.nonzero((r <= high[:, np.newaxis]) & ~inside)
        if row.size:
            lower, upper = scaled(self._lower[rows[row]], self._upper[rows[row]], scale[row])
            close = events[place]
            x = self._search.tree.variables[close]
            really = ((x > lower) & (x <= upper)).all(axis=1)
            np.add.at(result, row[really], weights[close[really]])
        return result

    def _near(self, radius: float) -> tuple[Float32Array, IndexArray]:
        """Return r of all training events that may be within a radius, and their numbers."""
        if radius > self._reach:
            self._close, self._reach = (self._r, np.arange(self._r.shape[1])), float("inf")
        r, events = self._close
        if radius < 0.6 * self._reach and len(events) > _MANY:
            kept = np.flatnonzero((r <= np.float32(1.25 * radius)).any(axis=0))
            self._close, self._reach = (r[:, kept], events[kept]), 1.24 * radius
        return self._close


def _next_scale(s: Float32Array, n: Float32Array, n_0: Float32Array, wanted: np.float32) -> Float32Array:
    """Return the scale to try next, after ``s`` gave the content ``n``, and scale 1 the content ``n_0``."""
    one = np.float32(1)
    with np.errstate(all="ignore"):
        secant = s + ((s - one) / (n - n_0)) * (wanted - n)
    back, forth = ((s.astype(np.float64) + step).astype(np.float32) for step in (-0.01, 0.5))
    result: Float32Array = np.where((n > 1) & (n != n_0), np.where(s != one, secant, back), forth)
    return result
