"""What a fitter is: it looks for the smallest value of an estimator within intervals."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol, Self

import numpy as np

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.errors import InputError
from pytmva_bnn.methods.fitters.intervals import Interval
from pytmva_bnn.options import Option, OptionSet


class Estimator(Protocol):
    """What is minimised.  It may have a state (that of Cuts has): points are evaluated in the order of TMVA."""

    def __call__(self, points: FloatArray, /) -> FloatArray:
        """Return the values (n,) of points (n, n_parameters), evaluated one after the other; NaN counts as infinity."""


class Watch(Protocol):
    """A listener to the progress of a fit."""

    def __call__(self, step: int, value: float, point: FloatArray, /) -> None:
        """Take note of the best value and point when ``step`` (of :attr:`Fitter.n_steps`) is done."""


def ignore(step: int, value: float, point: FloatArray, /) -> None:
    """Do nothing."""


@dataclass(frozen=True)
class Minimum:
    """What a fitter has found; ``interrupted_after`` tells where Ctrl-C has ended the fit, if it did."""

    point: FloatArray
    value: float
    interrupted_after: str = ""


class Fitter(ABC):
    """A way to search; its settings are the fields of the class."""

    name: ClassVar[str]
    """What TMVA's log calls it."""
    unit: ClassVar[str]
    """What its steps are."""
    options: ClassVar[tuple[Option, ...]]
    """All of its options; those that have an effect are its settings, in the same order."""
    without_effect: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def of(cls, options: OptionSet) -> Self:
        """Return the fitter with these options."""
        cls.check(options)
        values = [options[option.name] for option in cls.options if option.name not in cls.without_effect]
        return cls(*values)

    @staticmethod
    @abstractmethod
    def check(options: OptionSet) -> None:
        """Raise :class:`OptionError` for values that it cannot work with."""

    @property
    @abstractmethod
    def n_steps(self) -> int:
        """Return the number of steps of a fit, at least approximately."""

    def minimise(
        self,
        estimator: Estimator,
        intervals: Sequence[Interval],
        start: FloatArray | None = None,
        watch: Watch = ignore,
    ) -> Minimum:
        """Return the point with the smallest value that it finds.

        ``start`` is where to begin, for fitters that care (default: the middle of each interval).  Ctrl-C ends the
        search with the best point so far.
        """
        best = Best(watch)
        try:
            self.search(estimator, intervals, start_point(intervals, start), best)
        except KeyboardInterrupt:
            return best.minimum(f"{self.unit} {best.step}")
        return best.minimum()

    @abstractmethod
    def search(self, estimator: Estimator, intervals: Sequence[Interval], start: FloatArray, best: Best) -> None:
        """Bring ``best`` to the smallest value that it finds."""


class Best:
    """The best point so far, and who wants to know it."""

    def __init__(self, watch: Watch = ignore) -> None:
        self._watch = watch
        self.point: FloatArray | None = None
        self.value = np.inf
        self.step = 0

    def offer(self, values: FloatArray, points: FloatArray) -> None:
        """Take the smallest of some values if it is smaller than that so far; the first one in any case."""
        k = int(np.argmin(np.where(np.isnan(values), np.inf, values)))
        if self.point is None or values[k] < self.value:
            self.value, self.point = float(values[k]), points[k].copy()

    def report(self) -> None:
        """Tell of a finished step."""
        assert self.point is not None  # noqa: S101
        self._watch(self.step, self.value, self.point)

    def minimum(self, interrupted_after: str = "") -> Minimum:
        """Return it; if Ctrl-C has ended the fit before there is a point, raise."""
        if self.point is None:
            raise KeyboardInterrupt
        return Minimum(self.point, self.value, interrupted_after)


def start_point(intervals: Sequence[Interval], start: FloatArray | None) -> FloatArray:
    """Return where to begin."""
    if not intervals:
        raise InputError("there are no parameters to fit")
    if start is None:
        return np.array([interval.middle for interval in intervals])
    return np.array(start, dtype=np.float64)


def as_keys(values: FloatArray) -> FloatArray:
    """Return values that can be compared: NaN is infinite."""
    return np.where(np.isnan(values), np.inf, values)
