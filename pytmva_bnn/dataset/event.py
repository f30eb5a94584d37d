"""What an event's weight and targets are worth to a method."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

SMALLEST_BOOST_WEIGHT = 0.0001


def event_weights(
    weights: ArrayLike,
    boost_weights: ArrayLike = 1.0,
    *,
    training: bool = False,
    ignore_negative: bool = False,
) -> NDArray[np.float64]:
    """Return weight times boost weight; 0 for negative weights in training if these are to be ignored.

    >>> event_weights([2.0, -1.0], training=True, ignore_negative=True)
    array([2., 0.])
    >>> event_weights([2.0, -1.0], ignore_negative=True)
    array([ 2., -1.])
    """
    plain = np.asarray(weights, dtype=np.float64)
    product = plain * np.asarray(boost_weights, dtype=np.float64)
    return np.where(plain < 0, 0.0, product) if training and ignore_negative else product


def boost_weights(stored: ArrayLike) -> NDArray[np.float64]:
    """Return the boost weights as TMVA reports them, at least 0.0001.

    >>> boost_weights([1.0, 0.0])
    array([1.e+00, 1.e-04])
    """
    return np.maximum(np.asarray(stored, dtype=np.float64), SMALLEST_BOOST_WEIGHT)


def multiclass_targets(class_index: NDArray[np.integer], n_classes: int) -> NDArray[np.float32]:
    """Return the targets (n_events, n_classes) of multiclass training: 1 for the event's class, else 0.

    >>> multiclass_targets(np.array([2, 0]), 3)
    array([[0., 0., 1.],
           [1., 0., 0.]], dtype=float32)
    """
    targets = np.zeros((class_index.size, n_classes), dtype=np.float32)
    targets[np.arange(class_index.size), class_index] = 1
    return targets
