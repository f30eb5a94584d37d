"""Growing of trees by compiled code: memory that is used again for every tree, threads, random numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import BoolArray, Float32Array, FloatArray
from pytmva_bnn.fast.threads import in_two, n_threads
from pytmva_bnn.fast.twins import compiled_pays
from pytmva_bnn.methods.bdt.training.event_list import EventList
from pytmva_bnn.methods.bdt.training.grown import GrownTree
from pytmva_bnn.methods.bdt.training.node_search import n_integer_bins
from pytmva_bnn.methods.bdt.training.randomness import tree_random
from pytmva_bnn.methods.bdt.training.sample import BoostSample
from pytmva_bnn.methods.bdt.training.separation import INDICES
from pytmva_bnn.methods.bdt.training.settings import TreeSettings

#: seconds that numpy takes for a number of an event at each depth, and for a node
_TO_SCAN, _FOR_NODE = 30e-9, 4e-4
_FIRST_UNIFORMS = 1024
#: numbers of all events of a list from which on two threads share a tree
_FOR_THREADS = 100_000


def growing_pays(sample: BoostSample, settings: TreeSettings, n_trees: int) -> bool:
    """Tell whether trees are to be grown by compiled code, which knows neither linear cuts nor the scan of all cuts."""
    if settings.fisher_cuts or settings.n_cuts <= 0:
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
        n_variables = len(self.is_integer)
        n_targets = n_events if self.settings.is_regression else 0
        self._x = np.empty((2, n_events, n_variables), dtype=np.float32)
        self._w = np.empty((2, n_events))
        self._s = np.empty((2, n_events), dtype=np.uint8)
        self._t = np.empty((2, n_targets), dtype=np.float32)
        self._positions = np.empty((2, n_events), dtype=np.int32)
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
            table = _Table(room, n_uniforms and tree_random(tree).rndm(n_uniforms), leaf)
            result = self._grow_in_threads(root, min_size, table) if self._threads_pay(n_events) else None
            if result is None:
                result, table.n_nodes = self._below(root, (0, n_events, 0, 0), min_size, table, room)
            if result == kernels.DONE:
                return table.grown(len(self.is_integer))
            if result == kernels.NO_ROOM:
                room *= 4
            else:
                n_uniforms *= 4

    def _threads_pay(self, n_events: int) -> bool:
        """Tell whether two threads share a tree; the random numbers of a randomised one have to come in turn."""
        big = n_events * len(self.is_integer) >= _FOR_THREADS
        return big and not self.settings.random_variables and self.settings.max_depth > 1 and n_threads() > 1

    def _below(
        self, node: _Node, start: tuple[int, int, int, int], min_size: float, table: _Table, end: int
    ) -> tuple[int, int]:
        """Grow the part of a tree below a node, into the table up to row ``end``."""
        from pytmva_bnn.methods.bdt.training.kernels import grow_kernels as kernels  # lazy: numba

        settings = self.settings
        result: tuple[int, int] = kernels.grow(
            *node,
            start,
            self._x,
            self._w,
            self._s,
            self._t,
            self._positions,
            self._sides,
            self.is_integer,
            self.capacity,
            self.offset,
            (
                INDICES.index(settings.separation),
                settings.n_cuts,
                settings.max_depth,
                min_size,
                settings.purity_limit,
                settings.is_regression,
            ),
            (settings.n_random_variables if settings.random_variables else 0, settings.poisson_variables),
            table.uniforms,
            table.integers[:end],
            table.reals[:end],
            table.leaf,
        )
        return result

    def _grow_in_threads(self, root: _Node, min_size: float, table: _Table) -> int | None:
        """Grow a tree in two threads: each searches half of the variables at the root, and takes one side below it.

        None if the root is not to be divided.
        """
        from pytmva_bnn.methods.bdt.training.kernels import grow_kernels as kernels  # lazy: numba
        from pytmva_bnn.methods.bdt.training.kernels.scan_kernels import sums

        settings, n_events, room = self.settings, len(root[0]), table.room
        regression, kind = settings.is_regression, INDICES.index(settings.separation)
        signal, background, t, t2 = sums(root[1], root[2], root[3], 0, n_events, regression)
        total = signal + background
        divisible = total != 0.0 if regression else signal != 0.0 and background != 0.0
        if not (n_events >= 2.0 * min_size and total >= 2.0 * min_size and divisible):
            return None
        n_variables = len(self.is_integer)
        cumulated = np.empty((int(self.capacity.sum()), 5))
        first_bins = np.zeros(1, dtype=np.int64)
        half = -(-n_variables // 2)

        def search(variables: tuple[int, int]) -> tuple[float, int, float, int, int]:
            found: tuple[float, int, float, int, int] = kernels.search_root(
                *root[:4],
                variables,
                self.is_integer,
                self.capacity,
                self.offset,
                cumulated,
                first_bins,
                (signal, background),
                (kind, settings.n_cuts, min_size, regression),
            )
            return found

        best, other = in_two(lambda: search((0, half)), lambda: search((half, n_variables)))
        gain, variable, cut, cut_type, bins = other if other[0] > best[0] else best
        if variable < 0 or not gain >= kernels.LEAST_GAIN:
            return None
        n_right = kernels.count_right(root[0], 0, n_events, variable, np.float32(cut), cut_type, self._sides)
        if not 0 < n_right < n_events:
            return None
        integers, reals = table.integers, table.reals
        kernels.new_node(integers, reals, 0, signal, background, t, t2, kind, regression)
        kernels.note_cut(integers, reals, 0, variable, cut, cut_type, gain)
        if regression:
            kernels.describe_inner(reals, 0, cumulated, first_bins[0], bins)
        integers[0, kernels.NODE_TYPE] = 0
        integers[0, kernels.RIGHT], integers[0, kernels.LEFT] = 1, 1 + room
        below = (self._x[1], self._w[1], self._s[1], self._t[1], self._positions[1])
        kernels.divide(*root, 0, n_events, n_right, self._sides, *below, settings.max_depth > 1, regression)
        middle = n_events - n_right
        on_right, on_left = in_two(
            lambda: self._below(below, (middle, n_events, 1, 1), min_size, table, 1 + room),
            lambda: self._below(below, (0, middle, 1, 1 + room), min_size, table, 1 + 2 * room),
        )
        table.n_nodes = on_right[1] + on_left[1] - (1 + room)
        return min(on_right[0], on_left[0])


_Node = tuple[Float32Array, FloatArray, NDArray[np.uint8], Float32Array, NDArray[np.int32]]
"""Variables, weights, signal or not, targets and positions in the list, of the events of a node and others."""


class _Table:
    """The nodes of a tree in the order in which they are made: the right side before the left one.

    The left side below the root may stand in a part of its own, with unused rows in between.
    """

    def __init__(self, room: int, uniforms: FloatArray | int, leaf: NDArray[np.int32]) -> None:
        from pytmva_bnn.methods.bdt.training.kernels import grow_kernels as kernels  # lazy: numba

        self.room = room
        self.uniforms = uniforms if isinstance(uniforms, np.ndarray) else np.empty(0)
        self.integers = np.full((1 + 2 * room, kernels.N_INTEGERS), -1, dtype=np.int32)
        self.reals = np.empty((1 + 2 * room, kernels.N_REALS))
        self.leaf = leaf
        self.n_nodes = 0

    def grown(self, n_variables: int) -> GrownTree:
        """Return the tree in pre-order."""
        from pytmva_bnn.methods.bdt.training.kernels import grow_kernels as kernels  # lazy: numba

        integers, reals = self.integers, self.reals
        order, number, right = kernels.pre_order(integers, self.n_nodes)
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
        return GrownTree(**arrays, right=right, leaf=number[self.leaf], importance=importance.astype(np.float64))


def _most_nodes(n_events: int, min_size: float, max_depth: int) -> int:
    """Return how many nodes a tree hardly ever exceeds."""
    n_leaves = int(n_events / max(min_size, 1.0)) + 1
    return 2 * min(n_leaves, 1 << min(max_depth, 30)) + 1
