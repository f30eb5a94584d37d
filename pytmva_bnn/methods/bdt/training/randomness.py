"""The random numbers of a training: bags of events, and subsets of variables."""

from __future__ import annotations

import math

import numpy as np

from pytmva_bnn._typing import IndexArray
from pytmva_bnn.random import TRandom3

#: TMVA: tree 0 has a different seed in every run; here it has ROOT's own default, so that a training can be repeated
FIRST_TREE_SEED = 4357
_BAG_SEED, _BAG_STEP = 1234, 100
#: largest mean for which ROOT multiplies random numbers
_SMALL_MEAN = 25.0


def bag(n_events: int, fraction: float, tree: int) -> IndexArray:
    """Return the events of the bag for a tree, in order, each as often as it was drawn."""
    random = TRandom3(_BAG_SEED + _BAG_STEP * tree)
    counts = poisson_counts(random, fraction, n_events)
    return np.repeat(np.arange(n_events), counts)


def poisson_counts(random: TRandom3, mean: float, n: int) -> IndexArray:
    """Return ``n`` Poisson numbers as TRandom3 draws them."""
    if mean >= _SMALL_MEAN:
        return np.array([_large_poisson(random, mean) for _ in range(n)], dtype=np.intp)
    limit = math.exp(-mean)
    counts = np.empty(n, dtype=np.intp)
    count, product, number = -1, 1.0, 0
    while number < n:
        # as many numbers as are certainly needed: one for each event left
        for value in random.rndm(n - number).tolist():
            count += 1
            product *= value
            if product <= limit:
                counts[number] = count
                count, product, number = -1, 1.0, number + 1
    return counts


def _large_poisson(random: TRandom3, mean: float) -> int:
    """Return a Poisson number of a large mean, by ROOT's rejection method."""
    root = math.sqrt(2.0 * mean)
    log_mean = math.log(mean)
    constant = mean * log_mean - math.lgamma(mean + 1.0)
    while True:
        while True:
            y = math.tan(math.pi * random.rndm())
            value = root * y + mean
            if value >= 0.0:
                break
        value = math.floor(value)
        density = 0.9 * (1.0 + y * y) * math.exp(value * log_mean - math.lgamma(value + 1.0) - constant)
        if random.rndm() <= density:
            return int(value)


def tree_random(tree: int) -> TRandom3:
    """Return the generator that draws the variables of a randomised tree."""
    return TRandom3(tree or FIRST_TREE_SEED)


class VariableSubsets:
    """Draws the variables among which a node of a randomised tree chooses its cut."""

    def __init__(self, tree: int, n_variables: int, size: int, *, poisson: bool) -> None:
        self._random = tree_random(tree)
        self._n_variables = n_variables
        self._size = size
        self._poisson = poisson

    def draw(self, *, full_scan: bool) -> list[bool]:
        """Return which variables a node may cut on; a full scan never draws their number."""
        size = self._size
        if self._poisson and not full_scan:
            drawn = int(poisson_counts(self._random, float(size), 1)[0])
            size = min(self._n_variables, max(1, drawn))
        size = min(size, self._n_variables)
        chosen = [False] * self._n_variables
        while sum(chosen) < size:
            chosen[int(self._random.rndm() * self._n_variables)] = True
        return chosen
