"""Estimates of the outputs for training events, with bounds of how far TMVA's float32 sums may be from them.

A float32 sum S of terms t_k has a rounding error of at most u Σ_k (|t_k| + |S_k|), where S_k are its partial sums and
u = 2^-24.  ``paths`` are bounds of the sums of |t_k| and |S_k|, in which each S_k counts for all events up to the next
term, so that terms may come in between.  If the multiplier of event i changes, the partial sums behind i move by
its change times the kernel, and a second change may cancel much of that; the bounds grow accordingly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pytmva_bnn._typing import Float32Array, FloatArray, IntArray
from pytmva_bnn.methods.svm.kernels.constants import ROUNDING, SMALL


@dataclass(frozen=True, eq=False)
class Estimates:
    """The ``sums`` without rounding, and the ``paths`` that bound the rounding."""

    sums: FloatArray
    paths: FloatArray

    @classmethod
    def start(cls, n_events: int) -> Estimates:
        """Return the estimates when all multipliers are 0."""
        return cls(np.zeros(n_events), np.ones(n_events))

    def margins(self, start: int, stop: int) -> FloatArray:
        """Return by how much the errors of events may be off."""
        return ROUNDING * self.paths[start:stop] + SMALL

    def note(self, j: int, active: IntArray, terms: Float32Array, sums: Float32Array) -> None:
        """Take note of the partial sums of an event."""
        gaps = np.diff(active, append=len(self.sums) + 1)
        self.paths[j] = 1.0 + np.sum(np.abs(terms), dtype=np.float64) + float(np.abs(sums).astype(np.float64) @ gaps)

    def move(self, changes: Sequence[tuple[int, float, Float32Array]]) -> None:
        """Follow the changes of two coefficients; each is an event, its change, and its kernels with all events."""
        (first, d_first, row_first), (last, d_last, row_last) = sorted(changes, key=lambda one: one[0])
        one = d_first * row_first.astype(np.float64)
        both = one + d_last * row_last.astype(np.float64)
        self.sums[:] += both
        self.paths[:] += (last - first + 2) * np.abs(one) + (len(self.sums) - last + 2) * np.abs(both)
