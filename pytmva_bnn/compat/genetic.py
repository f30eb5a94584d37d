"""TMVA's genetic fits of a macro's own fitness: Interval, IFitterTarget, GeneticFitter and GeneticAlgorithm."""
# ruff: noqa: N802, N803 - TMVA's names

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.compat.errors import RefusedError
from pytmva_bnn.compat.messages import show
from pytmva_bnn.compat.named import getter
from pytmva_bnn.compat.std import vector
from pytmva_bnn.methods import fitters
from pytmva_bnn.methods.fitters.evolution import evolution_of
from pytmva_bnn.methods.fitters.fitter import Best
from pytmva_bnn.methods.fitters.genetic import Population, Spread
from pytmva_bnn.methods.fitters.intervals import random_points
from pytmva_bnn.options import OptionSet
from pytmva_bnn.random import TRandom3

SEED = 100
USUAL_GENERATIONS = 100


class Interval(fitters.Interval):
    """The range of a parameter: ``Interval(low, high)``, or with a number of discrete values.

    >>> interval = Interval(0, 4, 5)
    >>> interval.GetMin(), interval.GetMax(), interval.GetNbins(), interval.GetElement(1), interval.GetMean()
    (0, 4, 5, 1.0, 2.0)
    """

    GetMin, GetMax, GetWidth = getter("low"), getter("high"), getter("width")
    GetMean, GetNbins = getter("middle"), getter("n_bins")

    def GetElement(self, position: int) -> float:
        return self.low + position / (self.n_bins - 1) * self.width


class IFitterTarget:
    """What is minimised: a class of the macro derives from it and has ``EstimatorFunction(parameters)``."""

    def EstimatorFunction(self, parameters: Any) -> float:
        """Return the value of a point; the macro's own class has the real one."""
        del parameters
        raise RefusedError(f"{type(self).__name__} has no EstimatorFunction(parameters) to minimise")

    def ProgressNotifier(self, *_: Any) -> None:
        """Do nothing."""


def _estimator(target: IFitterTarget) -> fitters.Estimator:
    def values(points: FloatArray, /) -> FloatArray:
        return np.array([float(target.EstimatorFunction(vector("double")(row))) for row in points.tolist()])

    return values


class GeneticFitter:
    """``GeneticFitter(target, name, ranges, options)`` with the options of TMVA: ``PopSize=100:Steps=30``."""

    def __init__(self, target: IFitterTarget, name: str, ranges: Sequence[Interval], options: str = "") -> None:
        self._target = target
        self._intervals = list(ranges)
        parsed = OptionSet(fitters.GeneticAlgorithm.options, owner=str(name))
        parsed.parse(str(options))
        parsed.check_unused()
        self._fitter = fitters.GeneticAlgorithm.of(parsed)

    def SetParameters(self, cycles: int, nsteps: int, popSize: int, *others: Any) -> None:
        """Set cycles, steps, population, and steps, rate and factor of the spread control, and the convergence."""
        names = ("spread_steps", "spread_rate", "spread_factor", "convergence")
        given = dict(zip(names, others, strict=False))
        self._fitter = replace(self._fitter, n_cycles=cycles, steps=nsteps, population=popSize, **given)

    def Run(self, parameters: Any = None) -> float:
        """Minimise; the best point goes into ``parameters``, a vector or list, and its value is returned."""
        found = self._fitter.minimise(_estimator(self._target), self._intervals)
        if parameters is not None:
            parameters.clear()
            put = getattr(parameters, "push_back", None) or parameters.append
            for value in found.point.tolist():
                put(value)
        return found.value


class Genes:
    """An individual."""

    def __init__(self, factors: FloatArray, fitness: float) -> None:
        self.factors = vector("double")(factors.tolist())
        self.fitness = fitness

    GetFactors, GetFitness = getter("factors"), getter("fitness")


class MacroPopulation:
    """The individuals of a GeneticAlgorithm, the best one first."""

    def __init__(self, population: Population, size: int) -> None:
        self._population, self._size = population, size

    def GetGenes(self, index: int) -> Genes:
        return Genes(self._population.genes[index], float(self._population.fitness[index]))

    def GetPopulationSize(self) -> int:
        return len(self._population.genes)

    def TrimPopulation(self) -> None:
        """Keep the best individuals, as many as there were at first."""
        self._population.trim(self._size)

    def Print(self, untilIndex: int = -1) -> None:
        last = len(self._population.genes) if untilIndex < 0 else untilIndex + 1
        for factors, fitness in zip(self._population.genes[:last], self._population.fitness[:last], strict=True):
            show(f"fitness: {fitness:g}    " + "".join(f"f_{k}: {one:g}     " for k, one in enumerate(factors)))


class GeneticAlgorithm:
    """The algorithm step by step, as a macro's own loop drives it: Init, CalculateFitness, SpreadControl, HasConverged.

    Unlike TMVA's, whose seed is the clock by default, it gives the same result in every run.
    """

    def __init__(self, target: IFitterTarget, populationSize: int, ranges: Sequence[Interval], seed: int = 0) -> None:
        random, size = TRandom3(int(seed) or SEED), int(populationSize)
        points = random_points(list(ranges), random, size)
        evolution = evolution_of(list(ranges), random, size * USUAL_GENERATIONS)
        self._population = Population(points, _estimator(target), evolution, Best())
        self._size = size
        self._spread: Spread | None = None
        self._is_first = True
        self._counter, self._reference = -1, 0.0

    def Init(self) -> None:
        """Begin a generation: children of the best, and mutations; the first generation is as it was drawn."""
        if not self._is_first:
            self._population.evolve(self._spread.value if self._spread else 0.1)
        self._is_first = False

    def CalculateFitness(self) -> float:
        self._population.evaluate()
        return self._population.best

    def SpreadControl(self, steps: int, ofSteps: int, factor: float) -> float:
        """Adapt the size of mutations to how often the best has become better, and return it."""
        if self._spread is None:
            settings = fitters.GeneticAlgorithm(spread_steps=steps, spread_rate=ofSteps, spread_factor=factor)
            self._spread = Spread(settings)
        self._spread.control(self._population.best)
        return self._spread.value

    def HasConverged(self, steps: int = 10, improvement: float = 0.1) -> bool:
        """Return whether the best has not become better by ``improvement`` for ``steps`` generations."""
        best = self._population.best
        if self._counter < 0:
            self._reference = best
        if abs(best - self._reference) <= improvement:
            self._counter += 1
        else:
            self._counter, self._reference = 0, best
        return self._counter >= steps

    def GetGeneticPopulation(self) -> MacroPopulation:
        return MacroPopulation(self._population, self._size)
