"""An expression, parsed once and evaluated as often as one likes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pytmva_bnn.formula import jagged
from pytmva_bnn.formula.columns import resolve
from pytmva_bnn.formula.errors import FormulaError
from pytmva_bnn.formula.evaluation import is_missing, shape_of, value_of
from pytmva_bnn.formula.functions import CONSTANTS
from pytmva_bnn.formula.jagged import Pairs
from pytmva_bnn.formula.loops import LOOPS
from pytmva_bnn.formula.nodes import Call, Name, Node, walk
from pytmva_bnn.formula.parser import parse
from pytmva_bnn.formula.randoms import RANDOM_NAME
from pytmva_bnn.formula.table import Table, TreeInfo, unknown_branch

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from numpy.typing import ArrayLike, NDArray

BLOCK = 1 << 16
"""Rows evaluated at a time: what lies between fits the processor's cache."""


class Formula:
    """A TTreeFormula expression.

    >>> formula = Formula("sqrt(px^2 + py^2)")
    >>> sorted(formula.branches)
    ['px', 'py']
    >>> formula.evaluate({"px": [3.0, 5.0], "py": [4.0, 12.0]})
    array([ 5., 13.])
    """

    def __init__(self, expression: str) -> None:
        self.expression = expression
        self.tree: Node = parse(expression)

    def __repr__(self) -> str:
        return f"Formula({self.expression!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Formula) and self.tree == other.tree

    def __hash__(self) -> int:
        return hash(self.tree)

    @property
    def branches(self) -> frozenset[str]:
        """The names in the expression that must be branches (``pi`` and ``rndm`` need not be)."""
        return frozenset(node.name for node in self._names() if node.name not in _NEED_NO_BRANCH)

    def branches_of(self, available: Collection[str], *, tree: str = "") -> frozenset[str]:
        """Return those of the branches ``available`` that the expression reads; raise if it needs others."""
        known = frozenset(available)
        found = set()
        for node in self._names():
            branch = resolve(node.name, known, tree)
            if branch is not None:
                found.add(branch[0])
            elif node.name not in _NEED_NO_BRANCH:
                raise unknown_branch(node.name, known, self.expression, node.position)
        return frozenset(found)

    def _names(self) -> Iterable[Name]:
        return (node for node in walk(self.tree) if isinstance(node, Name))

    def evaluate(self, columns: Mapping[str, Any], *, tree: TreeInfo | None = None, n_events: int | None = None) -> Any:
        """Return the value for every entry, float64 ``(n_events,)``.

        If the expression is array-valued (see :meth:`is_jagged`) it is an awkward array with the
        instances of each entry.  An element that an entry lacks is NaN; :meth:`counts` tells it apart.

        ``n_events`` is needed only if the expression uses no column and ``columns`` is empty.
        """
        table = self._table(columns, tree, n_events)
        with np.errstate(all="ignore"):
            if self._is_simple(table):
                return self._evaluate_in_blocks(table)
            shape = shape_of(self.tree, table)
            counts = shape.counts(table.n_events)
            if shape.lengths is None:
                return self._values(table, Pairs(slice(0, table.n_events), 0, counts, table.n_events))
            return jagged.to_awkward(self._values(table, jagged.pairs_of(counts)), counts)

    def is_jagged(self, columns: Mapping[str, Any], *, tree: TreeInfo | None = None) -> bool:
        """Return whether the expression has a value for each element of an array."""
        return shape_of(self.tree, self._table(columns, tree, None)).lengths is not None

    def counts(
        self, columns: Mapping[str, Any], *, tree: TreeInfo | None = None, n_events: int | None = None
    ) -> NDArray[np.int64]:
        """Return the number of instances of every entry (TTreeFormula's Ndata), ``(n_events,)``."""
        table = self._table(columns, tree, n_events)
        with np.errstate(all="ignore"):
            return shape_of(self.tree, table).counts(table.n_events)

    def at(
        self,
        columns: Mapping[str, Any],
        entries: ArrayLike,
        instances: ArrayLike,
        *,
        tree: TreeInfo | None = None,
        n_events: int | None = None,
    ) -> NDArray[np.float64]:
        """Return the values at pairs of entry and instance (TTreeFormula's EvalInstance).

        Scalars are the same at every instance; an array is NaN beyond its end.
        """
        table = self._table(columns, tree, n_events)
        rows, numbers = np.broadcast_arrays(np.asarray(entries, np.int64), np.asarray(instances, np.int64))
        with np.errstate(all="ignore"):
            counts = shape_of(self.tree, table).counts(table.n_events)
            return self._values(table, Pairs(rows, numbers, counts[rows], len(rows)))

    def _table(self, columns: Mapping[str, Any], tree: TreeInfo | None, n_events: int | None) -> Table:
        info = TreeInfo() if tree is None else tree
        needed = self.branches_of(columns, tree=info.name)
        if n_events is None:
            # any column will do if none is needed: in a table all are of one length
            first = next((name for name in columns if name in needed or not needed), None)
            if first is None:
                problem = "the number of events is not known"
                raise FormulaError(problem, expression=self.expression, hint="give n_events")
            n_events = self._length(first, columns[first])
        return Table(self.expression, columns, n_events, info)

    def _length(self, name: str, column: Any) -> int:
        try:
            return len(column)
        except TypeError:
            problem = f"branch {name!r} cannot be used: it is a single value, not one per entry"
            raise FormulaError(problem, expression=self.expression) from None

    def _is_simple(self, table: Table) -> bool:
        """Whether every row can be computed from the same row of scalar columns."""
        for node in walk(self.tree):
            if isinstance(node, Call) and node.name in LOOPS:
                return False
            if isinstance(node, Name) and (
                node.indices or (table.is_branch(node) and table.column(node, node.name).offsets)
            ):
                return False
        return True

    def _values(self, table: Table, pairs: Pairs) -> NDArray[np.float64]:
        values = np.where(is_missing(self.tree, table, pairs), np.nan, value_of(self.tree, table, pairs))
        return np.array(np.broadcast_to(values, (pairs.size,)), dtype=np.float64)

    def _evaluate_in_blocks(self, table: Table) -> NDArray[np.float64]:
        result = np.empty(table.n_events)
        for start in range(0, table.n_events, BLOCK):
            stop = min(start + BLOCK, table.n_events)
            result[start:stop] = value_of(self.tree, table, Pairs(slice(start, stop), 0, 1, stop - start))
        return result


_NEED_NO_BRANCH = frozenset(CONSTANTS) | {RANDOM_NAME}


def evaluate(
    expression: str, columns: Mapping[str, Any], *, tree: TreeInfo | None = None, n_events: int | None = None
) -> Any:
    """Return the value of ``expression`` for every entry of ``columns``; see :meth:`Formula.evaluate`."""
    return Formula(expression).evaluate(columns, tree=tree, n_events=n_events)


def branches(expression: str, available: Collection[str] | None = None, *, tree: str = "") -> frozenset[str]:
    """Return the branches to read for ``expression``; ``available`` are those of the tree, to choose from."""
    formula = Formula(expression)
    return formula.branches if available is None else formula.branches_of(available, tree=tree)


def is_jagged(expression: str, columns: Mapping[str, Any]) -> bool:
    """Return whether ``expression`` has a value for each element of an array; see the class."""
    return Formula(expression).is_jagged(columns)
