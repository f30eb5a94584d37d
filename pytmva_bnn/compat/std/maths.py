"""Functions of <cmath> and the numbers in texts; as in C++, nothing is raised: results are inf and nan."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from functools import reduce
from typing import Any

import numpy as np

from pytmva_bnn.compat.cpp.arithmetic import INVALID, float32, int64
from pytmva_bnn.compat.cpp.c_library import float_at_start, int_at_start
from pytmva_bnn.compat.errors import MacroError
from pytmva_bnn.compat.std.exceptions import invalid_argument, out_of_range
from pytmva_bnn.compat.std.types import NUMBERS, plain_name

POSITIVE_NAN = frozenset({"acos", "asin", "log10", "tgamma"})
"""Functions for which glibc's nan has no sign."""

# Python's functions call C's, but raise where C gives inf or nan; numpy's then give what C gives
SAFE: dict[str, Any] = {
    "acos": np.arccos, "acosh": np.arccosh, "asin": np.arcsin, "asinh": np.arcsinh, "atan": np.arctan,
    "atan2": np.arctan2, "atanh": np.arctanh, "cbrt": np.cbrt, "cos": np.cos, "cosh": np.cosh, "exp": np.exp,
    "exp2": np.exp2, "expm1": np.expm1, "fmod": np.fmod, "hypot": np.hypot, "log": np.log, "log10": np.log10,
    "log1p": np.log1p, "log2": np.log2, "pow": np.power, "sin": np.sin, "sinh": np.sinh, "sqrt": np.sqrt, "tan": np.tan,
    "tanh": np.tanh, "ldexp": lambda x, n: math.copysign(math.inf, x), "remainder": lambda x, y: math.nan,
    "erf": None, "erfc": None, "lgamma": lambda x: math.inf, "copysign": None, "fabs": None,
    "gamma": lambda x: math.copysign(math.inf, x) if x == 0 or x > 1 else math.nan,
}  # fmt: skip


def _safe(name: str, otherwise: Any) -> Callable[..., float]:
    function = getattr(math, name)
    invalid = math.nan if name in POSITIVE_NAN or name == "gamma" else INVALID

    def call(*arguments: Any) -> float:
        try:
            return function(*arguments)  # type: ignore[no-any-return]
        except (ValueError, OverflowError):
            with np.errstate(all="ignore"):
                value = float(otherwise(*map(float, arguments)))
            return invalid if value != value else value

    return call


def _whole(rounding: Any) -> Callable[[float], float]:
    """Return a function that rounds to a whole float and keeps the sign of zero."""
    return lambda x: math.copysign(float(rounding(x)), x) if math.isfinite(x) else float(x)


def _round(x: float) -> float:
    whole = math.trunc(x)  # x + 0.5 would be rounded itself
    return whole + int(math.copysign(1, x)) if abs(x - whole) >= 0.5 else whole


ROUNDINGS = {
    "floor": math.floor,
    "ceil": math.ceil,
    "trunc": math.trunc,
    "round": _round,
    "rint": round,
    "nearbyint": round,
}


def _values_and_less(a: Any, rest: tuple[Any, ...]) -> tuple[Any, Any]:
    if type(a) in (list, tuple):
        return a, rest[0] if rest else operator.lt
    return (a, rest[0]), rest[1] if len(rest) > 1 else operator.lt


def minimum(a: Any, *rest: Any) -> Any:
    """Return the smaller of two values or the smallest of a list, the first of equal ones; a comparison may follow."""
    values, less = _values_and_less(a, rest)
    return reduce(lambda best, value: value if less(value, best) else best, values)


def maximum(a: Any, *rest: Any) -> Any:
    """Return the larger of two values or the largest of a list, the first of equal ones; a comparison may follow."""
    values, less = _values_and_less(a, rest)
    return reduce(lambda best, value: value if less(best, value) else best, values)


def to_string(value: Any) -> str:
    """Return a number as ``%d`` or ``%f`` writes it."""
    return f"{value:f}" if isinstance(value, float) else str(int(value))


def _parsed(name: str, low: float, high: float) -> Callable[..., Any]:
    """Return ``stoi`` or one of its family: the number that a text begins with, checked against bounds."""

    def parse(text: str, end: Any = None, base: int = 10) -> Any:
        value, length = float_at_start(text) if name in ("stof", "stod", "stold") else int_at_start(text, base)
        if length == 0:
            raise invalid_argument(name)
        if not low <= value <= high and not {"i", "n"} & set(text.lower()):
            raise out_of_range(name)
        if hasattr(end, "__setitem__"):
            end[0] = length
        return float32(value) if name == "stof" else value % 2**64 if name.startswith("stou") else value

    return parse


FLOAT_MAX, DOUBLE_MAX = float(np.finfo(np.float32).max), float(np.finfo(np.float64).max)
PARSED = {
    "stoi": (-(2**31), 2**31 - 1), "stol": (-(2**63), 2**63 - 1), "stoll": (-(2**63), 2**63 - 1),
    "stoul": (-(2**64), 2**64 - 1), "stoull": (-(2**64), 2**64 - 1), "stof": (-FLOAT_MAX, FLOAT_MAX),
    "stod": (-DOUBLE_MAX, DOUBLE_MAX), "stold": (-DOUBLE_MAX, DOUBLE_MAX),
}  # fmt: skip


class Limits:
    """``std::numeric_limits`` of a type."""

    def __init__(self, name: str) -> None:
        letter = "i1" if name == "char" else NUMBERS[name][1]
        is_float = letter.startswith("f")
        info: Any = np.finfo(letter) if is_float else np.iinfo("u1" if letter == "?" else letter)
        kind = float if is_float else int
        largest = 1 if letter == "?" else info.max
        self.max = lambda: kind(largest)
        self.min = lambda: kind(info.tiny if is_float else info.min)
        self.lowest = lambda: kind(info.min)
        self.epsilon = lambda: float(info.eps) if is_float else 0
        self.infinity = lambda: math.inf if is_float else 0
        self.quiet_NaN = lambda: math.nan if is_float else 0
        self.digits10 = info.precision if is_float else len(str(info.max)) - 1
        self.max_digits10 = {"f4": 9, "f8": 17}.get(letter, 0)


class NumericLimits:
    """``std::numeric_limits`` before its type is chosen."""

    def __getitem__(self, name: str) -> Limits:
        plain = plain_name(name)
        if plain not in NUMBERS or plain == "string":
            raise MacroError(f"std.numeric_limits of {name!r} do not exist here; there are {', '.join(NUMBERS)}")
        return Limits(plain)


def _modf(x: float, cell: Any) -> float:
    fraction, cell[0] = math.modf(x)
    return fraction


def _frexp(x: float, cell: Any) -> float:
    mantissa, cell[0] = math.frexp(x)
    return mantissa


MATHS: dict[str, Any] = {
    **{name: _safe(name, other) for name, other in SAFE.items()},
    "tgamma": _safe("gamma", SAFE["gamma"]),
    **{name: _whole(rounding) for name, rounding in ROUNDINGS.items()},
    **{name: lambda x: int64(_round(x) if math.isfinite(x) else x) for name in ("lround", "llround")},
    **{name: lambda x: int64(round(x) if math.isfinite(x) else x) for name in ("lrint", "llrint")},
    "abs": abs, "isnan": lambda x: x != x, "isinf": math.isinf, "isfinite": math.isfinite,
    "signbit": lambda x: math.copysign(1, x) < 0, "min": minimum, "max": maximum,
    "fdim": lambda x, y: 0.0 if x <= y else x - y,
    "fmin": lambda x, y: float(x if y != y or x < y else y), "fmax": lambda x, y: float(x if y != y or x > y else y),
    "fma": lambda x, y, z: x * y + z, "clamp": lambda x, low, high: low if x < low else min(x, high),
    "modf": _modf, "frexp": _frexp, "to_string": to_string, "numeric_limits": NumericLimits(),
    **{name: _parsed(name, *bounds) for name, bounds in PARSED.items()},
}  # fmt: skip
"""What <cmath>, <limits> and the conversions of <string> have."""
del MATHS["gamma"]
