"""The range that a foam covers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pytmva_bnn._typing import Float32Array, FloatArray
from pytmva_bnn.errors import InputError
from pytmva_bnn.histograms import Axis

N_BINS = 10000
FLT_MIN = float(np.float32(1.17549435e-38))


def foam_range(x: Float32Array, tail_cut: float, names: Sequence[str]) -> tuple[FloatArray, FloatArray]:
    """Return the ends of the range of each column of events (n_events, n_dimensions), as float32 numbers.

    At both ends a fraction ``tail_cut`` of the events is left out.
    """
    n_outside = int(np.float32(np.float32(len(x)) * np.float32(tail_cut)))
    ends = np.array([_ends(column, n_outside) for column in x.T], dtype=np.float32).astype(np.float64)
    for (low, high), column, name in zip(ends, x.T, names, strict=True):
        if not low < high or column.min() == column.max():
            raise InputError(
                f"the range of {name} is empty: it is constant, or TailCut={tail_cut:g} leaves nothing of it"
            )
    return ends[:, 0], ends[:, 1]


def _ends(column: Float32Array, n_outside: int) -> tuple[float, float]:
    # TMVA: the search for the maximum starts from the smallest positive number: a variable that is always negative
    # has a range up to 0
    axis = Axis(N_BINS, float(column.min()), max(float(column.max()), FLT_MIN))
    counts = np.bincount(axis.find_bin(column), minlength=N_BINS + 2)
    below, above = np.cumsum(counts)[1:-1], np.cumsum(counts[::-1])[::-1][1:-1]
    first, last = np.flatnonzero(below > n_outside), np.flatnonzero(above > n_outside)
    if not len(first) or not len(last):
        return 0.0, 0.0
    return float(axis.low_edge(first[0] + 1)), float(axis.low_edge(last[-1] + 2))
