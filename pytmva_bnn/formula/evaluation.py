"""The value of a tree on columns.

Two functions walk the tree: :func:`shape_of` tells how many instances it has in each entry, and
:func:`value_of` computes it on given pairs of entry and instance, all at once.  Everything is float64,
whatever the type of the columns.
"""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

import numpy as np

from pytmva_bnn._typing import BoolArray, FloatArray, IntArray
from pytmva_bnn.formula import jagged
from pytmva_bnn.formula.errors import shorten
from pytmva_bnn.formula.functions import CONSTANTS, FUNCTIONS
from pytmva_bnn.formula.integers import to_int64
from pytmva_bnn.formula.jagged import SCALAR, Pairs, Shape
from pytmva_bnn.formula.loops import LOOPS
from pytmva_bnn.formula.nodes import (
    Call,
    Conditional,
    Name,
    Node,
    Number,
    Operation,
    Parameter,
    Prefix,
    Special,
    children,
)
from pytmva_bnn.formula.operators import BY_SYMBOL, PREFIXES
from pytmva_bnn.formula.randoms import RANDOM_NAME, draw
from pytmva_bnn.formula.table import Table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

    from pytmva_bnn.formula.columns import Column


def entry_zero(table: Table) -> Pairs:
    """Return all entries, each at instance 0."""
    return Pairs(slice(0, table.n_events), 0, 1, table.n_events)


# -- how many instances ----------------------------------------------------------------------------------


def shape_of(node: Node, table: Table) -> Shape:
    """Return how many instances ``node`` has in each entry."""
    match node:
        case Name() if table.is_branch(node):
            return _shape_of_branch(node, table)
        case Call() if node.name in LOOPS:
            # TTreeFormula: loops have one value an entry.  Alt$ too: it never lacks an instance
            return SCALAR
        case _:
            return reduce(Shape.joined, (shape_of(child, table) for child in children(node)), SCALAR)


def _shape_of_branch(node: Name, table: Table) -> Shape:
    column = table.column(node, node.name)
    indices = [None if index is None else shape_of(index, table) for index in node.indices]
    shape = reduce(Shape.joined, (index for index in indices if index is not None), SCALAR)
    opened = jagged.open_dimension(indices, len(column.offsets))
    if opened is None and (not node.indices or shape.lengths is not None):
        return shape  # a scalar, or elements picked by an array of indices
    if opened is not None and shape.lengths is not None:
        raise table.error("an array can be the index only where all dimensions are indexed", node)
    entries = np.arange(table.n_events, dtype=np.int64)
    values = _indices(node.indices[:opened], table, entry_zero(table))
    place = jagged.descend(column, entries, values)
    missing = None if place.valid.all() else ~place.valid
    if opened is None:
        return shape.joined(Shape(None, missing))
    after = node.indices[opened + 1 :]
    if any(index is not None for index in after):
        if None in after or len(node.indices) < len(column.offsets):
            raise table.error("only one dimension may be left open between indices", node)
    else:
        place = jagged.flattened(column, place, opened + 1)
    return shape.joined(Shape(np.where(place.valid, place.last - place.first, 0), missing))


def _indices(nodes: Iterable[Node | None], table: Table, pairs: Pairs) -> list[IntArray]:
    """Return the values of the indices; an empty ``[]`` behind the last dimension is 0."""
    return [np.zeros((), np.int64) if node is None else to_int64(value_of(node, table, pairs)) for node in nodes]


# -- the values ------------------------------------------------------------------------------------------


def value_of(node: Node, table: Table, pairs: Pairs) -> FloatArray:
    """Return the value of ``node`` for each of ``pairs``, or one number if it is the same for all."""
    match node:
        case Number():
            return np.array(node.value)
        case Name():
            return _value_of_name(node, table, pairs)
        case Special():
            return SPECIAL_VALUES[node.name](table, pairs)
        case Parameter():
            return _value_of_parameter(node, table, pairs)
        case Prefix():
            return PREFIXES[node.symbol](value_of(node.operand, table, pairs))
        case Operation():
            operator = BY_SYMBOL[node.symbol]
            return operator.fold(value_of(operand, table, pairs) for operand in operator.order(node.operands))
        case Conditional():
            return np.where(
                np.not_equal(value_of(node.condition, table, pairs), 0.0),
                value_of(node.yes, table, pairs),
                value_of(node.no, table, pairs),
            )
        case Call() if node.name in LOOPS:
            return LOOP_VALUES[node.name](node, table, pairs)
        case Call():
            arguments = [value_of(argument, table, pairs) for argument in node.arguments]
            return FUNCTIONS[node.name].compute(*arguments)


def _value_of_name(node: Name, table: Table, pairs: Pairs) -> FloatArray:
    if not node.indices and not table.is_branch(node):
        if node.name in CONSTANTS:
            return np.array(CONSTANTS[node.name])
        if node.name == RANDOM_NAME:
            return draw(pairs.size)
    return _value_of_branch(node, table.column(node, node.name), table, pairs)


def _value_of_parameter(node: Parameter, table: Table, pairs: Pairs) -> FloatArray:
    name = f"[{node.name}]"
    if name in table.columns:
        column = table.column(node, name)
        if column.offsets:
            raise table.error(f"the parameter {shorten(name)} is an array", node)
        return _row_values(column, pairs)
    if node.name == "0":
        return np.array(1.0)  # TTreeFormula: [0]*x is x
    raise table.error(f"the parameter {shorten(name)} has no value", node)


def _row_values(column: Column, pairs: Pairs) -> FloatArray:
    return column.content[pairs.entries].astype(np.float64)


def _value_of_branch(node: Name, column: Column, table: Table, pairs: Pairs) -> FloatArray:
    if not column.offsets and not node.indices:
        return _row_values(column, pairs)
    return jagged.pick(column, *_places(node, column, table, pairs))


def _places(node: Name, column: Column, table: Table, pairs: Pairs) -> tuple[IntArray, BoolArray]:
    """Return where in the column the elements are, and which of them there are."""
    opened = jagged.open_dimension(node.indices, len(column.offsets))
    entries = jagged.numbers_of(pairs.entries)
    before = _indices(node.indices[:opened], table, pairs)
    if opened is None:
        place = jagged.descend(column, entries, before)
        return place.first, place.valid
    after = node.indices[opened + 1 :]
    if any(index is not None for index in after):
        current = np.asarray(pairs.instances)
        place = jagged.descend(column, entries, [*before, current, *_indices(after, table, pairs)])
        return place.first, place.valid
    place = jagged.flattened(column, jagged.descend(column, entries, before), opened + 1)
    positions = place.first + pairs.instances
    return positions, place.valid & (positions < place.last)


# -- what is missing -------------------------------------------------------------------------------------


def is_missing(node: Node, table: Table, pairs: Pairs) -> NDArray[np.bool_]:
    """Return where the value needs an element that its array does not have; it is NaN there as a whole.

    What ``&&``, ``||`` and ``?:`` do not look at is not needed: ``Length$(v) > 1 && v[1] > 0`` misses nothing.
    """
    match node:
        case Name() if table.is_branch(node):
            column = table.column(node, node.name)
            if not column.offsets and not node.indices:
                return _NOTHING
            return ~_places(node, column, table, pairs)[1]
        case Operation(symbol="&&" | "||"):
            return _missing_in_turn(node, table, pairs)
        case Conditional():
            condition = np.not_equal(value_of(node.condition, table, pairs), 0.0)
            yes, no = (is_missing(one, table, pairs) for one in (node.yes, node.no))
            return np.asarray(is_missing(node.condition, table, pairs) | np.where(condition, yes, no))
        case Call() if node.name in LOOPS:
            return _NOTHING
        case _:
            return reduce(np.logical_or, (is_missing(child, table, pairs) for child in children(node)), _NOTHING)


def _missing_in_turn(node: Operation, table: Table, pairs: Pairs) -> NDArray[np.bool_]:
    missing, looked_at = _NOTHING, np.ones((), dtype=np.bool_)
    for operand in node.operands:
        missing = missing | (looked_at & is_missing(operand, table, pairs))
        holds = np.not_equal(value_of(operand, table, pairs), 0.0)
        looked_at = looked_at & (holds if node.symbol == "&&" else ~holds)
    return missing


_NOTHING = np.zeros((), dtype=np.bool_)


# -- special names ---------------------------------------------------------------------------------------


def _entry(first: int, pairs: Pairs) -> FloatArray:
    return (first + jagged.numbers_of(pairs.entries)).astype(np.float64)


SPECIAL_VALUES: dict[str, Callable[[Table, Pairs], FloatArray]] = {
    "Entry$": lambda table, pairs: _entry(table.first_entry, pairs),
    "LocalEntry$": lambda table, pairs: _entry(table.local_first_entry, pairs),
    "Entries$": lambda table, _: np.array(float(table.entries)),
    "LocalEntries$": lambda table, _: np.array(float(table.local_entries)),
    "Length$": lambda _, pairs: np.asarray(pairs.lengths).astype(np.float64),
    "Iteration$": lambda _, pairs: np.asarray(pairs.instances).astype(np.float64),
}


# -- loops over instances --------------------------------------------------------------------------------


def _all_instances(nodes: tuple[Node, ...], table: Table) -> tuple[Pairs, list[FloatArray]]:
    """Return all instances that ``nodes`` have together, and the nodes' values on them."""
    shape = reduce(Shape.joined, (shape_of(node, table) for node in nodes), SCALAR)
    inside = jagged.pairs_of(shape.counts(table.n_events))
    return inside, [np.broadcast_to(value_of(node, table, inside), (inside.size,)) for node in nodes]


def _length(node: Call, table: Table, pairs: Pairs) -> FloatArray:
    counts = shape_of(node.arguments[0], table).counts(table.n_events)
    return counts[pairs.entries].astype(np.float64)


def _sum(node: Call, table: Table, pairs: Pairs) -> FloatArray:
    inside, (values,) = _all_instances(node.arguments, table)
    return jagged.sum_by_entry(values, jagged.numbers_of(inside.entries), table.n_events)[pairs.entries]


def _extreme(function: np.ufunc) -> Callable[[Call, Table, Pairs], FloatArray]:
    """Return Min$ or Max$, and with a second argument MinIf$ or MaxIf$."""

    def compute(node: Call, table: Table, pairs: Pairs) -> FloatArray:
        inside, (values, *conditions) = _all_instances(node.arguments, table)
        entries = jagged.numbers_of(inside.entries)
        for condition in conditions:
            passed = np.not_equal(condition, 0.0)
            values, entries = values[passed], entries[passed]
        return jagged.extreme_by_entry(function, values, entries, table.n_events)[pairs.entries]

    return compute


def _alternative(node: Call, table: Table, pairs: Pairs) -> FloatArray:
    primary, alternate = node.arguments
    counts = shape_of(primary, table).counts(table.n_events)[pairs.entries]
    # TTreeFormula: from instance 1 on, a single value is not available either
    available = np.less(pairs.instances, counts)
    return np.where(available, value_of(primary, table, pairs), value_of(alternate, table, pairs))


LOOP_VALUES: dict[str, Callable[[Call, Table, Pairs], FloatArray]] = {
    "Length$": _length,
    "Sum$": _sum,
    "Min$": _extreme(np.minimum),
    "Max$": _extreme(np.maximum),
    "MinIf$": _extreme(np.minimum),
    "MaxIf$": _extreme(np.maximum),
    "Alt$": _alternative,
}
