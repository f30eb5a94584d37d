"""Linear terms: where the variables are cut off, and how they are normalised."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import Float32Array, FloatArray
from pytmva_bnn.methods.rulefit.rules import LinearTerms
from pytmva_bnn.reductions.summation import sequential_sum

# TMVA: the average sigma of the rules is meant, which is known only later
RULE_SIGMA = 0.4


def linear_terms(
    columns: Float32Array, weights: FloatArray, class_index: NDArray[np.int32], quantile: float
) -> tuple[LinearTerms, FloatArray]:
    """Return terms without coefficients for variables ``(n_variables, n_events)``, and their normalised values."""
    n_variables, n_events = columns.shape
    total = float(sequential_sum(weights))
    low, high, norm = np.empty(n_variables), np.empty(n_variables), np.ones(n_variables)
    values = np.empty((n_variables, n_events))
    for v, x in enumerate(columns):
        order = np.lexsort((class_index, weights, x))
        low[v], high[v] = (_end(x[one], weights[one], quantile * total) for one in (order, order[::-1]))
        lx = np.minimum(high[v], np.maximum(low[v], x.astype(np.float64)))
        s, s2 = (float(sequential_sum(weights * power)) for power in (lx, lx * lx))
        variance = (s2 - s * s / total) / (total - total / n_events)
        if variance > 0.0:
            norm[v] = RULE_SIGMA / np.sqrt(variance)
        values[v] = lx * norm[v]
    nothing = np.zeros(n_variables)
    return LinearTerms(nothing.astype(bool), nothing, norm, low, high, nothing), values


def _end(x: Float32Array, weights: FloatArray, wanted: float) -> float:
    """Return the value of the sorted event with which the sum of weights reaches what is wanted."""
    reached = np.cumsum(weights) >= wanted
    return float(x[np.argmax(reached)] if reached.any() else x[-1])
