"""The estimator of Cuts, and the table of the best cuts that its calls leave behind."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from pytmva_bnn._typing import Float32Array, FloatArray
from pytmva_bnn.fast.twins import compiled_pays
from pytmva_bnn.methods.cuts.bins import N_BINS, bins_of
from pytmva_bnn.methods.cuts.boxes import Boxes

TO_CALL = 100e-6
TO_COUNT = 5e-9
"""Seconds that numpy takes for a call, and for each variable and word of a point."""
TINY = 1e-4
"""Signal efficiency below which the estimator points the way out of the empty region."""


@dataclass(frozen=True, eq=False)
class Table:
    """The best background efficiency of each bin, with those below and above (n_bins + 2,), and its cuts."""

    background: Float32Array
    lower: FloatArray
    upper: FloatArray

    @classmethod
    def empty(cls, n_variables: int, n: int = N_BINS) -> Table:
        """Return a table without cuts."""
        background = np.full(n + 2, -0.1, dtype=np.float32)
        background[[0, -1]] = 0.0
        return cls(background, np.zeros((n, n_variables)), np.zeros((n, n_variables)))


class CutEstimator:
    """Values for points (n, 2 n_variables): lower cut and width of each variable in turn.

    TMVA: a value depends on the table, and so on all calls before; the fitter's own result does not matter.  ``low``
    and ``high`` (n_variables,) are the ranges of the cuts.
    """

    def __init__(self, boxes: Boxes, low: FloatArray, high: FloatArray) -> None:
        self.boxes = boxes
        self.low, self.high = low, high
        self.table = Table.empty(len(low))
        self._seconds = 0.0
        self._compiled: Callable[[FloatArray], FloatArray] | None = None

    def __call__(self, points: FloatArray) -> FloatArray:
        """Return the values, and put what is better than before into the table."""
        if self._compiled is None and compiled_pays(self._seconds):
            self._compiled = self._compile()
        if self._compiled is not None:
            return self._compiled(points)
        if np.isnan(points).any():  # a minimiser that has lost its way
            values = np.full(len(points), np.nan)
            known = ~np.isnan(points).any(axis=1)
            values[known] = self._by_numpy(points[known])
            return values
        # what was done so far tells what is still to come: both ways give the same bits
        self._seconds += TO_CALL + TO_COUNT * points.size / 2 * self.boxes.n_words
        return self._by_numpy(points)

    def _compile(self) -> Callable[[FloatArray], FloatArray]:
        """Return what does the same by compiled code."""
        from pytmva_bnn.methods.cuts.estimator_kernels import estimate  # lazy: numba

        boxes, ranks, table = self.boxes, self.boxes.ranks, self.table
        work, box = np.empty((2, boxes.n_words), dtype=np.uint64), np.empty((2, len(self.low)))
        arguments = (
            (ranks.values, ranks.order, ranks.rows),
            ranks.stride,
            boxes.n_signal_words,
            (boxes.byte_sums, boxes.equal, boxes.totals),
            self.low,
            self.high,
            (table.background, table.lower, table.upper),
            work,
            box,
        )
        return lambda points: estimate(np.ascontiguousarray(points), *arguments)

    def _by_numpy(self, points: FloatArray) -> FloatArray:
        lower = np.ascontiguousarray(points[:, 0::2])
        upper = lower + points[:, 1::2]
        effs, effb = self.boxes.efficiencies(lower, upper)
        bins = bins_of(effs)
        values, chosen = self._enter(effs.tolist(), effb.tolist(), bins.tolist())
        for k, number in chosen.items():
            self.table.lower[k - 1], self.table.upper[k - 1] = lower[number], upper[number]
        found = np.array(values)
        outside = np.flatnonzero((bins <= 1) & (effs < TINY))
        if len(outside):
            found[outside] = 10.0 + self._penalties(lower[outside], upper[outside])
        return found

    def _enter(
        self, effs: Sequence[float], effb: Sequence[float], bins: Sequence[int]
    ) -> tuple[list[float], dict[int, int]]:
        """Return the values, without penalties, and the points that the bins got their cuts from."""
        background = self.table.background.tolist()
        values, chosen = [], {}
        for number, (s, b, k) in enumerate(zip(effs, effb, bins, strict=True)):
            h = background[k]
            if k <= 1:
                values.append(10.0 * (1.0 - 10.0 * s))
            else:
                left, right = background[k - 1], background[k + 1] if k < N_BINS else h
                average = h if h < b else 0.5 * (left + right)
                values.append((-abs(h - average) + (1.0 - (h - b))) / (1.0 + s))
            if h < 0 or h > b:
                background[k] = b
                # TMVA: for a signal efficiency of 1 the cuts are written beyond the end of the arrays
                if 1 <= k <= N_BINS:
                    chosen[k] = number
        self.table.background[:] = background
        return values, chosen

    def _penalties(self, lower: FloatArray, upper: FloatArray) -> FloatArray:
        width = self.high - self.low
        total = np.zeros(len(lower))
        for i in range(len(width)):
            above, below = (self.high[i] - upper[:, i]) / width[i], (self.low[i] - lower[:, i]) / width[i]
            total += above * above + 4.0 * below * below
        return total
