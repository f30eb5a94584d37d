"""Histograms as the output file of TMVA holds them: contents with flow bins, squared errors and sums of the filling.

What to use when: :func:`fill_1d` and :func:`fill_2d` fill events, :func:`normalised` gives unit area, and
:func:`from_contents` wraps numbers that were computed in another way.  Bins count from 1 to n; 0 is the underflow and
n + 1 the overflow.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from pytmva_bnn import histograms as pdf
from pytmva_bnn.errors import InputError
from pytmva_bnn.reductions.summation import sequential_sum

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, DTypeLike, NDArray

    Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Histogram1D:
    """Contents (n_bins + 2,) between ``x_min`` and ``x_max``, under- and overflow first and last.

    ``contents`` is float64 (ROOT's TH1D) or float32 (TH1F).  ``sumw2`` (n_bins + 2,) is None where ROOT keeps no
    squared errors.  ``statistics`` are Σw, Σw², Σwx, Σwx² of the events in range.

    >>> h = fill_1d([0.1, 0.4, 0.6, 7.0], [1.0, 2.0, 1.0, 1.0], 2, 0.0, 1.0)
    >>> h.contents.tolist(), h.values.tolist(), h.entries
    ([0.0, 3.0, 1.0, 1.0], [3.0, 1.0], 4.0)
    """

    contents: NDArray[Any]
    sumw2: Floats | None
    x_min: float
    x_max: float
    entries: float
    statistics: tuple[float, float, float, float]

    @property
    def n_bins(self) -> int:
        """Number of bins without the flow bins.

        >>> from_contents([1.0, 2.0], 0.0, 1.0).n_bins
        2
        """
        return len(self.contents) - 2

    @property
    def values(self) -> NDArray[Any]:
        """Contents of bins 1..n.

        >>> from_contents([1.0, 2.0], 0.0, 1.0).values.tolist()
        [1.0, 2.0]
        """
        return self.contents[1:-1]

    @property
    def width(self) -> float:
        """Width of each bin.

        >>> from_contents([1.0, 2.0], 0.0, 1.0).width
        0.5
        """
        return (self.x_max - self.x_min) / self.n_bins

    @property
    def edges(self) -> Floats:
        """Low edges of bins 1..n and the upper end (n_bins + 1,).

        >>> from_contents([1.0, 2.0], 0.0, 1.0).edges.tolist()
        [0.0, 0.5, 1.0]
        """
        inner = self.x_min + np.arange(self.n_bins) * self.width
        return np.append(inner, self.x_max)

    @property
    def centres(self) -> Floats:
        """Centres of bins 1..n.

        >>> from_contents([1.0, 2.0], 0.0, 1.0).centres.tolist()
        [0.25, 0.75]
        """
        return np.asarray(self.x_min + (np.arange(1, self.n_bins + 1) - 0.5) * self.width)

    @property
    def mean(self) -> float:
        """Mean of the filled values in range (not of the bins), 0 if there are none.

        >>> fill_1d([0.25, 0.5], [1.0, 3.0], 1, 0.0, 1.0).mean
        0.4375
        """
        return self.statistics[2] / self.statistics[0] if self.statistics[0] != 0 else 0.0

    def density_source(self, name: str = "h") -> pdf.Histogram:
        """Return the bins 1..n in the form that :func:`pytmva_bnn.histograms.build_pdf` takes.

        >>> from_contents([1.0, 2.0], 0.0, 1.0).density_source("a").name
        'a'
        """
        return pdf.Histogram(name, self.values, self.x_min, self.x_max)


@dataclass(frozen=True, eq=False)
class Histogram2D:
    """Contents (nx + 2, ny + 2) with flow bins; ``x`` and ``y`` are the ends of the axes.

    ``statistics`` are Σw, Σw², Σwx, Σwx², Σwy, Σwy², Σwxy of the events in range.

    >>> h = fill_2d([0.1, 0.6, 0.7], [0.5, 0.5, 9.0], None, (2, 1), (0.0, 1.0), (0.0, 1.0))
    >>> h.values.tolist(), h.entries
    ([[1.0], [1.0]], 3.0)
    """

    contents: NDArray[Any]
    sumw2: Floats | None
    x: tuple[float, float]
    y: tuple[float, float]
    entries: float
    statistics: tuple[float, ...]

    @property
    def values(self) -> NDArray[Any]:
        """Contents in range (nx, ny).

        >>> fill_2d([0.1], [0.5], None, (1, 1), (0.0, 1.0), (0.0, 1.0)).values.shape
        (1, 1)
        """
        return self.contents[1:-1, 1:-1]


def find_bins(x: ArrayLike, n_bins: int, x_min: float, x_max: float) -> NDArray[np.int64]:
    """Return the bin of each ``x`` by the rule of ROOT >= 6.38; NaN counts as overflow.

    >>> find_bins([-0.1, 0.0, 0.5, 1.0, np.nan], 2, 0.0, 1.0).tolist()
    [0, 1, 2, 3, 3]
    """
    return pdf.Histogram("", np.empty(n_bins, np.float32), x_min, x_max).find_bin(x)


def fill_1d(
    x: ArrayLike,
    weights: ArrayLike | None,
    n_bins: int,
    x_min: float,
    x_max: float,
    *,
    dtype: DTypeLike = np.float64,
    errors: bool | None = True,
) -> Histogram1D:
    """Return the histogram of ``x`` (n_events,); float32 contents add up in float32, in the order of the events.

    ``errors=None`` keeps squared errors only if some weight is not 1, as ROOT does without a call of ``Sumw2``.

    >>> fill_1d([0.1, 0.2], [0.5, 0.5], 1, 0.0, 1.0).sumw2.tolist()
    [0.0, 0.5, 0.0]
    """
    x = np.asarray(x, dtype=np.float64)
    w = _weights(weights, x)
    bins = find_bins(x, n_bins, x_min, x_max)
    inside = (bins >= 1) & (bins <= n_bins)
    u, v = x[inside], w[inside]
    with np.errstate(all="ignore"):
        statistics = tuple(float(sequential_sum(terms)) for terms in (v, v * v, v * u, v * u * u))
    return Histogram1D(
        _accumulated(bins, w, n_bins + 2, dtype),
        _squares(bins, w, n_bins + 2, errors),
        float(x_min),
        float(x_max),
        float(len(x)),
        (statistics[0], statistics[1], statistics[2], statistics[3]),
    )


def fill_2d(
    x: ArrayLike,
    y: ArrayLike,
    weights: ArrayLike | None,
    n_bins: tuple[int, int],
    x_range: tuple[float, float],
    y_range: tuple[float, float],
    *,
    errors: bool | None = None,
) -> Histogram2D:
    """Return the TH2F (float32) of pairs (n_events,) each; ``errors`` as in :func:`fill_1d`.

    >>> fill_2d([0.1, 2.0], [0.1, 0.1], [1.0, 3.0], (1, 1), (0.0, 1.0), (0.0, 1.0)).contents[:, 1].tolist()
    [0.0, 1.0, 3.0]
    """
    x, y = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    if x.shape != y.shape:
        raise InputError(f"x and y of a two-dimensional histogram differ in length: {len(x)} and {len(y)}")
    w = _weights(weights, x)
    i, j = find_bins(x, n_bins[0], *x_range), find_bins(y, n_bins[1], *y_range)
    inside = (i >= 1) & (i <= n_bins[0]) & (j >= 1) & (j <= n_bins[1])
    shape = (n_bins[0] + 2, n_bins[1] + 2)
    cells, n_cells = i * shape[1] + j, shape[0] * shape[1]
    u, v, z = x[inside], y[inside], w[inside]
    terms = (z, z * z, z * u, z * u * u, z * v, z * v * v, z * u * v)
    squares = _squares(cells, w, n_cells, errors)
    return Histogram2D(
        _accumulated(cells, w, n_cells, np.float32).reshape(shape),
        None if squares is None else squares.reshape(shape),
        (float(x_range[0]), float(x_range[1])),
        (float(y_range[0]), float(y_range[1])),
        float(len(x)),
        tuple(float(sequential_sum(term)) for term in terms),
    )


def _weights(weights: ArrayLike | None, x: Floats) -> Floats:
    w = np.ones(x.shape) if weights is None else np.asarray(weights, dtype=np.float64)
    if x.ndim != 1 or w.shape != x.shape:
        raise InputError(f"values and weights must be lists of the same length, got shapes {x.shape} and {w.shape}")
    return w


def _accumulated(bins: NDArray[np.int64], w: Floats, size: int, dtype: DTypeLike) -> NDArray[Any]:
    if np.dtype(dtype) == np.float64:
        return np.bincount(bins, weights=w, minlength=size)
    contents = np.zeros(size, dtype=dtype)
    np.add.at(contents, bins, w.astype(dtype))  # one by one: bincount would add in float64
    return contents


def _squares(bins: NDArray[np.int64], w: Floats, size: int, errors: bool | None) -> Floats | None:
    if errors is None:
        errors = bool(np.any(w != 1))
    return _accumulated(bins, w * w, size, np.float64) if errors else None


def from_contents(
    values: ArrayLike,
    x_min: float,
    x_max: float,
    *,
    entries: float | None = None,
    errors: bool = False,
) -> Histogram1D:
    """Return a TH1D whose bins 1..n were set one by one; with ``errors``, squared errors exist and are 0.

    >>> from_contents([0.5], 0.0, 1.0).contents.tolist()
    [0.0, 0.5, 0.0]
    """
    contents = np.zeros(len(np.asarray(values)) + 2)
    contents[1:-1] = values
    count = float(len(contents) - 2) if entries is None else entries
    return Histogram1D(
        contents,
        np.zeros(len(contents)) if errors else None,
        float(x_min),
        float(x_max),
        count,
        (0.0, 0.0, 0.0, 0.0),
    )


def normalised(histogram: Histogram1D) -> Histogram1D:
    """Return the histogram with area 1 in range, or unchanged if the area is not positive.

    >>> normalised(fill_1d([0.1, 0.2, 0.9], None, 2, 0.0, 1.0)).values.round(3).tolist()
    [1.333, 0.667]
    """
    area = float(sequential_sum(histogram.values.astype(np.float64))) * (
        (histogram.x_max - histogram.x_min) / histogram.n_bins
    )
    if not area > 0:
        return histogram
    c = 1.0 / area
    s = histogram.statistics
    return replace(
        histogram,
        contents=(histogram.contents * np.float64(c)).astype(histogram.contents.dtype),
        sumw2=None if histogram.sumw2 is None else histogram.sumw2 * (c * c),
        statistics=(s[0] * c, s[1] * c * c, s[2] * c, s[3] * c),
    )
