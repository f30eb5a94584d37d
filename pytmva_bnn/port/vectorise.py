"""``--vectorise``: the usual event loop over a Reader becomes one call on whole columns.

Only a loop whose every statement has a meaning for columns is rewritten: GetEntry, arithmetic with the variables of the
event, filling of histograms and trees, conditions that are the same for all events, and progress messages (which go).
"""

from __future__ import annotations

import re

from pytmva_bnn.port import streams
from pytmva_bnn.port.context import Context, Expr, LeftError, expression, symbol_of
from pytmva_bnn.port.cpp_types import type_of
from pytmva_bnn.port.literals import quoted
from pytmva_bnn.port.numbers import kept
from pytmva_bnn.port.parse import Node, operator_of, parts_of, text_of, walk
from pytmva_bnn.port.symbols import DOUBLE, CppType, Kind, Symbol
from pytmva_bnn.port.usage import arguments_of, called, changed_names, names_in

_EVALUATIONS = ("EvaluateMVA",)


def event_loop(ctx: Context, loop: Node, index: str, stop: Node) -> bool:
    """Write a loop over the entries of a tree as operations on columns; False if it is no such."""
    body = loop.child_by_field_name("body")
    entries = [node for node in walk(loop) if node.type == "call_expression" and called(node)[0] == "GetEntry"]
    if body is None or len(entries) != 1:
        return False
    tree = ctx.scopes.find(called(entries[0])[1])
    if tree is None or tree.group is None or not _is_all_entries(ctx, stop, tree):
        ctx.note(loop, "this event loop is not vectorised: not a loop over all entries of a tree with linked branches")
        return False
    later = _names_after(loop) & ((changed_names(body) | _targets(tree)) - {index})
    if later:
        ctx.note(loop, f"this event loop is not vectorised: {', '.join(sorted(later))} is used after it")
        return False
    mark = ctx.out.mark()
    saved = [(symbol, symbol.value, symbol.type) for symbol in ctx.scopes.visible()]
    try:
        with ctx.scopes.block():
            _Columns(ctx, tree, index, body).write()
    except LeftError as problem:
        ctx.out.back_to(mark)
        ctx.note(loop, f"this event loop is not vectorised: {problem}")
        return False
    finally:
        for symbol, value, type_ in saved:
            symbol.value, symbol.type = value, type_
    return True


def _is_all_entries(ctx: Context, stop: Node, tree: Symbol) -> bool:
    text = text_of(stop)
    if re.fullmatch(rf"{re.escape(tree.cpp_name)}\s*(->|\.)\s*GetEntries(Fast)?\s*\(\s*\)", text):
        return True
    symbol = symbol_of(ctx, stop)
    entries = rf"{re.escape(tree.cpp_name)}\s*(->|\.)\s*GetEntries(Fast)?\s*\(\s*\)"
    pattern = rf"\b{re.escape(text)}\s*=\s*(\(\w+\)\s*)?{entries}\s*;"
    top = stop
    while top.parent is not None:
        top = top.parent
    return symbol is not None and re.search(pattern, text_of(top)) is not None


def _targets(tree: Symbol) -> set[str]:
    """Return the C++ names of the variables that the tree's branches are linked to."""
    group = tree.group
    return set() if group is None else {target.lstrip("&( ").rstrip(") ") for _, target in group.links}


def _names_after(loop: Node) -> set[str]:
    """Return the identifiers of the function that stand behind the loop."""
    top = loop
    while top.parent is not None and top.type != "function_definition":
        top = top.parent
    return {text_of(one) for one in walk(top) if one.type == "identifier" and one.start_byte >= loop.end_byte}


class _Columns:
    """One event loop on its way to columns."""

    def __init__(self, ctx: Context, tree: Symbol, index: str, body: Node) -> None:
        self.ctx = ctx
        self.tree = tree
        self.index = index
        self.body = body
        # names that differ from event to event
        self.varying = {index} | changed_names(body)
        self.columns_of: dict[str, str] = {}
        self.events: dict[str, str] = {}  # Python name of a Reader → name of its table of events
        self.is_evaluated = False

    def write(self) -> None:
        statements = parts_of(self.body) if self.body.type == "compound_statement" else [self.body]
        for statement in statements:
            for reader in self._readers(statement):
                self._define_events(reader)
            self._statement(statement)
        if not self.is_evaluated:
            raise LeftError("no Reader is evaluated")

    def _readers(self, node: Node) -> list[Symbol]:
        """Return the Readers that a statement evaluates."""
        found = []
        for call in walk(node):
            if call.type == "call_expression" and called(call)[0] in _EVALUATIONS:
                symbol = self.ctx.scopes.find(called(call)[1])
                if symbol is not None and symbol.type.kind is Kind.READER:
                    found.append(symbol)
        return found

    def _block(self, statements: list[Node]) -> None:
        for statement in statements:
            self._statement(statement)

    def _statement(self, node: Node) -> None:
        if self._is_progress(node):
            return
        if node.type == "comment":
            return
        if node.type == "if_statement":
            self._condition(node)
        elif node.type == "compound_statement":
            self._block(parts_of(node))
        elif node.type == "declaration":
            self._declaration(node)
        elif node.type == "expression_statement" and len(parts_of(node)) == 1:
            self._expression(parts_of(node)[0])
        else:
            raise LeftError(f"{node.type.replace('_', ' ')} differs from event to event")

    def _is_progress(self, node: Node) -> bool:
        """Tell whether a statement only reports progress."""
        if node.type != "if_statement":
            return False
        condition, then = node.child_by_field_name("condition"), node.child_by_field_name("consequence")
        if condition is None or then is None or self.index not in names_in(condition) or "%" not in text_of(condition):
            return False
        inner = parts_of(then) if then.type == "compound_statement" else [then]
        return node.child_by_field_name("alternative") is None and all(streams.is_output(one) for one in inner)

    def _condition(self, node: Node) -> None:
        condition = node.child_by_field_name("condition")
        then, other = node.child_by_field_name("consequence"), node.child_by_field_name("alternative")
        if condition is None or then is None or names_in(condition) & (self.varying | _targets(self.tree)):
            raise LeftError("a condition differs from event to event")
        ctx = self.ctx
        ctx.out.code(f"if {expression(ctx, condition)}:")
        with ctx.out.block():
            self._statement(then)
        if other is not None:
            ctx.out.code("else:")
            with ctx.out.block():
                self._block(parts_of(other))

    def _declaration(self, node: Node) -> None:
        for part in parts_of(node):
            if part.type == "init_declarator":
                name, value = part.child_by_field_name("declarator"), part.child_by_field_name("value")
                if name is None or value is None or name.type != "identifier":
                    raise LeftError("a declaration in the loop has no meaning for columns")
                type_ = type_of(node.child_by_field_name("type"), self.ctx.aliases)
                column = self._kept(self._value(value), type_)
                symbol = self.ctx.scopes.declare(text_of(name), column.type)
                self.varying.add(text_of(name))
                self.ctx.out.code(f"{symbol.name} = {column}")
                self.columns_of[text_of(name)] = symbol.name

    def _expression(self, node: Node) -> None:
        if node.type == "assignment_expression" and operator_of(node) == "=":
            self._assignment(node)
            return
        name, receiver = called(node) if node.type == "call_expression" else ("", "")
        symbol = self.ctx.scopes.find(receiver) if receiver else None
        if name == "GetEntry":
            self._get_entry()
        elif name == "Fill" and symbol is not None and symbol.type.kind is Kind.HISTOGRAM:
            values = [self._value(one).text for one in arguments_of(node)]
            self.ctx.out.code(f"{symbol.text}.Fill({', '.join(values)})")
        elif name == "Fill" and symbol is not None and symbol.type.kind is Kind.OUT_TREE and symbol.branches:
            for branch, target, _ in symbol.branches:
                if target.cpp_name not in self.columns_of:
                    raise LeftError(f"{target.cpp_name} has no column")
                self.ctx.out.code(f"{symbol.text}[{branch}] = {self.columns_of[target.cpp_name]}")
        else:
            raise LeftError(f"{text_of(node)[:40]} has no meaning for columns")

    def _get_entry(self) -> None:
        group = self.tree.group
        if group is None:
            raise LeftError("no branch is linked")
        for branch, target in group.links:
            name = target.lstrip("&( ").rstrip(") ")
            symbol = self.ctx.scopes.find(name)
            # as C++ computes: neither in float32 nor with integers of few bits
            dtype = {"np.float64": "", "np.int64": ""}.get(symbol.type.dtype if symbol is not None else "", "np.int64")
            if symbol is not None and symbol.type.kind is Kind.FLOAT:
                dtype = "np.float64" if dtype else ""
            elif symbol is not None and symbol.type.kind is Kind.BOOL:
                dtype = ""
            self._set(name, f"{group.columns}[{branch}]" + (f".astype({dtype})" if dtype else ""))

    def _assignment(self, node: Node) -> None:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None or left.type != "identifier":
            raise LeftError("this assignment has no meaning for columns")
        symbol = symbol_of(self.ctx, left)
        value = self._value(right)
        self._set(text_of(left), self._kept(value, symbol.type).text if symbol is not None else value.text)

    def _kept(self, value: Expr, type_: CppType) -> Expr:
        """Return what a variable keeps of a column; the Reader's memory and a tree's branch are float32 anyway."""
        if type_.is_number and value.type.is_number and type_.kind is not value.kind and type_.kind is not Kind.FLOAT:
            raise LeftError("a column is not converted to an integer")
        return kept(value, type_)

    def _set(self, name: str, text: str) -> None:
        """Give a variable its column; memory of a Reader gets one beside it."""
        symbol = self.ctx.scopes.find(name)
        if symbol is None or not symbol.type.is_number:
            raise LeftError(f"{name} has no column")
        column = f"{symbol.name}_values" if symbol.is_buffer else symbol.name
        self.ctx.out.code(f"{column} = {text}")
        symbol.value = column
        self.events.clear()  # tables made before have the old column
        self.columns_of[name] = column

    def _value(self, node: Node) -> Expr:
        """Translate an expression of the event's variables."""
        for inner in walk(node):
            if inner.type in ("conditional_expression", "subscript_expression", "update_expression", "cast_expression"):
                raise LeftError(f"{inner.type.replace('_', ' ')} has no meaning for columns here")
            if inner.type == "identifier" and text_of(inner) == self.index:
                raise LeftError("the number of the event is used")
            if inner.type == "identifier" and text_of(inner) in self.varying and text_of(inner) not in self.columns_of:
                raise LeftError(f"{text_of(inner)} is not known as a column")
        if node.type == "call_expression":
            name, receiver = called(node)
            symbol = self.ctx.scopes.find(receiver) if receiver else None
            if symbol is not None and symbol.type.kind is Kind.READER:
                return self._evaluation(symbol, name, node)
        if any(one.type == "call_expression" and called(one)[1] for one in walk(node)):
            raise LeftError("a call within an expression has no meaning for columns")
        text = expression(self.ctx, node)
        if re.search(r"\b(max|min|bool|round|and|or|not|int|float|quotient|remainder)\b", text.text):
            raise LeftError("this expression has no meaning for columns")
        return text

    def _evaluation(self, reader: Symbol, name: str, node: Node) -> Expr:
        arguments = arguments_of(node)
        variables = self.ctx.readers.get(reader.text, [])
        if name not in _EVALUATIONS or len(arguments) != 1 or not variables:
            raise LeftError(f"{name} of the Reader is not vectorised")
        if reader.text not in self.events:
            raise LeftError("the event changes within a condition")
        tag = expression(self.ctx, arguments[0])
        return Expr(f"{reader.text}.EvaluateMVA({self.events[reader.text]}, {tag})", type=DOUBLE)

    def _define_events(self, reader: Symbol) -> None:
        """Write the table of the columns that a Reader needs, once."""
        self.is_evaluated = True
        if reader.text in self.events:
            return
        entries = []
        for label, variable in self.ctx.readers.get(reader.text, []):
            if variable not in self.columns_of:
                raise LeftError(f"the variable {variable or label} of the Reader has no column")
            entries.append(f"{quoted(label)}: {self.columns_of[variable]}")
        name = "events" if not self.events else f"{reader.name}_events"
        self.events[reader.text] = name
        self.ctx.out.code(f"{name} = {{{', '.join(entries)}}}")
