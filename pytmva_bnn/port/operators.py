"""Operators: C++'s arithmetic, comparisons and logic, and conditions."""

from __future__ import annotations

from dataclasses import replace

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
    Context,
    Expr,
    Function,
    Untranslatable,
)
from pytmva_bnn.port.cpp_types import BOOL, CHAR, DOUBLE, FLOAT, INT, TEXT, UNKNOWN, CppType, larger
from pytmva_bnn.port.expressions import (
    _as_integer,
    _method_owner,
    child,
    class_of,
    converted,
    expression,
    fixed,
    on,
    truth,
    value,
)
from pytmva_bnn.port.literals import quoted
from pytmva_bnn.port.parse import Node, operator_of, parts_of


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
