"""TH1F, TH1D and TH1I: ROOT's calls on a histogram."""
# ruff: noqa: N802 - ROOT's names

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, ClassVar, Self

import numpy as np

from pytmva_bnn._typing import AnyArray
from pytmva_bnn.compat.axes import TAxis, axes_of
from pytmva_bnn.compat.errors import MacroError, NotInCompatError, public_names
from pytmva_bnn.compat.histogram_arithmetic import HistogramArithmetic
from pytmva_bnn.compat.histogram_calls import HistogramCalls
from pytmva_bnn.compat.lists import ObjectList
from pytmva_bnn.compat.messages import show
from pytmva_bnn.compat.named import Named
from pytmva_bnn.compat.no_ops import NO_OP_PREFIXES, no_op
from pytmva_bnn.compat.painting import Drawable
from pytmva_bnn.compat.session import SESSION
from pytmva_bnn.histograms import Histogram, Histogram1D, Histogram2D


class TH1(HistogramArithmetic, HistogramCalls, Drawable, Named):
    """What all histograms have; their contents are in the type that ROOT's class has.

    >>> h = TH1F("h", "a title;x;events", 4, 0.0, 2.0)
    >>> _ = h.Fill(0.6), h.Fill(0.7, 2.0), h.FillN(2, [1.2, 9.0], [1.0, 1.0])
    >>> h.GetBinContent(2), h.GetBinError(2) ** 2, h.GetEntries(), h.Integral(), h.GetXaxis().GetTitle()
    (3.0, 5.000..., 4.0, 4.0, 'x')
    """

    _dtype: ClassVar[type[Any]] = np.float64
    _n_axes: ClassVar[int] = 1
    _default_sumw2: ClassVar[bool] = False

    def __init__(self, name: str = "", title: str = "", *binning: Any) -> None:
        self._name = str(name)
        axes = axes_of(binning or (1, 0.0, 1.0) * self._n_axes, self._n_axes)
        made = (Histogram1D if self._n_axes == 1 else Histogram2D).empty(*axes, dtype=self._dtype)
        self._histogram: Histogram = made
        self._axes = tuple(TAxis(axis) for axis in axes)
        self._content_axis = TAxis(1, 0.0, 1.0)
        self._title = ""
        self.SetTitle(title)
        self._directory: Any = None
        self.Sumw2(TH1._default_sumw2)
        if SESSION.histograms_attach:
            self.SetDirectory(SESSION.directory)

    @staticmethod
    def AddDirectory(add: bool = True) -> None:
        """Choose whether new histograms attach to the current directory."""
        SESSION.histograms_attach = bool(add)

    @staticmethod
    def SetDefaultSumw2(on: bool = True) -> None:
        """Choose whether new histograms keep squared errors from the start."""
        TH1._default_sumw2 = bool(on)

    # -- names

    def SetName(self, name: str) -> None:
        self._name = str(name)
        self.SetDirectory(self._directory)

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
        return self._n_axes

    def GetXaxis(self) -> TAxis:
        return self._axes[0]

    def GetYaxis(self) -> TAxis:
        """Return the vertical axis; that of a histogram with one axis has no bins, but a title."""
        return self._content_axis

    def GetZaxis(self) -> TAxis:
        return self._axes[2] if self._n_axes > 2 else self._content_axis

    def SetXTitle(self, title: str) -> None:
        self.GetXaxis().SetTitle(title)

    def SetYTitle(self, title: str) -> None:
        self.GetYaxis().SetTitle(title)

    def GetNbinsX(self) -> int:
        return self._axes[0].GetNbins()

    # -- filling

    def Fill(self, *arguments: float) -> int:
        """Add an event: its value, one for each axis, and its weight; return its bin."""
        if not self._n_axes <= len(arguments) <= self._n_axes + 1:
            raise MacroError(f"{self._name}.Fill takes {self._n_axes} value(s) and a weight; got {len(arguments)}")
        weight = float(arguments[self._n_axes]) if len(arguments) > self._n_axes else 1.0
        cell = self._histogram.fill_one([float(value) for value in arguments[: self._n_axes]], weight)
        return cell[0] if self._n_axes == 1 else cell[0] + self._histogram.cells.shape[0] * cell[1]

    def FillN(self, n: int, *arrays: Any, stride: int = 1) -> None:
        """Add ``n`` events: arrays of values, one for each axis, and of weights (None: all 1)."""
        columns = [
            np.asarray(one, dtype=np.float64)[: n * stride : stride] if hasattr(one, "__getitem__") else None
            for one in arrays
        ]  # a null pointer may be written as 0
        values = [one for one in columns[: self._n_axes] if one is not None]
        self._histogram.fill(*values, weights=columns[self._n_axes] if len(columns) > self._n_axes else None)

    def Reset(self, option: str = "") -> None:
        del option
        squares = self._histogram.sumw2 is not None
        self._histogram = type(self._histogram).empty(*self._histogram.axes, dtype=self._dtype)
        self.Sumw2(squares)

    # -- contents

    def GetBinContent(self, *bins: int) -> float:
        return float(self._histogram.cells[self._cell(bins)])

    def SetBinContent(self, *bins_and_content: float) -> None:
        *bins, content = bins_and_content
        self._histogram.cells[self._cell(tuple(int(one) for one in bins))] = content
        self._histogram.entries += 1
        # ROOT: mean and width are computed from the bins from now on
        self._histogram.statistics[0] = 0.0

    def AddBinContent(self, number: int, content: float = 1.0) -> None:
        self._histogram.cells[self._cell((number,))] += content

    def GetBinError(self, *bins: int) -> float:
        h = self._histogram
        return math.sqrt(abs(float((h.cells if h.sumw2 is None else h.sumw2)[self._cell(bins)])))

    def SetBinError(self, *bins_and_error: float) -> None:
        *bins, error = bins_and_error
        self.Sumw2()
        if self._histogram.sumw2 is not None:
            self._histogram.sumw2[self._cell(tuple(int(one) for one in bins))] = error * error

    def _cell(self, bins: tuple[int, ...]) -> tuple[int, ...]:
        shape = self._histogram.cells.shape
        if len(bins) == 1 and self._n_axes > 1:  # ROOT: a global bin number
            return tuple(int(one) for one in np.unravel_index(int(bins[0]), shape, order="F"))
        if len(bins) != self._n_axes:
            raise MacroError(f"{self._name}: {len(bins)} bin numbers for {self._n_axes} axes")
        # ROOT: numbers beyond the flow bins mean these
        return tuple(min(max(int(one), 0), size - 1) for one, size in zip(bins, shape, strict=True))

    def FindBin(self, *x: float) -> int:
        """Return the bin of a value, or the number that stands for the bins of several."""
        bins = tuple(axis.FindBin(one) for axis, one in zip(self._axes, x, strict=True))
        return int(np.ravel_multi_index(bins, self._histogram.cells.shape, order="F"))

    FindFixBin = FindBin

    def GetBinCenter(self, number: int) -> float:
        return self._axes[0].GetBinCenter(number)

    def GetBinLowEdge(self, number: int) -> float:
        return self._axes[0].GetBinLowEdge(number)

    def GetBinWidth(self, number: int) -> float:
        return self._axes[0].GetBinWidth(number)

    # -- numbers

    def GetEntries(self) -> float:
        return self._histogram.entries

    def SetEntries(self, entries: float) -> None:
        self._histogram.entries = float(entries)

    def GetEffectiveEntries(self) -> float:
        """Return (Σw)²/Σw²."""
        sums = self._histogram.moments()
        return float(sums[0] ** 2 / sums[1]) if sums[1] else 0.0

    def GetSumOfWeights(self) -> float:
        """Return the sum of the contents in range."""
        return float(self._histogram.values.sum(dtype=np.float64))

    def Integral(self, *arguments: Any) -> float:
        """Return the sum of the contents: in range, or from bin to bin; ``"width"`` multiplies by the widths."""
        return self._sum(self._histogram.cells, arguments)

    def IntegralAndError(self, *arguments: Any) -> float:
        """Return the sum of the contents from bin to bin, and put its error into a cell, which follows the bins."""
        error = arguments[2 * self._n_axes]
        arguments = (*arguments[: 2 * self._n_axes], *arguments[2 * self._n_axes + 1 :])
        error[0] = math.sqrt(self._sum(self._histogram.squares, arguments, power=2))
        return self.Integral(*arguments)

    def _sum(self, cells: AnyArray, arguments: tuple[Any, ...], power: int = 1) -> float:
        """Return a sum over the bins that the arguments of Integral name, multiplied by a power of their widths."""
        option = arguments[-1] if arguments and isinstance(arguments[-1], str) else ""
        limits = [int(one) for one in arguments if not isinstance(one, str)]
        contents = cells.astype(np.float64)
        for i, axis in enumerate(self._histogram.axes):
            first, last = limits[2 * i : 2 * i + 2] if len(limits) >= 2 * i + 2 else (1, axis.n_bins)
            last = axis.n_bins + 1 if last < first else min(last, axis.n_bins + 1)
            chosen = np.arange(max(first, 0), last + 1)
            contents = np.take(contents, chosen, axis=i)
            if "width" in option.lower():
                contents = contents * (axis.width(chosen) ** power).reshape((-1,) + (1,) * (self._n_axes - 1 - i))
        return float(contents.sum())

    def GetMean(self, axis: int = 1) -> float:
        return self._histogram.mean(axis - 1)

    def GetStdDev(self, axis: int = 1) -> float:
        return self._histogram.standard_deviation(axis - 1)

    GetRMS = GetStdDev

    def GetSkewness(self, axis: int = 1) -> float:
        centres, contents = self._histogram.axes[axis - 1].centres, self._histogram.values.astype(np.float64)
        if self._n_axes > 1:
            contents = contents.sum(axis=tuple(k for k in range(self._n_axes) if k != axis - 1))
        width = self.GetStdDev(axis)
        sums = float(np.sum(contents * (centres - self.GetMean(axis)) ** 3))
        return sums / (contents.sum() * width**3) if width > 0 else 0.0

    def GetMeanError(self, axis: int = 1) -> float:
        effective = self.GetEffectiveEntries()
        return self.GetStdDev(axis) / math.sqrt(effective) if effective > 0 else 0.0

    def GetMaximum(self) -> float:
        return float(self._histogram.values.max())

    def GetMinimum(self) -> float:
        return float(self._histogram.values.min())

    def GetSumw2(self) -> AnyArray:
        """Return the squared errors of all bins; empty if they are not kept."""
        return np.empty(0) if self._histogram.sumw2 is None else self._histogram.sumw2

    def GetSumw2N(self) -> int:
        return self.GetSumw2().size

    def GetMaximumBin(self, *into: Any) -> int:
        """Return the bin with the largest content; with several axes its number on each is put into the cells given."""
        return self._put_bin(int(np.argmax(self._histogram.values.ravel(order="F"))), into)

    def GetMinimumBin(self, *into: Any) -> int:
        """Return the bin with the smallest content, see GetMaximumBin."""
        return self._put_bin(int(np.argmin(self._histogram.values.ravel(order="F"))), into)

    def _put_bin(self, number: int, into: tuple[Any, ...]) -> int:
        """Return the number that counts flow bins for one that does not, and fill the cells given."""
        bins = [int(one) + 1 for one in np.unravel_index(number, self._histogram.values.shape, order="F")]
        _put(bins, into)
        return int(np.ravel_multi_index(bins, self._histogram.cells.shape, order="F"))

    def GetBinXYZ(self, number: int, *into: Any) -> None:
        """Put the bin numbers of a global bin number into cells, one for each axis."""
        _put(self._cell((number,)), into)

    def GetStats(self, into: Any) -> None:
        """Put the sums of w, w², wx, wx² and, with two axes, of wy, wy², wxy into an array."""
        for k, value in enumerate(self._histogram.moments().tolist()):
            into[k] = value

    # -- copies and files

    def copied(self, name: str) -> Self:
        """Return a copy that is attached to no directory."""
        copy = type(self).__new__(type(self))
        copy.__dict__ = {**self.__dict__, "_histogram": self._histogram.copy()}
        copy._axes = tuple(axis.copied() for axis in self._axes)
        copy._content_axis = self._content_axis.copied()
        vars(copy)["_fitted"] = ObjectList(self._functions)
        copy._name = name
        copy._directory = None
        return copy

    def __copy__(self) -> Self:
        return self.copied(self._name)

    def Clone(self, name: str = "") -> Self:
        """Return a copy, attached to the current directory."""
        copy = self.copied(name or self._name)
        if SESSION.histograms_attach:
            copy.SetDirectory(SESSION.directory)
        return copy

    def Write(self, name: str = "", *_: Any) -> int:
        SESSION.directory.write_object(self, str(name) or self._name)
        return int(self._histogram.cells.nbytes)

    def DrawNormalized(self, option: str = "", norm: float = 1.0) -> Self:
        """Put a copy with that sum on the current pad, and return it."""
        copy = self.copied(self._name)
        copy.Scale(norm / (self.GetSumOfWeights() or 1.0))
        copy.Draw(option)
        return copy

    def __paint__(self, ax: Any, option: str, label: str) -> None:
        """Paint the contents on matplotlib's axes: as steps, points with errors (E), or colours for two axes."""
        contents, *edges = self.to_numpy()
        if self._n_axes == 1 and "E" in option.upper().replace("SAME", ""):
            centres = self._histogram.axes[0].centres
            ax.errorbar(centres, contents, np.sqrt(self._histogram.squares[1:-1]), fmt="o", markersize=3, label=label)
        elif self._n_axes == 1:
            ax.stairs(contents, edges[0], label=label)
        else:
            ax.pcolormesh(*edges, contents.T)
        ax.set(title=self._title, xlabel=self.GetXaxis().GetTitle(), ylabel=self.GetYaxis().GetTitle())

    def to_numpy(self) -> tuple[AnyArray, ...]:
        """Return the contents in range and the edges of each axis, as ``numpy.histogram`` does."""
        return (self._histogram.values.copy(), *(axis.all_edges for axis in self._histogram.axes))

    def Print(self, option: str = "") -> None:
        del option
        numbers = f"Entries= {self.GetEntries():g}, Total sum= {self.GetSumOfWeights():g}"
        show(f"{type(self).__name__}.Print Name  = {self._name}, {numbers}")

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._name}: {self.GetEntries():g} entries>"

    def __getattr__(self, name: str) -> Any:
        if name.startswith(NO_OP_PREFIXES):
            return no_op(type(self).__name__, name)
        if name.startswith("_"):
            raise AttributeError(name)
        raise NotInCompatError.of(type(self).__name__, name, public_names(self), "to_numpy() gives contents and edges")


def _put(bins: Iterable[int], into: tuple[Any, ...]) -> None:
    for cell, one in zip(into, (*bins, 0, 0), strict=False):  # ROOT: 0 for axes that there are not
        cell[0] = one


class TH1F(TH1):
    """A histogram with float32 contents."""

    _dtype = np.float32


class TH1D(TH1):
    """A histogram with float64 contents."""


class TH1I(TH1):
    """A histogram with int32 contents."""

    _dtype = np.int32
