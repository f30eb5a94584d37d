"""What the evaluation needs to know of a sample: responses, weights and the truth, checked once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from pytmva_bnn._typing import AnyArray, BoolArray, Float32Array, FloatArray, IntArray
from pytmva_bnn.errors import InputError


@dataclass(frozen=True, eq=False)
class BinarySample:
    """Events of a binary classification.

    ``response`` (n_events,) is kept as float32, as TMVA stores it: for the test sample that of the network re-read
    from the weight file, for the training sample that of the network as trained.  ``reread`` are the float64 responses
    of the re-read network (``response`` if not given).
    """

    response: Float32Array
    weight: FloatArray
    is_signal: BoolArray
    reread: FloatArray

    def __init__(
        self, response: ArrayLike, weight: ArrayLike | None, is_signal: ArrayLike, reread: ArrayLike | None = None
    ) -> None:
        stored = _float32(response)
        set_once = object.__setattr__
        set_once(self, "response", stored)
        set_once(self, "weight", _weights(weight, len(stored)))
        set_once(self, "is_signal", np.asarray(is_signal, dtype=bool))
        set_once(self, "reread", np.asarray(stored if reread is None else reread, dtype=np.float64))
        _check_shapes(
            "binary classification", (len(stored),), response=stored, is_signal=self.is_signal, reread=self.reread
        )

    @property
    def n_events(self) -> int:
        """Number of events."""
        return len(self.response)

    @property
    def weight32(self) -> Float32Array:
        """Weights rounded to float32, as most histograms get them."""
        return self.weight.astype(np.float32)


@dataclass(frozen=True, eq=False)
class MulticlassSample:
    """Events of a multiclass classification: responses (n_events, n_classes), and the index of each event's class."""

    response: Float32Array
    weight: FloatArray
    class_index: IntArray

    def __init__(self, response: ArrayLike, weight: ArrayLike | None, class_index: ArrayLike) -> None:
        stored = _float32(response)
        if stored.ndim != 2:
            raise InputError(
                f"responses of a multiclass sample must be (n_events, n_classes), got shape {stored.shape}"
            )
        set_once = object.__setattr__
        set_once(self, "response", stored)
        set_once(self, "weight", _weights(weight, len(stored)))
        set_once(self, "class_index", np.asarray(class_index, dtype=np.int64))
        _check_shapes("multiclass classification", (len(stored),), class_index=self.class_index)

    @property
    def n_classes(self) -> int:
        """Number of classes."""
        return int(self.response.shape[1])


@dataclass(frozen=True, eq=False)
class RegressionSample:
    """Events of a regression: responses and true targets (n_events, n_targets), variables (n_events, n_variables).

    Lists (n_events,) are taken as one target.  Variables and targets are those before any transformation.
    """

    response: Float32Array
    target: Float32Array
    weight: FloatArray
    variables: Float32Array

    def __init__(
        self,
        response: ArrayLike,
        target: ArrayLike,
        weight: ArrayLike | None,
        variables: ArrayLike | None = None,
    ) -> None:
        stored, true = _columns(response), _columns(target)
        n = len(stored)
        set_once = object.__setattr__
        set_once(self, "response", stored)
        set_once(self, "target", true)
        set_once(self, "weight", _weights(weight, n))
        set_once(self, "variables", np.empty((n, 0), np.float32) if variables is None else _columns(variables))
        _check_shapes("regression", stored.shape, target=true)
        if len(self.variables) != n:
            raise InputError(f"regression: {n} events, but variables of {len(self.variables)}")


def _float32(values: ArrayLike) -> Float32Array:
    with np.errstate(over="ignore"):
        return np.asarray(values).astype(np.float32)


def _columns(values: ArrayLike) -> Float32Array:
    array = _float32(values)
    return array[:, np.newaxis] if array.ndim == 1 else array


def _weights(weight: ArrayLike | None, n_events: int) -> FloatArray:
    w = np.ones(n_events) if weight is None else np.asarray(weight, dtype=np.float64)
    if w.shape != (n_events,):
        raise InputError(f"weights of a sample must have the shape ({n_events},), got {w.shape}")
    return w


def _check_shapes(what: str, shape: tuple[int, ...], **arrays: AnyArray) -> None:
    for name, array in arrays.items():
        if array.shape != shape:
            raise InputError(f"{what}: '{name}' must have the shape {shape}, got {array.shape}")
