"""The values of cells: events are filled into them, and turned into fractions or means."""

from __future__ import annotations

import logging
from dataclasses import replace

import numpy as np

from pytmva_bnn._typing import BoolArray, Float32Array, FloatArray
from pytmva_bnn.methods.foam.descent import Descent
from pytmva_bnn.methods.foam.tree import Foam, FoamKind

log = logging.getLogger("pytmva_bnn.PDEFoam")


def filled(foam: Foam, x: Float32Array, weights: Float32Array, marks: BoolArray | Float32Array) -> Foam:
    """Return the foam with the values that events (n_events, n_dimensions) give its cells.

    ``marks`` are which events are of the marked class, or the target, for the foams that need them.  Events outside the
    range go into the nearest cell.
    """
    cells = Descent.in_variables(foam).cells(x)
    if foam.kind is FoamKind.TARGET:
        terms: tuple[Float32Array, Float32Array] = (weights, weights * marks)
    elif foam.kind in (FoamKind.EVENT, FoamKind.MULTI_TARGET):
        terms = (weights, weights * weights)
    else:
        nothing = np.float32(0.0)
        terms = (np.where(marks, weights, nothing), np.where(marks, nothing, weights))
    # one by one, in the order of the events
    added = (np.bincount(cells, one, foam.n_cells) for one in terms)
    sums: FloatArray = np.stack(list(added), axis=1).astype(np.float64)
    if foam.kind is FoamKind.TARGET:
        sums = np.where(foam.is_active[:, np.newaxis], _means(sums), sums)
    elif foam.kind in (FoamKind.DISCRIMINANT, FoamKind.DECISION_TREE):
        sums = np.where(foam.is_active[:, np.newaxis], _fractions(sums), sums)
    return replace(foam, elements=sums)


def _fractions(sums: FloatArray) -> FloatArray:
    """Return the fraction of the marked class, and its error; 0.5 and 1 where there is no event."""
    for number, row in enumerate(sums):
        for value, what in zip(row, ("signal", "background"), strict=True):
            if value < 0:
                log.warning("Negative number of %s events in cell %d: %g. Set to 0.", what, number, value)
    s, b = np.maximum(sums, 0.0).T
    total = s + b
    with np.errstate(divide="ignore", invalid="ignore"):
        # TMVA: the factors s and b are interchanged, compared with the propagation of errors
        error = np.sqrt((s / total**2) ** 2 * s + (b / total**2) ** 2 * b)
        both = np.stack([s / total, error], axis=1)
    return np.where(total[:, np.newaxis] > 0, both, [0.5, 1.0])


def _means(sums: FloatArray) -> FloatArray:
    """Return the mean target and its error; 0 and -1 where there is no event."""
    n, target = sums.T
    with np.errstate(divide="ignore", invalid="ignore"):
        both = np.stack([target / n, target / np.sqrt(n)], axis=1)
    return np.where(n[:, np.newaxis] > 0, both, [0.0, -1.0])
