"""TH1F, TH1D and TH1I: histograms as macros fill them, in plain arrays."""
# ruff: noqa: N802 - ROOT's names

from __future__ import annotations

import math
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.compat.axes import TAxis, axes_of
from pytmva_bnn.compat.bin_sums import HistogramNumbers, sums_of, sums_of_one
from pytmva_bnn.compat.errors import MacroError, NotInCompatError, public_names
from pytmva_bnn.compat.messages import show
from pytmva_bnn.compat.no_ops import NO_OP_PREFIXES, no_op
from pytmva_bnn.compat.session import SESSION

REFUSED = {
    "Fit": "fit the values with scipy.optimize or iminuit",
    "GetRandom": "draw from the values with numpy.random",
    "Rebin": "make the histogram with fewer bins",
    "GetFunction": "functions cannot be fitted here",
}


class TH1(HistogramNumbers):
    """What all histograms have; contents ``(n_bins + 2, …)`` with the flow bins, in the type that ROOT's class has.

    >>> h = TH1F("h", "a title;x;events", 4, 0.0, 2.0)
    >>> _ = h.Fill(0.6), h.Fill(0.7, 2.0), h.FillN(2, [1.2, 9.0], [1.0, 1.0])
    >>> h.GetBinContent(2), h.GetBinError(2) ** 2, h.GetEntries(), h.Integral(), h.GetXaxis().GetTitle()
    (3.0, 5.000..., 4.0, 4.0, 'x')
    """

    _dtype: ClassVar[type[Any]] = np.float64

    def __init__(self, name: str = "", title: str = "", *binning: Any) -> None:
        self._name = str(name)
        self._axes = axes_of(binning or (1, 0.0, 1.0) * self._n_axes, self._n_axes)
        self._content_axis = TAxis(1, 0.0, 1.0)
        self._title = ""
        self.SetTitle(title)
        shape = tuple(axis.GetNbins() + 2 for axis in self._axes)
        self._contents: NDArray[Any] = np.zeros(shape, dtype=self._dtype)
        self._sumw2: FloatArray | None = None
        self._entries = 0.0
        # Σw, Σw², then Σwx, Σwx² of each axis, then Σwxy
        self._sums = np.zeros(4 if self._n_axes == 1 else 7)
        self._directory: Any = None
        if SESSION.histograms_attach:
            self.SetDirectory(SESSION.directory)

    @staticmethod
    def AddDirectory(add: bool = True) -> None:
        """Choose whether new histograms attach to the current directory."""
        SESSION.histograms_attach = bool(add)

    @staticmethod
    def SetDefaultSumw2(on: bool = True) -> None:
        """Do nothing: squared errors are kept as soon as a weight is not 1."""
        no_op("TH1", "SetDefaultSumw2")(on)

    # -- names

    def GetName(self) -> str:
        """Return the name."""
        return self._name

    def SetName(self, name: str) -> None:
        """Set the name."""
        self._name = str(name)
        self.SetDirectory(self._directory)

    def GetTitle(self) -> str:
        """Return the title."""
        return self._title

    def SetTitle(self, title: str) -> None:
        """Set the title; ``title;x;y`` sets those of the axes too."""
        first, *others = str(title).split(";")
        self._title = first
        for axis, text in zip(self._axes, others, strict=False):
            axis.SetTitle(text)
        if len(others) > len(self._axes):
            self.GetYaxis().SetTitle(others[len(self._axes)])

    def SetDirectory(self, directory: Any) -> None:
        """Attach the histogram to a directory; 0 or None detaches it."""
        if self._directory is not None:
            self._directory.detach(self)
        self._directory = directory or None
        if self._directory is not None:
            self._directory.attach(self._name, self)

    def GetDimension(self) -> int:
        """Return the number of axes."""
        return self._n_axes

    def GetXaxis(self) -> TAxis:
        """Return the horizontal axis."""
        return self._axes[0]

    def GetYaxis(self) -> TAxis:
        """Return the vertical axis; that of a histogram with one axis has no bins, but a title."""
        return self._content_axis

    def SetXTitle(self, title: str) -> None:
        """Set the title of the horizontal axis."""
        self.GetXaxis().SetTitle(title)

    def SetYTitle(self, title: str) -> None:
        """Set the title of the vertical axis."""
        self.GetYaxis().SetTitle(title)

    def GetNbinsX(self) -> int:
        """Return the number of bins."""
        return self._axes[0].GetNbins()

    # -- filling

    def Fill(self, *arguments: float) -> int:
        """Add an event: its value, one for each axis, and its weight; return its bin."""
        if not self._n_axes <= len(arguments) <= self._n_axes + 1:
            raise MacroError(f"{self._name}.Fill takes {self._n_axes} value(s) and a weight; got {len(arguments)}")
        weight = float(arguments[self._n_axes]) if len(arguments) > self._n_axes else 1.0
        values = [float(value) for value in arguments[: self._n_axes]]
        cell = tuple(axis.FindBin(value) for axis, value in zip(self._axes, values, strict=True))
        if self._sumw2 is None and weight != 1.0:
            self.Sumw2()
        self._contents[cell] += self._dtype(weight)
        if self._sumw2 is not None:
            self._sumw2[cell] += weight * weight
        self._entries += 1
        if all(0 < number <= axis.GetNbins() for number, axis in zip(cell, self._axes, strict=True)):
            self._sums += sums_of_one(values, weight)
        return cell[0] if self._n_axes == 1 else cell[0] + self._contents.shape[0] * cell[1]

    def FillN(self, n: int, *arrays: Any, stride: int = 1) -> None:
        """Add ``n`` events: arrays of values, one for each axis, and of weights (None: all 1)."""
        columns = [None if one is None else np.asarray(one, dtype=np.float64)[: n * stride : stride] for one in arrays]
        values = [one for one in columns[: self._n_axes] if one is not None]
        weights = columns[self._n_axes] if len(columns) > self._n_axes else None
        self._add(values, np.ones(len(values[0])) if weights is None else weights)

    def _add(self, values: list[Any], weights: Any) -> None:
        points = [np.asarray(one, dtype=np.float64) for one in values]
        w = np.asarray(weights, dtype=np.float64)
        cells = tuple(axis.find(one) for axis, one in zip(self._axes, points, strict=True))
        if self._sumw2 is None and np.any(w != 1.0):
            self.Sumw2()
        with np.errstate(over="ignore"):
            # one by one: float32 contents add up in float32, as ROOT's do
            np.add.at(self._contents, cells, w.astype(self._dtype))
        if self._sumw2 is not None:
            np.add.at(self._sumw2, cells, w * w)
        self._entries += len(w)
        inside = np.logical_and.reduce([
            (cell >= 1) & (cell <= axis.GetNbins()) for cell, axis in zip(cells, self._axes, strict=True)
        ])  # fmt: skip
        self._sums += sums_of([one[inside] for one in points], w[inside])

    def Sumw2(self, on: bool = True) -> None:
        """Keep squared errors of the bins."""
        if not on:
            self._sumw2 = None
        elif self._sumw2 is None:
            self._sumw2 = np.abs(self._contents.astype(np.float64))

    def Reset(self, option: str = "") -> None:
        """Forget all events."""
        del option
        self._contents[...] = 0
        if self._sumw2 is not None:
            self._sumw2[...] = 0
        self._entries = 0.0
        self._sums[...] = 0

    # -- contents

    def GetBinContent(self, *bins: int) -> float:
        """Return the content of a bin."""
        return float(self._contents[self._cell(bins)])

    def SetBinContent(self, *bins_and_content: float) -> None:
        """Set the content of a bin."""
        *bins, content = bins_and_content
        self._contents[self._cell(tuple(int(one) for one in bins))] = content
        self._entries += 1
        # ROOT: mean and width are computed from the bins from now on
        self._sums[0] = 0.0

    def AddBinContent(self, number: int, content: float = 1.0) -> None:
        """Add to the content of a bin."""
        self._contents[self._cell((number,))] += content

    def GetBinError(self, *bins: int) -> float:
        """Return the error of a bin."""
        cell = self._cell(bins)
        return math.sqrt(abs(float(self._contents[cell] if self._sumw2 is None else self._sumw2[cell])))

    def SetBinError(self, *bins_and_error: float) -> None:
        """Set the error of a bin."""
        *bins, error = bins_and_error
        self.Sumw2()
        if self._sumw2 is not None:
            self._sumw2[self._cell(tuple(int(one) for one in bins))] = error * error

    def _cell(self, bins: tuple[int, ...]) -> tuple[int, ...]:
        if len(bins) == 1 and self._n_axes > 1:  # ROOT: a global bin number
            found = np.unravel_index(int(bins[0]), self._contents.shape, order="F")
            return tuple(int(one) for one in found)
        if len(bins) != self._n_axes:
            raise MacroError(f"{self._name}: {len(bins)} bin numbers for {self._n_axes} axes")
        # ROOT: numbers beyond the flow bins mean these
        return tuple(
            min(max(int(one), 0), size - 1) for one, size in zip(bins, self._contents.shape, strict=True)
        )  # fmt: skip

    def FindBin(self, x: float) -> int:
        """Return the bin of a value."""
        return self._axes[0].FindBin(x)

    def GetBinCenter(self, number: int) -> float:
        """Return the centre of a bin."""
        return self._axes[0].GetBinCenter(number)

    def GetBinLowEdge(self, number: int) -> float:
        """Return the lower edge of a bin."""
        return self._axes[0].GetBinLowEdge(number)

    def GetBinWidth(self, number: int) -> float:
        """Return the width of a bin."""
        return self._axes[0].GetBinWidth(number)

    # -- arithmetic

    def Scale(self, factor: float = 1.0, option: str = "") -> None:
        """Multiply all contents; squared errors are kept from then on."""
        self.Sumw2()
        scales: Any = factor
        if "width" in option.lower():
            scales = np.full(self._contents.shape, float(factor))
            scales[1:-1] = factor / self._axes[0].widths()
        self._contents = (self._contents * scales).astype(self._dtype)
        if self._sumw2 is not None:
            self._sumw2 = self._sumw2 * scales**2
        self._sums = self._sums * factor
        self._sums[1] *= factor

    def Add(self, other: TH1, factor: float = 1.0) -> bool:
        """Add ``factor`` times another histogram with the same bins."""
        self._check_same_bins(other)
        if other._sumw2 is not None or factor != 1.0:
            self.Sumw2()
        if self._sumw2 is not None:
            squares = np.abs(other._contents) if other._sumw2 is None else other._sumw2
            self._sumw2 = self._sumw2 + factor**2 * squares
        self._contents = (self._contents + factor * other._contents).astype(self._dtype)
        self._entries += other._entries
        self._sums = self._sums + other._sums * factor
        return True

    def Divide(self, other: TH1) -> bool:
        """Divide by another histogram with the same bins; where that is 0 the ratio is 0."""
        self._check_same_bins(other)
        self.Sumw2()
        other_squares = np.abs(other._contents) if other._sumw2 is None else other._sumw2
        a, b = self._contents.astype(np.float64), other._contents.astype(np.float64)
        safe = np.where(b == 0, 1.0, b)
        if self._sumw2 is not None:
            self._sumw2 = np.where(b == 0, 0.0, (self._sumw2 * b**2 + other_squares * a**2) / safe**4)
        self._contents = np.where(b == 0, 0.0, a / safe).astype(self._dtype)
        self._sums[...] = 0
        return True

    def _check_same_bins(self, other: TH1) -> None:
        if self._n_axes != other._n_axes or not all(map(TAxis.same_bins, self._axes, other._axes)):
            raise MacroError(f"the histograms {self._name} and {other._name} have different bins")

    # -- copies and files

    def copied(self, name: str) -> Self:
        """Return a copy that is attached to no directory."""
        copy = type(self).__new__(type(self))
        copy.__dict__ = {
            key: value.copy() if isinstance(value, np.ndarray) else value for key, value in self.__dict__.items()
        }
        copy._axes = tuple(axis.copied() for axis in self._axes)
        copy._content_axis = self._content_axis.copied()
        copy._name = name
        copy._directory = None
        return copy

    def Clone(self, name: str = "") -> Self:
        """Return a copy, attached to the current directory."""
        copy = self.copied(name or self._name)
        if SESSION.histograms_attach:
            copy.SetDirectory(SESSION.directory)
        return copy

    def Write(self, name: str = "", *_: Any) -> int:
        """Write the histogram, as it is now, to the current file."""
        SESSION.directory.write_object(self, str(name) or self._name)
        return int(self._contents.nbytes)

    def to_numpy(self) -> tuple[NDArray[Any], ...]:
        """Return the contents in range and the edges of each axis, as ``numpy.histogram`` does."""
        edges = [
            np.array([axis.GetBinLowEdge(i) for i in range(1, axis.GetNbins() + 2)]) for axis in self._axes
        ]  # fmt: skip
        return (self._inner().copy(), *edges)

    def Print(self, option: str = "") -> None:
        """Show the name and the numbers."""
        del option
        kind = type(self).__name__
        show(f"{kind}.Print Name  = {self._name}, Entries= {self._entries:g}, Total sum= {self.GetSumOfWeights():g}")

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._name}: {self._entries:g} entries>"

    def __getattr__(self, name: str) -> Any:
        if name.startswith(NO_OP_PREFIXES):
            return no_op(type(self).__name__, name)
        if name.startswith("_"):
            raise AttributeError(name)
        raise NotInCompatError.of(type(self).__name__, name, public_names(self), REFUSED.get(name, ""))


class TH1F(TH1):
    """A histogram with float32 contents."""

    _dtype = np.float32


class TH1D(TH1):
    """A histogram with float64 contents."""


class TH1I(TH1):
    """A histogram with int32 contents.

    >>> h = TH1I("h", "", 2, 0, 1)
    >>> h.Fill(0.1), h.GetBinContent(1)
    (1, 1.0)
    """

    _dtype = np.int32
