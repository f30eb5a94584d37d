"""The order of the classes' events in the final training and test sets."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.dataset.settings import SplitMode
from pytmva_bnn.random import RandomGenerator

Indices = NDArray[np.intp]


def mix(sizes: Sequence[int], mode: SplitMode, generator: RandomGenerator) -> Indices:
    """Return the order in which events, numbered class after class, stand in the final set.

    Only the mode Random uses the generator.

    >>> mix([2, 3], SplitMode.ALTERNATE, RandomGenerator(100))
    array([0, 2, 1, 3, 4])
    """
    if mode is SplitMode.RANDOM:
        return generator.shuffle(sum(sizes))
    if mode is SplitMode.ALTERNATE:
        return alternate(sizes)
    return np.arange(sum(sizes))


def alternate(sizes: Sequence[int]) -> Indices:
    """Return the order in which the classes take turns, the leftovers of the longer ones at the end.

    The events of class c are put behind each c events of the classes before it; those that find no full
    group of c come last.

    >>> alternate([3, 5, 2])
    array([0, 3, 8, 1, 4, 9, 2, 5, 6, 7])
    """
    order = np.arange(0)
    start = 0
    for c, size in enumerate(sizes):
        events = np.arange(start, start + size)
        order = _put_between(order, events, every=c) if c else events
        start += size
    return order


def _put_between(order: Indices, events: Indices, every: int) -> Indices:
    n_between = min(events.size, order.size // every)
    places = (every + 1) * np.arange(1, n_between + 1) - 1
    mixed = np.empty(order.size + events.size, dtype=np.intp)
    old = np.ones(mixed.size, dtype=np.bool_)
    old[places] = False
    old[order.size + n_between :] = False
    mixed[old] = order
    mixed[~old] = events
    return mixed
