"""The trees from which rules are made: those of a BDT, with random least sizes of nodes and a boosting of its own."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from pytmva_bnn._typing import BoolArray, IndexArray
from pytmva_bnn.methods.bdt.training.compiled_growing import CompiledGrowing, growing_pays
from pytmva_bnn.methods.bdt.training.event_list import EventList
from pytmva_bnn.methods.bdt.training.grow import grow
from pytmva_bnn.methods.bdt.training.grown import GrownTree
from pytmva_bnn.methods.bdt.training.randomness import VariableSubsets
from pytmva_bnn.methods.bdt.training.sample import BoostSample
from pytmva_bnn.methods.bdt.training.settings import TreeSettings
from pytmva_bnn.methods.rulefit.training.settings import RuleFitSettings
from pytmva_bnn.random import RandomGenerator, TRandom3
from pytmva_bnn.reductions.summation import sequential_sum

log = logging.getLogger("pytmva_bnn.RuleFit")

N_CUTS = 20
TRIALS = 10
LARGEST_FACTOR = 1000.0
_NO_LIMIT = 100_000
_FEWEST_NODES = 3


def grow_forest(sample: BoostSample, settings: RuleFitSettings, is_integer: BoolArray) -> Iterator[GrownTree]:
    """Yield the trees; boost weights of the sample are 1 at the end."""
    random = TRandom3()
    n_random = int(np.sqrt(sample.inputs.shape[1]) + 0.6) if settings.random_forest else 0
    tree = TreeSettings(
        separation="giniindex",
        n_cuts=N_CUTS,
        max_depth=_NO_LIMIT,
        node_percent=0.0,
        purity_limit=0.5,
        fisher_cuts=False,
        min_correlation=0.0,
        exclusive_variables=False,
        random_variables=settings.random_forest,
        n_random_variables=n_random,
        poisson_variables=True,
    )
    growing = _Growing(sample, tree, is_integer, settings.n_trees)
    # TMVA: shuffles with another generator, so that its halves are others
    shuffled = RandomGenerator() if settings.random_forest else None
    for number in range(settings.n_trees):
        events = EventList(sample) if shuffled is None else EventList(sample, _half(shuffled, len(sample)))
        grown = None
        for _ in range(TRIALS):
            share = settings.events_min + (0.5 * settings.events_max - settings.events_min) * random.rndm()
            grown = growing.grow(events, number, float(np.float32(100.0 * share)))
            if len(grown) >= _FEWEST_NODES:
                break
        else:
            log.warning("tree %d has only a root node and is left out (fEventsMin, fEventsMax)", number)
            continue
        yield grown
        if shuffled is None:
            boost(sample, grown)
    sample.boost_weights = np.ones(len(sample))


class _Growing:
    """Grows trees of one sample with different least sizes of nodes."""

    def __init__(self, sample: BoostSample, tree: TreeSettings, is_integer: BoolArray, n_trees: int) -> None:
        self.tree = tree
        self.is_integer = is_integer
        compiled = growing_pays(sample, tree, n_trees)
        self.compiled = CompiledGrowing(sample, tree, is_integer) if compiled else None

    def grow(self, events: EventList, number: int, percent: float) -> GrownTree:
        tree = replace(self.tree, node_percent=percent)
        is_signal = events.sample.is_signal
        if self.compiled is not None:
            self.compiled.settings = tree
            return self.compiled.grow(events, is_signal, None, number)
        subsets = None
        if tree.random_variables:
            n_variables = events.sample.inputs.shape[1]
            subsets = VariableSubsets(number, n_variables, tree.n_random_variables, poisson=tree.poisson_variables)
        return grow(events.node_events(events.of(is_signal), None), tree, self.is_integer, subsets)


def boost(sample: BoostSample, grown: GrownTree) -> None:
    """Give the events that a tree puts on the wrong side a larger boost weight; the sum of all weights stays."""
    weights = sample.weights
    wrong = (grown.node_type[grown.leaf] == 1) != sample.is_signal
    before = float(sequential_sum(weights))
    error = float(sequential_sum(weights[wrong])) / before
    sample.boost_weights[wrong] *= (1.0 - error) / error if error > 0.0 else LARGEST_FACTOR
    after = float(sequential_sum(sample.weights))
    sample.boost_weights *= before / after


def _half(random: RandomGenerator, n: int) -> IndexArray:
    """Return the events of a tree of a random forest."""
    size = int(n * min(0.5, (100.0 + 6.0 * np.sqrt(n)) / n))
    return np.sort(random.shuffle(n)[:size])
