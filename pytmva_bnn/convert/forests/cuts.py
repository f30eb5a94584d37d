"""TMVA's cuts for the thresholds of other libraries: every event of 32-bit floats goes the same way.

In TMVA an event goes right if x >= cut, in float32.  So a cut is the smallest float32 that the other library sends to
the right.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pytmva_bnn._typing import Float32Array, FloatArray, IndexArray
from pytmva_bnn.convert.forests.foreign import Splitting

LARGEST = np.finfo(np.float32).max
_BLOCK = 1 << 22


def cuts(thresholds: FloatArray, splitting: Splitting) -> Float32Array:
    """Return the cuts; infinite where all events go left.

    >>> cuts(np.array([0.1, 0.5]), Splitting(or_equal=True, rounds=True))
    array([0.1       , 0.50000006], dtype=float32)
    """
    with np.errstate(over="ignore"):
        nearest = thresholds.astype(np.float32)
        too_low = nearest <= thresholds if splitting.or_equal else nearest < thresholds
        result = np.where(too_low, np.nextafter(nearest, np.float32(np.inf)), nearest)
    lowest: Float32Array = np.maximum(result, -LARGEST)  # infinity has no place in a weight file
    return lowest


def scaled_cuts(
    thresholds: FloatArray,
    splitting: Splitting,
    features: IndexArray,
    scaling: Callable[[FloatArray], FloatArray],
    n_features: int,
) -> Float32Array:
    """Return the cuts on events before a scaling of each variable alone, found by bisection over all floats."""
    result = np.empty(len(thresholds), dtype=np.float32)
    step = max(1, _BLOCK // n_features)
    for start in range(0, len(thresholds), step):
        part = slice(start, start + step)
        result[part] = _bisected(thresholds[part], splitting, features[part], scaling, n_features)
    return result


def _bisected(
    thresholds: FloatArray,
    splitting: Splitting,
    features: IndexArray,
    scaling: Callable[[FloatArray], FloatArray],
    n_features: int,
) -> Float32Array:
    events = np.arange(len(thresholds))
    low = np.full(len(thresholds), _rank(-LARGEST), dtype=np.int64)
    high = np.full(len(thresholds), _rank(LARGEST) + 1, dtype=np.int64)
    while (low < high).any():
        middle = (low + high) // 2
        x = np.zeros((len(thresholds), n_features))
        x[events, features] = _float_of(middle)
        with np.errstate(over="ignore"):
            scaled = scaling(x)[events, features]
            if splitting.rounds:
                scaled = scaled.astype(np.float32).astype(np.float64)
        goes_right = scaled > thresholds if splitting.or_equal else scaled >= thresholds
        high = np.where(goes_right, middle, high)
        low = np.where(goes_right, low, np.minimum(middle + 1, high))
    return _float_of(low)


def _rank(number: np.float32) -> int:
    """Return the position of a float among all floats; 0 has 0."""
    bits = int(np.float32(number).view(np.int32))
    return bits if bits >= 0 else -(bits & 0x7FFFFFFF)


def _float_of(rank: IndexArray) -> Float32Array:
    bits = np.where(rank >= 0, rank, -rank | 0x80000000).astype(np.uint32)
    return bits.view(np.float32)
