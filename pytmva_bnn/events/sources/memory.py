"""Events in memory: dictionaries of arrays, data frames, awkward records, structured arrays."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from pytmva_bnn.errors import DatasetError
from pytmva_bnn.events.sources.source import BLOCK_SIZE, Block, EventSource
from pytmva_bnn.formula import TreeInfo


class MemorySource(EventSource):
    """Columns that are there already; ``column`` returns one by its name, and is asked only for those needed.

    Without ``n_entries`` the columns must turn out to have the same length.
    """

    def __init__(
        self,
        name: str,
        names: Sequence[str],
        column: Callable[[str], Any],
        n_entries: int | None = None,
        where: str = "",
    ) -> None:
        self.name = name
        self.where = where or name
        self._names = tuple(names)
        self._column = column
        self._n_entries = n_entries
        self._prepared: dict[str, Any] = {}

    @classmethod
    def of_mapping(cls, name: str, columns: Mapping[Any, Any], where: str = "") -> MemorySource:
        """Return the source of a dictionary."""
        by_name = {str(key): key for key in columns}
        return cls(name, list(by_name), lambda column: columns[by_name[column]], where=where)

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns."""
        return self._names

    @property
    def n_entries(self) -> int:
        """The length of the columns; raises if they have different ones."""
        if self._n_entries is None:
            self._n_entries = self.length_of(self._names)
        return self._n_entries

    def length_of(self, branches: Collection[str]) -> int:
        """Return the length of some columns; raise if they have different ones."""
        if self._n_entries is not None:
            return self._n_entries
        lengths = {branch: self._length(branch) for branch in branches}
        if len(set(lengths.values())) > 1:
            described = ", ".join(f"{branch}: {length}" for branch, length in lengths.items())
            raise DatasetError(f"{self.where}: the columns have different lengths ({described})")
        return next(iter(lengths.values()), 0)

    def _length(self, branch: str) -> int:
        values = self._prepared.get(branch)
        try:
            return len(self._column(branch) if values is None else values)
        except TypeError:
            raise DatasetError(f"{self.where}: the column {branch!r} is a single value, not one per entry") from None

    def block(self, branches: Collection[str], start: int, stop: int) -> Block:
        """Return the entries ``start`` to ``stop`` of the columns; nothing is copied."""
        self.check_columns(branches)
        for branch in branches:
            if branch not in self._prepared:
                self._prepared[branch] = as_column(self._column(branch))
        columns = {branch: self._prepared[branch][start:stop] for branch in branches}
        return Block(columns, stop - start, TreeInfo(self.name, start, self.length_of(branches)))

    def blocks(self, branches: Collection[str], block_size: int = BLOCK_SIZE) -> Iterator[Block]:
        """Return slices of the columns."""
        for start in range(0, max(self.n_entries, 1), block_size):
            yield self.block(branches, start, min(start + block_size, self.n_entries))


def as_column(values: Any) -> Any:
    """Return ``values`` as an array that can be sliced and masked; missing values become NaN."""
    if is_awkward(values):
        return plain_numbers(values)
    if isinstance(values, np.ma.MaskedArray):
        return np.ma.filled(values.astype(np.float64), np.nan)
    try:
        array = values.to_numpy() if hasattr(values, "to_numpy") else np.asarray(values)
    except ValueError:  # lists of different lengths
        ragged = np.empty(len(values), dtype=object)
        ragged[:] = list(values)
        return ragged
    if array.dtype != object:
        return array
    try:
        # numbers among which some are missing; pandas has a missing value that numpy does not know
        has_na = hasattr(values, "isna")
        return values.to_numpy(dtype=np.float64, na_value=np.nan) if has_na else array.astype(np.float64)
    except (TypeError, ValueError):
        return array  # lists or text: the formula says what is wrong with it, if anything


def is_awkward(values: Any) -> bool:
    """Tell whether something is an awkward array."""
    return hasattr(values, "layout") and hasattr(values, "fields")


def plain_numbers(values: Any) -> Any:
    """Return an awkward array that holds one number an entry as a numpy array, any other as it is."""
    return values.to_numpy() if getattr(values.layout, "is_numpy", False) and values.ndim == 1 else values
