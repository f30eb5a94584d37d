"""What the events of a tree look like to those who read them, wherever they come from."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pytmva_bnn.errors import DatasetError, suggestion
from pytmva_bnn.formula import TreeInfo

BLOCK_SIZE = 1 << 16
"""Entries read at a time."""


@dataclass(frozen=True)
class Block:
    """Some consecutive entries of a tree.

    ``columns`` maps a branch's name to its values in these entries: a numpy array with one number an entry,
    or with more dimensions for arrays of fixed size; an awkward array if the size varies.  ``tree`` tells where
    in the tree the entries stand.
    """

    columns: Mapping[str, Any]
    n_entries: int
    tree: TreeInfo

    @property
    def first_entry(self) -> int:
        """The number of the first entry in the tree or chain."""
        return self.tree.first_entry


class EventSource(ABC):
    """A tree: named columns of equal length, read in blocks, and of these only the branches that are needed.

    ``name`` is the tree's name; ``where`` also says in which file it is, for messages.
    """

    name: str
    where: str

    @property
    @abstractmethod
    def columns(self) -> tuple[str, ...]:
        """The names that expressions may use."""

    @property
    @abstractmethod
    def n_entries(self) -> int:
        """The number of entries."""

    @abstractmethod
    def blocks(self, branches: Collection[str], block_size: int = BLOCK_SIZE) -> Iterator[Block]:
        """Read the columns ``branches`` from the first entry to the last, at most ``block_size`` at a time.

        A tree without entries gives one block without entries, whose columns have the types of the branches.
        """

    def __event_source__(self) -> EventSource:
        """Return the events: any object with this method is understood where events are given."""
        return self

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.where}: {self.n_entries} entries>"

    def check_columns(self, branches: Collection[str]) -> None:
        """Raise if there is no column of one of these names."""
        for branch in branches:
            if branch not in self.columns:
                hint = suggestion(branch, self.columns)
                raise DatasetError(f"{self.where} has no branch {branch!r}" + (f": {hint}" if hint else ""))
