"""Places: pointers, members, elements, and what stands for their addresses."""

from __future__ import annotations

from dataclasses import replace

from pytmva_bnn.port.analysis import arguments_of, called_name
from pytmva_bnn.port.context import ATOM, Context, Expr, Function, Untranslatable, member_name
from pytmva_bnn.port.cpp_types import CHAR, CODES, UNKNOWN
from pytmva_bnn.port.expressions import (
    _check_lost,
    child,
    class_of,
    converted,
    expression,
    fixed,
    member_of,
    member_of_object,
    on,
    value,
)
from pytmva_bnn.port.literals import quoted
from pytmva_bnn.port.operators import condition, operator_function
from pytmva_bnn.port.parse import Node, operator_of, parts_of, text_of


@on("pointer_expression")
def _pointer(ctx: Context, node: Node) -> Expr:
    argument = child(node, "argument")
    if operator_of(node) == "&":
        inner = expression(ctx, argument)
        return Expr(
            cell_of(ctx, argument),
            replace(inner.type, pointers=inner.type.pointers + 1) if not inner.type.sizes else inner.type,
        )
    while argument.type == "parenthesized_expression":
        argument = parts_of(argument)[0]
    inner = value(ctx, argument)
    symbol = ctx.scopes.find(text_of(argument)) if argument.type == "identifier" else None
    if symbol is not None and symbol.is_element:
        return Expr(inner.text, symbol.type.plain)
    if inner.type.name == "iterator" and inner.type.is_value:
        element = inner.type.arguments[0] if inner.type.arguments else UNKNOWN
        return Expr(f"{inner.at(ATOM)}.deref()", element)
    if inner.type.name == "TTreeReaderValue" and inner.type.is_value:
        return Expr(f"{inner.at(ATOM)}.deref()", inner.type.element)
    if inner.type.is_scalar_pointer or inner.type.is_array:
        return Expr(f"{inner.at(ATOM)}[0]", inner.type.target)
    if inner.type.is_text:
        return Expr(f"{inner.at(ATOM)}[0]", CHAR)
    if inner.type.is_pointer:
        return replace(inner, type=inner.type.target)
    if inner.type.name in ("?", "auto") or inner.type.is_number:
        return Expr(f"{ctx.use('dereferenced')}({inner.text})")
    return Expr(inner.text, UNKNOWN if inner.type.name == "?" else inner.type, inner.level)


def cell_of(ctx: Context, node: Node) -> str:
    """Return the text of what stands for the address of an lvalue: a cell, a view, or the object itself."""
    while node.type in ("parenthesized_expression", "cast_expression"):
        node = parts_of(node)[-1]
    if node.type == "conditional_expression":
        test = condition(ctx, child(node, "condition")).text
        return f"{cell_of(ctx, child(node, 'consequence'))} if {test} else {cell_of(ctx, child(node, 'alternative'))}"
    if node.type == "pointer_expression" and operator_of(node) == "*":
        return value(ctx, child(node, "argument")).text
    if node.type == "pointer_expression":
        return cell_of(ctx, child(node, "argument"))
    element = _element(ctx, node)
    if element:
        return element
    expr = value(ctx, node)
    if expr.cell:
        return expr.cell
    if node.type == "subscript_expression" and (expr.type.is_immutable or expr.type.name in ("?", "auto")):
        owner, index = value(ctx, child(node, "argument")), value(ctx, _index(node))
        if (owner.type.is_array or owner.type.is_scalar_pointer) and owner.type.target.name in CODES:
            return f"{ctx.use('address')}({owner.text}, {index.text})"
        return f"{ctx.use('ref')}({owner.text}, {index.text})"
    if node.type == "field_expression" and (expr.type.is_immutable or expr.type.name in ("?", "auto")):
        owner_text, _, name = expr.text.rpartition(".")
        return f"{ctx.use('ref')}({owner_text}, {quoted(name)})"
    if node.type in ("identifier", "qualified_identifier") and expr.type.is_immutable and _is_member(ctx, node):
        owner_text, _, name = expr.text.rpartition(".")
        return f"{ctx.use('ref')}({owner_text}, {quoted(name)})"
    if expr.type.is_immutable and node.type == "call_expression":
        raise Untranslatable(f"the address of what {text_of(node)[:40]} gives is used here")
    if expr.type.is_immutable and node.type in (
        "call_expression",
        "number_literal",
        "string_literal",
        "binary_expression",
    ):
        return f"[{expr.text}]"
    if (
        expr.type.is_immutable
        and not expr.type.is_pointer
        and expr.type.name != "function"
        and node.type == "identifier"
    ):
        symbol = ctx.scopes.find(text_of(node))
        if symbol is not None and not symbol.type.const:
            raise Untranslatable(f"the address of {text_of(node)} is used here")
    return expr.text


def _element(ctx: Context, node: Node) -> str:
    """Return the reference to ``v.at(i)``, ``v.front()`` or ``v.back()`` of a container of numbers, text, pointers."""
    if node.type != "call_expression" or child(node, "function").type != "field_expression":
        return ""
    name, nodes = called_name(node), arguments_of(node)
    if name not in ("at", "front", "back") or not value(ctx, node).type.is_immutable:
        return ""
    owner = value(ctx, child(child(node, "function"), "argument"))
    if not (owner.type.target if owner.type.is_pointer else owner.type).is_container:
        return ""
    index = value(ctx, nodes[0]).text if nodes else "0" if name == "front" else f"len({owner.text}) - 1"
    return f"{ctx.use('ref')}({owner.text}, {index})"


def _is_member(ctx: Context, node: Node) -> bool:
    """Return whether a name is a data member, also a static one: of the class around it, or of the one it names."""
    scope, _, name = "".join(text_of(node).split()).rpartition("::")
    if not scope:
        symbol = ctx.scopes.find(name)
        return (symbol is None or symbol.is_global) and member_of(ctx, ctx.owner, name) is not None
    return member_of(ctx, ctx.classes.get(scope.rpartition("::")[2]), name) is not None


def _index(node: Node) -> Node:
    indices = node.child_by_field_name("indices")
    found = parts_of(indices) if indices is not None else parts_of(node)[1:]
    if len(found) != 1:
        raise Untranslatable(f"the index of {text_of(node)[:40]!r} is not understood")
    return found[0]


@on("subscript_expression")
def _subscript(ctx: Context, node: Node) -> Expr:
    owner, index = value(ctx, child(node, "argument")), expression(ctx, _index(node))
    type_ = owner.type
    if type_.pointers == 1 and type_.target.is_container and not type_.sizes:
        type_ = type_.target if type_.smart else type_
    if type_.is_container and type_.name.endswith("map") and type_.arguments:
        key = converted(ctx, index, type_.arguments[0])
    elif index.type.is_char:
        key = f"ord({index.text})"
    else:
        key = fixed(ctx, index).text
    if type_.is_text:  # its end is a NUL
        return Expr(f"{ctx.use('char_at')}({owner.text}, {key})", CHAR)
    own = operator_function(ctx, "[]", type_)
    if own is not None:
        return of_result(own, f"{owner.at(ATOM)}[{key}]")
    if type_.is_pointer and type_.target.is_container:  # p[0] of a pointer to a vector
        return Expr(owner.text if key == "0" else f"{owner.at(ATOM)}[{key}]", type_.target)
    found = type_.value if (type_.is_container or type_.is_array or type_.is_scalar_pointer) else UNKNOWN
    if type_.is_pointer and not type_.is_scalar_pointer:  # an array of objects behind a pointer
        found = type_.target
    return Expr(f"{owner.at(ATOM)}[{key}]", found)


def pointed(ctx: Context, node: Node, owner_node: Node, name: str) -> Expr:
    """Return the object of ``object.name`` or ``pointer->name``; an iterator stands for its element."""
    owner = value(ctx, owner_node)
    is_arrow = any(one.type == "->" for one in node.children)
    if is_arrow and owner.type.is_scalar_pointer and owner.type.target.is_text:  # std::string *p
        return Expr(f"{owner.at(ATOM)}[0]", owner.type.target)
    if owner.type.name == "iterator" and is_arrow and name not in ("first", "second"):
        return Expr(f"{owner.at(ATOM)}.deref()", owner.type.arguments[0] if owner.type.arguments else UNKNOWN)
    if owner.type.name == "TTreeReaderValue" and owner.type.is_value and is_arrow:
        return Expr(f"{owner.at(ATOM)}.deref()", owner.type.element)
    return owner


def of_result(function: Function, text: str) -> Expr:
    """Return what a call of a function of the macro gives; one that gives a reference to a number gives a cell."""
    result = function.result
    if result.reference and result.is_immutable and not result.const:
        return Expr(f"{text}[0]", result.plain, cell=text)
    return Expr(text, result.plain, fresh=not result.reference and result.pointers == 0)


@on("field_expression")
def _field(ctx: Context, node: Node) -> Expr:
    owner_node, name = child(node, "argument"), text_of(child(node, "field"))
    owner = pointed(ctx, node, owner_node, name)
    own = class_of(ctx, owner.type)
    if own is not None:
        _check_lost(ctx, own.name)
        member = member_of(ctx, own, name)
        if member is not None:
            return member_of_object(ctx, owner.at(ATOM), own, member)
    type_ = UNKNOWN
    pair = owner.type
    if pair.name == "iterator" and pair.arguments:
        pair = pair.arguments[0]
    if pair.name == "pair" and len(pair.arguments) == 2 and name in ("first", "second"):
        type_ = pair.arguments[name == "second"]
    return Expr(f"{owner.at(ATOM)}.{member_name(name)}", type_)
