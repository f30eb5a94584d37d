"""Uniformisation and Gaussianisation as TMVA <= 3.9 wrote them into its text files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from pytmva_bnn.errors import InputError
from pytmva_bnn.transform.gauss import check_cumulatives, gaussianise, uniformise

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from pytmva_bnn.histograms import Histogram
    from pytmva_bnn.transform.selection import Selection


@dataclass(frozen=True, eq=False)
class OldCumulative:
    """A cumulative distribution at the upper edges of bins that held ``elements_per_bin`` events each.

    >>> from pytmva_bnn.histograms import Histogram
    >>> edges = np.array([0.0, 1.0, 3.0])
    >>> OldCumulative(Histogram("c", np.array([0.5, 1.0]), 0.0, 3.0, edges), 10).value([-1.0, 1.0]).tolist()
    [0.025, 0.5]
    """

    histogram: Histogram
    elements_per_bin: int

    def value(self, x: ArrayLike) -> NDArray[np.float64]:
        """Return the linear interpolation between the edges; it stays half an event away from 0 and 1.

        >>> from pytmva_bnn.histograms import Histogram
        >>> histogram = Histogram("c", np.array([0.5, 1.0]), 0.0, 3.0, np.array([0.0, 1.0, 3.0]))
        >>> OldCumulative(histogram, 10).value([2.0, 3.0]).tolist()
        [0.7375, 0.975]
        """
        x = np.asarray(x, dtype=np.float64)
        h, n = self.histogram, self.histogram.n_bins
        contents = h.contents.astype(np.float64)
        edges = h.low_edge(np.arange(1, n + 2))
        edges[-1] = h.upper
        b = np.clip(h.find_bin(x), 1, n)
        with np.errstate(all="ignore"):  # empty files and bins of zero width
            epsilon = np.float64(0.5) / (n * self.elements_per_bin)
            x0, x1 = edges[b - 1], edges[b]
            y0 = np.where(b == 1, epsilon, contents[b - 2])
            y1 = np.where(b == n, 1 - epsilon, contents[b - 1])
            c = y0 + (y1 - y0) * (x - x0) / (x1 - x0)
        c = np.where(x <= edges[0], epsilon, c)
        return np.where(x >= edges[-1], 1 - epsilon, c)


@dataclass(frozen=True, eq=False)
class OldGaussianisation:
    """Parameters of G, or with ``flat`` of U, of a text file: ``cumulatives[input][set]``.

    >>> from pytmva_bnn.histograms import Histogram
    >>> histogram = Histogram("c", np.array([0.5, 1.0]), 0.0, 3.0, np.array([0.0, 1.0, 3.0]))
    >>> step = OldGaussianisation(None, ((OldCumulative(histogram, 10),),), flat=True)
    >>> step.apply(np.float32([[1.0]])).tolist()
    [[0.5]]
    """

    selection: Selection | None
    cumulatives: tuple[tuple[OldCumulative, ...], ...]
    flat: bool

    title: ClassVar[str] = "Gauss (text form)"

    def check(self, n_inputs: int) -> None:
        """Raise an InputError unless there are distributions for ``n_inputs`` inputs.

        >>> OldGaussianisation(None, (), flat=False).check(0)
        """
        check_cumulatives(self.cumulatives, n_inputs, self.title)
        for sets in self.cumulatives:
            for cumulative in sets:
                if cumulative.elements_per_bin <= 0:
                    raise InputError(
                        f"transformation {self.title}: elements per bin must be positive, "
                        f"got {cumulative.elements_per_bin}"
                    )

    def apply(self, x: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the first inputs (n_events, k) transformed with the last set.

        >>> OldGaussianisation(None, (), flat=True).apply(np.empty((2, 0), np.float32)).shape
        (2, 0)
        """
        y = np.empty_like(x)
        for position in range(x.shape[1]):
            c = self.cumulatives[position][-1].value(x[:, position])
            y[:, position] = uniformise(c) if self.flat else gaussianise(c)
        return y
