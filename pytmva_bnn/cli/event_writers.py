"""Columns of events written block by block: ROOT trees, parquet, numpy archives.

Every file is made under another name and gets its own when it is complete.
"""

from __future__ import annotations

import shutil
import tempfile
import zipfile
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, cast

import numpy as np

from pytmva_bnn.cli.column_types import type_of
from pytmva_bnn.errors import InputError
from pytmva_bnn.files import folder_for
from pytmva_bnn.optional import optional

Columns = Mapping[str, Any]


class EventWriter(ABC):
    """Takes blocks of columns; all have the same names and types, which the first one tells."""

    def __init__(self, path: Path, tree: str) -> None:
        self.path = path
        self.tree = tree

    @abstractmethod
    def write(self, columns: Columns) -> None:
        """Append a block."""

    @abstractmethod
    def close(self) -> None:
        """Finish the file."""

    def abandon(self) -> None:
        """Close the file, which nobody will see, after something went wrong."""
        self.close()


class RootWriter(EventWriter):
    """A TTree, one basket a block and branch."""

    def __init__(self, path: Path, tree: str) -> None:
        super().__init__(path, tree)
        import uproot  # heavy

        self._file: Any = uproot.recreate(path)
        self._tree: Any = None

    def write(self, columns: Columns) -> None:
        """Append a block."""
        if self._tree is None:
            self._tree = self._file.mktree(self.tree, {name: type_of(values) for name, values in columns.items()})
        if len(next(iter(columns.values()))):
            self._tree.extend(dict(columns))

    def close(self) -> None:
        """Finish the file."""
        self._file.close()


class ParquetWriter(EventWriter):
    """A parquet file, one row group a block."""

    def __init__(self, path: Path, tree: str) -> None:
        super().__init__(path, tree)
        self._arrow = optional("pyarrow", "parquet", "parquet output")
        self._parquet = optional("pyarrow.parquet", "parquet", "parquet output")
        self._writer: Any = None

    def write(self, columns: Columns) -> None:
        """Append a block."""
        table = self._arrow.table({name: self._arrow_array(values) for name, values in columns.items()})
        if self._writer is None:
            self._writer = self._parquet.ParquetWriter(self.path, table.schema)
        self._writer.write_table(table)

    def _arrow_array(self, values: Any) -> Any:
        if isinstance(values, np.ndarray) and values.ndim == 1:
            return self._arrow.array(values)
        import awkward as ak  # lists of numbers; uproot has it loaded already

        return ak.to_arrow(ak.Array(values), extensionarray=False)

    def close(self) -> None:
        """Finish the file."""
        if self._writer is not None:
            self._writer.close()


class NpzWriter(EventWriter):
    """A numpy archive; the columns wait in files of their own, so that memory stays small."""

    def __init__(self, path: Path, tree: str) -> None:
        super().__init__(path, tree)
        self._parts: dict[str, BinaryIO] = {}
        self._types: dict[str, np.dtype[Any]] = {}
        self._n_events = 0

    def write(self, columns: Columns) -> None:
        """Append a block."""
        for name, values in columns.items():
            if not isinstance(values, np.ndarray) or values.dtype.hasobject:
                raise InputError(f"{name!r} has lists of different lengths, which .npz cannot hold; write .parquet")
            if name not in self._parts:
                self._parts[name] = self._part(len(self._parts)).open("wb")
                self._types[name] = np.dtype((values.dtype, values.shape[1:]))
            self._parts[name].write(np.ascontiguousarray(values, dtype=self._types[name].base).tobytes())
        self._n_events += len(next(iter(columns.values())))

    def _part(self, number: int) -> Path:
        return self.path.with_name(f"column{number}")

    def close(self) -> None:
        """Put the columns together."""
        self.abandon()
        with zipfile.ZipFile(self.path, "w", zipfile.ZIP_DEFLATED, allowZip64=True) as archive:
            for number, (name, kind) in enumerate(self._types.items()):
                with archive.open(f"{name}.npy", "w", force_zip64=True) as stream:
                    header = {
                        "descr": np.lib.format.dtype_to_descr(kind.base),
                        "fortran_order": False,
                        "shape": (self._n_events, *kind.shape),
                    }
                    np.lib.format.write_array_header_1_0(cast("Any", stream), header)
                    with self._part(number).open("rb") as part:
                        shutil.copyfileobj(part, stream, 1 << 20)

    def abandon(self) -> None:
        """Close the files of the columns."""
        for part in self._parts.values():
            part.close()


WRITERS: Mapping[str, type[EventWriter]] = {".root": RootWriter, ".parquet": ParquetWriter, ".npz": NpzWriter}


@contextmanager
def event_writer(path: str | Path, tree: str) -> Iterator[EventWriter]:
    """Give a writer for a file whose ending tells the format; the file appears when all went well."""
    path = Path(path)
    if path.suffix not in WRITERS:
        raise InputError(f"{path}: the name must end in one of {', '.join(WRITERS)}")
    with (
        folder_for(path),
        tempfile.TemporaryDirectory(dir=path.parent, prefix=f".{path.name[:40]}.") as folder,
    ):
        writer = WRITERS[path.suffix](Path(folder) / path.name, tree)
        try:
            yield writer
        except BaseException:
            writer.abandon()
            raise
        writer.close()
        writer.path.replace(path)
