"""TAxis: the bins of a histogram along one direction."""
# ruff: noqa: N802 - ROOT's names

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.compat.errors import MacroError
from pytmva_bnn.compat.no_ops import NO_OP_PREFIXES, no_op
from pytmva_bnn.histograms import Histogram


class TAxis:
    """Bins 1 to n; 0 is the underflow and n + 1 the overflow.

    >>> axis = TAxis(4, 0.0, 2.0)
    >>> axis.FindBin(0.6), axis.GetBinCenter(2), axis.GetBinLowEdge(2), axis.GetXmax()
    (2, 0.75, 0.5, 2.0)
    """

    def __init__(self, n_bins: int, low: float, high: float, edges: NDArray[np.float64] | None = None) -> None:
        if n_bins < 1 or (edges is None and not low < high):
            raise MacroError(f"an axis needs a bin at least and a range that is not empty; got {n_bins}, {low}, {high}")
        self.title = ""
        self.labels: dict[int, str] = {}
        self._bins = Histogram("axis", np.zeros(n_bins), float(low), float(high), edges)
        self._lower, self._upper = float(self._bins.lower), float(self._bins.upper)
        self._width = float(self._bins.mean_width)

    @property
    def edges(self) -> NDArray[np.float64] | None:
        """The edges of the bins, ``(n_bins + 1,)``, if their widths differ."""
        return self._bins.edges

    def find(self, x: Any) -> NDArray[np.int64]:
        """Return the bin of each ``x``."""
        return self._bins.find_bin(x)

    def GetNbins(self) -> int:
        """Return the number of bins."""
        return self._bins.n_bins

    def GetXmin(self) -> float:
        """Return the lower end."""
        return self._bins.lower

    def GetXmax(self) -> float:
        """Return the upper end."""
        return self._bins.upper

    def FindBin(self, x: float) -> int:
        """Return the bin of ``x``; the same as :meth:`find`, and quick for a single value."""
        x = float(x)
        if x < self._lower:
            return 0
        if not x < self._upper:  # NaN counts as overflow
            return self.GetNbins() + 1
        if self.edges is not None:
            return int(self._bins.find_bin(x))
        k = int((x - self._lower) / self._width)
        # the rule of ROOT >= 6.38: the bin must agree with its low edge
        return 1 + k - (x < self._lower + self._width * k) + (self._lower + self._width * (k + 1) <= x)

    FindFixBin = FindBin

    def GetBinCenter(self, number: int) -> float:
        """Return the centre of a bin."""
        return float(self._bins.centre(number))

    def GetBinLowEdge(self, number: int) -> float:
        """Return the lower edge of a bin."""
        return float(self._bins.low_edge(number))

    def GetBinUpEdge(self, number: int) -> float:
        """Return the upper edge of a bin."""
        return float(self._bins.low_edge(number) + self._bins.width(number))

    def GetBinWidth(self, number: int) -> float:
        """Return the width of a bin."""
        return float(self._bins.width(number))

    def centres(self) -> NDArray[np.float64]:
        """Return the centres of bins 1 to n."""
        return self._bins.centre(np.arange(1, self.GetNbins() + 1))

    def widths(self) -> NDArray[np.float64]:
        """Return the widths of bins 1 to n."""
        return self._bins.width(np.arange(1, self.GetNbins() + 1))

    def GetTitle(self) -> str:
        """Return the title."""
        return self.title

    def SetTitle(self, title: str) -> None:
        """Set the title."""
        self.title = str(title)

    def SetBinLabel(self, number: int, label: str) -> None:
        """Set the label of a bin."""
        self.labels[int(number)] = str(label)

    def GetBinLabel(self, number: int) -> str:
        """Return the label of a bin."""
        return self.labels.get(int(number), "")

    def copied(self) -> TAxis:
        """Return a copy with a title of its own."""
        copy = TAxis(self.GetNbins(), self.GetXmin(), self.GetXmax(), self.edges)
        copy.title, copy.labels = self.title, dict(self.labels)
        return copy

    def same_bins(self, other: TAxis) -> bool:
        """Return whether another axis has the same bins."""
        mine = (self.GetNbins(), self.GetXmin(), self.GetXmax())
        return mine == (other.GetNbins(), other.GetXmin(), other.GetXmax()) and np.array_equal(
            self.centres(), other.centres()
        )

    def __getattr__(self, name: str) -> Any:
        if name.startswith(NO_OP_PREFIXES):
            return no_op("TAxis", name)
        raise AttributeError(f"TAxis.{name} does not exist in pytmva_bnn.compat")


def axes_of(arguments: tuple[Any, ...], n_axes: int) -> tuple[TAxis, ...]:
    """Return the axes of a histogram's constructor: ``n, low, high`` or ``n, edges`` for each.

    >>> [axis.GetNbins() for axis in axes_of((10, 0, 1, 2, [0.0, 1.0, 3.0]), 2)]
    [10, 2]
    """
    rest, axes, complete = list(arguments), [], True
    while rest:
        n_bins = int(rest.pop(0))
        if rest and hasattr(rest[0], "__len__"):
            edges = np.asarray(rest.pop(0), dtype=np.float64)
            if len(edges) < n_bins + 1:
                raise MacroError(f"{n_bins} bins need {n_bins + 1} edges; got {len(edges)}")
            axes.append(TAxis(n_bins, edges[0], edges[n_bins], edges[: n_bins + 1]))
        else:
            limits, rest = rest[:2], rest[2:]
            axes += [TAxis(n_bins, float(limits[0]), float(limits[1]))] if len(limits) == 2 else []
            complete = complete and len(limits) == 2
    if len(axes) != n_axes or not complete:
        raise MacroError(
            f"a histogram with {n_axes} axes takes (name, title, then bins, low, high or bins, edges of each axis)"
        )
    return tuple(axes)
