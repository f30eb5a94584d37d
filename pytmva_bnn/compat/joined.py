"""Sources with more columns or fewer entries than another: branches added to a tree, friends, aliases, entry lists."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.compat.errors import MacroError
from pytmva_bnn.compat.filling import joined
from pytmva_bnn.events.sources import BLOCK_SIZE, Block, EventSource, FilteredSource
from pytmva_bnn.formula import Formula


@dataclass(frozen=True)
class Derived:
    """A column that is computed: the columns that it needs, and the function of a block with them."""

    needs: frozenset[str]
    compute: Callable[[Block], Any]

    @classmethod
    def of_formula(cls, expression: str, source: EventSource) -> Derived:
        """Return the column of an expression."""
        formula = Formula(expression)

        def compute(block: Block) -> Any:
            return formula.evaluate(block.columns, tree=block.tree, n_events=block.n_entries)

        return cls(formula.branches_of(source.columns, tree=source.name), compute)

    @classmethod
    def of_column(cls, column: Callable[[], Any], where: str) -> Derived:
        """Return a column that is in memory, or can be read as a whole."""

        def compute(block: Block) -> Any:
            values = column()[block.first_entry : block.first_entry + block.n_entries]
            if len(values) < block.n_entries:
                raise MacroError(f"{where} has fewer entries than the tree it is joined to")
            return values

        return cls(frozenset(), compute)


class DerivedSource(EventSource):
    """A source with more columns; one of a name that exists hides that of the source."""

    def __init__(self, source: EventSource, derived: Mapping[str, Derived]) -> None:
        self.name = source.name
        self.where = source.where
        self._source = source
        self._derived = dict(derived)

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the source's columns and then the others."""
        return tuple(dict.fromkeys((*self._source.columns, *self._derived)))

    @property
    def n_entries(self) -> int:
        """The number of entries of the source."""
        return self._source.n_entries

    def blocks(self, branches: Collection[str], block_size: int = BLOCK_SIZE) -> Iterator[Block]:
        """Read the source and compute the other columns."""
        self.check_columns(branches)
        computed = {name: self._derived[name] for name in branches if name in self._derived}
        read = {name for name in branches if name not in computed}
        needed = read.union(*(one.needs for one in computed.values()))
        for block in self._source.blocks(sorted(needed), block_size):
            columns = {name: block.columns[name] for name in read}
            columns |= {name: one.compute(block) for name, one in computed.items()}
            yield Block(columns, block.n_entries, block.tree)


class SelectedSource(FilteredSource):
    """The entries of a source that a function chooses; ``names`` may leave out columns."""

    def __init__(
        self,
        source: EventSource,
        select: Callable[[Block], NDArray[np.bool_]] | None = None,
        needs: Collection[str] = (),
        names: Collection[str] | None = None,
    ) -> None:
        self.name = source.name
        self.where = source.where
        self._source = source
        self._select = select
        self._needs = needs
        self._names = None if names is None else tuple(names)

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns."""
        return self._source.columns if self._names is None else self._names

    @cached_property
    def _passing(self) -> NDArray[np.bool_]:
        if self._select is None:
            return np.ones(self._source.n_entries, dtype=np.bool_)
        return np.concatenate([np.asarray(self._select(block), bool) for block in self._source.blocks(self._needs)])


def entries_of(source: EventSource, entries: Collection[int]) -> SelectedSource:
    """Return the entries with these numbers."""
    chosen = np.zeros(source.n_entries, dtype=np.bool_)
    chosen[list(entries)] = True
    return SelectedSource(source, lambda block: chosen[block.first_entry : block.first_entry + block.n_entries])


def whole_column(source: EventSource, name: str) -> Any:
    """Return all values of a column."""
    return joined([block.columns[name] for block in source.blocks([name])])


def own_names(columns: Collection[str]) -> list[str]:
    """Return the names of branches without the other names by which they may be called.

    >>> own_names(["event", "event.x", "x", "track.pt", "pt", "a/b", "y"])
    ['event', 'track.pt', 'a/b', 'y']
    """
    own: dict[str, None] = {}
    endings: set[str] = set()
    for name in columns:
        parts = name.split(".")
        ends = {".".join(parts[i:]) for i in range(1, len(parts))}
        begins = {".".join(parts[:i]) for i in range(1, len(parts))}
        if name not in endings and not any(one in own for one in ends | begins):
            own[name] = None
        endings |= ends
    return list(own)
