"""map, set and their unordered and multi forms: Python's dictionaries and sorted lists behind C++'s calls."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from typing import Any, ClassVar

from pytmva_bnn.compat.cpp import Struct
from pytmva_bnn.compat.std.exceptions import out_of_range
from pytmva_bnn.compat.std.iterators import END, KeyIterator, PairAccess, Sequential, values_between
from pytmva_bnn.compat.std.iterators import Iterator as Place
from pytmva_bnn.compat.std.pairs import Pair, pair
from pytmva_bnn.compat.std.types import ElementType, Template, element_type
from pytmva_bnn.compat.std.vectors import comparison, ordering


class Entry(Pair):
    """An element of a map; a new ``second`` goes into the map."""

    __slots__ = ("_map",)

    def __init__(self, owner: Map, key: Any) -> None:
        self._map = owner
        self.first = key

    @property
    def second(self) -> Any:
        return dict.__getitem__(self._map, self.first)

    @second.setter
    def second(self, value: Any) -> None:
        self._map[self.first] = value

    def __copy__(self) -> Any:
        return self._map.pair_type(self.first, self.second)


class KeySorted:
    """The types, order and searches of containers sorted by key."""

    __slots__ = ()
    key_type: ClassVar[ElementType]
    value_type: ClassVar[ElementType | None] = None
    pair_type: ClassVar[Any] = Pair
    less: ClassVar[Any] = None
    sort_key: ClassVar[Any] = None
    is_sorted: ClassVar[bool] = True
    by_order: ClassVar[bool] = False
    """Whether keys are the same if neither is less, not if they are equal."""
    has_values: ClassVar[bool] = False

    @classmethod
    def members(cls, key: Any, *rest: Any) -> dict[str, Any]:
        """Return what a class of some types has."""
        kind = element_type(key)
        made: dict[str, Any] = {"key_type": kind}
        if cls.has_values:
            made |= {"value_type": element_type(rest[0]), "pair_type": pair[key, rest[0]]}
            rest = rest[1:]
        if kind.name.endswith("*"):  # addresses: the order in memory is any order
            made["is_sorted"] = False
        less = comparison(rest[0]) if rest and cls.is_sorted else None
        is_struct = isinstance(kind.make, type) and issubclass(kind.make, Struct)
        if cls.is_sorted and (less is not None or is_struct):
            made["by_order"] = True
        if less is not None:
            made |= {"less": staticmethod(less), "sort_key": staticmethod(ordering(less))}
        return made

    @classmethod
    def from_value(cls, value: Any) -> Any:
        """Return a copy of a sequence of elements."""
        return cls(value)

    def __init__(self, content: Any = (), last: Any = None) -> None:
        super().__init__()
        if not callable(content):  # a comparison is part of the class already
            for element in content if last is None else values_between(content, last):
                self._insert(element)

    def __copy__(self) -> Any:
        return type(self)(self)

    def _insert(self, element: Any) -> Any:
        raise NotImplementedError

    def insert(self, *arguments: Any) -> Any:
        """Insert an element, behind a place as a hint or not, or the elements of a list or range."""
        element = arguments[-1]
        if len(arguments) == 2 and isinstance(element, PairAccess):
            element = values_between(*arguments)
        elif type(element) is not list:
            return self._insert(element)
        for one in element:
            self._insert(one)
        return None

    def emplace(self, *arguments: Any) -> Any:
        return self._insert(arguments if self.has_values else arguments[0])

    def _bound(self, bisect: Callable[..., int], key: Any) -> Any:
        raise NotImplementedError

    def lower_bound(self, key: Any) -> Any:
        return self._bound(bisect_left, key)

    def upper_bound(self, key: Any) -> Any:
        return self._bound(bisect_right, key)

    def equal_range(self, key: Any) -> Pair:
        return Pair(self.lower_bound(key), self.upper_bound(key))

    def _bisected(self, bisect: Callable[..., int], elements: list[Any], key: Any) -> int:
        if self.sort_key is None:
            return bisect(elements, key)
        return bisect(elements, self.sort_key(key), key=self.sort_key)


class Associative(KeySorted, dict[Any, Any], Sequential):
    """A map or set: a dictionary whose keys are sorted when their order matters."""

    __slots__ = ("_order",)

    def __init__(self, content: Any = (), last: Any = None) -> None:
        self._order: list[Any] | None = None
        super().__init__(content, last)

    def ordered(self) -> list[Any]:
        """Return the keys in C++'s order; unordered containers have the order of insertion."""
        if self._order is None or len(self._order) != len(self):
            keys = list(dict.keys(self))
            if self.is_sorted:
                keys.sort(key=self.sort_key)
            self._order = keys
        return self._order

    def place(self, key: Any) -> int:
        """Return the place of a key among the ordered ones."""
        keys = self.ordered()
        return self._bisected(bisect_left, keys, key) if self.is_sorted else keys.index(key)

    def canonical(self, key: Any) -> Any:
        """Return the key in the container that is the same as ``key``, or ``key`` if there is none."""
        key = self.key_type.convert(key)
        if self.by_order and not dict.__contains__(self, key):
            keys = self.ordered()
            place = self._bisected(bisect_left, keys, key)
            if place < len(keys):
                less = self.less(key, keys[place]) if self.less else key < keys[place]
                return key if less else keys[place]
        return key

    def entry(self, key: Any) -> Any:
        """Return the element of a key."""
        return key

    def _put(self, key: Any, value: Any) -> None:
        if not dict.__contains__(self, key):
            self._order = None
        dict.__setitem__(self, key, value)

    def __iter__(self) -> Iterator[Any]:
        return (self.entry(key) for key in list(self.ordered()))

    def __contains__(self, key: object) -> bool:
        return dict.__contains__(self, self.canonical(key))

    contains = __contains__

    def count(self, key: Any) -> int:
        return int(key in self)

    def find(self, key: Any) -> KeyIterator:
        key = self.canonical(key)
        return KeyIterator(self, key) if dict.__contains__(self, key) else self.end()

    def reserve(self, size: int) -> None:
        """Do nothing: dictionaries grow by themselves."""

    def at_place(self, place: int, step: int = 1) -> KeyIterator:
        """Return the iterator of a place among the ordered keys."""
        keys = self.ordered()
        return KeyIterator(self, keys[place] if 0 <= place < len(keys) else END, place, step)

    def begin(self) -> KeyIterator:
        return self.at_place(0)

    def end(self) -> KeyIterator:
        return KeyIterator(self, END)

    def rbegin(self) -> KeyIterator:
        return self.at_place(len(self) - 1, -1)

    def rend(self) -> KeyIterator:
        return KeyIterator(self, END, -1, -1)

    cbegin, cend, crbegin, crend = begin, end, rbegin, rend

    def _bound(self, bisect: Callable[..., int], key: Any) -> KeyIterator:
        return self.at_place(self._bisected(bisect, self.ordered(), self.key_type.convert(key)))

    def erase(self, first: Any, last: Any = None) -> Any:
        if not isinstance(first, KeyIterator):
            key = self.canonical(first)
            known = dict.__contains__(self, key)
            if known:
                self._remove(self.place(key))
            return int(known)
        start = first.place()
        for _ in range(1 if last is None else last.place() - start):
            self._remove(start)
        return self.at_place(start)

    def _remove(self, place: int) -> None:
        keys = self.ordered()
        dict.__delitem__(self, keys[place])
        del keys[place]

    def clear(self) -> None:
        dict.clear(self)
        self._order = None

    def swap(self, other: Any) -> None:
        mine, others = dict(self.items()), dict(other.items())
        for target, content in ((self, others), (other, mine)):
            target.clear()
            dict.update(target, content)


class Map(Associative):
    """``std::map``; ``m[key]`` makes an element if there is none."""

    __slots__ = ()
    has_values = True

    def entry(self, key: Any) -> Entry:
        """Return the element of a key."""
        return Entry(self, key)

    def __missing__(self, key: Any) -> Any:
        key = self.canonical(key)
        if not dict.__contains__(self, key):
            self._put(key, self.value_type.default())  # type: ignore[union-attr]
        return dict.__getitem__(self, key)

    def __setitem__(self, key: Any, value: Any) -> None:
        self._put(self.canonical(key), self.value_type.convert(value))  # type: ignore[union-attr]

    def at(self, key: Any) -> Any:
        key = self.canonical(key)
        if not dict.__contains__(self, key):
            raise out_of_range("map::at" if self.is_sorted else "_Map_base::at")
        return dict.__getitem__(self, key)

    def _insert(self, element: Any) -> Pair:
        key, value = element
        key = self.canonical(key)
        is_new = not dict.__contains__(self, key)
        if is_new:
            self[key] = value
        return Pair(KeyIterator(self, key), is_new)

    try_emplace = KeySorted.emplace

    def insert_or_assign(self, key: Any, value: Any) -> Pair:
        is_new = key not in self
        self[key] = value
        return Pair(self.find(key), is_new)


class Set(Associative):
    """``std::set``."""

    __slots__ = ()

    def _insert(self, element: Any) -> Pair:
        key = self.canonical(element)
        is_new = not dict.__contains__(self, key)
        self._put(key, None)
        return Pair(KeyIterator(self, key), is_new)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Set) and self.ordered() == other.ordered()

    __hash__ = None  # type: ignore[assignment]


class UnorderedMap(Map):
    """``std::unordered_map``, in the order of insertion."""

    __slots__ = ()
    is_sorted = False


class UnorderedSet(Set):
    """``std::unordered_set``, in the order of insertion."""

    __slots__ = ()
    is_sorted = False


class MultiSet(KeySorted, list[Any], Sequential):
    """``std::multiset``: a sorted list."""

    __slots__ = ()

    def key_of(self, element: Any) -> Any:
        """Return what an element is sorted by."""
        return element

    def _bound(self, bisect: Callable[..., int], key: Any) -> Place:
        return Place(self, self._bisected(bisect, [self.key_of(e) for e in self], self.key_type.convert(key)))

    def _insert(self, element: Any) -> Place:
        converted = self.pair_type(*element) if self.has_values else self.key_type.convert(element)
        place = self.upper_bound(self.key_of(converted))
        list.insert(self, place.index, converted)
        return place  # type: ignore[no-any-return]

    def count(self, key: Any) -> int:
        return int(self.upper_bound(key) - self.lower_bound(key))

    def find(self, key: Any) -> Any:
        return self.lower_bound(key) if self.count(key) else self.end()

    def erase(self, first: Any, last: Any = None) -> Any:
        if not isinstance(first, Place):
            start, end = self.equal_range(first)
            del self[start.index : end.index]
            return end.index - start.index
        del self[first.index : first.index + 1 if last is None else last.index]
        return Place(self, first.index)


class MultiMap(MultiSet):
    """``std::multimap``: a list of pairs sorted by key."""

    __slots__ = ()
    has_values = True

    def key_of(self, element: Any) -> Any:
        """Return the key of a pair."""
        return element.first


map_ = Template("map", Map)
unordered_map = Template("unordered_map", UnorderedMap)
multimap = Template("multimap", MultiMap)
unordered_multimap = Template("unordered_multimap", MultiMap)
set_ = Template("set", Set)
unordered_set = Template("unordered_set", UnorderedSet)
multiset = Template("multiset", MultiSet)
