"""Activation functions of the neurons: one table for every way of computing them.

``tanh`` exists in two forms, because TMVA has two: the exact one (the default here, and what current ROOT
does) and ``fast tanh``, the rational approximation in float32 of ROOT 6.04 to 6.14.

>>> import numpy as np
>>> activation("sigmoid").value(np.array([0.0]))
array([0.5])
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Protocol, TypeAlias

import numpy as np

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.errors import InputError, suggestion

#: a builder of ONNX graphs: ``op(kind, *tensors)``, ``constant(value, dtype)`` and ``cast(tensor, dtype)``
Graph: TypeAlias = Any


class Value(Protocol):
    """A function of arrays that puts its values into ``out`` if that is given."""

    def __call__(self, z: FloatArray, out: FloatArray | None = None) -> FloatArray: ...  # noqa: D102


#: fast tanh is z P(z²) / Q(z²) in float32 with these coefficients, and ±1 beyond the limit
FAST_TANH_P, FAST_TANH_Q = (135135, 17325, 378, 1), (135135, 62370, 3150, 28)
FAST_TANH_LIMIT = 4.97


@dataclass(frozen=True)
class Activation:
    """One activation function ``f``.

    ``value(z)`` and ``derivative(z, f(z))`` work on arrays, ``onnx(graph, z)`` and ``onnx_derivative(graph, z, f(z))``
    append to an ONNX graph in float64 and return the tensor's name.  ``cpp`` is the body of a C++ function of ``z``,
    ``cpp_derivative`` an expression in ``z`` and ``a``, the value.  In compiled code ``number`` stands for the function
    (see :func:`pytmva_bnn.methods.mlp.kernels.block_kernels.activate`).
    """

    name: str
    number: int
    value: Value
    derivative: Callable[[FloatArray, FloatArray], FloatArray]
    cpp: str
    cpp_derivative: str
    onnx: Callable[[Graph, str], str]
    onnx_derivative: Callable[[Graph, str, str], str]

    def __reduce__(self) -> tuple[Any, ...]:
        return activation, (self.name,)


# in steps on one buffer, as this runs for every neuron of every event


def _linear(z: FloatArray, out: FloatArray | None = None) -> FloatArray:
    return np.positive(z, out=out)


def _sigmoid(z: FloatArray, out: FloatArray | None = None) -> FloatArray:
    out = np.negative(z, out=out)
    with np.errstate(over="ignore"):
        np.exp(out, out=out)
    out += 1.0
    return np.reciprocal(out, out=out)


def _tanh(z: FloatArray, out: FloatArray | None = None) -> FloatArray:
    return np.tanh(z, out=out)


def _relu(z: FloatArray, out: FloatArray | None = None) -> FloatArray:
    # TMVA: z > 0 decides, so NaN becomes 0 there; np.maximum would keep it, and a NaN must stay visible
    return np.maximum(z, 0.0, out=out)


def _radial(z: FloatArray, out: FloatArray | None = None) -> FloatArray:
    out = np.multiply(z, z, out=out)
    out *= -0.5
    return np.exp(out, out=out)


def _one_minus_square(_z: FloatArray, value: FloatArray) -> FloatArray:
    return 1.0 - value * value


def fast_tanh(z: FloatArray, out: FloatArray | None = None) -> FloatArray:
    """Return the rational approximation of tanh that ROOT 6.04 to 6.14 used, to the last bit."""

    def polynomial(coefficients: tuple[int, ...]) -> Any:
        p0, p1, p2, p3 = (np.float32(p) for p in coefficients)
        return p0 + q * (p1 + q * (p2 + p3 * q))

    with np.errstate(over="ignore", invalid="ignore"):
        q = (z * z).astype(np.float32)
        numerator = (z * polynomial(FAST_TANH_P).astype(np.float64)).astype(np.float32)
        ratio = (numerator / polynomial(FAST_TANH_Q)).astype(np.float64)
    return np.positive(np.where(z > FAST_TANH_LIMIT, 1.0, np.where(z < -FAST_TANH_LIMIT, -1.0, ratio)), out=out)


_CPP_FAST_TANH = """\
      if (z > 4.97)
         return 1.0;
      if (z < -4.97)
         return -1.0;
      const float q = static_cast<float>(z * z);
      const float bracket = 135135.0f + q * (17325.0f + q * (378.0f + q));
      const float numerator = static_cast<float>(z * static_cast<double>(bracket));
      const float denominator = 135135.0f + q * (62370.0f + q * (3150.0f + 28.0f * q));
      return static_cast<double>(numerator / denominator);"""


def _onnx_sigmoid(g: Graph, z: str) -> str:
    # from Exp: onnxruntime's own Sigmoid is an approximation in some releases
    return str(g.op("Reciprocal", g.op("Add", g.op("Exp", g.op("Neg", z)), g.constant(1.0))))


def _onnx_fast_tanh(g: Graph, z: str) -> str:
    def polynomial(coefficients: tuple[int, ...]) -> str:
        total = g.op("Mul", q, g.constant(coefficients[-1], np.float32))
        for coefficient in reversed(coefficients[1:-1]):
            total = g.op("Mul", q, g.op("Add", g.constant(coefficient, np.float32), total))
        return str(g.op("Add", g.constant(coefficients[0], np.float32), total))

    q = g.cast(g.op("Mul", z, z), np.float32)
    numerator = g.cast(g.op("Mul", z, g.cast(polynomial(FAST_TANH_P), np.float64)), np.float32)
    ratio = g.cast(g.op("Div", numerator, polynomial(FAST_TANH_Q)), np.float64)
    ratio = g.op("Where", g.op("Less", z, g.constant(-FAST_TANH_LIMIT)), g.constant(-1.0), ratio)
    return str(g.op("Where", g.op("Greater", z, g.constant(FAST_TANH_LIMIT)), g.constant(1.0), ratio))


def _onnx_one_minus_square(g: Graph, _z: str, a: str) -> str:
    return str(g.op("Sub", g.constant(1.0), g.op("Mul", a, a)))


# fmt: off
_TABLE = (  # name and number; value and derivative by numpy, in C++, in ONNX
    Activation("linear", 0,
               _linear, lambda z, _: np.ones_like(z),
               "      return z;", "1.0",
               lambda _, z: z, lambda g, _z, _a: g.constant(1.0)),
    Activation("sigmoid", 1,
               _sigmoid, lambda _, a: a * (1.0 - a),
               "      return 1.0 / (1.0 + std::exp(-z));", "a * (1.0 - a)",
               _onnx_sigmoid, lambda g, _, a: g.op("Mul", a, g.op("Sub", g.constant(1.0), a))),
    Activation("tanh", 2,
               _tanh, _one_minus_square,
               "      return std::tanh(z);", "1.0 - a * a",
               lambda g, z: g.op("Tanh", z), _onnx_one_minus_square),
    Activation("fast tanh", 3,
               fast_tanh, _one_minus_square,
               _CPP_FAST_TANH, "1.0 - a * a",
               _onnx_fast_tanh, _onnx_one_minus_square),
    Activation("ReLU", 4,
               _relu, lambda z, _: (z > 0.0).astype(np.float64),
               "      return z < 0.0 ? 0.0 : z; // NaN stays NaN", "z > 0.0 ? 1.0 : 0.0",
               lambda g, z: g.op("Max", z, g.constant(0.0)),
               lambda g, z, _: g.cast(g.op("Greater", z, g.constant(0.0)), np.float64)),
    Activation("radial", 5,
               _radial, lambda z, a: -z * a,
               "      return std::exp(-z * z * 0.5);", "-z * a",
               lambda g, z: g.op("Exp", g.op("Mul", g.op("Mul", g.op("Neg", z), z), g.constant(0.5))),
               lambda g, z, a: g.op("Mul", g.op("Neg", z), a)),
)
# fmt: on

ACTIVATIONS: Mapping[str, Activation] = MappingProxyType({a.name: a for a in _TABLE})


def activation(name: str) -> Activation:
    """Return the activation called ``name`` (case-sensitive, as in TMVA)."""
    try:
        return ACTIVATIONS[name]
    except KeyError:
        known = [n for n in ACTIVATIONS if n != "fast tanh"]
        hint = suggestion(name, known)
        raise InputError(
            f"no activation function {name!r}: {hint + ' ' if hint else ''}Known: {', '.join(known)}"
        ) from None
