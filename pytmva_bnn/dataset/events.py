"""From the trees of the classes to events: float32 values and weights, cuts applied."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import Float32Array
from pytmva_bnn.bars import progress_bar
from pytmva_bnn.dataset.description import Description, InputTree
from pytmva_bnn.dataset.expressions import Expression, Expressions
from pytmva_bnn.dataset.instances import BlockFormulas, Instances
from pytmva_bnn.dataset.nonfinite import NonFiniteValues
from pytmva_bnn.errors import DatasetError
from pytmva_bnn.events.sources import BLOCK_SIZE, Block
from pytmva_bnn.formula import FormulaError
from pytmva_bnn.memory import check_memory, memory_limit
from pytmva_bnn.tmva_types import ETreeType

LOGGER = logging.getLogger("pytmva_bnn.DataSetFactory")


ORDER = (ETreeType.kTraining, ETreeType.kTesting, ETreeType.kMaxTreeType)
"""The order of the events within a class."""
LONG = 1_000_000
"""Entries below which reading is over before a progress bar is of use."""


@dataclass
class Counters:
    """Events and sums of weights of a class before and after its cut."""

    n_before: int = 0
    n_after: int = 0
    weights_before: np.float32 = field(default_factory=lambda: np.float32(0))
    weights_after: np.float32 = field(default_factory=lambda: np.float32(0))

    def count(self, weights: Float32Array, passes: NDArray[np.bool_]) -> None:
        """Add the events of a block."""
        n_after = int(np.count_nonzero(passes))
        before = _added(self.weights_before, weights)
        if n_after == len(weights) and self.weights_after == self.weights_before:
            self.weights_after = before  # no need to add the same numbers again
        else:
            self.weights_after = _added(self.weights_after, weights[passes])
        self.weights_before = before
        self.n_before += len(weights)
        self.n_after += n_after

    @property
    def efficiency(self) -> float:
        """The part of the weights that is left after the cut."""
        return float(self.weights_after / self.weights_before) if self.weights_before != 0 else 1.0


def _added(total: np.float32, weights: Float32Array) -> np.float32:
    # TMVA: one after the other in float32, so large sums are rounded; NaN is left out
    missing = np.isnan(weights)
    numbers = weights[~missing] if missing.any() else weights.copy()
    if not numbers.size:
        return total
    with np.errstate(over="ignore", invalid="ignore"):
        numbers[0] += total
        return np.float32(np.add.accumulate(numbers, out=numbers)[-1])


@dataclass(frozen=True, eq=False)
class ClassEvents:
    """The events of a class that passed the cut: first of training trees, then of test trees, then undecided.

    ``values`` (n_events, n_quantities) are variables, targets and spectators; ``numbers`` has the number of
    events of each kind of tree.
    """

    values: Float32Array
    weights: Float32Array
    numbers: tuple[int, int, int]
    counters: Counters


class EventBuffer:
    """Rows of float32 values with their weights, to which blocks are appended.

    Room for ``capacity`` rows, if there is so much, is set aside; the system provides memory only for those that are
    written, and a cut may leave few.
    """

    def __init__(self, n_columns: int, capacity: int) -> None:
        self._row_bytes = 4 * (n_columns + 1)
        capacity = min(capacity, int(min(memory_limit(), 1e15) / 4 / self._row_bytes))
        self._values = np.empty((capacity, n_columns), dtype=np.float32)
        self._weights = np.empty(capacity, dtype=np.float32)
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def append(self, values: Float32Array, weights: Float32Array) -> None:
        """Append events."""
        start, self._size = self._size, self._size + len(weights)
        if self._size > len(self._weights):  # entries with several events, or more than there was room for
            n_rows = max(self._size, 2 * len(self._weights))
            check_memory(float(n_rows * self._row_bytes), f"room for {n_rows} events", "cut harder or give fewer")
            missing = n_rows - len(self._weights)
            self._values = np.pad(self._values, ((0, missing), (0, 0)))
            self._weights = np.pad(self._weights, (0, missing))
        self._values[start : self._size] = values
        self._weights[start : self._size] = weights

    @property
    def filled(self) -> tuple[Float32Array, Float32Array]:
        """The values (n_events, n_columns) and weights (n_events,) so far."""
        return self._values[: self._size], self._weights[: self._size]


def _joined(buffers: Sequence[EventBuffer]) -> tuple[Float32Array, Float32Array]:
    """Return values and weights of all buffers, one after the other; nothing is copied if only one has events."""
    parts = [buffer.filled for buffer in buffers if len(buffer)] or [buffers[0].filled]
    if len(parts) == 1:
        return parts[0]
    return np.concatenate([values for values, _ in parts]), np.concatenate([weights for _, weights in parts])


@contextmanager
def _progress(n_entries: int) -> Iterator[Callable[[int], object]]:
    """Give a function that takes each number of entries read; it moves a progress bar."""
    bar_class = progress_bar() if n_entries >= LONG else None
    if bar_class is None:
        yield lambda number: number
        return
    with bar_class(total=n_entries, desc="Reading events", unit="entries", unit_scale=True, leave=False) as bar:
        yield bar.update


def read_events(description: Description, block_size: int = BLOCK_SIZE) -> list[ClassEvents]:
    """Read the trees of all classes, in the order of the classes."""
    expressions = Expressions.of(description)
    found = NonFiniteValues(description.name)
    with _progress(sum(tree.source.n_entries for tree in description.trees)) as advance:
        classes = [
            _read_class(description, index, expressions, found, block_size, advance)
            for index in range(len(description.classes))
        ]
    found.check()
    return classes


def _read_class(
    description: Description,
    class_index: int,
    expressions: Expressions,
    found: NonFiniteValues,
    block_size: int,
    advance: Callable[[int], object],
) -> ClassEvents:
    name = description.classes[class_index].name
    trees = description.trees_of(name)
    n_columns = sum(one.n_columns for one in expressions.quantities)
    buffers = {kind: EventBuffer(n_columns, sum(t.source.n_entries for t in trees if t.type is kind)) for kind in ORDER}
    counters = Counters()
    for tree in trees:
        LOGGER.info("Building event vectors for type %d %s", tree.type, name)
        LOGGER.info("Dataset[%s] :  create input formulas for tree %s", description.name, tree.source.name)
        reader = _TreeReader(tree, expressions, class_index, found)
        for block in tree.source.blocks(reader.branches, block_size):
            try:
                reader.read(block, buffers[tree.type], counters)
            except FormulaError as error:  # a branch that holds no numbers, for example
                raise DatasetError(f"Dataset[{description.name}] : {tree.source.where}: {error}") from error
            advance(block.n_entries)
    values, weights = _joined([buffers[kind] for kind in ORDER])
    n_train, n_test, n_undefined = (len(buffers[kind]) for kind in ORDER)
    return ClassEvents(values, weights, (n_train, n_test, n_undefined), counters)


class _TreeReader:
    """Turns the blocks of one tree into events."""

    def __init__(self, tree: InputTree, expressions: Expressions, class_index: int, found: NonFiniteValues) -> None:
        self.branches = expressions.branches_in(tree.source, class_index)
        self._tree = tree
        self._variables = expressions.variables
        self._others = (*expressions.targets, *expressions.spectators)
        self._cut = expressions.cuts[class_index]
        self._weight = expressions.weights[class_index]
        self._all = expressions.of_class(class_index)
        self._n_columns = sum(one.n_columns for one in expressions.quantities)
        self._found = found
        self._told_too_long: set[str] = set()

    def read(self, block: Block, buffer: EventBuffer, counters: Counters) -> None:
        """Append the events of a block to ``buffer``."""
        formulas = BlockFormulas(block, self._tree.source.where)
        self._tell_of_missing_elements(block, formulas)
        events = formulas.instances_of(self._variables)
        with np.errstate(over="ignore", invalid="ignore"):  # what overflows float32 is infinite, and reported below
            cut = None if self._cut is None else formulas.values(self._cut, events)
            values = self._values(formulas, events)
            weights = self._weights(formulas, events)
            # TMVA: NaN is not less than 0.5
            passes = np.ones(events.n_events, dtype=np.bool_) if cut is None else ~(cut < 0.5)
            good = passes & self._note_non_finite(block, events, cut, values, weights)
        counters.count(weights, passes)
        if bool(np.all(good)):
            buffer.append(values, weights)
        else:
            buffer.append(values[good], weights[good])

    def _values(self, formulas: BlockFormulas, events: Instances) -> Float32Array:
        values = np.empty((events.n_events, self._n_columns), dtype=np.float32)
        column = 0
        for expression in self._variables:
            if expression.size is None:
                values[:, column] = formulas.values(expression, events, own_instance=True)
            else:
                values[:, column : column + expression.size] = formulas.elements(expression, events)
                self._tell_of_long_array(formulas, expression)
            column += expression.n_columns
        for expression in self._others:
            values[:, column] = formulas.values(expression, events)
            column += 1
        return values

    def _weights(self, formulas: BlockFormulas, events: Instances) -> Float32Array:
        # TMVA: rounded to float32 before and after the multiplication
        weight = np.float32(self._tree.weight)
        if self._weight is None:
            return np.full(events.n_events, weight)
        return (np.float64(weight) * formulas.values(self._weight, events)).astype(np.float32)

    def _note_non_finite(
        self,
        block: Block,
        events: Instances,
        cut: NDArray[np.float64] | None,
        values: Float32Array,
        weights: Float32Array,
    ) -> NDArray[np.bool_]:
        """Note values that are not finite; return which events have none."""
        removed = np.zeros(events.n_events, dtype=np.bool_)
        noted: list[tuple[Expression, Float32Array]] = []
        if self._cut is not None and cut is not None:
            rounded = cut.astype(np.float32)
            removed = (cut < 0.5) & np.isfinite(rounded)
            noted.append((self._cut, rounded))
        if self._weight is not None:
            noted.append((self._weight, weights))
        all_finite = np.isfinite(values)
        if bool(all_finite.all()):
            finite = np.ones(len(values), dtype=np.bool_)
        else:
            finite = np.asarray(all_finite.all(axis=1))
            columns = [one for one in (*self._variables, *self._others) for _ in range(one.n_columns)]
            noted.extend((one, values[:, i]) for i, one in enumerate(columns))

        def place_of(event: int) -> str:
            return f"entry {block.first_entry + int(events.entry_numbers[event])} of {self._tree.source.where}"

        for expression, numbers in noted:
            of_expression = np.isfinite(numbers)
            if not bool(np.all(of_expression)):
                finite &= of_expression
                self._found.note(expression.what, expression.text, numbers, removed, place_of)
        return finite

    def _tell_of_missing_elements(self, block: Block, formulas: BlockFormulas) -> None:
        if block.first_entry != 0 or not block.n_entries:
            return
        for expression in self._all:
            counts = formulas.counts(expression)
            if counts is not None and counts[0] == 0:
                LOGGER.warning(
                    "Expression: %s does not provide data for this event. This event is not taken into account. "
                    '--> please check: if you want to take it into account you can do something like "Alt$(arr[4],0)"',
                    expression.text,
                )

    def _tell_of_long_array(self, formulas: BlockFormulas, expression: Expression) -> None:
        longest = formulas.longest(expression)
        if longest > expression.n_columns and expression.text not in self._told_too_long:
            self._told_too_long.add(expression.text)
            LOGGER.warning(
                "Size of array %s in the current tree %s is %d, larger than %d. Some data will then be ignored.",
                expression.text, self._tree.source.name, longest, expression.n_columns,
            )  # fmt: skip
