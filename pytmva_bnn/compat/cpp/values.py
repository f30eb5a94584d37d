"""Copies, references and cells: what C++ does with variables and Python does not."""

from __future__ import annotations

from typing import Any

import numpy as np

from pytmva_bnn.compat.cpp.arithmetic import int8, int16, int32, int64, uint8, uint16, uint32, uint64

WRAPS = {"b": int8, "h": int16, "i": int32, "l": int64, "q": int64, "B": uint8, "H": uint16, "I": uint32, "L": uint64}


class Thrown(Exception):  # noqa: N818 - it is whatever the macro throws
    """What ``throw 5`` raises; the value is ``.value``."""

    def __init__(self, value: Any) -> None:
        super().__init__(value)
        self.value = value


class Struct:
    """The base of a macro's own classes: copied member by member; members in ``_pointers`` are shared by copies.

    >>> class Point(Struct):
    ...     def __init__(self, x=0.0):
    ...         self.x, self.history = x, [1]
    >>> p = Point(2.5); q = copied(p); q.history[0] = 7
    >>> q.x, p.history
    (2.5, [1])
    """

    _pointers: tuple[str, ...] = ()

    def __copy__(self) -> Any:
        made = type(self).__new__(type(self))
        assign(made, self)
        return made


def copied(value: Any) -> Any:
    """Return a copy of what C++ copies (containers, structs, arrays in them), and anything else as it is."""
    if isinstance(value, float | int | str):
        return value
    kind = type(value)
    if kind is list:
        return [copied(element) for element in value]
    if hasattr(kind, "__copy__"):
        return value.__copy__()
    # an object of the real PyROOT has its copy constructor
    return kind(value) if hasattr(kind, "__cpp_name__") else value


def assign(target: Any, source: Any) -> None:
    """Copy the content of ``source`` into ``target``, as ``*p = x`` and assignments to references do."""
    if target is source:
        return
    if isinstance(target, Struct):
        shared = target._pointers
        for name, value in list(vars(source).items()):
            setattr(target, name, value if name in shared else copied(value))
    elif isinstance(target, dict):
        kept = list(source)
        target.clear()
        target.insert(kept)  # type: ignore[attr-defined]
    elif hasattr(target, "first") and not hasattr(target, "deref"):
        target.first, target.second = copied(source.first), copied(source.second)
    else:
        target[:] = source


class CharCell(list[str]):
    """A cell of type ``char``: ``stream >> cell`` reads one character."""

    def __init__(self, character: str = "\0") -> None:
        super().__init__([character])


class Ref:
    """A reference to an element or member, read and written as ``r[0]``; also a pointer that can be moved."""

    __slots__ = ("container", "index")

    def __init__(self, container: Any, index: Any) -> None:
        self.container = container
        self.index = index

    def __getitem__(self, offset: int) -> Any:
        return self.container[self.index + offset if offset else self.index]

    def __setitem__(self, offset: int, value: Any) -> None:
        self.container[self.index + offset if offset else self.index] = value

    def __add__(self, offset: int) -> Ref:
        return type(self)(self.container, self.index + offset)

    def __sub__(self, other: Any) -> Any:
        return self.index - other.index if isinstance(other, Ref) else self + -other

    def __eq__(self, other: object) -> bool:
        return getattr(other, "container", None) is self.container and getattr(other, "index", None) == self.index

    def __hash__(self) -> int:
        return hash((id(self.container), self.index))


class MemberRef(Ref):
    """A reference to a member of an object."""

    __slots__ = ()

    def __getitem__(self, offset: int) -> Any:
        return getattr(self.container, self.index)

    def __setitem__(self, offset: int, value: Any) -> None:
        setattr(self.container, self.index, value)


def ref(container: Any, index: Any) -> Ref:
    """Return a reference to an element of a container or, by its name, to a member of an object."""
    if isinstance(container, dict):
        container[index]  # as in C++, asking for an element makes it
        return Ref(container, index)
    is_member = isinstance(index, str)
    return MemberRef(container, index) if is_member else Ref(container, index)


def address(memory: Any, index: int = 0) -> Any:
    """Return ``&memory[index]``."""
    return memory + index if isinstance(memory, Ref) else Ref(memory, index)


def memory(numbers: Any, index: int = 0) -> Any:
    """Return the memory of an array from an element on, for what reads and writes memory: branches, the Reader."""
    if isinstance(numbers, Ref):
        numbers, index = numbers.container, numbers.index + index
    return (numbers if isinstance(numbers, np.ndarray) else np.frombuffer(numbers, numbers.typecode))[index:]


def _step(cell: Any, step: int) -> tuple[Any, Any]:
    """Return a value, or iterator, before and after a step."""
    if hasattr(cell, "increment"):
        return copied(cell), cell.increment(step)
    value = cell[0]
    changed = chr(ord(value) + step & 255) if isinstance(value, str) else value + step
    try:
        cell[0] = changed
    except OverflowError:  # array.array raises where C++ wraps around
        cell[0] = WRAPS[cell.typecode](changed)
    return value, cell[0]


# x++, x--, ++x and --x of cells, references and iterators


def post_increment(cell: Any) -> Any:
    return _step(cell, 1)[0]


def post_decrement(cell: Any) -> Any:
    return _step(cell, -1)[0]


def pre_increment(cell: Any) -> Any:
    return _step(cell, 1)[1]


def pre_decrement(cell: Any) -> Any:
    return _step(cell, -1)[1]


def read_line(cell: Any, stream: Any, skip_white: bool = True) -> Any:
    """Do ``TString::ReadLine``, which passes over white space in front of the line, and return the stream."""
    if skip_white:
        stream.skip_white()
    return stream.getline(cell)
