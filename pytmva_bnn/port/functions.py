"""Functions and lambdas of the macro."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from pytmva_bnn.port.analysis import addressed_names, changed_names, names_in
from pytmva_bnn.port.changes import described_type
from pytmva_bnn.port.construction import cell, from_braces
from pytmva_bnn.port.context import (
    Body,
    Context,
    Expr,
    Function,
    LoopEnd,
    Parameter,
    Symbol,
    Untranslatable,
    python_name,
)
from pytmva_bnn.port.cpp_types import AUTO, FUNCTION
from pytmva_bnn.port.declarations import declare
from pytmva_bnn.port.definitions import _parameters
from pytmva_bnn.port.expressions import child, converted, expression, named, value
from pytmva_bnn.port.output import Line
from pytmva_bnn.port.parse import Node, parse_expression, parts_of, text_of, walk
from pytmva_bnn.port.statements import end_of_block, statements


@contextmanager
def _function_body(ctx: Context, body: Body) -> Iterator[None]:
    before, ctx.body = ctx.body, body
    body.outer = before
    try:
        yield
    finally:
        ctx.body = before


def _dispatcher(ctx: Context, name: str, functions: list[Function], this: str = "") -> None:
    """Write the function that chooses among overloads by the number and kind of the arguments."""
    own = f"{this}, " if this else ""
    prefix = f"{this}." if this else ""
    stem = "construct" if name == "__init__" else name
    ctx.out.code(f"def {name}({own}*arguments):")
    with ctx.out.block():
        choices = ", ".join(f"({prefix}{stem}_{i + 1}, {_signature(ctx, one)})" for i, one in enumerate(functions))
        ctx.out.code(f"{'return ' if name != '__init__' else ''}{ctx.use('overloaded')}(arguments, {choices})")


def _signature(ctx: Context, function: Function) -> str:
    def kind(parameter: Parameter) -> str:
        type_ = parameter.type
        if parameter.is_cell:
            return "object"
        if type_.is_text or type_.is_char:
            return "str"
        if type_.name == "bool" and type_.is_value:
            return "bool"
        if type_.is_integer or type_.name == "enum":
            return "int"
        if type_.is_float:
            return "float"
        own = ctx.classes.get(type_.name)
        return own.python if own is not None else "list" if type_.is_container or type_.is_array else "object"

    kinds = [kind(one) for one in function.parameters]
    return f"({', '.join(kinds)}{',' if len(kinds) == 1 else ''}), {function.n_required}"


def write_function(
    ctx: Context, function: Function, name: str, this: str = "", first: Callable[[Node], None] | None = None
) -> None:
    """Write a function or method; ``first`` writes what a constructor does before its body."""
    node = function.definition
    if node is None:
        return
    mark = ctx.out.mark()
    body_node = child(node, "body")
    body = Body(
        function, name, cells=frozenset(addressed_names(ctx, node)), changed=frozenset(changed_names(ctx, node))
    )
    statics, ctx.static_lines = ctx.static_lines, []
    with _function_body(ctx, body), ctx.scopes.block():
        header, entry = _header(ctx, function, this)
        ctx.out.code(f"def {name}({header}):")
        with ctx.out.block(), ctx.scopes.block():
            start = ctx.out.mark()
            for line in entry:
                ctx.out.code(line)
            if first is not None:
                first(node)
            body.depth = ctx.scopes.depth - 1
            statements(ctx, list(body_node.named_children))
            end_of_block(ctx)
            _declare_outer(ctx, body, start)
        _last_return(ctx, function, mark)
    if ctx.owner is None:
        depth = ctx.out.lines[mark].depth
        ctx.out.lines[mark:mark] = [Line(depth, line) for line in ctx.static_lines]
        ctx.static_lines = statics
    else:  # static variables of methods stand behind the class
        ctx.static_lines = [*statics, *ctx.static_lines]


def _last_return(ctx: Context, function: Function, mark: int) -> None:
    """C++'s main returns 0 by itself."""
    if function.name == "main" and not any(
        line.code.startswith("return") and line.depth == ctx.out.lines[mark].depth + 1 for line in ctx.out.lines[mark:]
    ):
        with ctx.out.block():
            ctx.out.code("return 0")


def _declare_outer(ctx: Context, body: Body, start: int) -> None:
    """Write ``global`` and ``nonlocal`` for what the function changes."""
    for word, names in (("nonlocal", body.nonlocals), ("global", body.globals)):
        if names:
            ctx.out.insert(start, f"{word} {', '.join(sorted(names))}")


def _header(ctx: Context, function: Function, this: str) -> tuple[str, list[str]]:
    """Return the parameters of a function and what it must do with them first."""
    shown, entry = ([this] if this and not function.is_static else []), []
    for parameter in function.parameters:
        is_box = parameter.is_cell
        needs_cell = not is_box and parameter.name in ctx.body.cells and parameter.type.is_immutable
        owned = not parameter.type.reference and not _is_shared(parameter)
        symbol = declare(ctx, parameter.name, parameter.type, is_cell=is_box or needs_cell, owned=owned)
        text = symbol.python
        if parameter.default is not None:
            type_ = parameter.type.plain
            braces = parameter.default
            if braces.type == "compound_literal_expression" and not text_of(child(braces, "type")).strip():
                braces = child(braces, "value")
            if braces.type == "initializer_list":
                made = from_braces(ctx, type_, braces).text
            else:
                made = converted(ctx, expression(ctx, parameter.default), type_)
            if is_box:
                made = f"[{made}]"
            if type_.is_immutable or made == "None":
                text += f"={made}"
            else:
                text += "=None"
                entry.append(f"{symbol.python} = {made} if {symbol.python} is None else {symbol.python}")
        shown.append(text)
        if needs_cell:
            entry.append(f"{symbol.python} = {cell(ctx, parameter.type, symbol.python)}")
        elif not parameter.type.reference and _copies(ctx, parameter):
            entry.append(f"{symbol.python} = {ctx.use('copied')}({symbol.python})")
            symbol.owned = True
    return ", ".join(shown), entry


def _is_shared(parameter: Parameter) -> bool:
    """Return whether an object given by value is still the caller's in Python."""
    return not parameter.is_changed and not parameter.type.is_immutable


def _copies(ctx: Context, parameter: Parameter) -> bool:
    type_ = parameter.type
    is_object = type_.is_root_value or (
        type_.is_value and (type_.is_container or type_.name in ctx.classes or type_.name in ("auto", "?"))
    )
    return is_object and parameter.is_changed


def lambda_function(ctx: Context, node: Node) -> Expr:
    """Return a lambda: an expression where it is one, else a function written before the statement."""
    declarator = node.child_by_field_name("declarator")
    parameter_node = declarator.child_by_field_name("parameters") if declarator is not None else None
    parameters = _parameters(ctx, parameter_node, None) if parameter_node is not None else []
    body_node = child(node, "body")
    result = next(
        (
            described_type(ctx, one)
            for part in ([declarator] if declarator is not None else [])
            for one in walk(part)
            if one.type == "type_descriptor" and one.parent is not None and one.parent.type == "trailing_return_type"
        ),
        AUTO,
    )
    name = ctx.fresh_name("function")
    function = Function(name, name, result, parameters, node)
    changed = changed_names(ctx, body_node)
    for parameter in parameters:
        parameter.is_changed = parameter.name in changed
        parameter.is_cell = (
            parameter.type.reference
            and not parameter.type.const
            and parameter.type.is_immutable
            and parameter.is_changed
        )
    captured = _captured(ctx, node, changed)
    defaults = [f"{one.python}={cell(ctx, one.type, text) if one.is_cell else text}" for one, text in captured]
    ctx.last_lambda = function
    statements_ = parts_of(body_node)
    body = Body(
        function,
        name,
        is_lambda=True,
        cells=frozenset(addressed_names(ctx, body_node)) | ctx.body.cells,
        changed=frozenset(changed),
    )
    with _function_body(ctx, body), ctx.scopes.block():
        for symbol, _ in captured:
            ctx.scopes.add(symbol)
            body.own_names.add(symbol.python)
        header, entry = _header(ctx, function, "")
        header = ", ".join(one for one in [header, *defaults] if one)
        if (
            len(statements_) == 1
            and statements_[0].type == "return_statement"
            and not entry
            and parts_of(statements_[0])
        ):
            inner = parts_of(statements_[0])[0]
            found = value(ctx, inner)
            text = converted(ctx, found, result.plain) if result.name != "auto" else found.text
            if not body.nonlocals and not body.globals:
                return Expr(
                    f"lambda {header}: {text}" if header else f"lambda: {text}",
                    replace(FUNCTION, arguments=(result if result.name != "auto" else found.type,)),
                    1,
                    function=function,
                )
        ctx.out.code(f"def {name}({header}):")
        with ctx.out.block(), ctx.scopes.block():
            start = ctx.out.mark()
            for line in entry:
                ctx.out.code(line)
            loops, ctx.body.loops = ctx.body.loops, list[LoopEnd]()
            statements(ctx, list(body_node.named_children))
            ctx.body.loops = loops
            _declare_outer(ctx, body, start)
    return Expr(name, replace(FUNCTION, arguments=(result,) if result.name != "auto" else ()), function=function)


def _captured(ctx: Context, node: Node, changed: set[str]) -> list[tuple[Symbol, str]]:
    """Return what a lambda captures by value, where that matters: variables of its own and their values."""
    captures = node.child_by_field_name("captures")
    if captures is None:
        return []
    text = text_of(captures).strip("[]")
    found: list[tuple[Symbol, str]] = []
    parts = [one.strip() for one in text.split(",") if one.strip()]
    if "=" in parts:
        referred = {one[1:].strip() for one in parts if one.startswith("&")}
        parts += sorted(names_in(child(node, "body")) - referred - set(parts))
    for part in parts:
        if part in ("&", "=", "this", "*this") or part.startswith("&"):
            continue
        name, _, given = (one.strip() for one in part.partition("="))
        symbol = ctx.scopes.find(name)
        if given:
            inner = parse_expression(given)
            if inner is None:
                raise Untranslatable("a capture with a value of its own")
            made = value(ctx, inner)
            found.append((Symbol(name, python_name(name), made.type, is_cell=name in changed), made.text))
        elif symbol is not None and symbol.kind == "variable" and not symbol.is_global:
            text = named(ctx, name).text if symbol.type.is_immutable else f"{ctx.use('copied')}({symbol.python})"
            if name in changed and symbol.type.is_immutable:  # a mutable lambda keeps its own
                found.append((Symbol(name, symbol.python, symbol.type, is_cell=True), text))
            elif name in ctx.body.changed and not symbol.is_cell:
                found.append((Symbol(name, symbol.python, symbol.type), text))
    return found
