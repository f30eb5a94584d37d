"""A pass of sequential minimal optimisation: the compiled twin of :mod:`pytmva_bnn.methods.svm.training.smo`.

The estimates are those of :mod:`pytmva_bnn.methods.svm.training.estimates`.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import Float32Array, FloatArray, IntArray
from pytmva_bnn.fast.compiler import compiled
from pytmva_bnn.methods.svm.kernels.constants import MARGIN, ROUNDING, SMALL
from pytmva_bnn.methods.svm.kernels.rows import TILE, CompiledKernel, Work, fill_row, new_work

LOW, UP = 0, 1
ZERO, TWO, EPSILON, FAR = np.float32(0), np.float32(2), np.float32(1e-8), np.float32(1e30)

Events: TypeAlias = tuple[Float32Array, Float32Array, CompiledKernel]
"""The variables by event and by variable, and the kernel."""
Sample: TypeAlias = tuple[Float32Array, Float32Array]
"""Flags and costs."""
State: TypeAlias = tuple[Float32Array, Float32Array, NDArray[np.int32], Float32Array, IntArray, FloatArray, FloatArray]
"""The arrays of Multipliers and Estimates."""


@compiled
def fill_matrix(start: int, stop: int, events: Events, matrix: Float32Array) -> None:
    """Put the kernels of events start .. stop-1 with all events into the matrix."""
    work = new_work(TILE)
    for i in range(start, stop):
        fill_whole_row(i, events, matrix[i], work)


@compiled
def fill_whole_row(i: int, events: Events, row: Float32Array, work: Work) -> None:
    """Put the kernels of an event with all into ``row``."""
    x, columns, kernel = events
    for first in range(0, len(x), TILE):
        n = min(TILE, len(x) - first)
        fill_row(x[i], columns, first, n, kernel, row[first : first + n], work)


@compiled
def row_of(i: int, events: Events, matrix: Float32Array, row: Float32Array, work: Work) -> Float32Array:
    """Return the kernels of an event with all, from the matrix if there is one."""
    if len(matrix) > 0:
        known: Float32Array = matrix[i]
        return known
    fill_whole_row(i, events, row, work)
    return row


@compiled
def summed(row: Float32Array, active: IntArray, sample: Sample, alpha: Float32Array) -> tuple[np.float32, float]:
    """Return the sum over the active events, in their order, and the bound of its path."""
    flags, total = sample[0], ZERO
    size, path = 1.0, 0.0
    for m in range(active.size):
        k = active[m]
        term = alpha[k] * flags[k] * row[k]
        total += term
        following = active[m + 1] if m + 1 < active.size else flags.size + 1
        size += abs(np.float64(term))
        path += abs(np.float64(total)) * (following - k)
    return total, size + path


@compiled
def move_estimates(
    first: int,
    last: int,
    d_first: float,
    d_last: float,
    row_first: Float32Array,
    row_last: Float32Array,
    sums: FloatArray,
    paths: FloatArray,
) -> None:
    """Follow the changes of two coefficients."""
    between, behind = float(last - first + 2), float(sums.size - last + 2)
    for k in range(sums.size):
        one = d_first * np.float64(row_first[k])
        both = one + d_last * np.float64(row_last[k])
        sums[k] += both
        paths[k] += between * abs(one) + behind * abs(both)


@compiled
def matters(j: int, sample: Sample, state: State, twice_tolerance: np.float32) -> bool:
    """Tell whether an event may change anything, or is free."""
    _, _, index, thresholds, _, sums, paths = state
    error, low, up = sums[j] - np.float64(sample[0][j]), np.float64(thresholds[LOW]), np.float64(thresholds[UP])
    margin = ROUNDING * paths[j] + SMALL + MARGIN * (abs(low) + abs(up) + abs(error))
    if index[j] > 0:
        lower = error - margin
        return not (lower > up and low - lower < twice_tolerance)
    if index[j] < 0:
        upper = error + margin
        return not (upper < low and upper - up < twice_tolerance)
    return True


@compiled
def limits(
    alpha_i: np.float32, alpha_j: np.float32, cost_i: np.float32, cost_j: np.float32, same_class: bool
) -> tuple[np.float32, np.float32]:
    """Return the range of α_j in which both multipliers stay between 0 and their costs."""
    if same_class:
        g = alpha_i + alpha_j
        if cost_i > cost_j:
            if g < cost_j:
                return ZERO, g
            return (ZERO if g < cost_i else g - cost_i), cost_j
        if g < cost_i:
            return ZERO, g
        return g - cost_i, (g if g < cost_j else cost_j)  # noqa: FURB136 - as TMVA has it
    g = alpha_i - alpha_j
    if g > ZERO:
        return ZERO, (cost_i - g if g >= cost_i - cost_j else cost_j)
    return -g, (cost_j if cost_i - cost_j >= g else cost_i - g)


@compiled
def step(
    i: int,
    j: int,
    free: IntArray,
    events: Events,
    sample: Sample,
    matrix: Float32Array,
    state: State,
    rows: Float32Array,
    work: Work,
) -> bool:
    """Optimise two multipliers, and tell whether they have changed; thresholds are moved by the caller."""
    if i == j:
        return False
    flags, costs = sample
    alpha, errors, index, _, _, sums, paths = state
    y_i, y_j = flags[i], flags[j]
    alpha_i, alpha_j, error_i, error_j = alpha[i], alpha[j], errors[i], errors[j]
    lowest, highest = limits(alpha_i, alpha_j, costs[i], costs[j], y_i == y_j)
    if lowest == highest:
        return False
    row_i, row_j = row_of(i, events, matrix, rows[0], work), row_of(j, events, matrix, rows[1], work)
    k_ii, k_ij, k_jj = row_i[i], row_i[j], row_j[j]
    eta = TWO * k_ij - k_ii - k_jj
    new_j = alpha_j
    if eta < ZERO:
        new_j = alpha_j + (y_j * (error_j - error_i)) / eta
        if new_j < lowest:
            new_j = lowest
        elif new_j > highest:
            new_j = highest
    else:
        p, q = eta / TWO, y_j * (error_i - error_j) - eta * alpha_j
        at_lowest, at_highest = p * lowest * lowest + q * lowest, p * highest * highest + q * highest
        if at_lowest > at_highest + EPSILON:
            new_j = lowest
        elif at_lowest < at_highest - EPSILON:
            new_j = highest
    if abs(new_j - alpha_j) < EPSILON * (new_j + alpha_j + EPSILON):
        return False
    s = y_i * y_j
    new_i = alpha_i - s * (new_j - alpha_j)
    if new_i < ZERO:
        new_j += s * new_i
        new_i = ZERO
    elif new_i > costs[i]:
        new_j += s * (new_i - costs[i])
        new_i = costs[i]
    d_i, d_j = y_i * (new_i - alpha_i), y_j * (new_j - alpha_j)
    for k in free:
        errors[k] += d_i * row_i[k] + d_j * row_j[k]
    change_i = np.float64(y_i) * (np.float64(new_i) - np.float64(alpha_i))
    change_j = np.float64(y_j) * (np.float64(new_j) - np.float64(alpha_j))
    if i < j:
        move_estimates(i, j, change_i, change_j, row_i, row_j, sums, paths)
    else:
        move_estimates(j, i, change_j, change_i, row_j, row_i, sums, paths)
    for k, new in ((i, new_i), (j, new_j)):
        alpha[k] = new
        if ZERO < new < costs[k]:
            index[k] = 0
        elif new == ZERO:
            index[k] = np.int32(flags[k])
        elif new == costs[k]:
            index[k] = -np.int32(flags[k])
    errors[i] = error_i + d_i * k_ii + d_j * k_ij
    errors[j] = error_j + d_i * k_ij + d_j * k_jj
    return True


@compiled
def move_thresholds(i: int, j: int, free: IntArray, state: State) -> None:
    """Find the extreme errors among free events and the two that have changed."""
    errors, thresholds, places = state[1], state[3], state[4]
    thresholds[LOW], thresholds[UP] = -FAR, FAR
    for k in free:
        if errors[k] > thresholds[LOW]:
            thresholds[LOW], places[LOW] = errors[k], k
        if errors[k] < thresholds[UP]:
            thresholds[UP], places[UP] = errors[k], k
    larger = max(errors[i], errors[j])
    if thresholds[LOW] < larger:
        k = i if errors[i] > thresholds[LOW] else j
        thresholds[LOW], places[LOW] = errors[k], k
    # TMVA: the larger of the two again, and the other threshold
    if thresholds[UP] > larger:
        k = i if errors[i] < thresholds[LOW] else j
        thresholds[UP], places[UP] = errors[k], k


@compiled
def update_list(listed: IntArray, n: int, k: int, belongs: bool) -> int:
    """Insert k into the ascending list of n numbers, or remove it; return its new length."""
    at = n
    while at > 0 and listed[at - 1] >= k:
        at -= 1
    is_there = at < n and listed[at] == k
    if belongs and not is_there:
        for m in range(n, at, -1):
            listed[m] = listed[m - 1]
        listed[at] = k
        return n + 1
    if is_there and not belongs:
        for m in range(at, n - 1):
            listed[m] = listed[m + 1]
        return n - 1
    return n


@compiled
def sweep(
    everything: bool,
    events: Events,
    sample: Sample,
    matrix: Float32Array,
    state: State,
    twice_tolerance: np.float32,
) -> int:
    """Examine all events, or those with a multiplier, and return how many multipliers could be changed."""
    flags = sample[0]
    alpha, errors, index, thresholds, places, _, paths = state
    n = flags.size
    free, active = np.empty(n + 1, np.int64), np.empty(n + 1, np.int64)
    n_free = n_active = 0
    for k in range(n):
        free[n_free] = k
        n_free += index[k] == 0
        active[n_active] = k
        n_active += alpha[k] > ZERO
    rows, work = np.empty((2, n if len(matrix) == 0 else 0), np.float32), new_work(TILE)
    n_changed = 0
    for j in range(n):
        if not everything and not alpha[j] > ZERO:
            continue
        if matters(j, sample, state, twice_tolerance):
            if index[j] != 0:
                total, paths[j] = summed(row_of(j, events, matrix, rows[1], work), active[:n_active], sample, alpha)
                errors[j] = total - flags[j]
                if index[j] == 1 and errors[j] < thresholds[UP]:
                    thresholds[UP], places[UP] = errors[j], j
                elif index[j] == -1 and errors[j] > thresholds[LOW]:
                    thresholds[LOW], places[LOW] = errors[j], j
            above, below = thresholds[LOW] - errors[j], errors[j] - thresholds[UP]
            partner = -1
            if index[j] >= 0 and above > twice_tolerance:
                partner = LOW
            if index[j] <= 0 and below > twice_tolerance:
                partner = UP
            if partner >= 0 and index[j] == 0:
                partner = LOW if above > below else UP
            i = places[partner] if partner >= 0 else j
            if step(i, j, free[:n_free], events, sample, matrix, state, rows, work):
                n_changed += 1
                for k in (i, j):
                    n_free = update_list(free, n_free, k, index[k] == 0)
                    n_active = update_list(active, n_active, k, alpha[k] > ZERO)
                move_thresholds(i, j, free[:n_free], state)
        if not everything and thresholds[UP] > thresholds[LOW] - twice_tolerance:
            return 0
    return n_changed
