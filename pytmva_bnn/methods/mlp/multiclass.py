"""From the outputs of a network to the numbers a user sees."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


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
