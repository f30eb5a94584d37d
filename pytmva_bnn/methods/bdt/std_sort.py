"""``std::sort`` of libstdc++ as far as it can be seen: in which order it leaves equal keys."""

from __future__ import annotations

import numpy as np

from pytmva_bnn._typing import AnyFloatArray, IndexArray
from pytmva_bnn.fast.twins import compiled_pays

#: seconds that Python takes for an element
_TO_SORT = 5e-6
_SMALL = 16  # ranges up to this length are left to the insertion sort


def sorted_order(keys: AnyFloatArray) -> IndexArray:
    """Return the order in which ``std::sort`` leaves elements with these keys."""
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    if not (ordered[1:] == ordered[:-1]).any():
        return order  # without ties every sort is the same
    if compiled_pays(len(keys) * _TO_SORT):
        from pytmva_bnn.methods.bdt.std_sort_kernels import introsort  # lazy: numba

        return introsort(keys)
    return np.array(_introsort(keys.tolist()), dtype=np.intp)


def _introsort(keys: list[float]) -> list[int]:
    order = list(range(len(keys)))
    waiting = [(0, len(keys), 2 * (len(keys).bit_length() - 1))]
    while waiting:
        first, last, depth = waiting.pop()
        while last - first > _SMALL:
            if depth == 0:  # libstdc++ takes a heap sort here, which practically never happens
                order[first:last] = sorted(order[first:last], key=keys.__getitem__)
                break
            depth -= 1
            middle = _partition(keys, order, first, last)
            waiting.append((middle, last, depth))
            last = middle
    _insertion_sort(keys, order)
    return order


def _partition(keys: list[float], order: list[int], first: int, last: int) -> int:
    a, b, c = first + 1, first + (last - first) // 2, last - 1
    x, y, z = keys[order[a]], keys[order[b]], keys[order[c]]
    on_left = b if y < z else c if x < z else a
    on_right = a if x < z else c if y < z else b
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


def _insertion_sort(keys: list[float], order: list[int]) -> None:
    for position in range(1, len(order)):
        element = order[position]
        key = keys[element]
        hole = position
        while hole > 0 and key < keys[order[hole - 1]]:
            order[hole] = order[hole - 1]
            hole -= 1
        order[hole] = element
