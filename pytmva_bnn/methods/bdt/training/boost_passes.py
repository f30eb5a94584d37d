"""Passes over the events of a list that boost their weights: by numpy, or by compiled code with the same bits."""

from __future__ import annotations

from typing import Literal

import numpy as np

from pytmva_bnn._typing import BoolArray, FloatArray, IndexArray
from pytmva_bnn.methods.bdt.training.event_list import EventList
from pytmva_bnn.methods.bdt.training.grown import GrownTree
from pytmva_bnn.methods.bdt.training.sample import LEAST_BOOST
from pytmva_bnn.reductions.summation import sequential_sum

Negative = Literal["as positive", "inverse", "leave"]
"""What is done with the boost weight of an event of negative weight."""

_NEGATIVE: tuple[Negative, ...] = ("as positive", "inverse", "leave")


def leaf_sums(tree: GrownTree, events: EventList, a: FloatArray, c: FloatArray) -> tuple[float, float]:
    """Return the sum of weights, and that of weights times ``a`` times ``c``; both are ``(n_nodes, 2)``.

    Column 1 is for signal.
    """
    if events.compiled:
        from pytmva_bnn.methods.bdt.training.kernels import boost_kernels as kernels  # lazy: numba

        sample = events.sample
        return kernels.sums(
            sample.event_weights, sample.boost_weights, sample.is_signal, events.numbers, tree.leaf, a, c
        )
    weights = events.weights
    kind = events.is_signal.astype(np.intp)
    terms = weights * a[tree.leaf, kind] * c[tree.leaf, kind]
    return float(sequential_sum(weights)), float(sequential_sum(terms))


def multiply(
    tree: GrownTree, events: EventList, factors: FloatArray, has_factor: BoolArray, negative: Negative
) -> float:
    """Multiply boost weights by ``factors`` ``(n_nodes, 2)`` where there is one; return the sum of weights then."""
    if events.compiled:
        from pytmva_bnn.methods.bdt.training.kernels import boost_kernels as kernels  # lazy: numba

        sample = events.sample
        return kernels.update(
            sample.event_weights,
            sample.boost_weights,
            sample.is_signal,
            events.numbers,
            tree.leaf,
            factors,
            has_factor,
            _NEGATIVE.index(negative),
        )
    kind = events.is_signal.astype(np.intp)
    own_factors, own_has = factors[tree.leaf, kind], has_factor[tree.leaf, kind]

    def boosted(boost: FloatArray, weight: FloatArray, positions: IndexArray | slice) -> FloatArray:
        factor = own_factors[positions]
        grown = np.maximum(LEAST_BOOST, boost) * factor
        others = {"as positive": grown, "inverse": boost * (1.0 / factor), "leave": boost}[negative]
        return np.where(own_has[positions], np.where(weight > 0.0, grown, others), boost)

    return events.rescale(boosted)


def scale(events: EventList, of_signal: float, of_background: float) -> None:
    """Multiply boost weights by a factor of their class."""
    if events.compiled:
        from pytmva_bnn.methods.bdt.training.kernels import boost_kernels as kernels  # lazy: numba

        sample = events.sample
        kernels.scale(sample.boost_weights, sample.is_signal, events.numbers, len(events), of_signal, of_background)
        return
    factors = np.where(events.is_signal, of_signal, of_background)
    events.rescale(lambda boost, _w, positions: boost * factors[positions])
