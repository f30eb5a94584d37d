"""From the outputs of a network to the numbers a user sees."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import FloatArray


def multiclass_probabilities(outputs: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the probabilities of the classes for the outputs ``(n_events, n_classes)``.

    Class ``i`` gets ``1/(1 + Σ_{j≠i} exp(t_j - t_i))``, the difference in float32, the rest in float64.
    """
    result = np.empty_like(outputs)
    n_classes = outputs.shape[1]
    with np.errstate(over="ignore", invalid="ignore"):
        for i in range(n_classes):
            norm = np.zeros(len(outputs))
            for j in range(n_classes):
                if j != i:
                    norm += np.exp((outputs[:, j] - outputs[:, i]).astype(np.float64))
            result[:, i] = 1.0 / (1.0 + norm)
    return result


def softmax(h: FloatArray) -> FloatArray:
    """Return the probabilities ``exp(h_k) / sum_j exp(h_j)`` over the first axis."""
    shifted = np.exp(h - h.max(axis=0))
    return np.asarray(shifted / shifted.sum(axis=0))


def class_logit(h: FloatArray, number: int) -> tuple[FloatArray, FloatArray]:
    """Return the logit of a class against the rest, and its derivatives by all outputs ``h (n_classes, n_events)``.

    It is ``h_k - log Σ_{j≠k} exp(h_j)``, of which the probability of the class is the sigmoid.

    >>> logit, derivatives = class_logit(np.log([[2.0], [1.0], [3.0]]), 0)
    >>> np.exp(logit), derivatives.ravel()
    (array([0.5]), array([ 1.  , -0.25, -0.75]))
    """
    others = np.delete(h, number, axis=0)
    with np.errstate(invalid="ignore"):  # infinite inputs give NaN here
        largest = others.max(axis=0)
        shares = np.exp(others - largest)
    total = shares.sum(axis=0)
    derivatives = np.insert(-shares / total, number, 1.0, axis=0)
    return h[number] - largest - np.log(total), derivatives
