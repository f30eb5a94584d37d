"""Expressions that read or change something on the way: streams, casts, ``++``, assignments."""

from __future__ import annotations

import re
from dataclasses import replace

from pytmva_bnn.port.analysis import base_name, is_extraction
from pytmva_bnn.port.context import (
    ADD,
    ATOM,
    MULTIPLY,
    SHIFT,
    TERNARY,
    UNARY,
    WALRUS,
    Context,
    Expr,
    Untranslatable,
    last_name,
)
from pytmva_bnn.port.cpp_types import (
    BOOL,
    CHAR,
    CODES,
    CONTAINERS,
    STREAM,
    TEXT,
    UINT64,
    UNKNOWN,
    CppType,
    declared,
    type_by_text,
)
from pytmva_bnn.port.expressions import child, class_of, converted, expression, fixed, named, on, value
from pytmva_bnn.port.operators import _WORDS, _is_calculable, _logical, _promoted, as_text, binary
from pytmva_bnn.port.parse import Node, operator_of, text_of
from pytmva_bnn.port.places import cell_of


@on("binary_expression")
def _binary(ctx: Context, node: Node) -> Expr:
    operator = _WORDS.get(operator_of(node), operator_of(node))
    if operator in ("&&", "||"):
        return _logical(ctx, node)
    if operator in ("<<", ">>"):
        return _shift(ctx, node, operator)
    left, right = expression(ctx, child(node, "left")), expression(ctx, child(node, "right"))
    if operator == "+" and right.type.is_integer and _is_c_text(left, child(node, "left")):
        return Expr(f"{left.at(ATOM)}[{fixed(ctx, right).text}:]", left.type)  # a pointer to its end
    return binary(ctx, operator, left, right)


def _is_c_text(expr: Expr, node: Node) -> bool:
    """Return whether a text is a pointer to characters: a number that is added moves it."""
    if node.type == "call_expression" and child(node, "function").type == "field_expression":
        return expr.type.is_text and last_name(child(child(node, "function"), "field")) in ("c_str", "Data", "GetName")
    return expr.type.is_text and (expr.type.name == "char" or node.type == "string_literal")


def _shift(ctx: Context, node: Node, operator: str) -> Expr:
    if operator == ">>" and is_extraction(ctx, node):
        stream = _stream(ctx, child(node, "left"))
        return Expr(f"{stream.at(SHIFT)} >> {cell_of(ctx, child(node, 'right'))}", STREAM, SHIFT)
    left, right = expression(ctx, child(node, "left")), expression(ctx, child(node, "right"))
    if _is_calculable(left):
        left, right = fixed(ctx, _promoted(ctx, left)), fixed(ctx, _promoted(ctx, right))
        text = f"{left.at(SHIFT)} {operator} {right.at(SHIFT + 1)}"
        literal = (
            isinstance(left.literal, int) and isinstance(right.literal, int) and left.literal << right.literal < 2**31
        )
        return Expr(text, left.type, SHIFT, loose=operator == "<<" and not literal)
    shown = fixed(ctx, right)
    if right.type.name == "truth":
        shown = Expr(f"bool({right.text})", BOOL)
    elif right.type.name in ("uint8", "int8"):
        shown = Expr(f"chr({shown.text} % 256)", CHAR)
    type_ = STREAM if left.type.name in ("stream", "?") or "stream" in left.type.name else left.type
    return Expr(f"{left.at(SHIFT)} {operator} {shown.at(SHIFT + 1)}", type_, SHIFT)


def _stream(ctx: Context, node: Node) -> Expr:
    return expression(ctx, node)


@on("cast_expression")
def _cast(ctx: Context, node: Node) -> Expr:
    return cast(ctx, described_type(ctx, child(node, "type")), child(node, "value"))


def described_type(ctx: Context, node: Node) -> CppType:
    """Return the type of a type descriptor, with its pointers."""
    if node.type != "type_descriptor":
        return type_by_text(text_of(node), ctx.aliases)
    base = type_by_text(text_of(child(node, "type")), ctx.aliases)
    return declared(base, node.child_by_field_name("declarator")).type


def cast(ctx: Context, to: CppType, node: Node, *, is_dynamic: bool = False) -> Expr:
    """Return a value converted to a type."""
    inner = expression(ctx, node)
    if to.is_value and to.name == "void":
        return inner
    if to.is_text:
        return replace(as_text(ctx, inner) if not inner.type.pointers else inner, type=TEXT)
    if to.is_number or to.is_char:
        if to.is_integer and inner.type.name in ("?", "auto"):
            return Expr(f"{ctx.use(to.name)}({inner.text})", to.plain)
        if to.name == "float64" and inner.type.name in ("?", "auto"):
            return Expr(f"float({inner.text})", to.plain)
        text = converted(ctx, inner, to)
        same = text == inner.text
        return Expr(
            text,
            to.plain,
            inner.level if same else (UNARY if text.startswith("-") else ATOM),
            literal=inner.literal if same else None,
        )
    own = class_of(ctx, to)
    if is_dynamic and own is not None and to.is_pointer:
        return Expr(f"{inner.at(TERNARY + 1)} if isinstance({inner.text}, {own.python}) else None", to.plain, TERNARY)
    if to.is_pointer or to.is_array:
        return replace(inner, type=to.plain, literal=None) if inner.literal != 0 else Expr("None", to.plain)
    if own is not None and inner.type.name != own.name:
        return Expr(f"{own.python}({inner.text})", to.plain, fresh=True)
    return inner


@on("sizeof_expression")
def _sizeof(ctx: Context, node: Node) -> Expr:
    type_node = node.child_by_field_name("type")
    inner = node.child_by_field_name("value")
    inner_name = re.sub(r"[() ]", "", text_of(inner)) if inner is not None else ""
    if type_node is None and inner_name and ctx.scopes.find(inner_name) is None:
        named_type = type_by_text(inner_name, ctx.aliases)
        if named_type.name in ctx.classes or named_type.name in CODES or named_type.name in ("bool", "char"):
            return _size_of_type(ctx, named_type)
    type_ = (
        described_type(ctx, type_node) if type_node is not None else expression(ctx, inner).type if inner else UNKNOWN
    )
    is_chars = type_.name == "char" and not type_.pointers
    if is_chars and len(type_.sizes) == 1 and type_.sizes[0] is not None:
        return value(ctx, type_.sizes[0])
    if is_chars and type_.sizes and inner is not None:
        return Expr(f"len({value(ctx, inner).text}) + 1", UINT64, ADD)
    if type_.sizes and inner is not None:
        size = _size_of_type(ctx, replace(type_, sizes=()))
        return Expr(f"len({value(ctx, inner).text}) * {size.text}", UINT64, MULTIPLY)
    return _size_of_type(ctx, type_)


def _size_of_type(ctx: Context, type_: CppType) -> Expr:
    if type_.pointers:
        size = 8
    elif type_.name in ("bool", "char"):
        size = 1
    elif type_.name in CODES:
        size = int(re.sub(r"\D", "", type_.name)) // 8
    elif type_.name in ("text", *CONTAINERS):  # only the ratio to the size of an array counts
        size = 32
    elif type_.name == "enum":
        size = 4
    elif type_.name in ctx.classes:
        size = 8 * max(len(ctx.classes[type_.name].members), 1)
    else:
        raise Untranslatable("sizeof of this type is not known")
    return Expr(str(size), UINT64, literal=size)


@on("update_expression")
def _update(ctx: Context, node: Node) -> Expr:
    argument = child(node, "argument")
    operator = operator_of(node)
    is_prefix = node.children[0].type in ("++", "--")
    if argument.type == "update_expression":  # each one in another would double the work
        raise Untranslatable(f"{operator} of {text_of(argument)[:30]}")
    inner = value(ctx, argument)
    step = "increment" if operator == "++" else "decrement"
    if inner.type.name == "iterator" and inner.type.is_value:
        return Expr(f"{inner.at(ATOM)}.{'' if is_prefix else 'post_'}{step}()", inner.type)
    if not inner.type.is_number and inner.type.name not in ("?", "auto", "counter"):
        raise Untranslatable(f"{operator} of {text_of(argument)[:30]} within an expression")
    if _is_plain_name(inner.text) and not inner.cell:
        mark_assigned(ctx, argument)
        sign, back = ("+", "-") if operator == "++" else ("-", "+")
        changed = f"({inner.text} := {wrapped_step(ctx, inner, sign)})"
        if is_prefix:
            return Expr(changed, inner.type)
        if inner.type.name.startswith("u") or "(" in wrapped_step(ctx, inner, sign):
            return Expr(f"({inner.text}, {changed})[0]", inner.type)
        return Expr(f"{changed} {back} 1", inner.type, ADD)
    function = f"{'pre' if is_prefix else 'post'}_{step}"
    return Expr(f"{ctx.use(function)}({cell_of(ctx, argument)})", inner.type)


def wrapped_step(ctx: Context, inner: Expr, sign: str) -> str:
    """Return a number plus or minus 1."""
    text = f"{inner.at(ADD)} {sign} 1"
    is_risky = inner.type.is_integer and (
        ctx.wide
        or inner.type.name in ("int8", "uint8", "int16", "uint16")
        or (sign == "-" and inner.type.name.startswith("u"))
    )
    return f"{ctx.use(inner.type.name)}({text})" if is_risky else text


def _is_plain_name(text: str) -> bool:
    return text.isidentifier()


@on("assignment_expression")
def _assignment(ctx: Context, node: Node) -> Expr:
    left, operator = child(node, "left"), operator_of(node)
    target = expression(ctx, left)
    new = assigned_value(ctx, target, operator, child(node, "right"))
    if _is_plain_name(target.text) and not target.cell:
        mark_assigned(ctx, left)
        return Expr(f"{target.text} := {new}", target.type, WALRUS)
    return Expr(f"{ctx.use('set_cell')}({cell_of(ctx, left)}, {new})", target.type)


def assigned_value(ctx: Context, target: Expr, operator: str, right: Node) -> str:
    """Return the text of what an assignment (also ``+=`` and so on) stores."""
    if operator == "=":
        if right.type == "initializer_list":
            from pytmva_bnn.port.construction import from_braces  # which needs expressions

            return from_braces(ctx, target.type, right).text
        return converted(ctx, expression(ctx, right), target.type)
    found = compound(ctx, target, operator[:-1], expression(ctx, right))
    return converted(ctx, found, target.type)


def compound(ctx: Context, target: Expr, operator: str, right: Expr) -> Expr:
    """Return what ``target operator right`` gives."""
    if operator in ("<<", ">>"):
        left, right = fixed(ctx, _promoted(ctx, target)), fixed(ctx, _promoted(ctx, right))
        return Expr(f"{left.at(SHIFT)} {operator} {right.at(SHIFT + 1)}", left.type, SHIFT, loose=operator == "<<")
    found = binary(ctx, operator, target, right)
    if operator in "+-*" and target.type.is_integer and found.type.is_integer and not isinstance(right.literal, int):
        return replace(found, loose=True)
    return found


def mark_assigned(ctx: Context, node: Node) -> None:
    """Note that a function changes a variable of the text or of the function around it."""
    name = text_of(node).rpartition("::")[2] if node.type == "qualified_identifier" else base_name(node)
    symbol = ctx.scopes.find(name)
    if (
        symbol is None
        or symbol.kind != "variable"
        or symbol.is_cell
        or node.type not in ("identifier", "parenthesized_expression", "qualified_identifier")
    ):
        return
    body = ctx.body
    if symbol.is_global:
        body.globals.add(symbol.python)
    elif body.is_lambda and symbol.python not in body.own_names:
        body.nonlocals.add(symbol.python)


@on("type_identifier", "primitive_type", "template_type", "sized_type_specifier")
def _type_name(ctx: Context, node: Node) -> Expr:
    if ctx.scopes.find(text_of(node)) is not None:  # T x(a) looks like a function with a parameter of type a
        return named(ctx, text_of(node))
    raise Untranslatable(f"the type {last_name(node)} stands where a value is expected")
