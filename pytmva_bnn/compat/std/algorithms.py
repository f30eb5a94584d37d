"""The functions of <algorithm> and <numeric> on ranges of iterators, pointers and arrays."""

from __future__ import annotations

import operator
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from typing import Any

from pytmva_bnn.compat.cpp import assign, copied
from pytmva_bnn.compat.cpp.arithmetic import divide, int32, int64, remainder
from pytmva_bnn.compat.cpp.c_library import rand
from pytmva_bnn.compat.std.iterators import Inserter, as_iterator, distance, values_between
from pytmva_bnn.compat.std.pairs import Pair
from pytmva_bnn.compat.std.vectors import ordering


class Functor:
    """``std::greater<int>()`` and its like: ``greater["int"]()`` is the function."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    def __getitem__(self, spec: Any) -> Functor:
        return self

    def __call__(self, *arguments: Any) -> Any:
        return self._function(*arguments) if arguments else self._function


def _store(first: Any, values: list[Any]) -> Any:
    """Write values from a place on, and return the place behind them."""
    place = as_iterator(first)
    if isinstance(place, Inserter):
        for value in values:
            place.put(value)
        return place
    for i, value in enumerate(values):
        place[i] = value
    return place.moved(len(values))


def _reorder(first: Any, values: list[Any]) -> Any:
    """Write elements of a range back in another order: they need no copies."""
    place = as_iterator(first)
    if not isinstance(place.container, list):
        return _store(first, values)
    last = place.index + len(values) * place.step
    where = slice(place.index, last) if place.step > 0 else slice(last + 1, place.index + 1)
    list.__setitem__(place.container, where, values[:: place.step])
    return place.moved(len(values))


def _sort(first: Any, last: Any, compare: Any = None) -> None:
    values = values_between(first, last)
    values.sort(key=None if compare is None else ordering(compare))
    _reorder(first, values)


def _find_if(first: Any, last: Any, condition: Any) -> Any:
    values = values_between(first, last)
    found = next((i for i, value in enumerate(values) if condition(value)), len(values))
    return as_iterator(first).moved(found)


def _accumulate(first: Any, last: Any, start: Any, operation: Any = operator.add) -> Any:
    # C++ counts in the type of the start: with 0 the sum of floats is truncated at each step
    is_int = isinstance(start, int) and not isinstance(start, bool)
    convert = (int32 if -(2**31) <= start < 2**31 else int64) if is_int else None
    for value in values_between(first, last):
        start = operation(start, value)
        if convert is not None and isinstance(start, float):
            start = convert(start)
    return start


def _best(first: Any, last: Any, better: Any) -> Any:
    values = values_between(first, last)
    best = 0
    for i in range(1, len(values)):
        if better(values[i], values[best]):
            best = i
    return as_iterator(first).moved(best)


def _min_element(first: Any, last: Any, less: Any = operator.lt) -> Any:
    return _best(first, last, less)


def _max_element(first: Any, last: Any, less: Any = operator.lt) -> Any:
    return _best(first, last, lambda value, best: less(best, value))


def _keep(first: Any, last: Any, condition: Any) -> Any:
    return _reorder(first, [value for value in values_between(first, last) if condition(value)])


def _unique(first: Any, last: Any, equal: Any = operator.eq) -> Any:
    kept: list[Any] = []
    for value in values_between(first, last):
        if not kept or not equal(kept[-1], value):
            kept.append(value)
    return _reorder(first, kept)


def _bound(bisect: Callable[..., int]) -> Callable[..., Any]:
    def bound(first: Any, last: Any, value: Any, less: Any = None) -> Any:
        values = values_between(first, last)
        if less is None:
            return as_iterator(first).moved(bisect(values, value))
        # the comparison may take an element and a value of another type, each in its place
        if bisect is bisect_left:
            place = sum(1 for element in values if less(element, value))
        else:
            place = sum(1 for element in values if not less(value, element))
        return as_iterator(first).moved(place)

    return bound


lower_bound, upper_bound = _bound(bisect_left), _bound(bisect_right)


def _transform(first: Any, last: Any, *rest: Any) -> Any:
    values = values_between(first, last)
    if len(rest) == 2:
        return _store(rest[0], [rest[1](value) for value in values])
    others = as_iterator(rest[0])
    return _store(rest[1], [rest[2](value, others[i]) for i, value in enumerate(values)])


def _for_each(first: Any, last: Any, function: Any) -> Any:
    for value in values_between(first, last):
        function(value)
    return function


def _generate(first: Any, last: Any, function: Any) -> None:
    _store(first, [function() for _ in range(distance(first, last))])


def _partial_sum(first: Any, last: Any, target: Any, operation: Any = operator.add) -> Any:
    sums: list[Any] = []
    for value in values_between(first, last):
        sums.append(operation(sums[-1], value) if sums else value)
    return _store(target, sums)


def _random_shuffle(first: Any, last: Any) -> None:
    values = values_between(first, last)
    for i in range(1, len(values)):  # libstdc++'s way, so that the order is the same for a seed
        j = rand() % (i + 1)
        values[i], values[j] = values[j], values[i]
    _reorder(first, values)


def _swap(a: Any, b: Any) -> None:
    """Exchange the content of two containers or objects, or the values of two cells."""
    if hasattr(a, "swap"):
        a.swap(b)
    elif hasattr(a, "__getitem__") and not hasattr(a, "first"):
        for i in range(len(a) if hasattr(a, "__len__") else 1):
            a[i], b[i] = b[i], a[i]
    else:
        kept = copied(a)
        assign(a, b)
        assign(b, kept)


def _rotate(first: Any, middle: Any, last: Any) -> Any:
    shift = distance(first, middle)
    values = values_between(first, last)
    _reorder(first, values[shift:] + values[:shift])
    return as_iterator(first).moved(len(values) - shift)


def _holds(first: Any, last: Any, condition: Any) -> list[bool]:
    return [bool(condition(value)) for value in values_between(first, last)]


def _equal(first: Any, last: Any, other: Any, same: Any = operator.eq) -> bool:
    others = as_iterator(other)
    return all(same(value, others[i]) for i, value in enumerate(values_between(first, last)))


ALGORITHMS: dict[str, Any] = {
    "sort": _sort, "stable_sort": _sort, "distance": distance, "swap": _swap, "move": lambda value: value,
    "partial_sort": lambda first, middle, last, *compare: _sort(first, last, *compare),
    "nth_element": lambda first, middle, last, *compare: _sort(first, last, *compare),
    "find": lambda first, last, value: _find_if(first, last, lambda element: element == value),
    "find_if": _find_if, "find_if_not": lambda first, last, holds: _find_if(first, last, lambda e: not holds(e)),
    "count": lambda first, last, value: sum(element == value for element in values_between(first, last)),
    "count_if": lambda first, last, condition: sum(_holds(first, last, condition)),
    "any_of": lambda first, last, condition: any(_holds(first, last, condition)),
    "all_of": lambda first, last, condition: all(_holds(first, last, condition)),
    "none_of": lambda first, last, condition: not any(_holds(first, last, condition)),
    "accumulate": _accumulate, "partial_sum": _partial_sum, "for_each": _for_each, "transform": _transform,
    "inner_product": lambda first, last, other, start: start
    + sum(value * as_iterator(other)[i] for i, value in enumerate(values_between(first, last))),
    "min_element": _min_element, "max_element": _max_element,
    "minmax_element": lambda first, last: Pair(_min_element(first, last), _max_element(first, last)),
    "reverse": lambda first, last: _reorder(first, values_between(first, last)[::-1]) and None,
    "rotate": _rotate, "random_shuffle": _random_shuffle,
    "unique": _unique, "remove": lambda first, last, value: _keep(first, last, lambda element: element != value),
    "remove_if": lambda first, last, condition: _keep(first, last, lambda element: not condition(element)),
    "replace": lambda first, last, old, new: _store(
        first, [new if value == old else value for value in values_between(first, last)]
    ) and None,
    "fill": lambda first, last, value: _store(first, [value] * distance(first, last)) and None,
    "fill_n": lambda first, number, value: _store(first, [value] * number),
    "iota": lambda first, last, start: _store(first, [start + i for i in range(distance(first, last))]) and None,
    "generate": _generate, "copy": lambda first, last, target: _store(target, values_between(first, last)),
    "copy_n": lambda first, number, target: _store(target, [as_iterator(first)[i] for i in range(number)]),
    "copy_if": lambda first, last, target, condition: _store(
        target, [value for value in values_between(first, last) if condition(value)]
    ),
    "lower_bound": lower_bound, "upper_bound": upper_bound,
    "equal_range": lambda *range_: Pair(lower_bound(*range_), upper_bound(*range_)),
    "binary_search": lambda *range_: distance(lower_bound(*range_), upper_bound(*range_)) > 0,
    "is_sorted": lambda first, last: (values := values_between(first, last)) == sorted(values),
    "equal": _equal, "next": lambda place, steps=1: as_iterator(place).moved(steps),
    "prev": lambda place, steps=1: as_iterator(place).moved(-steps),
    "advance": lambda place, steps: place.increment(steps) and None,
    "back_inserter": lambda container: Inserter(container.push_back),
    "front_inserter": lambda container: Inserter(container.push_front),
    "inserter": lambda container, place: Inserter(container.insert),
    "ostream_iterator": Functor(lambda stream, between="": Inserter(lambda value: stream << value << between)),
    "begin": lambda container: container.begin() if hasattr(container, "begin") else as_iterator(container),
    "end": lambda container: container.end() if hasattr(container, "end") else as_iterator(container) + len(container),
    "greater": Functor(operator.gt), "less": Functor(operator.lt), "greater_equal": Functor(operator.ge),
    "less_equal": Functor(operator.le), "equal_to": Functor(operator.eq), "not_equal_to": Functor(operator.ne),
    "plus": Functor(operator.add), "minus": Functor(operator.sub), "multiplies": Functor(operator.mul),
    "divides": Functor(divide), "modulus": Functor(remainder), "negate": Functor(operator.neg),
}  # fmt: skip
"""What <algorithm>, <numeric>, <functional> and <iterator> have."""
