"""From cumulative probabilities to uniform and Gaussian variables: numpy, C++ and ONNX."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pytmva_bnn._typing import Float32Array, FloatArray
from pytmva_bnn.errors import InputError
from pytmva_bnn.onnxio.graph import F32, Graph
from pytmva_bnn.transform.step import Code, for_each_input

# scipy.special is imported where it is needed: it takes long to load and few weight files need it

SQRT2 = 1.414213562  # TMVA: √2 to 10 digits only
SLOPE = 0.8862269254527579  # √π/2
PRECISION = 1e-14
ITERATIONS = 50
SMALLEST, LARGEST = 1e-9, 1 - 1e-9
"""Limits of the cumulative distribution."""
LARGEST_ERF = 0.99999999


def check_cumulatives(cumulatives: tuple[tuple[Any, ...], ...], n_inputs: int, title: str) -> None:
    """Raise an InputError unless each of ``n_inputs`` inputs has a distribution."""
    if len(cumulatives) != n_inputs:
        raise InputError(
            f"transformation {title}: {len(cumulatives)} inputs have cumulative distributions, expected {n_inputs}"
        )
    for position, sets in enumerate(cumulatives):
        if not sets:
            raise InputError(f"transformation {title}: no cumulative distribution for input {position}")


def uniformise(c: FloatArray) -> Float32Array:
    """Return cumulative probabilities within their limits, as float32."""
    return _limited(c).astype(np.float32)


def gaussianise(c: FloatArray) -> Float32Array:
    """Return where the unit Gaussian has the cumulative probabilities ``c``, as float32."""
    a = np.clip(2 * _limited(c) - 1, -LARGEST_ERF, LARGEST_ERF)
    return (SQRT2 * erfinv(a)).astype(np.float32)


def _limited(c: FloatArray) -> FloatArray:
    # the order of comparisons decides what NaN becomes: the upper limit
    c = np.where(c <= LARGEST, c, LARGEST)
    return np.where(c >= SMALLEST, c, SMALLEST)


def gauss_to_uniform(y: FloatArray) -> FloatArray:
    """Return the cumulative probability of the unit Gaussian at ``y``."""
    from scipy.special import erf

    u: FloatArray = (erf(y / SQRT2) + 1) / 2
    return u


def erfinv(x: FloatArray) -> FloatArray:
    """Return the inverse error function by TMVA's secant iteration; 0 where it does not converge."""
    from scipy.special import erf, erfc

    x = np.asarray(x, dtype=np.float64)
    size = np.abs(x)
    small = size <= PRECISION
    result = np.where(small, SLOPE * x, 0.0)
    left = np.flatnonzero(~small)  # what has not converged yet
    target, sign = size.ravel()[left], np.copysign(1.0, x.ravel()[left])
    e = SLOPE * target
    y0 = erf(0.9 * e)
    step = 0.1 * e
    flat = result.ravel()
    with np.errstate(all="ignore"):
        for _ in range(ITERATIONS):
            if len(left) == 0:
                break
            y1 = 1.0 - erfc(e)
            r = target - y1
            exact = np.abs(r) < PRECISION
            step = np.where(exact, step, step * (r / (y1 - y0)))
            e = np.where(exact, e, e + step)
            done = exact | (np.abs(step / e) < PRECISION)
            flat[left[done]] = (sign * e)[done]
            go_on = ~done
            left, target, sign, e = left[go_on], target[go_on], sign[go_on], e[go_on]
            y0, step = y1[go_on], step[go_on]
    return flat.reshape(x.shape)


# -- C++

CPP_UNIFORMISED = """\
   static double Limited(double c)
   {
      const double largest = 1.0 - 1e-9;
      c = c <= largest ? c : largest;
      return c >= 1e-9 ? c : 1e-9;
   }

   static float Uniformised(double c) { return static_cast<float>(Limited(c)); }"""

CPP_GAUSSIANISED = """\
   // The inverse of the error function, by the secant method.
   static double ErfInverse(double x)
   {
      const double slope = 0.8862269254527579;
      const double precision = 1e-14;
      const double size = std::fabs(x);
      if (size <= precision)
         return slope * x;
      double e = slope * size;
      double before = std::erf(0.9 * e);
      double step = 0.1 * e;
      for (int iteration = 0; iteration < 50; ++iteration) {
         const double now = 1.0 - std::erfc(e);
         const double rest = size - now;
         if (std::fabs(rest) < precision)
            return std::copysign(e, x);
         step *= rest / (now - before);
         before = now;
         e += step;
         if (std::fabs(step / e) < precision)
            return std::copysign(e, x);
      }
      return 0.0;
   }

   static float Gaussianised(double c)
   {
      double a = 2.0 * Limited(c) - 1.0;
      a = a >= 0.99999999 ? 0.99999999 : a;
      a = a <= -0.99999999 ? -0.99999999 : a;
      return static_cast<float>(1.414213562 * ErfInverse(a));
   }"""

CPP_GAUSS_TO_UNIFORM = """\
   static double GaussToUniform(double y) { return (std::erf(y / 1.414213562) + 1.0) / 2.0; }"""


def cpp_shape(flat: bool, probability: str, distribution: str, constants: tuple[str, ...]) -> Code:
    """Return C++ of U or G, given that of the cumulative probability of ``x[i]``."""
    functions = (distribution, CPP_UNIFORMISED, *(() if flat else (CPP_GAUSSIANISED,)))
    if flat:
        return Code("Uniform distribution", for_each_input(f"Uniformised({probability})"), functions, constants)
    return Code("Gaussian distribution", for_each_input(f"Gaussianised({probability})"), functions, constants)


# -- ONNX

# Wichura, algorithm AS 241 (PPND16): relative error 1e-16; the lowest powers come first
_CENTRE = (
    (3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3, 1.3731693765509461125e4,
     4.5921953931549871457e4, 6.7265770927008700853e4, 3.3430575583588128105e4, 2.5090809287301226727e3),
    (1.0, 4.2313330701600911252e1, 6.8718700749205790830e2, 5.3941960214247511077e3,
     2.1213794301586595867e4, 3.9307895800092710610e4, 2.8729085735721942674e4, 5.2264952788528545610e3),
)  # fmt: skip
_TAIL = (
    (1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0, 3.64784832476320460504e0,
     1.27045825245236838258e0, 2.41780725177450611770e-1, 2.27238449892691845833e-2, 7.74545014278341407640e-4),
    (1.0, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1,
     1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4, 1.05075007164441684324e-9),
)  # fmt: skip


def onnx_limited(graph: Graph, c: str) -> str:
    """Append the limits of a cumulative probability, in float64."""
    largest, smallest = graph.constant(LARGEST), graph.constant(SMALLEST)
    c = graph.op("Where", graph.op("LessOrEqual", c, largest), c, largest)
    return graph.op("Where", graph.op("GreaterOrEqual", c, smallest), c, smallest)


def onnx_gaussianised(graph: Graph, c: str) -> str:
    """Append √2 erfinv(2c - 1), which is the quantile of the unit Gaussian at c, times TMVA's √2 over the true one."""
    op, constant = graph.op, graph.constant
    a = op("Sub", op("Mul", constant(2.0), c), constant(1.0))
    q = op("Mul", a, constant(0.5))
    size = op("Abs", q)
    centre = op("Mul", q, _ratio(graph, op("Sub", constant(0.180625), op("Mul", q, q)), _CENTRE))
    # the smallest tail is the one of the limit, so the logarithm exists
    tail = op("Max", op("Sub", constant(0.5), size), constant((1.0 - LARGEST_ERF) / 2))
    root = op("Sqrt", op("Neg", op("Log", tail)))
    outer = op("Mul", op("Sign", q), _ratio(graph, op("Sub", root, constant(1.6)), _TAIL))
    quantile = op("Where", op("LessOrEqual", size, constant(0.425)), centre, outer)
    y = graph.cast(op("Mul", quantile, constant(SQRT2 / math.sqrt(2.0))), F32)
    # many events lie at the limits: there the value is TMVA's to the last bit
    low, high = (constant(one, F32) for one in gaussianise(np.array([0.0, 1.0])))
    y = op("Where", op("GreaterOrEqual", a, constant(LARGEST_ERF)), high, y)
    return op("Where", op("LessOrEqual", a, constant(-LARGEST_ERF)), low, y)


def _ratio(graph: Graph, r: str, coefficients: tuple[tuple[float, ...], tuple[float, ...]]) -> str:
    numerator, denominator = (_polynomial(graph, r, one) for one in coefficients)
    return graph.op("Div", numerator, denominator)


def _polynomial(graph: Graph, r: str, coefficients: tuple[float, ...]) -> str:
    total = graph.constant(coefficients[-1])
    for coefficient in reversed(coefficients[:-1]):
        total = graph.op("Add", graph.op("Mul", total, r), graph.constant(coefficient))
    return total
