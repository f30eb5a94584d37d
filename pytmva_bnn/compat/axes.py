"""TAxis: the bins of a histogram along one direction."""
# ruff: noqa: N802 - ROOT's names

from __future__ import annotations

from typing import Any

import numpy as np

from pytmva_bnn._typing import FloatArray, IntArray
from pytmva_bnn.compat.errors import MacroError
from pytmva_bnn.compat.no_ops import NO_OP_PREFIXES, no_op
from pytmva_bnn.histograms import Axis


class TAxis:
    """Bins 1 to n; 0 is the underflow and n + 1 the overflow: ``TAxis(n, low, high)`` or ``TAxis(n, edges)``.

    >>> axis = TAxis(4, 0.0, 2.0)
    >>> axis.FindBin(0.6), axis.GetBinCenter(2), axis.GetBinLowEdge(2), axis.GetXmax()
    (2, 0.75, 0.5, 2.0)
    """

    def __init__(self, *binning: Any) -> None:
        self.bins = binning[0] if isinstance(binning[0], Axis) else axes_of(binning, 1)[0]
        self.title = ""
        self.labels: dict[int, str] = {}

    def find(self, x: Any) -> IntArray:
        """Return the bin of each ``x``."""
        return self.bins.find_bin(x)

    def GetNbins(self) -> int:
        return self.bins.n_bins

    def GetXmin(self) -> float:
        return self.bins.lower

    def GetXmax(self) -> float:
        return self.bins.upper

    def FindBin(self, x: float) -> int:
        return self.bins.find_one(float(x))

    FindFixBin = FindBin

    def GetBinCenter(self, number: int) -> float:
        return float(self.bins.centre(number))

    def GetBinLowEdge(self, number: int) -> float:
        return float(self.bins.low_edge(number))

    def GetBinUpEdge(self, number: int) -> float:
        return float(self.bins.low_edge(number) + self.bins.width(number))

    def GetBinWidth(self, number: int) -> float:
        return float(self.bins.width(number))

    def GetTitle(self) -> str:
        return self.title

    def SetTitle(self, title: str) -> None:
        self.title = str(title)

    def SetBinLabel(self, number: int, label: str) -> None:
        self.labels[int(number)] = str(label)

    def GetBinLabel(self, number: int) -> str:
        return self.labels.get(int(number), "")

    def copied(self) -> TAxis:
        """Return a copy with a title of its own."""
        copy = TAxis(self.bins)
        copy.title, copy.labels = self.title, dict(self.labels)
        return copy

    def __getattr__(self, name: str) -> Any:
        if name.startswith(NO_OP_PREFIXES):
            return no_op("TAxis", name)
        raise AttributeError(f"TAxis.{name} does not exist in pytmva_bnn.compat")


def axes_of(arguments: tuple[Any, ...], n_axes: int) -> tuple[Axis, ...]:
    """Return the axes of a histogram's constructor: ``n, low, high`` or ``n, edges`` for each."""
    rest, axes, complete = list(arguments), [], True
    while rest:
        n_bins = int(rest.pop(0))
        if rest and hasattr(rest[0], "__len__"):
            edges = np.asarray(rest.pop(0), dtype=np.float64)
            if len(edges) < n_bins + 1:
                raise MacroError(f"{n_bins} bins need {n_bins + 1} edges; got {len(edges)}")
            axes.append(_checked(n_bins, edges[0], edges[n_bins], edges[: n_bins + 1]))
        else:
            limits, rest = rest[:2], rest[2:]
            axes += [_checked(n_bins, float(limits[0]), float(limits[1]))] if len(limits) == 2 else []
            complete = complete and len(limits) == 2
    if len(axes) != n_axes or not complete:
        raise MacroError(
            f"a histogram with {n_axes} axes takes (name, title, then bins, low, high or bins, edges of each axis)"
        )
    return tuple(axes)


def _checked(n_bins: int, low: float, high: float, edges: FloatArray | None = None) -> Axis:
    if n_bins < 1 or (edges is None and not low < high):
        raise MacroError(f"an axis needs at least one bin and a range that is not empty; got {n_bins}, {low}, {high}")
    return Axis(n_bins, float(low), float(high), edges)
