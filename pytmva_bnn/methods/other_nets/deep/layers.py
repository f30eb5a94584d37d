"""The layers of deep networks: what a weight file has of each kind, and what it does to events.

Between layers events are ``(n_events, depth, height, width)``, the width running fastest.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.methods.mlp.network import activation
from pytmva_bnn.methods.other_nets.deep.recurrent import gru, lstm, rnn

Shape: TypeAlias = tuple[int, int, int]
"""Depth, height and width of an event."""


def _softsign(z: FloatArray) -> FloatArray:
    return np.asarray(z / (1.0 + np.abs(z)))


def _gauss(z: FloatArray) -> FloatArray:
    return np.asarray(np.exp(-z * z))


ACTIVATIONS: tuple[tuple[str, Callable[[FloatArray], FloatArray]], ...] = (
    ("identity", activation("linear").value),
    ("ReLU", activation("ReLU").value),
    ("sigmoid", activation("sigmoid").value),
    ("tanh", activation("tanh").value),
    ("|x|", np.abs),
    ("softsign", _softsign),
    ("Gauss", _gauss),
    # TMVA: an approximation of tanh, which differs in the last digits of float32
    ("tanh", activation("tanh").value),
)
"""Name and function by the code in weight files."""


@dataclass(frozen=True, eq=False)
class Layer:
    """A layer as its element has it: ``attributes`` and ``matrices`` in the order of the file."""

    tag: str
    attributes: tuple[tuple[str, str], ...]
    matrices: tuple[tuple[str, FloatArray], ...] = ()

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        """Return the attributes that are whole numbers."""
        return {name: int(text) for name, text in self.attributes if text.strip().lstrip("-").isdigit()}

    @cached_property
    def values(self) -> Mapping[str, FloatArray]:
        """Return the matrices as they are used, in float32 precision."""
        return {name: matrix.astype(np.float32).astype(np.float64) for name, matrix in self.matrices}

    @property
    def activation(self) -> str:
        """Return the name of its activation function, or nothing."""
        code = self.numbers.get("ActivationFunction")
        return "" if code is None else ACTIVATIONS[code][0]

    def activated(self, z: FloatArray) -> FloatArray:
        """Return the activation function of these numbers."""
        return ACTIVATIONS[self.numbers["ActivationFunction"]][1](z)


@dataclass(frozen=True)
class Kind:
    """A kind of layer.

    ``attributes`` are its whole numbers; ``shape(layer, shape, before)`` gives the shape of what it makes of an event
    of that shape, ``before`` being the tag of the layer before, or raises ValueError; ``matrices(layer, shape,
    before)`` gives what its matrices must be; ``apply(layer, x, shape)`` does it, ``shape`` being that of the outcome.
    """

    attributes: tuple[str, ...]
    shape: Callable[[Layer, Shape, str], Shape]
    matrices: Callable[[Layer, Shape, str], Mapping[str, tuple[int, int]]]
    apply: Callable[[Layer, FloatArray, Shape], FloatArray]
    reals: tuple[str, ...] = ()


def _flat(x: FloatArray) -> FloatArray:
    return x.reshape(len(x), -1)


# -- dense


def _dense_shape(layer: Layer, shape: Shape, before: str) -> Shape:
    del shape, before
    return (1, 1, layer.numbers["Width"])


def _dense_matrices(layer: Layer, shape: Shape, before: str) -> Mapping[str, tuple[int, int]]:
    del before
    width = layer.numbers["Width"]
    return {"Weights": (width, math.prod(shape)), "Biases": (width, 1)}


def _dense(layer: Layer, x: FloatArray, shape: Shape) -> FloatArray:
    z = _flat(x) @ layer.values["Weights"].T + layer.values["Biases"][:, 0]
    return layer.activated(z).reshape(len(x), *shape)


# -- convolution and pooling


def _n_windows(size: int, window: int, padding: int, stride: int, what: str) -> int:
    room = size - window + 2 * padding
    if stride < 1 or window < 1 or room < 0 or room % stride:
        raise ValueError(f"{what} {size} is not covered by windows of {window} with stride {stride}, padding {padding}")
    return room // stride + 1


def _window_shape(layer: Layer, shape: Shape, before: str) -> Shape:
    del before
    n = layer.numbers
    height = _n_windows(shape[1], n["FilterHeight"], n.get("PaddingHeight", 0), n["StrideRows"], "the height")
    width = _n_windows(shape[2], n["FilterWidth"], n.get("PaddingWidth", 0), n["StrideCols"], "the width")
    return (n.get("Depth", shape[0]), height, width)


def _windows(layer: Layer, x: FloatArray) -> FloatArray:
    """Return a view ``(n_events, depth, rows, columns, filter height, filter width)``."""
    n = layer.numbers
    p, q = n.get("PaddingHeight", 0), n.get("PaddingWidth", 0)
    padded = np.pad(x, ((0, 0), (0, 0), (p, p), (q, q))) if p or q else x
    view = np.lib.stride_tricks.sliding_window_view(padded, (n["FilterHeight"], n["FilterWidth"]), axis=(2, 3))
    return view[:, :, :: n["StrideRows"], :: n["StrideCols"]]


def _conv_matrices(layer: Layer, shape: Shape, before: str) -> Mapping[str, tuple[int, int]]:
    del before
    n = layer.numbers
    return {"Weights": (n["Depth"], shape[0] * n["FilterHeight"] * n["FilterWidth"]), "Biases": (n["Depth"], 1)}


def _conv(layer: Layer, x: FloatArray, shape: Shape) -> FloatArray:
    columns = np.moveaxis(_windows(layer, x), 1, 3).reshape(len(x), shape[1] * shape[2], -1)
    z = columns @ layer.values["Weights"].T + layer.values["Biases"][:, 0]
    return layer.activated(np.moveaxis(z, 2, 1).reshape(len(x), *shape))


def _max_pool(layer: Layer, x: FloatArray, shape: Shape) -> FloatArray:
    del shape
    return np.asarray(_windows(layer, x).max(axis=(4, 5)))


# -- reshape and batch normalisation


def _reshaped(layer: Layer, shape: Shape, before: str) -> Shape:
    del before
    n = layer.numbers
    if n["Flattening"]:
        return (1, 1, math.prod(shape))
    wanted = (n["Depth"], n["Height"], n["Width"])
    if math.prod(wanted) != math.prod(shape):
        raise ValueError(f"{math.prod(shape)} numbers cannot be reshaped to {wanted[0]} x {wanted[1]} x {wanted[2]}")
    return wanted


def _same_shape(layer: Layer, shape: Shape, before: str) -> Shape:
    del layer, before
    return shape


_NORM = ("Training-mu", "Training-variance", "Gamma", "Beta")


def _norm_matrices(layer: Layer, shape: Shape, before: str) -> Mapping[str, tuple[int, int]]:
    del layer
    # behind convolutions and pooling a channel has one mean and one variance, elsewhere every number has its own
    n = shape[0] if before in ("ConvLayer", "MaxPoolLayer") else math.prod(shape)
    return dict.fromkeys(_NORM, (1, n))


def norm_factors(layer: Layer) -> tuple[FloatArray, FloatArray]:
    """Return factor and offset of each feature of a batch normalisation."""
    mean, variance, gamma, beta = (layer.values[name][0] for name in _NORM)
    with np.errstate(invalid="ignore", divide="ignore"):
        factor = gamma / np.sqrt(variance + float(dict(layer.attributes)["Epsilon"]))
    return factor, beta - factor * mean


def _batch_norm(layer: Layer, x: FloatArray, shape: Shape) -> FloatArray:
    factor, offset = norm_factors(layer)
    rows = x.reshape(len(x), len(factor), math.prod(shape) // len(factor))
    return (rows * factor[:, np.newaxis] + offset[:, np.newaxis]).reshape(x.shape)


# -- recurrent layers


def _sequence_shape(layer: Layer, shape: Shape, before: str) -> Shape:
    del before
    n = layer.numbers
    if n["TimeSteps"] * n["InputSize"] != math.prod(shape):
        raise ValueError(
            f"{math.prod(shape)} numbers are not {n['TimeSteps']} time steps of {n['InputSize']} numbers each"
        )
    return (n["TimeSteps"] if n["ReturnSequence"] else 1, 1, n["StateSize"])


def _gates(names: Mapping[str, tuple[str, str, str]]) -> Callable[[Layer, Shape, str], Mapping[str, tuple[int, int]]]:
    def matrices(layer: Layer, shape: Shape, before: str) -> Mapping[str, tuple[int, int]]:
        del shape, before
        state, size = layer.numbers["StateSize"], layer.numbers["InputSize"]
        shapes = ((state, size), (state, state), (state, 1))
        return {name: one for gate in names.values() for name, one in zip(gate, shapes, strict=True)}

    return matrices


def _recurrent(
    names: Mapping[str, tuple[str, str, str]], run: Callable[..., FloatArray]
) -> Callable[[Layer, FloatArray, Shape], FloatArray]:
    def apply(layer: Layer, x: FloatArray, shape: Shape) -> FloatArray:
        n = layer.numbers
        gates = {gate: tuple(layer.values[name] for name in three) for gate, three in names.items()}
        how = {"reset_after": bool(n["ResetGateAfter"])} if "ResetGateAfter" in n else {}
        states = run(x.reshape(len(x), n["TimeSteps"], n["InputSize"]), **gates, **how)
        return (states if n["ReturnSequence"] else states[:, -1]).reshape(len(x), *shape)

    return apply


def _three(name: str) -> tuple[str, str, str]:
    return f"{name}Weights", f"{name}StateWeights", f"{name}Biases"


_RNN = {"state": ("InputWeights", "StateWeights", "Biases")}
_LSTM = {
    "input": _three("Input"),
    "forget": _three("Forget"),
    "candidate": _three("Candidate"),
    # TMVA: the t of the first is missing in its files
    "output": ("OuputWeights", "OutputStateWeights", "OutputBiases"),
}
_GRU = {"reset": _three("Reset"), "update": _three("Update"), "candidate": _three("Candidate")}
_SEQUENCE = ("StateSize", "InputSize", "TimeSteps", "RememberState", "ReturnSequence")
_WINDOW = ("FilterHeight", "FilterWidth", "StrideRows", "StrideCols")


def _no_matrices(layer: Layer, shape: Shape, before: str) -> Mapping[str, tuple[int, int]]:
    del layer, shape, before
    return {}


KINDS: Mapping[str, Kind] = {
    "DenseLayer": Kind(("Width", "ActivationFunction"), _dense_shape, _dense_matrices, _dense),
    "ConvLayer": Kind(
        ("Depth", *_WINDOW, "PaddingHeight", "PaddingWidth", "ActivationFunction"), _window_shape, _conv_matrices, _conv
    ),
    "MaxPoolLayer": Kind(_WINDOW, _window_shape, _no_matrices, _max_pool),
    "ReshapeLayer": Kind(
        ("Depth", "Height", "Width", "Flattening"), _reshaped, _no_matrices, lambda _, x, s: x.reshape(len(x), *s)
    ),
    "BatchNormLayer": Kind((), _same_shape, _norm_matrices, _batch_norm, ("Momentum", "Epsilon")),
    "RNNLayer": Kind(_SEQUENCE, _sequence_shape, _gates(_RNN), _recurrent(_RNN, rnn)),
    "LSTMLayer": Kind((*_SEQUENCE, "CellSize"), _sequence_shape, _gates(_LSTM), _recurrent(_LSTM, lstm)),
    "GRULayer": Kind((*_SEQUENCE, "ResetGateAfter"), _sequence_shape, _gates(_GRU), _recurrent(_GRU, gru)),
}
"""By the name of the element."""
