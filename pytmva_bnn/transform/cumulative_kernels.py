"""Compiled twins of the loops that fit G and U, for all sets of events (each class, and all) in one go.

The values of an input are sorted once, as numbers of 64 bits that hold the value and the event.  Going through them in
this order, the edges of the bins of all sets are found together.  The bins are then filled in the order of events,
because sums in float32 depend on it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.fast.compiler import compiled

FIRST_WIDTH = np.float32(1e-4)
BLOCK = 1024
"""Events whose values and weights are fetched together."""
_NOTHING = np.float32(0)
_EVENT = np.uint64(2**32 - 1)
_SIGN, _ALL_BITS, _HALF = np.uint32(2**31), np.uint32(2**32 - 1), np.uint64(32)


@compiled
def make_keys(values: NDArray[np.float32], keys: NDArray[np.uint64]) -> None:
    """Write what :func:`pytmva_bnn.transform.sorting.sorting_keys` returns to ``keys`` (n_events,)."""
    bits = values.view(np.uint32)
    for event in range(values.size):
        # -0 sorts as +0
        pattern = bits[event] if values[event] != 0 else np.uint32(0)
        pattern ^= _ALL_BITS if pattern & _SIGN else _SIGN
        keys[event] = np.uint64(pattern) << _HALF | np.uint64(event)


@compiled
def sums_and_minima(
    weights: NDArray[np.float32], classes: NDArray[np.int32], sums: NDArray[np.float32], minima: NDArray[np.float32]
) -> None:
    """Add the weights up and find the smallest, (n_sets,) for each class and, last, for all events."""
    last = sums.size - 1
    total, least = sums[last], minima[last]
    for event in range(weights.size):
        w = weights[event]
        total += w
        least = min(least, w)
        if last > 0:
            c = classes[event]
            sums[c] += w
            minima[c] = min(minima[c], w)
    sums[last], minima[last] = total, least


@compiled
def find_bins(
    keys: NDArray[np.uint64],
    values: NDArray[np.float32],
    weights: NDArray[np.float32],
    classes: NDArray[np.int32],
    aims: NDArray[np.float32],
    edges: NDArray[np.float32],
    n_edges: NDArray[np.int64],
    bins: NDArray[np.int32],
) -> None:
    """Find bins with a sum of weights of at least ``aims`` (n_sets,), and the bins of all events.

    ``keys`` are sorted; values, weights and classes are in the order of events.  Writes ``edges`` (n_sets, n_events+3),
    their numbers ``n_edges`` (n_sets,), and to ``bins`` (n_events, 2) the bin in the set of all events and in that of
    the event's class.
    """
    all_ = aims.size - 1
    total = np.zeros(aims.size, np.float32)
    lowest, last = np.empty(aims.size, np.float32), np.empty(aims.size, np.float32)  # edges so far
    n_edges[:] = 0
    v, w, c = np.empty(BLOCK, np.float32), np.empty(BLOCK, np.float32), np.empty(BLOCK, np.int32)
    found = np.zeros((BLOCK, 2), np.int32)
    for start in range(0, keys.size, BLOCK):
        n = min(BLOCK, keys.size - start)
        # fetched before and stored after, so that the processor can wait for many of them at a time
        for i in range(n):
            event = np.int64(keys[start + i] & _EVENT)
            w[i] = weights[event]
            c[i] = classes[event]
        _values_of(keys[start : start + n], values, v)
        for i in range(n):
            for turn in range(2 if all_ > 0 else 1):
                k = c[i] if turn else all_
                if n_edges[k] == 0:
                    lowest[k], last[k] = v[i] - FIRST_WIDTH, v[i]
                    edges[k, 0], edges[k, 1] = lowest[k], last[k]
                    n_edges[k] = 2
                total[k] += w[i]
                if total[k] >= aims[k] and v[i] > last[k]:
                    edges[k, n_edges[k]] = last[k] = v[i]
                    n_edges[k] += 1
                    total[k] = _NOTHING
                    # equal values before are in the new bin, too
                    j = i - 1
                    while j >= 0 and v[j] == v[i]:
                        if not turn or c[j] == k:
                            found[j, turn] = n_edges[k]
                        j -= 1
                    if j < 0:
                        _set_bins(keys[:start], values, classes, v[i], k if turn else -1, n_edges[k], bins)
                # a value belongs to the first of equal edges: only the first two can be equal
                found[i, turn] = n_edges[k] if v[i] != lowest[k] else 1
        for i in range(n):
            event = np.int64(keys[start + i] & _EVENT)
            bins[event, 0], bins[event, 1] = found[i, 0], found[i, 1]
    for k in range(aims.size):
        end = last[k]
        if total[k] != 0:
            end = _largest(keys, values, classes, -1 if k == all_ else k)
            edges[k, n_edges[k]] = end
            n_edges[k] += 1
        # TMVA: what is at the last edge is in the overflow
        _set_bins(keys, values, classes, end, -1 if k == all_ else k, n_edges[k], bins)


@compiled
def _values_of(keys: NDArray[np.uint64], values: NDArray[np.float32], found: NDArray[np.float32]) -> None:
    """Write the values that sorted keys stand for to ``found``."""
    bits = found.view(np.uint32)
    for i in range(keys.size):
        pattern = np.uint32(keys[i] >> _HALF)
        bits[i] = pattern ^ (_SIGN if pattern & _SIGN else _ALL_BITS)
    for i in range(keys.size):
        if found[i] == 0:  # it may be -0, which the key does not tell
            found[i] = values[np.int64(keys[i] & _EVENT)]


@compiled
def _set_bins(
    keys: NDArray[np.uint64],
    values: NDArray[np.float32],
    classes: NDArray[np.int32],
    value: float,
    class_: int,
    number: int,
    bins: NDArray[np.int32],
) -> None:
    """Set the bin of the last events that have a value, in a class or (-1) in all."""
    for i in range(keys.size - 1, -1, -1):
        event = np.int64(keys[i] & _EVENT)
        if class_ < 0 or classes[event] == class_:
            if values[event] < value:
                break
            bins[event, 0 if class_ < 0 else 1] = number


@compiled
def _largest(
    keys: NDArray[np.uint64], values: NDArray[np.float32], classes: NDArray[np.int32], class_: int
) -> np.float32:
    """Return the largest value of a class or (-1) of all."""
    for i in range(keys.size - 1, -1, -1):
        event = np.int64(keys[i] & _EVENT)
        if class_ < 0 or classes[event] == class_:
            return np.float32(values[event])
    return _NOTHING


@compiled
def fill(
    bins: NDArray[np.int32],
    weights: NDArray[np.float32],
    classes: NDArray[np.int32],
    contents: NDArray[np.float32],
) -> None:
    """Add the weights to ``contents`` (n_sets, n_bins+2), one by one in the order of events."""
    all_ = contents.shape[0] - 1
    for event in range(weights.size):
        contents[all_, bins[event, 0]] += weights[event]
        if all_ > 0:
            contents[classes[event], bins[event, 1]] += weights[event]
