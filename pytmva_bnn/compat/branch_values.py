"""What a branch gives at an entry: Python's numbers and text, also as elements of arrays and vectors."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray


class Size(int):
    """A number of elements: numpy's ``.size``, which can also be called as that of a ``std::vector``."""

    def __call__(self) -> int:
        """Return the number."""
        return int(self)


class VectorCalls:
    """Calls of ``std::vector`` for a sequence."""

    __slots__ = ()

    def at(self: Any, index: int) -> Any:
        if not 0 <= index < len(self):
            raise IndexError(f"vector.at({index}): the vector has {len(self)} elements")
        return self[index]

    def front(self) -> Any:
        return self.at(0)

    def back(self: Any) -> Any:
        return self.at(len(self) - 1)

    def empty(self: Any) -> bool:
        return len(self) == 0


class BranchArray(np.ndarray[Any, np.dtype[Any]], VectorCalls):
    """The values of an array or vector branch; its elements are Python's, and results of numpy are numpy's.

    >>> hits = branch_value(np.array([200, 100], dtype=np.uint8))
    >>> sum(hits), hits[0] + hits[1], type(hits[0]).__name__, hits.size(), hits.at(1)
    (300, 300, 'int', 2, 100)
    >>> hits[:1], type(np.asarray(hits)).__name__
    (array([200], dtype=uint8), 'ndarray')
    """

    # numpy's own elements would overflow (uint8) or round (float32) where PyROOT counts with Python's numbers

    def __getitem__(self, key: Any) -> Any:
        found = super().__getitem__(key)
        return found.item() if isinstance(found, np.generic) else found

    def __iter__(self) -> Iterator[Any]:
        # one conversion of all is much quicker than one of each
        return iter(self.tolist()) if self.ndim == 1 else super().__iter__()

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        del context
        return array[()] if return_scalar else np.asarray(array)

    def __repr__(self) -> str:
        return repr(np.asarray(self))

    def __str__(self) -> str:
        return str(np.asarray(self))

    def __reduce__(self) -> Any:
        return np.asarray(self).__reduce__()

    # -- as a std::vector

    @property
    def size(self) -> Size:
        return Size(np.asarray(self).size)


class NestedValues(list[Any], VectorCalls):
    """The values of a vector of vectors of different lengths."""

    def size(self) -> int:
        return len(self)


def as_branch_array(values: NDArray[Any]) -> BranchArray:
    """Return the array with Python's numbers as elements; nothing is copied."""
    return values.view(BranchArray)


def branch_value(value: Any) -> Any:
    """Return a number or text as Python's own, and a list of them as an array with such elements."""
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, str | int | float | bool):
        return value
    try:
        array = np.asarray(value)
    except (TypeError, ValueError):  # vectors of vectors of different lengths
        return NestedValues(branch_value(one) for one in value) if hasattr(value, "__iter__") else value
    return as_branch_array(array) if array.ndim else value


def values_by_entry(column: Any) -> Callable[[int], Any]:
    """Return the function that gives the value of a column, as read from a file, at an entry."""
    parts = _content_and_offsets(column)
    if parts is None:
        return lambda entry: branch_value(column[entry])
    content, offsets = as_branch_array(parts[0]), parts[1]
    return lambda entry: content[offsets[entry] : offsets[entry + 1]]


def _content_and_offsets(column: Any) -> tuple[NDArray[Any], list[int]] | None:
    """Return the numbers of lists one after the other and where each list begins; None for anything else."""
    if isinstance(column, np.ndarray) or not hasattr(column, "layout"):
        return None
    import awkward as ak  # the column is one of its arrays already

    # taking an entry out of an awkward array is a hundred times slower than a slice
    if column.ndim != 2 or "str" in str(column.type) or "char" in str(column.type):
        return None
    try:
        content = ak.to_numpy(ak.flatten(column), allow_missing=False)
        counts = ak.to_numpy(ak.num(column), allow_missing=False)
    except (TypeError, ValueError):
        return None
    return content, np.concatenate([[0], np.cumsum(counts)]).tolist()
