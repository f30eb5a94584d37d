"""Expressions: C++'s operators, conversions and values, with its arithmetic."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from pytmva_bnn.port import names
from pytmva_bnn.port.analysis import arguments_of, base_name, called_name, is_extraction
from pytmva_bnn.port.context import (
    ADD,
    AND,
    ATOM,
    BIT_AND,
    BIT_OR,
    BIT_XOR,
    COMPARE,
    MULTIPLY,
    NOT,
    OR,
    SHIFT,
    TERNARY,
    UNARY,
    WALRUS,
    Class,
    Context,
    Expr,
    Function,
    Symbol,
    Untranslatable,
    last_name,
    member_name,
)
from pytmva_bnn.port.cpp_types import (
    BOOL,
    CHAR,
    CODES,
    CONTAINERS,
    DOUBLE,
    FLOAT,
    FUNCTION,
    INT,
    STREAM,
    TEXT,
    UINT64,
    UNKNOWN,
    CppType,
    declared,
    larger,
    type_by_text,
)
from pytmva_bnn.port.literals import is_float, number, quoted, unescaped
from pytmva_bnn.port.parse import Node, operator_of, parts_of, text_of

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


# -- literals


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


# -- names


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


# -- conversions


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
    if isinstance(expr.literal, float):
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


def condition(ctx: Context, node: Node) -> Expr:
    """Translate a condition."""
    while node.type == "parenthesized_expression" and len(parts_of(node)) == 1:
        node = parts_of(node)[0]
    if node.type == "binary_expression" and operator_of(node) in ("&&", "||", "and", "or"):
        return _logical(ctx, node)
    if node.type == "unary_expression" and operator_of(node) in ("!", "not"):
        return _not(ctx, node)
    expr = expression(ctx, node)
    text = truth(ctx, expr)
    level = (
        expr.level if text == expr.text else (NOT if text.startswith("not ") else COMPARE if " != " in text else ATOM)
    )
    return Expr(text, BOOL, level)


# -- operators


@on("parenthesized_expression")
def _parenthesized(ctx: Context, node: Node) -> Expr:
    inner = parts_of(node)
    if len(inner) != 1:
        raise Untranslatable("brackets without content")
    found = expression(ctx, inner[0])
    if found.level >= UNARY:
        return found
    return replace(found, text=f"({found.text})", level=ATOM)


_COMPARISONS = ("==", "!=", "<", ">", "<=", ">=")
_LEVELS = {"+": ADD, "-": ADD, "*": MULTIPLY, "&": BIT_AND, "|": BIT_OR, "^": BIT_XOR, "<<": SHIFT, ">>": SHIFT}
_WORDS = {"and": "&&", "or": "||", "not": "!", "bitand": "&", "bitor": "|", "xor": "^", "not_eq": "!="}


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


def binary(ctx: Context, operator: str, left: Expr, right: Expr) -> Expr:
    """Return an arithmetic operation or comparison of two expressions."""
    own = operator_function(ctx, operator, left.type, right.type)
    if own is not None and operator not in _COMPARISONS:
        level = _LEVELS.get(operator, MULTIPLY)
        text = f"{fixed(ctx, left).at(level)} {operator} {fixed(ctx, right).at(level + 1)}"
        return Expr(text, own.result.plain, level, fresh=not own.result.reference)
    if operator in _COMPARISONS:
        return _compared(ctx, operator, left, right)
    if "TCut" in (left.type.name, right.type.name) and operator in "+*":
        level = _LEVELS[operator]
        text = f"{fixed(ctx, left).at(level)} {operator} {fixed(ctx, right).at(level + 1)}"
        return Expr(text, CppType("TCut"), level, fresh=True)
    if left.type.is_text or right.type.is_text:
        return _text_sum(ctx, operator, left, right)
    if _is_calculable(left) and _is_calculable(right):
        return _arithmetic(ctx, operator, _promoted(ctx, left), _promoted(ctx, right))
    left, right = fixed(ctx, left), fixed(ctx, right)
    type_ = _mixed(left, right)
    if operator == "/":
        is_ieee = DOUBLE in (left.type, right.type) or FLOAT in (left.type, right.type)
        if is_ieee and isinstance(right.literal, int | float) and right.literal:
            return Expr(f"{left.at(MULTIPLY)} / {right.at(UNARY)}", type_, MULTIPLY)
        return Expr(f"{ctx.use('ratio' if is_ieee else 'divide')}({left.text}, {right.text})", type_)
    if operator == "%":
        return Expr(f"{ctx.use('remainder')}({left.text}, {right.text})", type_)
    are_pointers = all(one.type.is_scalar_pointer or one.type.is_array for one in (left, right))
    if are_pointers and operator == "-":
        return Expr(f"{ctx.use('between')}({right.text}, {left.text})", CppType("int64"))
    is_step = operator in "+-" and right.type.is_integer
    if is_step and (left.type.is_scalar_pointer or left.type.is_array or left.type.is_pointer):
        sign = "-" if operator == "-" else ""
        return Expr(f"{ctx.use('stepped')}({left.text}, {sign}{right.at(UNARY)})", left.type)
    if operator not in _LEVELS:
        raise Untranslatable(f"the operator {operator} is not translated")
    level = _LEVELS[operator]
    return Expr(f"{left.at(level)} {operator} {right.at(level + 1)}", type_, level, fresh=True)


def operator_function(ctx: Context, operator: str, *types: CppType) -> Function | None:
    """Return the operator of the macro's own classes for operands of these types."""
    name = f"operator{operator}"
    owner = class_of(ctx, types[0]) if types[0].is_value else None
    holder = _method_owner(ctx, owner, name) if owner is not None else None
    if holder is not None:
        return holder.methods[name][0]
    if any(class_of(ctx, one) is not None and one.is_value for one in types):
        return next(iter(ctx.functions.get(name, [])), None)
    return None


def _mixed(left: Expr, right: Expr) -> CppType:
    """Return the type of an operation with something whose type is not known."""
    if DOUBLE in (left.type, right.type):
        return DOUBLE
    for one in (left, right):
        if one.type.name not in ("?", "auto", "null") and not one.type.is_number:
            return one.type.plain
    return UNKNOWN


def _is_calculable(expr: Expr) -> bool:
    return expr.type.is_number or expr.type.is_char or expr.type.name == "enum"


def _promoted(ctx: Context, expr: Expr) -> Expr:
    """Return a number as C++ computes with it: chars, bools and short numbers as int."""
    if expr.type.is_char:
        if isinstance(expr.literal, str):
            return Expr(str(ord(expr.literal)), INT, literal=ord(expr.literal))
        return Expr(f"ord({expr.text})", INT)
    if expr.type.name == "bool":
        text = {"True": "1", "False": "0"}.get(expr.text)
        return Expr(text, INT, literal=int(text)) if text else replace(expr, type=INT)
    if expr.type.name in ("enum", "int8", "uint8", "int16", "uint16"):
        return replace(fixed(ctx, expr), type=INT)
    return expr


def _arithmetic(ctx: Context, operator: str, left: Expr, right: Expr) -> Expr:
    type_ = larger(left.type, right.type)
    if type_.is_float:
        return _float_arithmetic(ctx, operator, left, right, type_)
    if operator in "/%":
        left, right = _in_type(ctx, left, type_), _in_type(ctx, right, type_)
        if type_.name.startswith("u") and isinstance(right.literal, int) and right.literal:
            return Expr(f"{left.at(MULTIPLY)} {'//' if operator == '/' else '%'} {right.at(UNARY)}", type_, MULTIPLY)
        function = "quotient" if operator == "/" else "remainder"
        return Expr(f"{ctx.use(function)}({left.text}, {right.text})", type_)
    if operator in "&|^":
        left, right = _in_type(ctx, left, type_), _in_type(ctx, right, type_)
        level = _LEVELS[operator]
        return Expr(f"{left.at(level)} {operator} {right.at(level + 1)}", type_, level)
    level = _LEVELS[operator]
    text = f"{left.at(level)} {operator} {right.at(level + 1)}"
    literal = _folded(operator, left, right)
    return Expr(text, type_, level, loose=_may_overflow(ctx, operator, left, right, type_), literal=literal)


def _folded(operator: str, left: Expr, right: Expr) -> int | None:
    a, b = left.literal, right.literal
    if not isinstance(a, int) or not isinstance(b, int):
        return None
    found = {"+": a + b, "-": a - b, "*": a * b}[operator]
    return found if abs(found) < 2**31 else None


def _in_type(ctx: Context, expr: Expr, type_: CppType) -> Expr:
    """Return a whole number converted to the type in which C++ computes."""
    text = _as_integer(ctx, expr, type_.name)
    return expr if text == expr.text and not expr.loose else Expr(text, type_)


def _may_overflow(ctx: Context, operator: str, left: Expr, right: Expr, type_: CppType) -> bool:
    """Return whether a whole number may be out of its range: where the macro has large numbers, or products."""
    if _folded(operator, left, right) is not None:
        return type_.name.startswith("u") and (_folded(operator, left, right) or 0) < 0
    literals = [abs(one.literal) for one in (left, right) if isinstance(one.literal, int)]
    if operator == "*" and not literals and not type_.name.endswith("64"):
        ctx.found_products = True
    if type_.name.startswith("u"):
        is_small = operator == "+" and any(one < 65536 for one in literals)
        return not is_small or ctx.wide or left.loose or right.loose
    return ctx.wide or left.loose or right.loose


def _float_arithmetic(ctx: Context, operator: str, left: Expr, right: Expr, type_: CppType) -> Expr:
    left, right = fixed(ctx, left), fixed(ctx, right)
    is_single = type_.name == "float32"
    if operator == "/":
        if isinstance(right.literal, int | float) and right.literal:
            return Expr(f"{left.at(MULTIPLY)} / {right.at(UNARY)}", type_, MULTIPLY, loose=is_single)
        return Expr(f"{ctx.use('ratio')}({left.text}, {right.text})", type_, ATOM, loose=is_single)
    if operator not in _LEVELS or operator in "&|^":
        raise Untranslatable(f"{operator} of numbers with a fraction")
    level = _LEVELS[operator]
    return Expr(f"{left.at(level)} {operator} {right.at(level + 1)}", type_, level, loose=is_single)


def _compared(ctx: Context, operator: str, left: Expr, right: Expr) -> Expr:
    if operator in ("==", "!="):
        for one, other in ((left, right), (right, left)):
            is_null = other.type.name == "null" or (other.literal == 0 and not isinstance(other.literal, str))
            is_c_text = one.type.is_text and one.type.name == "char"
            if is_null and (one.type.is_pointer or is_c_text or (other.type.name == "null")):
                text = truth(ctx, one)
                if operator == "!=":
                    return Expr(f"bool({text})" if text == one.text else text, BOOL, ATOM if text == one.text else NOT)
                return (
                    Expr(text.removeprefix("not "), BOOL)
                    if text.startswith("not ")
                    else Expr(f"not {one.at(NOT)}", BOOL, NOT)
                )
    if left.type.is_char != right.type.is_char and _is_calculable(left) and _is_calculable(right):
        left, right = _promoted(ctx, left), _promoted(ctx, right)
    elif left.type.is_integer and right.type.is_integer:
        type_ = larger(_promoted(ctx, left).type, _promoted(ctx, right).type)
        if type_.name.startswith("u"):  # -1 < 1u is false in C++
            left, right = (one if _is_small(one) else _in_type(ctx, one, type_) for one in (left, right))
    if all(one.type.is_scalar_pointer or one.type.is_array for one in (left, right)):
        return Expr(f"{ctx.use('between')}({right.text}, {left.text}) {operator} 0", BOOL, COMPARE)
    if left.type.is_pointer and right.type.is_pointer and operator in ("==", "!="):
        word = "is" if operator == "==" else "is not"
        return Expr(f"{left.at(COMPARE + 1)} {word} {right.at(COMPARE + 1)}", BOOL, COMPARE)
    left, right = fixed(ctx, left), fixed(ctx, right)
    return Expr(f"{left.at(COMPARE + 1)} {operator} {right.at(COMPARE + 1)}", BOOL, COMPARE)


def _is_small(expr: Expr) -> bool:
    """Return whether a number is the same as unsigned: a literal, or a counter of a loop."""
    return (isinstance(expr.literal, int) and expr.literal >= 0) or expr.type.name == "counter"


def _text_sum(ctx: Context, operator: str, left: Expr, right: Expr) -> Expr:
    if operator != "+":
        raise Untranslatable(f"{operator} of text is not translated")
    if isinstance(left.literal, str) and isinstance(right.literal, str) and left.type.is_text and right.type.is_text:
        return Expr(quoted(left.literal + right.literal), TEXT, literal=left.literal + right.literal, fresh=True)
    parts = [as_text(ctx, one) for one in (left, right)]
    return Expr(f"{parts[0].at(ADD)} + {parts[1].at(ADD + 1)}", TEXT, ADD, fresh=True)


def as_text(ctx: Context, expr: Expr) -> Expr:
    """Return a value as it is appended to a text."""
    if expr.type.is_text or expr.type.is_char:
        return expr
    if expr.type.is_integer or expr.type.name in ("enum", "bool"):
        return Expr(f"str({converted(ctx, expr, INT) if expr.type.name == 'bool' else fixed(ctx, expr).text})", TEXT)
    if expr.type.is_float:
        return Expr(f'ROOT.Form("%g", {fixed(ctx, expr).text})', TEXT)
    return Expr(f"str({fixed(ctx, expr).text})", TEXT) if expr.type.name in ("?", "auto") else fixed(ctx, expr)


def _logical(ctx: Context, node: Node) -> Expr:
    operator = _WORDS.get(operator_of(node), operator_of(node))
    left, right = expression(ctx, child(node, "left")), expression(ctx, child(node, "right"))
    if "TCut" in (left.type.name, right.type.name):  # the operators of cuts
        level = ADD if operator == "&&" else BIT_OR
        shown = f"{left.at(level)} {'+' if operator == '&&' else '|'} {right.at(level + 1)}"
        return Expr(shown, CppType("TCut"), level, fresh=True)
    word, level = (" and ", AND) if operator == "&&" else (" or ", OR)
    parts = [condition(ctx, child(node, side)) for side in ("left", "right")]
    sources = [left.type, right.type]
    text = word.join([parts[0].at(level), parts[1].at(level + 1)])
    return Expr(text, BOOL if all(one == BOOL for one in sources) else CppType("truth"), level)


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


@on("unary_expression")
def _unary(ctx: Context, node: Node) -> Expr:
    operator = _WORDS.get(operator_of(node), operator_of(node))
    if operator == "!":
        return _not(ctx, node)
    inner = expression(ctx, child(node, "argument"))
    if _is_calculable(inner):
        inner = _promoted(ctx, inner)
    if operator == "+":
        return inner
    if operator == "-" and isinstance(inner.literal, int | float) and not inner.type.name.startswith("u"):
        return Expr(f"-{inner.at(UNARY)}", inner.type, UNARY, literal=-inner.literal, loose=inner.loose)
    if operator == "~":
        inner = fixed(ctx, inner)
        return Expr(f"~{inner.at(UNARY)}", inner.type, UNARY, loose=inner.type.name.startswith("u"))
    if operator == "-" and class_of(ctx, inner.type) is not None:
        own = operator_function(ctx, "-", inner.type)
        return Expr(f"-{inner.at(UNARY)}", own.result.plain if own is not None else UNKNOWN, UNARY, fresh=True)
    if operator == "-":
        loose = inner.loose or (inner.type.is_integer and (ctx.wide or inner.type.name.startswith("u")))
        return Expr(f"-{inner.at(UNARY)}", inner.type, UNARY, loose=loose)
    raise Untranslatable(f"the operator {operator} is not translated")


def _not(ctx: Context, node: Node) -> Expr:
    cut = expression(ctx, child(node, "argument"))
    if cut.type.name == "TCut":
        return Expr(f"~{cut.at(UNARY)}", CppType("TCut"), UNARY, fresh=True)
    inner = condition(ctx, child(node, "argument"))
    if inner.level == NOT and inner.text.startswith("not "):
        return Expr(f"bool({inner.text[4:]})", BOOL)
    return Expr(f"not {inner.at(NOT)}", BOOL, NOT)


@on("conditional_expression")
def _conditional(ctx: Context, node: Node) -> Expr:
    test = condition(ctx, child(node, "condition"))
    first, second = expression(ctx, child(node, "consequence")), expression(ctx, child(node, "alternative"))
    type_ = first.type if first.type.name not in ("null", "?") else second.type
    if _is_calculable(first) and _is_calculable(second) and first.type != second.type:
        type_ = larger(_promoted(ctx, first).type, _promoted(ctx, second).type)
        texts = [converted(ctx, one, type_) for one in (first, second)]
        first, second = (Expr(text, type_, UNARY if text.startswith("-") else ATOM) if text != one.text else one
                         for text, one in zip(texts, (first, second), strict=True))  # fmt: skip
    elif first.type.is_text != second.type.is_text and CHAR in (first.type, second.type):
        type_ = TEXT
    first, second = fixed(ctx, first), fixed(ctx, second)
    text = f"{first.at(TERNARY + 1)} if {test.at(TERNARY + 1)} else {second.at(TERNARY)}"
    return Expr(text, type_, TERNARY)


@on("comma_expression")
def _comma(ctx: Context, node: Node) -> Expr:
    left, right = value(ctx, child(node, "left")), value(ctx, child(node, "right"))
    return Expr(f"({left.text}, {right.text})[-1]", right.type)


# -- pointers, members, elements


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


# -- casts


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


# -- changes within expressions


@on("update_expression")
def _update(ctx: Context, node: Node) -> Expr:
    argument = child(node, "argument")
    operator = operator_of(node)
    is_prefix = node.children[0].type in ("++", "--")
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
