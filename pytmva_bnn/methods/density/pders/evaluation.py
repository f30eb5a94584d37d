"""The responses of PDERS: the volume around an event, the training events in it, and the density that they show."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np

from pytmva_bnn._typing import Float32Array, FloatArray, IntArray
from pytmva_bnn.fast.threads import in_parts
from pytmva_bnn.methods.density.buckets import CAPACITY, Buckets
from pytmva_bnn.methods.density.pders.boxes import DOUBTFUL, NOT_FOUND, TOO_FEW, AdaptiveBoxes, BoxSearch
from pytmva_bnn.methods.density.pders.option_table import PDERSSettings
from pytmva_bnn.methods.density.pders.samples import (
    Samples,
    in_order,
    likelihood_ratio,
    nearest_samples,
    samples_in,
)
from pytmva_bnn.methods.density.pders.tree import SearchTree

log = logging.getLogger("pytmva_bnn.PDERS")

What = Literal["densities", "means"]

_NUMBERS_IN_BLOCK = 1 << 18
_TO_SEARCH = 20.0
"""Multiplications that take as long as the search for an event, for each training event."""
_WARNINGS = {
    TOO_FEW: "all training events together weigh less than NEventsMin=%g, and TMVA would never end",
    NOT_FOUND: "volume adjustment reached max. #iterations: no volume of NEventsMin=%g to NEventsMax=%g events",
}


@dataclass(frozen=True, eq=False)
class DensityEstimate:
    """All that an evaluation needs.

    ``signal`` is the index of the signal class, ``scales`` normalise the sums of signal and background, ``delta`` are
    the widths of the first box.  ``is_corrected``: the kernel Trim has the right units.
    """

    tree: SearchTree
    settings: PDERSSettings
    signal: int
    scales: tuple[np.float32, np.float32]
    delta: Float32Array
    is_corrected: bool = False

    @cached_property
    def _search(self) -> BoxSearch:
        return BoxSearch(self.tree, self.settings, self.delta)

    @cached_property
    def _class_weights(self) -> FloatArray:
        """Return the weights ``(n_events, 2)`` of events as signal and as background."""
        w = self.tree.weights.astype(np.float64)
        is_signal = self.tree.classes == self.signal
        return np.column_stack([np.where(is_signal, w, 0.0), np.where(is_signal, 0.0, w)])

    def responses(self, x: Float32Array, what: What, *, compiled: bool) -> FloatArray:
        """Return the signal probability, or the mean of the first target; NaN where an event is NaN or infinite."""
        finite = np.isfinite(x)
        if not finite.all():
            good = finite.all(axis=1)
            result = np.full(len(x), np.nan)
            result[good] = self.responses(x[good], what, compiled=compiled)
            return result
        if compiled and self._has_kernels:
            result, status = self._by_kernels(x, what)
        else:
            result, status = np.empty(len(x)), np.zeros(len(x), dtype=np.int64)
            for rows in self._blocks(np.arange(len(x))):
                result[rows], status[rows] = self._by_numpy(x[rows], what, ordered=False)
        if status.any():
            for rows in self._blocks(np.flatnonzero(status & DOUBTFUL)):
                result[rows], status[rows] = self._by_numpy(x[rows], what, ordered=True)
            self._warn(status)
        return result

    @property
    def _has_kernels(self) -> bool:
        """Tell whether compiled code knows the volume: the one with which TMVA evaluates weight files."""
        return (
            self.settings.mode == "Adaptive" and self.settings.kernel == "Box" and bool((self._search.half > 0).all())
        )

    def _blocks(self, rows: IntArray) -> Iterator[IntArray]:
        step = max(_NUMBERS_IN_BLOCK // len(self.tree), 1)
        return (rows[start : start + step] for start in range(0, len(rows), step))

    def _warn(self, status: IntArray) -> None:
        for flag, text in _WARNINGS.items():
            count = int(np.count_nonzero(status & flag))
            if count:
                values = (self.settings.n_min, self.settings.n_max)[: text.count("%g")]
                log.warning(f"%d of %d events: {text}", count, len(status), *values)

    def _by_numpy(self, q: Float32Array, what: What, *, ordered: bool) -> tuple[FloatArray, IntArray]:
        mode = self.settings.mode
        if mode == "kNN":
            samples, status = nearest_samples(self._search, q)
            if self.is_corrected:
                samples = replace(samples, reach=2.0 * samples.reach)
            return self._estimates(samples, what), status
        if mode != "Adaptive":
            samples = samples_in(self._search, q, *self._search.first_boxes(q))
            return self._estimates(samples, what), np.zeros(len(q), dtype=np.int64)
        boxes = AdaptiveBoxes(self._search, q, ordered=ordered)
        boxes.find()
        if what == "means" or self.settings.kernel != "Box":
            return self._estimates(samples_in(self._search, q, *boxes.limits()), what), boxes.status
        if ordered:
            inside = self._search.inside(*boxes.limits())
            sums = np.stack([in_order(inside, w) for w in self._class_weights.T], axis=1)
        else:
            sums = boxes.sums(np.arange(len(q)), boxes.best, self._class_weights)
        return self._ratios(sums, boxes.status, ordered)

    def _ratios(self, sums: FloatArray, status: IntArray, ordered: bool) -> tuple[FloatArray, IntArray]:
        """Return the responses for sums of signal and background, and whether they depend on the order of adding."""
        slack = self._search.slack
        if slack and not ordered:
            least = likelihood_ratio(sums[:, 0] - slack, sums[:, 1] + slack, self.scales)
            most = likelihood_ratio(sums[:, 0] + slack, sums[:, 1] - slack, self.scales)
            status[least != most] |= DOUBTFUL
        return likelihood_ratio(sums[:, 0], sums[:, 1], self.scales), status

    def _estimates(self, samples: Samples, what: What) -> FloatArray:
        tree = self.tree
        kernel = samples.kernel(self.settings, tree.variables.shape[1])
        with np.errstate(all="ignore"):  # the kernel Trim is infinite where there is no distance to trim at
            weights = kernel * tree.weights[samples.members].astype(np.float64)
            if what == "densities":
                is_signal = tree.classes[samples.members] == self.signal
                s, b = (samples.totals(np.where(own, weights, 0.0)) for own in (is_signal, ~is_signal))
                return likelihood_ratio(s, b, self.scales)
            # TMVA: both sums are float32
            above = samples.totals32(weights * tree.targets[samples.members, 0].astype(np.float64))
            below = samples.totals32(weights)
            return np.where(below != 0, above / below, np.float32(0)).astype(np.float64)

    def _by_kernels(self, q: Float32Array, what: What) -> tuple[FloatArray, IntArray]:
        from pytmva_bnn.methods.density.pders import pders_kernels  # lazy: numba

        lower, upper = np.empty(q.shape), np.empty(q.shape)
        sums, status, result = np.empty((len(q), 2)), np.zeros(len(q), dtype=np.int64), np.empty(len(q))
        tree, is_mean = self.tree, what == "means"
        targets = np.ascontiguousarray(tree.targets[:, 0]) if is_mean else np.empty(0, dtype=np.float32)

        def run(start: int, stop: int) -> None:
            part = slice(start, stop)
            found: tuple[Any, ...] = (lower[part], upper[part], sums[part], status[part])
            pders_kernels.adaptive(q[part], *self.compiled_parts, *found)
            if is_mean:
                pders_kernels.means(lower[part], upper[part], tree.variables, tree.weights, targets, result[part])

        in_parts(run, len(q), 64, len(q) * len(tree) * _TO_SEARCH)
        return (result, status) if is_mean else self._ratios(sums, status, ordered=False)

    @cached_property
    def compiled_parts(self) -> tuple[Any, ...]:
        """Return boxes, settings and weights as compiled code takes them."""
        search, settings = self._search, self.settings
        buckets = Buckets.of(self.tree.variables)
        by_kind = np.vstack([self.tree.weights.astype(np.float64), self._class_weights.T])
        weights = np.where(buckets.numbers >= 0, by_kind[:, buckets.numbers], 0.0).reshape(3, -1, CAPACITY)
        numbers = (settings.n_min, settings.n_max, settings.max_iterations, settings.initial_scale)
        return (
            search.half,
            search.inverse,
            tuple(map(np.float32, numbers)),
            search.slack,
            buckets.arrays,
            weights,
            weights.sum(axis=2),
        )

    def single(self, row: Float32Array) -> Callable[[], float] | None:
        """Return what gives the signal probability of the event in ``row`` ``(1, n_variables)``, by compiled code.

        It is NaN where the ordinary way has to be taken, also to warn; None if there is no compiled code for it.
        """
        if not self._has_kernels:
            return None
        from pytmva_bnn.methods.density.pders.pders_kernels import adaptive  # lazy: numba

        sums, status = np.empty((1, 2)), np.zeros(1, dtype=np.int64)
        given = (row, *self.compiled_parts, np.empty(row.shape), np.empty(row.shape), sums, status)

        def evaluate() -> float:
            adaptive(*given)
            if status.item():
                return math.nan
            return float(self._ratios(sums, status, ordered=False)[0][0])

        return evaluate
