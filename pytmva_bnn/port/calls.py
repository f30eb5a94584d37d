"""Calls: functions of the macro, of the libraries, and methods of objects by the kind of the object."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pytmva_bnn.port import trees
from pytmva_bnn.port.context import (
    Context,
    Expr,
    LeftError,
    NeedlessError,
    SkippedError,
    expression,
    one_line,
    symbol_of,
    translates,
)
from pytmva_bnn.port.conversions import converted
from pytmva_bnn.port.cpp_types import is_type_name, type_by_text, type_of
from pytmva_bnn.port.literals import interpolated, printf_pieces
from pytmva_bnn.port.numbers import kept
from pytmva_bnn.port.objects import construct, file_of
from pytmva_bnn.port.parse import Node, parts_of, text_of
from pytmva_bnn.port.root_idioms import (
    FUNCTIONS,
    METHODS,
    NATIVE_CLASSES,
    NATIVE_RESULTS,
    NEEDLESS_METHODS,
    NUMPY_RANDOM,
    Idiom,
    is_missing_method,
)
from pytmva_bnn.port.symbols import BOOL, DOUBLE, STRING, TEXTS, UNKNOWN, CppType, Kind, Symbol
from pytmva_bnn.port.usage import arguments_of

_CASTS = ("static_cast", "dynamic_cast", "reinterpret_cast", "const_cast")
_FORMATS = ("Form", "TString::Format", "Format")


@translates("call_expression")
def _call(ctx: Context, node: Node) -> Expr:
    function = node.child_by_field_name("function")
    if function is None:
        raise LeftError("this call is not translated")
    if function.type == "field_expression":
        return _method(ctx, node, function)
    if function.type == "template_function":
        return _template(ctx, node, function)
    return _function(ctx, node, re.sub(r"^(std)?::", "", text_of(function).replace(" ", "")))


def _template(ctx: Context, node: Node, function: Node) -> Expr:
    """Translate ``static_cast<int>(x)`` and constructions like ``std::vector<int>(3)``."""
    name = text_of(function.child_by_field_name("name") or function)
    values = [expression(ctx, one) for one in arguments_of(node)]
    type_arguments = function.child_by_field_name("arguments")
    if name in _CASTS and type_arguments is not None and len(values) == 1:
        written = text_of(type_arguments)[1:-1]
        found = type_by_text(written, ctx.aliases)
        return converted(values[0], found)
    return construct(type_of(function, ctx.aliases), values, name)


def _function(ctx: Context, node: Node, name: str) -> Expr:
    symbol = ctx.scopes.find(name)
    own = ctx.functions.get(name) if symbol is None else None
    values = [expression(ctx, one) for one in arguments_of(node)]
    if own is not None:
        if own.changed_references:
            raise LeftError(f"{name} changes its arguments {', '.join(own.changed_references)}; return them instead")
        # more arguments than parameters is an error of the macro
        given = [kept(value, type_) for value, type_ in zip(values, own.parameters, strict=False)]
        texts = [value.text for value in [*given, *values[len(given) :]]]
        return Expr(f"{own.name}({', '.join(texts)})", type=own.result)
    if symbol is not None and symbol.type.kind is Kind.STRING and len(values) == 2:  # a part of a TString
        return Expr(f"{symbol.text}[{values[0]} : {values[0]:a} + {values[1]:a}]", type=STRING)
    made = re.fullmatch(r"make_(?:unique|shared)<(.+)>", name)
    if made is not None:
        return construct(type_by_text(made.group(1), ctx.aliases), values, made.group(1))
    if name in _FORMATS:
        return formatted(values)
    if name == "TFile::Open" and values:
        return file_of(values)
    if name in ("pow", "TMath::Power") and len(values) == 2 and values[1].text in ("2", "3", "4"):
        return Expr(f"{values[0]:a} ** {values[1]}", "power", DOUBLE)
    idiom = FUNCTIONS.get((name, len(values)))
    if idiom is not None and symbol is None:
        return _applied(idiom, values, None)
    if is_type_name(name, ctx.aliases) and symbol is None:
        type_ = type_by_text(name, ctx.aliases)
        if type_.is_number and len(values) == 1:
            return converted(values[0], type_)
        return construct(type_, values, name)
    raise LeftError(f"the function {name} is not known here")


def formatted(values: Sequence[Expr]) -> Expr:
    """Return ``Form("%d", n)`` as an f-string."""
    if not values or values[0].literal is None:
        raise LeftError("a format that is not written out is not translated")
    texts = [value.text for value in values[1:]]
    pieces = printf_pieces(values[0].literal, texts, [value.kind is Kind.INT for value in values[1:]])
    if pieces is None:
        raise LeftError("this format is not translated")
    literal = "".join(piece.text for piece in pieces) if not any(piece.is_expression for piece in pieces) else None
    return Expr(interpolated(pieces), type=STRING, literal=literal)


def _applied(idiom: Idiom, values: Sequence[Expr], receiver: Expr | None) -> Expr:
    text = idiom.template.format(*values, self=receiver)
    if idiom.changes:
        return Expr(text, "statement", idiom.type)
    type_ = idiom.type
    if type_ is UNKNOWN and receiver is not None and receiver.kind in (Kind.VECTOR, Kind.ARRAY, Kind.MAP):
        type_ = receiver.type.element or UNKNOWN
    elif type_ is UNKNOWN and values and all(value.type.is_number for value in values):
        type_ = DOUBLE if any(value.kind is Kind.FLOAT for value in values) else values[0].type
    if idiom.template == "{self}" and receiver is not None:
        return Expr(text, receiver.rank, type_, receiver.literal)
    return Expr(text, idiom.rank, type_, is_natural=idiom.template.startswith("len("))


# ---- methods of objects ------------------------------------------------------------------------------------------


def _method(ctx: Context, node: Node, function: Node) -> Expr:
    holder_node, name_node = function.child_by_field_name("argument"), function.child_by_field_name("field")
    if holder_node is None or name_node is None:
        raise LeftError("this call is not translated")
    name, _, tree_class = text_of(name_node).replace(" ", "").partition("<")
    if tree_class and (name != "Get" or tree_class not in ("TTree>", "TNtuple>", "TChain>")):
        raise LeftError("only trees are taken from files" if name == "Get" else f"{name} is not translated")
    path = f"{one_line(_bare(holder_node)).removeprefix('TMVA::')}.{name}"
    if (path, len(arguments_of(node))) in FUNCTIONS:
        values = [expression(ctx, one) for one in arguments_of(node)]
        return _applied(FUNCTIONS[path, len(values)], values, None)
    if text_of(holder_node) in ("gDirectory", "gFile") and name == "Get" and ctx.in_file is not None:
        return trees.tree_in(Expr(ctx.in_file.text), expression(ctx, arguments_of(node)[0]))
    symbol = _receiver(ctx, holder_node)
    if symbol is not None and symbol.type.kind in trees.KINDS:
        found = trees.call(ctx, symbol, name, node)
        if found is not None:
            return found
    holder = expression(ctx, holder_node)
    kind = holder.kind
    if name == "get" and not arguments_of(node) and kind not in (Kind.VECTOR, Kind.ARRAY, Kind.MAP):
        return holder  # of a smart pointer
    if name in NEEDLESS_METHODS.get(kind, ()):
        raise NeedlessError(name)
    if kind in NATIVE_CLASSES:
        return _native(ctx, holder, name, node)
    values = [expression(ctx, one) for one in arguments_of(node)]
    if kind is Kind.STRING and name == "Form":
        return Expr(f"{holder} = {formatted(values)}", "statement", STRING)
    if kind is Kind.STRING and name == "substr" and len(values) == 2:
        return Expr(f"{holder:a}[{values[0]} : {values[0]:a} + {values[1]:a}]", type=STRING)
    if kind is Kind.VECTOR and name in ("push_back", "emplace_back") and len(values) == 1:
        values = [_element(values[0], holder.type.element or UNKNOWN)]
    if kind is Kind.VECTOR and name == "resize" and values:
        return _resize(holder, values)
    if kind is Kind.FILE and name == "Get" and len(values) == 1:
        return trees.tree_in(holder, values[0])
    if kind is Kind.MAP and name == "insert" and len(values) == 1:
        return _insert(holder, values[0])
    return _by_table(ctx, holder, name, values, symbol)


def _element(value: Expr, type_: CppType) -> Expr:
    """Return what a list of this type keeps of a value; an integer in a list of floats need not be converted."""
    return value if type_.kind is Kind.FLOAT and value.kind is Kind.INT else kept(value, type_)


def _bare(node: Node) -> Node:
    """Return a node without brackets around it."""
    while node.type == "parenthesized_expression" and len(parts_of(node)) == 1:
        node = parts_of(node)[0]
    return node


def _by_table(ctx: Context, holder: Expr, name: str, values: Sequence[Expr], symbol: Symbol | None) -> Expr:
    kind = holder.kind
    table = METHODS.get(Kind.STRING if kind in TEXTS else kind, {})
    if kind is Kind.RANDOM and symbol is not None and not is_own_generator(ctx, symbol.cpp_name):
        table = NUMPY_RANDOM
    idiom = table.get((name, len(values)))
    if idiom is None:
        what = holder.kind.value if holder.kind is not Kind.UNKNOWN else holder.text
        raise LeftError(f"{name} of {what} is not known here")
    return _applied(idiom, values, holder)


def is_own_generator(ctx: Context, name: str) -> bool:
    """Tell whether the TRandom3 of the package does all that is asked of a generator: then the numbers are ROOT's."""
    offered = {method for method, _ in METHODS[Kind.RANDOM]}
    return ctx.usage.calls.get(name, set()) <= offered


def _receiver(ctx: Context, node: Node) -> Symbol | None:
    inner: Node = node
    while inner.type in ("parenthesized_expression", "pointer_expression"):
        parts = parts_of(inner)
        if len(parts) != 1:
            return None
        inner = parts[0]
    return symbol_of(ctx, inner)


def _resize(holder: Expr, values: Sequence[Expr]) -> Expr:
    element = holder.type.element or UNKNOWN
    fill = (
        values[1].text if len(values) > 1 else {Kind.INT: "0", Kind.FLOAT: "0.0", Kind.STRING: '""'}.get(element.kind)
    )
    if fill is None:
        raise LeftError("resize of this vector is not translated")
    return Expr(f"{holder}[:] = ({holder} + [{fill}] * {values[0]:a})[: {values[0]}]", "statement")


def _insert(holder: Expr, pair: Expr) -> Expr:
    match = re.fullmatch(r"\((.+), (.+)\)", pair.text)
    if match is None or pair.kind is not Kind.PAIR or "," in match.group(1):
        raise LeftError("insert with this argument is not translated")
    return Expr(f"{holder}.setdefault({match.group(1)}, {match.group(2)})", "statement")


# ---- objects of the package -----------------------------------------------------------------------------------------


def _native(ctx: Context, holder: Expr, name: str, node: Node) -> Expr:
    """Translate a call of Factory, DataLoader, Reader, a method or a histogram: the names are the same."""
    if name == "BookMethod":
        _check_method(ctx, node)
    if name == "Write" and holder.kind is Kind.HISTOGRAM:
        given = arguments_of(node)[:1]  # then come an option and a buffer size
        names = [expression(ctx, one) for one in given if one.type not in ("number_literal", "null")]
        listed = ", ".join([trees.writable_file(ctx), *(one.text for one in names if one.literal != "")])
        return Expr(f"{holder:a}.Write({listed})", type=UNKNOWN)
    native = NATIVE_CLASSES[holder.kind]
    if not hasattr(native, name):
        raise LeftError(f"{name} does not exist in pytmva_bnn's {native.__name__}")
    arguments = arguments_of(node)
    if name in ("AddSpectator", "AddTarget") and len(arguments) == 4 and arguments[3].type == "char_literal":
        arguments = arguments[:3]  # TMVA: the letter is taken as a minimum, which nothing uses
    values = [expression(ctx, one) for one in arguments]
    if name == "AddVariable" and holder.kind is Kind.READER:
        _remember_variable(ctx, holder, values, node)
    result = NATIVE_RESULTS.get(name, UNKNOWN)
    if name == "EvaluateRegression" and len(values) == 2 and values[0].kind is Kind.INT:
        result = DOUBLE
    if name == "HasMethod":
        result = BOOL
    return Expr(f"{holder:a}.{name}({', '.join(value.text for value in values)})", type=result)


def _remember_variable(ctx: Context, reader: Expr, values: Sequence[Expr], node: Node) -> None:
    """Keep which variable belongs to which input, for calls with whole columns."""
    arguments = arguments_of(node)
    if len(values) == 2 and values[0].literal is not None:
        label = values[0].literal.partition(":=")[0].replace(" ", "")
        ctx.readers.setdefault(reader.text, []).append((label, text_of(arguments[1]).lstrip("&( ").rstrip(") ")))
    else:
        ctx.readers.setdefault(reader.text, []).append(("", ""))


def _check_method(ctx: Context, node: Node) -> None:
    """Refuse the booking of a method that does not exist here."""
    arguments = arguments_of(node)
    for number, argument in enumerate(arguments[:2]):
        name = _method_name(argument)
        if not name:
            continue
        if is_missing_method(name):
            given = one_line(arguments[number + 1]).strip('"') if number + 1 < len(arguments) else ""
            title = given if re.fullmatch(r"\w+", given) else name
            ctx.skipped.append(title)
            raise SkippedError(f"{title} ({name})")
        return


def _method_name(argument: Node) -> str:
    """Return the name of a method given as ``TMVA::Types::kMLP`` or ``"MLP"``."""
    text = one_line(argument)
    if argument.type == "string_literal":
        return text.strip('"')
    match = re.search(r"Types::(?:EMVA::)?k(\w+)$", text.replace(" ", ""))
    return match.group(1) if match and argument.type == "qualified_identifier" else ""
