"""Growing of a tree, or of a part of one, from the events of its first node down to the leaves.

The events of a node lie side by side.  When a node is divided, its events are copied to the other one of two sets of
arrays, those of the left daughter first, each in their order: so sums always run in the order of the list.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pytmva_bnn.fast.compiler import compiled
from pytmva_bnn.methods.bdt.training.kernels.scan_kernels import (
    fill_classification,
    fill_regression,
    ranges,
    set_grid,
    sums,
)
from pytmva_bnn.methods.bdt.training.kernels.search_kernels import best_cut, cumulate
from pytmva_bnn.methods.bdt.training.kernels.separation_kernels import index_of, variance

Array = Any
Events = tuple[Array, Array, Array, Array, Array]
"""Variables, weights, signal or not, targets, positions in the list."""
Scratch = tuple[Array, Array, Array, Array, Array, Array, Array]
"""Histograms, counts, cumulated sums, extremes, grid, numbers of bins."""

# columns of the table of whole numbers of nodes
VARIABLE, CUT_TYPE, NODE_TYPE, LEFT, RIGHT = range(5)
# columns of the table of real ones
CUT, RESPONSE, RMS, PURITY, N_SIGNAL, N_BACKGROUND, SEPARATION, GAIN, TOTAL = range(9)
N_INTEGERS, N_REALS = 5, 9

LEAST_GAIN = 2.220446049250313e-16
_ROUNDING = 4 * LEAST_GAIN
_TINY = 2.2e-308

# results of grow
DONE, NO_RANDOM_NUMBERS, NO_ROOM = 0, -1, -2


@compiled
def _mean_and_rms(n: float, t: float, t2: float) -> tuple[float, float]:
    if n == 0.0:
        return 0.0, 0.0
    a, b = t2 / n, t / n * t / n
    difference = a - b
    if abs(difference) < _ROUNDING * abs(a + b) or abs(difference) < _TINY:
        return t / n, 0.0
    return t / n, math.sqrt(difference) if difference > 0.0 else math.copysign(math.nan, -1.0)


@compiled
def new_node(
    integers: Array, reals: Array, node: int, s: float, b: float, t: float, t2: float, kind: int, regression: bool
) -> None:
    """Set what a node has of its sums alone; the rest says that it is a leaf without a cut."""
    integers[node, VARIABLE], integers[node, CUT_TYPE], integers[node, NODE_TYPE] = -1, 1, -99
    integers[node, LEFT], integers[node, RIGHT] = -1, -1
    signal, background = np.float32(s), np.float32(b)
    total = np.float32(signal + background)
    purity = np.float32(signal / total) if total > np.float32(0.0) else np.float32(0.5)
    reals[node, CUT], reals[node, RESPONSE], reals[node, RMS] = 0.0, -99.0, 0.0
    reals[node, PURITY], reals[node, N_SIGNAL], reals[node, N_BACKGROUND] = purity, signal, background
    reals[node, GAIN], reals[node, TOTAL] = 0.0, s + b
    if regression:
        reals[node, SEPARATION] = variance(s + b, t, t2) if s + b != 0.0 else 0.0
    else:
        reals[node, SEPARATION] = index_of(kind, s, b)


@compiled
def _describe(reals: Array, node: int, n: float, t: float, t2: float) -> None:
    reals[node, RESPONSE], reals[node, RMS] = _mean_and_rms(n, t, t2)
    reals[node, SEPARATION] = variance(n, t, t2) if n != 0.0 else 0.0


@compiled
def make_leaf(integers: Array, reals: Array, node: int, t: float, t2: float, limit: float, regression: bool) -> None:
    """Set what a leaf answers."""
    if regression:
        _describe(reals, node, reals[node, TOTAL], t, t2)
    else:
        integers[node, NODE_TYPE] = 1 if np.float64(np.float32(reals[node, PURITY])) > limit else -1


@compiled
def draw_subset(is_candidate: Array, uniforms: Array, position: int, size: int, poisson: bool) -> int:
    """Draw the variables that a node may cut on; return the position after the numbers used, -1 if they ran out."""
    n_variables = is_candidate.size
    if poisson:
        limit = math.exp(-np.float64(size))
        drawn, product = -1, 1.0
        while True:
            if position >= uniforms.size:
                return -1
            drawn += 1
            product *= uniforms[position]
            position += 1
            if product <= limit:
                break
        size = min(n_variables, max(1, drawn))
    size = min(size, n_variables)
    for v in range(n_variables):
        is_candidate[v] = False
    marked = 0
    while marked < size:
        if position >= uniforms.size:
            return -1
        v = int(uniforms[position] * n_variables)
        position += 1
        if not is_candidate[v]:
            is_candidate[v] = True
            marked += 1
    return position


@compiled
def search(
    scratch: Scratch,
    offset: Array,
    n_events: int,
    signal: float,
    background: float,
    kind: int,
    min_size: float,
    regression: bool,
) -> tuple[float, int, float, int, int]:
    """Return gain, variable, cut and its type of the best cut, and its number of bins, from filled histograms."""
    histogram, counts, cumulated, _, _, grid, n_bins = scratch
    best, best_variable, cut, best_type, best_bins = -1.0, -1, 0.0, 1, 0
    for v in range(n_bins.size):
        if n_bins[v] == 0:
            continue
        own = cumulated[offset[v] : offset[v] + n_bins[v]]
        cumulate(histogram, counts, offset[v], regression, own)
        gain, number, cut_type = best_cut(own, n_events, signal, background, kind, min_size, regression)
        if gain > best:
            best, best_variable, best_type, best_bins = gain, v, cut_type, n_bins[v]
            cut = grid[0, v] + (number + 1) * grid[2, v]
    return best, best_variable, cut, best_type, best_bins


@compiled
def note_cut(integers: Array, reals: Array, node: int, variable: int, cut: float, cut_type: int, gain: float) -> None:
    """Set the cut of a node, be it used or not."""
    integers[node, VARIABLE], integers[node, CUT_TYPE] = variable, cut_type
    reals[node, CUT], reals[node, GAIN] = np.float32(cut), gain


@compiled
def describe_inner(reals: Array, node: int, cumulated: Array, first_bins: int, best_bins: int) -> None:
    """Set response, rms and separation index of an inner node of a regression tree."""
    t = t2 = 0.0
    # TMVA: its sums are read from the histograms of variable 0, at the last bin of the best variable
    if first_bins > 0:
        at = min(best_bins, first_bins) - 1
        t, t2 = cumulated[at, 2], cumulated[at, 3]
    _describe(reals, node, reals[node, TOTAL], t, t2)


@compiled
def count_right(x: Array, first: int, last: int, variable: int, cut: np.float32, cut_type: int, sides: Array) -> int:
    """Note for each event whether it goes to the right, and return how many do."""
    n_right = 0
    wanted = cut_type == 1
    for e in range(first, last):
        to_right = (x[e, variable] >= cut) == wanted
        sides[e] = to_right
        n_right += to_right
    return n_right


@compiled
def divide(
    x: Array,
    w: Array,
    s: Array,
    t: Array,
    positions: Array,
    first: int,
    last: int,
    n_right: int,
    sides: Array,
    new_x: Array,
    new_w: Array,
    new_s: Array,
    new_t: Array,
    new_positions: Array,
    rows: bool,
    regression: bool,
) -> None:
    """Copy the events of a node, those on the left first; ``rows``: their variables too."""
    # unsigned numbers: signed ones are tested for being negative at every step
    n_variables, one = np.uint64(x.shape[1]), np.uint64(1)
    left, right = np.uint64(first), np.uint64(last - n_right)
    for e in range(np.uint64(first), np.uint64(last)):
        to_right = np.uint64(sides[e])
        place = right if to_right else left
        right += to_right
        left += one - to_right
        new_w[place], new_s[place], new_positions[place] = w[e], s[e], positions[e]
        if regression:
            new_t[place] = t[e]
        if rows:
            for v in range(n_variables):
                new_x[place, v] = x[e, v]


@compiled
def grow(
    root: Events,
    sets: Events,
    sides: Array,
    is_integer: Array,
    capacity: Array,
    offset: Array,
    scratch: Scratch,
    settings: tuple[int, int, int, float, float, bool],
    subset: tuple[int, bool],
    uniforms: Array,
    integers: Array,
    reals: Array,
    leaf: Array,
) -> tuple[int, int]:
    """Grow a tree; return DONE or what was missing, and the number of nodes.

    Nodes are made in TMVA's order, the right side first.  ``root`` are the events of the list, ``sets`` the two sets of
    arrays, that of a depth has its parity.  ``settings``: kind of separation, n_cuts, largest depth, least size, purity
    limit, regression tree or not.  ``subset``: size of random subsets of variables (0: all) and whether that is a
    Poisson mean.
    """
    kind, n_cuts, max_depth, min_size, limit, regression = settings
    size, poisson = subset
    n_variables = is_integer.size
    histogram, counts, cumulated, low, high, grid, n_bins = scratch
    is_candidate = np.ones(n_variables, dtype=np.bool_)
    # first and last event, depth, node above and side of nodes that are still to be made
    waiting = np.empty((integers.shape[0] + 2, 5), dtype=np.int64)
    waiting[0, 0], waiting[0, 1], waiting[0, 2], waiting[0, 3], waiting[0, 4] = 0, root[1].size, 0, -1, 0
    n_waiting, n_nodes, used = 1, 0, 0
    while n_waiting > 0:
        n_waiting -= 1
        first, last, depth = waiting[n_waiting, 0], waiting[n_waiting, 1], waiting[n_waiting, 2]
        mother, side = waiting[n_waiting, 3], waiting[n_waiting, 4]
        if n_nodes >= integers.shape[0]:
            return NO_ROOM, n_nodes
        x, w, s, t, positions = root
        if depth > 0:
            here = depth & 1
            x, w, s, t, positions = sets[0][here], sets[1][here], sets[2][here], sets[3][here], sets[4][here]
        node = n_nodes
        n_nodes += 1
        if mother >= 0:
            integers[mother, side] = node
        signal, background, sum_t, sum_t2 = sums(w, s, t, first, last, regression)
        new_node(integers, reals, node, signal, background, sum_t, sum_t2, kind, regression)
        total = signal + background
        divisible = total != 0.0 if regression else signal != 0.0 and background != 0.0
        is_leaf = True
        if last - first >= 2.0 * min_size and total >= 2.0 * min_size and depth < max_depth and divisible:
            if size > 0:
                used = draw_subset(is_candidate, uniforms, used, size, poisson)
                if used < 0:
                    return NO_RANDOM_NUMBERS, n_nodes
            ranges(x, first, last, low, high)
            set_grid(low, high, is_candidate, is_integer, n_cuts, grid, n_bins, capacity)
            histogram[:] = 0.0
            if regression:
                counts[:] = 0
                fill_regression(x, w, s, t, first, last, grid, n_bins, offset, histogram, counts)
            else:
                fill_classification(x, w, s, first, last, grid, n_bins, offset, histogram)
            gain, variable, cut, cut_type, best_bins = search(
                scratch, offset, last - first, signal, background, kind, min_size, regression
            )
            if variable >= 0:
                note_cut(integers, reals, node, variable, cut, cut_type, gain)
                if regression:
                    describe_inner(reals, node, cumulated, n_bins[0], best_bins)
            if variable >= 0 and gain >= LEAST_GAIN:
                n_right = count_right(x, first, last, variable, np.float32(cut), cut_type, sides)
                # TMVA: an error if all events go to one side, when rounding moves the cut to the end of the range
                if 0 < n_right < last - first:
                    is_leaf = False
                    boundary, other = last - n_right, (depth + 1) & 1
                    divide(
                        x, w, s, t, positions, first, last, n_right, sides, sets[0][other], sets[1][other],
                        sets[2][other], sets[3][other], sets[4][other], depth + 1 < max_depth, regression,
                    )  # fmt: skip
                    integers[node, NODE_TYPE] = 0
                    for place, begin, end, column in ((0, first, boundary, LEFT), (1, boundary, last, RIGHT)):
                        at = n_waiting + place
                        waiting[at, 0], waiting[at, 1], waiting[at, 2] = begin, end, depth + 1
                        waiting[at, 3], waiting[at, 4] = node, column
                    n_waiting += 2
        if is_leaf:
            make_leaf(integers, reals, node, sum_t, sum_t2, limit, regression)
            for e in range(first, last):
                leaf[positions[e]] = node
    return DONE, n_nodes


@compiled
def pre_order(integers: Array, n_nodes: int) -> tuple[Array, Array, Array]:
    """Return the nodes in pre-order, the place of each node in it, and the places of right daughters (0: none)."""
    n = integers.shape[0]
    order, number, right = np.empty(n_nodes, np.int32), np.zeros(n, np.int32), np.zeros(n_nodes, np.int32)
    waiting = np.empty(n_nodes + 1, dtype=np.int32)
    waiting[0] = 0
    n_waiting, place = 1, 0
    while n_waiting > 0:
        n_waiting -= 1
        node = waiting[n_waiting]
        order[place], number[node] = node, place
        place += 1
        if integers[node, LEFT] >= 0:
            waiting[n_waiting] = integers[node, RIGHT]
            waiting[n_waiting + 1] = integers[node, LEFT]
            n_waiting += 2
    for place in range(n_nodes):
        node = order[place]
        if integers[node, LEFT] >= 0:
            right[place] = number[integers[node, RIGHT]]
    return order, number, right
