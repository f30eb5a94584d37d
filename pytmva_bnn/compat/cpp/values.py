"""Copies, references and cells: what C++ does with variables and Python does not."""

from __future__ import annotations

from typing import Any

import numpy as np

from pytmva_bnn.compat.cpp.arithmetic import int8, int16, int32, int64, uint8, uint16, uint32, uint64

WRAPS = {"b": int8, "h": int16, "i": int32, "l": int64, "q": int64, "B": uint8, "H": uint16, "I": uint32, "L": uint64}


class Thrown(Exception):  # noqa: N818 - it is whatever the macro throws
    """What ``throw 5`` raises; the value is ``.value``.  ``is_c_string`` tells a ``const char*`` from a std::string."""

    def __init__(self, value: Any, *, is_c_string: bool = False) -> None:
        super().__init__(value)
        self.value = value
        self.is_c_string = is_c_string


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
        for name, value in list(vars(source).items()):
            _assign_member(target, name, value)
    elif hasattr(target, "assign_from"):
        target.assign_from(source)
    elif isinstance(target, dict):
        kept = list(source)
        target.clear()
        target.insert(kept)  # type: ignore[attr-defined]
    elif hasattr(target, "first") and not hasattr(target, "deref"):
        target.first, target.second = copied(source.first), copied(source.second)
    else:
        target[:] = source


def _assign_member(target: Struct, name: str, value: Any) -> None:
    """Copy a member; arrays, cells and objects that exist are changed in place, as branches may be bound to them."""
    current: Any = vars(target).get(name)
    if name in target._pointers:  # the pointers are copied, also those of an array, not what they point to
        if type(value) is list and type(current) is list:
            current[:] = _same_pointers(value)
        else:
            setattr(target, name, _same_pointers(value))
    elif current is value or type(current) is not type(value) or isinstance(value, float | int | str):
        setattr(target, name, copied(value))
    elif type(value) is list and len(value) == len(current) and value and isinstance(value[0], Struct):
        for one, new in zip(current, value, strict=True):
            assign(one, new)
    elif isinstance(value, Struct):
        assign(current, value)
    elif hasattr(value, "__setitem__") and hasattr(kind := type(value), "__len__") and not isinstance(value, dict):
        current[:] = copied(value) if kind is list else value
    else:
        setattr(target, name, copied(value))


def _same_pointers(value: Any) -> Any:
    return [_same_pointers(element) for element in value] if type(value) is list else value


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

    def __getitem__(self, offset: Any) -> Any:
        if isinstance(offset, slice):
            return list(self.container)[self.index :][offset]
        return self.container[self.index + offset if offset else self.index]

    def __len__(self) -> int:
        return len(self.container) - self.index if isinstance(self.index, int) else 1

    def __bool__(self) -> bool:
        return True

    def __setitem__(self, offset: int, value: Any) -> None:
        self.container[self.index + offset if offset else self.index] = value

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        """Return the numbers from here on: ``TGraph(n, &x[0], &y[0])``."""
        return np.array(self[:] if isinstance(self.index, int) else [self[0]], dtype)

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
    if isinstance(numbers, list):  # a vector: its element is read and written where it is
        return Ref(numbers, index)
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
