"""The probability density of one variable, built from the histogram in a weight file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from pytmva_bnn._typing import BoolArray, Float32Array, FloatArray
from pytmva_bnn.errors import InputError
from pytmva_bnn.fast.threads import in_parts
from pytmva_bnn.fast.twins import compiled_pays
from pytmva_bnn.histograms.axis import Axis
from pytmva_bnn.histograms.histogram import Histogram1D
from pytmva_bnn.histograms.kde import TO_INTEGRATE, kernel_density
from pytmva_bnn.histograms.smoothing import smooth_histogram
from pytmva_bnn.histograms.splines import SPLINES

FINE_BINS = 10000
SMALLEST = 1e-12
"""No density is smaller, so that ratios of densities exist."""


class Interpolation(IntEnum):
    """How a PDF is interpolated: the codes of ``InterpolMethod`` in weight files."""

    SPLINE0 = 0
    SPLINE1 = 1
    SPLINE2 = 2
    SPLINE3 = 3
    SPLINE5 = 4
    KDE = 5


@dataclass(frozen=True, eq=False)
class PDFRecord:
    """A ``PDF`` element of a weight file: the histogram as it was filled and how to interpolate it.

    ``interpolation`` is one of :class:`Interpolation`; ``kde_type`` 0 none, 1 Gauss; ``kde_iter`` 1
    non-adaptive, 2 adaptive; ``kde_border`` 1 none, 2 renormalised, 3 mirrored.
    """

    name: str
    min_n_smooth: int
    max_n_smooth: int
    interpolation: int
    kde_type: int
    kde_iter: int
    kde_border: int
    kde_fine_factor: float
    histogram: Histogram1D

    def in_float32(self) -> PDFRecord:
        """Return the record as TMVA reads it from a file, where a histogram holds float32 whatever it was made with."""
        return replace(self, histogram=self.histogram.with_values(self.histogram.values.astype(np.float32)))


def build_pdf(record: PDFRecord, *, normalise: bool) -> PDF:
    """Smooth the histogram of a record, interpolate it and, for a density of the response, normalise it.

    A histogram that was filled in training knows more than one read from a file: its squared errors, which decide how
    often it is smoothed where that varies, and the spread of the filled values, which a kernel density takes its width
    from.
    """
    working = smooth_histogram(record.histogram, record.min_n_smooth, record.max_n_smooth)
    try:
        method = Interpolation(record.interpolation)
    except ValueError:
        codes = ", ".join(f"{m.value} {m.name}" for m in Interpolation)
        raise InputError(
            f"PDF '{record.name}': unknown interpolation {record.interpolation}, expected one of {codes}"
        ) from None
    if method is Interpolation.SPLINE0:
        histogram = working
    else:
        axis = Axis(FINE_BINS, working.axis.lower, working.axis.upper)
        if method is Interpolation.KDE:
            contents = kernel_density(
                working,
                axis,
                iteration=record.kde_iter,
                border=record.kde_border,
                fine_factor=record.kde_fine_factor,
            )
        else:
            contents = _interpolated(working, axis, method)
        histogram = Histogram1D.empty(axis, dtype=np.float32, name=record.histogram.name).with_values(contents)
    if normalise:
        area = area_of(histogram)
        if area < 0:
            raise InputError(f"PDF '{record.name}': the integral is negative ({area}), it cannot be normalised")
        histogram = histogram.scaled(1.0 / area) if area > 0 else histogram
    return PDF(record, histogram, interpolated=method is not Interpolation.SPLINE0)


def build_pdfs(records: Sequence[PDFRecord], *, normalise: bool) -> list[PDF]:
    """Return what :func:`build_pdf` makes of each record; threads share kernel densities, which take long."""
    built: dict[int, PDF] = {}

    def do(start: int, stop: int) -> None:
        for number in range(start, stop):
            built[number] = build_pdf(records[number], normalise=normalise)

    integrals = FINE_BINS * sum(one.histogram.n_bins for one in records if one.interpolation == Interpolation.KDE)
    if compiled_pays(TO_INTEGRATE * integrals):
        # loaded once for all of them
        from pytmva_bnn.histograms import kde_kernels  # noqa: F401 - lazy: numba
    in_parts(do, len(records), 1, multiplications=float(integrals))
    return [built[number] for number in range(len(records))]


def _interpolated(working: Histogram1D, axis: Axis, method: Interpolation) -> Float32Array:
    x = axis.centres
    y = SPLINES[method](working.centres, working.values.astype(np.float64), x)
    low = np.flatnonzero(y <= SMALLEST)
    if low.size:
        y[low] = working.values[np.clip(working.axis.find_bin(x[low]), 1, working.n_bins) - 1]
    with np.errstate(over="ignore"):
        return np.where(y >= SMALLEST, y, SMALLEST).astype(np.float32)  # NaN becomes the smallest value


def area_of(histogram: Histogram1D) -> float:
    """Return the integral over the bins in range."""
    # add.accumulate adds one by one as TMVA does; sum() would add pairwise
    total = np.add.accumulate(histogram.values.astype(np.float64))[-1]
    return float(total * (histogram.axis.upper - histogram.axis.lower) / histogram.n_bins)


def density_histogram(record: PDFRecord) -> Histogram1D:
    """Return the histogram of a normalised density as TMVA writes it, with squared errors and statistics."""
    made = build_pdf(record, normalise=False).histogram
    made = replace(made.copy(), entries=made.entries or float(made.n_bins))
    made.keep_squares()
    area = area_of(made)
    factor = 1.0 / area if area > 0 else 1.0
    scaled = made.scaled(factor)
    if made.statistics[0] == 0:
        # TMVA: what ROOT does not know of the filled values it takes from the bins, which are scaled, and scales that
        scaled.statistics = scaled.bin_moments() * [factor, factor * factor, factor, factor]
    return scaled


@dataclass(frozen=True, eq=False)
class PDF:
    """A density (or a cumulative distribution) made by :func:`build_pdf`.

    ``histogram`` has 10000 fine bins (without interpolation: the bins of the record).
    """

    record: PDFRecord
    histogram: Histogram1D
    interpolated: bool

    @cached_property
    def contents(self) -> FloatArray:
        """The contents of the bins in float64."""
        return self.histogram.values.astype(np.float64)

    def value(self, x: ArrayLike) -> FloatArray:
        """Return the density at each ``x``: at least 1e-12, also for NaN.

        Beyond the range the line through the outermost two fine bins continues.
        """
        x = np.asarray(x, dtype=np.float64)
        axis, n, p = self.histogram.axis, self.histogram.n_bins, self.contents
        b = np.clip(axis.find_bin(x), 1, n)
        r = p[b - 1]
        if self.interpolated:
            centre = axis.centre(b)
            k = np.where(((x > centre) & (b != n)) | (b == 1), b + 1, b - 1)
            with np.errstate(all="ignore"):  # infinite x
                r = r + (x - centre) * (r - p[k - 1]) / (centre - axis.centre(k))
        return np.where(r >= SMALLEST, r, SMALLEST)

    def integral(self, x1: ArrayLike, x2: ArrayLike) -> FloatArray:
        """Return the integral from ``x1`` to ``x2``; the two are broadcast.  TMVA: above 1 beyond the range."""
        start, stop = np.broadcast_arrays(np.asarray(x1, np.float64), np.asarray(x2, np.float64))
        result = np.zeros(start.shape)
        for x in np.unique(start):
            here = (start == x) | (np.isnan(start) & np.isnan(x))
            result[here] = self._integral_from(float(x), stop[here])
        return result

    def _integral_from(self, x1: float, x2: FloatArray) -> FloatArray:
        axis, n, p = self.histogram.axis, self.histogram.n_bins, self.contents
        i1 = max(int(axis.find_bin(x1)), 1)
        i2 = np.minimum(axis.find_bin(x2), n)
        if i1 > n:
            return np.zeros(x2.shape)
        with np.errstate(all="ignore"):  # infinite limits
            # TMVA: the bin widths are float32; a bin that holds both x1 and x2 counts up to its upper end
            first = self._not_negative(np.float32(axis.low_edge(i1 + 1) - x1))
            whole = axis.width(np.arange(i1 + 1, n + 1)).astype(np.float32)
            last = self._not_negative((x2 - axis.low_edge(i2)).astype(np.float32), i2 > i1)
            dx = np.concatenate([[first], whole]).astype(np.float64)
            sums = np.add.accumulate(p[i1 - 1 :] * dx)  # one by one as in TMVA, for all x2 at once
            before = sums[np.clip(i2 - 1 - i1, 0, n - i1)]
            several = before + p[i2 - 1] * last
        return np.where(i2 < i1, 0.0, np.where(i2 == i1, sums[0], several))

    def _not_negative(self, dx: Float32Array | np.float32, used: BoolArray | bool = True) -> FloatArray:
        if np.any(used & (dx <= -1e-8)):
            raise InputError(f"PDF '{self.record.name}': negative step in the integral: {np.min(dx)}")
        return np.where(dx < 0, 0.0, dx).astype(np.float64)

    def inverse_cumulative(self, u: ArrayLike) -> FloatArray:
        """Return where a cumulative distribution reaches ``u``; NaN gives NaN."""
        u = np.asarray(u, dtype=np.float64)
        n, p = self.histogram.n_bins, self.contents
        lo, hi = np.zeros(u.shape, np.int64), np.full(u.shape, n, np.int64)
        p_lo, p_hi = np.zeros(u.shape), np.zeros(u.shape)
        b = np.full(u.shape, n // 2, np.int64)
        while np.any(searching := (lo < b) & (b < hi)):
            p_b = p[np.clip(b, 1, n) - 1]
            down, up = searching & (u < p_b), searching & ~(u < p_b)
            hi, p_hi = np.where(down, b, hi), np.where(down, p_b, p_hi)
            lo, p_lo = np.where(up, b, lo), np.where(up, p_b, p_lo)
            b = np.where(searching, lo + (hi - lo) // 2, b)
        c_lo, c_hi = self.histogram.axis.centre(lo), self.histogram.axis.centre(hi)
        length = p_hi - p_lo
        with np.errstate(all="ignore"):
            # TMVA: on a flat piece, and above all contents but the last, t is a probability by mistake
            t = np.where(length > 1e-10, (u - p_lo) / length, p_lo)
            x = c_lo + (c_hi - c_lo) * t
        # TMVA: never returns for NaN
        return np.where(np.isnan(u), np.nan, x)
