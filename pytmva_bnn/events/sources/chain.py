"""Several trees read one after the other (a TChain), and the entries of a tree that pass a cut."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.errors import DatasetError
from pytmva_bnn.events.sources.source import BLOCK_SIZE, Block, EventSource
from pytmva_bnn.formula import Formula, FormulaError, TreeInfo
from pytmva_bnn.formula.jagged import numbers_of, pairs_of


class ChainSource(EventSource):
    """Trees with the same columns as one; the first one says which columns there are."""

    def __init__(self, parts: Sequence[EventSource]) -> None:
        if not parts:
            raise DatasetError("a list of trees must not be empty")
        self._parts = tuple(parts)
        self.name = parts[0].name
        self.where = f"{parts[0].where} and {len(parts) - 1} more" if len(parts) > 1 else parts[0].where

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the first tree's columns."""
        return self._parts[0].columns

    @cached_property
    def n_entries(self) -> int:
        """The number of entries of all trees."""
        return sum(part.n_entries for part in self._parts)

    def blocks(self, branches: Collection[str], block_size: int = BLOCK_SIZE) -> Iterator[Block]:
        """Read tree after tree; no block holds entries of two."""
        first_entry = 0
        filled = [part for part in self._parts if part.n_entries] or self._parts[:1]
        for part in filled:
            for block in part.blocks(branches, block_size):
                local = block.first_entry
                info = TreeInfo(self.name, first_entry + local, self.n_entries, local, part.n_entries)
                yield Block(block.columns, block.n_entries, info)
            first_entry += part.n_entries


class FilteredSource(EventSource):
    """The entries of a tree for which a cut is not zero: what AddTree makes of its argument ``cut``.

    TMVA copies the passing entries, so they are counted again (``Entry$``).
    """

    def __init__(self, source: EventSource, cut: str) -> None:
        self.name = source.name
        self.where = f"{source.where} with the cut {cut!r}"
        self._source = source
        try:
            self._cut = Formula(cut)
            self._cut_branches = self._cut.branches_of(source.columns, tree=source.name)
        except FormulaError as error:
            raise DatasetError(f"{source.where}: the cut of AddTree cannot be used: {error}") from error

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the tree's columns."""
        return self._source.columns

    @property
    def n_entries(self) -> int:
        """The number of entries that pass."""
        return int(np.count_nonzero(self._passing))

    @cached_property
    def _passing(self) -> NDArray[np.bool_]:
        try:
            parts = [passing_entries(self._cut, block) for block in self._source.blocks(self._cut_branches)]
        except FormulaError as error:
            raise DatasetError(f"{self._source.where}: the cut of AddTree cannot be used: {error}") from error
        return np.concatenate(parts) if parts else np.zeros(0, dtype=np.bool_)

    def blocks(self, branches: Collection[str], block_size: int = BLOCK_SIZE) -> Iterator[Block]:
        """Read the tree and pass on the entries that pass the cut."""
        first_entry = 0
        n_entries = self.n_entries
        for block in self._source.blocks(branches, block_size):
            start = block.first_entry
            mask = self._passing[start : start + block.n_entries]
            number = int(np.count_nonzero(mask))
            if number > 0 or (n_entries == 0 and start == 0):
                columns = {name: values[mask] for name, values in block.columns.items()}
                yield Block(columns, number, TreeInfo(self.name, first_entry, n_entries))
                first_entry += number


def passing_entries(cut: Formula, block: Block) -> NDArray[np.bool_]:
    """Return which entries have an instance for which the cut is not zero."""
    counts = cut.counts(block.columns, tree=block.tree, n_events=block.n_entries)
    pairs = pairs_of(counts)
    entries = numbers_of(pairs.entries)
    values = cut.at(block.columns, entries, pairs.instances, tree=block.tree, n_events=block.n_entries)
    return np.bincount(entries[values != 0], minlength=block.n_entries) > 0
