"""The table an expression is evaluated on: its columns, and what the special names need to know."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pytmva_bnn.formula.columns import Column, column_of, field_of, resolve
from pytmva_bnn.formula.errors import FormulaError, did_you_mean, shorten
from pytmva_bnn.formula.functions import FUNCTIONS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pytmva_bnn.formula.nodes import Name, Node


@dataclass(frozen=True, slots=True)
class TreeInfo:
    """What the special names need to know of the tree the columns come from.

    ``name`` may stand in front of a branch (``TreeS.var1``).  ``first_entry`` is the number of the
    columns' first row in the tree or chain, ``entries`` how many it has (as many as rows if None); the
    ``local`` ones are the same for a single tree of a chain, and equal those of the chain if None.
    """

    name: str = ""
    first_entry: int = 0
    entries: int | None = None
    local_first_entry: int | None = None
    local_entries: int | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """The columns of an expression; ``cache`` keeps those already brought to one form."""

    expression: str
    columns: Mapping[str, Any]
    n_events: int
    tree: TreeInfo
    cache: dict[str, Column] = field(default_factory=dict)

    @property
    def first_entry(self) -> int:
        """What ``Entry$`` is in the first row."""
        return self.tree.first_entry

    @property
    def local_first_entry(self) -> int:
        """What ``LocalEntry$`` is in the first row."""
        local = self.tree.local_first_entry
        return self.first_entry if local is None else local

    @property
    def entries(self) -> int:
        """What ``Entries$`` is."""
        return self.n_events if self.tree.entries is None else self.tree.entries

    @property
    def local_entries(self) -> int:
        """What ``LocalEntries$`` is."""
        return self.entries if self.tree.local_entries is None else self.tree.local_entries

    def error(self, problem: str, node: Node, hint: str = "") -> FormulaError:
        """Return the error of ``node``."""
        return FormulaError(problem, expression=self.expression, position=node.position, hint=hint)

    def is_branch(self, node: Name) -> bool:
        """Whether ``node`` means one of the columns: those hide the constants of the same name."""
        return resolve(node.name, self.columns, self.tree.name) is not None

    def column(self, node: Node, name: str) -> Column:
        """Return the column called ``name``, which ``node`` asks for."""
        if name not in self.cache:
            self.cache[name] = self._read(node, name)
        return self.cache[name]

    def _read(self, node: Node, name: str) -> Column:
        found = resolve(name, self.columns, self.tree.name)
        if found is None:
            raise unknown_branch(name, self.columns, self.expression, node.position)
        branch, fields = found
        try:
            column = column_of(field_of(self.columns[branch], fields))
        except KeyError:
            problem = f"branch {branch!r} has no member {'.'.join(fields)!r}"
            raise self.error(problem, node, did_you_mean(name, self.columns)) from None
        except TypeError as reason:
            raise self.error(f"branch {shorten(name)!r} cannot be used: {reason}", node) from None
        if column.n_events != self.n_events:
            problem = f"branch {shorten(name)!r} has {column.n_events} entries, others have {self.n_events}"
            raise self.error(problem, node)
        return column


def unknown_branch(name: str, known: Iterable[str], expression: str, position: int) -> FormulaError:
    """Return the error for a name that is no branch, with the nearest one that is."""
    hint = did_you_mean(name, [str(candidate) for candidate in known])
    if name in FUNCTIONS:
        hint = f"{name} is a function, write {name}(…)"
    problem = f"there is no branch {shorten(name)!r}"
    return FormulaError(problem, expression=expression, position=position, hint=hint)
