"""The training events as the search sees them: trimmed to equal classes, and scaled to equal widths."""

from __future__ import annotations

import numpy as np

from pytmva_bnn._typing import Float32Array, FloatArray, IndexArray, IntArray
from pytmva_bnn.errors import InputError

FEWEST_TO_SCALE = 100


def trimmed(types: IntArray) -> IndexArray:
    """Return the events that are kept so that every type has as many as the rarest: the first ones.

    >>> trimmed(np.array([1, 2, 2, 2, 1])).tolist()
    [0, 1, 2, 4]
    """
    numbers = np.empty(len(types), dtype=np.intp)
    kinds = [np.flatnonzero(types == kind) for kind in np.unique(types)]
    for events in kinds:
        numbers[events] = np.arange(len(events))
    return np.flatnonzero(numbers < min(map(len, kinds), default=0))


def percentages(scale_fraction: float) -> tuple[int, int, int]:
    """Return the percentage of events that defines a width, and those below and above which it lies; 0: no scaling."""
    # TMVA: rounds down, so that 0.57 gives 56
    percent = int(100 * scale_fraction)
    return percent, (100 - percent) // 2, 100 - (100 - percent) // 2


def widths(x: Float32Array, scale_fraction: float) -> FloatArray | None:
    """Return the width of each variable of events ``(n_events, n_variables)``, or None if nothing is scaled."""
    percent, bottom, top = percentages(scale_fraction)
    if scale_fraction <= 0 or percent <= 0:
        return None
    n = len(x)
    if n < FEWEST_TO_SCALE:
        raise InputError(
            f"number of events is too small: {n} events, but the widths of the variables need {FEWEST_TO_SCALE}; "
            "set ScaleFrac=0"
        )
    values = np.sort(x, axis=0).astype(np.float64)
    percentile = 100 * np.arange(n) // n
    low, high = (int(np.searchsorted(percentile, percent)) for percent in (bottom, top))
    # TMVA: the full range if one of them does not exist, as for ScaleFrac=1
    if high == n or percentile[low] != bottom or percentile[high] != top:
        low, high = 0, n - 1
    result: FloatArray = values[high] - values[low]
    if not (result > 0).all():
        number = int(np.argmin(result))
        raise InputError(
            f"variable {number + 1} has no width: the central {percent}% of the events have the same value "
            f"{values[low, number]:g}; remove it, or set ScaleFrac to 1 or 0"
        )
    return result


def scaled(x: Float32Array, variable_widths: FloatArray | None) -> Float32Array:
    """Return the events in units of the widths."""
    if variable_widths is None:
        return x
    with np.errstate(over="ignore", invalid="ignore"):
        return (x / variable_widths).astype(np.float32)
