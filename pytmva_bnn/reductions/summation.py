"""Sums one term at a time in a given order, as a C++ loop adds; numpy's own sums add in pairs."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pytmva_bnn._typing import FloatArray

BLOCK = 1 << 14
"""Events that are worked on at a time: few enough for the processor's cache."""


def sequential_sum(terms: FloatArray, axis: int = -1) -> FloatArray:
    """Return the sum along an axis, added in ascending order; 0 for no terms."""
    n = terms.shape[axis]
    if n == 0:
        return np.zeros(np.delete(terms.shape, axis))
    with np.errstate(all="ignore"):  # infinite values
        if n <= BLOCK:
            result: FloatArray = np.add.accumulate(terms, axis=axis).take(-1, axis=axis)
            return result
        along = np.moveaxis(terms, axis, -1)
        total = np.zeros(along.shape[:-1])
        for block in blocks(n):
            part = along[..., block].copy()
            if block.start > 0:
                part[..., 0] += total
            total = np.add.accumulate(part, axis=-1, out=part)[..., -1].copy()
    return total


def blocks(n: int, size: int = BLOCK) -> Iterator[slice]:
    """Yield slices that cover 0..n-1 in order."""
    return (slice(start, min(start + size, n)) for start in range(0, n, size))
