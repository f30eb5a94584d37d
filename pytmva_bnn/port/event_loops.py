"""Event loops in a translated program, and what their functions say about the names in them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

_COUNTS = ("GetEntries", "GetEntriesFast")
_LINKS = frozenset({"SetBranchAddress", "AddVariable", "AddSpectator", "Branch"})
_TREE_CALLS = frozenset({"SetBranchAddress", "SetBranchStatus", "GetEntry", "GetName", "Print", "Draw", *_COUNTS})
_ADDING = frozenset({"Add", "AddFile"})
_AFTERWARDS = frozenset({"Write", "Print", "AutoSave", "Close", "Delete", "SetDirectory", "GetName", *_COUNTS})
"""Calls behind the loop that do not look at the memory of the variables."""
_TESTS = (ast.Attribute, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.If)


class Kept(Exception):  # noqa: N818 - a reason, not an error
    """Why a loop stays as it is."""


def text_of(node: ast.AST, length: int = 60) -> str:
    """Return the start of the text of a node."""
    text = ast.unparse(node)
    return text if len(text) <= length else f"{text[:length]}..."


def method_call(node: ast.AST) -> tuple[str, str]:
    """Return object and method of ``object.method(...)``, empty for anything else."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name):
        return node.func.value.id, node.func.attr
    return "", ""


def names_in(node: ast.AST) -> set[str]:
    """Return all names in a node."""
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}


@dataclass
class EventLoop:
    """A loop with a GetEntry of its index in it.

    ``before`` are the statements that are always run before it, ``is_repeated`` says that it stands in another loop.
    """

    node: ast.For
    function: ast.AST
    before: list[ast.stmt]
    is_repeated: bool
    index: str = ""
    tree: str = ""
    stop: str = ""
    cells: dict[str, str] = field(default_factory=dict)

    def check(self) -> None:
        """Find tree, index and cells; raise if this is not a loop over all entries of a tree."""
        entries = [node for node in ast.walk(self.node) if method_call(node)[1] == "GetEntry"]
        self.index = self.node.target.id if isinstance(self.node.target, ast.Name) else ""
        self.tree = method_call(entries[0])[0]
        if len(entries) != 1 or self.node.orelse or not self._has_all_entries():
            raise Kept("it is not a loop over all entries of a tree")
        if self.definition(self.tree) is None and self.tree not in self._parameters:
            raise Kept(f"{self.tree} is not set on the straight way to the loop")
        self.check_uses(self.tree, _TREE_CALLS | _ADDING)
        values = {one: self.definition(one) for one in sorted(names_in(self.function))}
        self.cells = {name: code for name, value in values.items() if value is not None and (code := _typecode(value))}

    def _has_all_entries(self) -> bool:
        call = self.node.iter
        if not isinstance(call, ast.Call) or text_of(call.func) != "range" or len(call.args) != 1:
            return False
        stop: ast.AST | None = call.args[0]
        self.stop = ast.unparse(call.args[0])
        if isinstance(stop, ast.Name):
            stop = self.definition(stop.id)
        if stop is None or method_call(stop) not in {(self.tree, one) for one in _COUNTS}:
            return False
        calls = [node for node in ast.walk(self.function) if isinstance(node, ast.Call)]
        added = [one for one in calls if method_call(one)[0] == self.tree and method_call(one)[1] in _ADDING]
        return not stop.args and all(one.lineno < stop.lineno for one in added)  # type: ignore[attr-defined]

    # -- what the function says

    @cached_property
    def _parameters(self) -> set[str]:
        own = self.function.args if isinstance(self.function, ast.FunctionDef) else None
        names = {one.arg for one in own.args} if own is not None else set()
        return names - {one.id for one in self._names if isinstance(one.ctx, ast.Store)}

    @cached_property
    def _names(self) -> list[ast.Name]:
        return [node for node in ast.walk(self.function) if isinstance(node, ast.Name)]

    @cached_property
    def _parents(self) -> dict[ast.AST, ast.AST]:
        return {child: node for node in ast.walk(self.function) for child in ast.iter_child_nodes(node)}

    @cached_property
    def _straight(self) -> set[ast.AST]:
        simple = (ast.Expr, ast.Assign)
        return {node for one in self.before if isinstance(one, simple) for node in ast.walk(one)}

    @cached_property
    def _shared(self) -> set[str]:
        """Names that are not the function's own."""
        return {
            name
            for node in ast.walk(self.function)
            if isinstance(node, (ast.Global, ast.Nonlocal))
            for name in node.names
        }

    def assigned(self, name: str) -> list[ast.expr | None]:
        """Return all values that a name gets in the function; None for what is not a plain assignment."""
        stores = [one for one in self._names if one.id == name and not isinstance(one.ctx, ast.Load)]
        parents = [self._parents[one] for one in stores]
        return [one.value if isinstance(one, ast.Assign) and len(one.targets) == 1 else None for one in parents]

    def definition(self, name: str) -> ast.expr | None:
        """Return the only value of a name, if it gets it before the loop in any case."""
        values = [] if name in self._shared else self.assigned(name)
        return values[0] if len(values) == 1 and values[0] in self._straight else None

    def links(self, holder: str, *methods: str) -> list[ast.Call]:
        """Return the calls that link memory to a tree or Reader; raise if they depend on something."""
        found = []
        for node in ast.walk(self.function):
            if isinstance(node, ast.Call) and method_call(node)[0] == holder and method_call(node)[1] in methods:
                if node.lineno > (self.node.end_lineno or 0) and not self.is_repeated:
                    continue
                if node not in self._straight:
                    raise Kept(f"variables are linked to {holder} in a condition or loop")
                found.append(node)
        return sorted(found, key=lambda one: (one.lineno, one.col_offset))

    def check_uses(self, name: str, calls: frozenset[str] | None = None) -> None:
        """Raise if a tree, Reader or cell may be changed by something else than its own calls."""
        for use in self._names:
            if use.id != name or not isinstance(use.ctx, ast.Load) or self._is_behind(use):
                continue
            parent = self._parents[use]
            if name in self.cells:
                fine = isinstance(parent, ast.Subscript) or (
                    isinstance(parent, ast.Call) and method_call(parent)[1] in _LINKS
                )
            elif isinstance(parent, ast.Attribute):
                fine = calls is None or parent.attr in calls
            else:
                fine = isinstance(parent, _TESTS)
            if not fine:
                raise Kept(f"{name} is used in {text_of(parent)}")

    def _is_behind(self, node: ast.Name) -> bool:
        return node.lineno > (self.node.end_lineno or 0) and not self.is_repeated

    def is_read_later(self, name: str) -> bool:
        """Return whether the value of a local variable is used behind the loop."""
        inside = set(ast.walk(self.node))
        uses = [one for one in self._names if one.id == name and one not in inside and not self._is_before(one)]
        uses.sort(key=lambda one: (one.lineno, isinstance(one.ctx, ast.Store), one.col_offset))
        if name in self._shared or self.is_repeated:
            return name in self._shared or any(isinstance(one.ctx, ast.Load) for one in uses)
        return bool(uses) and (isinstance(uses[0].ctx, ast.Load) or isinstance(self._parents[uses[0]], ast.AugAssign))

    def _is_before(self, node: ast.Name) -> bool:
        return node.lineno < self.node.lineno and not self.is_repeated

    def needs_last_value(self, cell: str) -> bool:
        """Return whether a cell may be looked at behind the loop: by itself, or by what it is linked to."""
        holders = {method_call(node)[0] for node in ast.walk(self.function) if cell in _arguments(node)} - {""}
        inside = set(ast.walk(self.node))
        for use in self._names:
            if use in inside or self._is_before(use):
                continue
            if use.id == cell:
                if isinstance(use.ctx, ast.Load) and not (isinstance(self._parents[use], ast.Call)):
                    return True
                continue
            parent = self._parents[use]
            calls_only = isinstance(parent, ast.Attribute) and parent.attr in _AFTERWARDS | _LINKS
            if use.id in holders and isinstance(use.ctx, ast.Load) and not calls_only:
                return True
        nested = [node for node in ast.walk(self.function) if isinstance(node, (ast.Lambda, ast.FunctionDef))]
        return any(cell in names_in(node) for node in nested if node is not self.function)


def _arguments(node: ast.AST) -> set[str]:
    return {one.id for one in node.args if isinstance(one, ast.Name)} if isinstance(node, ast.Call) else set()


def _typecode(value: ast.expr) -> str:
    """Return the type of a cell of one number, ``array("f", [0.0])``; empty for anything else."""
    if isinstance(value, ast.Call) and text_of(value.func) == "array" and len(value.args) == 2:
        code, content = value.args
        if isinstance(code, ast.Constant) and isinstance(content, ast.List) and len(content.elts) == 1:
            return code.value if code.value in tuple("bBhHiIfd") else ""
    return ""


def event_loops(module: ast.Module) -> Iterator[EventLoop]:
    """Return the loops of a program that read the entries of a tree."""
    yield from _loops(module, module.body, [], is_repeated=False)


def _loops(
    function: ast.AST, body: list[ast.stmt], before: list[ast.stmt], *, is_repeated: bool
) -> Iterator[EventLoop]:
    for number, statement in enumerate(body):
        ahead = [*before, *body[:number]]
        if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
            is_function = isinstance(statement, ast.FunctionDef)
            yield from _loops(
                statement if is_function else function, statement.body, [] if is_function else ahead, is_repeated=False
            )
            continue
        is_loop = isinstance(statement, (ast.For, ast.While))
        if isinstance(statement, ast.For) and _reads_entries(statement):
            yield EventLoop(statement, function, ahead, is_repeated)
            continue
        for block in ("body", "orelse", "finalbody"):
            yield from _loops(function, getattr(statement, block, []), ahead, is_repeated=is_repeated or is_loop)


def _reads_entries(loop: ast.For) -> bool:
    """Return whether a loop calls GetEntry with its index, and not in a loop within it."""
    todo: list[ast.AST] = list(loop.body)
    while todo:
        node = todo.pop()
        if isinstance(node, (ast.For, ast.While, ast.Lambda, ast.FunctionDef)):
            continue
        if (
            isinstance(node, ast.Call)
            and method_call(node)[1] == "GetEntry"
            and [*map(ast.unparse, node.args)] == [ast.unparse(loop.target)]
        ):
            return True
        todo += ast.iter_child_nodes(node)
    return False
