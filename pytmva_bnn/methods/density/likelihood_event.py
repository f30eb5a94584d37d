"""The event in the linked memory, evaluated again and again as in a macro's loop: by plain numbers, then compiled."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.histograms import PDF
from pytmva_bnn.methods.density.likelihood_response import EDGE, LARGEST, SMALLEST, TAU, PDFPairs, Tables
from pytmva_bnn.methods.linked_response import LinkedResponse, Sides, sides_of
from pytmva_bnn.transform import TransformationChain


def linked_likelihood(
    pdfs: PDFPairs, chain: TransformationChain, memory: Sequence[NDArray[Any] | None], transformed: bool
) -> LinkedResponse | None:
    """Return the response to the event; None if the transformations, the memory or the bins are not known here."""
    sides, tables = sides_of(chain, memory), Tables.of(pdfs)
    if sides is None or tables is None:
        return None
    of_signal = [_density(signal, signal) for signal, _ in pdfs]
    of_background = [_density(background, signal) for signal, background in pdfs]

    def response() -> float:
        x = sides.events[0]()
        y = x if len(sides.events) == 1 else sides.events[1]()
        if not math.isfinite(sum(x) + sum(y)):
            return math.nan
        signal = background = 1.0
        for density, value in zip(of_signal, x, strict=True):
            signal *= density(value)
        for density, value in zip(of_background, y, strict=True):
            background *= density(value)
        signal, background = max(signal, SMALLEST), max(background, SMALLEST)
        r = signal / (signal + background)
        r = LARGEST if r >= 1.0 else r
        return -math.log(1.0 / (SMALLEST if r <= 0.0 else r) - 1.0) / TAU if transformed else r

    made_by = (linked_likelihood, pdfs, chain, memory, transformed)
    return LinkedResponse(response, lambda: CompiledLikelihood(tables, sides, transformed), made_by)


def _density(pdf: PDF, signal: PDF) -> Callable[[float], float]:
    """Return the function that :func:`~.likelihood_response.density` is for arrays."""
    start, end = signal.record.histogram.axis.lower, signal.record.histogram.axis.upper
    interpolated = signal.interpolated
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


class CompiledLikelihood:
    """The response by compiled code; ``plan`` and ``state`` are as :mod:`.likelihood_kernels` wants them."""

    def __init__(self, tables: Tables, sides: Sides, transformed: bool) -> None:
        from pytmva_bnn.methods.density import likelihood_kernels  # lazy: numba

        memory, steps, n = sides.memory, sides.steps, len(sides.memory)
        n_parameters = len(steps[0].parameters)
        first = len(steps) * n_parameters  # where the numbers of the densities begin
        self._memory = memory  # kept alive: the plan has addresses only
        self._plan = np.array(
            [
                *(n, len(steps), len(steps[0].kinds), n_parameters, first + 8 * n + len(tables.cells), transformed),
                *(one.ctypes.data for one in memory),
                *(one.dtype == np.float64 for one in memory),
                *steps[0].kinds,
                *tables.interpolated,
                *np.add(tables.places, [first + 8 * n, 0]).ravel(),
            ],
            dtype=np.int64,
        )
        parameters = (one.parameters for one in steps)
        numbers = np.concatenate([tables.ends, tables.axes.reshape(n, 6)], axis=1).ravel()
        self._state = np.concatenate([*parameters, numbers, tables.cells.astype(np.float64), np.zeros(2 * n)])
        self._evaluate = likelihood_kernels.evaluate

    def evaluate(self) -> float:
        """Return the response to what the variables hold now."""
        return self._evaluate(self._plan, self._state)
