"""The kernels: how alike two events are.

Everything is float32, as in TMVA, but for exponentials and powers: these are those of the C library in float64, rounded
to float32.  numpy's and the compiled ones are faster and differ in the last digits of float64, which hardly ever
matters for the rounded number.  Where it may, the C library decides, so that all ways give the same bits.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from pytmva_bnn._typing import Float32Array, FloatArray
from pytmva_bnn.methods.svm.kernels.constants import LARGEST_ORDER, UNCERTAINTY

KERNELS = ("RBF", "MultiGauss", "Polynomial")


@dataclass(frozen=True)
class Kernel:
    """A kernel, or the product or the sum of several with common parameters; ``names`` are some of ``KERNELS``."""

    names: tuple[str, ...] = ("RBF",)
    is_product: bool = False
    gamma: float = 1.0
    gammas: tuple[float, ...] = ()
    theta: float = 1.0
    order: int = 3

    @property
    def formula(self) -> str:
        """Return which kernels, e.g. ``RBF*Polynomial``."""
        return ("*" if self.is_product else "+").join(self.names)

    @property
    def parameters(self) -> list[tuple[str, str]]:
        """Return those parameters that count."""
        rows = []
        if "RBF" in self.names:
            rows.append(("Gamma", f"{self.gamma:.6g}"))
        if "MultiGauss" in self.names:
            rows.append(("GammaList", ",".join(f"{one:.6g}" for one in self.gammas)))
        if "Polynomial" in self.names:
            rows += [("Order", str(self.order)), ("Theta", f"{self.theta:.6g}")]
        return rows

    def values(self, u: Float32Array, v: Float32Array) -> Float32Array:
        """Return the kernel ``(n_u, n_v)`` of all pairs of events ``(n_u, n_variables)``, ``(n_v, n_variables)``."""
        with np.errstate(all="ignore"):  # far-away events
            result = self._value(self.names[0], u, v)
            for name in self.names[1:]:
                other = self._value(name, u, v)
                np.multiply(result, other, out=result) if self.is_product else np.add(result, other, out=result)
        return result

    def _value(self, name: str, u: Float32Array, v: Float32Array) -> Float32Array:
        pairs = [(u[:, i, np.newaxis], v[np.newaxis, :, i]) for i in range(u.shape[1])]
        if name == "MultiGauss":
            product = np.ones((len(u), len(v)), dtype=np.float32)
            for (a, b), gamma in zip(pairs, self.gammas, strict=True):
                d = a - b
                np.multiply(np.negative(d) * d, np.float32(gamma), out=d)
                product = rounded(np.exp, math.exp, d.astype(np.float64), factors=product)
            return product
        total = np.full((len(u), len(v)), np.float32(self.theta if name == "Polynomial" else 0.0))
        if name == "Polynomial":
            for a, b in pairs:
                total += a * b
            return rounded(self._power, lambda s: math.pow(s, self.order), total.astype(np.float64))
        for a, b in pairs:
            d = a - b
            total += np.multiply(d, d, out=d)
        np.multiply(np.negative(total, out=total), np.float32(self.gamma), out=total)
        return rounded(np.exp, math.exp, total.astype(np.float64))

    def _power(self, s: FloatArray) -> FloatArray:
        if not 0 <= self.order <= LARGEST_ORDER:
            return np.full_like(s, np.nan)
        result = np.ones_like(s)
        for _ in range(self.order):
            result *= s
        return result


def rounded(
    fast: Callable[[FloatArray], FloatArray],
    exact: Callable[[float], float],
    x: FloatArray,
    *,
    factors: Float32Array | None = None,
) -> Float32Array:
    """Return f(x), times ``factors`` if given, in float32: by ``exact`` where the rounding of ``fast`` is in doubt."""
    values = fast(x)
    if factors is not None:
        values *= factors
    low, high = (values * (1.0 + sign * UNCERTAINTY) for sign in (-1, 1))
    result = low.astype(np.float32)
    doubtful = np.flatnonzero(result.ravel() != high.astype(np.float32).ravel())
    if doubtful.size:
        corrected = np.array([_finite(exact, one) for one in x.ravel()[doubtful].tolist()])
        if factors is not None:
            corrected *= factors.ravel()[doubtful]
        result.ravel()[doubtful] = corrected
    return result


def _finite(function: Callable[[float], float], x: float) -> float:
    """Return f(x) as C has it: infinite where it is too large."""
    try:
        return function(x)
    except OverflowError:
        return math.inf
    except ValueError:  # 0 to a negative power
        return math.inf
