"""Compiled twins of :mod:`pytmva_bnn.transform.linear_algebra`: the same operations on single numbers."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.fast.compiler import compiled

EPSILON = 2.0**-52
SMALLEST_PIVOT = 2.220446049250313e-16


# -- the symmetric eigenproblem


@compiled
def tridiagonalise(V: FloatArray, d: FloatArray, e: FloatArray) -> None:  # noqa: N803
    """Turn the matrix V (n, n) into the transformation; write the diagonal and what is beside it to d and e (n,)."""
    n = d.size
    symmetric, p, u = np.empty((n, n)), np.empty(n), np.empty(n)
    d[:] = V[n - 1]
    e[:] = 0.0
    for i in range(n - 1, 0, -1):
        h = 0.0
        sigma = abs(d[0])
        for k in range(1, i):
            sigma += abs(d[k])
        if sigma == 0.0:
            e[i] = d[i - 1]
            for j in range(i):
                d[j] = V[i - 1, j]
                V[i, j] = V[j, i] = 0.0
        else:
            for k in range(i):
                d[k] /= sigma
                h = h + d[k] * d[k] if k else d[k] * d[k]
            f = d[i - 1]
            g = -math.sqrt(h) if f > 0 else math.sqrt(h)
            e[i] = sigma * g
            h -= f * g
            d[i - 1] = f - g
            for j in range(i):
                u[j] = d[j]
                for k in range(i):
                    symmetric[j, k] = V[max(j, k), min(j, k)] + 0.0
            q = 0.0
            for j in range(i):
                total = symmetric[j, 0] * u[0]
                for k in range(1, i):
                    total += symmetric[j, k] * u[k]
                p[j] = total / h
                q = q + p[j] * u[j] if j else p[j] * u[j]
            q = q / (h + h)
            for j in range(i):
                p[j] -= q * u[j]
            for j in range(i):
                V[j, i] = u[j]
                for k in range(i):
                    V[j, k] = symmetric[j, k] - (p[j] * u[k] + u[j] * p[k])
            for j in range(i):
                d[j] = V[i - 1, j]
                V[i, j] = 0.0
        d[i] = h
    _accumulate_reflections(V, d)
    e[0] = 0.0


@compiled
def _accumulate_reflections(V: FloatArray, d: FloatArray) -> None:  # noqa: N803
    n = d.size
    for i in range(n - 1):
        V[n - 1, i] = V[i, i]
        V[i, i] = 1.0
        h = d[i + 1]
        if h != 0.0:
            for k in range(i + 1):
                d[k] = V[k, i + 1] / h
            for j in range(i + 1):
                g = V[0, i + 1] * V[0, j]
                for k in range(1, i + 1):
                    g += V[k, i + 1] * V[k, j]
                for k in range(i + 1):
                    V[k, j] -= g * d[k]
        for k in range(i + 1):
            V[k, i + 1] = 0.0
    for j in range(n):
        d[j] = V[n - 1, j]
        V[n - 1, j] = 0.0
    V[n - 1, n - 1] = 1.0


@compiled
def diagonalise(rows: FloatArray, d: FloatArray, e: FloatArray, most: int) -> bool:
    """Rotate until e vanishes; d becomes the eigenvalues and ``rows`` the eigenvectors.

    Return whether none of them took more than ``most`` iterations.
    """
    n = d.size
    converged = True
    for i in range(n - 1):
        e[i] = e[i + 1]
    e[n - 1] = 0.0
    f = t = 0.0
    for l in range(n):  # noqa: E741
        t = max(t, abs(d[l]) + abs(e[l]))
        m = l
        while m < n and not abs(e[m]) <= EPSILON * t:
            m += 1
        if l < m < n:
            left = most
            while True:
                f += _ql_step(rows, d, e, l, m)
                left -= 1
                if not abs(e[l]) > EPSILON * t:
                    break
                if left == 0:
                    converged = False
                    break
        d[l] += f
        e[l] = 0.0
    return converged


@compiled
def _ql_step(rows: FloatArray, d: FloatArray, e: FloatArray, l: int, m: int) -> float:  # noqa: E741
    g = d[l]
    p = (d[l + 1] - g) / (2.0 * e[l])
    r = math.hypot(p, 1.0)
    r = -r if p < 0 else r
    d[l] = e[l] / (p + r)
    d[l + 1] = e[l] * (p + r)
    next_d = d[l + 1]
    shift = float(g - d[l])
    for i in range(l + 2, d.size):
        d[i] -= shift
    p = d[m]
    c = c2 = c3 = 1.0
    next_e = e[l + 1]
    s = s2 = 0.0
    for i in range(m - 1, l - 1, -1):
        c3, c2, s2 = c2, c, s
        e_i, d_i = e[i], d[i]
        g = c * e_i
        h = c * p
        r = math.hypot(p, e_i)
        e[i + 1] = s * r
        s = e_i / r
        c = p / r
        p = c * d_i - s * g
        d[i + 1] = h + s * (c * g + s * d_i)
        for k in range(rows.shape[1]):
            above = rows[i + 1, k]
            rows[i + 1, k] = s * rows[i, k] + c * above
            rows[i, k] = c * rows[i, k] - s * above
    p = -s * s2 * c3 * next_e * e[l] / next_d
    e[l] = s * p
    d[l] = c * p
    return shift


# -- the inverse of a matrix


@compiled
def lu_inverse(a: FloatArray, inverse: FloatArray) -> bool:
    """Write the inverse of ``a`` (n, n), which is overwritten, to ``inverse``; return False if it is singular."""
    n = len(a)
    swaps = np.empty(n, np.int64)
    if not _crout(a, swaps):
        return False
    _inverse_of_upper(a, inverse)
    for j in range(n - 2, -1, -1):
        for i in range(n):
            total = inverse[i, j + 1] * a[j + 1, j]
            for c in range(j + 2, n):
                total += inverse[i, c] * a[c, j]
            inverse[i, j] = -total + inverse[i, j]
    for j in range(n - 1, -1, -1):
        for i in range(n):
            inverse[i, j], inverse[i, swaps[j]] = inverse[i, swaps[j]], inverse[i, j]
    return True


@compiled
def _crout(a: FloatArray, swaps: NDArray[np.int64]) -> bool:
    n = len(a)
    scales = np.empty(n)
    for i in range(n):
        largest = 0.0
        for j in range(n):
            # NaN stays
            largest = abs(a[i, j]) if not abs(a[i, j]) <= largest else largest
        scales[i] = 0.0 if largest == 0.0 else 1.0 / largest
    for j in range(n):
        for k in range(j):
            for i in range(k + 1, n):
                a[i, j] -= a[i, k] * a[k, j]
        pivot, largest = j, -1.0
        for i in range(j, n):
            size = scales[i] * abs(a[i, j])
            if math.isnan(size):
                pivot = j
                break
            if size >= largest:  # the last among equals
                pivot, largest = i, size
        swaps[j] = pivot
        if pivot != j:
            for k in range(n):
                a[j, k], a[pivot, k] = a[pivot, k], a[j, k]
            scales[pivot] = scales[j]
        if abs(a[j, j]) < SMALLEST_PIVOT:
            return False
        factor = 1.0 / a[j, j]
        for i in range(j + 1, n):
            a[i, j] *= factor
    return True


@compiled
def _inverse_of_upper(lu: FloatArray, inverse: FloatArray) -> None:
    n = len(lu)
    inverse[:] = 0.0
    for j in range(n):
        inverse[j, j] = 1.0 / lu[j, j]
        for i in range(j):
            inverse[i, j] = lu[i, j]
        for k in range(j):
            factor = inverse[k, j]
            for i in range(k):
                inverse[i, j] += factor * inverse[i, k]
            inverse[k, j] = factor * inverse[k, k]
        for i in range(j):
            inverse[i, j] *= -inverse[j, j]
