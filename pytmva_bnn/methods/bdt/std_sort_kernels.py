"""The compiled twin of :mod:`pytmva_bnn.methods.bdt.std_sort`."""

from __future__ import annotations

import numpy as np

from pytmva_bnn._typing import AnyFloatArray, IndexArray
from pytmva_bnn.fast.compiler import compiled

_SMALL = 16


@compiled
def introsort(keys: AnyFloatArray) -> IndexArray:
    """Return the order in which ``std::sort`` leaves elements with these keys."""
    n = keys.size
    order = np.arange(n)
    levels = 0
    while n >> (levels + 1) > 0:
        levels += 1
    waiting = np.empty((2 * levels + 8, 3), dtype=np.int64)
    waiting[0, 0], waiting[0, 1], waiting[0, 2] = 0, n, 2 * levels
    n_waiting = 1
    while n_waiting > 0:
        n_waiting -= 1
        first, last, depth = waiting[n_waiting, 0], waiting[n_waiting, 1], waiting[n_waiting, 2]
        while last - first > _SMALL:
            if depth == 0:
                _stable(keys, order, first, last)
                break
            depth -= 1
            middle = _partition(keys, order, first, last)
            waiting[n_waiting, 0], waiting[n_waiting, 1], waiting[n_waiting, 2] = middle, last, depth
            n_waiting += 1
            last = middle
    _insert(keys, order, 0, n)
    return order


@compiled
def _partition(keys: AnyFloatArray, order: IndexArray, first: int, last: int) -> int:
    a, b, c = first + 1, first + (last - first) // 2, last - 1
    x, y, z = keys[order[a]], keys[order[b]], keys[order[c]]
    on_left = b if y < z else (c if x < z else a)
    on_right = a if x < z else (c if y < z else b)
    chosen = on_left if x < y else on_right
    order[first], order[chosen] = order[chosen], order[first]
    pivot = keys[order[first]]
    i, j = first + 1, last
    while True:
        while keys[order[i]] < pivot:
            i += 1
        j -= 1
        while pivot < keys[order[j]]:
            j -= 1
        if i >= j:
            return i
        order[i], order[j] = order[j], order[i]
        i += 1


@compiled
def _stable(keys: AnyFloatArray, order: IndexArray, first: int, last: int) -> None:
    own = order[first:last].copy()
    order[first:last] = own[np.argsort(keys[own], kind="mergesort")]


@compiled
def _insert(keys: AnyFloatArray, order: IndexArray, first: int, last: int) -> None:
    for position in range(first + 1, last):
        element = order[position]
        key = keys[element]
        hole = position
        while hole > first and key < keys[order[hole - 1]]:
            order[hole] = order[hole - 1]
            hole -= 1
        order[hole] = element
