"""The sets of events for which a transformation builds its parameters: each class, then all together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from pytmva_bnn.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

Events: TypeAlias = "NDArray[np.intp] | slice"
"""What selects the events of a set, in their order."""


def class_sets(classes: ArrayLike, n_classes: int) -> list[Events]:
    """Return what selects the events of the classes 0..K-1 and of all; for one class there is one set.

    >>> class_sets([1, 0, 1], 2)
    [array([1]), array([0, 2]), slice(None, None, None)]
    >>> class_sets([0, 0], 1)
    [slice(None, None, None)]
    """
    index = as_classes(classes, n_classes)
    if n_classes == 1:
        return [slice(None)]
    return [*(np.flatnonzero(index == k) for k in range(n_classes)), slice(None)]


def as_classes(classes: ArrayLike, n_classes: int) -> NDArray[np.intp]:
    """Return the class indices as integers (n_events,); InputError unless they are 0..K-1.

    >>> as_classes([0.0, 1.0], 2)
    array([0, 1])
    """
    index = np.asarray(classes)
    if n_classes < 1:
        raise InputError(f"the number of classes must be at least 1, got {n_classes}")
    if index.ndim != 1 or (len(index) and not (np.min(index) >= 0 and np.max(index) < n_classes)):
        raise InputError(
            f"class indices must be a list of numbers from 0 to {n_classes - 1}, one an event; "
            f"got an array of shape {index.shape}"
            + (f" with values from {np.min(index)} to {np.max(index)}" if index.size else "")
        )
    return index.astype(np.intp, copy=False)


def events_in(events: Events, values: NDArray[Any]) -> NDArray[Any]:
    """Return the rows of the events of a set; for all events nothing is copied.

    >>> events_in(np.array([2, 0]), np.array([5.0, 6.0, 7.0]))
    array([7., 5.])
    """
    # several times faster than values[events] for rows of a table
    return values[events] if isinstance(events, slice) else np.take(values, events, axis=0)


def set_of_reference(reference: int, n_sets: int) -> int:
    """Return the index of the set that a reference class means: the last one if there is no such class.

    >>> set_of_reference(0, 3), set_of_reference(-1, 3), set_of_reference(1, 1)
    (0, 2, 0)
    """
    return reference if 0 <= reference < n_sets else n_sets - 1


def as_inputs(values: ArrayLike, classes: ArrayLike) -> NDArray[np.float32]:
    """Return the inputs as float32 (n_events, n_inputs); InputError unless there is a class for each event.

    >>> as_inputs([[1.0, 2.0]], [0]).shape
    (1, 2)
    """
    x = np.asarray(values, dtype=np.float32)
    if x.ndim != 2 or len(x) != np.size(classes):
        raise InputError(
            f"the inputs must have the shape (n_events, n_inputs) for {np.size(classes)} events, got {x.shape}"
        )
    return x


def as_weights(weights: ArrayLike, n_events: int) -> NDArray[np.float64]:
    """Return the weights as float64 (n_events,); InputError if there are more or less.

    >>> as_weights([1, 2], 2).tolist()
    [1.0, 2.0]
    """
    w = np.asarray(weights, dtype=np.float64)
    if w.shape != (n_events,):
        raise InputError(f"expected one weight for each of {n_events} events, got an array of shape {w.shape}")
    return w
