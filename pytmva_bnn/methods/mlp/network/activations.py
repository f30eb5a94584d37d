"""Activation functions of the neurons: value and derivative, in float64 on whole arrays.

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

import numpy as np

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.errors import InputError, suggestion


@dataclass(frozen=True)
class Activation:
    """One activation function; ``derivative`` gets the neuron's input ``z`` and its value ``f(z)``.

    >>> import numpy as np
    >>> tanh = activation("tanh")
    >>> tanh.derivative(np.array([0.0]), tanh.value(np.array([0.0])))
    array([1.])
    """

    name: str
    value: Callable[[FloatArray], FloatArray]
    derivative: Callable[[FloatArray, FloatArray], FloatArray]


def _sigmoid(z: FloatArray) -> FloatArray:
    # written in steps on one buffer: this runs for every neuron of every event
    with np.errstate(over="ignore"):
        result = np.exp(-z)
    result += 1.0
    return np.reciprocal(result, out=result)


def _relu(z: FloatArray) -> FloatArray:
    # TMVA: z > 0 decides, so NaN becomes 0 there; np.maximum would keep it, and a NaN must stay visible
    return np.maximum(z, 0.0)


def _radial(z: FloatArray) -> FloatArray:
    return np.exp(-z * z * 0.5)


def fast_tanh(z: FloatArray) -> FloatArray:
    """Return the rational approximation of tanh that ROOT 6.04 to 6.14 used, to the last bit.

    >>> import numpy as np
    >>> fast_tanh(np.array([0.5, 6.0]))
    array([0.46211717, 1.        ])
    """
    f32 = np.float32
    with np.errstate(over="ignore", invalid="ignore"):
        q = (z * z).astype(f32)
        bracket = f32(135135) + q * (f32(17325) + q * (f32(378) + q))
        numerator = (z * bracket.astype(np.float64)).astype(f32)
        denominator = f32(135135) + q * (f32(62370) + q * (f32(3150) + f32(28) * q))
        ratio = (numerator / denominator).astype(np.float64)
    return np.where(z > 4.97, 1.0, np.where(z < -4.97, -1.0, ratio))


def _one_minus_square(_z: FloatArray, value: FloatArray) -> FloatArray:
    return 1.0 - value * value


ACTIVATIONS: Mapping[str, Activation] = MappingProxyType(
    {
        a.name: a
        for a in (
            Activation("linear", lambda z: z.copy(), lambda z, _: np.ones_like(z)),
            Activation("sigmoid", _sigmoid, lambda _, value: value * (1.0 - value)),
            Activation("tanh", np.tanh, _one_minus_square),
            Activation("fast tanh", fast_tanh, _one_minus_square),
            Activation("ReLU", _relu, lambda z, _: (z > 0.0).astype(np.float64)),
            Activation("radial", _radial, lambda z, value: -z * value),
        )
    }
)


def activation(name: str) -> Activation:
    """Return the activation called ``name`` (case-sensitive, as in TMVA).

    >>> activation("Tanh")
    Traceback (most recent call last):
    ...
    pytmva_bnn.errors.InputError: no activation function 'Tanh': did you mean tanh? Known: linear, sigmoid, \
tanh, ReLU, radial
    """
    try:
        return ACTIVATIONS[name]
    except KeyError:
        known = [n for n in ACTIVATIONS if n != "fast tanh"]
        hint = suggestion(name, known)
        raise InputError(
            f"no activation function {name!r}: {hint + ' ' if hint else ''}Known: {', '.join(known)}"
        ) from None
