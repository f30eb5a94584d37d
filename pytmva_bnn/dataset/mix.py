"""The order of the classes' events in the final training and test sets."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pytmva_bnn._typing import AnyIntArray
from pytmva_bnn.dataset.settings import SplitMode
from pytmva_bnn.random import RandomGenerator


def mix(sizes: Sequence[int], mode: SplitMode, generator: RandomGenerator) -> AnyIntArray:
    """Return the order in which events, numbered class after class, stand in the final set.

    Only the mode Random uses the generator.

    >>> mix([2, 3], SplitMode.ALTERNATE, RandomGenerator(100)).tolist()
    [0, 2, 1, 3, 4]
    """
    if mode is SplitMode.RANDOM:
        return generator.order(sum(sizes))
    if mode is SplitMode.ALTERNATE:
        return alternate(sizes)
    return numbers(0, sum(sizes))


def alternate(sizes: Sequence[int]) -> AnyIntArray:
    """Return the order in which the classes take turns, the leftovers of the longer ones at the end.

    The events of class c are put behind each c events of the classes before it; those that find no full
    group of c come last.

    >>> alternate([3, 5, 2]).tolist()
    [0, 3, 8, 1, 4, 9, 2, 5, 6, 7]
    """
    order = numbers(0, 0)
    start = 0
    for c, size in enumerate(sizes):
        events = numbers(start, start + size)
        order = _put_between(order, events, every=c) if c else events
        start += size
    return order


def _put_between(order: AnyIntArray, events: AnyIntArray, every: int) -> AnyIntArray:
    n_groups = min(events.size, order.size // every)
    mixed = np.empty(order.size + events.size, dtype=order.dtype)
    groups = mixed[: n_groups * (every + 1)].reshape(n_groups, every + 1)
    groups[:, :every] = order[: n_groups * every].reshape(n_groups, every)
    groups[:, every] = events[:n_groups]
    left = order[n_groups * every :]
    mixed[groups.size : groups.size + left.size] = left
    mixed[groups.size + left.size :] = events[n_groups:]
    return mixed


def numbers(start: int, stop: int) -> AnyIntArray:
    """Return the integers from ``start`` to ``stop`` (excluded), of 32 bits if they fit.

    >>> numbers(2, 5)
    array([2, 3, 4], dtype=int32)
    """
    return np.arange(start, stop, dtype=np.int32 if stop < 2**31 else np.int64)
