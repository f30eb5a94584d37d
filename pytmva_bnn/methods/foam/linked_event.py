"""The event in the linked memory, evaluated again and again, by plain Python: one event is too few for numpy."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.methods.foam.evaluation import CellValue, Kernel

if TYPE_CHECKING:
    from pytmva_bnn.methods.foam.fitted import FittedPDEFoam
    from pytmva_bnn.transform import TransformationChain


class LinkedFoam:
    """The linked memory seen through a single foam of signal fractions without kernel."""

    def __init__(self, fitted: FittedPDEFoam, memory: Sequence[NDArray[Any]]) -> None:
        evaluation = fitted.evaluations[0]
        self._reads = [one.item for one in memory]
        way = evaluation.by_variables
        self._first, self._second, self._dimensions = way.first, way.second, way.dimensions
        self._thresholds = way.thresholds.tolist()
        values = evaluation.of_cells(CellValue.VALUE)
        if fitted.is_yes_no:
            values = np.where(values < 0.5, np.float32(-1.0), np.float32(1.0))
        self._values, self._errors = values.tolist(), evaluation.of_cells(CellValue.ERROR).tolist()
        self._cell = 0

    @classmethod
    def of(
        cls, fitted: FittedPDEFoam, chain: TransformationChain, memory: Sequence[NDArray[Any] | None]
    ) -> LinkedFoam | None:
        """Return the event, or None if it has to take the long way."""
        known = [one for one in memory if one is not None and one.dtype == np.float32]
        is_simple = fitted.is_classification and not fitted.is_separate and fitted.kernel is Kernel.NONE
        if not is_simple or chain.steps or len(known) != len(memory) or len(known) != fitted.n_inputs:
            return None
        return cls(fitted, known)

    def evaluate(self) -> float:
        """Return the response to what the memory holds now; NaN if a variable is not finite."""
        x = [read() for read in self._reads]
        if not math.isfinite(sum(x)):
            return math.nan
        first, second, dimensions, thresholds = self._first, self._second, self._dimensions, self._thresholds
        cell = 0
        daughter = first[0]
        while daughter >= 0:
            cell = daughter if x[dimensions[cell]] <= thresholds[cell] else second[cell]
            daughter = first[cell]
        self._cell = cell
        return float(self._values[cell])

    def error_bars(self, name: str) -> tuple[float, float]:
        """Return the error of the event that was evaluated last, twice."""
        del name
        error = self._errors[self._cell]
        return error, error
