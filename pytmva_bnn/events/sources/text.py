"""Text files as TTree::ReadFile reads them.

The first line names the columns and their types, ``x/F:y/D:n/I``; each further line is an entry.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from pytmva_bnn.errors import DatasetError
from pytmva_bnn.events.sources.memory import MemorySource

TYPES = {
    "B": np.int8, "b": np.uint8, "S": np.int16, "s": np.uint16, "I": np.int32, "i": np.uint32,
    "L": np.int64, "l": np.uint64, "F": np.float32, "D": np.float64, "O": np.bool_,
}  # fmt: skip
"""ROOT's letters for the types of numbers."""


def text_source(path: str | Path, name: str = "") -> MemorySource:
    """Read a text file; ``name`` is the tree's name, by default the file's.

    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "signal.txt"
    >>> _ = path.write_text("x/F:y:n/I\\n# a comment\\n1.5 2 3\\n4 5 6\\n")
    >>> source = text_source(path, "TreeS")
    >>> next(source.blocks(["x", "n"])).columns
    {'x': array([1.5, 4. ], dtype=float32), 'n': array([3, 6], dtype=int32)}
    """
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise DatasetError(f"Could not open file: {path} ({error.strerror or error})") from error
    lines = _lines(text)
    number, descriptor = next(lines, (0, ""))
    if not descriptor:
        raise DatasetError(f"{path}: the file is empty; its first line must name the columns, as in x/F:y/F")
    types = column_types(descriptor, f"{path}, line {number}")
    rows = []
    for number, line in lines:
        words = line.split()
        if len(words) != len(types):
            raise DatasetError(
                f"{path}, line {number}: {len(words)} values, but the first line names {len(types)} columns"
            )
        rows.append(_numbers(words, f"{path}, line {number}"))
    table = np.array(rows, dtype=np.float64).reshape(len(rows), len(types))
    columns = {column: table[:, i].astype(type_) for i, (column, type_) in enumerate(types.items())}
    return MemorySource.of_mapping(name or path.stem, columns, where=str(path))


def column_types(descriptor: str, where: str) -> dict[str, type[np.generic]]:
    """Return the columns that the first line names and their types; a column without one has that before it.

    >>> column_types("x:n/I:m", "file")
    {'x': <class 'numpy.float32'>, 'n': <class 'numpy.int32'>, 'm': <class 'numpy.int32'>}
    """
    types: dict[str, type[np.generic]] = {}
    letter = "F"
    for item in descriptor.replace(" ", "").split(":"):
        column, slash, given = item.partition("/")
        letter = given if slash else letter
        if letter not in TYPES or not column or "[" in column:
            raise DatasetError(
                f"{where}: {item!r} does not name a column of numbers; expected is name/type with a type of "
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
