"""Weighted means, RMS and ranges of variables: the statistics table and what variable histograms start from."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pytmva_bnn.errors import InputError
from pytmva_bnn.reductions.summation import sequential_sum

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]

LOGGER = logging.getLogger("pytmva_bnn.evaluation")


@dataclass(frozen=True, eq=False)
class VariableStatistics:
    """Mean, RMS (of the population, weighted), smallest and largest value of each variable, (n_variables,) each.

    >>> s = variable_statistics([[1.0], [3.0]], [1.0, 1.0])
    >>> s.mean.tolist(), s.rms.tolist(), s.smallest.tolist(), s.largest.tolist()
    ([2.0], [1.0], [1.0], [3.0])
    """

    mean: Floats
    rms: Floats
    smallest: Floats
    largest: Floats


def variable_statistics(
    values: ArrayLike, weights: ArrayLike, names: Sequence[str] | None = None
) -> VariableStatistics:
    """Return the statistics of variables (n_events, n_variables); an RMS that does not exist is 0, with a warning.

    >>> variable_statistics([[1.0, 5.0], [3.0, 6.0]], [1.0, 3.0]).mean.tolist()
    [2.5, 5.75]
    """
    x = np.ascontiguousarray(np.transpose(np.asarray(values, dtype=np.float64)))
    w = np.asarray(weights, dtype=np.float64)
    if x.ndim != 2 or x.shape[1:] != w.shape:
        raise InputError(
            f"variables must be (n_events, n_variables) with one weight an event, got {x.T.shape}, {w.shape}"
        )
    if len(w) == 0:
        raise InputError("the statistics of variables need at least one event")
    total = sequential_sum(w)
    with np.errstate(all="ignore"):
        mean = sequential_sum(x * w) / total
        square = sequential_sum((x * x) * w) / total - mean * mean
        usable = square > 0
        rms = np.sqrt(np.where(usable, square, 0.0))
    for i in np.flatnonzero(~usable).tolist():
        LOGGER.warning(
            'Variable "%s" has zero, negative, or NaN RMS^2: %g ==> set to zero. Please check the variable content',
            names[i] if names is not None else i,
            square[i],
        )
    return VariableStatistics(mean, rms, np.fmin.reduce(x, axis=1), np.fmax.reduce(x, axis=1))
