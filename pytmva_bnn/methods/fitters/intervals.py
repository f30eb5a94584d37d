"""The interval of a parameter, and random values in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.errors import InputError
from pytmva_bnn.memory import check_memory
from pytmva_bnn.methods.fitters.normal import standard_normal
from pytmva_bnn.random import TRandom3


@dataclass(frozen=True)
class Interval:
    """The range of a parameter; with ``n_bins`` > 0 it has that many discrete values, including both ends."""

    low: float
    high: float
    n_bins: int = 0

    def __post_init__(self) -> None:
        if self.n_bins == 1:
            raise InputError("interval has to have at least 2 bins if discrete")
        if not self.low <= self.high:
            raise InputError(f"the interval [{self.low:g}, {self.high:g}] has its larger end first")

    @property
    def width(self) -> float:
        """Return the length."""
        return self.high - self.low

    @property
    def middle(self) -> float:
        """Return the middle."""
        return (self.low + self.high) / 2

    @property
    def draws(self) -> bool:
        """Whether a random value takes a random number: TMVA takes none for a point, unless it is discrete."""
        return self.n_bins > 0 or self.low != self.high

    def value(self, u: float) -> float:
        """Return the value for a random number, uniform in (0, 1)."""
        if self.n_bins > 0:
            return self.low + (int(u * self.n_bins) / (self.n_bins - 1)) * (self.high - self.low)
        return self.low + (self.high - self.low) * u

    def near(self, value: float, spread: float, uniform: Callable[[], float], *, mirror: bool = False) -> float:
        """Return a random value near ``value``: a Gaussian whose width is the part ``spread`` of the interval.

        What lies outside comes in at the other end; with ``mirror`` it is reflected first.  A discrete interval gives
        any of its values.
        """
        low, high = self.low, self.high
        if self.n_bins > 0:
            return self.value(uniform())
        if low == high:
            return low
        v = value + (high - low) * spread * standard_normal(uniform)
        return wrapped(v, low, high, mirror)


def wrapped(v: float, low: float, high: float, mirror: bool) -> float:
    """Return a number brought into [low, high), reflected at the ends if ``mirror``, else as if they were joined."""
    if mirror:
        if v < low:
            v = low - (v - low)
        elif v >= high:
            v = high - (v - high)
    while v < low or v >= high:
        v = (v - low) + high if v < low else (v - high) + low
    return v


def random_points(intervals: Sequence[Interval], random: TRandom3, n: int) -> FloatArray:
    """Return n random points (n, n_parameters), drawn one after the other."""
    check_memory(16.0 * n * len(intervals), f"a population of {n} (PopSize)", "choose a smaller one")
    points = np.empty((n, len(intervals)))
    drawn = [k for k, interval in enumerate(intervals) if interval.draws]
    numbers = random.rndm(n * len(drawn)).reshape(n, len(drawn))
    for k, interval in enumerate(intervals):
        points[:, k] = interval.low
    for u, k in zip(numbers.T, drawn, strict=True):
        low, high, n_bins = intervals[k].low, intervals[k].high, intervals[k].n_bins
        points[:, k] = low + (np.trunc(u * n_bins) / (n_bins - 1)) * (high - low) if n_bins else low + (high - low) * u
    return points
