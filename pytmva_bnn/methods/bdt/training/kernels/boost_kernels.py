"""Boosting by compiled code: the passes over all events of a list, in its order.

``events`` has the numbers of the events of the list; it is empty if the list is the whole sample.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pytmva_bnn.fast.compiler import compiled
from pytmva_bnn.methods.bdt.training.sample import LEAST_BOOST

Array = Any

# what is done with the boost weight of an event of negative weight
AS_POSITIVE, INVERSE, LEAVE = 0, 1, 2


@compiled
def sums(
    w: Array, boost: Array, is_signal: Array, events: Array, leaf: Array, a: Array, c: Array
) -> tuple[float, float]:
    """Return the sum of weights, and that of weights times a times c, which depend on leaf and class."""
    total = part = 0.0
    for p in range(leaf.size):
        e = events[p] if events.size else p
        weight = w[e] * boost[e]
        kind = np.int64(is_signal[e])
        total += weight
        part += weight * a[leaf[p], kind] * c[leaf[p], kind]
    return total, part


@compiled
def update(
    w: Array,
    boost: Array,
    is_signal: Array,
    events: Array,
    leaf: Array,
    factors: Array,
    has_factor: Array,
    negative: int,
) -> float:
    """Multiply boost weights by factors of leaf and class; return the sum of weights that comes of it."""
    total = 0.0
    inverses = 1.0 / factors
    for p in range(leaf.size):
        e = events[p] if events.size else p
        kind = np.int64(is_signal[e])
        before, factor = boost[e], factors[leaf[p], kind]
        # chosen without branches, which a processor could not foresee
        grown = max(LEAST_BOOST, before) * factor
        otherwise = grown if negative == AS_POSITIVE else before
        otherwise = before * inverses[leaf[p], kind] if negative == INVERSE else otherwise
        after = grown if w[e] * before > 0.0 else otherwise
        after = after if has_factor[leaf[p], kind] else before
        boost[e] = after
        total += w[e] * after
    return total


@compiled
def scale(boost: Array, is_signal: Array, events: Array, n: int, of_signal: float, of_background: float) -> None:
    """Multiply boost weights by a factor of their class."""
    for p in range(n):
        e = events[p] if events.size else p
        boost[e] *= of_signal if is_signal[e] else of_background


@compiled
def newton_sums(t: Array, w: Array, boost: Array, events: Array, leaf: Array, s1: Array, s2: Array) -> None:
    """Add up first and second derivatives of the loss in every leaf."""
    for p in range(leaf.size):
        e = events[p] if events.size else p
        weight, target = w[e] * boost[e], np.float64(t[e])
        size = abs(target)
        s1[leaf[p]] += target * weight
        s2[leaf[p]] += size * (1.0 - size) * weight


@compiled
def two_class_residuals(
    f: Array, leaf: Array, response: Array, is_signal: Array, t: Array, first: int, last: int
) -> None:
    """Add the responses of the leaves, and set the residuals of the probability."""
    for e in range(first, last):
        f[e] += np.float64(response[leaf[e]])
        p = 1.0 / (1.0 + math.exp(-2.0 * f[e]))
        t[e] = np.float32(1.0 - p) if is_signal[e] else np.float32(-p)
