"""What a method says of many events: responses with their uncertainties, put together block by block."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import Float32Array, FloatArray
from pytmva_bnn.displays import Displayed
from pytmva_bnn.errors import InputError
from pytmva_bnn.memory import check_memory
from pytmva_bnn.methods.answers import EventBlock
from pytmva_bnn.methods.output_scale import OutputScale
from pytmva_bnn.tmva_types import AnalysisType


@dataclass(frozen=True, eq=False)
class Prediction(Displayed):
    """Responses with their uncertainties; unpacks as ``value, lower, upper`` and what else was asked for.

    ``lower`` and ``upper`` are the sizes of the asymmetric error bar (one standard deviation), as wanted by
    matplotlib's ``errorbar(yerr=[lower, upper])``; ``low`` and ``high`` are its ends.
    """

    value: NDArray[np.floating]
    lower: FloatArray
    upper: FloatArray
    quantiles: FloatArray | None = None
    moderated: FloatArray | None = None

    @property
    def low(self) -> FloatArray:
        """Return the lower ends of the error bars."""
        return np.asarray(self.value - self.lower, dtype=np.float64)

    @property
    def high(self) -> FloatArray:
        """Return the upper ends of the error bars."""
        return np.asarray(self.value + self.upper, dtype=np.float64)

    def __repr__(self) -> str:
        n = len(self.value)
        first = f", first {self.value.flat[0]:.4g} -{self.lower.flat[0]:.2g} +{self.upper.flat[0]:.2g}" if n else ""
        return f"<Prediction of {n} event{'' if n == 1 else 's'}{first}>"

    def __iter__(self) -> Iterator[NDArray[Any]]:
        yield from (self.value, self.lower, self.upper)
        yield from (more for more in (self.quantiles, self.moderated) if more is not None)


class Accumulator:
    """The results of :meth:`pytmva_bnn.model.Model.predict`, filled block by block."""

    def __init__(
        self,
        scale: OutputScale,
        n_events: int,
        *,
        errors: bool,
        levels: FloatArray | None,
        moderated: bool,
        number: str = "float64",
    ) -> None:
        self._scale = scale
        self._is_classification = scale.is_classification
        self._levels = levels
        if moderated and scale.analysis_type == AnalysisType.REGRESSION:
            raise InputError("the moderated response is a probability: it exists in classification only")
        shape = scale.shape(n_events)
        n_numbers = 1 + 2 * errors + (0 if levels is None else len(levels)) + moderated
        check_memory(8.0 * math.prod(shape) * n_numbers, f"a prediction for {n_events} events", "give them in parts")
        self._value = np.empty(shape, dtype=number if self._is_classification else np.float32)
        self._lower = np.empty(shape) if errors else None
        self._upper = np.empty(shape) if errors else None
        self._quantiles = None if levels is None else np.empty((*shape, len(levels)))
        self._moderated = np.empty(shape) if moderated else None

    @property
    def needs_variances(self) -> bool:
        """Whether error bars of the outputs, if they are wanted at all, are not all that is wanted."""
        return self._levels is not None or self._moderated is not None or not self._is_classification

    def memory(self, start: int, stop: int) -> tuple[FloatArray, FloatArray | None, FloatArray | None] | None:
        """Return the memory for the responses of some events, if they are outputs of the network as they are."""
        if not self._is_classification:
            return None
        part = (slice(start, stop), np.newaxis)
        if self._lower is None or self._upper is None:
            return self._value[part], None, None
        return self._value[part], self._lower[part], self._upper[part]

    def add(self, start: int, stop: int, x: Float32Array, block: EventBlock) -> None:
        """Take in a block with the inputs ``x``."""
        scale = self._scale
        part = slice(start, stop)
        value = scale.responses(block.outputs)
        if not np.may_share_memory(value, self._value):
            self._value[part] = value
        filled: list[NDArray[Any]] = [self._value]
        h, sigma = block.h, block.sigma
        if self._lower is not None and self._upper is not None:
            known = scale.bars_of(block)
            if known is not None and not np.may_share_memory(known[0], self._lower):
                self._lower[part], self._upper[part] = known
            filled += [self._lower, self._upper]
        if h is not None and sigma is not None:
            if self._quantiles is not None and self._levels is not None:
                self._quantiles[part] = scale.quantiles(h, sigma, self._levels)
                filled.append(self._quantiles)
            if self._moderated is not None:
                self._moderated[part] = scale.moderated(h, sigma)
                filled.append(self._moderated)
        if block.is_checked and self._is_classification:
            return
        # G and U map NaN into their range, and activations map infinities: a response alone does not tell
        finite = np.isfinite(x)
        if not finite.all():
            bad = ~finite.all(axis=1)
            for array in filled:
                array[part][bad] = np.nan

    def finished(self) -> NDArray[Any] | Prediction:
        """Return what was asked for."""
        if self._lower is not None and self._upper is not None:
            return Prediction(self._value, self._lower, self._upper, self._quantiles, self._moderated)
        if self._quantiles is not None and self._moderated is not None:
            raise InputError(
                "request quantiles and moderated together with errors=True: one Prediction has all of them"
            )
        if self._quantiles is not None:
            return self._quantiles
        return self._value if self._moderated is None else self._moderated
