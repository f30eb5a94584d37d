"""Assignments and steps: ``a = b``, ``a += b``, ``++a``."""

from __future__ import annotations

from collections.abc import Callable

from pytmva_bnn.port.analysis import arguments_of, base_name, called_name, candidates
from pytmva_bnn.port.arguments import argument
from pytmva_bnn.port.changes import assigned_value, mark_assigned, wrapped_step
from pytmva_bnn.port.context import ATOM, Context, Expr, Untranslatable
from pytmva_bnn.port.cpp_types import DOUBLE, CppType
from pytmva_bnn.port.expressions import (
    child,
    class_of,
    expression,
    fixed,
    value,
)
from pytmva_bnn.port.operators import as_text, condition
from pytmva_bnn.port.parse import Node, operator_of, parts_of, text_of, walk


def at_target(ctx: Context, target: Node, change: Callable[[Node], None]) -> None:
    """Change a target; ``(c ? a : b)`` is the one or the other."""
    while target.type == "parenthesized_expression":
        target = parts_of(target)[0]
    if target.type.endswith("_literal"):
        raise Untranslatable(f"{text_of(target)[:30]} cannot be assigned to")
    if target.type != "conditional_expression":
        change(target)
        return
    ctx.out.code(f"if {condition(ctx, child(target, 'condition')).text}:")
    with ctx.out.block():
        at_target(ctx, child(target, "consequence"), change)
    ctx.out.code("else:")
    with ctx.out.block():
        at_target(ctx, child(target, "alternative"), change)


def _check_target(target: Expr) -> None:
    """Refuse what Python cannot assign to; otherwise the whole function would be lost."""
    if target.text.endswith(")"):
        raise Untranslatable(f"{target.text[:60]} cannot be assigned to")


def assignment(ctx: Context, left: Node, operator: str, right: Node) -> None:
    """Translate an assignment."""
    while left.type == "parenthesized_expression":
        left = parts_of(left)[0]
    if left.type == "call_expression" and called_name(left) == "tie":
        targets = [value(ctx, one).text for one in arguments_of(left)]
        ctx.out.code(f"{', '.join(targets)} = {value(ctx, right).text}")
        return
    if right.type == "assignment_expression" and operator == "=":  # a = b = c
        assignment(ctx, child(right, "left"), operator_of(right), child(right, "right"))
        right = child(right, "left")
    target = _element_target(ctx, left) if not _is_character(ctx, left) else None
    target = target or value(ctx, left)
    if left.type == "pointer_expression" and operator_of(left) == "*" and target.text.endswith(".deref()"):
        new = assigned_value(ctx, target, operator, right)
        ctx.out.code(f"{target.text.removesuffix('.deref()')}.assign({new})")
        return
    if _is_character(ctx, left):
        owner_node = child(left if left.type == "subscript_expression" else child(left, "function"), "argument")
        owner = value(ctx, owner_node)
        index = value(ctx, _character_index(left)).text
        new = assigned_value(ctx, target, operator, right)
        mark_assigned(ctx, owner_node)
        ctx.out.code(f"{owner.text} = {ctx.use('with_char')}({owner.text}, {index}, {new})")
        return
    if left.type == "call_expression" and not target.text.endswith("]"):
        raise Untranslatable("the result of this call cannot be assigned to")
    if operator != "=":
        _compound(ctx, left, target, operator, right)
        return
    own = class_of(ctx, target.type)
    if own is not None and target.type.is_value and "operator=" in own.methods:
        ctx.out.code(f"{target.text}.assign_from({value(ctx, right).text})")
        return
    _check_target(target)
    new = _assigned(ctx, target, right)
    if _is_held_elsewhere(ctx, left, target):
        ctx.out.code(f"{ctx.use('set_value')}({target.text}, {new})")
        return
    mark_assigned(ctx, left)
    ctx.out.code(f"{target.text} = {new}")


def _element_target(ctx: Context, left: Node) -> Expr | None:
    """Return the target of ``v.at(i) = x``, ``v.front() = x``, ``v.back() = x`` or ``matrix(i, j) = x``."""
    if left.type == "call_expression" and child(left, "function").type != "field_expression":
        function = child(left, "function")
        while function.type == "parenthesized_expression":
            function = parts_of(function)[0]
        if function.type not in ("identifier", "pointer_expression"):
            return None
        symbol = ctx.scopes.find(base_name(function))
        if (symbol is None or symbol.kind != "variable") and not (
            ctx.owner and base_name(function) in ctx.owner.members
        ):
            return None
        matrix = value(ctx, function)
        if not matrix.type.name.startswith(("TMatrix", "TVector")) or matrix.type.name == "TVector3":
            return None
        return Expr(matrix.at(ATOM) + "".join(f"[{argument(ctx, one)}]" for one in arguments_of(left)), DOUBLE)
    if left.type != "call_expression" or child(left, "function").type != "field_expression":
        return None
    name, nodes = called_name(left), arguments_of(left)
    owner = value(ctx, child(child(left, "function"), "argument"))
    if name not in ("at", "front", "back") or class_of(ctx, owner.type) is not None:
        return None
    if name == "at" and nodes:
        ctx.out.code(value(ctx, left).text)  # which raises beyond the end
        return Expr(f"{owner.at(ATOM)}[{argument(ctx, nodes[0])}]", owner.type.value)
    return Expr(f"{owner.at(ATOM)}[{'0' if name == 'front' else f'len({owner.text}) - 1'}]", owner.type.value)


def _assigned(ctx: Context, target: Expr, right: Node) -> str:
    new = assigned_value(ctx, target, "=", right)
    type_ = target.type
    if type_.is_value and type_.name == "TCut" and right.type != "call_expression":
        return f"ROOT.TCut({new})"
    return new


def _is_character(ctx: Context, left: Node) -> bool:
    """Return whether the target is a character within a text."""
    if left.type == "call_expression" and child(left, "function").type == "field_expression":
        return called_name(left) == "at" and value(ctx, child(child(left, "function"), "argument")).type.is_text
    return left.type == "subscript_expression" and value(ctx, child(left, "argument")).type.is_text


def _character_index(left: Node) -> Node:
    if left.type == "call_expression":
        return arguments_of(left)[0]
    indices = left.child_by_field_name("indices")
    return parts_of(indices)[0] if indices is not None else parts_of(left)[1]


def _is_held_elsewhere(ctx: Context, left: Node, target: Expr) -> bool:
    """Return whether an object must be changed in place, because references or pointers to it may exist."""
    type_ = target.type
    is_vector = type_.name in ("TLorentzVector", "TVector3")
    if not type_.is_value or not (type_.is_container or is_vector or class_of(ctx, type_) is not None):
        return False
    if left.type in ("pointer_expression", "field_expression"):
        return True
    has_cells = _has_cells(ctx, type_)
    symbol = ctx.scopes.find(text_of(left)) if left.type == "identifier" else None
    if symbol is None:
        return left.type == "identifier" or (has_cells and left.type == "subscript_expression")  # a member of this
    cells = ctx.global_cells if symbol.is_global else ctx.body.cells
    return has_cells or symbol.is_global or not symbol.owned or symbol.name in cells or _is_lent(ctx, symbol.name)


def _is_lent(ctx: Context, name: str) -> bool:
    """Return whether a variable is given to a function of the macro by reference: that may keep addresses in it."""
    function = ctx.body.function
    for node in walk(function.definition) if function is not None and function.definition is not None else ():
        if node.type == "call_expression" and name in map(text_of, arguments_of(node)):
            position = [text_of(one) for one in arguments_of(node)].index(name)
            types = [one.parameters[position].type for one in candidates(ctx, node)]
            if any(one.reference and not one.const for one in types):
                return True
    return False


def _has_cells(ctx: Context, type_: CppType) -> bool:
    """Return whether branches or readers may be bound to members of a class."""
    own = class_of(ctx, type_)
    if own is None:
        return False
    members = own.members.values()
    return any(one.is_cell or one.type.sizes or (one.type.is_value and _has_cells(ctx, one.type)) for one in members)


def _compound(ctx: Context, left: Node, target: Expr, operator: str, right: Node) -> None:
    _check_target(target)
    mark_assigned(ctx, left)
    if target.type.is_text and operator == "+=":
        ctx.out.code(f"{target.text} += {as_text(ctx, value(ctx, right)).text}")
        return
    inner = expression(ctx, right)
    new = assigned_value(ctx, target, operator, right)
    plain = f"{target.text} {operator[:-1]} {fixed(ctx, inner).at(12)}"
    is_plain = operator[:-1] in ("+", "-", "*", "|", "&", "^") and new in (
        plain,
        f"{target.text} {operator[:-1]} {inner.text}",
    )
    own = class_of(ctx, target.type)
    if is_plain or own is not None or (target.type.name in ("?", "auto") and operator not in ("/=", "%=")):
        ctx.out.code(f"{target.text} {operator} {fixed(ctx, inner).text}")
    else:
        ctx.out.code(f"{target.text} = {new}")


def update(ctx: Context, argument_node: Node, operator: str) -> None:
    """Translate a step up or down."""
    target = value(ctx, argument_node)
    sign = operator[0]
    if target.type.name == "iterator" and target.type.is_value:
        ctx.out.code(f"{target.text}.{'increment' if sign == '+' else 'decrement'}()")
        return
    _check_target(target)
    mark_assigned(ctx, argument_node)
    if target.type.is_char:
        ctx.out.code(f"{target.text} = chr((ord({target.text}) {sign} 1) % 256)")
    elif target.type.is_text and target.type.name == "char" and sign == "+":
        ctx.out.code(f"{target.text} = {target.at(ATOM)}[1:]")
    elif target.type.is_text or (target.type.is_pointer and not target.type.is_scalar_pointer):
        raise Untranslatable(f"{operator} of the pointer {text_of(argument_node)[:30]} is not translated")
    elif target.type.is_scalar_pointer:
        ctx.out.code(f"{target.text} = {ctx.use('stepped')}({target.text}, {'' if sign == '+' else '-'}1)")
    else:
        new = wrapped_step(ctx, target, sign)
        is_plain = new == f"{target.text} {sign} 1"
        ctx.out.code(f"{target.text} {sign}= 1" if is_plain else f"{target.text} = {new}")
