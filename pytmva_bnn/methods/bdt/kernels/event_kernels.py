"""One event after the other: the descent of every tree, without a branch that the processor could guess wrongly.

All that a call needs is in four arrays, because handing an array to compiled code takes time.  ``plan`` are integers:
the sizes and places below, then the addresses of the variables, a 1 for each that is float64 rather than float32, and
the kinds of the transformations.  ``slots`` are variable and child of all slots, then root and depth of all trees.
``numbers`` are cut and value of all slots, then the event with its linear cuts behind it.  ``state`` are float64.
"""

from __future__ import annotations

import numpy as np

from pytmva_bnn._typing import Float32Array, FloatArray, IntArray
from pytmva_bnn.fast.compiler import compiled, load
from pytmva_bnn.methods.bdt.kernels.plan import UInt32Array
from pytmva_bnn.methods.bdt.kernels.response_kernels import finish
from pytmva_bnn.transform.event_kernels import transform_event

N_VARIABLES, N_SLOTS, N_TREES, N_GROUPS, N_FISHER, N_CUTS, KIND = range(7)
CONSTANT, WEIGHTS, COEFFICIENTS, CUTS, PARAMETERS, VALUES, WORK, SUMS, HEAD = range(7, 16)


@compiled
def evaluate(plan: IntArray, slots: UInt32Array, numbers: Float32Array, state: FloatArray) -> float:
    """Return the response to what the variables hold now; NaN if one is not finite or becomes NaN."""
    n, n_slots, n_trees, n_fisher = plan[N_VARIABLES], plan[N_SLOTS], plan[N_TREES], plan[N_FISHER]
    values, x = state[plan[VALUES] : plan[WORK]], numbers[2 * n_slots :]
    usable = True
    for j in range(n):
        values[j] = np.float32(load(plan[HEAD + j], plan[HEAD + n + j]))
        usable = usable and np.isfinite(values[j])
    transform_event(values, n, plan[HEAD + 2 * n :], state, plan[PARAMETERS], state[plan[WORK] : plan[SUMS]])
    for j in range(n):
        x[j] = np.float32(values[j])
        usable = usable and values[j] == values[j]
    if not usable:
        return np.nan
    answer = 0.0
    for first in range(plan[CUTS], plan[CUTS] + 4 * plan[N_CUTS], 4):
        z, cut = values[int(state[first])], state[first + 2]
        if z > cut if state[first + 1] != 0.0 else z < cut:
            answer = state[first + 3]
    if answer != 0.0:
        return answer
    if n_fisher > 0:
        fisher_passes(state, plan[COEFFICIENTS], n, n_fisher, x)
    variable, child = slots[:n_slots], slots[n_slots : 2 * n_slots]
    cut_of, value = numbers[:n_slots], numbers[n_slots : 2 * n_slots]
    roots, depths = slots[2 * n_slots : 2 * n_slots + n_trees], slots[2 * n_slots + n_trees :]
    weights, sums = state[plan[WEIGHTS] : plan[COEFFICIENTS]], state[plan[SUMS] :]
    for g in range(plan[N_GROUPS]):
        sums[g] = 0.0
    group = 0
    for tree in range(n_trees):
        at = roots[tree]
        for _ in range(depths[tree]):
            at = child[at] + np.uint32(x[variable[at]] >= cut_of[at])
        sums[group] += weights[tree] * np.float64(value[at])
        group = group + 1 if group + 1 < plan[N_GROUPS] else 0
    finish(plan[KIND], state[plan[CONSTANT]], sums)
    response: float = sums[0]
    return response


@compiled
def fisher_passes(state: FloatArray, first: int, n: int, n_fisher: int, x: Float32Array) -> None:
    """Put 1 behind the variables of the event for every linear cut that it passes, 0 for the others.

    From ``first`` on there are the coefficients, those of a variable side by side, then the cuts, then room for sums.
    """
    cuts = state[first + (n + 1) * n_fisher : first + (n + 2) * n_fisher]
    totals = state[first + (n + 2) * n_fisher : first + (n + 3) * n_fisher]
    offsets = state[first + n * n_fisher : first + (n + 1) * n_fisher]
    for k in range(n_fisher):
        totals[k] = offsets[k]
    for j in range(n):
        coefficients, value = state[first + j * n_fisher : first + (j + 1) * n_fisher], np.float64(x[j])
        for k in range(n_fisher):
            totals[k] += coefficients[k] * value
    for k in range(n_fisher):
        x[n + k] = 1.0 if totals[k] > cuts[k] else 0.0
