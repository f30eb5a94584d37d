"""Trees that a macro fills: branches bound to memory, whose values Fill keeps."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.compat.entries import BUFFERS, view_of
from pytmva_bnn.compat.errors import MacroError, RefusedError
from pytmva_bnn.compat.std.vectors import Vector
from pytmva_bnn.events.sources.text import TYPES

if TYPE_CHECKING:
    from pytmva_bnn.compat.reading import ReadableTree

LEAF = re.compile(r"(?P<name>[^/\[\]:]+)(\[(?P<size>\w*)\])?(/(?P<type>\w))?\Z")


class FilledBranch(ABC):
    """A branch of a tree that is being filled."""

    @abstractmethod
    def keep(self) -> None:
        """Keep the value that the memory has now."""

    @abstractmethod
    def column(self) -> Any:
        """Return the values of all entries."""

    @abstractmethod
    def empty_type(self) -> Any:
        """Return the type of the values in the words of uproot."""


class NumbersBranch(FilledBranch):
    """Numbers or arrays of fixed size: ``x/F``, ``x[3]/F``."""

    def __init__(self, name: str, buffer: Any, dtype: np.dtype[Any], size: int) -> None:
        self._view = view_of(buffer, name)
        self._dtype = dtype
        self._size = size
        self._values: list[Any] = []
        if len(self._view) < size:
            raise MacroError(f"the branch {name} needs {size} values, the memory holds {len(self._view)}")

    def keep(self) -> None:
        """Keep the value that the memory has now."""
        self._values.append(self._view[0] if self._size == 1 else self._view[: self._size].copy())

    def column(self) -> NDArray[Any]:
        """Return the values of all entries, ``(n_entries,)`` or ``(n_entries, size)``."""
        shape = (len(self._values),) if self._size == 1 else (len(self._values), self._size)
        return np.asarray(self._values).astype(self._dtype).reshape(shape)

    def empty_type(self) -> np.dtype[Any]:
        """Return the type of the numbers."""
        return self._dtype if self._size == 1 else np.dtype((self._dtype, (self._size,)))


class ListsBranch(FilledBranch):
    """Arrays whose size varies: a vector, or ``x[n]/F`` with the size in another branch."""

    def __init__(self, name: str, buffer: Any, dtype: np.dtype[Any], counter: NDArray[Any] | None = None) -> None:
        self._list: list[Any] | None = buffer if isinstance(buffer, list) else None
        self._view = np.empty(0) if self._list is not None else view_of(buffer, name)
        self._counter = counter
        self._dtype = dtype
        self._values: list[NDArray[Any]] = []

    def keep(self) -> None:
        """Keep the values that the memory has now."""
        if self._list is not None:
            self._values.append(np.array(self._list, dtype=self._dtype))
        else:
            number = len(self._view) if self._counter is None else int(self._counter[0])
            self._values.append(self._view[:number].astype(self._dtype))

    def column(self) -> Any:
        """Return the lists of all entries as an awkward array."""
        import awkward as ak  # heavy, and only needed for lists

        content = np.concatenate([np.empty(0, self._dtype), *self._values])
        return ak.unflatten(content, np.array([len(values) for values in self._values], dtype=np.int64))

    def empty_type(self) -> str:
        """Return the type of the lists."""
        return f"var * {self._dtype.name}"


class CopiedBranch(FilledBranch):
    """A branch of a tree made by CloneTree: it takes the current entry of the tree that it is a copy of."""

    def __init__(self, original: ReadableTree, name: str) -> None:
        self._original = original
        self._name = name
        self._entries: list[int] = []

    def keep(self) -> None:
        """Keep the number of the entry that the original tree stands at."""
        self._entries.append(self._original.GetReadEntry())

    def column(self) -> Any:
        """Return the values of the kept entries."""
        source = self._original._source()
        parts = [block.columns[self._name] for block in source.blocks([self._name])]
        if all(isinstance(part, np.ndarray) for part in parts):
            return np.concatenate(parts)[self._entries]
        import awkward as ak  # the source has it loaded already

        return ak.concatenate(parts)[self._entries]

    def empty_type(self) -> np.dtype[Any]:
        """Return the type of the numbers, as far as it is known without an entry."""
        return np.dtype(np.float32)


def make_branch(name: str, buffer: Any, leaves: str, counters: dict[str, Any], *, where: str) -> FilledBranch:
    """Return what ``Branch(name, buffer, leaves)`` means; ``counters`` is the memory of the branches made before."""
    if isinstance(buffer, list):
        dtype = buffer.dtype if isinstance(buffer, Vector) else np.dtype(np.float64)
        if dtype.hasobject:
            raise RefusedError(
                f"{where}: the branch {name} is a {type(buffer).__name__}, which cannot be written here; "
                "make it a vector of numbers"
            )
        return ListsBranch(name, buffer, dtype)
    if not leaves:
        view = view_of(buffer, name)
        return NumbersBranch(name, buffer, view.dtype, len(view))
    if ":" in leaves:
        raise RefusedError(
            f"{where}: the branch {name} has several leaves ({leaves}), which cannot be written here; make a branch "
            "for each"
        )
    found = LEAF.match(leaves.replace(" ", ""))
    letter = (found["type"] or "F") if found is not None else ""
    if found is None or letter not in TYPES:
        raise MacroError(
            f"{where}: {leaves!r} does not describe a branch; expected is name/type with a type of {', '.join(TYPES)}, "
            f"as in x/F or x[3]/F, and memory such as {BUFFERS}"
        )
    dtype, size = np.dtype(TYPES[letter]), found["size"]
    if size is None or size.isdigit():
        return NumbersBranch(name, buffer, dtype, int(size or 1))
    if size not in counters:
        raise MacroError(f"{where}: the size of {leaves!r} is the branch {size}, which must be made before")
    return ListsBranch(name, buffer, dtype, view_of(counters[size], size))
