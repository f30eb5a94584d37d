"""Single entries of a tree: the values of a branch at an entry, and memory that GetEntry fills."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.compat.branch_values import values_by_entry
from pytmva_bnn.compat.errors import MacroError
from pytmva_bnn.events.sources import Block, EventSource

BUFFERS = "array.array('f', [0]), numpy.zeros(1, 'float32'), a ctypes number or ROOT.std.vector('float')()"


class ColumnCursor:
    """The values of one branch, kept block by block: quick from entry to entry, and slow only backwards."""

    def __init__(self, source: EventSource, name: str) -> None:
        self._source = source
        self._name = name
        self._blocks: Iterator[Block] = iter(())
        self._first = self._end = 0
        self._at: Callable[[int], Any] = _nothing
        self._started = False

    def at(self, entry: int) -> Any:
        """Return the value at an entry: a number, text, or an array."""
        if not self._started or entry < self._first:
            self._blocks = self._source.blocks([self._name])
            self._first = self._end = 0
            self._started = True
        while entry >= self._end:
            block = next(self._blocks)
            self._at = values_by_entry(block.columns[self._name])
            self._first, self._end = block.first_entry, block.first_entry + block.n_entries
        return self._at(entry - self._first)


def _nothing(entry: int) -> Any:
    raise IndexError(entry)


class BoundBuffer:
    """Memory given to SetBranchAddress: a view of it as an array, or a list whose content is replaced."""

    def __init__(self, name: str, buffer: Any) -> None:
        self._name = name
        self._list: list[Any] | None = buffer if isinstance(buffer, list) else None
        self._view = np.empty(0) if self._list is not None else view_of(buffer, name)

    def fill(self, value: Any) -> None:
        """Put the value of an entry into the memory; numbers are converted to its type."""
        if self._list is not None:
            self._list[:] = value if isinstance(value, list) else np.atleast_1d(value).tolist()
            return
        if isinstance(value, int | float):  # most branches: no array is made
            self._view[0] = value
            return
        flat = np.ravel(value)
        if len(flat) > len(self._view):
            raise MacroError(
                f"the branch {self._name} has {len(flat)} values in this entry, the memory given to SetBranchAddress "
                f"holds {len(self._view)}"
            )
        self._view[: len(flat)] = flat


def view_of(buffer: Any, name: str) -> NDArray[Any]:
    """Return a writable one-dimensional view of the user's memory."""
    try:
        memory = memoryview(buffer)
        # ctypes writes its formats with the byte order in front, which numpy understands
        view = np.frombuffer(memory, dtype=np.dtype(memory.format))
    except (TypeError, ValueError, BufferError):
        raise MacroError(f"the branch {name}: a {type(buffer).__name__} is not memory; give {BUFFERS}") from None
    if memory.readonly:
        raise MacroError(f"the branch {name}: the memory cannot be written to; give {BUFFERS}")
    return view
