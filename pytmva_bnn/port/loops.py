"""Loops: counted ones become ``range``, walks over containers ``for … in``, all others ``while``."""

from __future__ import annotations

from dataclasses import dataclass

from pytmva_bnn.port.analysis import MUTATING_TEXT, base_name, called_name, changed_names, names_in
from pytmva_bnn.port.changes import mark_assigned
from pytmva_bnn.port.construction import cell
from pytmva_bnn.port.context import ADD, Context, Expr, LoopEnd, last_name
from pytmva_bnn.port.cpp_types import CHAR, INT, UNKNOWN, CppType, declared, type_by_text
from pytmva_bnn.port.declarations import base_type, declaration, declarators, declare, needs_cell
from pytmva_bnn.port.expressions import child, class_of, converted, expression, value
from pytmva_bnn.port.operators import condition
from pytmva_bnn.port.parse import Node, operator_of, parts_of, text_of, walk
from pytmva_bnn.port.statements import end_of_block, on, simple, statements


@dataclass(frozen=True)
class _Counter:
    """A loop that counts: name, first value, limit, step."""

    name: str
    type: CppType
    start: Node
    stop: Node
    includes_stop: bool
    step: int


@on("for_statement")
def _for(ctx: Context, node: Node) -> None:
    with ctx.scopes.block():
        walked = _walk(ctx, node)
        if walked is not None:
            _walked(ctx, node, *walked)
            return
        counter = _counter(ctx, node)
        if counter is not None:
            _counted(ctx, node, counter)
            return
        _general(ctx, node)


def _counter(ctx: Context, node: Node) -> _Counter | None:
    first, test, update = (node.child_by_field_name(name) for name in ("initializer", "condition", "update"))
    body = node.child_by_field_name("body")
    if first is None or first.type != "declaration" or test is None or update is None or body is None:
        return None
    found = list(declarators(first))
    if len(found) != 1 or found[0][1] is None or test.type != "binary_expression":
        return None
    given = found[0][1]
    if given.type in ("argument_list", "initializer_list"):
        if len(parts_of(given)) != 1:
            return None
        given = parts_of(given)[0]
    known = declared(base_type(ctx, first, child(first, "type")), found[0][0])
    type_ = known.type if known.type.name != "auto" else expression(ctx, given).type
    step = _step(update, known.name)
    operator = operator_of(test)
    left, right = child(test, "left"), child(test, "right")
    if not type_.is_integer or step == 0 or text_of(left) != known.name:
        return None
    if operator not in (("<", "<=", "!=") if step > 0 else (">", ">=", "!=")):
        return None
    if step < 0 and type_.name.startswith("u"):
        return None
    if not _is_constant(ctx, right, body, known.name) or known.name in changed_names(ctx, body):
        return None
    if expression(ctx, right).type.is_float:
        return None
    return _Counter(known.name, type_, given, right, operator in ("<=", ">="), step)


def _step(update: Node, name: str) -> int:
    """Return by how much a loop counts; 0 if it does not."""
    if update.type == "update_expression" and text_of(child(update, "argument")) == name:
        return 1 if operator_of(update) == "++" else -1
    if update.type == "assignment_expression" and text_of(child(update, "left")) == name:
        right = text_of(child(update, "right"))
        if operator_of(update) in ("+=", "-=") and right.isdigit():
            return int(right) * (1 if operator_of(update) == "+=" else -1)
    return 0


_CONSTANT_CALLS = frozenset(
    {
        "size", "length", "GetEntries", "GetEntriesFast", "GetNbinsX", "GetNbinsY", "GetN", "Length", "GetSize",
        "GetNvar", "sizeof", "min", "max", "Min", "Max", "GetNtrees", "GetLast",
    }
)  # fmt: skip
"""Calls that give the same throughout a loop that changes nothing of their object."""


def _is_constant(ctx: Context, node: Node, body: Node, index: str) -> bool:
    """Return whether a limit is the same throughout a loop."""
    changed = changed_names(ctx, body)
    for part in walk(node):
        if part.type == "identifier" and (text_of(part) == index or text_of(part) in changed):
            return False
        if part.type in ("update_expression", "assignment_expression"):
            return False
        if part.type == "call_expression" and called_name(part) not in _CONSTANT_CALLS:
            return False
        if part.type == "field_identifier" and text_of(part) in changed:
            return False
    called = {called_name(one) for one in walk(body) if one.type == "call_expression"}
    members = names_in(node) & set(ctx.owner.members if ctx.owner is not None else ())
    globals_ = {
        name
        for name in names_in(node)
        if (symbol := ctx.scopes.find(name)) is not None and symbol.is_global and not symbol.type.const
    }
    calls_own = bool(called & (set(ctx.functions) | {name for one in ctx.classes.values() for name in one.methods}))
    return not (calls_own and (members or globals_))


def _counted(ctx: Context, node: Node, counter: _Counter) -> None:
    start, stop = expression(ctx, counter.start), expression(ctx, counter.stop)
    first = converted(ctx, start, counter.type)
    limit = Expr(
        converted(ctx, stop, INT)
        if stop.type.is_char or stop.type == CppType("bool")
        else value(ctx, counter.stop).text,
        stop.type,
        stop.level,
        literal=stop.literal,
    )
    if counter.includes_stop:
        sign = "+" if counter.step > 0 else "-"
        if isinstance(stop.literal, int):
            limit = Expr(str(stop.literal + (1 if counter.step > 0 else -1)))
        else:
            limit = Expr(f"{limit.at(ADD)} {sign} 1", INT, ADD)
    if stop.type.name in ("?", "auto"):
        limit = Expr(f"int({limit.text})")
    arguments = [limit.text] if first == "0" and counter.step == 1 else [first, limit.text]
    if counter.step != 1:
        arguments.append(str(counter.step))
    is_cell = needs_cell(ctx, counter.name, counter.type)
    symbol = declare(ctx, counter.name, counter.type, is_cell=is_cell)
    name = symbol.python if not is_cell else ctx.fresh_name(symbol.python)
    ctx.out.code(f"for {name} in range({', '.join(arguments)}):")
    with ctx.out.block():
        if is_cell:
            ctx.out.code(f"{symbol.python} = {cell(ctx, counter.type, name)}")
        _body(ctx, node)


def _body(ctx: Context, node: Node, end: LoopEnd | None = None) -> None:
    body = node.child_by_field_name("body")
    ctx.body.loops.append(end or LoopEnd())
    ctx.body.loops[-1].depth = ctx.scopes.depth
    try:
        with ctx.scopes.block():
            statements(
                ctx, [] if body is None else list(body.named_children) if body.type == "compound_statement" else [body]
            )
            end_of_block(ctx)
    finally:
        ctx.body.loops.pop()


def _walk(ctx: Context, node: Node) -> tuple[str, Node, CppType] | None:
    """Return name and container of ``for (it = c.begin(); it != c.end(); ++it)``, if the loop only looks."""
    first, test, update = (node.child_by_field_name(name) for name in ("initializer", "condition", "update"))
    body = node.child_by_field_name("body")
    if first is None or first.type != "declaration" or test is None or update is None or body is None:
        return None
    found = list(declarators(first))
    if not found or found[0][1] is None or found[0][1].type != "call_expression":
        return None
    if called_name(found[0][1]) not in ("begin", "cbegin", "rbegin") or test.type != "binary_expression":
        return None
    name = declared(UNKNOWN, found[0][0]).name
    if operator_of(test) not in ("!=", "<") or text_of(child(test, "left")) != name or _step(update, name) != 1:
        return None
    function = child(found[0][1], "function")
    if function.type != "field_expression":
        return None
    owner = child(function, "argument")
    if not _only_looked_at(ctx, body, name) or base_name(owner) in changed_names(ctx, body) - {name}:
        return None
    type_ = value(ctx, owner).type
    inner = type_ if not type_.pointers else type_.target
    return name, owner, inner.element


def _only_looked_at(ctx: Context, body: Node, name: str) -> bool:
    """Return whether an iterator is only used as ``*it`` and ``it->``, and numbers behind it are not changed."""
    for one in walk(body):
        if one.type == "identifier" and text_of(one) == name:
            parent = one.parent
            while parent is not None and parent.type == "parenthesized_expression":
                parent = parent.parent
            if parent is None or parent.type not in ("pointer_expression", "field_expression"):
                return False
            if parent.type == "pointer_expression" and operator_of(parent) != "*":
                return False
            if parent.type == "field_expression" and last_name(child(parent, "field")) in MUTATING_TEXT:
                return False
            above = parent.parent
            while above is not None and above.type == "parenthesized_expression":
                above = above.parent
            if parent.type == "pointer_expression" and above is not None:
                is_target = above.type == "assignment_expression" and child(above, "left").id == parent.id
                if (
                    is_target
                    or above.type == "update_expression"
                    or (above.type == "pointer_expression" and operator_of(above) == "&")
                ):
                    return False
    return True


def _walked(ctx: Context, node: Node, name: str, owner: Node, element: CppType) -> None:
    text = value(ctx, owner).text
    if "rbegin" in text_of(child(node, "initializer")):
        text = f"reversed({text})"
    symbol = declare(ctx, name, element)
    symbol.is_element, symbol.owned = True, False
    ctx.out.code(f"for {symbol.python} in {text}:")
    with ctx.out.block():
        _body(ctx, node)


def _general(ctx: Context, node: Node) -> None:
    """Translate any other loop: first, while, and the step at the end and before each continue."""
    first, test, update = (node.child_by_field_name(name) for name in ("initializer", "condition", "update"))
    if first is not None:
        if first.type == "declaration":
            declaration(ctx, first)
        else:
            simple(ctx, first)

    def step() -> None:
        if update is not None:
            simple(ctx, update)

    ctx.out.code(f"while {condition(ctx, test).text if test is not None else 'True'}:")
    with ctx.out.block():
        _body(ctx, node, LoopEnd(before_continue=step))
        if not ctx.out.lines[-1].code.startswith(("return", "break", "continue", "raise")) or ctx.out.is_deeper():
            step()


@on("for_range_loop")
def _range_for(ctx: Context, node: Node) -> None:
    with ctx.scopes.block():
        for one in [part for part in parts_of(node) if part.type == "init_statement"]:
            from pytmva_bnn.port.statements import statement

            for inner in parts_of(one):
                statement(ctx, inner)
        right = child(node, "right")
        base = type_by_text(text_of(child(node, "type")), ctx.aliases)
        is_const = any(text_of(one) == "const" for one in node.named_children) or base.const
        found = declared(base, child(node, "declarator"))
        many = _elements(ctx, right)
        body = child(node, "body")
        changed = changed_names(ctx, body)
        if found.binding:
            _bound(ctx, node, found.binding, found.type.reference and not is_const, many, changed)
            return
        container = many.type if not many.type.pointers else many.type.target
        type_ = (container.element if found.type.name == "auto" else found.type).plain
        is_written = found.name in changed
        if found.type.reference and is_written and many.type.is_text and right.type == "identifier":
            _characters(ctx, node, found.name, right)
            return
        if found.type.reference and not is_const and type_.is_immutable and is_written:
            symbol = declare(ctx, found.name, type_, is_cell=True, owned=False)
            ctx.out.code(f"for {symbol.python} in {ctx.use('refs')}({many.text}):")
            with ctx.out.block():
                _body(ctx, node)
            return
        is_cell = needs_cell(ctx, found.name, type_)
        symbol = declare(ctx, found.name, type_, is_cell=is_cell, owned=not found.type.reference)
        name = ctx.fresh_name(symbol.python) if is_cell else symbol.python
        source = many.text
        ctx.out.code(f"for {name} in {source}:")
        with ctx.out.block():
            if is_cell:
                ctx.out.code(f"{symbol.python} = {cell(ctx, type_, name)}")
            is_object = type_.is_container or type_.is_root_value or class_of(ctx, type_) is not None
            needs_copy = is_object and type_.is_value
            if not found.type.reference and is_written and (needs_copy or type_.name == "?"):
                ctx.out.code(f"{name} = {ctx.use('copied')}({name})")
            elif type_.is_number and container.element.is_number and type_.name != container.element.name:
                ctx.out.code(f"{name} = {converted(ctx, Expr(name, container.element), type_)}")
            _body(ctx, node)


def _characters(ctx: Context, node: Node, name: str, text_node: Node) -> None:
    """Translate ``for (char &c : text)`` that changes the text."""
    text = value(ctx, text_node).text
    characters = ctx.fresh_name("characters")
    symbol = declare(ctx, name, CHAR, is_cell=True, owned=False)
    mark_assigned(ctx, text_node)
    ctx.out.code(f"{characters} = list({text})")
    ctx.out.code(f"for {symbol.python} in {ctx.use('refs')}({characters}):")
    with ctx.out.block():
        _body(ctx, node)
    ctx.out.code(f'{text} = "".join({characters})')


def _elements(ctx: Context, node: Node) -> Expr:
    if node.type == "initializer_list":
        parts = [value(ctx, one) for one in parts_of(node)]
        inner = ", ".join(one.text for one in parts)
        type_ = parts[0].type if parts else UNKNOWN
        return Expr(f"({inner}{',' if len(parts) == 1 else ''})", CppType("vector", (type_,)))
    return value(ctx, node)


def _bound(ctx: Context, node: Node, names: tuple[str, ...], is_reference: bool, many: Expr, changed: set[str]) -> None:
    """Translate ``for (auto& [key, value] : map)``."""
    element = many.type.element
    types = element.arguments if element.name in ("pair", "tuple") else ()
    own = class_of(ctx, element)
    if own is not None:
        types = tuple(one.type for one in own.members.values())
    symbols = [
        declare(ctx, name, types[i] if i < len(types) else UNKNOWN, owned=not is_reference)
        for i, name in enumerate(names)
    ]
    written = [
        one
        for one in symbols
        if is_reference and one.name in changed and (one.type.is_immutable or one.type.name == "?")
    ]
    if own is not None or written:
        item = ctx.fresh_name("item")
        ctx.out.code(f"for {item} in {many.text}:")
        fields = [one.python for one in own.members.values()] if own is not None else ["first", "second"]
        with ctx.out.block():
            for symbol, field in zip(symbols, fields, strict=False):
                if symbol in written:
                    symbol.is_cell = True
                    ctx.out.code(f'{symbol.python} = {ctx.use("ref")}({item}, "{field}")')
                else:
                    ctx.out.code(f"{symbol.python} = {item}.{field}")
            _body(ctx, node)
        return
    ctx.out.code(f"for {', '.join(one.python for one in symbols)} in {many.text}:")
    with ctx.out.block():
        for symbol in symbols:
            if not is_reference and symbol.name in changed and symbol.type.is_container:
                ctx.out.code(f"{symbol.python} = {ctx.use('copied')}({symbol.python})")
        _body(ctx, node)


@on("while_statement")
def _while(ctx: Context, node: Node) -> None:
    test = child(node, "condition")
    inner = test.child_by_field_name("value") or test
    with ctx.scopes.block():
        if inner.type == "declaration":
            ctx.out.code("while True:")
            with ctx.out.block():
                declaration(ctx, inner)
                name = declared(UNKNOWN, inner.child_by_field_name("declarator")).name
                symbol = ctx.scopes.find(name)
                ctx.out.code(f"if not {symbol.python if symbol is not None else name}:")
                with ctx.out.block():
                    ctx.out.code("break")
                _body(ctx, node)
            return
        if inner.type == "comma_expression":
            ctx.out.code("while True:")
            with ctx.out.block():
                simple(ctx, child(inner, "left"))
                ctx.out.code(f"if not ({condition(ctx, child(inner, 'right')).text}):")
                with ctx.out.block():
                    ctx.out.code("break")
                _body(ctx, node)
            return
        ctx.out.code(f"while {condition(ctx, inner).text}:")
        with ctx.out.block():
            _body(ctx, node)


@on("do_statement")
def _do(ctx: Context, node: Node) -> None:
    test_node = child(node, "condition")

    def check() -> None:
        test = condition(ctx, test_node)
        ctx.out.code(f"if not {test.at(5)}:")
        with ctx.out.block():
            ctx.out.code("break")

    ctx.out.code("while True:")
    with ctx.out.block():
        if text_of(test_node).strip("() ") in ("false", "0"):
            _body(ctx, node, LoopEnd(before_continue=lambda: ctx.out.code("break")))
            ctx.out.code("break")
            return
        _body(ctx, node, LoopEnd(before_continue=check))
        check()
