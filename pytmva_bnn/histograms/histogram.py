"""One-dimensional histograms with ROOT's numbering and its rules for finding bins.

Bins count from 1 to n; 0 is the underflow and n + 1 the overflow, which hold nothing here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from pytmva_bnn.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True, eq=False)
class Histogram:
    """Contents of bins 1..n between two ends, with equal bins unless ``edges`` are given.

    ``contents`` has the shape (n_bins,) and is float32, as read from a file, or float64; ``edges`` has the
    shape (n_bins + 1,).  ``x_min`` and ``x_max`` are kept as the file has them, but with variable bins the
    outermost edges count: see :attr:`lower` and :attr:`upper`.

    >>> h = Histogram("h", np.array([5.0, 7.0, 1.0]), 0.0, 1.5)
    >>> h.find_bin([-0.1, 0.0, 0.7, 1.5, np.nan]).tolist()
    [0, 1, 2, 4, 4]
    >>> h.centre([1, 2, 3]).tolist()
    [0.25, 0.75, 1.25]
    """

    name: str
    contents: NDArray[np.floating[Any]]
    x_min: float
    x_max: float
    edges: NDArray[np.float64] | None = None

    def __post_init__(self) -> None:
        contents = np.asarray(self.contents)
        if contents.dtype != np.float32:
            contents = contents.astype(np.float64)
        if contents.ndim != 1 or len(contents) == 0:
            raise InputError(
                f"histogram '{self.name}': contents must be a list of at least one number, "
                f"got an array of shape {contents.shape}"
            )
        object.__setattr__(self, "contents", contents)
        if self.edges is None:
            return
        edges = np.asarray(self.edges, dtype=np.float64)
        if edges.shape != (len(contents) + 1,):
            raise InputError(
                f"histogram '{self.name}': {len(contents)} bins need {len(contents) + 1} edges, "
                f"got an array of shape {edges.shape}"
            )
        object.__setattr__(self, "edges", edges)

    @property
    def n_bins(self) -> int:
        """Number of bins without under- and overflow.

        >>> Histogram("h", np.ones(3), 0.0, 1.0).n_bins
        3
        """
        return len(self.contents)

    @property
    def lower(self) -> float:
        """Lower end of the first bin.

        >>> Histogram("h", np.ones(1), 0.0, 0.0, np.array([2.0, 3.0])).lower
        2.0
        """
        return self.x_min if self.edges is None else float(self.edges[0])

    @property
    def upper(self) -> float:
        """Upper end of the last bin.

        >>> Histogram("h", np.ones(1), 0.0, 0.0, np.array([2.0, 3.0])).upper
        3.0
        """
        return self.x_max if self.edges is None else float(self.edges[-1])

    @property
    def mean_width(self) -> float:
        """Range divided by the number of bins: the width of each bin if they are equal.

        >>> Histogram("h", np.ones(2), 0.0, 3.0).mean_width
        1.5
        """
        return (self.upper - self.lower) / self.n_bins

    def find_bin(self, x: ArrayLike) -> NDArray[np.int64]:
        """Return the bin of each ``x``, 0 below and n + 1 above the range; NaN counts as above.

        >>> h = Histogram("h", np.ones(3), 0.0, 0.0, np.array([0.0, 1.0, 1.0, 4.0]))
        >>> h.find_bin([0.5, 1.0, 1.5]).tolist()  # at several equal edges the first of them counts
        [1, 2, 3]
        """
        x = np.asarray(x, dtype=np.float64)
        lower, upper = self.lower, self.upper
        inside = (x >= lower) & (x < upper)
        safe = np.where(inside, x, lower)
        bins = self._equal_bin(safe) if self.edges is None else self._variable_bin(safe, self.edges)
        outside = np.where(x < lower, 0, self.n_bins + 1)
        return np.where(inside, bins, outside)

    def _equal_bin(self, x: NDArray[np.float64]) -> NDArray[np.int64]:
        # the rule of ROOT >= 6.38: the bin must agree with the low edges as low_edge computes them
        lower, width = self.lower, self.mean_width
        with np.errstate(all="ignore"):  # an empty range divides by 0; its result is not used
            k = ((x - lower) / width).astype(np.int64)
        bins: NDArray[np.int64] = 1 + k - (x < lower + width * k) + (lower + width * (k + 1) <= x)
        return bins

    @staticmethod
    def _variable_bin(x: NDArray[np.float64], edges: NDArray[np.float64]) -> NDArray[np.int64]:
        first = np.searchsorted(edges, x, side="left")
        at_edge = edges[np.minimum(first, len(edges) - 1)] == x
        return np.where(at_edge, first + 1, first).astype(np.int64)

    def low_edge(self, bins: ArrayLike) -> NDArray[np.float64]:
        """Return the low edge of each bin; bins outside 1..n are thought to have the mean width.

        >>> Histogram("h", np.ones(2), 0.0, 3.0).low_edge([0, 1, 2, 3]).tolist()
        [-1.5, 0.0, 1.5, 3.0]
        """
        b = np.asarray(bins, dtype=np.int64)
        equal = np.float64(self.lower) + (b - 1) * self.mean_width
        if self.edges is None:
            return equal
        return np.where(self._inside(b), self.edges[self._index(b)], equal)

    def centre(self, bins: ArrayLike) -> NDArray[np.float64]:
        """Return the centre of each bin; bins outside 1..n are thought to have the mean width.

        >>> Histogram("h", np.ones(2), 0.0, 0.0, np.array([0.0, 1.0, 4.0])).centre([0, 1, 2]).tolist()
        [-1.0, 0.5, 2.5]
        """
        b = np.asarray(bins, dtype=np.int64)
        equal = np.float64(self.lower) + (b - 0.5) * self.mean_width
        if self.edges is None:
            return equal
        low, high = self.edges[self._index(b)], self.edges[self._index(b) + 1]
        return np.where(self._inside(b), low + 0.5 * (high - low), equal)

    def width(self, bins: ArrayLike) -> NDArray[np.float64]:
        """Return the width of each bin; bins outside 1..n are thought to have the mean width.

        >>> Histogram("h", np.ones(2), 0.0, 0.0, np.array([0.0, 1.0, 4.0])).width([1, 2]).tolist()
        [1.0, 3.0]
        """
        b = np.asarray(bins, dtype=np.int64)
        equal = np.full(b.shape, self.mean_width)
        if self.edges is None:
            return equal
        index = self._index(b)
        return np.where(self._inside(b), self.edges[index + 1] - self.edges[index], equal)

    def _inside(self, b: NDArray[np.int64]) -> NDArray[np.bool_]:
        return (b >= 1) & (b <= self.n_bins)

    def _index(self, b: NDArray[np.int64]) -> NDArray[np.int64]:
        return np.clip(b, 1, self.n_bins) - 1

    def all_centres(self) -> NDArray[np.float64]:
        """Return the centres of bins 1..n.

        >>> Histogram("h", np.ones(2), 0.0, 1.0).all_centres().tolist()
        [0.25, 0.75]
        """
        return self.centre(np.arange(1, self.n_bins + 1))


@dataclass(frozen=True, eq=False)
class FillStatistics:
    """What is known of a histogram that was filled with events, but not of one read from a file.

    ``rms`` is that of the filled values, not of bin centres; ``errors`` are √Σw² of the bins (n_bins,).

    >>> FillStatistics(0.3, np.array([1.0, 2.0])).rms
    0.3
    """

    rms: float
    errors: NDArray[np.float64]
