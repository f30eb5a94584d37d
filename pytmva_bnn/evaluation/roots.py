"""Brent's root finder in the form TMVA has it, and the linear interpolation that it is used on."""

from __future__ import annotations

import logging
import math
from bisect import bisect_right
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.histograms.splines import spline1

LOGGER = logging.getLogger("pytmva_bnn.evaluation")

MAX_ITERATIONS = 101
EPSILON = 2.220446049250313e-16
NO_ROOT = 1.0
"""What TMVA returns if the interval holds no root."""


class LinearInterpolator:
    """Lines through points X ascending, Y (n,); the outermost lines continue beyond the points."""

    def __init__(self, x: ArrayLike, y: ArrayLike) -> None:
        self.x = np.asarray(x, dtype=np.float64)
        self.y = np.asarray(y, dtype=np.float64)
        self._x: list[float] = self.x.tolist()  # a list is searched much faster than an array, one value at a time
        self._y: list[float] = self.y.tolist()

    def __call__(self, x: float) -> float:
        """Return the value at one point."""
        X, Y, last = self._x, self._y, len(self._x) - 1  # noqa: N806
        i = min(max(bisect_right(X, x) - 1, 0), last)
        k = i + 1 if (x > X[i] and i != last) or i == 0 else i - 1
        distance = X[i] - X[k]
        # a range so narrow that its points coincide: 0/0 as in C++, where Python would raise an exception
        return Y[i] + ((x - X[i]) * (Y[i] - Y[k])) / distance if distance != 0 else math.nan

    def at(self, x: ArrayLike) -> FloatArray:
        """Return the values at many points."""
        return spline1(self.x, self.y, np.asarray(x, dtype=np.float64))


def brent_root(function: Callable[[float], float], a: float, b: float) -> float:
    """Return where ``function`` is 0 between ``a`` and ``b``, or 1 with a warning if its sign does not change."""
    fa, fb = function(a), function(b)
    if fa * fb > 0:
        LOGGER.warning("<Root> initial interval w/o root: (a=%g, b=%g), (Eff_a=%g, Eff_b=%g)", a, b, fa, fb)
        return NO_ROOT
    fc = fb
    c = d = e = 0.0
    ac_equal = False  # TMVA: never reset, so that the inverse quadratic step is hardly ever taken
    for _ in range(MAX_ITERATIONS):
        if (fb < 0 and fc < 0) or (fb > 0 and fc > 0):
            ac_equal = True
            c, fc = a, fa
            d = e = b - a
        if abs(fc) < abs(fb):
            ac_equal = True
            a, fa = b, fb
            b, fb = c, fc
            c, fc = a, fa
        tolerance = 0.5 * EPSILON * abs(b)
        m = 0.5 * (c - b)
        if fb == 0 or abs(m) <= tolerance:
            return b
        d, e = _step(a, b, m, d, e, fa, fb, fc, tolerance, ac_equal)
        a, fa = b, fb
        if abs(d) > tolerance:
            b += d
        else:
            b += tolerance if m > 0 else -tolerance
        fb = function(b)
    LOGGER.warning("<Root> maximum iterations (%d) reached before convergence", MAX_ITERATIONS - 1)
    return b


def _step(
    a: float,
    b: float,
    m: float,
    d: float,
    e: float,
    fa: float,
    fb: float,
    fc: float,
    tolerance: float,
    ac_equal: bool,
) -> tuple[float, float]:
    """Return the next step d and the one before it: secant or inverse quadratic if good, else half the interval."""
    if abs(e) < tolerance or abs(fa) <= abs(fb):
        return m, m
    s = fb / fa
    if ac_equal:
        p, q = 2 * m * s, 1 - s
    else:
        q, r = fa / fc, fb / fc
        p = s * (2 * m * q * (q - r) - (b - a) * (r - 1))
        q = (q - 1) * (r - 1) * (s - 1)
    if p > 0:
        q = -q
    else:
        p = -p
    if 2 * p < min(3 * m * q - abs(tolerance * q), abs(e * q)):
        return p / q, d
    return m, m
