"""The probability density of one variable, built from the histogram in a weight file."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from pytmva_bnn.errors import InputError
from pytmva_bnn.fast.twins import compiled_pays
from pytmva_bnn.histograms.histogram import FillStatistics, Histogram
from pytmva_bnn.histograms.kde import kernel_density
from pytmva_bnn.histograms.smoothing import smooth_histogram
from pytmva_bnn.histograms.splines import SPLINES, spline1

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]

FINE_BINS = 10000
SMALLEST = 1e-12
"""No density is smaller, so that ratios of densities exist."""
TO_DRAW_LINES = 400e-6
"""Seconds that numpy takes to interpolate by straight lines."""


class Interpolation(IntEnum):
    """How a PDF is interpolated: the codes of ``InterpolMethod`` in weight files.

    >>> Interpolation.SPLINE5.value
    4
    """

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

    >>> histogram = Histogram("MLP_tr_S_original", np.array([1.0, 2.0]), 0.0, 1.0)
    >>> PDFRecord("MLP_PDFSig", 0, 0, 2, 1, 1, 1, 1.0, histogram).interpolation
    2
    """

    name: str
    min_n_smooth: int
    max_n_smooth: int
    interpolation: int
    kde_type: int
    kde_iter: int
    kde_border: int
    kde_fine_factor: float
    histogram: Histogram


def build_pdf(record: PDFRecord, *, normalise: bool, filled: FillStatistics | None = None) -> PDF:
    """Smooth the histogram of a record, interpolate it and, for a density of the response, normalise it.

    ``filled`` is known in training only; the result of a kernel density, or of smoothing with differing numbers of
    passes, changes with it.

    >>> histogram = Histogram("h", np.array([0.2, 0.7, 1.0], dtype=np.float32), 0.0, 3.0)
    >>> cumulative = build_pdf(PDFRecord("c", 0, 0, 1, 0, 1, 1, 0.0, histogram), normalise=False)
    >>> cumulative.value([0.5, 1.0, 1.5]).round(4).tolist()
    [0.2, 0.45, 0.7]
    """
    errors = None if filled is None else filled.errors
    working = smooth_histogram(record.histogram, record.min_n_smooth, record.max_n_smooth, errors)
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
        empty = np.zeros(FINE_BINS, dtype=np.float32)
        fine = Histogram(record.histogram.name, empty, working.lower, working.upper)
        if method is Interpolation.KDE:
            contents = kernel_density(
                working,
                fine,
                iteration=record.kde_iter,
                border=record.kde_border,
                fine_factor=record.kde_fine_factor,
                rms=None if filled is None else filled.rms,
            )
        else:
            contents = _interpolated(working, fine, method)
        histogram = Histogram(fine.name, contents, fine.x_min, fine.x_max)
    if normalise:
        histogram = _normalised(histogram, record.name)
    return PDF(record, histogram, interpolated=method is not Interpolation.SPLINE0)


def _interpolated(working: Histogram, fine: Histogram, method: Interpolation) -> NDArray[np.float32]:
    x = fine.all_centres()
    spline = _lines if method is Interpolation.SPLINE1 else SPLINES[method]
    y = spline(working.all_centres(), working.contents.astype(np.float64), x)
    low = np.flatnonzero(y <= SMALLEST)
    if low.size:
        y[low] = working.contents[np.clip(working.find_bin(x[low]), 1, working.n_bins) - 1]
    with np.errstate(over="ignore"):
        return np.where(y >= SMALLEST, y, SMALLEST).astype(np.float32)  # NaN becomes the smallest value


def _lines(X: Floats, Y: Floats, x: Floats) -> Floats:  # noqa: N803
    if len(X) > 1 and compiled_pays(TO_DRAW_LINES) and np.isfinite(X).all():
        from pytmva_bnn.histograms.density_kernels import lines  # lazy: numba

        return lines(X, Y, x)
    return spline1(X, Y, x)


def _normalised(histogram: Histogram, name: str) -> Histogram:
    contents = histogram.contents.astype(np.float64)
    # add.accumulate adds one by one as TMVA does; sum() would add pairwise
    area = np.add.accumulate(contents)[-1] * (histogram.upper - histogram.lower) / histogram.n_bins
    if area < 0:
        raise InputError(f"PDF '{name}': the integral is negative ({area}), it cannot be normalised")
    if not area > 0:
        return histogram
    with np.errstate(over="ignore"):
        scaled = (contents * (1.0 / area)).astype(histogram.contents.dtype)
    return Histogram(histogram.name, scaled, histogram.x_min, histogram.x_max, histogram.edges)


@dataclass(frozen=True, eq=False)
class PDF:
    """A density (or a cumulative distribution) made by :func:`build_pdf`.

    ``histogram`` has 10000 fine bins (without interpolation: the bins of the record).

    >>> histogram = Histogram("h", np.array([1.0, 3.0]), 0.0, 2.0)
    >>> density = build_pdf(PDFRecord("p", 0, 0, 0, 1, 1, 1, 1.0, histogram), normalise=True)
    >>> density.value([0.3, 1.3]).tolist()
    [0.25, 0.75]
    """

    record: PDFRecord
    histogram: Histogram
    interpolated: bool

    @cached_property
    def contents(self) -> NDArray[np.float64]:
        """The contents of the bins in float64.

        >>> histogram = Histogram("h", np.array([1.0, 3.0]), 0.0, 2.0)
        >>> build_pdf(PDFRecord("p", 0, 0, 0, 1, 1, 1, 1.0, histogram), normalise=False).contents.tolist()
        [1.0, 3.0]
        """
        return self.histogram.contents.astype(np.float64)

    def value(self, x: ArrayLike) -> NDArray[np.float64]:
        """Return the density at each ``x``: at least 1e-12, also for NaN.

        Beyond the range the line through the outermost two fine bins goes on.

        >>> histogram = Histogram("h", np.array([1.0, 1.0]), 0.0, 2.0)
        >>> density = build_pdf(PDFRecord("p", 0, 0, 2, 1, 1, 1, 1.0, histogram), normalise=True)
        >>> density.value([1.0, np.nan]).tolist()
        [0.5, 1e-12]
        """
        x = np.asarray(x, dtype=np.float64)
        n, p = self.histogram.n_bins, self.contents
        b = np.clip(self.histogram.find_bin(x), 1, n)
        r = p[b - 1]
        if self.interpolated:
            centre = self.histogram.centre(b)
            k = np.where(((x > centre) & (b != n)) | (b == 1), b + 1, b - 1)
            with np.errstate(all="ignore"):  # infinite x
                r = r + (x - centre) * (r - p[k - 1]) / (centre - self.histogram.centre(k))
        return np.where(r >= SMALLEST, r, SMALLEST)

    def integral(self, x1: ArrayLike, x2: ArrayLike) -> NDArray[np.float64]:
        """Return the integral from ``x1`` to ``x2``; the two are broadcast.

        >>> histogram = Histogram("h", np.array([1.0, 1.0, 1.0, 1.0]), 0.0, 1.0)
        >>> density = build_pdf(PDFRecord("p", 0, 0, 2, 1, 1, 1, 1.0, histogram), normalise=True)
        >>> density.integral(0.0, [-1.0, 0.5, 2.0]).round(6).tolist()  # TMVA: above 1 beyond the range
        [0.0, 0.5, 2.0]
        """
        start, stop = np.broadcast_arrays(np.asarray(x1, np.float64), np.asarray(x2, np.float64))
        result = np.zeros(start.shape)
        for x in np.unique(start):
            here = (start == x) | (np.isnan(start) & np.isnan(x))
            result[here] = self._integral_from(float(x), stop[here])
        return result

    def _integral_from(self, x1: float, x2: NDArray[np.float64]) -> NDArray[np.float64]:
        h, n, p = self.histogram, self.histogram.n_bins, self.contents
        i1 = max(int(h.find_bin(x1)), 1)
        i2 = np.minimum(h.find_bin(x2), n)
        if i1 > n:
            return np.zeros(x2.shape)
        with np.errstate(all="ignore"):  # infinite limits
            # TMVA: the bin widths are float32; a bin that holds both x1 and x2 counts up to its upper end
            first = self._not_negative(np.float32(h.low_edge(i1 + 1) - x1))
            whole = h.width(np.arange(i1 + 1, n + 1)).astype(np.float32)
            last = self._not_negative((x2 - h.low_edge(i2)).astype(np.float32), i2 > i1)
            dx = np.concatenate([[first], whole]).astype(np.float64)
            sums = np.add.accumulate(p[i1 - 1 :] * dx)  # one by one as in TMVA, for all x2 at once
            before = sums[np.clip(i2 - 1 - i1, 0, n - i1)]
            several = before + p[i2 - 1] * last
        return np.where(i2 < i1, 0.0, np.where(i2 == i1, sums[0], several))

    def _not_negative(
        self, dx: NDArray[np.float32] | np.float32, used: NDArray[np.bool_] | bool = True
    ) -> NDArray[np.float64]:
        if np.any(used & (dx <= -1e-8)):
            raise InputError(f"PDF '{self.record.name}': negative step in the integral: {np.min(dx)}")
        return np.where(dx < 0, 0.0, dx).astype(np.float64)

    def inverse_cumulative(self, u: ArrayLike) -> NDArray[np.float64]:
        """Return where a cumulative distribution reaches ``u``; NaN gives NaN.

        >>> histogram = Histogram("h", np.array([0.0, 0.5, 1.0]), 0.0, 3.0)
        >>> cumulative = build_pdf(PDFRecord("c", 0, 0, 1, 0, 1, 1, 0.0, histogram), normalise=False)
        >>> cumulative.inverse_cumulative([0.25, 0.5]).round(6).tolist()
        [1.0, 1.5]
        """
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
        c_lo, c_hi = self.histogram.centre(lo), self.histogram.centre(hi)
        length = p_hi - p_lo
        with np.errstate(all="ignore"):
            # TMVA: on a flat piece, and above all contents but the last, t is a probability by mistake
            t = np.where(length > 1e-10, (u - p_lo) / length, p_lo)
            x = c_lo + (c_hi - c_lo) * t
        # TMVA: never returns for NaN
        return np.where(np.isnan(u), np.nan, x)
