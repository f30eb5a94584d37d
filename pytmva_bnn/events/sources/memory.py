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

    >>> source = MemorySource("TreeS", ["x"], lambda name: [1.0, 2.0], 2)
    >>> next(source.blocks(["x"])).columns
    {'x': array([1., 2.])}
    """

    def __init__(
        self, name: str, names: Sequence[str], column: Callable[[str], Any], n_entries: int, where: str = ""
    ) -> None:
        self.name = name
        self.where = where or name
        self._names = tuple(names)
        self._column = column
        self._n_entries = n_entries

    @classmethod
    def of_mapping(cls, name: str, columns: Mapping[str, Any], where: str = "") -> MemorySource:
        """Return the source of a dictionary; all columns must have the same length.

        >>> MemorySource.of_mapping("TreeS", {"x": [1.0, 2.0], "y": [3.0]})
        Traceback (most recent call last):
        pytmva_bnn.errors.DatasetError: TreeS: the columns have different lengths (x: 2, y: 1)
        """
        lengths = {str(key): _length(where or name, str(key), values) for key, values in columns.items()}
        if len(set(lengths.values())) > 1:
            described = ", ".join(f"{key}: {length}" for key, length in lengths.items())
            raise DatasetError(f"{where or name}: the columns have different lengths ({described})")
        by_name = {str(key): values for key, values in columns.items()}
        return cls(name, list(lengths), by_name.__getitem__, next(iter(lengths.values()), 0), where)

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns."""
        return self._names

    @property
    def n_entries(self) -> int:
        """The length of the columns."""
        return self._n_entries

    def blocks(self, branches: Collection[str], block_size: int = BLOCK_SIZE) -> Iterator[Block]:
        """Return slices of the columns; nothing is copied."""
        self.check_columns(branches)
        columns = {branch: as_column(self._column(branch)) for branch in branches}
        for start in range(0, self.n_entries, block_size):
            stop = min(start + block_size, self.n_entries)
            part = {branch: values[start:stop] for branch, values in columns.items()}
            yield Block(part, stop - start, TreeInfo(self.name, start, self.n_entries))


def as_column(values: Any) -> Any:
    """Return ``values`` as an array that can be sliced and masked; missing values become NaN.

    >>> as_column([[1, 2], [3]])
    array([list([1, 2]), list([3])], dtype=object)
    >>> as_column(np.ma.masked_array([1.0, 2.0], [False, True]))
    array([ 1., nan])
    """
    if hasattr(values, "layout"):  # awkward
        return plain_numbers(values)
    if isinstance(values, np.ma.MaskedArray):
        return np.ma.filled(values.astype(np.float64), np.nan)
    if hasattr(values, "to_numpy"):  # a column of a data frame
        return _of_series(values)
    try:
        return np.asarray(values)
    except ValueError:  # lists of different lengths
        ragged = np.empty(len(values), dtype=object)
        ragged[:] = list(values)
        return ragged


def plain_numbers(values: Any) -> Any:
    """Return an awkward array that holds one number an entry as a numpy array, any other as it is.

    >>> import awkward as ak
    >>> plain_numbers(ak.Array([1, 2])), plain_numbers(ak.Array([[1], []])).ndim
    (array([1, 2]), 2)
    """
    return values.to_numpy() if getattr(values.layout, "is_numpy", False) and values.ndim == 1 else values


def _of_series(series: Any) -> Any:
    array = series.to_numpy()
    if array.dtype == object and hasattr(series, "isna"):
        try:
            # pandas' own types have a missing value that numpy does not know
            return series.to_numpy(dtype=np.float64, na_value=np.nan)
        except (TypeError, ValueError):
            return array  # lists or text: the formula says what is wrong with it, if anything
    return array


def _length(where: str, name: str, values: Any) -> int:
    try:
        return len(values)
    except TypeError:
        raise DatasetError(f"{where}: the column {name!r} is a single value, not one an entry") from None
