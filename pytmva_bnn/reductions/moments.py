"""Weighted moments of variables, added up event by event as TMVA does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pytmva_bnn.fast.threads import in_parts
from pytmva_bnn.fast.twins import compiled_pays
from pytmva_bnn.reductions.summation import blocks, sequential_sum

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]
    Moments = tuple[float, Floats, Floats]

TO_MULTIPLY = 8e-9
"""Seconds that numpy takes for the product of two variables of an event."""


def weighted_moments(x: NDArray[Any], weights: Floats) -> Moments:
    """Return W = Σw, Σ x_i w (n,) and Σ (x_i x_j) w (n, n) of events in columns x (n, n_events).

    >>> W, first, second = weighted_moments(np.array([[1.0, 2.0], [3.0, 5.0]]), np.array([1.0, 2.0]))
    >>> W, first.tolist(), second.tolist()
    (3.0, [5.0, 13.0], [[9.0, 23.0], [23.0, 59.0]])
    """
    n = len(x)
    first, second = np.zeros(n), np.zeros((n, n))
    for block in blocks(x.shape[1]):
        part, w = np.ascontiguousarray(x[:, block], dtype=np.float64), weights[block]
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


def covariance(x: ArrayLike, weights: ArrayLike) -> Floats:
    """Return C_ij = Σ(x_i x_j)w / W - (Σ x_i w)(Σ x_j w) / W² of inputs (n_events, n_inputs); NaN for W = 0.

    >>> covariance([[1.0, 2.0], [3.0, 6.0]], [1.0, 1.0]).tolist()
    [[1.0, 2.0], [2.0, 4.0]]
    """
    return class_covariances(np.asarray(x), np.asarray(weights, dtype=np.float64), None, 1)[0]


def covariances(x: NDArray[Any], weights: Floats, classes: NDArray[np.integer], n_classes: int) -> list[Floats]:
    """Return the covariances of each class and, if there are several classes, those of all events as the last.

    >>> x = np.float32([[1.0], [3.0], [7.0], [7.0]])
    >>> [C.tolist() for C in covariances(x, np.ones(4), np.array([0, 0, 1, 1]), 2)]
    [[[1.0]], [[0.0]], [[6.75]]]
    """
    kinds = [True, False] if n_classes > 1 else [False]
    found: dict[bool, list[Floats]] = {}

    def compute(start: int, stop: int) -> None:
        for by_class in kinds[start:stop]:
            found[by_class] = class_covariances(x, weights, classes if by_class else None, n_classes)

    compiled = compiled_pays(TO_MULTIPLY * x.size * x.shape[1])
    in_parts(compute, len(kinds), 1, multiplications=float(x.size) * x.shape[1] if compiled else 0.0)
    return [C for by_class in kinds for C in found[by_class]]


def class_covariances(
    x: NDArray[Any], weights: Floats, classes: NDArray[np.integer] | None, n_classes: int
) -> list[Floats]:
    """Return the covariances of each class, or without ``classes`` those of all events.

    >>> x = np.float32([[1.0], [3.0], [7.0], [7.0]])
    >>> [C.tolist() for C in class_covariances(x, np.ones(4), np.array([0, 0, 1, 1]), 2)]
    [[[1.0]], [[0.0]]]
    """
    if compiled_pays(TO_MULTIPLY * x.size * x.shape[1]):
        moments = _moments_by_kernel(x, weights, classes, n_classes)
    elif classes is None:
        moments = [weighted_moments(x.T, weights)]
    else:
        sets = [np.flatnonzero(classes == k) for k in range(n_classes)]
        moments = [weighted_moments(np.take(x, one, axis=0).T, weights[one]) for one in sets]
    return [_covariance(*one) for one in moments]


def _moments_by_kernel(
    x: NDArray[Any], weights: Floats, classes: NDArray[np.integer] | None, n_classes: int
) -> list[Moments]:
    from pytmva_bnn.reductions.moments_kernels import weighted_sums  # lazy: numba

    n, n_sets = x.shape[1], 1 if classes is None else n_classes
    zeroth, first, lower = np.zeros(n_sets), np.zeros((n_sets, n)), np.zeros((n_sets, n, n))
    index = np.empty(0, np.intp) if classes is None else classes
    weighted_sums(np.ascontiguousarray(x), weights, index, classes is not None, zeroth, first, lower)
    return list(zip(zeroth.tolist(), first, lower + np.tril(lower, -1).mT, strict=True))


def _covariance(total: float, first: Floats, second: Floats) -> Floats:
    W = np.float64(total)  # noqa: N806
    with np.errstate(all="ignore"):
        result: Floats = second / W - np.outer(first, first) / (W * W)
    return result
