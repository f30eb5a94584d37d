"""Where cuts are searched."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pytmva_bnn._typing import Float32Array, FloatArray
from pytmva_bnn.errors import InputError
from pytmva_bnn.methods.cuts.option_table import BY_MEANS, ONLY_LOWER, ONLY_UPPER
from pytmva_bnn.methods.cuts.settings import CutsSettings
from pytmva_bnn.methods.fitters import Interval
from pytmva_bnn.methods.protocol import MethodEvents
from pytmva_bnn.reductions.summation import sequential_sum

MARGIN = 0.01
"""How far cuts may lie beyond all events, as a part of their range."""
SAME = 1e-300
"""Ends of a range that differ by less are not given."""


@dataclass(frozen=True, eq=False)
class SearchSpace:
    """Where cuts are searched: ``low`` and ``high`` (n_variables,), and the sides on which a variable is cut."""

    low: FloatArray
    high: FloatArray
    properties: tuple[str, ...]

    @classmethod
    def of(cls, events: MethodEvents, settings: CutsSettings) -> SearchSpace:
        """Return the ranges of the user, as far as there are events."""
        x = events.inputs
        least, most = x.min(axis=0).astype(np.float64), x.max(axis=0).astype(np.float64)
        margin = MARGIN * (most - least)
        least, most = least - margin, most + margin
        low, high = settings.low.copy(), settings.high.copy()
        given = np.abs(high - low) >= SAME
        low[~given], high[~given] = least[~given], most[~given]
        too_low = given & (least > low)
        # TMVA: a range that is too wide on both sides is cut on the lower one only
        too_high = given & ~too_low & (most < high)
        low[too_low], high[too_high] = least[too_low], most[too_high]
        return cls(low, high, _sides(events, settings.properties))

    def check(self, labels: Sequence[str]) -> None:
        """Raise an InputError for a range in which no cut can be."""
        for label, low, high in zip(labels, self.low.tolist(), self.high.tolist(), strict=True):
            if not low < high:
                raise InputError(
                    f"no cut on {label} can be searched between {low:g} and {high:g}: its values are all equal, or "
                    "CutRangeMin and CutRangeMax do not overlap them"
                )

    def intervals(self, is_integer: Sequence[bool], labels: Sequence[str]) -> list[Interval]:
        """Return the ranges of the parameters: lower cut and width of each variable in turn."""
        found: list[Interval] = []
        for a, b, side, integer, label in zip(
            self.low.tolist(), self.high.tolist(), self.properties, is_integer, labels, strict=True
        ):
            n = int(b - a) + 1 if integer else 0
            if n == 1:
                raise InputError(
                    f"{label} is an integer variable, and there are no two integers between {a:g} and {b:g}: interval "
                    "has to have at least 2 bins if discrete; declare it with type 'F', or remove it"
                )
            found.append(Interval(a, a if side == ONLY_UPPER else b, n))
            found.append(Interval(b - a if side == ONLY_LOWER else 0.0, b - a, n))
        return found


def _sides(events: MethodEvents, properties: Sequence[str]) -> tuple[str, ...]:
    if BY_MEANS not in properties:
        return tuple(properties)
    s, b = (_means(events.inputs[chosen], events.weights[chosen]) for chosen in (events.is_signal, ~events.is_signal))
    by_means = np.where(s > b, ONLY_LOWER, ONLY_UPPER).tolist()
    return tuple(mean if side == BY_MEANS else side for side, mean in zip(properties, by_means, strict=True))


def _means(x: Float32Array, weights: FloatArray) -> Float32Array:
    """Return the weighted means of the variables in float32; NaN without weights."""
    total = sequential_sum(weights) if len(x) else 0.0
    if not total:
        return np.full(x.shape[1], np.nan, dtype=np.float32)
    return np.array([sequential_sum(weights * column) / total for column in x.T], dtype=np.float32)
