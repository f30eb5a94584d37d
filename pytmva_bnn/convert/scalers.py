"""Scalers of scikit-learn as linear functions of each variable, z = slope x + offset; it is not imported here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.errors import InputError

SCALERS = ("StandardScaler", "MinMaxScaler", "MaxAbsScaler", "RobustScaler")


@dataclass(frozen=True, eq=False)
class Linear:
    """The functions z = slope x + offset, one for each variable."""

    slope: FloatArray
    offset: FloatArray

    def then(self, other: Linear) -> Linear:
        """Return this one followed by another."""
        return Linear(self.slope * other.slope, self.offset * other.slope + other.offset)

    @property
    def inverse(self) -> Linear:
        """Return the functions from z to x."""
        return Linear(1.0 / self.slope, -self.offset / self.slope)


def scaler_steps(pipeline: Any) -> list[Any]:
    """Return the steps of a Pipeline before its last, those left out that do nothing."""
    return [step for _, step in pipeline.steps[:-1] if step is not None and step != "passthrough"]


def linear_of(scalers: Sequence[Any], n_variables: int) -> Linear:
    """Return what fitted scalers do, one after the other."""
    found = Linear(np.ones(n_variables), np.zeros(n_variables))
    for scaler in scalers:
        found = found.then(_linear(scaler, n_variables))
    return found


def _linear(scaler: Any, n_variables: int) -> Linear:
    name = type(scaler).__name__
    if name not in SCALERS:
        raise InputError(f"{name}: only {', '.join(SCALERS)} can be written with a network")
    if getattr(scaler, "clip", False):
        raise InputError(f"{name}(clip=True) clips values, which TMVA does not; train with clip=False")
    try:
        if name == "MinMaxScaler":
            return Linear(np.asarray(scaler.scale_, np.float64), np.asarray(scaler.min_, np.float64))
        centre = {"StandardScaler": "mean_", "RobustScaler": "center_"}.get(name)
        shift = getattr(scaler, centre) if centre else None
        scale = np.ones(n_variables) if scaler.scale_ is None else np.asarray(scaler.scale_, np.float64)
        # scikit-learn keeps the mean also if it does not subtract it
        is_centred = shift is not None and getattr(scaler, "with_mean", True)
        return Linear(1.0 / scale, -np.asarray(shift, np.float64) / scale if is_centred else np.zeros(n_variables))
    except AttributeError as error:
        raise InputError(f"{name} is not fitted ({error})") from error
