"""Functions → ``def``; ``main`` and the function that ROOT runs → ``if __name__ == "__main__":``."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, replace

from pytmva_bnn.port.context import Context, Function, LeftError, executes, expression
from pytmva_bnn.port.cpp_types import type_of
from pytmva_bnn.port.declarations import Declared, fitted, unwrapped
from pytmva_bnn.port.output import Line
from pytmva_bnn.port.parse import Node, parts_of, text_of
from pytmva_bnn.port.statements import block, comment_lines, header_comments
from pytmva_bnn.port.symbols import NUMBERS, TEXTS, UNKNOWN, CppType, Kind, Symbol, python_name
from pytmva_bnn.port.usage import changed_names, usage_of


@dataclass(frozen=True)
class Parameter:
    """A parameter of a function."""

    declared: Declared
    type: CppType
    default: Node | None


def signature(node: Node, aliases: dict[str, CppType]) -> tuple[str, list[Parameter]]:
    """Return the name and the parameters of a function's definition."""
    declarator = node.child_by_field_name("declarator")
    while declarator is not None and declarator.type != "function_declarator":
        declarator = declarator.child_by_field_name("declarator") or next(iter(parts_of(declarator)), None)
    if declarator is None:
        return "", []
    name = declarator.child_by_field_name("declarator")
    listed = declarator.child_by_field_name("parameters")
    parameters = []
    for part in parts_of(listed) if listed is not None else []:
        inner = part.child_by_field_name("declarator")
        declared = unwrapped(inner, Declared()) if inner is not None else Declared()
        type_ = type_of(part.child_by_field_name("type"), aliases)
        if type_.kind is Kind.STRING and declared.pointers > 1:
            type_ = CppType(Kind.VECTOR, type_)
        elif (declared.pointers or declared.sizes) and type_.kind not in TEXTS:
            type_ = CppType(Kind.ARRAY, type_) if type_.kind in NUMBERS else replace(type_, pointer=True)
        if text_of(part).strip() != "void" or declared.name:
            parameters.append(Parameter(declared, type_, part.child_by_field_name("default_value")))
    return ("" if name is None or name.type != "identifier" else text_of(name)), parameters


def announce(ctx: Context, root: Node, without: set[str]) -> None:
    """Enter the functions of a file except ``without``, so that they can be called before they are defined."""
    for node in root.named_children:
        if node.type == "function_definition":
            name, parameters = signature(node, ctx.aliases)
            body = node.child_by_field_name("body")
            if name and name != "main" and name not in ctx.functions and name not in without and body is not None:
                ctx.functions[name] = Function(
                    python_name(name),
                    type_of(node.child_by_field_name("type"), ctx.aliases),
                    tuple(one.type for one in parameters),
                    _changed_references(parameters, body),
                )


def _changed_references(parameters: list[Parameter], body: Node) -> tuple[str, ...]:
    """Return the references to numbers and texts that a function changes: Python has nothing like them."""
    changed = changed_names(body)
    references = [one for one in parameters if one.declared.is_reference and one.type.kind in NUMBERS | TEXTS]
    return tuple(one.declared.name for one in references if one.declared.name in changed)


@executes("function_definition")
def _function(ctx: Context, node: Node) -> None:
    body = node.child_by_field_name("body")
    name, parameters = signature(node, ctx.aliases)
    if body is None or body.type != "compound_statement" or not name or ctx.in_function:
        raise LeftError("this function is not translated")
    outside = ctx.usage
    ctx.usage = usage_of(node)
    is_main = name == "main"
    ctx.in_function = not is_main
    ctx.in_main = is_main
    ctx.result = type_of(node.child_by_field_name("type"), ctx.aliases)
    start = ctx.out.mark()
    loops, ctx.loops = ctx.loops, []
    try:
        with ctx.scopes.block():
            if is_main:
                _main(ctx, parameters, body)
            else:
                _def(ctx, name, parameters, body)
        _comments_behind(ctx, node, start)
    finally:
        ctx.usage = outside
        ctx.in_function = ctx.in_main = False
        ctx.result = UNKNOWN
        ctx.out_file = ctx.in_file = None
        ctx.loops = loops


def _comments_behind(ctx: Context, node: Node, start: int) -> None:
    """Put the comments between a function's name and its body behind the first line."""
    found = [line for one in header_comments(node) for line in comment_lines(text_of(one))]
    first = next((line for line in ctx.out.lines[start:] if line.code), None)
    if found and first is not None:
        first.comment = "; ".join(line for line in [first.comment, *found] if line)


def _main(ctx: Context, parameters: list[Parameter], body: Node) -> None:
    for one, text in zip(parameters, ("len(sys.argv)", "sys.argv"), strict=False):
        symbol = ctx.scopes.declare(one.declared.name or "argc", one.type)
        symbol.value = text
    ctx.out.code('if __name__ == "__main__":')
    with ctx.out.block():
        statements = list(body.named_children)
        last = next((one for one in reversed(statements) if one.type != "comment"), None)
        if last is not None and last.type == "return_statement" and re.fullmatch(r"return[ (]*0?[) ]*;", text_of(last)):
            statements.remove(last)
        block(ctx, statements, body.start_point[0])


def _def(ctx: Context, name: str, parameters: list[Parameter], body: Node) -> None:
    known = ctx.functions.get(name)
    is_defined = known is not None and any(line.code.startswith(f"def {known.name}(") for line in ctx.out.lines)
    if known is None or is_defined or known.name in {symbol.name for symbol in ctx.scopes.visible()}:
        raise LeftError(f"{name} is defined twice, or its translation is not valid Python")
    texts = []
    symbols: list[Symbol] = []
    for number, one in enumerate(parameters):
        symbol = ctx.scopes.declare(one.declared.name or f"unused{number}", one.type)
        symbols.append(symbol)
        default = ""
        if one.default is not None:
            default = f"={fitted(expression(ctx, one.default), one.type)}"
        texts.append(symbol.name + default)
    ctx.out.code(f"def {known.name}({', '.join(texts)}):")
    start = ctx.out.mark()
    with ctx.out.block():
        for symbol in symbols:
            _as_memory(ctx, symbol)
        block(ctx, list(body.named_children), body.start_point[0])
        if known.changed_references:
            names = ", ".join(known.changed_references)
            ctx.out.comment(f"TODO(port): C++ changes the arguments {names} of the caller; return them")
            ctx.left_rows.add(body.start_point[0])
            ctx.note(body, f"{name} changes its arguments {names}")
    _declare_globals(ctx, start)


def _as_memory(ctx: Context, symbol: Symbol) -> None:
    """Give a parameter what its use in the function needs."""
    if symbol.type.is_number and symbol.cpp_name in ctx.usage.addresses:
        ctx.out.code(f"{symbol.name} = np.array([{symbol.name}], dtype={symbol.type.dtype})")
        symbol.is_buffer = True
    if symbol.type.kind in (Kind.TREE, Kind.CHAIN) and symbol.cpp_name in ctx.usage.linked_trees:
        ctx.out.code(f"{symbol.name}_branches = {{}}")


def _declare_globals(ctx: Context, start: int) -> None:
    """Say ``global`` for the variables of the file that the function assigns."""
    outer = {symbol.name for symbol in ctx.scopes.visible() if ctx.scopes.is_global(symbol)}
    if not outer:
        return
    text = "\n".join(part for line in ctx.out.lines[start:] for part in line.rendered())
    try:
        tree = ast.parse(f"def function():\n{text}\n")
    except (SyntaxError, RecursionError, ValueError):
        return  # the check of the whole will find it
    stored = {one.id for one in ast.walk(tree) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
    if stored & outer:
        depth = ctx.out.lines[start].depth or 1
        ctx.out.lines.insert(start, Line(depth, f"global {', '.join(sorted(stored & outer))}"))


def run_by_root(ctx: Context, root: Node, stem: str) -> str | None:
    """Return the name of the function that ``root macro.C`` would run: the one named as the file, or the only one."""
    definitions = [node for node in root.named_children if node.type == "function_definition"]
    found = [(signature(node, ctx.aliases), node) for node in definitions]
    names = [name for (name, _), _ in found]
    if "main" in names:
        return None
    for (name, parameters), _ in found:
        can_run = all(one.default is not None for one in parameters)
        if name in ctx.functions and can_run and (name == stem or len(found) == 1):
            return ctx.functions[name].name
    return None
