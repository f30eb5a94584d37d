"""Calls: functions and methods of the macro, of std, of C and of ROOT."""

from __future__ import annotations

import re
from dataclasses import replace

from pytmva_bnn.port import text_methods
from pytmva_bnn.port.analysis import arguments_of
from pytmva_bnn.port.arguments import argument_texts, own_result, plain_arguments
from pytmva_bnn.port.changes import cast
from pytmva_bnn.port.construction import construct
from pytmva_bnn.port.context import (
    ATOM,
    C_LIBRARY,
    UNARY,
    Context,
    Expr,
    Function,
    Untranslatable,
    last_name,
    member_name,
)
from pytmva_bnn.port.cpp_types import (
    CONTAINERS,
    DOUBLE,
    INT,
    STREAMS,
    TEXT,
    UINT64,
    UNKNOWN,
    CppType,
    split_arguments,
    type_by_text,
)
from pytmva_bnn.port.expressions import (
    _check_lost,
    _method_owner,
    child,
    class_of,
    expression,
    member_of,
    member_of_object,
    of_symbol,
    on,
    qualified,
    value,
)
from pytmva_bnn.port.known_functions import SPECIAL, foreign_function
from pytmva_bnn.port.methods import method_call
from pytmva_bnn.port.operators import operator_function
from pytmva_bnn.port.parse import Node, parts_of, text_of
from pytmva_bnn.port.places import of_result


@on("call_expression")
def _call(ctx: Context, node: Node) -> Expr:
    function = child(node, "function")
    while function.type == "parenthesized_expression":
        function = parts_of(function)[0]
    nodes = arguments_of(node)
    if function.type == "field_expression":
        return method_call(ctx, function, nodes)
    if function.type in ("primitive_type", "sized_type_specifier", "template_type"):
        return _conversion(ctx, type_by_text(text_of(function), ctx.aliases), nodes)
    if function.type == "lambda_expression":
        return Expr(f"{expression(ctx, function).at(ATOM)}({', '.join(plain_arguments(ctx, nodes))})", UNKNOWN)
    if function.type == "pointer_expression":
        function = child(function, "argument")
    if function.type in ("template_function", "identifier", "qualified_identifier"):
        return _function(ctx, function, nodes)
    owner = value(ctx, function)
    if owner.type.is_text and len(nodes) == 2:  # TString: s(start, length)
        return text_methods.method(ctx, owner, "substr", nodes)
    return Expr(f"{owner.at(ATOM)}({', '.join(plain_arguments(ctx, nodes))})", UNKNOWN)


def _function(ctx: Context, function: Node, nodes: list[Node]) -> Expr:
    text = re.sub(r"\s*(::|<|>|,)\s*", r"\1", " ".join(text_of(function).split()))
    name = last_name(function)
    spelled = text.removeprefix("std::").removeprefix("::").partition("<")[0]
    symbol = ctx.scopes.find(text)
    if symbol is not None and symbol.kind == "variable":
        owner = of_symbol(symbol)
        if owner.type.is_text and len(nodes) == 2:
            return text_methods.method(ctx, owner, "substr", nodes)
        own_call = operator_function(ctx, "()", owner.type) if owner.type.is_value else None
        if own_call is not None:
            texts = argument_texts(ctx, nodes, [own_call])
            return of_result(own_call, f"{owner.text}({', '.join(texts)})")
        if class_of(ctx, owner.type) is not None or owner.type.name not in ("function", "auto", "?"):
            return Expr(f"{owner.text}({', '.join(plain_arguments(ctx, nodes))})", UNKNOWN)
        texts = argument_texts(ctx, nodes, [symbol.function] if symbol.function is not None else [])
        return Expr(
            f"{owner.text}({', '.join(texts)})",
            symbol.type.arguments[0] if symbol.type.arguments else UNKNOWN,
            fresh=True,
        )
    member = member_of(ctx, ctx.owner, text) if symbol is None or symbol.is_global else None
    if member is not None and ctx.owner is not None and _method_owner(ctx, ctx.owner, text) is None:
        held = member_of_object(ctx, ctx.this, ctx.owner, member)  # a member that can be called
        if held.type.is_text and len(nodes) == 2:
            return text_methods.method(ctx, held, "substr", nodes)
        own_call = operator_function(ctx, "()", held.type) if held.type.is_value else None
        texts = argument_texts(ctx, nodes, [own_call]) if own_call is not None else plain_arguments(ctx, nodes)
        called = f"{held.at(ATOM)}({', '.join(texts)})"
        return of_result(own_call, called) if own_call is not None else Expr(called, UNKNOWN, fresh=True)
    own = _own_function(ctx, text, name, nodes)
    if own is not None:
        return own
    if spelled in SPECIAL and (text == spelled or text.startswith("std::") or "<" in text):
        try:
            return SPECIAL[spelled](ctx, function, nodes)
        except IndexError:  # an argument that it must have is missing
            raise Untranslatable(f"{spelled} is called with {len(nodes)} arguments") from None
    cast_type = _cast_type(ctx, text)
    if cast_type is not None:
        return _conversion(ctx, cast_type, nodes)
    if spelled in C_LIBRARY and "::" not in spelled:
        return _of_c_library(ctx, spelled, nodes)
    if text.startswith("TMath::") and name in ("Min", "Max", "Abs") and nodes:
        return SPECIAL[{"Min": "min", "Max": "max", "Abs": "abs"}[name]](ctx, function, nodes)
    if "numeric_limits" in text:
        return _limit(ctx, text)
    return foreign_function(ctx, function, text, name, nodes)


def _own_function(ctx: Context, text: str, name: str, nodes: list[Node]) -> Expr | None:
    scope, _, last = text.partition("<")[0].rpartition("::")
    owner = scope.rpartition("::")[2]
    if owner in ctx.classes:
        return _class_function(ctx, owner, last, nodes)
    if scope and owner not in ctx.namespaces:
        return None
    if name in ctx.classes:
        return construct(ctx, CppType(name), nodes)
    if ctx.owner is not None and not scope:
        holder = _method_owner(ctx, ctx.owner, name)
        if holder is not None:
            methods = holder.methods[name]
            place = holder.python if methods[0].is_static else ctx.this
            return own_result(ctx, f"{place}.{member_name(name)}", methods, nodes)
    if name in ctx.functions:
        _check_lost(ctx, name)
        functions = ctx.functions[name]
        if "<" in text and functions[0].is_template:
            functions = [_with_types(ctx, one, text) for one in functions]
        return own_result(ctx, functions[0].python, functions, nodes)
    return None


def _with_types(ctx: Context, function: Function, text: str) -> Function:
    """Return a template with the type that is given for its parameter: ``f<int>(2.5)``."""
    given = split_arguments(text[text.index("<") + 1 : text.rindex(">")])
    if len(given) != 1:
        return function
    type_ = type_by_text(given[0], ctx.aliases)
    if not (type_.is_number or type_.is_text):
        raise Untranslatable(f"the types of {text} are not translated")
    parameters = [
        replace(one, type=replace(one.type, name=type_.name)) if one.type.name == "?" else one
        for one in function.parameters
    ]
    result = type_ if function.result.name == "?" else function.result
    return replace(function, parameters=parameters, result=result, is_template=False)


def _class_function(ctx: Context, owner: str, last: str, nodes: list[Node]) -> Expr:
    own = ctx.classes[owner]
    _check_lost(ctx, owner)
    holder = _method_owner(ctx, own, last)
    if holder is None:
        raise Untranslatable(f"{owner}::{last} is not known here")
    methods = holder.methods[last]
    found = own_result(ctx, f"{own.python}.{member_name(last)}", methods, nodes)
    if methods[0].is_static:
        return found
    arguments = argument_texts(ctx, nodes, methods)  # Base::f() within a method
    return replace(found, text=f"{own.python}.{member_name(last)}({', '.join([ctx.this, *arguments])})")


def _cast_type(ctx: Context, text: str) -> CppType | None:
    type_ = type_by_text(text, ctx.aliases)
    is_basic = type_.is_number or type_.is_char or type_.is_text or type_.name in (*CONTAINERS, *STREAMS)
    return type_ if is_basic or text in ctx.aliases or type_.smart else None


def _conversion(ctx: Context, type_: CppType, nodes: list[Node]) -> Expr:
    if len(nodes) == 1 and (type_.is_number or type_.is_char) and nodes[0].type != "initializer_list":
        return cast(ctx, type_, nodes[0])
    return construct(ctx, type_, nodes)


def _of_c_library(ctx: Context, name: str, nodes: list[Node]) -> Expr:
    if name == "time":
        return Expr(f"{ctx.use('time')}()", CppType("int64"))
    results = {
        "atof": DOUBLE,
        "strtod": DOUBLE,
        "difftime": DOUBLE,
        "clock": CppType("int64"),
        "ctime": TEXT,
        "getenv": replace(TEXT, pointers=0),
        "time": CppType("int64"),
        "strlen": UINT64,
    }
    type_ = results.get(name, INT)
    if name in ("toupper", "tolower"):
        inner = value(ctx, nodes[0])
        if inner.type.is_char:
            return Expr(f"{inner.at(ATOM)}.{'upper' if name == 'toupper' else 'lower'}()", CppType("char"))
    return Expr(f"{ctx.use(name)}({', '.join(plain_arguments(ctx, nodes))})", type_)


def _limit(ctx: Context, text: str) -> Expr:
    type_name, _, which = qualified(ctx, text).text.partition("|")
    type_ = CppType(type_name)
    if type_.is_integer:
        bits = int(type_name.lstrip("uint"))
        low, high = (0, 2**bits - 1) if type_name.startswith("u") else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
        number = high if which == "max" else low
        return Expr(str(number), type_, UNARY, literal=number)
    large = {"float32": "3.4028234663852886e+38", "float64": "1.7976931348623157e+308"}[type_name]
    texts = {
        "max": large, "lowest": f"-{large}", "infinity": 'float("inf")', "quiet_NaN": 'float("nan")',
        "min": "1.1754943508222875e-38" if type_name == "float32" else "2.2250738585072014e-308",
        "epsilon": "1.1920928955078125e-07" if type_name == "float32" else "2.220446049250313e-16",
    }  # fmt: skip
    if which not in texts:
        raise Untranslatable(f"numeric_limits::{which} is not translated")
    return Expr(texts[which], type_, UNARY)
