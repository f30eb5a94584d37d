"""Random points: the best of many."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.errors import OptionError
from pytmva_bnn.methods.fitters.fitter import Best, Estimator, Fitter
from pytmva_bnn.methods.fitters.intervals import Interval, random_points
from pytmva_bnn.methods.fitters.normal import uniform_numbers
from pytmva_bnn.options import Option, OptionSet, OptionType
from pytmva_bnn.random import TRandom3

_BLOCK = 1024
"""Points that are evaluated at once."""


@dataclass(frozen=True)
class MonteCarlo(Fitter):
    """``n_samples`` random points; with ``sigma`` > 0 Gaussian steps away from the best one so far."""

    n_samples: int = 100_000
    sigma: float = -1.0
    seed: int = 100

    name: ClassVar[str] = "Monte Carlo"
    unit: ClassVar[str] = "sample"
    options: ClassVar[tuple[Option, ...]] = (
        Option("SampleSize", OptionType.INT, 100_000, "number of random points"),
        Option("Sigma", OptionType.DOUBLE, -1.0, "if > 0: width of the steps away from the best point, in intervals"),
        Option("Seed", OptionType.UINT, 100, "seed of the random numbers"),
    )

    @staticmethod
    def check(options: OptionSet) -> None:
        """Raise for a number of points that is not positive."""
        if options.integer("SampleSize") < 1:
            raise OptionError(f"SampleSize={options.integer('SampleSize')}: it must be at least 1")

    @property
    def n_steps(self) -> int:
        """Return the number of points."""
        return self.n_samples

    def search(self, estimator: Estimator, intervals: Sequence[Interval], start: FloatArray, best: Best) -> None:
        """Draw the points; TMVA: ``start`` has no effect."""
        del start
        random = TRandom3(self.seed)
        random.skip(1)  # TMVA: one number is thrown away, and a first point is never evaluated
        first = random_points(intervals, random, 1)[0]
        if self.sigma > 0:
            self._walk(estimator, intervals, random, first, best)
        else:
            self._sample(estimator, intervals, random, best)

    def _sample(self, estimator: Estimator, intervals: Sequence[Interval], random: TRandom3, best: Best) -> None:
        while best.step < self.n_samples:
            points = random_points(intervals, random, min(_BLOCK, self.n_samples - best.step))
            best.offer(estimator(points), points)
            best.step += len(points)
            best.report()

    def _walk(
        self, estimator: Estimator, intervals: Sequence[Interval], random: TRandom3, first: FloatArray, best: Best
    ) -> None:
        uniform = uniform_numbers(random)
        centre: list[float] = first.tolist()
        point = np.empty((1, len(intervals)))
        for step in range(1, self.n_samples + 1):
            values = [
                interval.near(value, self.sigma, uniform) for interval, value in zip(intervals, centre, strict=True)
            ]
            point[0] = values
            found = float(estimator(point)[0])
            if best.point is None or found < best.value:
                best.point, best.value, centre = point[0].copy(), found, values
            best.step = step
            if step % _BLOCK == 0 or step == self.n_samples:
                best.report()
