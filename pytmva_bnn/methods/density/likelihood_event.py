"""The event in the linked memory, evaluated again and again as in a macro's loop, with plain numbers."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.histograms import PDF
from pytmva_bnn.methods.density.likelihood_response import EDGE, LARGEST, SMALLEST, TAU, PDFPairs
from pytmva_bnn.methods.protocol import NO_ERROR
from pytmva_bnn.methods.transformed_event import Sides, sides_of
from pytmva_bnn.transform import TransformationChain


def linked_likelihood(
    pdfs: PDFPairs, chain: TransformationChain, memory: Sequence[NDArray[Any] | None], transformed: bool
) -> LinkedLikelihood | None:
    """Return the short way for an event loop; None if it does not know the transformations or the memory."""
    sides = sides_of(chain, memory)
    return None if sides is None else LinkedLikelihood(pdfs, sides, transformed, (pdfs, chain, memory, transformed))


class LinkedLikelihood:
    """The response to what the memory holds now, with the bits of the array way; NaN for what is not finite."""

    def __init__(self, pdfs: PDFPairs, sides: Sides, transformed: bool, made_by: tuple[Any, ...]) -> None:
        self._made_by = made_by
        self._transformed = transformed
        self._events = sides.events
        self._signal = [_density(signal, signal) for signal, _ in pdfs]
        self._background = [_density(background, signal) for signal, background in pdfs]

    def __reduce__(self) -> tuple[Any, ...]:
        # a copy has memory of its own
        return linked_likelihood, self._made_by

    def evaluate(self) -> float:
        """Return the response."""
        try:
            x = self._events[0]()
            y = x if len(self._events) == 1 else self._events[1]()
        except OverflowError:  # too large for float32
            return math.nan
        if not math.isfinite(sum(x) + sum(y)):
            return math.nan
        signal = background = 1.0
        for density, value in zip(self._signal, x, strict=True):
            signal *= density(value)
        for density, value in zip(self._background, y, strict=True):
            background *= density(value)
        signal, background = max(signal, SMALLEST), max(background, SMALLEST)
        r = signal / (signal + background)
        r = LARGEST if r >= 1.0 else r
        return -math.log(1.0 / (SMALLEST if r <= 0.0 else r) - 1.0) / TAU if self._transformed else r

    def error_bars(self, name: str) -> tuple[float, float]:
        """Return TMVA's sign that there are none."""
        del name
        return NO_ERROR, NO_ERROR


def _density(pdf: PDF, signal: PDF) -> Callable[[float], float]:
    """Return the function that :func:`~.likelihood_response.density` is for arrays."""
    start, end, interpolated = (
        signal.record.histogram.axis.lower,
        signal.record.histogram.axis.upper,
        signal.interpolated,
    )
    axis, cells = pdf.histogram.axis, pdf.histogram.cells.astype(np.float64).tolist()
    n, lower, upper, width = axis.n_bins, axis.lower, axis.upper, axis.mean_width

    def density(x: float) -> float:
        x = end - EDGE if x >= end else max(x, start)
        if x < lower:
            b = 0
        elif x < upper:
            k = int((x - lower) / width)
            b = 1 + k - (x < lower + width * k) + (lower + width * (k + 1) <= x)
        else:
            b = n + 1
        value: float = cells[b]
        if interpolated:
            centre = lower + (b - 0.5) * width
            k = b + 1 if (x > centre and b != n) or b == 1 else b - 1
            value += (x - centre) * (value - cells[min(max(k, 0), n + 1)]) / (centre - (lower + (k - 0.5) * width))
        return value if value >= SMALLEST else SMALLEST  # noqa: FURB136 - also for NaN

    return density
