"""Bands around responses, in the form of :meth:`Model.predict <pytmva_bnn.Model.predict>`."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.errors import InputError
from pytmva_bnn.prediction import Prediction

#: the ends of an error bar
ONE_SIGMA = (0.15865525393145707, 0.8413447460685429)


def checked_levels(quantiles: ArrayLike) -> FloatArray:
    """Return the levels of quantiles as an array."""
    levels = np.atleast_1d(np.asarray(quantiles, dtype=np.float64))
    if levels.ndim != 1 or not ((levels >= 0.0) & (levels <= 1.0)).all():
        raise InputError(f"quantiles need levels between 0 and 1, got {levels.tolist()}")
    return levels


def with_band(value: FloatArray, band: FloatArray, quantiles: FloatArray | None) -> Prediction:
    """Return the prediction with the error bars to the ends of ``band``, ``(..., 2)``."""
    # the mean of a very skew distribution can lie outside of its band
    with np.errstate(invalid="ignore"):
        lower, upper = np.maximum(value - band[..., 0], 0.0), np.maximum(band[..., 1] - value, 0.0)
    return Prediction(value, lower, upper, quantiles)


def factors_of(weights: ArrayLike | None, n_events: int) -> FloatArray:
    """Return the weights of the events in a sum, 1 if none are given."""
    factors = np.ones(n_events) if weights is None else np.asarray(weights, dtype=np.float64)
    if factors.shape != (n_events,):
        raise InputError(f"{n_events} events need as many weights, got an array of shape {factors.shape}")
    return factors
