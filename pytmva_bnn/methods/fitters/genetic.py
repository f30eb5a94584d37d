"""TMVA's genetic algorithm: a population of points that inherits, mutates and is selected."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.errors import OptionError
from pytmva_bnn.methods.fitters.evolution import Evolution, evolution_of
from pytmva_bnn.methods.fitters.fitter import Best, Estimator, Fitter, as_keys
from pytmva_bnn.methods.fitters.intervals import Interval, random_points
from pytmva_bnn.options import Option, OptionSet, OptionType
from pytmva_bnn.random import TRandom3

INT, DOUBLE = OptionType.INT, OptionType.DOUBLE
_FIRST_SPREAD = 0.1
_STORE_SEED = 1
"""TMVA: the first points of the store differ in every run; here they are always the same."""


@dataclass(frozen=True)
class GeneticAlgorithm(Fitter):
    """``n_cycles`` evolutions of a population; each ends after ``steps`` generations without improvement."""

    population: int = 300
    steps: int = 40
    n_cycles: int = 3
    spread_steps: int = 10
    spread_rate: int = 5
    spread_factor: float = 0.95
    convergence: float = 0.001
    n_saved: int = 1
    trims: bool = False
    seed: int = 100

    name: ClassVar[str] = "Genetic Algorithm"
    unit: ClassVar[str] = "generation"
    options: ClassVar[tuple[Option, ...]] = (
        Option("PopSize", INT, 300, "number of individuals"),
        Option("Steps", INT, 40, "generations without improvement that end a cycle"),
        Option("Cycles", INT, 3, "number of cycles"),
        Option("SC_steps", INT, 10, "spread control: number of generations considered"),
        Option("SC_rate", INT, 5, "spread control: improvements among them above which mutations become larger"),
        Option("SC_factor", DOUBLE, 0.95, "spread control: factor on the size of mutations"),
        Option("ConvCrit", DOUBLE, 0.001, "smallest change of the best value that counts as an improvement"),
        Option("SaveBestGen", INT, 1, "individuals saved from each generation for the last cycle"),
        Option("SaveBestCycle", INT, 10, "without effect in TMVA: SaveBestGen is used for cycles too"),
        Option("Trim", OptionType.BOOL, False, "cut the population to PopSize after each evaluation"),
        Option("Seed", INT, 100, "seed of the random numbers"),
    )

    without_effect: ClassVar[tuple[str, ...]] = ("SaveBestCycle",)

    @staticmethod
    def check(options: OptionSet) -> None:
        """Raise for numbers that are too small."""
        for name, least in (("PopSize", 2), ("Steps", 1), ("Cycles", 1), ("SaveBestGen", 0)):
            if options.integer(name) < least:
                raise OptionError(f"{name}={options.integer(name)}: it must be at least {least}")
        if not options.real("SC_factor") > 0:
            raise OptionError(f"SC_factor={options.real('SC_factor'):g}: it must be positive")

    @property
    def n_steps(self) -> int:
        """Return the generations that there are at least."""
        return self.steps * self.n_cycles

    def search(self, estimator: Estimator, intervals: Sequence[Interval], start: FloatArray, best: Best) -> None:
        """Run all cycles, and evaluate the best individuals of each once more."""
        store = [random_points(intervals, TRandom3(_STORE_SEED), self.population)]

        def population_of(members: list[FloatArray]) -> Population:
            # TMVA: each cycle has the same generator, once for the population and again for its evolution
            random = TRandom3(self.seed)
            return Population(
                np.concatenate(members),
                estimator,
                evolution_of(intervals, random, self.population * self.n_steps),
                best,
            )

        for cycle in range(self.n_cycles):
            members = [random_points(intervals, TRandom3(self.seed), self.population), start[np.newaxis]]
            if cycle == self.n_cycles - 1:
                members += store
            self._run(population_of(members), store, cycle)
        last = population_of(store)
        last.evaluate()
        best.point, best.value = last.genes[0].copy(), last.best

    def _run(self, population: Population, store: list[FloatArray], cycle: int) -> None:
        """Let a population evolve until it has converged."""
        spread = Spread(self)
        counter, reference = -1, 0.0
        population.evaluate()
        population.trim(self.population)
        is_first = True
        while True:
            if not is_first:
                population.evolve(spread.value)
            is_first = False
            population.evaluate()
            if self.trims:
                population.trim(self.population)
            spread.control(population.best)
            population.sort()
            store.append(population.genes[: self.n_saved].copy())
            if counter < 0:
                reference = population.best
            # equality: both may be infinite
            if population.best == reference or abs(population.best - reference) <= self.convergence:
                counter += 1
            else:
                counter, reference = 0, population.best
            population.report(cycle * self.steps + min(counter, self.steps))
            if counter >= self.steps:
                break
        store.append(population.genes[: self.n_saved].copy())


class Population:
    """Individuals: genes (n, n_parameters) and fitness (n,), the smaller the better."""

    def __init__(self, genes: FloatArray, estimator: Estimator, evolution: Evolution, best: Best) -> None:
        self.genes = genes
        self.fitness = np.zeros(len(genes))
        self._estimator, self._evolution, self._overall = estimator, evolution, best

    @property
    def best(self) -> float:
        """Return the fitness of the first individual."""
        return float(self.fitness[0])

    def evaluate(self) -> None:
        """Evaluate all individuals in their order, also those that have not changed, and sort them."""
        self.fitness = as_keys(self._estimator(self.genes))
        self.sort()

    def sort(self) -> None:
        """Sort by fitness as ``std::sort`` does, which gives equal ones a new order."""
        order = self._evolution.order(self.fitness)
        self.genes, self.fitness = self.genes[order], self.fitness[order]

    def trim(self, n: int) -> None:
        """Keep the best individuals."""
        self.sort()
        self.genes, self.fitness = self.genes[:n], self.fitness[:n]

    def evolve(self, spread: float) -> None:
        """Replace the second half by children of the first, and let all but the best mutate."""
        self.genes = self._evolution.next_generation(self.genes, spread)

    def report(self, step: int) -> None:
        """Tell of a finished generation."""
        overall = self._overall
        overall.step = max(overall.step, step)
        overall.offer(self.fitness[:1], self.genes[:1])
        overall.report()


class Spread:
    """The size of mutations, controlled by how often the best individual has become better."""

    def __init__(self, settings: GeneticAlgorithm) -> None:
        self.value = _FIRST_SPREAD
        self._settings = settings
        self._successes: list[bool] = []
        self._best = 0.0

    def control(self, best: float) -> None:
        """Take note of the best fitness of a generation."""
        is_better = not self._successes or best < self._best
        if is_better:
            self._best = best
        self._successes.insert(0, is_better)
        n = sum(self._successes)
        if len(self._successes) >= self._settings.spread_steps:
            self._successes.pop()
            if n > self._settings.spread_rate:
                self.value /= self._settings.spread_factor
            elif n < self._settings.spread_rate:
                self.value *= self._settings.spread_factor
