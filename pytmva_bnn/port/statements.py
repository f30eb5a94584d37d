"""Statements: one of C++ becomes one of Python, with its comments; what cannot be translated is left as a comment."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from pytmva_bnn.port.analysis import arguments_of, declared_names
from pytmva_bnn.port.assignments import assignment, at_target, update
from pytmva_bnn.port.call_statements import call_statement
from pytmva_bnn.port.changes import described_type
from pytmva_bnn.port.context import Context, Expr, LoopEnd, Symbol, Untranslatable
from pytmva_bnn.port.cpp_types import CppType, declared, type_by_text
from pytmva_bnn.port.declarations import declaration, declare_bare_pointer, declare_pointer, has_destructor
from pytmva_bnn.port.expressions import (
    child,
    class_of,
    converted,
    copied,
    expression,
    fixed,
    of_symbol,
    value,
)
from pytmva_bnn.port.literals import quoted
from pytmva_bnn.port.operators import condition
from pytmva_bnn.port.parse import Node, is_understood, operator_of, parts_of, text_of
from pytmva_bnn.port.places import cell_of

Statement = Callable[[Context, Node], None]

_TABLE: dict[str, Statement] = {}


def on(*types: str) -> Callable[[Statement], Statement]:
    """Let a function translate statements of these types."""

    def register(function: Statement) -> Statement:
        _TABLE.update(dict.fromkeys(types, function))
        return function

    return register


def statement(ctx: Context, node: Node) -> None:
    """Translate a statement, or leave it with the reason."""
    mark, imports = ctx.out.mark(), set(ctx.imports)
    try:
        if node.type not in _TABLE:
            raise Untranslatable(f"{node.type.replace('_', ' ')} is not translated")
        if not node.named_children and node.type == "expression_statement":
            return
        if node.type not in _COMPOUND and not is_understood(node):
            raise Untranslatable("this is not understood as C++")
        for one in _inner_comments(node):
            comment(ctx, one)
        _TABLE[node.type](ctx, node)
    except Untranslatable as reason:
        ctx.out.back_to(mark)
        ctx.imports = imports
        leave(ctx, node, str(reason))
        if node.type == "declaration":  # what uses its variables says why it is left
            for name in declared_names(node):
                ctx.scopes.add(Symbol(name, str(reason), kind="lost"))


def _inner_comments(node: Node) -> Iterator[Node]:
    """Yield the comments within a statement, which stand above its translation; blocks keep their own."""
    for one in node.children:
        if one.type == "comment":
            yield one
        elif one.type not in _OWN_COMMENTS and not one.type.endswith("_statement"):
            yield from _inner_comments(one)


_OWN_COMMENTS = frozenset(
    {
        "compound_statement", "declaration", "else_clause", "field_declaration_list", "enumerator_list",
        "declaration_list", "lambda_expression", "function_definition",
    }
)  # fmt: skip
"""What keeps its comments where they are."""

_COMPOUND = frozenset(
    {
        "compound_statement", "if_statement", "for_statement", "for_range_loop", "while_statement", "do_statement",
        "switch_statement", "try_statement", "function_definition", "class_specifier", "struct_specifier",
        "namespace_definition", "template_declaration", "linkage_specification",
    }
)  # fmt: skip
"""Statements that hold others: one that is not understood inside does not spoil them."""


def leave(ctx: Context, node: Node, reason: str) -> None:
    """Keep a piece of C++ as a comment; the program stops there."""
    lines = text_of(node).split("\n")
    ctx.out.comment(f"TODO(port): {lines[0].strip()}")
    margin = min((len(line) - len(line.lstrip()) for line in lines[1:] if line.strip()), default=0)
    for line in lines[1:]:
        if line.strip():
            ctx.out.comment(f"    {line[margin:].rstrip()}")
    remark = ctx.note(node, reason)
    ctx.out.code(f"raise NotImplementedError({quoted(remark)})")
    ctx.left_rows.update(range(node.start_point[0], node.end_point[0] + 1))


def block(ctx: Context, node: Node | None) -> None:
    """Translate the statements of a block, indented."""
    with ctx.out.block(), ctx.scopes.block():
        statements(
            ctx, [] if node is None else [node] if node.type != "compound_statement" else list(node.named_children)
        )
        end_of_block(ctx)


def statements(ctx: Context, nodes: list[Node]) -> None:
    """Translate statements one after the other, with the comments and blank lines between them."""
    row = nodes[0].start_point[0] if nodes else 0
    for node in nodes:
        if node.start_point[0] - row > 1:
            ctx.out.blank()
        if node.type == "comment":
            comment(ctx, node, is_behind=node.start_point[0] == row and node is not nodes[0])
        else:
            statement(ctx, node)
        row = node.end_point[0]


def comment(ctx: Context, node: Node, *, is_behind: bool = False) -> None:
    """Keep a comment."""
    text = text_of(node)
    if text.startswith("//"):
        lines = [re.sub(r"^//[/!<]*\s?", "", text)]
    else:
        inner = text.removeprefix("/*").removesuffix("*/").strip("*!")
        lines = [re.sub(r"^\s*\*+ ?", "", line) for line in inner.split("\n")]
        while lines and not lines[0].strip():
            lines.pop(0)
        while lines and not lines[-1].strip():
            lines.pop()
    if is_behind and len(lines) == 1:
        ctx.out.behind(lines[0].strip())
        return
    for line in lines:
        ctx.out.comment(line.rstrip())


@on("expression_statement")
def _expression_statement(ctx: Context, node: Node) -> None:
    for one in parts_of(node):
        if not _hidden_declaration(ctx, one):
            simple(ctx, one)


def _hidden_declaration(ctx: Context, node: Node) -> bool:
    """Translate ``TFile *input(0), *output(0);``, which the parser takes for a product; False if it is none."""
    node, *rest = _comma_parts(node)
    if node.type != "binary_expression" or operator_of(node) != "*":
        return False
    left, first = child(node, "left"), child(node, "right")
    name = text_of(left)
    if left.type not in ("identifier", "qualified_identifier") or ctx.scopes.find(name) is not None:
        return False
    base = type_by_text(name, ctx.aliases)
    found = [_hidden_pointer(one) for one in [first, *rest]]
    if first.type != "call_expression" or any(one is None for one in found) or _is_pointer_operation(rest):
        return False
    for pointer, given in [one for one in found if one is not None]:
        if given is None:
            declare_bare_pointer(ctx, pointer, base)
        else:
            declare_pointer(ctx, pointer, base, given)
    return True


def _is_pointer_operation(nodes: list[Node]) -> bool:
    """Return whether a further part lacks the star of a pointer."""
    plain = [child(one, "left") if one.type == "assignment_expression" else one for one in nodes]
    return any(one.type != "pointer_expression" or operator_of(one) != "*" for one in plain)


def _hidden_pointer(node: Node) -> tuple[str, Node | None] | None:
    """Return name and first value of one of the pointers of a hidden declaration."""
    given: Node | None = None
    if node.type == "assignment_expression" and operator_of(node) == "=":
        node, given = child(node, "left"), child(node, "right")
    if node.type == "pointer_expression":
        node = child(node, "argument")
    if given is None and node.type == "call_expression" and len(arguments_of(node)) == 1:
        node, given = child(node, "function"), arguments_of(node)[0]
    return (text_of(node), given) if node.type == "identifier" else None


def _comma_parts(node: Node) -> list[Node]:
    if node.type != "comma_expression":
        return [node]
    return _comma_parts(child(node, "left")) + _comma_parts(child(node, "right"))


def simple(ctx: Context, node: Node) -> None:
    """Translate an expression that stands as a statement."""
    while node.type == "parenthesized_expression":
        node = parts_of(node)[0]
    match node.type:
        case "assignment_expression":
            at_target(
                ctx,
                child(node, "left"),
                lambda target: assignment(ctx, target, operator_of(node), child(node, "right")),
            )
        case "update_expression":
            at_target(ctx, child(node, "argument"), lambda target: update(ctx, target, operator_of(node)))
        case "comma_expression":
            simple(ctx, child(node, "left"))
            simple(ctx, child(node, "right"))
        case "delete_expression":
            _delete(ctx, node)
        case "call_expression":
            call_statement(ctx, node)
        case "conditional_expression":
            ctx.out.code(f"if {condition(ctx, child(node, 'condition')).text}:")
            with ctx.out.block():
                simple(ctx, child(node, "consequence"))
            ctx.out.code("else:")
            with ctx.out.block():
                simple(ctx, child(node, "alternative"))
        case "throw_statement" | "throw_expression":
            _TABLE["throw_statement"](ctx, node)
        case _:
            found = value(ctx, node)
            ctx.out.code(found.text if found.level else f"({found.text})")


def _delete(ctx: Context, node: Node) -> None:
    """Call the destructor of an object of the macro; objects of Python and ROOT need no deletion."""
    target_node = parts_of(node)[-1]
    target = value(ctx, target_node)
    own = class_of(ctx, target.type)
    is_array = any(one.type == "[" for one in node.children)
    if own is not None and has_destructor(ctx, own.name):
        if is_array:
            ctx.out.code(f"for element in reversed({target.text}):")
            with ctx.out.block():
                ctx.out.code("element.destroy()")
        else:
            ctx.out.code(f"{target.text}.destroy()")
    elif target.type.name == "TFile" and target.type.pointers == 1 and ctx.out.last() != f"{target.text}.Close()":
        ctx.out.code(f"if {target.text}:")
        with ctx.out.block():
            ctx.out.code(f"{target.text}.Close()")


@on("return_statement")
def _return(ctx: Context, node: Node) -> None:
    parts = parts_of(node)
    alive = [one for one in ctx.scopes.alive(ctx.body.depth) if not parts or text_of(parts[0]) != one.name]
    if not parts:
        _destroy(ctx, alive)
        ctx.out.code("return")
        return
    function = ctx.body.function
    result = function.result if function is not None else CppType("auto")
    if parts[0].type == "initializer_list":
        from pytmva_bnn.port.construction import from_braces

        ctx.out.code(f"return {from_braces(ctx, result, parts[0]).text}")
        return
    if result.reference and result.is_immutable and not result.const:
        ctx.out.code(f"return {cell_of(ctx, parts[0])}")
        return
    expr = expression(ctx, parts[0])
    if result.reference:
        text = fixed(ctx, expr).text
    elif _is_local_value(ctx, parts[0]):
        text = converted(ctx, Expr(expr.text, expr.type, expr.level, expr.cell, expr.loose, True, expr.literal), result)
    elif result.name in ("auto", "?") or (function is not None and function.is_template):
        text = copied(ctx, expr)
    else:
        text = converted(ctx, expr, result.plain)
    if alive and not text.isidentifier():
        kept = ctx.fresh_name("result")
        ctx.out.code(f"{kept} = {text}")
        text = kept
    _destroy(ctx, alive)
    ctx.out.code(f"return {text}" if result.name != "void" else text)


def _destroy(ctx: Context, objects: list[Symbol]) -> None:
    """Call the destructors of objects; a file's writes it."""
    for one in objects:
        call = f"{of_symbol(one).text}.{'Close' if one.type.name == 'TFile' else 'destroy'}()"
        if one.type.smart:
            ctx.out.code(f"if {of_symbol(one).text}:")
            with ctx.out.block():
                ctx.out.code(call)
        else:
            ctx.out.code(call)


def _destroy_within(ctx: Context, loop: LoopEnd) -> None:
    """Destroy what lives only within a loop that is left, or whose turn ends."""
    if loop.depth is not None:
        _destroy(ctx, ctx.scopes.alive(loop.depth))


def end_of_block(ctx: Context) -> None:
    """Destroy what lives only in the innermost scope, unless the block ends before."""
    alive = ctx.scopes.alive()
    last = ctx.out.lines[-1].code if ctx.out.lines and not ctx.out.is_deeper() else ""
    if alive and not last.startswith(("return", "raise", "break", "continue")):
        _destroy(ctx, alive)


def _is_local_value(ctx: Context, node: Node) -> bool:
    """Return whether a returned variable dies with the function, so that it need not be copied."""
    symbol = ctx.scopes.find(text_of(node)) if node.type == "identifier" else None
    return symbol is not None and not symbol.is_global and symbol.owned


@on("break_statement")
def _break(ctx: Context, node: Node) -> None:
    if not ctx.body.loops:
        raise Untranslatable("break outside of a loop")
    if ctx.body.loops[-1].is_switch and not ctx.body.loops[-1].allows_continue:
        raise Untranslatable("break within a part of a switch")
    _destroy_within(ctx, ctx.body.loops[-1])
    ctx.out.code("break")


@on("continue_statement")
def _continue(ctx: Context, node: Node) -> None:
    loop = next((one for one in reversed(ctx.body.loops) if not one.is_switch), None)
    if loop is None:
        raise Untranslatable("continue outside of a loop")
    if ctx.body.loops[-1].is_switch:
        raise Untranslatable("continue within a switch that breaks at several places")
    _destroy_within(ctx, loop)
    if loop.before_continue is not None:
        loop.before_continue()
    ctx.out.code("continue")


@on("compound_statement")
def _compound_statement(ctx: Context, node: Node) -> None:
    with ctx.scopes.block():
        statements(ctx, list(node.named_children))
        end_of_block(ctx)


@on("labeled_statement", "attributed_statement")
def _labeled(ctx: Context, node: Node) -> None:
    inner = [one for one in parts_of(node) if one.type not in ("statement_identifier", "attribute_declaration")]
    for one in inner:
        statement(ctx, one)


@on("declaration")
def _declaration(ctx: Context, node: Node) -> None:
    declaration(ctx, node)


@on("using_declaration")
def _using(ctx: Context, node: Node) -> None:
    text = text_of(node)
    if "namespace" in text:
        ctx.used_namespaces.add(text.replace("using", "").replace("namespace", "").strip(" ;").removeprefix("::"))
    elif "std::" in text:
        ctx.used_namespaces.add("std")
    elif "TMVA::" in text:
        ctx.used_namespaces.add("TMVA")


@on("alias_declaration")
def _alias(ctx: Context, node: Node) -> None:

    ctx.aliases[text_of(child(node, "name"))] = described_type(ctx, child(node, "type")).plain


@on("type_definition")
def _typedef(ctx: Context, node: Node) -> None:
    type_node = child(node, "type")
    if type_node.type in ("struct_specifier", "class_specifier", "enum_specifier"):
        statement(ctx, type_node)
        base = CppType(text_of(type_node.child_by_field_name("name") or child(node, "declarator")))
    else:
        base = type_by_text(text_of(type_node), ctx.aliases)
    found = declared(base, node.child_by_field_name("declarator"))
    if found.name and found.name != base.name:
        ctx.aliases[found.name] = found.type.plain


@on(
    "preproc_call",
    "preproc_include",
    "static_assert_declaration",
    "friend_declaration",
    "access_specifier",
    "attribute_declaration",
    "namespace_alias_definition",
    "empty_statement",
    ";",
)
def _needless(ctx: Context, node: Node) -> None:
    if node.type == "namespace_alias_definition":
        parts = [text_of(one) for one in parts_of(node)]
        ctx.aliases[parts[0]] = CppType(parts[-1])


@on("preproc_def")
def _define(ctx: Context, node: Node) -> None:
    """Translate a constant macro to a variable of the text."""
    from pytmva_bnn.port.context import Symbol, python_name
    from pytmva_bnn.port.parse import parse_expression

    name, content = text_of(child(node, "name")), node.child_by_field_name("value")
    if content is None or not text_of(content).strip():
        return
    found = parse_expression(text_of(content).partition("//")[0].strip())
    if found is None:
        return  # the preprocessor has put it where it is used
    expr = value(ctx, found)
    symbol = ctx.scopes.add(Symbol(name, python_name(name), expr.type))
    ctx.out.code(f"{symbol.python} = {expr.text}")
