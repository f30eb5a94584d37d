"""The random numbers of a training: bags of events, and subsets of variables."""

from __future__ import annotations

import numpy as np

from pytmva_bnn._typing import IndexArray
from pytmva_bnn.random import TRandom3
from pytmva_bnn.random.poisson import poisson_counts

#: TMVA: tree 0 has a different seed in every run; here it has ROOT's own default, so that a training can be repeated
FIRST_TREE_SEED = 4357
_BAG_SEED, _BAG_STEP = 1234, 100


def bag(n_events: int, fraction: float, tree: int) -> IndexArray:
    """Return the events of the bag for a tree, in order, each as often as it was drawn."""
    random = TRandom3(_BAG_SEED + _BAG_STEP * tree)
    counts = poisson_counts(random, fraction, n_events)
    return np.repeat(np.arange(n_events), counts)


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
