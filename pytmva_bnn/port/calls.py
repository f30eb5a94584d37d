"""Calls: functions and methods of the macro, of std, of C and of ROOT."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from pytmva_bnn.port import names, text_methods
from pytmva_bnn.port.analysis import MUTATING_TEXT, OUTPUTS, arguments_of, called_name
from pytmva_bnn.port.changes import cast, described_type
from pytmva_bnn.port.construction import cell, construct, default, from_braces
from pytmva_bnn.port.context import (
    ATOM,
    C_LIBRARY,
    NOT,
    UNARY,
    Context,
    Expr,
    Function,
    Untranslatable,
    last_name,
    member_name,
)
from pytmva_bnn.port.cpp_types import (
    BOOL,
    CODES,
    CONTAINERS,
    DOUBLE,
    INT,
    ITERATOR,
    STREAM,
    STREAMS,
    TEXT,
    UINT64,
    UNKNOWN,
    CppType,
    larger,
    split_arguments,
    type_by_text,
)
from pytmva_bnn.port.expressions import (
    _check_lost,
    _method_owner,
    child,
    class_of,
    converted,
    expression,
    fixed,
    foreign,
    member_of,
    member_of_object,
    of_symbol,
    on,
    qualified,
    value,
)
from pytmva_bnn.port.operators import _promoted, operator_function
from pytmva_bnn.port.parse import Node, operator_of, parts_of, text_of
from pytmva_bnn.port.places import cell_of, of_result, pointed


@on("call_expression")
def _call(ctx: Context, node: Node) -> Expr:
    function = child(node, "function")
    while function.type == "parenthesized_expression":
        function = parts_of(function)[0]
    nodes = arguments_of(node)
    if function.type == "field_expression":
        return _method(ctx, function, nodes)
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


def plain_arguments(ctx: Context, nodes: Sequence[Node]) -> list[str]:
    """Return the arguments of a function that the macro does not define."""
    return [argument(ctx, one) for one in nodes]


def argument(ctx: Context, node: Node) -> str:
    """Return an argument of a function of ROOT or std."""
    if node.type == "pointer_expression" and operator_of(node) == "&":
        inner = child(node, "argument")
        if inner.type == "subscript_expression":  # memory of its own, also for Branch and the Reader
            owner = value(ctx, child(inner, "argument"))
            if (owner.type.is_array or owner.type.is_scalar_pointer) and owner.type.target.name in CODES:
                found = cell_of(ctx, inner)
                return (
                    f"{ctx.use('memory')}({found.removeprefix('address(')}" if found.startswith("address(") else found
                )
    expr = value(ctx, node)
    return f"({expr.text})" if expr.level == 0 else expr.text


def argument_texts(ctx: Context, nodes: Sequence[Node], candidates: Sequence[Function] = ()) -> list[str]:
    """Return the arguments of a function of the macro, converted to its parameters where it is known."""
    fitting = [one for one in candidates if one.n_required <= len(nodes) <= len(one.parameters)]
    if len(fitting) != 1:
        if any(parameter.is_cell for one in fitting for parameter in one.parameters):
            fitting = _best(ctx, fitting, nodes)
        if len(fitting) != 1:
            return plain_arguments(ctx, nodes)
    return [_own_argument(ctx, one, fitting[0], i) for i, one in enumerate(nodes)]


def _best(ctx: Context, functions: Sequence[Function], nodes: Sequence[Node]) -> list[Function]:
    types = [expression(ctx, one).type.name for one in nodes]
    scores = [sum(a == p.type.name for a, p in zip(types, one.parameters, strict=False)) for one in functions]
    best = max(scores)
    return [one for one, score in zip(functions, scores, strict=True) if score == best][:1]


def _own_argument(ctx: Context, node: Node, function: Function, position: int) -> str:
    parameter = function.parameters[position]
    if parameter.is_cell:
        return cell_of(ctx, node)
    if node.type == "initializer_list":
        return from_braces(ctx, parameter.type, node).text
    expr = expression(ctx, node)
    if function.is_template or parameter.type.name in ("auto", "?"):
        return fixed(ctx, expr).text
    if parameter.type.is_scalar_pointer and not expr.type.is_array:
        return fixed(ctx, expr).text if expr.literal != 0 else "None"
    if parameter.type.is_text or parameter.type.is_number or parameter.type.is_char:
        return converted(ctx, expr, parameter.type.plain)
    own = class_of(ctx, parameter.type)
    if (
        own is not None
        and parameter.type.is_value
        and expr.type.name not in (own.name, "?", "auto")
        and not class_of(ctx, expr.type)
    ):
        return f"{own.python}({fixed(ctx, expr).text})"
    return fixed(ctx, expr).text if expr.level else f"({expr.text})"


# -- functions


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
    if spelled in _SPECIAL and (text == spelled or text.startswith("std::") or "<" in text):
        try:
            return _SPECIAL[spelled](ctx, function, nodes)
        except IndexError:  # an argument that it must have is missing
            raise Untranslatable(f"{spelled} is called with {len(nodes)} arguments") from None
    cast_type = _cast_type(ctx, text)
    if cast_type is not None:
        return _conversion(ctx, cast_type, nodes)
    if spelled in C_LIBRARY and "::" not in spelled:
        return _of_c_library(ctx, spelled, nodes)
    if text.startswith("TMath::") and name in ("Min", "Max", "Abs") and nodes:
        return _SPECIAL[{"Min": "min", "Max": "max", "Abs": "abs"}[name]](ctx, function, nodes)
    if "numeric_limits" in text:
        return _limit(ctx, text)
    return _foreign_function(ctx, function, text, name, nodes)


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
            return _result(ctx, f"{place}.{member_name(name)}", methods, nodes)
    if name in ctx.functions:
        _check_lost(ctx, name)
        functions = ctx.functions[name]
        if "<" in text and functions[0].is_template:
            functions = [_with_types(ctx, one, text) for one in functions]
        return _result(ctx, functions[0].python, functions, nodes)
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
    found = _result(ctx, f"{own.python}.{member_name(last)}", methods, nodes)
    if methods[0].is_static:
        return found
    arguments = argument_texts(ctx, nodes, methods)  # Base::f() within a method
    return replace(found, text=f"{own.python}.{member_name(last)}({', '.join([ctx.this, *arguments])})")


def _result(ctx: Context, text: str, functions: list[Function], nodes: list[Node]) -> Expr:
    arguments = argument_texts(ctx, nodes, functions)
    fitting = [one for one in functions if one.n_required <= len(nodes) <= len(one.parameters)] or functions
    types = {one.result for one in fitting}
    result = types.pop() if len(types) == 1 else UNKNOWN
    if len(fitting) > 1 and result == UNKNOWN:
        result = _best(ctx, fitting, nodes)[0].result
    if result.reference and result.name == "?":
        result = replace(result, reference=False)
    if functions[0].is_template and result.name not in ("void", "bool", "text", "int32", "float64"):
        result = UNKNOWN
    return of_result(replace(functions[0], result=result), f"{text}({', '.join(arguments)})")


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


def _foreign_function(ctx: Context, function: Node, text: str, name: str, nodes: list[Node]) -> Expr:
    owner = qualified(ctx, text) if "::" in text else foreign(ctx, name)
    outputs = OUTPUTS.get(name, ())
    texts = [cell_of(ctx, one) if i in outputs else argument(ctx, one) for i, one in enumerate(nodes)]
    type_ = names.STD.get(name, UNKNOWN) if owner.text.startswith("ROOT.std.") else names.RESULTS.get(name, UNKNOWN)
    if owner.text.startswith("ROOT.std."):
        type_ = _std_type(ctx, name, nodes, type_)
    place = owner.text
    if function.type == "template_function" or ("<" in text and not text.endswith(")")):
        place += _template_text(ctx, function)
    if type_ == UNKNOWN and name[:1] == "T" and names.is_in_shim(name):
        type_ = CppType(name)
    if text.endswith("::Open"):
        type_ = CppType("TFile", pointers=1)
    return Expr(f"{place}({', '.join(texts)})", type_, fresh=True)


def _template_text(ctx: Context, function: Node) -> str:
    found = next((one for one in [function, *function.named_children] if one.type == "template_function"), None)
    arguments = found.child_by_field_name("arguments") if found is not None else None
    if arguments is None:
        return ""
    inner = [text_of(one) for one in parts_of(arguments)]
    shown = [one if one.isdigit() else f'"{type_by_text(one, ctx.aliases).written()}"' for one in inner]
    return f"[{', '.join(shown)}]"


def _std_type(ctx: Context, name: str, nodes: list[Node], known: CppType) -> CppType:
    if name == "pow" and nodes:
        return DOUBLE
    if name in ("make_pair", "make_tuple"):
        types = tuple(value(ctx, one).type for one in nodes)
        return CppType("pair" if name == "make_pair" else "tuple", types)
    if name == "accumulate" and len(nodes) >= 3:
        return expression(ctx, nodes[2]).type
    if known == ITERATOR and nodes:
        first = expression(ctx, nodes[0]).type
        return first if first.name == "iterator" else ITERATOR
    if name in names.MATHS and len(nodes) == 1 and expression(ctx, nodes[0]).type.name == "float32":
        return CppType("float32")
    return known


# -- functions that become something else


def _min_max(word: str) -> Callable[[Context, Node, list[Node]], Expr]:
    def build(ctx: Context, function: Node, nodes: list[Node]) -> Expr:
        parts = [value(ctx, one) for one in nodes]
        if len(parts) == 1 and nodes[0].type == "initializer_list":
            inner = [value(ctx, one) for one in parts_of(nodes[0])]
            return Expr(f"{word}({', '.join(one.text for one in inner)})", inner[0].type)
        numbers = [_promoted(ctx, one) for one in parts if one.type.is_number or one.type.is_char]
        type_ = larger(numbers[0].type, numbers[1].type) if len(numbers) == 2 and len(parts) == 2 else UNKNOWN
        if len(parts) == 3:
            return Expr(
                f"{word}({parts[0].text}, {parts[1].text}, key={ctx.use('by')}({parts[2].text}))", parts[0].type
            )
        if type_.is_number:
            return Expr(f"{word}({', '.join(converted(ctx, one, type_) for one in parts)})", type_)
        return Expr(f"{word}({', '.join(one.text for one in parts)})", parts[0].type)

    return build


def _abs(ctx: Context, function: Node, nodes: list[Node]) -> Expr:
    inner = value(ctx, nodes[0])
    is_float = last_name(function) == "fabs"
    if inner.type.is_number:
        text = converted(ctx, inner, DOUBLE) if is_float and not inner.type.is_float else inner.text
        type_ = _promoted(ctx, inner).type
        return Expr(f"abs({text})", DOUBLE if is_float and not inner.type.is_float else type_)
    return Expr(f"abs({inner.text})", DOUBLE if is_float else inner.type)


def _exit(ctx: Context, function: Node, nodes: list[Node]) -> Expr:
    ctx.use("sys")
    return Expr(f"sys.exit({', '.join(plain_arguments(ctx, nodes))})", CppType("void"))


def _same(ctx: Context, function: Node, nodes: list[Node]) -> Expr:
    moved = value(ctx, nodes[0])
    if moved.type.smart and nodes[0].type == "identifier":  # the object is somebody else's now
        ctx.scopes.forget(text_of(nodes[0]))
        return Expr(f"({moved.text}, {moved.text} := None)[0]", moved.type, fresh=True)
    return replace(value(ctx, nodes[0]), fresh=True)


def _static_cast(ctx: Context, function: Node, nodes: list[Node]) -> Expr:
    arguments = child(function, "arguments") if function.type == "template_function" else None
    if arguments is None:
        raise Untranslatable("this cast is not understood")
    to = described_type(ctx, parts_of(arguments)[0])
    return cast(ctx, to, nodes[0], is_dynamic=text_of(function).startswith("dynamic_cast"))


def _make_pointer(ctx: Context, function: Node, nodes: list[Node]) -> Expr:
    found = next((one for one in [function, *function.named_children] if one.type == "template_function"), None)
    if found is None:
        raise Untranslatable("make_unique without a type")
    type_ = described_type(ctx, parts_of(child(found, "arguments"))[0])
    if type_.is_immutable:
        content = converted(ctx, expression(ctx, nodes[0]), type_) if nodes else default(ctx, type_)
        return Expr(cell(ctx, type_, content), replace(type_, pointers=1, smart=True), fresh=True)
    return replace(construct(ctx, type_, nodes), type=replace(type_.plain, pointers=1, smart=True))


def _printf(ctx: Context, function: Node, nodes: list[Node]) -> Expr:
    return Expr(f"{ctx.use(last_name(function))}({', '.join(_format_arguments(ctx, nodes))})", INT)


def _printf_line(ctx: Context, function: Node, nodes: list[Node]) -> Expr:
    first, *others = _format_arguments(ctx, nodes)
    return Expr(f'{ctx.use("printf")}({first} + "\\n"{"".join(f", {one}" for one in others)})', INT)


def _format_arguments(ctx: Context, nodes: Sequence[Node]) -> list[str]:
    return [
        converted(ctx, one, INT) if one.type == BOOL else fixed(ctx, one).text
        for one in (expression(ctx, node) for node in nodes)
    ]


def _form(ctx: Context, function: Node, nodes: list[Node]) -> Expr:
    return Expr(f"ROOT.Form({', '.join(_format_arguments(ctx, nodes))})", TEXT, fresh=True)


def _get(ctx: Context, function: Node, nodes: list[Node]) -> Expr:
    """Return std::get<i>(tuple)."""
    found = next((one for one in [function, *function.named_children] if one.type == "template_function"), None)
    inner = value(ctx, nodes[0])
    index = text_of(parts_of(child(found, "arguments"))[0]) if found is not None else ""
    if not index.isdigit():
        raise Untranslatable("std::get by type is not translated")
    known = inner.type.arguments
    if inner.type.name == "pair":
        return Expr(f"{inner.at(ATOM)}.{'second' if int(index) else 'first'}", known[int(index)] if known else UNKNOWN)
    return Expr(f"{inner.at(ATOM)}[{index}]", known[int(index)] if int(index) < len(known) else UNKNOWN)


def _to_string(ctx: Context, function: Node, nodes: list[Node]) -> Expr:
    inner = value(ctx, nodes[0])
    if inner.type.is_integer:
        return Expr(f"str({inner.text})", TEXT)
    return Expr(
        f"ROOT.std.to_string({converted(ctx, inner, INT) if inner.type.is_char or inner.type == BOOL else inner.text})",
        TEXT,
    )


def _assert(ctx: Context, function: Node, nodes: list[Node]) -> Expr:
    raise Untranslatable("assert within an expression")


def _of_text(ctx: Context, function: Node, nodes: list[Node]) -> Expr:
    """Return an algorithm of std on the characters of a text, or on anything else."""
    name = last_name(function)
    text = whole_text(ctx, nodes)
    if text is None:
        return _foreign_function(ctx, function, text_of(function).replace(" ", ""), name, nodes)
    last = value(ctx, nodes[-1]).text if len(nodes) > 2 else ""
    if name in ("all_of", "any_of", "none_of", "count_if"):
        word = {"all_of": "all", "any_of": "any", "none_of": "not any", "count_if": "sum"}[name]
        call = last if last.isidentifier() or last.startswith("ROOT.") else f"({last})"
        return Expr(
            f"{word}(bool({call}(c)) for c in {text})",
            INT if name == "count_if" else BOOL,
            NOT if name == "none_of" else ATOM,
        )
    if name == "count":
        return Expr(f"{text}.count({last})", INT)
    raise Untranslatable(f"std::{name} of a text is not translated")


def whole_text(ctx: Context, nodes: list[Node]) -> str | None:
    """Return the text whose begin() and end() are the first two arguments."""
    if len(nodes) < 2 or any(one.type != "call_expression" for one in nodes[:2]):
        return None
    owners = []
    for one in nodes[:2]:
        function = child(one, "function")
        if function.type != "field_expression" or called_name(one) not in (
            "begin",
            "end",
            "cbegin",
            "cend",
            "rbegin",
            "rend",
        ):
            return None
        owners.append(value(ctx, child(function, "argument")))
    if owners[0].text != owners[1].text or not owners[0].type.is_text:
        return None
    return owners[0].at(ATOM) + ("[::-1]" if called_name(nodes[0]) == "rbegin" else "")


_SPECIAL: dict[str, Callable[[Context, Node, list[Node]], Expr]] = {
    "min": _min_max("min"), "max": _min_max("max"), "abs": _abs, "fabs": _abs, "fabsf": _abs, "labs": _abs,
    "exit": _exit, "_exit": _exit, "move": _same, "forward": _same, "static_cast": _static_cast,
    "dynamic_cast": _static_cast, "reinterpret_cast": _static_cast, "const_cast": _static_cast,
    "make_unique": _make_pointer, "make_shared": _make_pointer, "printf": _printf, "fprintf": _printf, "Form": _form,
    "Printf": _printf_line,
    "TString::Format": _form, "get": _get, "to_string": _to_string, "gSystem->Exit": _exit, "assert": _assert,
    "all_of": _of_text, "any_of": _of_text, "none_of": _of_text, "count_if": _of_text, "count": _of_text,
}  # fmt: skip
"""Functions of C, std and ROOT that have a form of their own in Python."""


# -- methods


def _method(ctx: Context, function: Node, nodes: list[Node]) -> Expr:
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
        found = _result(ctx, "", methods, nodes)
        return replace(found, text=f"{base.python}.{member_name(name)}({', '.join(texts)})")
    holder = _method_owner(ctx, own, name) if own is not None else None
    if holder is not None:
        _check_lost(ctx, holder.name)
        return _result(ctx, f"{owner.at(ATOM)}.{member_name(name)}", holder.methods[name], nodes)
    if owner.type.is_scalar_pointer or owner.type.is_number:
        raise Untranslatable(f"the method {name} of {text_of(owner_node)[:30]} is not known")
    outputs = OUTPUTS.get(name, ())
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
        from pytmva_bnn.port.changes import mark_assigned

        mark_assigned(ctx, node)
        return Expr(f"({owner.text} := {found.text})", TEXT)
    if owner.cell or owner.text.endswith(".deref()"):
        place = owner.cell or owner.text.removesuffix(".deref()")
        return Expr(f"{ctx.use('set_cell')}({place}, {found.text})", TEXT)
    if node.type in ("call_expression", "parenthesized_expression"):  # a temporary
        return found
    return Expr(f"{ctx.use('set_cell')}({cell_of(ctx, node)}, {found.text})", TEXT)
