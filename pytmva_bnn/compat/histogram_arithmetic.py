"""Sums, products and ratios of histograms, with their errors."""
# ruff: noqa: N802 - ROOT's names

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from pytmva_bnn._typing import AnyArray
from pytmva_bnn.compat.errors import MacroError
from pytmva_bnn.histograms import Histogram


class HistogramArithmetic:
    """Mixed into TH1."""

    _name: str
    _dtype: ClassVar[type[Any]]
    _histogram: Histogram

    def Sumw2(self, on: bool = True) -> None:
        if not on:
            self._histogram.sumw2 = None
        elif self._histogram.sumw2 is None:
            self._histogram.keep_squares()

    def Scale(self, factor: float = 1.0, option: str = "") -> None:
        """Multiply all contents; squared errors are kept from then on."""
        self.Sumw2()
        factors: Any = 1.0
        if "width" in option.lower():
            factors = np.ones(self._histogram.cells.shape)
            factors[1:-1] = 1.0 / self._histogram.axes[0].width(np.arange(1, self._histogram.axes[0].n_bins + 1))
        self._histogram = self._histogram.scaled(float(factor), bin_factors=factors)

    def Add(self, other: HistogramArithmetic, factor: Any = 1.0, *factors: float) -> bool:
        """Add ``factor`` times another histogram with the same bins; ``(h1, h2, c1, c2)`` is c1 h1 + c2 h2."""
        if isinstance(factor, HistogramArithmetic):
            c1, c2 = (*factors, 1.0, 1.0)[:2]
            self._histogram = other._histogram.copy()
            self.Scale(c1)
            other, factor = factor, c2
        self._check_same_bins(other)
        mine, its = self._histogram, other._histogram
        if its.sumw2 is not None or factor != 1.0:
            self.Sumw2()
        if mine.sumw2 is not None:
            mine.sumw2 = mine.sumw2 + factor**2 * its.squares
        mine.cells = (mine.cells + np.float64(factor) * its.cells).astype(self._dtype)
        mine.entries += its.entries
        mine.statistics = mine.statistics + its.statistics * factor
        return True

    def Divide(self, *arguments: Any) -> bool:
        """Divide by another histogram; ``(h1, h2, c1, c2, option)`` is c1 h1 / c2 h2, with binomial errors for ``B``.

        Where the divisor is 0 the ratio is 0.
        """
        above, below, c1, c2, option = self._two_histograms(arguments)
        a, b = c1 * above.cells.astype(np.float64), c2 * below.cells.astype(np.float64)
        va, vb = c1**2 * above.squares, c2**2 * below.squares
        safe = np.where(b == 0, 1.0, b)
        ratio = np.where(b == 0, 0.0, a / safe)
        squares = (va * b**2 + vb * a**2) / safe**4
        if "B" in option.upper():
            squares = np.where(ratio == 1.0, 0.0, np.abs(((1 - 2 * ratio) * va + ratio**2 * vb) / safe**2))
        return self._set_contents(ratio, np.where(b == 0, 0.0, squares))

    def Multiply(self, *arguments: Any) -> bool:
        """Multiply by another histogram; ``(h1, h2, c1, c2)`` is c1 h1 times c2 h2."""
        first, second, c1, c2, _ = self._two_histograms(arguments)
        a, b = c1 * first.cells.astype(np.float64), c2 * second.cells.astype(np.float64)
        return self._set_contents(a * b, c1**2 * first.squares * b**2 + c2**2 * second.squares * a**2)

    def _two_histograms(self, arguments: tuple[Any, ...]) -> tuple[Histogram, Histogram, float, float, str]:
        others = [one for one in arguments if isinstance(one, HistogramArithmetic)]
        for one in others:
            self._check_same_bins(one)
        if not 1 <= len(others) <= 2:
            raise MacroError(f"{self._name}: give one histogram, or two with their factors and an option")
        first, second = ([self] if len(others) == 1 else []) + others
        numbers = [float(one) for one in arguments if isinstance(one, int | float)]
        c1, c2 = (*numbers, 1.0, 1.0)[:2]
        return first._histogram, second._histogram, c1, c2, "".join(one for one in arguments if isinstance(one, str))

    def _set_contents(self, cells: AnyArray, squares: AnyArray) -> bool:
        self._histogram.cells, self._histogram.sumw2 = cells.astype(self._dtype), squares
        self._histogram.statistics = np.zeros_like(self._histogram.statistics)
        return True

    def _check_same_bins(self, other: HistogramArithmetic) -> None:
        mine, its = self._histogram.axes, other._histogram.axes
        if len(mine) != len(its) or not all(a.same_bins(b) for a, b in zip(mine, its, strict=True)):
            raise MacroError(f"the histograms {self._name} and {other._name} have different bins")
