"""The axis of a histogram: bins with ROOT's numbers, and ROOT's rule for finding them.

Bins count from 1 to n; 0 is the underflow and n + 1 the overflow.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from pytmva_bnn._typing import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class Axis:
    """Equal bins between two ends, or bins between ``edges`` (n_bins + 1,).

    ``x_min`` and ``x_max`` are kept as a file has them, but where there are edges, the outermost of them count: see
    :attr:`lower` and :attr:`upper`.  Bins outside 1..n are thought to have the mean width.
    """

    n_bins: int
    x_min: float
    x_max: float
    edges: FloatArray | None = None

    @cached_property
    def lower(self) -> float:
        """Lower end of the first bin."""
        return self.x_min if self.edges is None else float(self.edges[0])

    @cached_property
    def upper(self) -> float:
        """Upper end of the last bin."""
        return self.x_max if self.edges is None else float(self.edges[-1])

    @cached_property
    def mean_width(self) -> float:
        """Range divided by the number of bins: the width of each bin if they are equal."""
        return (self.upper - self.lower) / self.n_bins

    @property
    def centres(self) -> FloatArray:
        """Centres of bins 1..n."""
        return self.centre(np.arange(1, self.n_bins + 1))

    @property
    def all_edges(self) -> FloatArray:
        """Low edges of bins 1..n and the upper end (n_bins + 1,), whether bins are equal or not."""
        return np.append(self.low_edge(np.arange(1, self.n_bins + 1)), self.upper) if self.edges is None else self.edges

    def find_bin(self, x: ArrayLike) -> IntArray:
        """Return the bin of each ``x``, 0 below and n + 1 above the range; NaN counts as above.

        Of several equal edges the first one counts.
        """
        x = np.asarray(x, dtype=np.float64)
        inside = (x >= self.lower) & (x < self.upper)
        safe = np.where(inside, x, self.lower)
        bins = self._equal_bin(safe) if self.edges is None else self._variable_bin(safe, self.edges)
        return np.where(inside, bins, np.where(x < self.lower, 0, self.n_bins + 1))

    def _equal_bin(self, x: FloatArray) -> IntArray:
        # the rule of ROOT >= 6.38: the bin must agree with the low edges as low_edge computes them
        lower, width = self.lower, self.mean_width
        with np.errstate(all="ignore"):  # an empty range divides by 0; its result is not used
            k = ((x - lower) / width).astype(np.int64)
        bins: IntArray = 1 + k - (x < lower + width * k) + (lower + width * (k + 1) <= x)
        return bins

    @staticmethod
    def _variable_bin(x: FloatArray, edges: FloatArray) -> IntArray:
        first = np.searchsorted(edges, x, side="left")
        at_edge = edges[np.minimum(first, len(edges) - 1)] == x
        return np.where(at_edge, first + 1, first).astype(np.int64)

    def find_one(self, x: float) -> int:
        """Return the bin of one value; :meth:`find_bin` does the same, but takes long to set up for a single value."""
        if x < self.lower:
            return 0
        if not x < self.upper:  # NaN counts as overflow
            return self.n_bins + 1
        if self.edges is not None:
            return int(self.find_bin(x))
        k = int((x - self.lower) / self.mean_width)
        return 1 + k - (x < self.lower + self.mean_width * k) + (self.lower + self.mean_width * (k + 1) <= x)

    def inside(self, bins: IntArray) -> BoolArray:
        """Return which bin numbers are neither underflow nor overflow."""
        return (bins >= 1) & (bins <= self.n_bins)

    def low_edge(self, bins: ArrayLike) -> FloatArray:
        """Return the low edge of each bin."""
        b = np.asarray(bins, dtype=np.int64)
        equal = np.float64(self.lower) + (b - 1) * self.mean_width
        return equal if self.edges is None else np.where(self.inside(b), self.edges[self._index(b)], equal)

    def centre(self, bins: ArrayLike) -> FloatArray:
        """Return the centre of each bin."""
        b = np.asarray(bins, dtype=np.int64)
        equal = np.float64(self.lower) + (b - 0.5) * self.mean_width
        if self.edges is None:
            return equal
        low, high = self.edges[self._index(b)], self.edges[self._index(b) + 1]
        return np.where(self.inside(b), low + 0.5 * (high - low), equal)

    def width(self, bins: ArrayLike) -> FloatArray:
        """Return the width of each bin."""
        b = np.asarray(bins, dtype=np.int64)
        equal = np.full(b.shape, self.mean_width)
        if self.edges is None:
            return equal
        return np.where(self.inside(b), self.edges[self._index(b) + 1] - self.edges[self._index(b)], equal)

    def _index(self, b: IntArray) -> IntArray:
        return np.clip(b, 1, self.n_bins) - 1

    def same_bins(self, other: Axis) -> bool:
        """Return whether another axis has the same bins."""
        return self.n_bins == other.n_bins and np.array_equal(self.all_edges, other.all_edges)
