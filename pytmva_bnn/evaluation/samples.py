"""What the evaluation needs to know of a sample: responses, weights and the truth, checked once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from pytmva_bnn.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class BinarySample:
    """Events of a binary classification.

    ``response`` (n_events,) is kept as float32, as TMVA stores it: for the test sample that of the network re-read
    from the weight file, for the training sample that of the network as trained.  ``reread`` is for the training
    sample: the float64 responses of the re-read network (``response`` if not given).

    >>> sample = BinarySample([0.1, 0.9], [1.0, 2.0], [False, True])
    >>> sample.response.dtype.name, sample.n_events, sample.reread.dtype.name
    ('float32', 2, 'float64')
    """

    response: NDArray[np.float32]
    weight: Floats
    is_signal: NDArray[np.bool_]
    reread: Floats

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
        """Number of events.

        >>> BinarySample([0.1], None, [True]).n_events
        1
        """
        return len(self.response)

    @property
    def weight32(self) -> NDArray[np.float32]:
        """Weights rounded to float32, as most histograms get them.

        >>> BinarySample([0.1], [0.1], [True]).weight32.tolist()
        [0.10000000149011612]
        """
        return self.weight.astype(np.float32)


@dataclass(frozen=True, eq=False)
class MulticlassSample:
    """Events of a multiclass classification: responses (n_events, n_classes), and the index of each event's class.

    >>> sample = MulticlassSample([[0.7, 0.3], [0.2, 0.8]], None, [0, 1])
    >>> sample.n_classes
    2
    """

    response: NDArray[np.float32]
    weight: Floats
    class_index: NDArray[np.int64]

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
        """Number of classes.

        >>> MulticlassSample(np.zeros((0, 3)), None, []).n_classes
        3
        """
        return int(self.response.shape[1])


@dataclass(frozen=True, eq=False)
class RegressionSample:
    """Events of a regression: responses and true targets (n_events, n_targets), variables (n_events, n_variables).

    Lists (n_events,) are taken as one target.  Variables and targets are those before any transformation.

    >>> sample = RegressionSample([1.0, 2.0], [1.5, 2.5], None)
    >>> sample.response.shape, sample.variables.shape
    ((2, 1), (2, 0))
    """

    response: NDArray[np.float32]
    target: NDArray[np.float32]
    weight: Floats
    variables: NDArray[np.float32]

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


def _float32(values: ArrayLike) -> NDArray[np.float32]:
    with np.errstate(over="ignore"):
        return np.asarray(values).astype(np.float32)


def _columns(values: ArrayLike) -> NDArray[np.float32]:
    array = _float32(values)
    return array[:, np.newaxis] if array.ndim == 1 else array


def _weights(weight: ArrayLike | None, n_events: int) -> Floats:
    w = np.ones(n_events) if weight is None else np.asarray(weight, dtype=np.float64)
    if w.shape != (n_events,):
        raise InputError(f"weights of a sample must have the shape ({n_events},), got {w.shape}")
    return w


def _check_shapes(what: str, shape: tuple[int, ...], **arrays: NDArray[Any]) -> None:
    for name, array in arrays.items():
        if array.shape != shape:
            raise InputError(f"{what}: '{name}' must have the shape {shape}, got {array.shape}")
