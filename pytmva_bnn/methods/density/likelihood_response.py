"""The response of Likelihood: p_S / (p_S + p_B), each the product of the densities of the variables for a class.

Many events go through compiled code (:mod:`~pytmva_bnn.methods.density.likelihood_kernels`), which gives the same bits.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from pytmva_bnn._typing import Float32Array, FloatArray, IntArray
from pytmva_bnn.fast.threads import in_parts
from pytmva_bnn.histograms import PDF, Axis

PDFPairs: TypeAlias = Sequence[tuple[PDF, PDF]]
"""For each variable the PDFs of signal and background."""

SMALLEST = 1000 * sys.float_info.min
"""No density, and no product of densities, is smaller."""
LARGEST = 1.0 - 1e-15
EDGE = 1e-10
"""How far inside the range an event is taken that lies beyond its end."""
TAU = 15.0
TO_READ = 8e-8
"""Seconds that numpy takes to read a density."""
WORK = 30.0
"""What reading a density is worth in multiplications."""


def class_inputs(x: Float32Array, n_variables: int) -> tuple[Float32Array, Float32Array]:
    """Return the events as signal and as background would be transformed, (n_events, n_variables) each.

    Without transformations both are the events themselves.
    """
    return x[:, :n_variables], x[:, -n_variables:]


def responses(x: Float32Array, pdfs: PDFPairs, *, transformed: bool) -> FloatArray:
    """Return the responses (n_events,) of events ``x``, see :func:`class_inputs`, by numpy."""
    signal, background = np.ones(len(x)), np.ones(len(x))
    for densities in variable_densities(x, pdfs):
        signal *= densities[0]
        background *= densities[1]
    result = ratio(signal, background, transformed=transformed)
    result[np.isnan(x).any(axis=1)] = np.nan
    return result


def variable_densities(x: Float32Array, pdfs: PDFPairs) -> Iterator[tuple[FloatArray, FloatArray]]:
    """Yield for each variable the densities (n_events,) of signal and background."""
    sides = class_inputs(x, len(pdfs))
    for i, pair in enumerate(pdfs):
        signal, background = (density(side[:, i], pdf, pair[0]) for side, pdf in zip(sides, pair, strict=True))
        yield signal, background


def density(x: Float32Array, pdf: PDF, signal: PDF) -> FloatArray:
    """Return the density at each ``x`` (n_events,).

    TMVA: the PDF of the signal decides for both classes where the range ends and whether to interpolate.
    """
    ends = signal.record.histogram.axis
    at = x.astype(np.float64)
    at = np.where(at >= ends.upper, ends.upper - EDGE, np.where(at < ends.lower, ends.lower, at))
    axis, n, cells = pdf.histogram.axis, pdf.histogram.n_bins, pdf.histogram.cells
    # TMVA: beyond 2^20 the end of the range is in the overflow, since the step inside is lost in rounding
    b = axis.find_bin(at)
    value: FloatArray = cells[b].astype(np.float64)
    if signal.interpolated:
        centre = axis.centre(b)
        k = np.where(((at > centre) & (b != n)) | (b == 1), b + 1, b - 1)
        with np.errstate(all="ignore"):
            value += (at - centre) * (value - cells[np.clip(k, 0, n + 1)]) / (centre - axis.centre(k))
    return np.where(value >= SMALLEST, value, SMALLEST)


def ratio(signal: FloatArray, background: FloatArray, *, transformed: bool) -> FloatArray:
    """Return p_S / (p_S + p_B) below 1 or, ``transformed``, -ln(1/r - 1) / 15 of it."""
    signal, background = (np.where(p >= SMALLEST, p, SMALLEST) for p in (signal, background))
    r = signal / (signal + background)
    r = np.where(r >= 1, LARGEST, r)
    if not transformed:
        return r
    odds = 1.0 / np.where(r <= 0, SMALLEST, r) - 1.0
    # not numpy's logarithm, which rounds otherwise than that of the C library
    return -np.fromiter(map(math.log, odds.tolist()), np.float64, len(odds)) / TAU


@dataclass(frozen=True, eq=False)
class Tables:
    """The PDFs as compiled code wants them.

    ``cells`` are the contents of all PDFs one after the other, with flow bins; ``places`` (n_variables, 2, 2) are where
    those of a PDF begin and how many bins it has, ``axes`` (n_variables, 2, 3) the ends of its range and the width of a
    bin.  ``ends`` (n_variables, 2) are those of the signal, ``interpolated`` (n_variables,) is 1 or 0.
    """

    cells: Float32Array
    places: IntArray
    axes: FloatArray
    ends: FloatArray
    interpolated: IntArray

    @classmethod
    def of(cls, pdfs: PDFPairs) -> Tables | None:
        """Return the tables, or None for bins that differ in width or are too narrow: these only numpy knows."""
        histograms = [[pdf.histogram for pdf in pair] for pair in pdfs]
        every = [one for pair in histograms for one in pair]
        if not all(_is_plain(one.axis) for one in every):
            return None
        starts = iter(np.cumsum([0, *(len(one.cells) for one in every)]).tolist())
        places = [[(next(starts), one.n_bins) for one in pair] for pair in histograms]
        axes = [[(one.axis.lower, one.axis.upper, one.axis.mean_width) for one in pair] for pair in histograms]
        ends = [(s.record.histogram.axis.lower, s.record.histogram.axis.upper) for s, _ in pdfs]
        return cls(
            np.concatenate([one.cells for one in every]).astype(np.float32),
            np.array(places, dtype=np.int64),
            np.array(axes, dtype=np.float64),
            np.array(ends, dtype=np.float64),
            np.array([int(s.interpolated) for s, _ in pdfs], dtype=np.int64),
        )

    def responses(self, x: Float32Array, *, transformed: bool) -> FloatArray:
        """Return the same as :func:`responses` by compiled code."""
        from pytmva_bnn.methods.density import likelihood_kernels  # lazy: numba

        x = np.ascontiguousarray(x)
        result = np.empty(len(x))
        arrays = (self.cells, self.places, self.axes, self.ends, self.interpolated)

        def do(start: int, stop: int) -> None:
            likelihood_kernels.respond(x, start, stop, *arrays, transformed, result)

        in_parts(do, len(x), 1024, len(x) * 2 * len(self.ends) * WORK)
        return result


def _is_plain(axis: Axis) -> bool:
    largest = max(abs(axis.lower), abs(axis.upper))
    return axis.edges is None and axis.mean_width > 8 * np.spacing(largest)
