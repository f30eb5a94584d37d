"""The functions of TMath that expressions may call: name → fewest and most arguments, function.

They follow C where they have a counterpart there (NaN outside their domain).  Those that need
``scipy.special`` import it when they are first called, since importing it takes longer than this package.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.formula.integers import to_int64
from pytmva_bnn.formula.landau import landau_density
from pytmva_bnn.formula.operators import truth

if TYPE_CHECKING:
    from collections.abc import Callable

ZERO, ONE = np.array(0.0), np.array(1.0)
SQRT_TWO_PI = math.sqrt(2.0 * math.pi)


def lazy_special(name: str) -> Callable[..., FloatArray]:
    """Return ``scipy.special.<name>``, imported at the first call."""

    def compute(*arguments: FloatArray) -> FloatArray:
        from scipy import special  # takes a while: only for who needs it

        result: FloatArray = getattr(special, name)(*arguments)
        return result

    return compute


_gamma = lazy_special("gamma")
_ln_gamma = lazy_special("gammaln")
_gamma_lower = lazy_special("gammainc")
_gamma_upper = lazy_special("gammaincc")
_ndtri = lazy_special("ndtri")


def _gauss(x: FloatArray, mean: FloatArray = ZERO, sigma: FloatArray = ONE, norm: FloatArray = ZERO) -> FloatArray:
    """Return exp(-(x-mean)²/2σ²), divided by √(2π)σ if ``norm``; 10³⁰ for σ = 0."""
    bell = np.exp(-0.5 * np.square((x - mean) / sigma))
    scaled = np.where(np.not_equal(norm, 0.0), bell / (SQRT_TWO_PI * sigma), bell)
    return np.where(np.equal(sigma, 0.0), 1e30, scaled)


def _breit_wigner(x: FloatArray, mean: FloatArray = ZERO, gamma: FloatArray = ONE) -> FloatArray:
    return gamma / ((x - mean) * (x - mean) + gamma * gamma / 4.0) / (2.0 * np.pi)


def _landau(x: FloatArray, mu: FloatArray = ZERO, sigma: FloatArray = ONE, norm: FloatArray = ZERO) -> FloatArray:
    """Return Landau's density at (x-μ)/σ, divided by σ if ``norm``; 0 for σ <= 0."""
    density = landau_density((x - mu) / sigma)
    scaled = np.where(np.not_equal(norm, 0.0), density / sigma, density)
    return np.where(np.less_equal(sigma, 0.0), 0.0, scaled)


# TTreeFormula: a comparison decides, so a NaN in the first place gives the second argument
def minimum(a: FloatArray, b: FloatArray) -> FloatArray:
    """Return the smaller of two."""
    return np.where(np.less_equal(a, b), a, b)


def maximum(a: FloatArray, b: FloatArray) -> FloatArray:
    """Return the larger of two."""
    return np.where(np.greater_equal(a, b), a, b)


def _range(lowest: FloatArray, highest: FloatArray, x: FloatArray) -> FloatArray:
    """Return ``x`` limited to [lowest, highest]."""
    return np.where(np.less(x, lowest), lowest, np.where(np.greater(x, highest), highest, x))


def _odd(x: FloatArray) -> FloatArray:
    return truth(to_int64(x) & 1)


def _even(x: FloatArray) -> FloatArray:
    return truth(1 - (to_int64(x) & 1))


def _incomplete_gamma(a: FloatArray, x: FloatArray | None = None) -> FloatArray:
    """Return Γ(a), or with two arguments the normalised lower incomplete one P(a,x)."""
    return _gamma(a) if x is None else _gamma_lower(a, x)


def _poisson(x: FloatArray, mean: FloatArray) -> FloatArray:
    """Return mean^x e^(-mean) / Γ(x+1), also between the integers; 0 for x < 0."""
    probability = np.exp(x * np.log(mean) - _ln_gamma(x + 1.0) - mean)
    return np.where(np.less(x, 0.0), 0.0, np.where(np.equal(x, 0.0), np.exp(-mean), probability))


def _chi2_probability(chi2: FloatArray, ndf: FloatArray) -> FloatArray:
    """Return the probability of a χ² larger than ``chi2``."""
    degrees = to_int64(ndf).astype(np.float64)
    upper = _gamma_upper(0.5 * degrees, 0.5 * np.maximum(chi2, 0.0))
    return np.where(np.less_equal(degrees, 0.0) | np.less(chi2, 0.0), 0.0, upper)


def _chi2_quantile(p: FloatArray, ndf: FloatArray) -> FloatArray:
    return 2.0 * lazy_special("gammaincinv")(0.5 * np.asarray(ndf), p)


def _factorial(n: FloatArray) -> FloatArray:
    whole = to_int64(n).astype(np.float64)
    return np.where(np.less_equal(whole, 0.0), 1.0, np.rint(_gamma(np.maximum(whole, 0.0) + 1.0)))


def _binomial(n: FloatArray, k: FloatArray) -> FloatArray:
    return lazy_special("binom")(to_int64(n).astype(np.float64), to_int64(k).astype(np.float64))


_I0_SMALL = (1.0, 3.5156229, 3.0899424, 1.2067492, 0.2659732, 3.60768e-2, 4.5813e-3)
_I0_LARGE = (
    0.39894228,
    1.328592e-2,
    2.25319e-3,
    -1.57565e-3,
    9.16281e-3,
    -2.057706e-2,
    2.635537e-2,
    -1.647633e-2,
    3.92377e-3,
)


def _bessel_i0(x: FloatArray) -> FloatArray:
    """Return I₀(x) by Abramowitz and Stegun 9.8.1 and 9.8.2 (to 2·10⁻⁷, like ROOT's)."""
    size = np.abs(x)
    small = np.polynomial.polynomial.polyval(np.square(x / 3.75), _I0_SMALL)
    above = np.maximum(size, 3.75)
    large = np.exp(above) / np.sqrt(above) * np.polynomial.polynomial.polyval(3.75 / above, _I0_LARGE)
    return np.where(np.less(size, 3.75), small, large)


TMATH: dict[str, tuple[int, int, Callable[..., FloatArray]]] = {
    "Abs": (1, 1, np.abs),
    "ACos": (1, 1, np.arccos),
    "ACosH": (1, 1, np.arccosh),
    "ASin": (1, 1, np.arcsin),
    "ASinH": (1, 1, np.arcsinh),
    "ATan": (1, 1, np.arctan),
    "ATan2": (2, 2, np.arctan2),
    "ATanH": (1, 1, np.arctanh),
    "BesselI0": (1, 1, _bessel_i0),
    "Beta": (2, 2, lazy_special("beta")),
    "Binomial": (2, 2, _binomial),
    "BreitWigner": (1, 3, _breit_wigner),
    "Ceil": (1, 1, np.ceil),
    "CeilNint": (1, 1, lambda x: np.rint(np.ceil(x))),
    "ChisquareQuantile": (2, 2, _chi2_quantile),
    "Cos": (1, 1, np.cos),
    "CosH": (1, 1, np.cosh),
    "Erf": (1, 1, lazy_special("erf")),
    "Erfc": (1, 1, lazy_special("erfc")),
    "ErfInverse": (1, 1, lazy_special("erfinv")),
    "ErfcInverse": (1, 1, lazy_special("erfcinv")),
    "Even": (1, 1, _even),
    "Exp": (1, 1, np.exp),
    "Factorial": (1, 1, _factorial),
    "Finite": (1, 1, lambda x: truth(np.isfinite(x))),
    "Floor": (1, 1, np.floor),
    "FloorNint": (1, 1, lambda x: np.rint(np.floor(x))),
    "Freq": (1, 1, lazy_special("ndtr")),
    "Gamma": (1, 2, _incomplete_gamma),
    "Gaus": (1, 4, _gauss),
    "Hypot": (2, 2, np.hypot),
    "IsNaN": (1, 1, lambda x: truth(np.isnan(x))),
    "Landau": (1, 4, _landau),
    "LnGamma": (1, 1, _ln_gamma),
    "Log": (1, 1, np.log),
    "Log10": (1, 1, np.log10),
    "Log2": (1, 1, np.log2),
    "Max": (2, 2, maximum),
    "Min": (2, 2, minimum),
    "Nint": (1, 1, np.rint),
    "NormQuantile": (1, 1, _ndtri),
    "Odd": (1, 1, _odd),
    "Poisson": (2, 2, _poisson),
    "Power": (2, 2, np.power),
    "Prob": (2, 2, _chi2_probability),
    "Range": (3, 3, _range),
    "Sign": (2, 2, np.copysign),
    "SignBit": (1, 1, lambda x: truth(np.signbit(x))),
    "Sin": (1, 1, np.sin),
    "SinH": (1, 1, np.sinh),
    "Sq": (1, 1, np.square),
    "Sqrt": (1, 1, np.sqrt),
    "Tan": (1, 1, np.tan),
    "TanH": (1, 1, np.tanh),
}

CONSTANT_FUNCTIONS = {
    "C": 299792458.0,
    "DegToRad": math.pi / 180.0,
    "E": math.e,
    "Infinity": math.inf,
    "InvPi": 1.0 / math.pi,
    "Ln10": math.log(10.0),
    "LogE": math.log10(math.e),
    "Pi": math.pi,
    "PiOver2": math.pi / 2.0,
    "PiOver4": math.pi / 4.0,
    "QuietNaN": math.nan,
    "RadToDeg": 180.0 / math.pi,
    "Sqrt2": math.sqrt(2.0),
    "TwoPi": 2.0 * math.pi,
}
"""Functions of TMath without arguments."""
