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

    >>> Block({"x": [3.0, 4.0]}, 2, TreeInfo("TreeS", first_entry=10)).first_entry
    10
    """

    columns: Mapping[str, Any]
    n_entries: int
    tree: TreeInfo

    @property
    def first_entry(self) -> int:
        """The number of the first entry in the tree or chain.

        >>> Block({}, 2, TreeInfo()).first_entry
        0
        """
        return self.tree.first_entry


class EventSource(ABC):
    """A tree: named columns of equal length, read in blocks, and of these only the branches that are needed.

    ``name`` is the tree's name; ``where`` also says in which file it is, for messages.

    >>> from pytmva_bnn.events.sources import source_of
    >>> source = source_of({"x": [1.0, 2.0, 3.0], "y": [4, 5, 6]}, name="TreeS")
    >>> source.name, source.columns, source.n_entries
    ('TreeS', ('x', 'y'), 3)
    >>> [(block.first_entry, block.columns["y"]) for block in source.blocks(["y"], block_size=2)]
    [(0, array([4, 5])), (2, array([6]))]
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
        """Read the columns ``branches`` from the first entry to the last, at most ``block_size`` at a time."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.where}: {self.n_entries} entries>"

    def check_columns(self, branches: Collection[str]) -> None:
        """Raise if there is no column of one of these names.

        >>> from pytmva_bnn.events.sources import source_of
        >>> source_of({"var1": [1.0]}, name="TreeS").check_columns(["vra1"])
        Traceback (most recent call last):
        pytmva_bnn.errors.DatasetError: TreeS has no branch 'vra1': did you mean var1?
        """
        for branch in branches:
            if branch not in self.columns:
                hint = suggestion(branch, self.columns)
                raise DatasetError(f"{self.where} has no branch {branch!r}" + (f": {hint}" if hint else ""))
