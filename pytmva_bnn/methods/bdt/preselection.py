"""Cuts at the ends of variables where only one class is, found before the training (DoPreselection)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pytmva_bnn._typing import BoolArray, Float32Array, FloatArray

SIDES = ("LowBkg", "LowSig", "HighBkg", "HighSig")
_ANSWERS = (-1.0, 1.0, -1.0, 1.0)


@dataclass(frozen=True, eq=False)
class Preselection:
    """Which cuts there are, and where: ``(4, n_variables)`` in the order of :data:`SIDES`.

    Below a Low cut and above a High one all training events are of the class that its name ends with.
    """

    is_on: BoolArray
    cuts: FloatArray

    def answers(self, x: Float32Array) -> FloatArray:
        """Return -1 for events that a cut calls background, 1 for signal, 0 where no cut applies."""
        answer = np.zeros(len(x))
        for variable in range(self.cuts.shape[1]):
            for side, value in enumerate(_ANSWERS):
                if self.is_on[side, variable]:
                    column, cut = x[:, variable].astype(np.float64), self.cuts[side, variable]
                    answer[column < cut if side < 2 else column > cut] = value
        return answer

    def table(self) -> tuple[FloatArray, FloatArray]:
        """Return the cuts, and what they answer or 0 where there is none, ``(n_variables, 4)``."""
        return self.cuts.T, np.where(self.is_on, np.array(_ANSWERS)[:, np.newaxis], 0.0).T
