"""Array branches: which elements an entry has, and sums over them.  Pure functions of numpy arrays.

An entry has *instances*: the elements of the arrays in an expression, counted from 0.  An expression is
always evaluated on pairs of an entry and an instance.

>>> pairs_of(np.array([2, 0, 1])).instances.tolist()
[0, 1, 0]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from pytmva_bnn._typing import BoolArray, IntArray

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytmva_bnn._typing import FloatArray
    from pytmva_bnn.formula.columns import Column


@dataclass(frozen=True, slots=True)
class Pairs:
    """The entries and instances to evaluate an expression on.

    ``entries`` are the numbers of the entries, or a range of them as a slice; ``instances`` has one
    instance number for each, or is 0 for all; ``lengths`` is what ``Length$`` is for each.
    """

    entries: slice | IntArray
    instances: IntArray | int
    lengths: IntArray | int
    size: int


@dataclass(frozen=True, slots=True)
class Shape:
    """How many instances an expression has in each entry (TTreeFormula's Ndata).

    ``lengths`` is the smallest length of the arrays in it, None if there is none; ``missing`` marks
    entries that lack an element the expression asks for, None if no entry does.
    """

    lengths: IntArray | None = None
    missing: BoolArray | None = None

    def joined(self, other: Shape) -> Shape:
        """Return the shape of an expression made of two others."""
        return Shape(
            _join(np.minimum, self.lengths, other.lengths),
            _join(np.logical_or, self.missing, other.missing),
        )

    def counts(self, n_events: int) -> IntArray:
        """Return the number of instances of each entry, ``(n_events,)``."""
        lengths = np.ones(n_events, dtype=np.int64) if self.lengths is None else self.lengths
        return lengths if self.missing is None else np.where(self.missing, 0, lengths)


SCALAR = Shape()


def _join(function: Any, a: Any, b: Any) -> Any:
    if a is None or b is None:
        return b if a is None else a
    return function(a, b)


def pairs_of(counts: IntArray) -> Pairs:
    """Return all instances of all entries, given how many each entry has."""
    n_events = len(counts)
    starts = np.cumsum(counts) - counts
    entries = np.repeat(np.arange(n_events, dtype=np.int64), counts)
    instances = np.arange(len(entries), dtype=np.int64) - np.repeat(starts, counts)
    return Pairs(entries, instances, np.repeat(counts, counts), len(entries))


def numbers_of(entries: slice | IntArray) -> IntArray:
    """Return the entry numbers that ``entries`` stands for."""
    if isinstance(entries, slice):
        return np.arange(entries.start, entries.stop, dtype=np.int64)
    return entries


@dataclass(frozen=True, slots=True)
class Place:
    """A way into a column: lists or values ``first`` to ``last`` (excluded) for each pair, if ``valid``."""

    first: IntArray
    last: IntArray
    valid: BoolArray


def open_dimension(indices: Sequence[Any], dimensions: int) -> int | None:
    """Return the first dimension that is not indexed, None if all are."""
    for dimension in range(dimensions):
        if dimension >= len(indices) or indices[dimension] is None:
            return dimension
    return None


def descend(column: Column, entries: IntArray, indices: Sequence[IntArray | int]) -> Place:
    """Follow ``indices`` from the entries down, one dimension each.

    A scalar has one element, and so has an element that is indexed again: only index 0 is valid there.
    """
    first = entries
    valid = np.ones(len(entries), dtype=np.bool_)
    for dimension, index in enumerate(indices):
        if dimension >= len(column.offsets):
            valid &= np.equal(index, 0)
            continue
        begin, end = _limits(column, dimension, first, valid)
        valid &= np.greater_equal(index, 0) & np.less(index, end - begin)
        first = np.where(valid, begin + index, 0)
    used = len(indices)
    if used < len(column.offsets):
        begin, end = _limits(column, used, first, valid)
        return Place(begin, end, valid)
    return Place(first, first + 1, valid)


def _limits(column: Column, dimension: int, lists: IntArray, valid: BoolArray) -> tuple[IntArray, IntArray]:
    """Return where the lists begin and end in the next dimension; nowhere for those not valid."""
    offsets = column.offsets[dimension]
    if len(offsets) == 1:
        nothing = np.zeros(len(lists), dtype=np.int64)
        return nothing, nothing
    safe = np.where(valid, lists, 0)
    return offsets[safe], np.where(valid, offsets[safe + 1], offsets[safe])


def flattened(column: Column, place: Place, dimension: int) -> Place:
    """Return ``place``, which counts lists of ``dimension``, in terms of the column's values."""
    first, last = place.first, place.last
    for offsets in column.offsets[dimension:]:
        first, last = offsets[first], offsets[last]
    return Place(first, last, place.valid)


def pick(column: Column, positions: IntArray, valid: BoolArray) -> FloatArray:
    """Return the values at ``positions``, NaN where not ``valid``: what is beyond an array's end."""
    if len(column.content) == 0:
        return np.full(len(positions), np.nan)
    taken = column.content[np.where(valid, positions, 0)].astype(np.float64)
    return np.where(valid, taken, np.nan)


def sum_by_entry(values: FloatArray, entries: IntArray, n_events: int) -> FloatArray:
    """Return the sums of the values of each entry, ``(n_events,)``, added in order."""
    sums: FloatArray = np.bincount(entries, weights=values, minlength=n_events).astype(np.float64)
    return sums


def extreme_by_entry(function: np.ufunc, values: FloatArray, entries: IntArray, n_events: int) -> FloatArray:
    """Return the minimum or maximum (``function``) of the values of each entry, 0 if it has none.

    ``entries`` must not decrease.
    """
    result = np.zeros(n_events)
    if len(entries) > 0:
        starts = np.flatnonzero(np.concatenate(([True], entries[1:] != entries[:-1])))
        result[entries[starts]] = function.reduceat(values, starts)
    return result


def to_awkward(values: FloatArray, counts: IntArray) -> Any:
    """Return ``values`` as an awkward array with ``counts`` of them in each entry."""
    import awkward as ak  # takes a while: only for who has arrays

    return ak.unflatten(values, counts)
