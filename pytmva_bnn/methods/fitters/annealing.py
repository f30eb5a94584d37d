"""Simulated annealing: a walk that accepts worse points, the less so the colder it is."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.errors import OptionError
from pytmva_bnn.methods.fitters.fitter import Best, Estimator, Fitter
from pytmva_bnn.methods.fitters.intervals import Interval
from pytmva_bnn.methods.fitters.normal import uniform_numbers
from pytmva_bnn.options import Option, OptionSet, OptionType
from pytmva_bnn.random import TRandom3

DOUBLE, BOOL = OptionType.DOUBLE, OptionType.BOOL
_SEED = 100  # TMVA: whatever the options
_WATCHED = 1000
"""Calls between two looks at the progress."""
_SHARE = 100
"""One of so many calls belongs to the final descent."""
_KERNELS = ("IncAdaptive", "DecAdaptive", "Sqrt", "Log", "Sin", "Homo", "Geo")
_KNOWN = ("Sqrt", "Log", "Sin", "Homo")
_DEFAULT_SCALES = {"Sqrt": 1.0, "Log": 1.0, "Homo": 1.0, "Sin": 20.0}


@dataclass(frozen=True)
class SimulatedAnnealing(Fitter):
    """TMVA's simulated annealing.

    The temperature of ``IncAdaptive`` rises with the number of calls without progress; those of the other kernels fall.
    """

    max_calls: int = 100_000
    initial_temperature: float = 1e6
    min_temperature: float = 1e-6
    eps: float = 1e-10
    scale: float = 1.0
    adaptive_speed: float = 1.0
    adaptive_step: float = 0.009875
    uses_default_scale: bool = False
    uses_default_temperature: bool = False
    kernel: str = "IncAdaptive"

    name: ClassVar[str] = "Simulated Annealing"
    unit: ClassVar[str] = "call"
    options: ClassVar[tuple[Option, ...]] = (
        Option("MaxCalls", OptionType.INT, 100_000, "number of points"),
        Option("InitialTemp", DOUBLE, 1e6, "temperature at the beginning, for kernels whose temperature falls"),
        Option("MinTemp", DOUBLE, 1e-6, "lowest temperature"),
        Option("Eps", DOUBLE, 1e-10, "values that differ by less count as equal"),
        Option("TempScale", DOUBLE, 1.0, "factor on the temperature"),
        Option("AdaptiveSpeed", DOUBLE, 1.0, "how fast the temperature rises without progress (IncAdaptive)"),
        Option("TempAdaptiveStep", DOUBLE, 0.009875, "step of the search for the first temperature (UseDefaultTemp)"),
        Option("UseDefaultScale", BOOL, False, "let the kernel choose TempScale"),
        Option("UseDefaultTemp", BOOL, False, "search for the first temperature"),
        Option("KernelTemp", OptionType.STRING, "IncAdaptive", "how the temperature changes", _KERNELS),
    )

    @staticmethod
    def check(options: OptionSet) -> None:
        """Raise for a number of calls or temperatures that are not positive."""
        if options.integer("MaxCalls") < 1:
            raise OptionError(f"MaxCalls={options.integer('MaxCalls')}: it must be at least 1")
        for name in ("InitialTemp", "MinTemp", "Eps"):
            if not options.real(name) > 0:
                raise OptionError(f"{name}={options.real(name):g}: it must be positive")

    def __post_init__(self) -> None:
        if self.kernel not in _KNOWN:  # TMVA: the other three are not recognised, and run as IncAdaptive
            object.__setattr__(self, "kernel", "IncAdaptive")

    @property
    def n_steps(self) -> int:
        """Return the number of calls."""
        return self.max_calls

    def search(self, estimator: Estimator, intervals: Sequence[Interval], start: FloatArray, best: Best) -> None:
        """Walk; TMVA: ``start`` has no effect."""
        del start
        walk = _Walk(self, estimator, intervals, best)
        walk.anneal()
        walk.descend()


class _Walk:
    """A point on its way."""

    def __init__(
        self, settings: SimulatedAnnealing, estimator: Estimator, intervals: Sequence[Interval], best: Best
    ) -> None:
        self.settings, self.best = settings, best
        self.uniform = uniform_numbers(TRandom3(_SEED))
        self.ranges = [(interval.low, interval.high, interval.high - interval.low) for interval in intervals]
        self._estimator = estimator
        self._cell = np.empty((1, len(intervals)))
        is_rising = settings.kernel == "IncAdaptive"
        self.coldest = 1e-6 if settings.uses_default_temperature and is_rising else settings.min_temperature
        self.first = self.coldest if is_rising else settings.initial_temperature
        if settings.uses_default_temperature and not is_rising:
            self.first = self._start_temperature()
        self.scale = settings.scale
        if settings.uses_default_scale:
            self.scale = 0.15 / len(intervals) if is_rising else _DEFAULT_SCALES[settings.kernel]
        self.point = [self.uniform() * width + low for low, _, width in self.ranges]
        self.value = self._estimate(self.point)
        best.point, best.value = self._cell[0].copy(), self.value

    def _estimate(self, point: list[float]) -> float:
        self._cell[0] = point
        value = float(self._estimator(self._cell)[0])
        return value if value == value else math.inf  # NaN is infinite

    def _neighbour(self, temperature: float) -> list[float]:
        """Return a random point near the present one, the nearer the colder it is."""
        uniform, base, point = self.uniform, 1.0 + 1.0 / temperature, []
        for old, (low, high, width) in zip(self.point, self.ranges, strict=True):
            while True:
                u = uniform()
                d = temperature * (base ** abs(2.0 * u - 1.0) - 1.0) * (1.0 if u >= 0.5 else -1.0)
                v = old + width * 0.1 * d
                if low <= v <= high:
                    break
            point.append(v)
        return point

    def _improve(self) -> None:
        if self.value < self.best.value:
            self.best.point, self.best.value = np.array(self.point), self.value

    def _done(self) -> None:
        best = self.best
        best.step += 1
        if best.step % _WATCHED == 0 or best.step == self.settings.max_calls:
            best.report()

    def anneal(self) -> None:
        """Walk with changing temperature."""
        settings, eps = self.settings, self.settings.eps
        temperature, next_temperature = self.first, self._temperatures()
        progress = equals = 0
        for k in range(settings.max_calls - settings.max_calls // _SHARE):
            point = self._neighbour(temperature)
            value = self._estimate(point)
            distance = abs(self.value - value)
            if value < self.value or distance < eps:
                if distance < eps:
                    equals += 1
                    if equals >= 3:
                        progress += 1
                else:
                    progress = equals = 0
                self.point, self.value = point, value
                self._improve()
            else:
                if temperature >= eps and self.uniform() < math.exp(-distance / temperature):
                    self.point, self.value = point, value
                progress += 1
                equals = 0
            temperature = next_temperature(k, progress)
            self._done()

    def descend(self) -> None:
        """Walk down only."""
        n = self.settings.max_calls // _SHARE
        first = temperature = 2 * self.coldest * len(self.ranges)
        for _ in range(n):
            point = self._neighbour(temperature)
            value = self._estimate(point)
            if value < self.value:
                self.point, self.value = point, value
                self._improve()
            temperature -= (first - self.settings.eps) / n
            self._done()

    def _temperatures(self) -> Callable[[int, int], float]:
        """Return the temperature after step k, given the number of steps without progress."""
        settings, scale, first, coldest = self.settings, self.scale, self.first, self.coldest
        return {
            "IncAdaptive": lambda _, progress: coldest + scale * math.log(1.0 + progress * settings.adaptive_speed),
            "Sqrt": lambda k, _: first / math.sqrt(k + 2.0) * scale,
            "Log": lambda k, _: first / math.log(k + 2.0) * scale,
            "Homo": lambda k, _: first / (k + 2.0) * scale,
            "Sin": lambda k, _: (math.sin(k / scale) + 1.0) / (k + 1.0) * first + settings.eps,
        }[settings.kernel]

    def _start_temperature(self) -> float:
        """Return a temperature at which the value changes much more than in the step before."""
        self.point = [self.uniform() * width + low for low, _, width in self.ranges]
        self.value = self._estimate(self.point)
        temperature, former = self.coldest, 0.0
        for i in range(self.settings.max_calls // 50):
            before = self.value
            for _ in range(30):
                self.point = self._neighbour(temperature)
                self.value = self._estimate(self.point)
            change = abs(self.value - before)
            if i > 0 and former > 0 and change > 100 * former:
                break
            former = change
            temperature += self.settings.adaptive_step * i
        return temperature
