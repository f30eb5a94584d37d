"""Expressions: the table of what translates them, literals, names, and conversions between types."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import replace

from pytmva_bnn.port import names
from pytmva_bnn.port.context import (
    ATOM,
    COMPARE,
    MULTIPLY,
    UNARY,
    Class,
    Context,
    Expr,
    Symbol,
    Untranslatable,
    member_name,
)
from pytmva_bnn.port.cpp_types import (
    BOOL,
    CHAR,
    DOUBLE,
    FLOAT,
    FUNCTION,
    INT,
    TEXT,
    UINT64,
    UNKNOWN,
    CppType,
    type_by_text,
)
from pytmva_bnn.port.literals import is_float, number, quoted, unescaped
from pytmva_bnn.port.parse import Node, parts_of, text_of

Translate = Callable[[Context, Node], Expr]

_TABLE: dict[str, Translate] = {}


def on(*types: str) -> Callable[[Translate], Translate]:
    """Let a function translate nodes of these types."""

    def register(function: Translate) -> Translate:
        _TABLE.update(dict.fromkeys(types, function))
        return function

    return register


def expression(ctx: Context, node: Node) -> Expr:
    """Translate an expression; numbers may be loose."""
    if node.type not in _TABLE:
        raise Untranslatable(f"{node.type.replace('_', ' ')} {text_of(node)[:40]!r} is not translated")
    return _TABLE[node.type](ctx, node)


def value(ctx: Context, node: Node) -> Expr:
    """Translate an expression to what C++ would see of it: numbers are within their type."""
    return fixed(ctx, expression(ctx, node))


def fixed(ctx: Context, expr: Expr) -> Expr:
    """Return an expression whose number is within its type."""
    if not expr.loose:
        return expr
    return Expr(f"{ctx.use(expr.type.name)}({expr.text})", expr.type, ATOM, fresh=True)


def child(node: Node, name: str) -> Node:
    """Return a child that must be there."""
    found = node.child_by_field_name(name)
    if found is None:
        raise Untranslatable(f"{text_of(node)[:40]!r} is not understood")
    return found


@on("number_literal")
def _number(ctx: Context, node: Node) -> Expr:
    text = text_of(node)
    if text[0] in "+-":  # the parser takes the sign for a part of the number
        inner = _number_of(text[1:].strip())
        sign = "-" if text[0] == "-" else ""
        return replace(
            inner,
            text=sign + inner.text,
            level=UNARY if sign else ATOM,
            literal=_negated(inner) if sign else inner.literal,
        )
    return _number_of(text)


def _negated(inner: Expr) -> int | float:
    return -inner.literal if isinstance(inner.literal, int | float) else 0


def _number_of(text: str) -> Expr:
    found = number(text)
    if found is None:
        raise Untranslatable(f"{text} is no number")
    if is_float(found) and not text.lower().startswith("0x"):
        if text[-1] in "fF":
            return Expr(found, FLOAT, literal=float(found), loose=not _is_single(float(found)))
        return Expr(found, DOUBLE, literal=float(found))
    whole, suffix = int(found, 0), text.lower().lstrip("0123456789abcdefx'")
    is_unsigned = "u" in text.lower()[-3:]
    if "l" in suffix or whole > (0xFFFFFFFF if is_unsigned else 0x7FFFFFFF):
        name = "uint64" if is_unsigned else "int64"
    else:
        name = "uint32" if is_unsigned else "int32"
    return Expr(found, CppType(name), literal=whole)


def _is_single(number_: float) -> bool:
    """Return whether a number is the same as a C++ float."""
    import numpy as np

    with np.errstate(all="ignore"):
        return float(np.float32(number_)) == number_


@on("string_literal", "raw_string_literal")
def _text(ctx: Context, node: Node) -> Expr:
    content = _content(node)
    return Expr(quoted(content), TEXT, literal=content, fresh=True)


def _content(node: Node) -> str:
    text = text_of(node)
    if node.type == "raw_string_literal":
        inner = next((one for one in node.named_children if one.type == "raw_string_content"), None)
        return text_of(inner) if inner is not None else ""
    return unescaped(text[text.index('"') + 1 : text.rindex('"')])


@on("user_defined_literal")
def _suffixed(ctx: Context, node: Node) -> Expr:
    inner = node.named_children[0]
    if "string" not in inner.type:
        raise Untranslatable(f"the literal {text_of(node)} is not translated")
    return expression(ctx, inner)


@on("concatenated_string")
def _joined_text(ctx: Context, node: Node) -> Expr:
    content = "".join(
        _content(part) if "string" in part.type else str(expression(ctx, part).literal or "") for part in parts_of(node)
    )
    return Expr(quoted(content), TEXT, literal=content, fresh=True)


@on("char_literal")
def _char(ctx: Context, node: Node) -> Expr:
    content = unescaped(text_of(node)[1:-1])
    if len(content) != 1:
        raise Untranslatable(f"{text_of(node)[:30]} is not one character")
    return Expr(quoted(content), CHAR, literal=content)


@on("true", "false", "null", "nullptr")
def _constant(ctx: Context, node: Node) -> Expr:
    text, type_ = names.CONSTANTS["nullptr" if node.type == "null" else text_of(node)]
    return Expr(text, type_)


@on("this")
def _this(ctx: Context, node: Node) -> Expr:
    if ctx.owner is None:
        raise Untranslatable("this outside of a class")
    return Expr(ctx.this, CppType(ctx.owner.name, pointers=1))


@on("identifier")
def _identifier(ctx: Context, node: Node) -> Expr:
    if text_of(node) == "__LINE__":
        row = node.start_point[0] + 1 - ctx.row_offset
        return Expr(str(row), INT, literal=row)
    return named(ctx, text_of(node))


def named(ctx: Context, name: str) -> Expr:
    """Return what a plain name stands for."""
    symbol = ctx.scopes.find(name)
    member = member_of(ctx, ctx.owner, name) if symbol is None or symbol.is_global else None
    if member is not None and ctx.owner is not None:
        return member_of_object(ctx, ctx.this, ctx.owner, member)
    if symbol is not None:
        if symbol.kind == "lost":
            raise Untranslatable(f"it uses {name}, which is not translated ({symbol.python})")
        if symbol.is_global and symbol.kind == "variable":
            _check_lost(ctx, name)
        return of_symbol(symbol)
    if ctx.owner is not None and _method_owner(ctx, ctx.owner, name):
        return Expr(f"{ctx.this}.{member_name(name)}", FUNCTION)
    if name in ctx.functions:
        _check_lost(ctx, name)
        return Expr(ctx.functions[name][0].python, FUNCTION)
    return foreign(ctx, name)


def of_symbol(symbol: Symbol) -> Expr:
    """Return the value of a variable."""
    if symbol.is_cell:
        return Expr(f"{symbol.python}[0]", symbol.type.plain, cell=symbol.python)
    return Expr(symbol.python, symbol.type.plain)


def _check_lost(ctx: Context, name: str) -> None:
    if name in ctx.lost:
        raise Untranslatable(f"it uses {name}, which is not translated ({ctx.lost[name]})")


def foreign(ctx: Context, name: str) -> Expr:
    """Return a name that the macro does not define: of C, std or ROOT."""
    if name in names.CONSTANTS:
        text, type_ = names.CONSTANTS[name]
        if text in ("stdout", "stderr"):
            ctx.use(text)
        return Expr(text, type_, UNARY if text.startswith("-") else ATOM)
    is_std = names.is_in_std(name)
    if is_std and ("std" in ctx.used_namespaces or name in names.MATHS):
        return Expr(f"ROOT.std.{name}", names.STD.get(name, UNKNOWN))
    if names.is_in_shim(name):
        return Expr(f"ROOT.{name}")
    if "TMVA" in ctx.used_namespaces and _is_tmva(name):
        return Expr(f"ROOT.TMVA.{name}")
    if is_std:
        return Expr(f"ROOT.std.{name}", names.STD.get(name, UNKNOWN))
    if _is_tmva(name):  # TMVAGui and its relatives were functions of macros in ROOT 5
        return Expr(f"ROOT.TMVA.{name}")
    if name in ("__func__", "__FUNCTION__", "__PRETTY_FUNCTION__"):
        return Expr(quoted(ctx.body.python), TEXT)
    reason = names.why_refused(name)
    raise Untranslatable(f"{name} does not exist here{': ' + reason if reason else ''}")


def _is_tmva(name: str) -> bool:
    from pytmva_bnn.compat import ROOT  # the shim's module TMVA

    return hasattr(ROOT.TMVA, name)


@on("qualified_identifier")
def _qualified(ctx: Context, node: Node) -> Expr:
    return qualified(ctx, text_of(node))


def qualified(ctx: Context, text: str) -> Expr:
    """Return what a name with ``::`` stands for."""
    cleaned = re.sub(r"\s*(::|<|>|,)\s*", r"\1", " ".join(text.split())).removeprefix("::")
    parts = _without_templates(cleaned).split("::")
    while len(parts) > 1 and parts[0] in ctx.namespaces and parts[0] not in ctx.classes and parts[0] not in ctx.enums:
        parts = parts[1:]
    if len(parts) == 1:
        return named(ctx, parts[0])
    if parts[0] == "std":
        return _of_std(ctx, cleaned, parts[1:])
    owner, last = parts[-2], parts[-1]
    if owner in ctx.enums and last in ctx.enums[owner]:
        return Expr(ctx.enums[owner][last], INT)
    if owner in ctx.classes:
        return _of_class(ctx, ctx.classes[owner], last)
    if parts[0] in ("string", "TString") and last in ("npos", "kNPOS"):
        return _of_std(ctx, cleaned, ["string", "npos"])
    if parts[0] == "numeric_limits":
        return _of_std(ctx, cleaned, parts)
    if parts[0] in ("ios", "ios_base", "chrono"):
        return _of_std(ctx, cleaned, parts)
    if parts[0] == "ROOT":
        parts = parts[1:]
    if parts[0] in ctx.aliases:
        parts[0] = ctx.aliases[parts[0]].name
    if parts[0] == "Experimental" and "TMVA" in ctx.used_namespaces:
        parts = ["TMVA", *parts]
    first = foreign(ctx, parts[0]).text
    return Expr(".".join([first, *(member_name(part) for part in parts[1:])]), names.RESULTS.get(last, UNKNOWN))


def _without_templates(text: str) -> str:
    depth, kept = 0, ""
    for one in text:
        depth += one == "<"
        kept += one if depth == 0 else ""
        depth -= one == ">"
    return kept


def _of_std(ctx: Context, cleaned: str, parts: list[str]) -> Expr:
    last = parts[-1]
    if parts[0] == "numeric_limits":
        return Expr(_limit(ctx, cleaned), FUNCTION)
    if last == "npos":
        return Expr(ctx.use("npos"), UINT64)
    if parts[0] in ("ios", "ios_base"):
        return Expr(f"ROOT.std.ios.{last + '_' if last == 'in' else last}")
    if not names.is_in_std(parts[0]) and last not in ("abs", "fabs", "min", "max", "move", "forward"):
        raise Untranslatable(f"std::{last} does not exist here")
    return Expr("ROOT.std." + ".".join(member_name(part) for part in parts), names.STD.get(last, UNKNOWN))


def _limit(ctx: Context, cleaned: str) -> str:
    """Return a function of std::numeric_limits as Python; calls of it are made by :mod:`calls`."""
    inner = cleaned[cleaned.index("<") + 1 : cleaned.rindex(">")]
    type_ = type_by_text(inner, ctx.aliases)
    return f"{type_.name}|{cleaned.rpartition('::')[2]}"


def _of_class(ctx: Context, owner: Class, last: str) -> Expr:
    _check_lost(ctx, owner.name)
    member = member_of(ctx, owner, last)
    if member is not None:
        return member_of_object(ctx, owner.python, owner, member)
    if _method_owner(ctx, owner, last):
        return Expr(f"{owner.python}.{member_name(last)}", FUNCTION)
    raise Untranslatable(f"{owner.name}::{last} is not known here")


def member_of(ctx: Context, owner: Class | None, name: str) -> Symbol | None:
    """Return the data member of a class or its bases."""
    if owner is None:
        return None
    found = owner.members.get(name) or owner.constants.get(name)
    if found is not None:
        return found
    for base in owner.bases:
        inherited = member_of(ctx, ctx.classes.get(base), name)
        if inherited is not None:
            return inherited
    return None


def _method_owner(ctx: Context, owner: Class, name: str) -> Class | None:
    if name in owner.methods:
        return owner
    return next(
        (
            found
            for base in owner.bases
            if base in ctx.classes and (found := _method_owner(ctx, ctx.classes[base], name))
        ),
        None,
    )


def member_of_object(ctx: Context, text: str, owner: Class, member: Symbol) -> Expr:
    """Return a data member of an object whose text is given."""
    if member.kind == "constant":
        return Expr(member.python, INT)
    holder = _static_owner(ctx, owner, member.name)
    place = f"{holder or text}.{member.python}"
    if member.is_cell:
        return Expr(f"{place}[0]", member.type.plain, cell=place)
    return Expr(place, member.type.plain)


def _static_owner(ctx: Context, owner: Class, name: str) -> str:
    if name in owner.statics:
        return owner.python
    return next(
        (
            found
            for base in owner.bases
            if base in ctx.classes and (found := _static_owner(ctx, ctx.classes[base], name))
        ),
        "",
    )


def class_of(ctx: Context, type_: CppType) -> Class | None:
    """Return the class of the macro that a type (or what it points to) is."""
    return None if type_.sizes else ctx.classes.get(type_.name)


def converted(ctx: Context, expr: Expr, to: CppType) -> str:
    """Return the text of a value as a variable of a type would hold it."""
    if to.is_text and expr.type.is_char:
        return expr.text
    if to.is_text or not to.is_value:
        is_zero = isinstance(expr.literal, int) and expr.literal == 0
        if to.is_pointer and (is_zero or expr.type.name == "null"):
            return "None"
        if to.is_text and is_zero:
            return "None" if to.pointers else '""'
        return fixed(ctx, expr).text
    if to.name == "bool":
        return _as_bool(ctx, expr)
    if to.is_char:
        return _as_char(ctx, expr)
    if to.is_integer:
        return _as_integer(ctx, expr, to.name)
    if to.is_float:
        return _as_float(ctx, expr, to.name)
    if to.name == "enum":
        return fixed(ctx, expr).text
    return copied(ctx, expr, to)


def _as_bool(ctx: Context, expr: Expr) -> str:
    if expr.type == BOOL:
        return expr.text
    if isinstance(expr.literal, int | float):
        return str(bool(expr.literal))
    return f"bool({truth(ctx, expr)})"


def _as_char(ctx: Context, expr: Expr) -> str:
    if expr.type.is_char:
        return expr.text
    if isinstance(expr.literal, int):
        return quoted(chr(expr.literal % 256))
    return f"chr({fixed(ctx, expr).at(MULTIPLY)} % 256)" if expr.type.is_number else fixed(ctx, expr).text


def _as_integer(ctx: Context, expr: Expr, name: str) -> str:
    if expr.type.is_char:
        return str(ord(expr.literal)) if isinstance(expr.literal, str) else f"ord({expr.text})"
    if isinstance(expr.literal, int) and not isinstance(expr.literal, bool) and _fits(expr.literal, name):
        return expr.text
    if expr.type.name == name and not expr.loose:
        return expr.text
    if expr.type.name == "bool":
        return {"True": "1", "False": "0"}.get(expr.text) or f"int({expr.text})"
    if expr.type.is_integer and not expr.loose and _is_within(expr.type.name, name):
        return expr.text
    if expr.loose and expr.type.is_integer and expr.type.name != name and not _is_within(name, expr.type.name):
        return _as_integer(ctx, fixed(ctx, expr), name)
    if expr.type.name in ("enum", "function") or (expr.type.is_pointer and name.endswith("64")):
        return expr.text
    if isinstance(expr.literal, float) and math.isfinite(expr.literal):
        return str(int(expr.literal)) if _fits(int(expr.literal), name) else f"{ctx.use(name)}({expr.text})"
    return f"{ctx.use(name)}({expr.text})"


def _fits(whole: int, name: str) -> bool:
    bits, is_unsigned = int(name.lstrip("uint")), name.startswith("u")
    return 0 <= whole < 1 << bits if is_unsigned else -(1 << bits - 1) <= whole < 1 << bits - 1


def _is_within(inner: str, outer: str) -> bool:
    a, b = int(inner.lstrip("uint")), int(outer.lstrip("uint"))
    if inner.startswith("u"):
        return a <= b if outer.startswith("u") else a < b
    return not outer.startswith("u") and a <= b


def _as_float(ctx: Context, expr: Expr, name: str) -> str:
    if isinstance(expr.literal, int | float) and not isinstance(expr.literal, bool):
        text = expr.text if isinstance(expr.literal, float) else f"{expr.text}.0"
        if isinstance(expr.literal, int) and (not expr.text.isdigit() or len(expr.text) > 15):
            text = repr(float(expr.literal))
        return text if name == "float64" or _is_single(float(expr.literal)) else f"{ctx.use('float32')}({text})"
    if expr.type.is_float:
        if name == "float32":
            return f"{ctx.use('float32')}({expr.text})" if expr.loose or expr.type.name == "float64" else expr.text
        return fixed(ctx, expr).text
    if expr.type.is_char:
        return f"float(ord({expr.text}))"
    if expr.type.is_number or expr.type.name == "enum":
        return f"{ctx.use('float32') if name == 'float32' else 'float'}({fixed(ctx, expr).text})"
    return f"{ctx.use('float32')}({expr.text})" if name == "float32" else expr.text


def copied(ctx: Context, expr: Expr, to: CppType = UNKNOWN) -> str:
    """Return the text of a value that nobody else holds, where C++ would copy it."""
    type_ = expr.type if expr.type.name not in ("?", "auto") else to
    needs_copy = type_.is_value and (type_.is_container or type_.name in ctx.classes)
    if type_.is_root_value:  # what is not known to be one is a result, or a name or an element
        needs_copy = expr.type.is_root_value or re.fullmatch(r"[\w.\[\]\"']+", expr.text) is not None
    if expr.fresh or not needs_copy:
        return fixed(ctx, expr).text
    return f"{ctx.use('copied')}({expr.text})"


def truth(ctx: Context, expr: Expr) -> str:
    """Return the text of a condition: Python must find it true where C++ does."""
    if expr.type.is_char:
        return f'{expr.at(COMPARE + 1)} != "\\0"'
    holds_container = expr.type.pointers > 0 and expr.type.target.is_container
    if holds_container or (expr.type.is_text and expr.type.name == "char"):
        return f"not {ctx.use('is_null')}({expr.text})"
    if isinstance(expr.literal, int) and not isinstance(expr.literal, bool):
        return str(expr.literal != 0)
    return fixed(ctx, expr).text
