"""Single entries of a tree: the values of a branch at an entry, and memory that GetEntry fills and Fill reads."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.compat.branch_values import values_by_entry
from pytmva_bnn.compat.errors import MacroError
from pytmva_bnn.compat.null_pointer import NullPointer
from pytmva_bnn.compat.std import std
from pytmva_bnn.events.sources import Block, EventSource

BUFFERS = "array.array('f', [0]), numpy.zeros(1, 'float32'), a ctypes number or ROOT.std.vector('float')()"

ELEMENTS = {
    "f4": "float", "f8": "double", "i1": "char", "u1": "char", "i2": "short", "u2": "unsigned int", "i4": "int",
    "u4": "unsigned int", "i8": "long long", "u8": "unsigned long", "b1": "bool",
}  # fmt: skip
"""The elements of std::vector by numpy's names of their types."""


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


class Memory(ABC):
    """Memory of the user that a branch is bound to."""

    def __init__(self, name: str, buffer: Any) -> None:
        self._name = name
        self._buffer = buffer

    @abstractmethod
    def get(self, size: int | None = None) -> Any:
        """Return the value that is there now: one number for a size of 1, else an array; None means all of it."""

    @abstractmethod
    def set(self, value: Any) -> None:
        """Put the value of an entry there."""


class NumbersMemory(Memory):
    """An array of numbers or of bytes; numbers are converted to its type, text ends with a zero."""

    def __init__(self, name: str, buffer: Any) -> None:
        super().__init__(name, buffer)
        self.view = view_of(buffer, name)

    def get(self, size: int | None = None) -> Any:
        """Return a number or a copy of several."""
        return self.view[0] if size == 1 else self.view[:size].copy()

    def set(self, value: Any) -> None:
        """Put numbers or text there."""
        if isinstance(value, int | float):  # most branches: no array is made
            self.view[0] = value
            return
        if isinstance(value, str):
            if self.view.dtype.kind in "SU":
                self.view[0] = value
                return
            value = np.frombuffer(value.encode() + b"\0", dtype=self.view.dtype)
        elif isinstance(value, tuple) and self.view.dtype.names is not None:  # a branch with several leaves
            self.view[0] = value
            return
        flat = np.ravel(value)
        if len(flat) > len(self.view):
            raise MacroError(
                f"the branch {self._name} has {len(flat)} values in this entry, but the memory given to "
                f"SetBranchAddress holds {len(self.view)}"
            )
        self.view[: len(flat)] = flat


class ListMemory(Memory):
    """A vector or list, whose content is replaced."""

    def get(self, size: int | None = None) -> Any:
        return list(self._buffer)[:size]

    def set(self, value: Any) -> None:
        fill_vector(self._buffer, value)


class CellMemory(Memory):
    """A list of one element that stands for a variable: text, or the pointer to a vector, which may be null."""

    def get(self, size: int | None = None) -> Any:
        """Return the text, or a copy of the vector's elements."""
        value = self._buffer[0]
        if isinstance(value, str):
            return value
        return list(value)[:size] if hasattr(value, "__iter__") else []

    def set(self, value: Any) -> None:
        """Put text there, or fill the vector; without one, make it."""
        if hasattr(self._buffer[0], "push_back"):
            fill_vector(self._buffer[0], value)
        elif isinstance(value, np.ndarray) and value.dtype.str[1:] in ELEMENTS and value.ndim == 1:
            self._buffer[0] = std.vector(ELEMENTS[value.dtype.str[1:]])(value.tolist())
        else:
            self._buffer[0] = value


class ItemMemory(Memory):
    """Anything with an element 0 that can be set: a reference to an element of a vector or to a member."""

    def get(self, size: int | None = None) -> Any:
        del size
        return self._buffer[0]

    def set(self, value: Any) -> None:
        self._buffer[0] = value


class MembersMemory(Memory):
    """An object whose members, in their order, are the leaves of a branch."""

    def get(self, size: int | None = None) -> tuple[Any, ...]:
        members = [np.asarray(one) if hasattr(one, "__len__") else one for one in vars(self._buffer).values()]
        return tuple(members[:size])

    def set(self, value: Any) -> None:
        for name, one in zip(list(vars(self._buffer)), value, strict=False):
            known = getattr(self._buffer, name)
            if hasattr(known, "__setitem__"):
                known[:] = type(known)(known.typecode, one.tolist()) if hasattr(known, "typecode") else one
            else:
                setattr(self._buffer, name, one)


def memory_of(name: str, buffer: Any) -> Memory:
    """Return the memory that a macro gives to Branch or SetBranchAddress."""
    # a list of one element is a variable unless it holds a number
    is_cell = type(buffer) is list and len(buffer) == 1 and not isinstance(buffer[0], int | float)
    if is_cell and (buffer[0] is None or isinstance(buffer[0], str | NullPointer) or hasattr(buffer[0], "push_back")):
        return CellMemory(name, buffer)
    if isinstance(buffer, list) or hasattr(buffer, "push_back"):
        return ListMemory(name, buffer)
    if isinstance(buffer, str):
        raise MacroError(f"the branch {name}: text cannot be changed in place; give a list of one text, ['']")
    try:
        return NumbersMemory(name, buffer)
    except MacroError:
        if hasattr(buffer, "__setitem__"):
            return ItemMemory(name, buffer)
        if isinstance(buffer, bytes | int | float) or not getattr(buffer, "__dict__", None):
            raise
        return MembersMemory(name, buffer)


def fill_vector(content: Any, value: Any) -> None:
    """Replace the elements of a vector or list."""
    elements = value if isinstance(value, list) else np.atleast_1d(value).tolist()
    if isinstance(content, list):
        content[:] = elements
        return
    content.clear()
    for one in elements:
        content.push_back(one)


def view_of(buffer: Any, name: str) -> NDArray[Any]:
    """Return a writable one-dimensional view of the user's memory."""
    if isinstance(buffer, np.ndarray) and buffer.flags.writeable and (buffer.ndim == 1 or buffer.flags.c_contiguous):
        return buffer.reshape(-1)
    try:
        memory = memoryview(buffer)
        # ctypes writes its formats with the byte order in front, which numpy understands
        form = {"<c": "S1", "c": "S1"}.get(memory.format, memory.format)
        view = np.frombuffer(memory, dtype=np.uint8 if form == "S1" else np.dtype(form))
    except (TypeError, ValueError, BufferError):
        raise MacroError(
            f"the branch {name}: a {type(buffer).__name__} cannot be linked as memory; give {BUFFERS}"
        ) from None
    if memory.readonly:
        raise MacroError(f"the branch {name}: the memory is read-only; give {BUFFERS}")
    return view


def text_in(value: Any) -> str:
    """Return the text that memory holds: up to the first zero, as in C."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "".join(value)
    array = np.asarray(value)
    if array.dtype.kind == "U":
        return str(array.reshape(-1)[0])
    return array.tobytes().split(b"\0")[0].decode(errors="replace")
