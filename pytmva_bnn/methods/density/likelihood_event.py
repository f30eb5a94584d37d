"""The event in the linked memory, evaluated again and again as in a macro's loop, in plain Python.

Lists and floats of Python: for a single event numpy would take ten times as long.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.histograms import PDF, Axis
from pytmva_bnn.methods.density.likelihood_response import EDGE, LARGEST, SMALLEST, TAU, PDFPairs
from pytmva_bnn.methods.protocol import NO_ERROR


class Table(NamedTuple):
    """A density: contents of the bins with flow bins, and whether to interpolate, which the signal decides."""

    axis: Axis
    cells: list[float]
    interpolated: bool

    @classmethod
    def of(cls, pdf: PDF, signal: PDF) -> Table:
        """Return the table of a PDF."""
        return cls(pdf.histogram.axis, pdf.histogram.cells.astype(np.float64).tolist(), signal.interpolated)

    def density(self, x: float) -> float:
        """Return the density at ``x``, with the bits of the array way."""
        axis, cells = self.axis, self.cells
        b = axis.find_one(x)
        value = cells[b]
        if self.interpolated:
            lower, width, n = axis.lower, axis.mean_width, axis.n_bins
            centre = lower + (b - 0.5) * width
            k = b + 1 if (x > centre and b != n) or b == 1 else b - 1
            value += (x - centre) * (value - cells[min(max(k, 0), n + 1)]) / (centre - (lower + (k - 0.5) * width))
        return value if value >= SMALLEST else SMALLEST  # noqa: FURB136 - also for NaN


class LinkedLikelihood:
    """The linked memory seen through the densities; NaN for what is not finite."""

    def __init__(self, pdfs: PDFPairs, memory: Sequence[NDArray[Any]], *, transformed: bool) -> None:
        self._transformed = transformed
        self._variables: list[tuple[Any, ...]] = []
        for one, pair in zip(memory, pdfs, strict=True):
            ends = pair[0].record.histogram.axis
            densities = [Table.of(pdf, pair[0]).density for pdf in pair]
            self._variables.append((one.item, one.dtype != np.float32, ends.lower, ends.upper, *densities))

    def evaluate(self) -> float:
        """Return the response to what the memory holds now."""
        signal, background = 1.0, 1.0
        for read, is_rounded, lower, upper, of_signal, of_background in self._variables:
            x = read()
            if is_rounded:
                x = float(np.float32(x))
            if not -math.inf < x < math.inf:
                return math.nan
            x = upper - EDGE if x >= upper else max(x, lower)
            signal *= of_signal(x)
            background *= of_background(x)
        signal, background = max(signal, SMALLEST), max(background, SMALLEST)
        r = signal / (signal + background)
        r = LARGEST if r >= 1.0 else r
        return -math.log(1.0 / (SMALLEST if r <= 0.0 else r) - 1.0) / TAU if self._transformed else r

    def error_bars(self, name: str) -> tuple[float, float]:
        """Return TMVA's sign that there are none."""
        del name
        return NO_ERROR, NO_ERROR
