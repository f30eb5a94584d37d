"""The functions of an expression, as one table: TTreeFormula's own, those of C, and TMath's.

TTreeFormula's own functions never fail: where mathematics has no answer they give 0 or something handy,
while those of C and TMath give NaN.

>>> float(FUNCTIONS["sqrt"].compute(np.float64(-4.0)))
2.0
>>> FUNCTIONS["atan2"].arity
'2 arguments'
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.formula.integers import to_int64
from pytmva_bnn.formula.operators import truth
from pytmva_bnn.formula.tmath import CONSTANT_FUNCTIONS, TMATH, lazy_special, maximum, minimum

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Function:
    """A function of numbers; ``compute`` takes whole columns."""

    name: str
    fewest: int
    most: int
    compute: Callable[..., FloatArray]

    @property
    def arity(self) -> str:
        """The number of arguments in words."""
        if self.fewest < self.most:
            return f"{self.fewest} to {self.most} arguments"
        return {0: "no argument", 1: "one argument"}.get(self.most, f"{self.most} arguments")


# TTreeFormula: sqrt(-x) is sqrt(x); TMath::Sqrt and std::sqrt give NaN
def _sqrt(x: FloatArray) -> FloatArray:
    return np.sqrt(np.abs(x))


# TTreeFormula: exp stops growing at exp(700), and is 0 below exp(-700)
def _exp(x: FloatArray) -> FloatArray:
    return np.where(np.less(x, -700.0), 0.0, np.exp(np.minimum(x, 700.0)))


def _zero_outside(
    inside: Callable[[FloatArray], NDArray[np.bool_]], compute: Callable[[FloatArray], FloatArray]
) -> Callable[[FloatArray], FloatArray]:
    """Return ``compute`` with 0 where its argument is not ``inside`` its domain; NaN stays NaN."""

    # TTreeFormula: log, log10, asin, acos, atanh, acosh and tan give 0 where they are not defined
    def compute_or_zero(x: FloatArray) -> FloatArray:
        return np.where(np.isnan(x) | inside(x), compute(x), 0.0)

    return compute_or_zero


def _is_positive(x: FloatArray) -> NDArray[np.bool_]:
    return np.greater(x, 0.0)


def _in_unit_interval(x: FloatArray) -> NDArray[np.bool_]:
    return np.less_equal(np.abs(x), 1.0)


def _round(x: FloatArray) -> FloatArray:
    """Round as C does: halves go away from zero."""
    whole = np.trunc(x)
    return whole + np.where(np.greater_equal(np.abs(x - whole), 0.5), np.copysign(1.0, x), 0.0)


def _square(x: FloatArray) -> FloatArray:
    return np.multiply(x, x)


OWN: dict[str, tuple[int, Callable[..., FloatArray]]] = {
    "sqrt": (1, _sqrt),
    "log": (1, _zero_outside(_is_positive, np.log)),
    "log10": (1, _zero_outside(_is_positive, np.log10)),
    "exp": (1, _exp),
    "asin": (1, _zero_outside(_in_unit_interval, np.arcsin)),
    "acos": (1, _zero_outside(_in_unit_interval, np.arccos)),
    "atanh": (1, _zero_outside(_in_unit_interval, np.arctanh)),
    "acosh": (1, _zero_outside(lambda x: np.greater_equal(x, 1.0), np.arccosh)),
    "tan": (1, _zero_outside(lambda x: np.not_equal(np.cos(x), 0.0), np.tan)),
    # TTreeFormula: sign(0) is 1
    "sign": (1, lambda x: np.where(np.less(x, 0.0), -1.0, 1.0)),
    "int": (1, lambda x: to_int64(x).astype(np.float64)),
    "sq": (1, _square),
    "abs": (1, np.abs),
    "sin": (1, np.sin),
    "cos": (1, np.cos),
    "atan": (1, np.arctan),
    "sinh": (1, np.sinh),
    "cosh": (1, np.cosh),
    "tanh": (1, np.tanh),
    "asinh": (1, np.arcsinh),
    "pow": (2, np.power),
    "fmod": (2, np.fmod),
    "atan2": (2, np.arctan2),
    "min": (2, minimum),
    "max": (2, maximum),
}
"""TTreeFormula's own functions: name → number of arguments, function."""

C_LIBRARY: dict[str, tuple[int, Callable[..., FloatArray]]] = {
    "sqrt": (1, np.sqrt),
    "log": (1, np.log),
    "log10": (1, np.log10),
    "log2": (1, np.log2),
    "log1p": (1, np.log1p),
    "exp": (1, np.exp),
    "exp2": (1, np.exp2),
    "expm1": (1, np.expm1),
    "cbrt": (1, np.cbrt),
    "asin": (1, np.arcsin),
    "acos": (1, np.arccos),
    "atanh": (1, np.arctanh),
    "acosh": (1, np.arccosh),
    "tan": (1, np.tan),
    "abs": (1, np.abs),
    "fabs": (1, np.abs),
    "floor": (1, np.floor),
    "ceil": (1, np.ceil),
    "trunc": (1, np.trunc),
    "round": (1, _round),
    "rint": (1, np.rint),
    "nearbyint": (1, np.rint),
    "hypot": (2, np.hypot),
    "copysign": (2, np.copysign),
    "fmin": (2, np.fmin),
    "fmax": (2, np.fmax),
    "fdim": (2, lambda a, b: np.where(np.less_equal(a, b), 0.0, np.subtract(a, b))),
    "erf": (1, lazy_special("erf")),
    "erfc": (1, lazy_special("erfc")),
    "tgamma": (1, lazy_special("gamma")),
    "lgamma": (1, lazy_special("gammaln")),
    "isnan": (1, lambda x: truth(np.isnan(x))),
    "isinf": (1, lambda x: truth(np.isinf(x))),
    "isfinite": (1, lambda x: truth(np.isfinite(x))),
    "signbit": (1, lambda x: truth(np.signbit(x))),
}
"""Functions that ROOT finds in C's mathematical library: name → number of arguments, function."""


def _phi_mpi_pi(x: FloatArray) -> FloatArray:
    """Return the angle in [-π, π)."""
    angle = np.subtract(x, 2.0 * np.pi * np.floor((x + np.pi) / (2.0 * np.pi)))
    angle = np.where(np.greater_equal(angle, np.pi), angle - 2.0 * np.pi, angle)
    return np.where(np.less(angle, -np.pi), angle + 2.0 * np.pi, angle)


def _phi_0_2pi(x: FloatArray) -> FloatArray:
    """Return the angle in [0, 2π)."""
    angle = np.subtract(x, 2.0 * np.pi * np.floor(x / (2.0 * np.pi)))
    return np.where(np.greater_equal(angle, 2.0 * np.pi), angle - 2.0 * np.pi, angle)


def _all() -> Iterable[Function]:
    """Yield every function; of two with the same name the later one counts."""
    for name, (count, compute) in C_LIBRARY.items():
        yield Function(name, count, count, compute)
    for name, (count, compute) in OWN.items():
        yield Function(name, count, count, compute)
        yield Function(f"std::{name}", count, count, compute)
    for name, (count, compute) in C_LIBRARY.items():
        yield Function(f"std::{name}", count, count, compute)
    for name, (fewest, most, compute) in TMATH.items():
        yield Function(f"TMath::{name}", fewest, most, compute)
    for name, value in CONSTANT_FUNCTIONS.items():
        yield Function(f"TMath::{name}", 0, 0, partial(np.full, (), value))
    yield Function("TVector2::Phi_mpi_pi", 1, 1, _phi_mpi_pi)
    yield Function("TVector2::Phi_0_2pi", 1, 1, _phi_0_2pi)


NOT_IN_STD = frozenset({"std::int", "std::sq", "std::sign"})
FUNCTIONS = {function.name: function for function in _all() if function.name not in NOT_IN_STD}
"""Every function by its name."""

CONSTANTS = {
    "pi": np.pi,
    "true": 1.0,
    "false": 0.0,
    "kTRUE": 1.0,
    "kFALSE": 0.0,
    # TTreeFormula: TFormula's ready-made functions are accepted; without parameters they are 0
    "gaus": 0.0,
    "pol1": 0.0,
    "landau": 0.0,
}
"""Names with a value; a branch of the same name hides them."""

MEANT = {
    "ln": "log is the natural logarithm",
    "power": "write pow(x,y) or x^y",
    "square": "write sq(x) or x^2",
    "strstr": "text cannot be used in a formula",
    "mod": "write fmod(x,y), or x%y for integers",
    "if": "write condition ? a : b",
}
"""What to write for functions that people expect."""
