"""The order in which a sequence of swaps leaves a list, without a loop over the swaps."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import AnyIntArray


def apply_swaps(targets: AnyIntArray) -> AnyIntArray:
    """Return 0 .. n-1 after swapping, for i = 0 .. n-1 in turn, elements i and ``targets[i]`` <= i, all at once.

    Swap i, with target j, writes i to place j and moves what was there to place i.  What was there is

    * the last i' < i with the same target, if there is one;
    * else i itself if j = i;
    * else what swap j moved to place j.

    At the end a place holds the last i with this target, and where there is none what its own swap moved
    there.  The third case makes chains, which are followed for all swaps together; for random targets the
    longest is about log n.

    >>> apply_swaps(np.array([0, 0, 1]))
    array([1, 2, 0])
    """
    n = targets.size
    swap, last_of_target = _by_target(targets)
    moved = np.full(n, -1, dtype=np.intp)
    later = np.flatnonzero(~last_of_target[:-1]) + 1
    moved[swap[later]] = swap[later - 1]

    open_ = np.flatnonzero(moved < 0)
    source = targets[open_]
    itself = source == open_
    moved[open_[itself]] = open_[itself]
    open_, source = open_[~itself], source[~itself]
    while open_.size:
        found = moved[source]
        known = found >= 0
        moved[open_[known]] = found[known]
        open_, source = open_[~known], targets[source[~known]]

    final = swap[last_of_target]
    moved[targets[final]] = final
    return moved


def _by_target(targets: AnyIntArray) -> tuple[AnyIntArray, NDArray[np.bool_]]:
    """Return the swaps sorted by (target, number), and which are the last of their target."""
    n = targets.size
    # sorting one key is faster than a stable argsort
    key = targets.astype(np.uint64) << np.uint64(32)
    key |= np.arange(n, dtype=np.uint64)
    key.sort()
    swap = (key & np.uint64(2**32 - 1)).astype(np.intp)
    key >>= np.uint64(32)
    last = np.ones(n, dtype=np.bool_)
    np.not_equal(key[1:], key[:-1], out=last[:-1])
    return swap, last
