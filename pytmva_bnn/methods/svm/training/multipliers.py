"""The multipliers of the training events while they are being optimised, and the kernels between these events."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import Float32Array
from pytmva_bnn.methods.svm.kernel import Kernel
from pytmva_bnn.random import TRandom3

LARGEST_MATRIX = 1 << 29
"""Bytes of the kernels of all pairs of events that are kept; of larger samples they are computed when needed."""


@dataclass(frozen=True, eq=False)
class Sample:
    """Training events: variables ``(n_events, n_variables)``, flags (-1: signal, +1: background) and costs."""

    x: Float32Array
    flags: Float32Array
    costs: Float32Array
    kernel: Kernel

    def __len__(self) -> int:
        return len(self.flags)

    @property
    def fits_into_matrix(self) -> bool:
        """Tell whether the kernels of all pairs are kept."""
        return 4 * len(self) ** 2 <= LARGEST_MATRIX


@dataclass(frozen=True, eq=False)
class Multipliers:
    """What changes, all in arrays.

    ``index`` is 0 for an event whose multiplier α is neither 0 nor at its bound.  At 0 it is the flag, at the bound
    the flag with the other sign.  ``errors`` are the differences of output and flag, up to b.  ``thresholds`` are the
    largest and smallest error b_low and b_up that may have to be brought together, ``places`` the events with them.
    """

    alpha: Float32Array
    errors: Float32Array
    index: NDArray[np.int32]
    thresholds: Float32Array
    places: NDArray[np.int64]

    @classmethod
    def start(cls, flags: Float32Array) -> Multipliers:
        """Return the multipliers before the training: all 0, and a random pair of events."""
        n, random = len(flags), TRandom3()
        low = random.integer(n)
        while flags[low] > 0:
            low = random.integer(n)
        up = low
        while flags[up] < 0:
            up = random.integer(n)
        zeros = np.zeros(n, dtype=np.float32)
        thresholds = np.array([1, -1], dtype=np.float32)
        return cls(zeros, zeros.copy(), flags.astype(np.int32), thresholds, np.array([low, up]))

    def copy(self) -> Multipliers:
        """Return a copy that the training does not change."""
        return Multipliers(*(getattr(self, one.name).copy() for one in fields(self)))

    @property
    def b(self) -> np.float32:
        """Return the threshold of the output."""
        return np.float32(0.5 * float(self.thresholds[0] + self.thresholds[1]))
