"""Trees that a macro fills: branches bound to memory, whose values Fill keeps."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from pytmva_bnn.compat.entries import BUFFERS, CellMemory, ListMemory, MembersMemory, Memory, memory_of, text_in
from pytmva_bnn.compat.errors import MacroError, RefusedError
from pytmva_bnn.events.sources import EventSource
from pytmva_bnn.events.sources.text import TYPES

LEAF = re.compile(r"(?P<name>[^/\[\]:]+)(\[(?P<size>\w*)\])?(/(?P<type>\w))?\Z")


class FilledBranch(ABC):
    """A branch of a tree that is being filled; ``values`` has an element for each entry.

    ``nothing`` is the value of an entry that was never filled.
    """

    nothing: Any

    def __init__(self) -> None:
        self.values: list[Any] = []

    @abstractmethod
    def now(self) -> Any:
        """Return the value that Fill would keep."""

    @abstractmethod
    def column(self) -> Any:
        """Return the values of all entries."""

    def keep(self) -> None:
        """Keep the value that the memory has now."""
        self.values.append(self.now())

    def extend(self, values: Iterable[Any]) -> None:
        """Append the values of entries of another tree."""
        self.values.extend(values)

    def padded(self, n_entries: int) -> Any:
        """Return the values of ``n_entries`` entries; those that were filled before the branch was made are zero."""
        filled = len(self.values)
        self.values.extend([self.nothing] * (n_entries - filled))
        column = self.column()[:n_entries]
        del self.values[filled:]  # the branch may still be filled
        return column


class MemoryBranch(FilledBranch):
    """A branch whose values are in memory of the user.

    ``value`` takes them from there, ``as_column`` makes one column of those of all entries; ``leaves`` are the names of
    its leaves if it has several.
    """

    def __init__(
        self,
        memory: Memory,
        value: Callable[[Memory], Any],
        as_column: Callable[[list[Any]], Any],
        nothing: Any,
        leaves: tuple[str, ...] = (),
    ) -> None:
        super().__init__()
        self.memory = memory
        self.leaves = leaves
        self.nothing = nothing
        self._value = value
        self._as_column = as_column

    def now(self) -> Any:
        """Return the value that the memory has now."""
        return self._value(self.memory)

    def column(self) -> Any:
        """Return the values of all entries."""
        return self._as_column(self.values)


def _numbers(memory: Memory, dtype: np.dtype[Any], size: int) -> MemoryBranch:
    """Return a branch of numbers or arrays of fixed size: ``x/F``, ``x[3]/F``."""
    shape = (-1,) if size == 1 else (-1, size)
    nothing = 0 if size == 1 else np.zeros(size)
    return MemoryBranch(
        memory, lambda memory: memory.get(size), lambda values: np.array(values).astype(dtype).reshape(shape), nothing
    )


def _records(memory: Memory, dtype: np.dtype[Any]) -> MemoryBranch:
    """Return a branch with several leaves, ``x/F:n/I``; the memory is a record, an object, or numbers of one type."""
    leaves = dtype.names or ()

    def value(memory: Memory) -> tuple[Any, ...]:
        found = memory.get(len(leaves))
        return tuple(found[0] if isinstance(found, np.ndarray) and found.dtype.names is not None else found)

    nothing = tuple(np.zeros(1, dtype)[0])
    return MemoryBranch(memory, value, lambda values: np.array(values, dtype=dtype), nothing, leaves)


def _text(memory: Memory) -> MemoryBranch:
    """Return a branch of text: ``name/C``."""
    return MemoryBranch(
        memory, lambda memory: text_in(memory.get()), lambda values: np.array(values, dtype=np.str_), nothing=""
    )


def _lists(memory: Memory, dtype: np.dtype[Any] | None, counter: FilledBranch | None = None) -> MemoryBranch:
    """Return a branch of arrays whose size varies: a vector, or ``x[n]/F`` with the size in another branch."""

    def value(memory: Memory) -> Any:
        size = None if counter is None else int(counter.now())
        found = memory.get() if size == 1 else memory.get(size)
        return _plain(found) if dtype is None else np.array(found, dtype=dtype)[:size]

    def as_column(values: list[Any]) -> Any:
        import awkward as ak  # heavy, and only needed for lists

        if dtype is None:
            return ak.Array(values) if values else ak.Array([[0.0]])[:0]
        content = np.concatenate([np.empty(0, dtype), *values]).astype(dtype)
        return ak.unflatten(content, np.array([len(one) for one in values], dtype=np.int64))

    return MemoryBranch(memory, value, as_column, nothing=[])


def _plain(values: Any) -> list[Any]:
    """Return vectors in vectors as lists in lists, which are copies."""
    return [_plain(one) if hasattr(one, "__iter__") and not isinstance(one, str) else one for one in values]


class CopiedBranch(FilledBranch):
    """A branch of a copied tree: it takes the current entry of the original, or what the macro has made of it.

    ROOT: both trees use the same memory, so that a value changed between GetEntry and Fill goes into the copy.
    """

    def __init__(
        self,
        source: Callable[[], EventSource],
        name: str,
        entry: Callable[[], int],
        memory: Callable[[], Memory | None],
        n_entries: int = 0,
    ) -> None:
        super().__init__()
        self._source = source
        self._name = name
        self._entry = entry
        self._bound = memory
        self.values = list(range(n_entries))
        self.nothing = 0  # the first entry of the original
        self._changed: list[Any] = []

    def now(self) -> Any:
        """Return the value in the memory, or that of the entry at which the original tree stands."""
        memory = self._bound()
        return self._all()[max(self._entry(), 0)] if memory is None else self._value_in(memory)

    def keep(self) -> None:
        """Keep the value in the memory, or the number of the entry at which the original tree stands."""
        if self._bound() is None:
            self.values.append(max(self._entry(), 0))
        else:
            self.extend([self.now()])

    def extend(self, values: Iterable[Any]) -> None:
        """Append values that are not the original's."""
        for value in values:
            self._changed.append(value)
            self.values.append(-len(self._changed))

    def _value_in(self, memory: Memory) -> Any:
        if isinstance(memory, ListMemory | CellMemory):
            return memory.get()
        original = self._all()
        if isinstance(original, np.ndarray) and original.dtype.kind not in "UO":
            found = memory.get(int(np.prod(original.shape[1:])) if original.dtype.names is None else None)
            return found[0] if isinstance(found, np.ndarray) and found.dtype.names is not None else found
        now = original[max(self._entry(), 0)]
        return text_in(memory.get()) if isinstance(now, str) else memory.get()[: len(now)]

    def _all(self) -> Any:
        source = self._source()
        if getattr(self, "_read", (None, None))[0] is not source:
            parts = [block.columns[self._name] for block in source.blocks([self._name])]
            self._read = (source, joined(parts))
        return self._read[1]

    def column(self) -> Any:
        """Return the values of all entries."""
        original = self._all()
        if not self._changed:
            return original[self.values]
        if isinstance(original, np.ndarray):
            kind = original.dtype if original.dtype.kind != "U" else np.dtype(np.str_)
            changed = np.array(self._changed, dtype=kind).reshape(-1, *original.shape[1:])
        else:
            import awkward as ak  # the original is one of its arrays already

            changed = ak.Array(self._changed)
            if (kind := _numbers_type(original)) is not None:
                changed = ak.values_astype(changed, kind)
        # the n-th changed value has the number -n: it stands that far from the end, if their order is turned round
        return joined([original, changed[::-1]])[self.values]


def _numbers_type(column: Any) -> Any:
    import awkward as ak  # the column is one of its arrays already

    return None if "str" in str(column.type) else ak.to_numpy(ak.flatten(column, axis=None)).dtype


def joined(parts: list[Any]) -> Any:
    """Return columns one after the other."""
    if len(parts) == 1:
        return parts[0]
    if all(isinstance(part, np.ndarray) for part in parts):
        return np.concatenate(parts)
    import awkward as ak  # one of the parts is one of its arrays already

    return ak.concatenate(parts)


def make_branch(name: str, buffer: Any, leaves: str, known: dict[str, FilledBranch], *, where: str) -> MemoryBranch:
    """Return what ``Branch(name, buffer, leaves)`` means; ``known`` are the branches made before."""
    memory = memory_of(name, buffer)
    parsed = [LEAF.match(leaf) for leaf in leaves.replace(" ", "").split(":")] if leaves else []
    for leaf in parsed:
        if leaf is None or (leaf["type"] or "F") not in {*TYPES, "C"}:
            raise MacroError(
                f"{where}: {leaves!r} does not describe a branch; expected name/type with one of the types "
                f"{', '.join(TYPES)} or C, as in x/F or x[3]/F, and memory such as {BUFFERS}"
            )
    found = [leaf for leaf in parsed if leaf is not None]
    if len(found) > 1:
        return _records(memory, _record_type(found, where=f"{where}: the branch {name}"))
    if isinstance(memory, ListMemory | CellMemory):
        held = buffer[0] if isinstance(memory, CellMemory) else buffer
        if isinstance(held, str):
            return _text(memory)
        dtype = getattr(held, "dtype", np.dtype(np.float64))
        if getattr(dtype, "hasobject", False):
            kind = type(held).__name__
            advice = "which cannot be written here; make it a vector of numbers"
            raise RefusedError(f"{where}: the branch {name} is a {kind}, {advice}")
        return _lists(memory, dtype if isinstance(dtype, np.dtype) else None)
    if not found:
        return _branch_of_memory(memory, where=f"{where}: the branch {name}")
    letter, size = found[0]["type"] or "F", found[0]["size"]
    if letter == "C":
        return _text(memory)
    dtype = np.dtype(TYPES[letter])
    if size is None or size.isdigit():
        if (held := np.size(memory.get())) < int(size or 1):
            raise MacroError(f"the branch {name} needs {size or 1} values, but the memory holds {held}")
        return _numbers(memory, dtype, int(size or 1))
    if size not in known:
        raise MacroError(f"{where}: the size of {leaves!r} is the branch {size}, which must be created first")
    return _lists(memory, dtype, known[size])


def _branch_of_memory(memory: Memory, where: str) -> MemoryBranch:
    """Return the branch whose type is that of the memory."""
    if isinstance(memory, MembersMemory):
        raise RefusedError(f"{where} is an object; name its members and their types, as in 'x/F:n/I'")
    held = np.atleast_1d(np.asarray(memory.get()))
    if held.dtype.kind in "SU":
        return _text(memory)
    if held.dtype.names is not None:
        return _records(memory, held.dtype)
    return _numbers(memory, held.dtype, len(held))


def _record_type(leaves: list[re.Match[str]], where: str) -> np.dtype[Any]:
    fields: list[tuple[Any, ...]] = []
    # ROOT: a leaf without a type has that of the leaf before it
    letter = "F"
    for leaf in leaves:
        letter = leaf["type"] or letter
        size = leaf["size"]
        if letter == "C" or (size is not None and not size.isdigit()):
            raise RefusedError(
                f"{where}: several leaves must be numbers or arrays of fixed size; make a branch for each"
            )
        fields.append((leaf["name"], TYPES[letter], *([(int(size),)] if size else [])))
    return np.dtype(fields)
