"""The symmetric eigenproblem and the inverse of a matrix, in TMVA's order of operations (float64).

Why not a library's: the eigenvectors' signs, which become the signs of the principal components, depend on the
arrangement of the algorithm.  Sums run over ascending indices (``add.accumulate``), whole rows at a time.
"""

from __future__ import annotations

import logging

import numpy as np

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.reductions.summation import sequential_sum

LOGGER = logging.getLogger("pytmva_bnn.transform")

EPSILON = 2.0**-52
MAX_QL_ITERATIONS = 30
SMALLEST_PIVOT = 2.220446049250313e-16


def symmetric_eigen(matrix: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the eigenvalues (n,) in descending order and the eigenvectors in columns (n, n).

    Householder tridiagonalisation and QL with implicit shifts.  A matrix that is not finite gives NaN.
    """
    matrix = np.asarray(matrix, dtype=np.float64)
    if not np.all(np.isfinite(matrix)):
        return np.full(len(matrix), np.nan), np.full(matrix.shape, np.nan)
    V, d, e = _tridiagonalise(matrix)  # noqa: N806
    rows = np.ascontiguousarray(V.T)  # QL works on columns of V
    if not _diagonalise(rows, d, e):
        LOGGER.warning("the eigenvalues did not converge within %d iterations", MAX_QL_ITERATIONS)
    order = _descending(d)
    return d[order], np.ascontiguousarray(rows[order].T)


def _tridiagonalise(matrix: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return V with V^T M V tridiagonal, its diagonal d (n,), and the elements beside it e (n,), e_0 = 0."""
    n = len(matrix)
    V = matrix.copy()  # noqa: N806
    d, e = V[n - 1].copy(), np.zeros(n)
    for i in range(n - 1, 0, -1):
        h = 0.0
        sigma = float(sequential_sum(np.abs(d[:i])))
        if sigma == 0.0:
            e[i] = d[i - 1]
            d[:i] = V[i - 1, :i]
            V[i, :i] = V[:i, i] = 0.0
        else:
            d[:i] /= sigma
            h = float(sequential_sum(d[:i] * d[:i]))
            f = d[i - 1]
            g = -np.sqrt(h) if f > 0 else np.sqrt(h)
            e[i] = sigma * g
            h -= float(f * g)
            d[i - 1] = f - g
            block, u = V[:i, :i], d[:i]
            lower = np.tril(block)
            symmetric = lower + np.tril(block, -1).T
            p = sequential_sum(symmetric * u, axis=1) / h
            p -= sequential_sum(p * u) / (h + h) * u
            V[:i, i] = u
            V[:i, :i] = symmetric - (np.outer(p, u) + np.outer(u, p))
            d[:i] = V[i - 1, :i]
            V[i, :i] = 0.0
        d[i] = h
    _accumulate_reflections(V, d)
    e[0] = 0.0
    return V, d, e


def _accumulate_reflections(V: FloatArray, d: FloatArray) -> None:  # noqa: N803
    """Turn the reflections kept in the columns of V into their product, and d into the diagonal."""
    n = len(d)
    for i in range(n - 1):
        V[n - 1, i] = V[i, i]
        V[i, i] = 1.0
        h = d[i + 1]
        top = slice(0, i + 1)
        if h != 0.0:
            d[top] = V[top, i + 1] / h
            g = sequential_sum(V[top, i + 1][:, None] * V[top, top], axis=0)
            V[top, top] -= g * d[top][:, None]
        V[top, i + 1] = 0.0
    d[:] = V[n - 1]
    V[n - 1] = 0.0
    V[n - 1, n - 1] = 1.0


def _diagonalise(rows: FloatArray, d: FloatArray, e: FloatArray) -> bool:
    """Rotate until e vanishes; d becomes the eigenvalues and ``rows`` the eigenvectors.  Return whether it does."""
    n = len(d)
    converged = True
    e[:-1] = e[1:].copy()
    e[-1] = 0.0
    f = t = 0.0
    for l in range(n):  # noqa: E741
        t = max(t, abs(float(d[l])) + abs(float(e[l])))
        small = np.abs(e[l:]) <= EPSILON * t
        m = l + int(np.argmax(small))
        if m > l:
            for _ in range(MAX_QL_ITERATIONS):
                f += _ql_step(rows, d, e, l, m)
                if not abs(e[l]) > EPSILON * t:
                    break
            else:
                converged = False
        d[l] += f
        e[l] = 0.0
    return converged


def _ql_step(rows: FloatArray, d: FloatArray, e: FloatArray, l: int, m: int) -> float:  # noqa: E741
    """Do one iteration on the block l..m; return the shift that was subtracted from all of d."""
    g = float(d[l])
    e_l = float(e[l])
    p = (float(d[l + 1]) - g) / (2.0 * e_l)
    r = float(np.hypot(p, 1.0))
    r = -r if p < 0 else r
    d[l] = e_l / (p + r)
    d[l + 1] = e_l * (p + r)
    next_d = float(d[l + 1])
    shift = g - float(d[l])
    d[l + 2 :] -= shift
    p = float(d[m])
    c = c2 = c3 = 1.0
    next_e = float(e[l + 1])
    s = s2 = 0.0
    for i in range(m - 1, l - 1, -1):
        c3, c2, s2 = c2, c, s
        e_i, d_i = float(e[i]), float(d[i])
        g = c * e_i
        h = c * p
        r = float(np.hypot(p, e_i))
        e[i + 1] = s * r
        s = e_i / r
        c = p / r
        p = c * d_i - s * g
        d[i + 1] = h + s * (c * g + s * d_i)
        above = rows[i + 1].copy()
        rows[i + 1] = s * rows[i] + c * above
        rows[i] = c * rows[i] - s * above
    p = -s * s2 * c3 * next_e * float(e[l]) / next_d
    e[l] = s * p
    d[l] = c * p
    return shift


def _descending(values: FloatArray) -> list[int]:
    """Return the order that exchanging with the largest of the rest gives (not stable for equal values)."""
    d, order = values.copy(), list(range(len(values)))
    for i in range(len(d) - 1):
        k = i + int(np.argmax(d[i:]))
        d[i], d[k] = d[k], d[i]
        order[i], order[k] = order[k], order[i]
    return order


def lu_inverse(matrix: FloatArray) -> FloatArray | None:
    """Return the inverse (n, n), or None where TMVA finds the matrix singular.

    Crout's decomposition with implicit row scaling and partial pivoting.
    """
    with np.errstate(all="ignore"):  # NaN passes through, as in TMVA
        decomposed = _crout(np.array(matrix, dtype=np.float64))
        if decomposed is None:
            return None
        lu, swaps = decomposed
        n = len(lu)
        inverse = _inverse_of_upper(lu)
        for j in range(n - 2, -1, -1):
            inverse[:, j] = -sequential_sum(inverse[:, j + 1 :] * lu[j + 1 :, j], axis=1) + inverse[:, j]
    for j in range(n - 1, -1, -1):
        inverse[:, [j, swaps[j]]] = inverse[:, [swaps[j], j]]
    return inverse


def lu_determinant(matrix: FloatArray) -> float:
    """Return the determinant; 0 where :func:`lu_inverse` finds the matrix singular."""
    with np.errstate(all="ignore"):
        decomposed = _crout(np.array(matrix, dtype=np.float64))
        if decomposed is None:
            return 0.0
        lu, swaps = decomposed
        n_swaps = sum(pivot != row for row, pivot in enumerate(swaps))
        return float(np.prod(np.diagonal(lu))) * (-1.0 if n_swaps % 2 else 1.0)


def _crout(a: FloatArray) -> tuple[FloatArray, list[int]] | None:
    """Return L (below the unit diagonal) and U in one matrix and the row exchanged with each, or None."""
    n = len(a)
    largest = np.abs(a).max(axis=1, initial=0.0)
    scales = np.where(largest == 0.0, 0.0, 1.0 / largest)
    swaps = []
    for j in range(n):
        column = a[:, j].copy()
        for k in range(j):
            column[k + 1 :] -= a[k + 1 :, k] * column[k]
        size = scales[j:] * np.abs(column[j:])
        # the last among equals
        pivot = j if np.isnan(size).any() else n - 1 - int(np.argmax(size[::-1]))
        a[:, j] = column
        swaps.append(pivot)
        if pivot != j:
            a[[j, pivot]] = a[[pivot, j]]
            scales[pivot] = scales[j]
        if abs(a[j, j]) < SMALLEST_PIVOT:
            return None
        a[j + 1 :, j] *= 1.0 / a[j, j]
    return a, swaps


def _inverse_of_upper(lu: FloatArray) -> FloatArray:
    n = len(lu)
    inverse = np.zeros((n, n))
    for j in range(n):
        inverse[j, j] = 1.0 / lu[j, j]
        column = lu[:j, j].copy()
        for k in range(j):
            column[:k] += column[k] * inverse[:k, k]
            column[k] *= inverse[k, k]
        inverse[:j, j] = column * -inverse[j, j]
    return inverse
