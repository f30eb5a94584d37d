"""Calls of methods."""

from __future__ import annotations

from dataclasses import replace

from pytmva_bnn.port import names, text_methods
from pytmva_bnn.port.analysis import MUTATING_TEXT, outputs_of
from pytmva_bnn.port.arguments import argument, argument_texts, own_result
from pytmva_bnn.port.changes import described_type, mark_assigned
from pytmva_bnn.port.construction import construct, from_braces
from pytmva_bnn.port.context import (
    ATOM,
    Context,
    Expr,
    Untranslatable,
    last_name,
    member_name,
)
from pytmva_bnn.port.cpp_types import (
    BOOL,
    INT,
    STREAM,
    TEXT,
    UINT64,
    UNKNOWN,
    CppType,
)
from pytmva_bnn.port.expressions import (
    _check_lost,
    _method_owner,
    child,
    class_of,
    converted,
    expression,
    fixed,
)
from pytmva_bnn.port.parse import Node, parts_of, text_of
from pytmva_bnn.port.places import cell_of, pointed


def method_call(ctx: Context, function: Node, nodes: list[Node]) -> Expr:
    """Return a call of a method."""
    owner_node, field = child(function, "argument"), child(function, "field")
    name = last_name(field)
    owner = pointed(ctx, function, owner_node, name)
    if field.type == "destructor_name":
        raise Untranslatable("a destructor is called")
    if owner.type.is_text:
        if name in MUTATING_TEXT and text_methods.changed(ctx, owner, name, nodes) is not None:
            return _changed_within(ctx, owner_node, owner, name, nodes)
        return text_methods.method(ctx, owner, name, nodes)
    if owner.type.smart and text_of(child(function, "operator")) == "." and name in ("get", "reset", "release"):
        if name == "get":
            return owner
        if name == "release":
            return replace(owner, type=replace(owner.type, smart=False))
    own = class_of(ctx, owner.type)
    if field.type == "qualified_identifier" and text_of(field).rpartition("::")[0] in ctx.classes:  # d.Base::value()
        base = ctx.classes[text_of(field).rpartition("::")[0]]
        methods = base.methods.get(name, [])
        texts = [owner.text, *argument_texts(ctx, nodes, methods)]
        found = own_result(ctx, "", methods, nodes)
        return replace(found, text=f"{base.python}.{member_name(name)}({', '.join(texts)})")
    holder = _method_owner(ctx, own, name) if own is not None else None
    if holder is not None:
        _check_lost(ctx, holder.name)
        return own_result(ctx, f"{owner.at(ATOM)}.{member_name(name)}", holder.methods[name], nodes)
    if owner.type.is_scalar_pointer or owner.type.is_number:
        raise Untranslatable(f"the method {name} of {text_of(owner_node)[:30]} is not known")
    outputs = outputs_of(name, len(nodes))
    if "stream" in owner.type.name and name == "get":
        outputs = (0,)
    texts = []
    emplaced = _emplaced(ctx, owner.type, name, nodes)
    for i, one in enumerate(nodes if emplaced is None else []):
        is_memory = i == 1 and name in ("Branch", "SetBranchAddress") and bool(expression(ctx, one).cell)
        is_memory = is_memory and expression(ctx, one).type.is_text  # an array of characters
        texts.append(cell_of(ctx, one) if i in outputs or is_memory else _method_argument(ctx, owner, name, one))
    texts += [] if emplaced is None else [emplaced]
    place = f"{owner.at(ATOM)}.{member_name(name)}"
    if field.type == "template_method":
        arguments = [
            described_type(ctx, one) for one in parts_of(child(field, "arguments")) if one.type == "type_descriptor"
        ]
        if name not in ("Get", "As"):
            place += f"[{', '.join(chr(34) + one.written() + chr(34) for one in arguments)}]"
        type_ = replace(arguments[0], pointers=1) if name in ("Get", "As") and arguments else UNKNOWN
        return Expr(f"{place}({', '.join(texts)})", type_)
    return Expr(f"{place}({', '.join(texts)})", _method_type(ctx, owner, name), fresh=name not in _INNER)


def _emplaced(ctx: Context, type_: CppType, name: str, nodes: list[Node]) -> str | None:
    """Return the new element of ``v.emplace_back(a, b)`` where the macro's own class has a constructor for it."""
    many = type_ if not type_.pointers else type_.target
    if name not in ("emplace_back", "emplace_front") or not many.is_container or not many.arguments:
        return None
    own = class_of(ctx, many.element)
    if own is None or not many.element.is_value:
        return None
    if len(nodes) == 1 and expression(ctx, nodes[0]).type.name in (own.name, "?", "auto"):
        return None
    return construct(ctx, many.element, nodes).text


_INNER = ("at", "front", "back", "top", "find")


def _method_argument(ctx: Context, owner: Expr, name: str, node: Node) -> str:
    """Return an argument, converted where it goes into a container."""
    type_ = owner.type if not owner.type.pointers else owner.type.target
    if node.type == "initializer_list" and type_.is_container:
        return from_braces(ctx, type_.element, node).text
    if type_.is_container and name in ("push_back", "push_front", "emplace_back", "push") and type_.arguments:
        expr = expression(ctx, node)
        if not type_.element.is_number or expr.type.name in ("?", "auto"):
            own = class_of(ctx, type_.element)
            if own is not None and type_.element.is_value and expr.type.is_number:
                return f"{own.python}({fixed(ctx, expr).text})"
            return fixed(ctx, expr).text
        return converted(ctx, expr, type_.element) if not type_.element.is_float else fixed(ctx, expr).text
    return argument(ctx, node)


def _method_type(ctx: Context, owner: Expr, name: str) -> CppType:
    type_ = owner.type if not owner.type.pointers else owner.type.target
    if type_.is_container:
        if name in ("size", "count", "capacity", "erase", "max_size") and not (
            name == "erase" and type_.name == "vector"
        ):
            return UINT64
        if name in ("at", "front", "back", "top"):
            return type_.value if name == "at" else type_.element
        if name in (
            "begin",
            "end",
            "rbegin",
            "rend",
            "cbegin",
            "cend",
            "find",
            "erase",
            "insert",
            "lower_bound",
            "upper_bound",
        ):
            return CppType("iterator", (type_.element,))
        if name == "data":
            return replace(type_.element, pointers=1)
        return BOOL if name == "empty" else UNKNOWN
    if "stream" in type_.name:
        if name in ("get", "peek"):
            return INT
        return (
            TEXT
            if name == "str"
            else BOOL
            if name in ("good", "fail", "eof", "bad", "is_open")
            else STREAM
            if name in ("ignore", "clear")
            else UNKNOWN
        )
    if type_.name == "pair" and name in ("first", "second"):
        return type_.arguments[name == "second"]
    return names.RESULTS.get(name, UNKNOWN)


def _changed_within(ctx: Context, node: Node, owner: Expr, name: str, nodes: list[Node]) -> Expr:
    """Return a call that changes a text and gives the new one, within an expression."""
    found = text_methods.changed(ctx, owner, name, nodes)
    if found is None:
        raise Untranslatable(f"{name} of a text is not translated")
    if owner.text.isidentifier() and not owner.cell:
        mark_assigned(ctx, node)
        return Expr(f"({owner.text} := {found.text})", TEXT)
    if owner.cell or owner.text.endswith(".deref()"):
        place = owner.cell or owner.text.removesuffix(".deref()")
        return Expr(f"{ctx.use('set_cell')}({place}, {found.text})", TEXT)
    if node.type in ("call_expression", "parenthesized_expression"):  # a temporary
        return found
    return Expr(f"{ctx.use('set_cell')}({cell_of(ctx, node)}, {found.text})", TEXT)
