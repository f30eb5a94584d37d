"""The interpolations through bin centres X (n,) and contents Y (n,) that a PDF may use.

Each is a function of (X, Y, x) that returns float64 values of the shape of x.  Centres that coincide give
infinities or NaN by design; the caller replaces them.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pytmva_bnn._typing import Float32Array, FloatArray, IndexArray
from pytmva_bnn.errors import InputError


def interval(X: FloatArray, x: FloatArray) -> IndexArray:  # noqa: N803
    """Return the largest i with X_i <= x, limited to 0..n-1."""
    return np.clip(np.searchsorted(X, x, side="right") - 1, 0, len(X) - 1)


def spline1(X: FloatArray, Y: FloatArray, x: FloatArray) -> FloatArray:  # noqa: N803
    """Interpolate linearly; the outermost lines continue beyond the outer centres."""
    n = len(X)
    if n == 1:
        # TMVA: reads beyond its table here, with undefined results; a constant is the sensible choice
        return np.full(x.shape, Y[0])
    i = interval(X, x)
    k = np.where(((x > X[i]) & (i != n - 1)) | (i == 0), i + 1, i - 1)
    with np.errstate(all="ignore"):
        line: FloatArray = Y[i] + (x - X[i]) * (Y[i] - Y[k]) / (X[i] - X[k])
    return line


def spline2(X: FloatArray, Y: FloatArray, x: FloatArray) -> FloatArray:  # noqa: N803
    """Interpolate by the mean of two parabolas through three points each, in float32."""
    n = len(X)
    i = interval(X, x)
    if n < 3:
        return Y[i]
    left = np.clip(i - 1, 0, n - 3)
    right = np.clip(i, 0, n - 3)
    u, v, x32 = (a.astype(np.float32) for a in (X, Y, x))
    first, second = _parabola(u, v, left, x32), _parabola(u, v, right, x32)
    # at the ends left == right, and the mean of two equal numbers is that number
    return 0.5 * (first + second)


def _parabola(u: Float32Array, v: Float32Array, start: IndexArray, x: Float32Array) -> FloatArray:
    # TMVA: all in float32 in this very order; terms cancel, so that any other order differs visibly
    u1, u2, u3 = u[start], u[start + 1], u[start + 2]
    v1, v2, v3 = v[start], v[start + 1], v[start + 2]
    with np.errstate(all="ignore"):
        a = v1 * (u2 - u3) + v2 * (u3 - u1) + v3 * (u1 - u2)
        b = v1 * (u2 * u2 - u3 * u3) + v2 * (u3 * u3 - u1 * u1) + v3 * (u1 * u1 - u2 * u2)
        c = v1 * (u2 - u3) * u2 * u3 + v2 * (u3 - u1) * u3 * u1 + v3 * (u1 - u2) * u1 * u2
        d = (u2 - u3) * (u3 - u1) * (u1 - u2)
        y = (-a * x * x + b * x - c) / d
    return np.where(d == 0, np.float32(0), y).astype(np.float64)


def spline3(X: FloatArray, Y: FloatArray, x: FloatArray) -> FloatArray:  # noqa: N803
    """Interpolate by the cubic spline with not-a-knot ends; the outer pieces continue beyond the centres."""
    n = len(X)
    if n == 1:
        return np.full(x.shape, Y[0])
    m = np.clip(np.searchsorted(X, x, side="right") - 1, 0, n - 2)
    with np.errstate(all="ignore"):
        h = np.diff(X)
        D = np.diff(Y) / h  # noqa: N806
        s = _not_a_knot_slopes(h, D)
        e = s[:-1] + s[1:] - 2 * D
        c, d = (D - s[:-1] - e) / h, e / h / h
        t = x - X[m]
        y: FloatArray = Y[m] + t * (s[m] + t * (c[m] + t * d[m]))
    return y


def _not_a_knot_slopes(h: FloatArray, D: FloatArray) -> FloatArray:  # noqa: N803
    """Return the slopes (n,) at the centres, from the distances ``h`` and chords ``D`` (n - 1,)."""
    n = len(h) + 1
    if n == 2:
        return np.array([D[0], D[0]])
    if n == 3:  # the parabola: the equations below would be singular
        bend = (D[1] - D[0]) / (h[0] + h[1])
        return np.array([D[0] - h[0] * bend, D[0] + h[0] * bend, D[1] + h[1] * bend])
    below, diagonal, above, right = np.empty((4, n))
    diagonal[0], above[0] = h[1], h[0] + h[1]
    right[0] = ((h[0] + 2 * above[0]) * D[0] * h[1] + h[0] ** 2 * D[1]) / above[0]
    below[1:-1], above[1:-1] = h[1:], h[:-1]
    diagonal[1:-1] = 2 * (h[:-1] + h[1:])
    right[1:-1] = 3 * (h[:-1] * D[1:] + h[1:] * D[:-1])
    diagonal[-1], below[-1] = h[-2], h[-2] + h[-1]
    right[-1] = ((h[-1] + 2 * below[-1]) * D[-1] * h[-2] + h[-1] ** 2 * D[-2]) / below[-1]
    for m in range(1, n):  # elimination without pivoting
        factor = below[m] / diagonal[m - 1]
        diagonal[m] -= factor * above[m - 1]
        right[m] -= factor * right[m - 1]
    s = np.empty(n)
    s[-1] = right[-1] / diagonal[-1]
    for m in range(n - 2, -1, -1):
        s[m] = (right[m] - above[m] * s[m + 1]) / diagonal[m]
    return s


def spline5(X: FloatArray, Y: FloatArray, x: FloatArray) -> FloatArray:  # noqa: N803
    """Interpolate by the natural quintic spline (third and fourth derivative 0 at the ends)."""
    if len(X) < 3:
        raise InputError(f"interpolation Spline5 needs a histogram of at least 3 bins, got {len(X)}")
    # imported here because scipy.interpolate takes long to load and Spline5 is rare
    from scipy.interpolate import make_interp_spline

    natural = [(3, 0.0), (4, 0.0)]
    spline = make_interp_spline(X, Y, k=5, bc_type=(natural, natural))
    last = X[-1]
    t = x - last
    # TMVA: uses only three coefficients of the last knot, so a parabola continues from there
    above = Y[-1] + t * (spline(last, 1) + t * (spline(last, 2) / 2))
    result: FloatArray = np.where(x >= last, above, spline(np.minimum(x, last)))
    return result


SPLINES: dict[int, Callable[[FloatArray, FloatArray, FloatArray], FloatArray]] = {
    1: spline1,
    2: spline2,
    3: spline3,
    4: spline5,
}
"""Interpolation by its code in weight files (0 is no interpolation, 5 the kernel density)."""
