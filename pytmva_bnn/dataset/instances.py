"""Which events an entry gives: one, or one for each element of its arrays."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import IntArray
from pytmva_bnn.dataset.expressions import Expression
from pytmva_bnn.errors import DatasetError
from pytmva_bnn.events.sources import Block
from pytmva_bnn.formula.jagged import numbers_of, pairs_of

LOGGER = logging.getLogger("pytmva_bnn.DataSetFactory")


@dataclass(frozen=True)
class Instances:
    """The events of a block: entry and instance of each; ``entries`` None means every entry once, instance 0.

    ``is_array`` marks the events of array-valued entries.
    """

    n_events: int
    entries: IntArray | None = None
    instances: IntArray | None = None
    is_array: NDArray[np.bool_] | None = None

    @property
    def entry_numbers(self) -> IntArray:
        """The number of each event's entry in the block."""
        return np.arange(self.n_events) if self.entries is None else self.entries

    @property
    def instance_numbers(self) -> IntArray:
        """The number of each event's instance in its entry."""
        return np.zeros(self.n_events, dtype=np.int64) if self.instances is None else self.instances


class BlockFormulas:
    """Evaluates expressions on the events of one block; ``where`` names the tree in messages."""

    def __init__(self, block: Block, where: str) -> None:
        self._block = block
        self._where = where
        self._flat = _all_flat(block.columns)
        self._counts: dict[str, IntArray | None] = {}

    def counts(self, expression: Expression) -> IntArray | None:
        """Return the number of instances in each entry; None if it is 1 in all of them."""
        if expression.text not in self._counts:
            counts = None
            # an index can miss even in a scalar
            if not self._flat or "[" in expression.text:
                block = self._block
                counts = expression.formula.counts(block.columns, tree=block.tree, n_events=block.n_entries)
            self._counts[expression.text] = None if counts is None or bool(np.all(counts == 1)) else counts
        return self._counts[expression.text]

    def instances_of(self, variables: Sequence[Expression]) -> Instances:
        """Return the events that the block gives, by the array lengths of the ordinary variables."""
        numbers: IntArray | None = None
        for variable in variables:
            counts = None if variable.size is not None else self.counts(variable)
            if counts is None:
                continue
            if numbers is None:
                numbers = counts
                continue
            # TMVA: a length of 1 agrees with every other
            clash = (counts != 1) & (numbers != 1) & (counts != numbers)
            if bool(np.any(clash)):
                raise self._different_lengths(variables, int(np.argmax(clash)))
            numbers = np.where(numbers == 1, counts, numbers)
        if numbers is None:
            return Instances(self._block.n_entries)
        pairs = pairs_of(numbers)
        entries = numbers_of(pairs.entries)
        return Instances(len(entries), entries, np.asarray(pairs.instances), numbers[entries] != 1)

    def values(self, expression: Expression, events: Instances, *, own_instance: bool = False) -> NDArray[np.float64]:
        """Return the value of every event, float64 (n_events,).

        Variables (``own_instance``) are taken at the event's instance; other expressions at the first one if
        they have only one.
        """
        block = self._block
        counts = self.counts(expression)
        if events.entries is None and counts is None:
            values = expression.formula.evaluate(block.columns, tree=block.tree, n_events=block.n_entries)
            if isinstance(values, np.ndarray):  # else arrays that happen to have one element in every entry
                return values
        entries, instances = events.entry_numbers, events.instance_numbers
        if not own_instance:
            instances = np.zeros_like(instances) if counts is None else np.where(counts[entries] == 1, 0, instances)
        return self._at(expression, entries, instances)

    def elements(self, expression: Expression, events: Instances) -> NDArray[np.float64]:
        """Return the elements of an array of AddVariablesArray, (n_events, size)."""
        size = expression.n_columns
        self._check_size(expression, events)
        numbers = np.broadcast_to(np.arange(size), (events.n_events, size))
        if events.is_array is not None:
            # TMVA: in array-valued entries each column gets the event's element instead of its own
            numbers = np.where(events.is_array[:, None], events.instance_numbers[:, None], numbers)
        entries = np.repeat(events.entry_numbers, size)
        return self._at(expression, entries, numbers.reshape(-1)).reshape(events.n_events, size)

    def _at(self, expression: Expression, entries: IntArray, instances: IntArray) -> NDArray[np.float64]:
        block = self._block
        return expression.formula.at(block.columns, entries, instances, tree=block.tree, n_events=block.n_entries)

    def _check_size(self, expression: Expression, events: Instances) -> None:
        counts = self.counts(expression)
        found = np.ones(self._block.n_entries, dtype=np.int64) if counts is None else counts
        short = np.flatnonzero(found[events.entry_numbers] < expression.n_columns)
        if short.size:
            entry = int(events.entry_numbers[short[0]])
            raise DatasetError(
                f"Size of array {expression.text} in the current tree {self._where} for the event "
                f"{self._block.first_entry + entry} is {found[entry]} instead of {expression.n_columns}"
            )

    def longest(self, expression: Expression) -> int:
        """Return the largest number of instances of an entry."""
        counts = self.counts(expression)
        return 1 if counts is None else int(counts.max(initial=0))

    def _different_lengths(self, variables: Sequence[Expression], entry: int) -> DatasetError:
        lengths = []
        for variable in variables:
            counts = None if variable.size is not None else self.counts(variable)
            if counts is not None and counts[entry] != 1:
                lengths.append(f"{variable.text}: {counts[entry]}")
        return DatasetError(
            "ERROR while preparing training and testing trees: multiple array-type expressions of different length "
            f"were encountered in entry {self._block.first_entry + entry} of {self._where} ({', '.join(lengths)}); "
            "use arrays of the same length, or single elements such as Alt$(x[0],0)"
        )


def _all_flat(columns: Mapping[str, object]) -> bool:
    return all(isinstance(c, np.ndarray) and c.ndim == 1 and c.dtype.kind in "biuf" for c in columns.values())
