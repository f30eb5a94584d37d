"""Tables of Apache Arrow: those of pyarrow, and Parquet and Feather files, which are read block by block."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from pytmva_bnn.errors import DatasetError, MissingDependencyError
from pytmva_bnn.events.sources.memory import MemorySource, plain_numbers
from pytmva_bnn.events.sources.source import BLOCK_SIZE, Block, EventSource
from pytmva_bnn.formula import TreeInfo

FORMATS = {".parquet": "parquet", ".pq": "parquet", ".feather": "feather", ".arrow": "feather", ".ipc": "feather"}
"""The formats of files by the ends of their names."""


def table_source(events: Any, name: str) -> MemorySource:
    """Return the source of a pyarrow table or of anything that Arrow can make one of."""
    table = _table(events)
    return MemorySource(name, table.column_names, lambda column: _values(table.column(column)), len(table))


def _table(events: Any) -> Any:
    arrow = _pyarrow(f"events of type {type(events).__name__}")
    if isinstance(events, arrow.Table):
        return events
    if isinstance(events, arrow.RecordBatch):
        return arrow.Table.from_batches([events])
    try:
        if hasattr(events, "__arrow_c_stream__"):
            return arrow.RecordBatchReader.from_stream(events).read_all()
        from pyarrow.interchange import from_dataframe  # lazy: heavy

        return from_dataframe(events)
    except (TypeError, ValueError, NotImplementedError) as error:  # pyarrow's errors are among them
        raise DatasetError(f"events of type {type(events).__name__} cannot be converted to a table: {error}") from error


def _values(column: Any) -> Any:
    """Return a column as a numpy array, missing values as NaN; lists and records as an awkward array."""
    import pyarrow as pa  # lazy: heavy; it is there if the table is

    if pa.types.is_nested(column.type):
        import awkward as ak  # lazy: heavy

        return plain_numbers(ak.from_arrow(column))
    if column.null_count and (pa.types.is_integer(column.type) or pa.types.is_boolean(column.type)):
        column = column.cast(pa.float64(), safe=False)
    return column.to_numpy(zero_copy_only=False)


class ArrowFile(EventSource):
    """A Parquet or Feather file."""

    def __init__(self, path: str, form: str, name: str) -> None:
        _pyarrow(f"reading {path}")
        import pyarrow as pa  # lazy: heavy
        import pyarrow.dataset  # lazy: heavy

        self.name = name
        self.where = path
        try:
            self._dataset: Any = pyarrow.dataset.dataset(path, format=form)
            self._n_entries = int(self._dataset.count_rows())
        except FileNotFoundError:
            raise DatasetError(f"the file {path} does not exist") from None
        except (OSError, pa.ArrowException) as error:
            words = " ".join(str(error).split())
            raise DatasetError(f"{path} cannot be opened as a {form} file: {words[:200]}") from error

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(self._dataset.schema.names)

    @property
    def n_entries(self) -> int:
        """The number of rows."""
        return self._n_entries

    def blocks(self, branches: Collection[str], block_size: int = BLOCK_SIZE) -> Iterator[Block]:
        """Read the columns, some rows at a time."""
        self.check_columns(branches)
        names = list(branches)
        start = 0
        # few batches in advance: the memory stays small
        for batch in self._dataset.to_batches(columns=names, batch_size=block_size, batch_readahead=1):
            if batch.num_rows:
                yield self._block(names, batch.columns, start, batch.num_rows)
                start += batch.num_rows
        if not self._n_entries:
            schema = self._dataset.schema
            yield self._block(names, [schema.empty_table().column(name) for name in names], 0, 0)

    def _block(self, names: list[str], columns: list[Any], start: int, size: int) -> Block:
        values = {name: _values(column) for name, column in zip(names, columns, strict=True)}
        return Block(values, size, TreeInfo(self.name, start, self._n_entries))


def _pyarrow(purpose: str) -> Any:
    try:
        import pyarrow as pa  # optional, heavy
    except ImportError:
        raise MissingDependencyError.of("pyarrow", "parquet", purpose) from None
    return pa
