"""Compiled twins of the sums in :mod:`pytmva_bnn.reductions.summation`: the sum so far stays in the processor."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.fast.compiler import compiled


@compiled
def add_up(terms: NDArray[np.float64]) -> float:
    """Return the sum of (n,) terms, n > 0, one after the other."""
    total = terms[0]
    for i in range(1, terms.size):
        total += terms[i]
    return float(total)
