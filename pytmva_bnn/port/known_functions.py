"""Functions of std, C and ROOT, among them those that Python writes in its own way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from pytmva_bnn.port import names
from pytmva_bnn.port.analysis import called_name, outputs_of
from pytmva_bnn.port.arguments import argument, plain_arguments
from pytmva_bnn.port.changes import cast, described_type
from pytmva_bnn.port.construction import cell, construct, default
from pytmva_bnn.port.context import (
    ATOM,
    NOT,
    Context,
    Expr,
    Untranslatable,
    last_name,
)
from pytmva_bnn.port.cpp_types import (
    BOOL,
    DOUBLE,
    INT,
    ITERATOR,
    TEXT,
    UNKNOWN,
    CppType,
    larger,
    type_by_text,
)
from pytmva_bnn.port.expressions import (
    child,
    converted,
    expression,
    fixed,
    foreign,
    qualified,
    value,
)
from pytmva_bnn.port.operators import _promoted
from pytmva_bnn.port.parse import Node, parts_of, text_of
from pytmva_bnn.port.places import cell_of


def foreign_function(ctx: Context, function: Node, text: str, name: str, nodes: list[Node]) -> Expr:
    """Return a call of a function of the shim."""
    owner = qualified(ctx, text) if "::" in text else foreign(ctx, name)
    outputs = outputs_of(name, len(nodes))
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
        return foreign_function(ctx, function, text_of(function).replace(" ", ""), name, nodes)
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


SPECIAL: dict[str, Callable[[Context, Node, list[Node]], Expr]] = {
    "min": _min_max("min"), "max": _min_max("max"), "abs": _abs, "fabs": _abs, "fabsf": _abs, "labs": _abs,
    "exit": _exit, "_exit": _exit, "move": _same, "forward": _same, "static_cast": _static_cast,
    "dynamic_cast": _static_cast, "reinterpret_cast": _static_cast, "const_cast": _static_cast,
    "make_unique": _make_pointer, "make_shared": _make_pointer, "printf": _printf, "fprintf": _printf, "Form": _form,
    "Printf": _printf_line,
    "TString::Format": _form, "get": _get, "to_string": _to_string, "gSystem->Exit": _exit, "assert": _assert,
    "all_of": _of_text, "any_of": _of_text, "none_of": _of_text, "count_if": _of_text, "count": _of_text,
}  # fmt: skip
"""Functions of C, std and ROOT that have a form of their own in Python."""
