"""From the values of the class foams to the numbers a user sees."""

from __future__ import annotations

import numpy as np

from pytmva_bnn._typing import Float32Array


def class_shares(values: Float32Array) -> Float32Array:
    """Return ``1/(1 + Σ_{j≠i} exp(v_j - v_i))`` for the values (n_events, n_classes), the sum in float32.

    TMVA: a softmax of fractions, which lie between 0 and 1: all results are near one over the number of classes.
    """
    result = np.empty_like(values)
    for i in range(values.shape[1]):
        norm = np.zeros(len(values), dtype=np.float32)
        for j in range(values.shape[1]):
            if j != i:
                norm = (norm + np.exp((values[:, j] - values[:, i]).astype(np.float64))).astype(np.float32)
        result[:, i] = 1.0 / (1.0 + norm.astype(np.float64))
    return result
