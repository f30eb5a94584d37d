"""Sequential minimal optimisation by compiled code, bit for bit that of :mod:`.smo`."""

from __future__ import annotations

import numpy as np

from pytmva_bnn.fast.threads import in_parts
from pytmva_bnn.methods.svm.kernels import smo
from pytmva_bnn.methods.svm.kernels.rows import TILE, compiled_kernel
from pytmva_bnn.methods.svm.training.estimates import Estimates
from pytmva_bnn.methods.svm.training.multipliers import Multipliers, Sample

_MULTIPLICATIONS = 25
"""Multiplications that take as long as a kernel."""


class CompiledOptimiser:
    """A training in progress."""

    def __init__(self, sample: Sample, state: Multipliers, tolerance: float) -> None:
        n, x = len(sample), np.ascontiguousarray(sample.x)
        self.state = state
        self._twice_tolerance = np.float32(2) * np.float32(tolerance)
        self._events = (x, np.ascontiguousarray(x.T), compiled_kernel(sample.kernel))
        self._sample = (sample.flags, sample.costs)
        estimates = Estimates.start(n)
        self._state = (
            *(state.alpha, state.errors, state.index, state.thresholds, state.places),
            *(estimates.sums, estimates.paths),
        )
        self._matrix = np.empty((n, n) if sample.fits_into_matrix else (0, 0), dtype=np.float32)
        if sample.fits_into_matrix:
            work = _MULTIPLICATIONS * len(sample.kernel.names) * n * n
            in_parts(lambda start, stop: smo.fill_matrix(start, stop, self._events, self._matrix), n, TILE // 8, work)

    def sweep(self, *, everything: bool) -> int:
        """Examine all events, or those with a multiplier, and return how many multipliers could be changed."""
        return smo.sweep(everything, self._events, self._sample, self._matrix, self._state, self._twice_tolerance)
