"""Calls that stand as statements, and those among them that Python writes as assignments."""

from __future__ import annotations

from collections.abc import Callable

from pytmva_bnn.port import text_methods
from pytmva_bnn.port.analysis import MUTATING_TEXT, arguments_of, base_name, called_name
from pytmva_bnn.port.arguments import argument, plain_arguments
from pytmva_bnn.port.changes import mark_assigned
from pytmva_bnn.port.construction import default
from pytmva_bnn.port.context import ATOM, Context
from pytmva_bnn.port.declarations import has_destructor
from pytmva_bnn.port.expressions import (
    child,
    value,
)
from pytmva_bnn.port.known_functions import whole_text
from pytmva_bnn.port.operators import condition
from pytmva_bnn.port.parse import Node, text_of
from pytmva_bnn.port.places import cell_of, pointed


def call_statement(ctx: Context, node: Node) -> None:
    """Translate a call whose result is not used."""
    function = child(node, "function")
    name, nodes = called_name(node), arguments_of(node)
    is_method = function.type == "field_expression"
    is_special = not is_method and name in _FUNCTIONS and ctx.scopes.find(name) is None and name not in ctx.functions
    if is_method and _method_statement(ctx, function, name, nodes):
        return
    if is_method and name == "Close" and ctx.scopes.is_innermost(base_name(function)):
        ctx.scopes.forget(base_name(function))  # a file that is closed here needs not be closed at the end of the block
    if not (is_special and _FUNCTIONS[name](ctx, nodes)):
        ctx.out.code(value(ctx, node).text)


def _method_statement(ctx: Context, function: Node, name: str, nodes: list[Node]) -> bool:
    """Translate calls of methods that must be assignments; False if it is none of them."""
    owner_node = child(function, "argument")
    inner = child(owner_node, "function") if owner_node.type == "call_expression" else None
    if inner is not None and inner.type == "field_expression" and called_name(owner_node) in MUTATING_TEXT:
        first = child(inner, "argument")  # s.append(a).append(b)
        if pointed(ctx, inner, first, called_name(owner_node)).type.is_text and first.type != "call_expression":
            call_statement(ctx, owner_node)
            owner_node, function = first, inner
    owner = pointed(ctx, function, owner_node, name)
    if owner.type.is_text and name in MUTATING_TEXT:
        if name in ("swap", "Swap"):
            return _swapped(ctx, [owner_node, nodes[0]])
        if name == "erase" and nodes[0].type == "call_expression" and called_name(nodes[0]) == "remove":
            removed = arguments_of(nodes[0])  # the idiom that removes a character everywhere
            return _text_changed(ctx, removed, "{}.replace(" + value(ctx, removed[2]).text.replace("{", "{{") + ', "")')
        if name == "ReadLine":
            ctx.out.code(f"{ctx.use('read_line')}({cell_of(ctx, owner_node)}, {value(ctx, nodes[0]).text})")
            return True
        new = text_methods.changed(ctx, owner, name, nodes)
        if new is not None and owner_node.type != "call_expression":
            if owner.text.endswith(".deref()"):
                ctx.out.code(f"{owner.text.removesuffix('.deref()')}.assign({new.text})")
                return True
            mark_assigned(ctx, owner_node)
            rest = new.text.removeprefix(f"{owner.text} + ")
            ctx.out.code(
                f"{owner.text} += {rest}" if new.text.startswith(f"{owner.text} + ") else f"{owner.text} = {new.text}"
            )
            return True
    if name == "GetObject" and len(nodes) == 2:
        target = value(ctx, nodes[1])
        mark_assigned(ctx, nodes[1])
        ctx.out.code(f"{target.text} = {owner.at(ATOM)}.Get({argument(ctx, nodes[0])})")
        return True
    if owner.type.smart and text_of(child(function, "operator")) == "." and name == "reset":
        mark_assigned(ctx, owner_node)
        if has_destructor(ctx, owner.type.name):
            ctx.out.code(f"if {owner.text}:")
            with ctx.out.block():
                ctx.out.code(f"{owner.text}.destroy()")
        ctx.out.code(f"{owner.text} = {value(ctx, nodes[0]).text if nodes else 'None'}")
        return True
    return False


def _assign_text(ctx: Context, target_node: Node, new: str) -> bool:
    target = value(ctx, target_node)
    mark_assigned(ctx, target_node)
    ctx.out.code(f"{target.text} = {new}")
    return True


def _formatted(ctx: Context, target: Node, nodes: list[Node], size: Node | None = None) -> bool:
    limit = f"[: {value(ctx, size).at(11)} - 1]" if size is not None else ""
    return _assign_text(ctx, target, f"ROOT.Form({', '.join(plain_arguments(ctx, nodes))}){limit}")


def _appended(ctx: Context, nodes: list[Node]) -> bool:
    target = value(ctx, nodes[0])
    mark_assigned(ctx, nodes[0])
    ctx.out.code(f"{target.text} += {value(ctx, nodes[1]).text}")
    return True


def _asserted(ctx: Context, nodes: list[Node]) -> bool:
    ctx.out.code(f"assert {condition(ctx, nodes[0]).text}")
    return True


def _swapped(ctx: Context, nodes: list[Node]) -> bool:
    a, b = (value(ctx, one) for one in nodes[:2])
    for one in nodes[:2]:
        mark_assigned(ctx, one)
    ctx.out.code(f"{a.text}, {b.text} = {b.text}, {a.text}")
    return True


def _zeroed(ctx: Context, nodes: list[Node]) -> bool:
    """Translate ``memset(a, 0, sizeof(a))``."""
    target = value(ctx, nodes[0])
    if not target.type.is_array or value(ctx, nodes[1]).literal != 0:
        return False
    ctx.out.code(f"{target.text}[:] = {default(ctx, target.type)}")
    return True


def _text_changed(ctx: Context, nodes: list[Node], pattern: str) -> bool:
    text = whole_text(ctx, nodes)
    if text is None:
        return False
    mark_assigned(ctx, child(child(nodes[0], "function"), "argument"))
    ctx.out.code(f"{text} = {pattern.format(text)}")
    return True


def _text_transformed(ctx: Context, nodes: list[Node]) -> bool:
    change = next((word for word in ("toupper", "tolower") if len(nodes) == 4 and word in text_of(nodes[3])), "")
    return bool(change) and _text_changed(ctx, nodes, "{}.upper()" if change == "toupper" else "{}.lower()")


_FUNCTIONS: dict[str, Callable[[Context, list[Node]], bool]] = {
    "sprintf": lambda ctx, nodes: _formatted(ctx, nodes[0], nodes[1:]),
    "memset": lambda ctx, nodes: _zeroed(ctx, nodes),
    "snprintf": lambda ctx, nodes: _formatted(ctx, nodes[0], nodes[2:], nodes[1]),
    "strcpy": lambda ctx, nodes: _assign_text(ctx, nodes[0], value(ctx, nodes[1]).text),
    "strncpy": lambda ctx, nodes: _assign_text(
        ctx, nodes[0], f"{value(ctx, nodes[1]).at(ATOM)}[:{value(ctx, nodes[2]).text}]"
    ),
    "strcat": _appended,
    "transform": lambda ctx, nodes: _text_transformed(ctx, nodes),
    "reverse": lambda ctx, nodes: _text_changed(ctx, nodes, "{}[::-1]"),
    "sort": lambda ctx, nodes: _text_changed(ctx, nodes, '"".join(sorted({}))'),
    "assert": _asserted,
    "swap": _swapped,
}
"""Functions that are statements of their own in Python; True if they were written."""
