"""The genetic algorithm against one written out step by step, by Python and by compiled code."""

import numpy as np
import pytest

from pytmva_bnn.methods.bdt.std_sort import _introsort
from pytmva_bnn.methods.fitters import GeneticAlgorithm, Interval
from pytmva_bnn.methods.fitters.genetic import _STORE_SEED, Spread
from pytmva_bnn.methods.fitters.intervals import random_points
from pytmva_bnn.random import TRandom3

RANGES = [Interval(-1, 1), Interval(3, 3), Interval(0, 6, 7), Interval(-5, 10)]


def steps(points):
    """A function with many equal values."""
    return np.floor(4 * np.abs(points[:, 0])) + np.abs(points[:, 2] - 2) + np.floor(np.abs(points[:, 3] - 1.5))


class Drifting:
    """An estimator that depends on what it was asked before, as that of Cuts does."""

    def __init__(self):
        self.calls = []

    def __call__(self, points):
        self.calls.extend(points.tolist())
        n = len(self.calls) - len(points) + np.arange(len(points))
        return steps(points) - 1e-5 * np.floor(n / 50)


def naive(settings, ranges, estimator):
    """Return all that is evaluated, and the best individual."""

    def sort(pop):
        return [pop[k] for k in _introsort([one[0] for one in pop])]

    def evaluate(pop):
        values = estimator(np.array([one[1] for one in pop])).tolist()
        return sort([(value, one[1]) for value, one in zip(values, pop, strict=True)])

    def individuals(seed):
        return [(0.0, row) for row in random_points(ranges, TRandom3(seed), settings.population).tolist()]

    store = individuals(_STORE_SEED)
    for cycle in range(settings.n_cycles):
        pop = [*individuals(settings.seed), (0.0, [r.middle for r in ranges])]
        u = TRandom3(settings.seed).rndm
        if cycle == settings.n_cycles - 1:
            pop += store
        pop = sort(evaluate(pop))[: settings.population]
        spread, successes, last_best = 0.1, [], None
        counter, reference, generation = -1, None, 0
        while True:
            if generation:
                m = len(pop) // 2
                genes = [list(one[1]) for one in pop]
                for i in range(m):
                    partner = genes[int(m * u())]
                    genes[m + i] = [a if int(2 * u()) == 0 else b for a, b in zip(genes[i], partner, strict=True)]
                for row in genes[3:]:
                    for k, r in enumerate(ranges):
                        if 100 * u() <= 10:
                            row[k] = r.near(row[k], spread, u, mirror=True)
                for row in genes[int(len(genes) * 3 / 4) :]:
                    for k, r in enumerate(ranges):
                        if 100 * u() <= 40:
                            row[k] = r.value(u()) if r.draws else r.low
                pop = [(0.0, row) for row in genes]
            generation += 1
            pop = evaluate(pop)
            if settings.trims:
                pop = sort(pop)[: settings.population]
            best = pop[0][0]
            if not successes or best < last_best:
                successes.insert(0, 1)
                last_best = best
            else:
                successes.insert(0, 0)
            s = sum(successes)
            if len(successes) >= settings.spread_steps:
                successes.pop()
                if s > settings.spread_rate:
                    spread /= settings.spread_factor
                if s < settings.spread_rate:
                    spread *= settings.spread_factor
            pop = sort(pop)
            store += pop[: settings.n_saved]
            if counter < 0:
                reference = best
            if abs(best - reference) <= settings.convergence:
                counter += 1
            else:
                counter, reference = 0, best
            if counter >= settings.steps:
                break
        store += pop[: settings.n_saved]
    return evaluate(store)[0]


@pytest.mark.parametrize(
    "settings",
    [
        GeneticAlgorithm(population=37, steps=12, n_cycles=2, spread_steps=4, spread_rate=2),
        GeneticAlgorithm(population=20, steps=4, n_cycles=3, n_saved=3, trims=True, seed=7),
    ],
    ids=["plain", "trimmed"],
)
def test_every_individual_of_every_generation(settings, mode):
    mine, theirs = Drifting(), Drifting()
    found = settings.minimise(mine, RANGES)
    value, genes = naive(settings, RANGES, theirs)
    assert mine.calls == theirs.calls, mode
    assert (found.value, found.point.tolist()) == (value, genes)


def test_compiled_code_gives_the_same_bits(both_ways):
    ranges = [Interval(-k - 1, 2 * k) for k in range(8)]
    centre = np.linspace(-1, 1, 8)

    def run():
        calls = []

        def estimator(points):
            calls.append(points.copy())
            return ((points - centre) ** 2).sum(axis=1)

        found = GeneticAlgorithm(population=120, steps=10, n_cycles=2).minimise(estimator, ranges)
        return np.concatenate(calls), found

    (calls, plain), (compiled_calls, compiled) = both_ways(run)
    np.testing.assert_array_equal(calls, compiled_calls)
    np.testing.assert_array_equal(plain.point, compiled.point)


def test_compiled_normal_numbers(compiled):
    from pytmva_bnn.methods.fitters.evolution_kernels import normal
    from pytmva_bnn.methods.fitters.normal import standard_normal, uniform_numbers

    uniform, numbers, position = uniform_numbers(TRandom3(4)), TRandom3(4).rndm(20_000), 0
    for _ in range(5000):
        value, position = normal(numbers, position)
        assert value == standard_normal(uniform)
    # the generator says how many were used
    assert uniform() == numbers[position]


def test_random_numbers_that_run_out_are_fetched(compiled, monkeypatch):
    from pytmva_bnn.methods.fitters import compiled_evolution
    from pytmva_bnn.methods.fitters.evolution import PlainEvolution

    genes = random_points(RANGES, TRandom3(1), 200)
    fetched = []

    class Generator(TRandom3):
        def peek(self, n):
            fetched.append(n)
            return super().peek(n)

    monkeypatch.setattr(compiled_evolution, "NUMBERS_FOR_A_GENE", 0.1)
    ours = compiled_evolution.CompiledEvolution(RANGES, Generator(9))
    theirs = PlainEvolution(RANGES, TRandom3(9))
    for _ in range(3):
        np.testing.assert_array_equal(ours.next_generation(genes, 0.1), theirs.next_generation(genes, 0.1))
    assert len(fetched) > 6


def test_the_start_point_is_one_of_the_population():
    def needle(points):
        return np.where((points == 0.125).all(axis=1), 0.0, 1.0)

    settings = GeneticAlgorithm(population=10, steps=2, n_cycles=2)
    found = settings.minimise(needle, [Interval(-1, 1)] * 3, np.full(3, 0.125))
    assert (found.value, found.point.tolist()) == (0.0, [0.125] * 3)


def test_infinite_values_converge():
    found = GeneticAlgorithm(population=10, steps=2, n_cycles=2).minimise(
        lambda points: np.full(len(points), np.nan), [Interval(-1, 1)]
    )
    assert found.value == np.inf


def test_spread_control():
    spread = Spread(GeneticAlgorithm(spread_steps=3, spread_rate=1, spread_factor=0.5))
    for best, expected in [(9, 0.1), (8, 0.1), (7, 0.2), (7, 0.4), (7, 0.4), (7, 0.2), (7, 0.1)]:
        spread.control(best)
        assert spread.value == pytest.approx(expected), best
