"""The event in the linked memory, evaluated again and again, by plain Python: one event is too few for numpy."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.methods.answers import NO_ERROR
from pytmva_bnn.methods.linked_response import Sides, sides_of
from pytmva_bnn.transform import TransformationChain


class LinkedCuts:
    """The linked memory seen through one box; without a box no event passes."""

    def __init__(self, sides: Sides, box: tuple[FloatArray, FloatArray] | None) -> None:
        (self._event,) = sides.events
        lower, upper = box or (np.full(1, np.inf), np.full(1, -np.inf))
        self._box = list(zip(lower.tolist(), upper.tolist(), strict=True))

    @classmethod
    def of(
        cls,
        box: tuple[FloatArray, FloatArray] | None,
        chain: TransformationChain,
        memory: Sequence[NDArray[Any] | None],
    ) -> LinkedCuts | None:
        """Return the event, or None if it has to take the long way."""
        sides = sides_of(chain, memory)
        return None if sides is None else cls(sides, box)

    def evaluate(self) -> float:
        """Return the response to what the memory holds now; NaN if a variable is not finite."""
        try:
            x = self._event()
        except OverflowError:  # too large for float32
            return math.nan
        if not math.isfinite(sum(x)):
            return math.nan
        for value, (low, high) in zip(x, self._box, strict=False):
            if not low < value <= high:
                return 0.0
        return 1.0

    def error_bars(self, name: str) -> tuple[float, float]:
        """Return what TMVA has for no errors."""
        del name
        return NO_ERROR, NO_ERROR
