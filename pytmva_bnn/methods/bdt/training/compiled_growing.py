"""Growing of trees by compiled code: memory that is used again for every tree, random numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import BoolArray, Float32Array, FloatArray
from pytmva_bnn.fast.twins import compiled_pays
from pytmva_bnn.methods.bdt.training.event_list import EventList
from pytmva_bnn.methods.bdt.training.grown import GrownTree
from pytmva_bnn.methods.bdt.training.node_search import n_integer_bins
from pytmva_bnn.methods.bdt.training.randomness import tree_random
from pytmva_bnn.methods.bdt.training.sample import BoostSample
from pytmva_bnn.methods.bdt.training.separation import INDICES
from pytmva_bnn.methods.bdt.training.settings import TreeSettings
from pytmva_bnn.random.poisson import SMALL_MEAN

#: seconds that numpy takes for a number of an event at each depth, and for a node
_TO_SCAN, _FOR_NODE = 30e-9, 4e-4
_FIRST_UNIFORMS = 1024


def growing_pays(sample: BoostSample, settings: TreeSettings, n_trees: int) -> bool:
    """Tell whether trees are to be grown by compiled code.

    It knows neither linear cuts, nor the scan of all cuts, nor Poisson numbers of a large mean.
    """
    is_poisson = settings.random_variables and settings.poisson_variables
    if settings.fisher_cuts or settings.n_cuts <= 0 or (is_poisson and settings.n_random_variables >= SMALL_MEAN):
        return False
    n_events, n_variables = sample.inputs.shape
    depth = min(settings.max_depth, 6)
    return compiled_pays(n_trees * (n_events * n_variables * depth * _TO_SCAN + 2.0**depth * _FOR_NODE))


class CompiledGrowing:
    """Grows trees on lists of the events of a sample."""

    def __init__(self, sample: BoostSample, settings: TreeSettings, is_integer: BoolArray) -> None:
        self.sample = sample
        self.settings = settings
        self.is_integer = is_integer
        self.capacity = np.full(len(is_integer), settings.n_cuts + 1, dtype=np.int64)
        for variable in np.flatnonzero(is_integer):
            column = sample.inputs[:, variable]
            self.capacity[variable] = n_integer_bins(column.min(), column.max(), int(variable))
        self.offset = np.cumsum(np.r_[0, self.capacity])[:-1]
        self._room = 0

    def _make_room(self, n_events: int) -> None:
        """Get memory for so many events."""
        if n_events <= self._room:
            return
        n_variables, n_bins = len(self.is_integer), int(self.capacity.sum())
        regression = self.settings.is_regression
        self._sets = (
            np.empty((2, n_events, n_variables), dtype=np.float32),
            np.empty((2, n_events)),
            np.empty((2, n_events), dtype=np.uint8),
            np.empty((2, n_events if regression else 0), dtype=np.float32),
            np.empty((2, n_events), dtype=np.int32),
        )
        self._scratch = (
            np.empty(4 * n_bins),
            np.empty(n_bins if regression else 1, dtype=np.int64),
            np.empty((n_bins, 5)),
            np.empty(n_variables, dtype=np.float32),
            np.empty(n_variables, dtype=np.float32),
            np.empty((3, n_variables)),
            np.empty(n_variables, dtype=np.int64),
        )
        self._sides = np.empty(n_events, dtype=np.uint8)
        self._all = np.arange(n_events, dtype=np.int32)
        self._room = n_events

    def grow(self, events: EventList, is_signal: BoolArray, targets: Float32Array | None, tree: int) -> GrownTree:
        """Grow a tree; signal or not and targets are those of the sample, ``tree`` counts from 0."""
        from pytmva_bnn.methods.bdt.training.kernels import grow_kernels as kernels  # lazy: numba

        n_events = len(events)
        self._make_room(n_events)
        rows = np.ascontiguousarray(events.of(self.sample.inputs))
        t = np.empty(0, dtype=np.float32) if targets is None else events.of(targets)
        root = (rows, events.weights, events.of(is_signal).view(np.uint8), t, self._all[:n_events])
        settings = self.settings
        min_size = settings.node_percent / 100.0 * n_events
        leaf = np.zeros(n_events, dtype=np.int32)
        n_uniforms = _FIRST_UNIFORMS if settings.random_variables else 0
        room = _most_nodes(n_events, min_size, settings.max_depth)
        while True:
            uniforms = tree_random(tree).rndm(n_uniforms) if n_uniforms else np.empty(0)
            integers = np.full((room, kernels.N_INTEGERS), -1, dtype=np.int32)
            reals = np.empty((room, kernels.N_REALS))
            result, n_nodes = kernels.grow(
                root,
                self._sets,
                self._sides,
                self.is_integer,
                self.capacity,
                self.offset,
                self._scratch,
                (
                    INDICES.index(settings.separation),
                    settings.n_cuts,
                    settings.max_depth,
                    min_size,
                    settings.purity_limit,
                    settings.is_regression,
                ),
                (settings.n_random_variables if settings.random_variables else 0, settings.poisson_variables),
                uniforms,
                integers,
                reals,
                leaf,
            )
            if result == kernels.DONE:
                return _grown(integers[:n_nodes], reals[:n_nodes], leaf, len(self.is_integer))
            if result == kernels.NO_ROOM:
                room *= 4
            else:
                n_uniforms *= 4


def _grown(integers: NDArray[np.int32], reals: FloatArray, leaf: NDArray[np.int32], n_variables: int) -> GrownTree:
    """Return the tree in pre-order, from nodes in the order in which they were made."""
    from pytmva_bnn.methods.bdt.training.kernels import grow_kernels as kernels  # lazy: numba

    order, number, right = kernels.pre_order(integers, len(integers))
    arrays: dict[str, Any] = {
        name: integers[order, column]
        for name, column in (
            ("variable", kernels.VARIABLE),
            ("cut_type", kernels.CUT_TYPE),
            ("node_type", kernels.NODE_TYPE),
        )
    }
    for name, column in (
        ("cut", kernels.CUT),
        ("response", kernels.RESPONSE),
        ("rms", kernels.RMS),
        ("purity", kernels.PURITY),
        ("n_signal", kernels.N_SIGNAL),
        ("n_background", kernels.N_BACKGROUND),
        ("separation", kernels.SEPARATION),
    ):
        arrays[name] = reals[order, column].astype(np.float32)
    searched = integers[:, kernels.VARIABLE] >= 0
    gain, total = reals[searched, kernels.GAIN], reals[searched, kernels.TOTAL]
    importance = np.bincount(integers[searched, kernels.VARIABLE], gain * gain * total * total, n_variables)
    return GrownTree(**arrays, right=right, leaf=number[leaf], importance=importance.astype(np.float64))


def _most_nodes(n_events: int, min_size: float, max_depth: int) -> int:
    """Return how many nodes a tree hardly ever exceeds."""
    n_leaves = int(n_events / max(min_size, 1.0)) + 1
    return 2 * min(n_leaves, 1 << min(max_depth, 30)) + 1
