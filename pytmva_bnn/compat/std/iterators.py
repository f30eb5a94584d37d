"""Iterators: places in containers, which can be moved, compared, read and written."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from functools import total_ordering
from typing import Any

import numpy as np


class PairAccess:
    """``it->first`` and ``it->second`` of iterators over pairs."""

    __slots__ = ()

    @property
    def first(self: Any) -> Any:
        return self.deref().first

    @property
    def second(self: Any) -> Any:
        return self.deref().second

    @second.setter
    def second(self: Any, value: Any) -> None:
        self.deref().second = value

    def __copy__(self: Any) -> Any:
        return self.moved(0)

    def increment(self: Any, step: int = 1) -> Any:
        moved = self.moved(step)
        for name in self.__slots__:
            setattr(self, name, getattr(moved, name))
        return self

    def decrement(self: Any, step: int = 1) -> Any:
        return self.increment(-step)

    def until(self: Any, end: Any) -> Any:
        """Yield the elements from here to before another place."""
        here = self.moved(0)
        while here != end:
            yield here.deref()
            here.increment()


@total_ordering
class Iterator(PairAccess):
    """A place in a sequence; ``step`` is -1 for the iterators of ``rbegin``."""

    __slots__ = ("container", "index", "step")

    def __init__(self, container: Any, index: int, step: int = 1) -> None:
        self.container = container
        self.index = index
        self.step = step

    def deref(self) -> Any:
        return self[0]

    def assign(self, value: Any) -> None:
        self[0] = value

    def __getitem__(self, offset: int) -> Any:
        place = self.index + offset * self.step
        if not 0 <= place < len(self.container):
            raise IndexError(f"the iterator is at {place}, the container has {len(self.container)} elements")
        return self.container[place]

    def __setitem__(self, offset: int, value: Any) -> None:
        self.container[self.index + offset * self.step] = value

    def increment(self, step: int = 1) -> Iterator:
        self.index += step * self.step
        return self

    def moved(self, offset: int) -> Iterator:
        """Return an iterator further on."""
        return Iterator(self.container, self.index + offset * self.step, self.step)

    __add__ = __radd__ = moved

    def __sub__(self, other: Any) -> Any:
        if isinstance(other, int):
            return self.moved(-other)
        return (self.index - other.index) * self.step if isinstance(other, Iterator) else distance(other, self)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, np.ndarray | array):  # a pointer: what is left behind it tells its place
            return len(self.container) - self.index == len(other)
        same = getattr(other, "container", None) is self.container
        return same and getattr(other, "index", None) == self.index

    def __lt__(self, other: Iterator) -> bool:
        return (other.index - self.index) * self.step > 0

    def base(self) -> Iterator:
        return Iterator(self.container, self.index + 1)

    __hash__ = None  # type: ignore[assignment]


class Sequential:
    """``begin`` and its like for sequences."""

    __slots__ = ()

    def begin(self) -> Any:
        return Iterator(self, 0)

    def end(self: Any) -> Any:
        return Iterator(self, len(self))

    def rbegin(self: Any) -> Any:
        return Iterator(self, len(self) - 1, -1)

    def rend(self) -> Any:
        return Iterator(self, -1, -1)

    cbegin, cend, crbegin, crend = begin, end, rbegin, rend

    def size(self: Any) -> int:
        return len(self)

    def empty(self: Any) -> bool:
        return len(self) == 0


class KeyIterator(PairAccess):
    """A place in a map or set: it stays with its key whatever is put in or taken out."""

    __slots__ = ("container", "hint", "key", "step")

    def __init__(self, container: Any, key: Any, hint: int = 0, step: int = 1) -> None:
        self.container = container
        self.key = key
        self.hint = hint
        self.step = step

    def deref(self) -> Any:
        if self.key is END:
            raise IndexError("the iterator is at the end of the container")
        return self.container.entry(self.key)

    def place(self) -> int:
        """Return the place in the order of the keys."""
        keys = self.container.ordered()
        if self.key is END:
            return len(keys) if self.step > 0 else -1
        if self.hint < len(keys) and keys[self.hint] is self.key:
            return self.hint
        return int(self.container.place(self.key))

    def moved(self, offset: int) -> KeyIterator:
        """Return an iterator further on."""
        place = self.place() + offset * self.step
        keys = self.container.ordered()
        key = keys[place] if 0 <= place < len(keys) else END
        return KeyIterator(self.container, key, place, self.step)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, KeyIterator) or other.container is not self.container:
            return False
        return self.key is other.key or (self.key is not END and other.key is not END and self.key == other.key)

    __hash__ = None  # type: ignore[assignment]


END = object()
"""The key of the place behind the last element."""


class Inserter:
    """``back_inserter`` and its like: what an algorithm writes is put into a container or stream."""

    def __init__(self, put: Callable[[Any], Any]) -> None:
        self.put = put


def values_between(first: Any, last: Any) -> list[Any]:
    """Return the elements of a range of iterators, pointers or arrays."""
    if isinstance(first, Iterator):
        if first.step > 0:
            return list(first.container[first.index : last.index])
        return list(first.container[last.index + 1 : first.index + 1][::-1])
    if isinstance(first, KeyIterator):
        keys = first.container.ordered()
        return [first.container.entry(key) for key in keys[first.place() : last.place() : first.step]]
    start = as_iterator(first)
    return list(start.container[start.index : start.index + distance(first, last)])


def as_iterator(place: Any) -> Any:
    """Return an iterator for a pointer: an array is the place of its first element."""
    if isinstance(place, PairAccess | Inserter):
        return place
    if hasattr(place, "container"):  # a reference
        return Iterator(place.container, place.index)
    return Iterator(place, 0)


def distance(first: Any, last: Any) -> int:
    """Return how far the second iterator is from the first."""
    if isinstance(first, KeyIterator):
        return int((last.place() - first.place()) * first.step)
    if isinstance(first, Iterator) or hasattr(first, "container"):
        return int(last - first)
    if hasattr(last, "container"):
        return int(last.index)
    # pointers into an array are views of the rest of it
    return len(first) - (len(last.container) - last.index if isinstance(last, Iterator) else len(last))
