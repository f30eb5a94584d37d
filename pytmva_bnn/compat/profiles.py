"""TProfile, the mean of one quantity in bins of another, and THStack, histograms on top of each other."""
# ruff: noqa: N802 - ROOT's names

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.compat.errors import MacroError
from pytmva_bnn.compat.histograms import TH1, TH1D
from pytmva_bnn.compat.lists import ObjectList
from pytmva_bnn.compat.named import Named, getter
from pytmva_bnn.compat.no_ops import NO_OP_PREFIXES, no_op
from pytmva_bnn.compat.painting import Drawable
from pytmva_bnn.histograms import Profile


class TProfile(TH1D):
    """``TProfile(name, title, n, low, high)``, with the limits of y behind if there are any.

    >>> profile = TProfile("p", "", 2, 0, 2)
    >>> _ = profile.Fill(0.5, 1.0), profile.Fill(0.6, 3.0), profile.Fill(1.5, 7.0)
    >>> profile.GetBinContent(1), round(profile.GetBinError(1), 4), profile.GetBinEntries(1), profile.GetBinContent(2)
    (2.0, 0.7071, 2.0, 7.0)
    """

    def __init__(self, name: str = "", title: str = "", *binning: Any) -> None:
        n_axis = 2 if len(binning) > 1 and hasattr(binning[1], "__len__") else 3
        super().__init__(name, title, *binning[:n_axis])
        limits = [float(one) for one in binning[n_axis:] if not isinstance(one, str)]
        self._low, self._high = limits if len(limits) == 2 and limits[0] < limits[1] else (-math.inf, math.inf)
        self._sums = np.zeros((4, len(self._histogram.cells)))
        self._y_sums = np.zeros(2)
        self._histogram.keep_squares()

    def Fill(self, *arguments: float) -> int:
        """Add an event: x, y and its weight; return its bin, -1 if y is outside of the limits."""
        if not 2 <= len(arguments) <= 3:
            raise MacroError(f"{self._name}.Fill takes x, y and a weight; got {len(arguments)}")
        x, y, w = (float(one) for one in (*arguments, 1.0)[:3])
        if not self._low <= y <= self._high:
            return -1
        h, number = self._histogram, self._axes[0].FindBin(x)
        self._sums[:, number] += w, w * w, w * y, w * y * y
        total, squares, first, second = self._sums[:, number].tolist()
        mean = first / total if total else 0.0
        h.cells[number] = mean
        assert h.sumw2 is not None  # noqa: S101 - kept from the start
        h.sumw2[number] = max(second / total - mean**2, 0.0) * squares / total**2 if total else 0.0
        h.entries += 1
        if 0 < number <= h.axes[0].n_bins:
            h.statistics += w, w * w, w * x, w * x * x
            self._y_sums += w * y, w * y * y
        return number

    def set_sums(self, sums: FloatArray) -> None:
        """Take the sums (4, n_bins + 2) of w, w², wy and wy² in the bins."""
        self._sums = sums
        total, squares, first, second = sums
        safe = np.where(total != 0, total, 1.0)
        means = np.where(total != 0, first / safe, 0.0)
        self._histogram.cells[:] = means
        spread = np.maximum(second / safe - means**2, 0.0)
        assert self._histogram.sumw2 is not None  # noqa: S101 - kept from the start
        self._histogram.sumw2[:] = np.where(total != 0, spread * squares / safe**2, 0.0)

    def GetBinEntries(self, number: int) -> float:
        """Return the sum of the weights in a bin."""
        return float(self._sums[0, number])

    def profile(self) -> Profile:
        """Return what is written to files."""
        h, (entries, squares, first, second) = self._histogram, self._sums
        weighted = squares if np.any(squares != entries) else None
        statistics = (*h.statistics.tolist(), *self._y_sums.tolist())
        return Profile(h.axes[0], first, second, entries, weighted, h.entries, statistics)


class THStack(Drawable, Named):
    """``THStack(name, title)`` and ``Add``."""

    def __init__(self, name: str = "", title: str = "") -> None:
        self._name, self._title = str(name), str(title)
        self._hists: ObjectList[TH1] = ObjectList()

    GetHists = getter("_hists")

    def Add(self, histogram: TH1, option: str = "") -> None:
        del option
        self._hists.append(histogram)

    def GetStack(self) -> ObjectList[TH1]:
        """Return the sums of the first, the first two, and so on."""
        sums: ObjectList[TH1] = ObjectList()
        for one in self._hists:
            total = one.copied(one.GetName())
            if len(sums) > 0:
                total.Add(sums[-1])
            sums.append(total)
        return sums

    def __paint__(self, ax: Any, option: str, label: str) -> None:
        """Paint the sums, or the histograms themselves for ``nostack``, on matplotlib's axes."""
        shown = self._hists if "NOSTACK" in option.upper() else self.GetStack()
        for histogram in reversed(shown):
            contents, edges = histogram.to_numpy()
            ax.stairs(contents, edges, label=histogram.GetTitle() or histogram.GetName(), fill=shown is not self._hists)
        ax.set_title(label)

    def __getattr__(self, name: str) -> Any:
        if name.startswith((*NO_OP_PREFIXES, "GetXaxis", "GetYaxis", "GetHistogram")):
            return no_op("THStack", name)
        raise AttributeError(f"THStack.{name} does not exist in pytmva_bnn.compat")
