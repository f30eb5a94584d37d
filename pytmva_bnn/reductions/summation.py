"""Sums one term at a time in a given order, as a C++ loop adds; numpy's own sums add in pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pytmva_bnn.fast.twins import compiled_pays

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

BLOCK = 1 << 14
"""Events that are worked on at a time: few enough for the processor's cache."""
TO_ADD = 4e-9
"""Seconds that numpy takes to add a term."""


def sequential_sum(terms: Floats, axis: int = -1) -> Floats:
    """Return the sum along an axis, added in ascending order; 0 for no terms.

    >>> terms = np.array([2.0**53, 1.0, 1.0, -(2.0**53)])
    >>> float(sequential_sum(terms))
    0.0
    """
    if terms.shape[axis] == 0:
        return np.zeros(np.delete(terms.shape, axis))
    n = terms.shape[axis]
    if n <= BLOCK:
        with np.errstate(all="ignore"):  # infinite values
            result: Floats = np.add.accumulate(terms, axis=axis).take(-1, axis=axis)
        return result
    if terms.ndim == 1 and terms.dtype == np.float64 and compiled_pays(TO_ADD * n):
        from pytmva_bnn.reductions.summation_kernels import add_up  # lazy: numba

        return np.asarray(add_up(terms))
    along = np.moveaxis(terms, axis, -1)
    total = np.zeros(along.shape[:-1])
    with np.errstate(all="ignore"):
        for block in blocks(n):
            part = along[..., block].copy()
            if block.start > 0:
                part[..., 0] += total
            total = np.add.accumulate(part, axis=-1, out=part)[..., -1].copy()
    return total


def blocks(n: int, size: int = BLOCK) -> Iterator[slice]:
    """Yield slices that cover 0..n-1 in order.

    >>> list(blocks(5, 2))
    [slice(0, 2, None), slice(2, 4, None), slice(4, 5, None)]
    """
    return (slice(start, min(start + size, n)) for start in range(0, n, size))
