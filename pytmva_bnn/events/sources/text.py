"""Text files as TTree::ReadFile reads them, and CSV files.

The first line names the columns: with their types, ``x/F:y/D:n/I``, or ``x,y,n`` in a CSV file; each further line is
an entry.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from pytmva_bnn._typing import AnyArray
from pytmva_bnn.errors import DatasetError
from pytmva_bnn.events.sources.memory import MemorySource

TYPES = {
    "B": np.int8, "b": np.uint8, "S": np.int16, "s": np.uint16, "I": np.int32, "i": np.uint32,
    "L": np.int64, "l": np.uint64, "F": np.float32, "D": np.float64, "O": np.bool_,
}  # fmt: skip
"""ROOT's letters for the types of numbers."""


def text_source(path: str | Path, name: str = "") -> MemorySource:
    """Read a text file; ``name`` is the tree's name, by default the file's."""
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8-sig", errors="replace")
    except OSError as error:
        raise DatasetError(f"Could not open file: {path} ({error.strerror or error})") from error
    lines = _lines(text)
    number, descriptor = next(lines, (0, ""))
    if not descriptor:
        raise DatasetError(f"{path}: the file is empty; its first line must name the columns, as in x/F:y/F")
    is_csv = path.suffix == ".csv"
    if is_csv and ("," in descriptor or ":" not in descriptor):
        return _csv_source(text, path, name or path.stem)
    types = column_types(descriptor, f"{path}, line {number}")
    rows = []
    for number, line in lines:
        words = (line.replace(",", " ") if is_csv else line).split()  # as ROOT does
        _check_number(len(words), len(types), f"{path}, line {number}")
        rows.append(_numbers(words, f"{path}, line {number}"))
    table = np.array(rows, dtype=np.float64).reshape(len(rows), len(types))
    columns = {column: table[:, i].astype(type_) for i, (column, type_) in enumerate(types.items())}
    return MemorySource.of_mapping(name or path.stem, columns, where=str(path))


def _csv_source(text: str, path: Path, name: str) -> MemorySource:
    lines = csv.reader(io.StringIO(text), skipinitialspace=True)
    header: list[str] = []
    rows = []
    for row in lines:
        if not row:
            continue
        if not header:
            header = [column.strip(" #") for column in row]  # numpy.savetxt makes the header a comment
            continue
        _check_number(len(row), len(header), f"{path}, line {lines.line_num}")
        rows.append(row)
    if all(_is_number(column) for column in header):
        raise DatasetError(f"{path}, line 1: found numbers instead of the names of the columns")
    columns = {column: [row[i] for row in rows] for i, column in enumerate(header)}
    return MemorySource(name, header, lambda column: _typed(columns[column]), len(rows), where=str(path))


def _typed(words: list[str]) -> AnyArray:
    """Return the words of a column as integers, as floating-point numbers (empty ones are missing), or as they are."""
    for kind in (np.int64, np.float64):
        try:
            return np.array([word or "nan" for word in words], dtype=kind)
        except ValueError:
            continue
    return np.array(words)


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True


def _check_number(n_values: int, n_columns: int, where: str) -> None:
    if n_values != n_columns:
        raise DatasetError(f"{where}: {n_values} values, but the first line names {n_columns} columns")


def column_types(descriptor: str, where: str) -> dict[str, type[np.generic]]:
    """Return the columns that the first line names and their types; a column without one has that before it."""
    types: dict[str, type[np.generic]] = {}
    letter = "F"
    for item in descriptor.replace(" ", "").split(":"):
        column, slash, given = item.partition("/")
        letter = given if slash else letter
        if letter not in TYPES or not column or "[" in column:
            raise DatasetError(
                f"{where}: {item!r} does not name a column of numbers; expected name/type with one of the types "
                f"{', '.join(TYPES)}, as in x/F:y/F:n/I"
            )
        types[column] = TYPES[letter]
    return types


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.splitlines(), start=1):
        stripped = line.strip()
        if stripped and not stripped.startswith("#"):
            yield number, stripped


def _numbers(words: list[str], where: str) -> list[float]:
    try:
        return [float(word) for word in words]
    except ValueError as error:
        raise DatasetError(f"{where}: {error}") from None
