"""Generations by compiled code: a fifth of the time of a genetic fit of Cuts would go into them otherwise."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pytmva_bnn._typing import FloatArray, IndexArray
from pytmva_bnn.methods.bdt.std_sort_kernels import introsort
from pytmva_bnn.methods.fitters import evolution_kernels
from pytmva_bnn.methods.fitters.evolution import worst_quarter
from pytmva_bnn.methods.fitters.intervals import Interval
from pytmva_bnn.random import TRandom3

NUMBERS_FOR_A_GENE = 3.0
"""More than are ever needed, nearly."""


class CompiledEvolution:
    """By compiled code."""

    def __init__(self, intervals: Sequence[Interval], random: TRandom3) -> None:
        self._random = random
        self._low = np.array([interval.low for interval in intervals])
        self._high = np.array([interval.high for interval in intervals])
        self._n_bins = np.array([interval.n_bins for interval in intervals])

    def order(self, fitness: FloatArray) -> IndexArray:
        """Return the order in which ``std::sort`` leaves the individuals."""
        return introsort(fitness)

    def next_generation(self, genes: FloatArray, spread: float) -> FloatArray:
        """Return the next generation of genes (n, n_parameters)."""
        n_numbers = int(NUMBERS_FOR_A_GENE * genes.size) + len(genes) + evolution_kernels.RESERVE
        while True:
            children = np.array(genes, order="C")
            numbers = self._random.peek(n_numbers) / 2.0**32
            used = evolution_kernels.evolve(
                children, worst_quarter(len(genes)), self._low, self._high, self._n_bins, spread, numbers
            )
            if used >= 0:
                self._random.skip(used)
                return children
            n_numbers *= 2
