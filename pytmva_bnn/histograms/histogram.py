"""Histograms as ROOT keeps them: cells with flow bins, squared errors, and the sums of the filled values.

What to use when: :func:`fill_1d` and :func:`fill_2d` make histograms of events, :func:`from_contents` one of numbers
that were computed in another way; :func:`normalised` gives unit area.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from pytmva_bnn._typing import AnyArray, FloatArray
from pytmva_bnn.errors import InputError
from pytmva_bnn.histograms.axis import Axis
from pytmva_bnn.memory import check_memory
from pytmva_bnn.optional import optional
from pytmva_bnn.reductions.summation import sequential_sum

if TYPE_CHECKING:
    import hist


@dataclass(eq=False)
class Histogram:
    """What histograms of one and of two axes share.

    * ``cells`` (n_bins + 2,) or (nx + 2, ny + 2) are the contents with underflow first and overflow last, in float64
      (ROOT's TH1D) or float32 (TH1F), in which they add up; ``values`` are those in range.
    * ``sumw2``, of the same shape, is None where ROOT keeps no squared errors.
    * ``statistics`` are Σw, Σw², Σwx, Σwx² (and Σwy, Σwy², Σwxy) of the events in range; all 0 if the histogram was
      read from a file that has contents only.
    """

    axes: tuple[Axis, ...]
    cells: AnyArray
    sumw2: FloatArray | None = None
    entries: float = 0.0
    statistics: FloatArray = field(default_factory=lambda: np.zeros(0))
    name: str = ""

    def __post_init__(self) -> None:
        shape = tuple(axis.n_bins + 2 for axis in self.axes)
        if self.cells.shape != shape:
            raise InputError(f"histogram '{self.name}': cells of shape {self.cells.shape} for bins of shape {shape}")
        if len(self.statistics) == 0:
            self.statistics = np.zeros(4 if len(self.axes) == 1 else 7)

    @classmethod
    def empty(cls, *axes: Axis, dtype: DTypeLike = np.float64, name: str = "") -> Self:
        """Return a histogram without events."""
        shape = [axis.n_bins + 2 for axis in axes]
        what = f"the histogram {name!r} of {' x '.join(str(axis.n_bins) for axis in axes)} bins"
        check_memory(float(math.prod(shape) * np.dtype(dtype).itemsize), what, "choose fewer bins")
        return cls(axes, np.zeros(shape, dtype), name=name)

    @property
    def values(self) -> AnyArray:
        """Contents of the bins in range."""
        return self.cells[(slice(1, -1),) * len(self.axes)]

    @property
    def squares(self) -> FloatArray:
        """Squared errors of all cells; |content| where ROOT keeps none."""
        return np.abs(self.cells.astype(np.float64)) if self.sumw2 is None else self.sumw2

    def keep_squares(self) -> None:
        """Keep squared errors from now on (``Sumw2``)."""
        self.sumw2 = self.squares

    def fill(self, *values: ArrayLike, weights: ArrayLike | None = None) -> Self:
        """Add events: (n_events,) values for each axis; float32 cells add up in float32, in the order of the events.

        Squared errors are kept as soon as a weight is not 1, as in ROOT.
        """
        x = [np.asarray(column, dtype=np.float64) for column in values]
        if any(column.shape != x[0].shape for column in x):
            lengths = " and ".join(str(column.size) for column in x)
            raise InputError(f"x and y of a two-dimensional histogram differ in length: {lengths}")
        w = np.ones(x[0].shape) if weights is None else np.asarray(weights, dtype=np.float64)
        if x[0].ndim != 1 or w.shape != x[0].shape:
            raise InputError(
                f"values and weights must be lists of the same length, got shapes {x[0].shape} and {w.shape}"
            )
        if self.sumw2 is None and np.any(w != 1):
            self.keep_squares()
        bins = [axis.find_bin(column) for axis, column in zip(self.axes, x, strict=True)]
        cells = bins[0] if len(bins) == 1 else np.ravel_multi_index(tuple(bins), self.cells.shape)
        with np.errstate(over="ignore"):
            np.add.at(self.cells.reshape(-1), cells, w.astype(self.cells.dtype))
        if self.sumw2 is not None:
            np.add.at(self.sumw2.reshape(-1), cells, w * w)
        self.entries += len(w)
        inside = np.logical_and.reduce([axis.inside(numbers) for axis, numbers in zip(self.axes, bins, strict=True)])
        with np.errstate(all="ignore"):
            terms = _terms([column[inside] for column in x], w[inside])
            self.statistics = np.array([_added_up(*pair) for pair in zip(self.statistics, terms, strict=True)])
        return self

    def fill_one(self, values: Sequence[float], weight: float = 1.0) -> tuple[int, ...]:
        """Add one event and return its cell; quicker than :meth:`fill` for a single one."""
        cell = tuple(axis.find_one(x) for axis, x in zip(self.axes, values, strict=True))
        if self.sumw2 is None and weight != 1.0:
            self.keep_squares()
        self.cells[cell] += self.cells.dtype.type(weight)
        if self.sumw2 is not None:
            self.sumw2[cell] += weight * weight
        self.entries += 1
        if all(0 < number <= axis.n_bins for number, axis in zip(cell, self.axes, strict=True)):
            self.statistics += _terms(values, weight)
        return cell

    def moments(self) -> FloatArray:
        """Return the statistics of the filled values or, if they are unknown, those of the bins at their centres."""
        if self.statistics[0] != 0 or self.entries == 0:
            return self.statistics
        return self.bin_moments()

    def bin_moments(self) -> FloatArray:
        """Return the statistics of the contents at the centres of the bins; those of w² are the squared errors."""
        centres = np.meshgrid(*(axis.centres for axis in self.axes), indexing="ij")
        terms = _terms([centre.ravel() for centre in centres], self.values.astype(np.float64).ravel())
        terms[1] = self.squares[(slice(1, -1),) * len(self.axes)].ravel()
        return np.array([sequential_sum(term) for term in terms])

    def mean(self, axis: int = 0) -> float:
        """Return the mean of the filled values in range (not of the bins), 0 if there are none."""
        s = self.moments()
        return float(s[2 + 2 * axis] / s[0]) if s[0] != 0 else 0.0

    def standard_deviation(self, axis: int = 0) -> float:
        """Return the root of the variance of the filled values in range, 0 if there are none."""
        s = self.moments()
        return float(np.sqrt(abs(s[3 + 2 * axis] / s[0] - (s[2 + 2 * axis] / s[0]) ** 2))) if s[0] != 0 else 0.0

    def scaled(self, factor: float, *, bin_factors: ArrayLike = 1.0) -> Self:
        """Return the histogram with all contents multiplied by ``factor``, and by one of each cell's own."""
        c = np.float64(factor)
        cell_factors = c * np.asarray(bin_factors)
        statistics = self.statistics * c
        statistics[1] *= c
        with np.errstate(over="ignore"):
            return replace(
                self,
                cells=(self.cells * cell_factors).astype(self.cells.dtype),
                sumw2=None if self.sumw2 is None else self.sumw2 * (cell_factors * cell_factors),
                statistics=statistics,
            )

    def with_values(self, values: ArrayLike) -> Self:
        """Return the histogram with other contents in range, and their type; all else stays."""
        inner = np.asarray(values)
        cells = self.cells.astype(inner.dtype)
        cells[(slice(1, -1),) * len(self.axes)] = inner
        return replace(self.copy(), cells=cells)

    def to_hist(self) -> hist.Hist[Any]:
        """Return the histogram as one of the package ``hist``, with its flow bins and squared errors.

        >>> fill_1d([0.5, 1.5, 1.5, 7.0], None, 2, 0.0, 2.0).to_hist().values(flow=True).tolist()
        [0.0, 1.0, 2.0, 1.0]
        """
        return stacked([self])

    def copy(self) -> Self:
        """Return a copy that can be filled on its own."""
        sumw2 = None if self.sumw2 is None else self.sumw2.copy()
        return replace(self, cells=self.cells.copy(), sumw2=sumw2, statistics=self.statistics.copy())


def stacked(histograms: Sequence[Histogram], **categories: Sequence[str]) -> hist.Hist[Any]:
    """Return histograms of the same bins as one of the package ``hist``, with an axis for each of the categories.

    The histograms are in the order of the categories, the last of which changes first.
    """
    package = optional("hist", "plot", "to_hist()")
    first = histograms[0]
    axes = [
        package.axis.Regular(axis.n_bins, axis.lower, axis.upper, name=name)
        if axis.edges is None
        else package.axis.Variable(axis.edges, name=name)
        for axis, name in zip(first.axes, "xy", strict=False)
    ]
    outer = [package.axis.StrCategory(names, name=name, overflow=False) for name, names in categories.items()]
    made: hist.Hist[Any] = package.Hist(*outer, *axes, storage=package.storage.Weight(), name=first.name)
    cells: Any = made.view(flow=True)
    shape = tuple(len(names) for names in categories.values()) + first.cells.shape
    cells["value"] = np.reshape([histogram.cells for histogram in histograms], shape)
    cells["variance"] = np.reshape([histogram.squares for histogram in histograms], shape)
    return made


@dataclass(eq=False)
class Histogram1D(Histogram):
    """A histogram with one axis."""

    @property
    def axis(self) -> Axis:
        """The only axis."""
        return self.axes[0]

    @property
    def n_bins(self) -> int:
        """Number of bins without the flow bins."""
        return self.axes[0].n_bins

    @property
    def x_min(self) -> float:
        """Lower end, as given."""
        return self.axes[0].x_min

    @property
    def x_max(self) -> float:
        """Upper end, as given."""
        return self.axes[0].x_max

    @property
    def width(self) -> float:
        """Width of each bin, or the mean if they differ."""
        return self.axes[0].mean_width

    @property
    def centres(self) -> FloatArray:
        """Centres of bins 1..n."""
        return self.axes[0].centres


@dataclass(eq=False)
class Histogram2D(Histogram):
    """A histogram with two axes; ``cells[i, j]`` is bin i in x and j in y."""

    @property
    def x(self) -> Axis:
        """The horizontal axis."""
        return self.axes[0]

    @property
    def y(self) -> Axis:
        """The vertical axis."""
        return self.axes[1]

    def merged(self) -> Histogram2D:
        """Return the contents with 2 × 2 cells merged: first along x, then along y, in their type."""
        axes = tuple(Axis(axis.n_bins // 2, axis.lower, axis.upper) for axis in self.axes)
        return Histogram2D(axes, _pairs(_pairs(self.cells).T).T)


def _pairs(cells: AnyArray) -> AnyArray:
    inner = cells[1:-1]
    return np.concatenate([cells[:1], inner[::2] + inner[1::2], cells[-1:]])


def _terms(x: Sequence[Any], w: Any) -> list[Any]:
    """Return what is summed up in the statistics, of events (n,) or of one."""
    terms = [w, w * w]
    for column in x:
        terms += [w * column, w * column * column]
    return terms if len(x) == 1 else [*terms, w * x[0] * x[1]]


def _added_up(start: float, terms: FloatArray) -> float:
    """Return ``start`` plus terms, added one by one."""
    if start != 0 and len(terms):
        terms = np.concatenate([[start], terms])
    return float(sequential_sum(terms)) if len(terms) else start


def fill_1d(
    x: ArrayLike,
    weights: ArrayLike | None,
    n_bins: int,
    x_min: float,
    x_max: float,
    *,
    dtype: DTypeLike = np.float64,
    errors: bool = True,
) -> Histogram1D:
    """Return the histogram of ``x`` (n_events,); without ``errors`` squared errors exist only if a weight is not 1."""
    histogram = Histogram1D.empty(Axis(n_bins, float(x_min), float(x_max)), dtype=dtype)
    if errors:
        histogram.keep_squares()
    return histogram.fill(x, weights=weights)


def fill_2d(
    x: ArrayLike,
    y: ArrayLike,
    weights: ArrayLike | None,
    n_bins: tuple[int, int],
    x_range: tuple[float, float],
    y_range: tuple[float, float],
) -> Histogram2D:
    """Return the TH2F (float32) of pairs (n_events,) each; squared errors exist if a weight is not 1."""
    axes = [Axis(n, float(low), float(high)) for n, (low, high) in zip(n_bins, (x_range, y_range), strict=True)]
    return Histogram2D.empty(*axes, dtype=np.float32).fill(x, y, weights=weights)


def from_contents(
    contents: ArrayLike,
    x_min: float,
    x_max: float,
    edges: ArrayLike | None = None,
    *,
    name: str = "",
    entries: float | None = None,
    errors: bool = False,
) -> Histogram1D:
    """Return a histogram whose bins 1..n were set one by one; with ``errors``, squared errors exist and are 0.

    Contents stay float32 or become float64.
    """
    values = np.asarray(contents)
    if values.ndim != 1 or len(values) == 0:
        raise InputError(
            f"histogram '{name}': contents must be a list of at least one number, got an array of shape {values.shape}"
        )
    given = None if edges is None else np.asarray(edges, dtype=np.float64)
    if given is not None and given.shape != (len(values) + 1,):
        raise InputError(
            f"histogram '{name}': {len(values)} bins need {len(values) + 1} edges, got an array of shape {given.shape}"
        )
    cells = np.zeros(len(values) + 2, values.dtype if values.dtype == np.float32 else np.float64)
    cells[1:-1] = values
    return Histogram1D(
        (Axis(len(values), float(x_min), float(x_max), given),),
        cells,
        np.zeros(len(cells)) if errors else None,
        float(len(values)) if entries is None else entries,
        name=name,
    )


def normalised(histogram: Histogram1D) -> Histogram1D:
    """Return the histogram with area 1 in range, or unchanged if the area is not positive."""
    area = float(sequential_sum(histogram.values.astype(np.float64))) * histogram.width
    return histogram.scaled(1.0 / area) if area > 0 else histogram
