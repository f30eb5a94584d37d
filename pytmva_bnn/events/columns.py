"""Events in any form → a float32 matrix with one column per variable.

Named columns are matched by a variable's expression; if there is no such column, the expression is computed from the
columns it names, and if these are missing the variable's label or internal name counts.  The columns of arrays without
names are the variables in their order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pytmva_bnn._typing import AnyArray, Float32Array
from pytmva_bnn.errors import InputError, suggestion
from pytmva_bnn.events.sources import BLOCK_SIZE, Block, EventSource, MemorySource, open_events
from pytmva_bnn.events.sources.memory import is_awkward
from pytmva_bnn.events.variables import VariableRecord, internal_name
from pytmva_bnn.formula import Formula, FormulaError

SHOWN_NAMES = 30


class Columns:
    """Events as named columns or as a matrix, from which blocks of float32 rows can be taken.

    Events in files are read as they are asked for: taking the blocks in their order reads everything once.
    """

    def __init__(self, events: Any, variables: Sequence[VariableRecord], what: str = "variables") -> None:
        self._given: AnyArray | _Stream
        # the usual case first: many small calls spend their time here
        if type(events) is np.ndarray and events.dtype.char in "fd" and events.shape[1:] == (len(variables),):
            self._given, self.n_events = events, len(events)
            return
        opened = open_events(events)
        if not isinstance(opened, EventSource):
            self._given = _checked_matrix(opened, variables, what)
            self.n_events = len(self._given)
            return
        self._rows = MatchedVariables(variables, opened, what)
        self._given = _Stream(opened, self._rows)
        if isinstance(opened, MemorySource):
            self.n_events = opened.length_of(self._rows.branches)
            # raises if a column does not hold numbers
            self._rows.of(opened.block(self._rows.branches, 0, min(1, self.n_events)))
        else:
            self.n_events = opened.n_entries

    def block(self, start: int, stop: int) -> Float32Array:
        """Return the events ``start`` to ``stop`` as ``(n_events, n_variables)`` in float32."""
        stop = min(stop, self.n_events)
        if isinstance(self._given, _Stream):
            return self._given.rows(start, stop)
        if self._given.dtype == np.float32:
            return np.ascontiguousarray(self._given[start:stop])
        with np.errstate(over="ignore"):  # TMVA: events hold 32-bit floats; a double beyond their range becomes inf
            return np.ascontiguousarray(self._given[start:stop], dtype=np.float32)


def has_names(events: Any) -> bool:
    """Tell whether the events have named columns, and are not a matrix."""
    return isinstance(open_events(events), EventSource)


class _Stream:
    """The rows of a source: any part of what is in memory, the rest in order; going back starts again."""

    def __init__(self, source: EventSource, variables: MatchedVariables) -> None:
        self._source = source
        self._variables = variables
        self._blocks: Iterator[Block] | None = None
        self._start = 0
        self._kept = np.empty((0, 0), dtype=np.float32)

    def rows(self, start: int, stop: int) -> Float32Array:
        """Return the rows ``start`` to ``stop``."""
        branches = self._variables.branches
        if isinstance(self._source, MemorySource):
            return self._variables.of(self._source.block(branches, start, stop))
        if self._blocks is None or start < self._start:
            self._blocks = self._source.blocks(branches, BLOCK_SIZE)
            self._start, self._kept = 0, self._variables.of(next(self._blocks))
        end = self._start + len(self._kept)
        parts = [self._kept[start - self._start :]]
        while end < stop:
            fresh = self._variables.of(next(self._blocks))
            parts.append(fresh[max(start - end, 0) :])
            end += len(fresh)
        self._kept = parts[0] if len(parts) == 1 else np.concatenate(parts)
        self._start = start
        return self._kept[: stop - start]


class MatchedVariables:
    """Variables and where they come from among the columns of a source; ``branches`` are the columns needed."""

    def __init__(self, variables: Sequence[VariableRecord], source: EventSource, what: str = "variables") -> None:
        found = [Quantity.of(variable, source) for variable in variables]
        self._quantities = [quantity for quantity in found if quantity is not None]
        self.branches: frozenset[str] = frozenset().union(*(one.branches for one in self._quantities))
        missing = [variable.expression for variable, quantity in zip(variables, found, strict=True) if not quantity]
        if missing:
            hints = [(name, suggestion(name, source.columns)) for name in missing]
            listed = ", ".join(f"{name} ({hint})" if hint else name for name, hint in hints)
            known = ", ".join(source.columns[:SHOWN_NAMES]) + (", ..." if len(source.columns) > SHOWN_NAMES else "")
            place = "" if isinstance(source, MemorySource) else f"{source.where}: "
            raise InputError(f"{place}missing {what}: {listed}. The columns given are: {known or 'none'}")

    def of(self, block: Block) -> Float32Array:
        """Return the variables in the entries of a block, ``(n_entries, n_variables)``."""
        result = np.empty((block.n_entries, len(self._quantities)), dtype=np.float32)
        with np.errstate(over="ignore"):
            for number, quantity in enumerate(self._quantities):
                result[:, number] = quantity.numbers(block)
        return result


@dataclass(frozen=True)
class Quantity:
    """Something that is computed of the columns of a source: a column as it is, an element of it, or an expression."""

    name: str
    branches: frozenset[str]
    formula: Formula | None = None
    element: int | None = None

    @classmethod
    def of(cls, variable: VariableRecord, source: EventSource) -> Quantity | None:
        """Return where a variable comes from, None if it is missing.

        A label may be the name of a column that means something else (``pt := log(pt)``): expressions come first.
        """
        by_squeezed = {name.replace(" ", ""): name for name in source.columns}
        expression = variable.expression
        labels: tuple[str, ...] = (variable.label, variable.internal)
        if variable.type.endswith("[]"):  # AddVariablesArray: all elements have the expression of the whole array
            element = int(variable.internal.rpartition("[")[2].rstrip("]"))
            if variable.internal not in by_squeezed and expression in by_squeezed:
                return cls(expression, frozenset([by_squeezed[expression]]), element=element)
            expression, labels = variable.internal, ()
        if expression in by_squeezed:
            return cls.column(by_squeezed[expression])
        try:
            formula = Formula(expression)
            branches = formula.branches_of(source.columns, tree=source.name)
            return cls(internal_name(variable.label), branches, formula)
        except FormulaError:
            return next((cls.column(by_squeezed[label]) for label in labels if label in by_squeezed), None)

    @classmethod
    def column(cls, name: str) -> Quantity:
        """Return a column as it is."""
        return cls(name, frozenset([name]))

    def values(self, block: Block) -> Any:
        """Return the values in the entries of a block."""
        if self.formula is not None:
            return self.formula.evaluate(block.columns, tree=block.tree, n_events=block.n_entries)
        values = block.columns[next(iter(self.branches))]
        return values if self.element is None else self._element(values)

    def numbers(self, block: Block) -> AnyArray:
        """Return one number an entry, NaN where it is missing."""
        values = self.values(block)
        try:
            numbers = np.ma.asanyarray(values.to_numpy() if is_awkward(values) else values)
        except (TypeError, ValueError):
            numbers = None
        if self.formula is not None and (numbers is None or numbers.ndim != 1):
            raise InputError(f"{self.formula.expression} has several values per event; choose an element, as in x[0]")
        if numbers is None or numbers.ndim != 1 or numbers.dtype.kind not in "fiub":
            kind = f"{values.ndim}-D of type {values.type if numbers is None else numbers.dtype}"
            hint = f"; for one element write {self.name}[0]" if values.ndim > 1 else ""
            raise InputError(f"the column {self.name!r} must be a 1-D array of numbers, but is {kind}{hint}")
        return _filled(numbers)

    def _element(self, values: Any) -> AnyArray:
        number = self.element or 0
        try:
            array = np.asarray(values.to_numpy() if is_awkward(values) else values)
            return array[:, number] if len(array) else np.empty(0)
        except (IndexError, TypeError, ValueError) as error:
            raise InputError(
                f"the column {self.name!r} is an array of the event: give it as a 2-D array with at least {number + 1} "
                f"columns, or its elements as columns {self.name}[{number}] ... ({error})"
            ) from error


def _filled(values: AnyArray) -> AnyArray:
    """Return an array in which masked values, which are missing, are NaN."""
    masked = np.ma.is_masked(values)
    return np.ma.filled(values.astype(np.float64), np.nan) if masked else np.asarray(values)


def _checked_matrix(matrix: AnyArray, variables: Sequence[VariableRecord], what: str) -> AnyArray:
    if matrix.ndim != 2 or matrix.shape[1] != len(variables):
        expected = ", ".join(v.expression for v in variables)
        hint = " For one event use [[...]]." if matrix.ndim == 1 and len(matrix) == len(variables) else ""
        raise InputError(
            f"events are expected as an array of shape (n_events, {len(variables)}), one column for each of the {what} "
            f"{expected}; got shape {matrix.shape}.{hint}"
        )
    if matrix.dtype.kind not in "fiub":
        raise InputError(f"events must be numbers, but the array is of type {matrix.dtype}")
    return _filled(matrix)
