"""Sums one term at a time in a given order, as a C++ loop adds; numpy's own sums add in pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pytmva_bnn.twins import compiled_pays

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
        from pytmva_bnn.summation_kernels import add_up  # lazy: numba

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


def weighted_moments(x: Floats, weights: Floats) -> tuple[float, Floats, Floats]:
    """Return W = Σw, Σ x_i w (n,) and Σ (x_i x_j) w (n, n) of events in columns x (n, n_events).

    >>> W, first, second = weighted_moments(np.array([[1.0, 2.0], [3.0, 5.0]]), np.array([1.0, 2.0]))
    >>> W, first.tolist(), second.tolist()
    (3.0, [5.0, 13.0], [[9.0, 23.0], [23.0, 59.0]])
    """
    n = len(x)
    first, second = np.zeros(n), np.zeros((n, n))
    for block in blocks(x.shape[1]):
        part, w = x[:, block], weights[block]
        terms = np.empty((n, len(w) + 1))  # the sums so far, then the terms to add
        terms[:, 0] = first
        with np.errstate(all="ignore"):
            np.multiply(part, w, out=terms[:, 1:])
            first = np.add.accumulate(terms, axis=1, out=terms)[:, -1].copy()
            for i in range(n):
                rest = terms[i:]
                rest[:, 0] = second[i, i:]
                np.multiply(part[i:], part[i], out=rest[:, 1:])
                rest[:, 1:] *= w
                second[i, i:] = np.add.accumulate(rest, axis=1, out=rest)[:, -1]
    upper = np.triu(second)
    return float(sequential_sum(weights)), first, upper + np.triu(second, 1).T
