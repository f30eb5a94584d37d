"""The next generation of a genetic algorithm: inheritance, mutation, and the order of equal individuals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from pytmva_bnn._typing import FloatArray, IndexArray
from pytmva_bnn.fast.twins import compiled_pays
from pytmva_bnn.methods.bdt.std_sort import sorted_order
from pytmva_bnn.methods.fitters.intervals import Interval
from pytmva_bnn.methods.fitters.normal import uniform_numbers
from pytmva_bnn.random import TRandom3

SMALL_RATE, LARGE_RATE = 10.0, 40.0
"""Percentages of the genes that mutate a little, and, among the worst quarter, to any value."""
SPARED = 3
"""Individuals at the front that do not mutate."""
_TO_MUTATE = 0.4e-6
"""Seconds that Python takes for a gene."""


class Evolution(Protocol):
    """What makes generations, by Python or by compiled code: both give the same bits."""

    def next_generation(self, genes: FloatArray, spread: float) -> FloatArray:
        """Return the next generation of genes (n, n_parameters)."""

    def order(self, fitness: FloatArray) -> IndexArray:
        """Return the order in which ``std::sort`` leaves the individuals."""


def evolution_of(intervals: Sequence[Interval], random: TRandom3, n_individuals: int) -> Evolution:
    """Return what is faster for about this number of individuals in all generations."""
    if compiled_pays(n_individuals * (len(intervals) + 2) * _TO_MUTATE):
        from pytmva_bnn.methods.fitters.compiled_evolution import CompiledEvolution  # lazy: numba

        return CompiledEvolution(intervals, random)
    return PlainEvolution(intervals, random)


class PlainEvolution:
    """By Python."""

    def __init__(self, intervals: Sequence[Interval], random: TRandom3) -> None:
        self._intervals = intervals
        self._uniform = uniform_numbers(random)

    def order(self, fitness: FloatArray) -> IndexArray:
        """Return the order in which ``std::sort`` leaves the individuals."""
        return sorted_order(fitness)

    def next_generation(self, genes: FloatArray, spread: float) -> FloatArray:
        """Return the next generation of genes (n, n_parameters)."""
        rows, uniform, intervals = genes.tolist(), self._uniform, self._intervals
        half = len(rows) // 2
        for i in range(half):
            partner = rows[int(half * uniform())]
            rows[half + i] = [
                mine if uniform() < 0.5 else theirs for mine, theirs in zip(rows[i], partner, strict=True)
            ]
        for row in rows[SPARED:]:
            for k, interval in enumerate(intervals):
                if 100.0 * uniform() <= SMALL_RATE:
                    row[k] = interval.near(row[k], spread, uniform, mirror=True)
        for row in rows[worst_quarter(len(rows)) :]:
            for k, interval in enumerate(intervals):
                if 100.0 * uniform() <= LARGE_RATE:
                    row[k] = interval.value(uniform()) if interval.draws else interval.low
        return np.array(rows)


def worst_quarter(n: int) -> int:
    """Return where the individuals begin that mutate to any value."""
    return n * 3 // 4
