"""vector, list, deque, array, stack and queue: Python's lists that convert and copy what is put into them."""

from __future__ import annotations

from functools import cmp_to_key
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.compat.branch_values import VectorCalls
from pytmva_bnn.compat.std.exceptions import out_of_range
from pytmva_bnn.compat.std.iterators import Iterator, KeyIterator, Sequential, values_between
from pytmva_bnn.compat.std.types import ElementType, Template, element_type


class Vector(list[Any], VectorCalls, Sequential):
    """``std::vector``; ``ROOT.std.vector["float"]`` is a class derived from it."""

    __slots__ = ()
    type: ClassVar[ElementType] = element_type("double")
    convert: ClassVar[Any] = float

    @classmethod
    def members(cls, spec: Any, *rest: Any) -> dict[str, Any]:
        """Return what a class of a type of elements has."""
        del rest  # allocators and the like
        kind = element_type(spec)
        return {"type": kind, "convert": staticmethod(kind.convert)}

    @classmethod
    def from_value(cls, value: Any) -> Vector:
        """Return a copy of a sequence."""
        return cls(value if not isinstance(value, int) else [value])

    def __init__(self, content: Any = (), value: Any = None) -> None:
        if isinstance(content, int | np.integer):
            super().__init__(self._new(value) for _ in range(content))
        else:
            super().__init__(map(self.convert, self._elements(content, value)))

    def _new(self, value: Any = None) -> Any:
        return self.type.default() if value is None else self.convert(value)

    def _elements(self, content: Any, last: Any) -> Any:
        return values_between(content, last) if last is not None else content

    @property
    def dtype(self) -> np.dtype[Any]:
        return np.dtype(self.type.dtype)

    def __copy__(self) -> Any:
        return type(self)(self)

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(tuple(self))

    def __getitem__(self, index: Any) -> Any:
        try:
            if index >= 0:
                return list.__getitem__(self, index)
        except TypeError:  # a slice
            return list.__getitem__(self, index)
        except IndexError:
            pass
        raise IndexError(f"element [{index}] of a {type(self).__name__} of {len(self)} elements")

    def __setitem__(self, index: Any, value: Any) -> None:
        if isinstance(index, slice):
            list.__setitem__(self, index, [self.convert(element) for element in value])
        elif 0 <= index < len(self):
            list.__setitem__(self, index, self.convert(value))
        else:
            raise IndexError(f"element [{index}] of a {type(self).__name__} of {len(self)} elements")

    def at(self, index: int) -> Any:
        if not 0 <= index < len(self):
            size = f"(which is {index % 2**64}) >= this->size() (which is {len(self)})"
            raise out_of_range(f"vector::_M_range_check: __n {size}")
        return list.__getitem__(self, index)

    def push_back(self, value: Any) -> None:
        self.append(self.convert(value))

    def emplace_back(self, *arguments: Any) -> Any:
        self.append(self._made(arguments))
        return list.__getitem__(self, -1)

    def _made(self, arguments: tuple[Any, ...]) -> Any:
        make: Any = self.type.make
        if make is None:
            return self._new(*arguments)
        is_copy = len(arguments) == 1 and isinstance(arguments[0], make)
        return self.convert(arguments[0]) if is_copy else make(*arguments)

    def pop_back(self) -> None:
        self.pop()

    def resize(self, size: int, value: Any = None) -> None:
        del self[size:]
        self.extend([self._new(value) for _ in range(size - len(self))])

    def assign(self, size: Any, value: Any = None) -> None:
        self[:] = [value] * size if isinstance(size, int) else self._elements(size, value)

    def insert(self, place: Any, value: Any, more: Any = None) -> Any:
        index = place.index if isinstance(place, Iterator) else place
        if isinstance(value, Iterator | KeyIterator):
            values = values_between(value, more)
        elif more is not None:
            values = [more] * value
        else:
            values = value if type(value) is list else [value]
        list.__setitem__(self, slice(index, index), [self.convert(element) for element in values])
        return Iterator(self, index)

    def emplace(self, place: Any, *arguments: Any) -> Any:
        return self.insert(place, self._made(arguments))

    def erase(self, first: Iterator, last: Iterator | None = None) -> Iterator:
        if last is None and not 0 <= first.index < len(self):
            raise IndexError(f"erase at {first.index} of a {type(self).__name__} of {len(self)} elements")
        del self[first.index : first.index + 1 if last is None else last.index]
        return Iterator(self, first.index)

    def swap(self, other: Any) -> None:
        mine, others = list(self), list(other)
        list.__setitem__(self, slice(None), others)
        list.__setitem__(other, slice(None), mine)

    def reserve(self, size: int = 0) -> None:
        """Do nothing: Python's lists grow by themselves."""

    shrink_to_fit = reserve
    capacity = Sequential.size

    def data(self) -> NDArray[Any]:
        return np.asarray(self, dtype=self.dtype)


class Deque(Vector):
    """``std::deque``."""

    __slots__ = ()

    def push_front(self, value: Any) -> None:
        list.insert(self, 0, self.convert(value))

    def emplace_front(self, *arguments: Any) -> None:
        list.insert(self, 0, self._made(arguments))

    def pop_front(self) -> None:
        del self[0]


class List(Deque):
    """``std::list``."""

    __slots__ = ()

    def sort(self, compare: Any = None) -> None:  # type: ignore[override]
        super().sort(key=None if compare is None else ordering(compare))

    def remove(self, value: Any) -> None:
        self.remove_if(lambda element: element == value)

    def remove_if(self, condition: Any) -> None:
        list.__setitem__(self, slice(None), [element for element in self if not condition(element)])

    def unique(self) -> None:
        kept = [element for i, element in enumerate(self) if i == 0 or list.__getitem__(self, i - 1) != element]
        list.__setitem__(self, slice(None), kept)


class Array(Vector):
    """``std::array``: its size is part of the type."""

    __slots__ = ()
    length: ClassVar[int] = 0

    @classmethod
    def members(cls, spec: Any, *rest: Any) -> dict[str, Any]:
        """Return what a class of a type and size has."""
        return {**super().members(spec), "length": int(rest[0])}

    def __init__(self, content: Any = ()) -> None:
        super().__init__(content)
        self.resize(self.length)

    def fill(self, value: Any) -> None:
        self.assign(len(self), value)


class Queue(Deque):
    """``std::queue``."""

    __slots__ = ()
    push = Vector.push_back
    emplace: Any = Vector.emplace_back

    def pop(self) -> None:  # type: ignore[override]
        del self[0]


class Stack(Vector):
    """``std::stack``."""

    __slots__ = ()
    push = Vector.push_back
    emplace: Any = Vector.emplace_back
    top = VectorCalls.back


def ordering(less: Any) -> Any:
    """Return the key by which Python sorts as a comparison of C++ does."""
    return cmp_to_key(lambda a, b: -1 if less(a, b) else 1 if less(b, a) else 0)


def comparison(spec: Any) -> Any:
    """Return the comparison of a container: None is ``<``."""
    if isinstance(spec, str):
        name = spec.removeprefix("std::").partition("<")[0]
        return {"greater": lambda a, b: b < a}.get(name)
    return spec() if isinstance(spec, type) else spec


vector = Template("vector", Vector)
list_ = Template("list", List)
deque = Template("deque", Deque)
array_ = Template("array", Array)
queue = Template("queue", Queue)
stack = Template("stack", Stack)
initializer_list = Template("initializer_list", Vector)
