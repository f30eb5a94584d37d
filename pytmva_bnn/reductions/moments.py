"""Means and covariances of variables, added up event by event as TMVA does.

numpy needs several passes for that, so that many events are left to compiled code with the same result.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from pytmva_bnn._typing import AnyArray, FloatArray
from pytmva_bnn.fast.twins import compiled_pays
from pytmva_bnn.reductions.summation import blocks, sequential_sum

TO_MULTIPLY = 8e-9
"""Seconds that numpy takes for the product of two variables of an event."""
TO_UPDATE = 7e-6
"""Seconds that numpy takes to update the running moments."""


def covariance(x: ArrayLike, weights: ArrayLike) -> FloatArray:
    """Return C_ij = Σ(x_i x_j)w / W - (Σ x_i w)(Σ x_j w) / W² of inputs (n_events, n_inputs); NaN for W = 0."""
    table, w = np.asarray(x), np.asarray(weights, dtype=np.float64)
    W = sequential_sum(w)  # noqa: N806
    first, second = weighted_sums(table, w)
    with np.errstate(all="ignore"):
        result: FloatArray = second / W - np.outer(first, first) / (W * W)
    return result


def weighted_sums(
    x: AnyArray, weights: FloatArray, *, centre: FloatArray | None = None, rounded: bool = False
) -> tuple[FloatArray, FloatArray]:
    """Return Σ x_i w (n,) and Σ (x_i x_j) w (n, n) of inputs (n_events, n).

    ``centre`` (n,) is subtracted from the inputs; ``rounded`` products x_i x_j are float32.
    """
    m = np.zeros(x.shape[1]) if centre is None else centre
    add = _sums_by_kernel if compiled_pays(TO_MULTIPLY * x.size * x.shape[1]) else _sums_by_numpy
    return add(x, weights, m, rounded)


def _sums_by_numpy(
    x: AnyArray, weights: FloatArray, centre: FloatArray, rounded: bool
) -> tuple[FloatArray, FloatArray]:
    n = x.shape[1]
    first, second = np.zeros(n), np.zeros((n, n))
    for block in blocks(len(x)):
        part, w = np.ascontiguousarray(x[block].T, dtype=np.float64), weights[block]
        part = part - centre[:, None]
        terms = np.empty((n, len(w) + 1))  # the sums so far, then the terms to add
        terms[:, 0] = first
        with np.errstate(all="ignore"):
            np.multiply(part, w, out=terms[:, 1:])
            first = np.add.accumulate(terms, axis=1, out=terms)[:, -1].copy()
            for i in range(n):
                rest = terms[i:]
                rest[:, 0] = second[i, i:]
                np.multiply(part[i:], part[i], out=rest[:, 1:])
                if rounded:
                    rest[:, 1:] = rest[:, 1:].astype(np.float32)
                rest[:, 1:] *= w
                second[i, i:] = np.add.accumulate(rest, axis=1, out=rest)[:, -1]
    return first, np.triu(second) + np.triu(second, 1).T


def _sums_by_kernel(
    x: AnyArray, weights: FloatArray, centre: FloatArray, rounded: bool
) -> tuple[FloatArray, FloatArray]:
    from pytmva_bnn.reductions.moments_kernels import add_weighted  # lazy: numba

    first, lower = np.zeros(x.shape[1]), np.zeros((x.shape[1], x.shape[1]))
    add_weighted(np.ascontiguousarray(x), weights, centre, rounded, first, lower)
    return first, lower + np.tril(lower, -1).T


def linear_sums(x: AnyArray, weights: FloatArray) -> FloatArray:
    """Return Σ x_i w (n,) of inputs (n_events, n)."""
    total = np.zeros(x.shape[1])
    for block in blocks(len(x)):
        with np.errstate(all="ignore"):
            terms = x[block].T.astype(np.float64) * weights[block]
            terms[:, 0] += total
        total = sequential_sum(terms)
    return total


def running_moments(x: AnyArray) -> tuple[FloatArray, FloatArray]:
    """Return means (n,) and population covariance (n, n) of inputs (n_events, n), updated with every event.

    Rounding makes the result differ from that of the closed formulas by some √N/4 · 2^-52.
    """
    m, C = np.zeros(x.shape[1]), np.zeros((x.shape[1], x.shape[1]))  # noqa: N806
    if compiled_pays(TO_UPDATE * len(x)):
        from pytmva_bnn.reductions.moments_kernels import update_moments  # lazy: numba

        update_moments(np.ascontiguousarray(x), m, C)
    else:
        with np.errstate(all="ignore"):
            for number, p in enumerate(np.asarray(x, dtype=np.float64), start=1):
                a = 1.0 / number
                c = 1.0 - a
                m *= c
                m += p * a
                if number > 1:
                    d = p - m
                    C *= c  # noqa: N806
                    C += (d * (1.0 / (number - 1)))[:, None] * d  # noqa: N806
    return m, np.tril(C) + np.tril(C, -1).T
