"""The compiled twin of applying G and U: the value of the cumulative distribution, then TMVA's inverse error function.

TMVA finds the inverse error function by a secant iteration of some five steps and rounds the result to float32.  Where
the iteration cannot end anywhere but in one and the same float32, that number is found from a table instead.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.fast.compiler import compiled, numba

SQRT2 = 1.414213562
SLOPE = 0.8862269254527579
PRECISION = 1e-14
ITERATIONS = 50
SMALLEST, LARGEST = 1e-9, 1 - 1e-9
LARGEST_ERF = 0.99999999
SMALLEST_DENSITY = 1e-12
INVERSE = (1 / 3, 1 / 6, 1 / 120)  # of what the series divides by: multiplying is faster
BLOCK = 512
"""Events treated at a time."""
NODES, MORE_NODES = 4096, 1 << 17
"""Places of the table between 0 and 1: so many up to FINE_FROM, and from there to its end, where erf is steep."""
FINE_FROM, LARGEST_IN_TABLE = 31 / 32, 0.9995
N_COARSE = int(NODES * FINE_FROM)
MARGIN = 10 * PRECISION
"""How far the iteration may be from the solution, in erf and relatively: ten times of what it tests."""


# -- scipy's error functions


def _plain_call(address: int, x: float) -> float:
    function = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double, ctypes.c_int)(address)
    return float(function(x, 0))


call: Callable[[int, float], float] = _plain_call
"""Call a function of a number by its address."""

if numba is not None:

    def _call(_context: Any, address: Any, x: Any) -> Any:  # noqa: ARG001
        ir, types = import_module("llvmlite.ir"), numba.types
        # the second argument is for Cython
        kind = ir.FunctionType(ir.DoubleType(), [ir.DoubleType(), ir.IntType(32)])

        def code(_c: Any, builder: Any, _s: Any, args: Any) -> Any:
            return builder.call(builder.inttoptr(args[0], kind.as_pointer()), [args[1], ir.IntType(32)(0)])

        return types.float64(types.int64, types.float64), code

    call = import_module("numba.extending").intrinsic(_call)


@cache
def error_functions() -> tuple[int, int] | None:
    """Return the addresses of scipy's erf and erfc, None if they cannot be found."""
    functions: Any = getattr(import_module("scipy.special.cython_special"), "__pyx_capi__", {})
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    name = ctypes.pythonapi.PyCapsule_GetName
    name.restype, name.argtypes = ctypes.c_char_p, [ctypes.py_object]
    try:
        capsules = [functions[f"__pyx_fuse_1{function}"] for function in ("erf", "erfc")]
    except KeyError:
        return None
    if any(name(capsule) != b"double (double, int __pyx_skip_dispatch)" for capsule in capsules):
        return None
    erf, erfc = (int(pointer(capsule, name(capsule))) for capsule in capsules)
    return erf, erfc


@cache
def table() -> tuple[FloatArray, FloatArray]:
    """Return the inverse error function and its derivative at the nodes."""
    from scipy.special import erfinv

    n_fine = int((LARGEST_IN_TABLE - FINE_FROM) * MORE_NODES) + 3
    places = np.concatenate((np.arange(N_COARSE) / NODES, FINE_FROM + np.arange(n_fine) / MORE_NODES))
    values = erfinv(places)
    return values, SLOPE * np.exp(values * values)


# -- one value


@compiled
def _erfinv(x: float, erf: int, erfc: int) -> float:
    """Return the inverse error function by the secant iteration; 0 where it does not converge."""
    size = abs(x)
    if size <= PRECISION:
        return SLOPE * x
    e = SLOPE * size
    y0 = call(erf, 0.9 * e)
    step = 0.1 * e
    for _ in range(ITERATIONS):
        y1 = 1.0 - call(erfc, e)
        r = size - y1
        if abs(r) < PRECISION:
            return e if x > 0 else -e
        step = step * (r / (y1 - y0))
        y0 = y1
        e = e + step
        if abs(step / e) < PRECISION:
            return e if x > 0 else -e
    return 0.0


@compiled
def _near(f: float, u: float) -> float:
    """Return the Taylor series of the inverse error function where it is f, in u = f' d."""
    g = f * f
    c3, c4, c5 = (1 + 4 * g) * INVERSE[0], f * (7 + 12 * g) * INVERSE[1], (28 + g * (368 + 384 * g)) * INVERSE[2]
    return f + u * (1 + u * (f + u * (c3 + u * (c4 + u * c5))))


@compiled
def _limited(c: float) -> float:
    # in this form it is clear what becomes of NaN
    c = c if c >= SMALLEST_DENSITY else SMALLEST_DENSITY  # noqa: FURB136
    c = c if c <= LARGEST else LARGEST  # noqa: FURB136
    return c if c >= SMALLEST else SMALLEST  # noqa: FURB136


# -- many values: of one input in a block of events, ``stop`` - ``start`` <= BLOCK


@compiled
def _probabilities(
    x: NDArray[np.float32],
    position: int,
    start: int,
    stop: int,
    lower: float,
    upper: float,
    contents: FloatArray,
    found: FloatArray,
) -> None:
    """Write what :meth:`pytmva_bnn.histograms.PDF.value` gives, within its limits, to ``found``.

    Without branches: whether a value is left or right of the centre of its bin cannot be foreseen.
    """
    n = contents.size
    width = (upper - lower) / n
    for event in range(start, stop):
        v = float(x[event, position])
        inside = (v >= lower) & (v < upper)
        k = int((v - lower) / width) if inside else 0
        b = 1 + k - (v < lower + width * k) + (lower + width * (k + 1) <= v)
        b = min(max(b, 1), n) if inside else (1 if v < lower else n)
        centre = lower + (b - 0.5) * width
        other = b + 1 if ((v > centre) & (b != n)) | (b == 1) else b - 1
        p = contents[b - 1]
        line = p + (v - centre) * (p - contents[other - 1]) / (centre - (lower + (other - 0.5) * width))
        found[event - start] = _limited(line)


@compiled
def uniformise(
    x: NDArray[np.float32],
    position: int,
    start: int,
    stop: int,
    lower: float,
    upper: float,
    contents: FloatArray,
    y: NDArray[np.float32],
) -> None:
    """Write the cumulative probabilities of an input in events ``start`` to ``stop`` to ``y`` (n_events, n_inputs)."""
    c = np.empty(BLOCK)
    for first in range(start, stop, BLOCK):
        n = min(BLOCK, stop - first)
        _probabilities(x, position, first, first + n, lower, upper, contents, c)
        for i in range(n):
            y[first + i, position] = c[i]


@compiled
def gaussianise(
    x: NDArray[np.float32],
    position: int,
    start: int,
    stop: int,
    lower: float,
    upper: float,
    contents: FloatArray,
    values: FloatArray,
    slopes: FloatArray,
    erf: int,
    erfc: int,
    y: NDArray[np.float32],
) -> None:
    """Write where the unit Gaussian has these probabilities to ``y``."""
    c, left = np.empty(BLOCK), np.empty(BLOCK, np.int64)
    for first in range(start, stop, BLOCK):
        n, n_left = min(BLOCK, stop - first), 0
        _probabilities(x, position, first, first + n, lower, upper, contents, c)
        for i in range(n):
            a = 2 * c[i] - 1
            size = min(abs(a), LARGEST_IN_TABLE)
            # the fine nodes follow the coarse ones, of which there are no more from there on
            coarse = int(min(size, FINE_FROM) * NODES + 0.5)
            fine = int(max(size - FINE_FROM, 0.0) * MORE_NODES + 0.5)
            node = coarse + fine
            e = _near(values[node], slopes[node] * (size - (coarse / NODES + fine / MORE_NODES)))
            # nowhere between is the slope larger than at the next node
            margin = MARGIN * (e + slopes[node + 1])
            low, high = np.float32(SQRT2 * (e - margin)), np.float32(SQRT2 * (e + margin))
            y[first + i, position] = math.copysign(low, a)
            left[n_left] = i
            n_left += (low != high) | (size == LARGEST_IN_TABLE)
        for j in range(n_left):
            a = 2 * c[left[j]] - 1
            a = min(max(a, -LARGEST_ERF), LARGEST_ERF)
            y[first + left[j], position] = SQRT2 * _erfinv(a, erf, erfc)
