"""Expressions: names, literals, operators, casts, elements.  Calls are in :mod:`~pytmva_bnn.port.calls`."""

from __future__ import annotations

import re

from pytmva_bnn.port.context import Context, Expr, LeftError, expression, one_line, symbol_of, translates
from pytmva_bnn.port.conversions import as_text, converted, key_type, negation
from pytmva_bnn.port.cpp_types import declared_type, type_of
from pytmva_bnn.port.literals import is_float, number, quoted, unescaped
from pytmva_bnn.port.numbers import RANK, arithmetic, is_single, kept, read
from pytmva_bnn.port.parse import Node, operator_of, parts_of, text_of
from pytmva_bnn.port.root_idioms import CONSTANTS
from pytmva_bnn.port.symbols import BOOL, DOUBLE, FLOAT, INT, LONG, STRING, TEXTS, UNKNOWN, CppType, Kind

_COMPARISONS = ("==", "!=", "<", ">", "<=", ">=")


@translates("number_literal")
def _number(_ctx: Context, node: Node) -> Expr:
    written = text_of(node)
    sign = written[: len(written) - len(written.lstrip("+-"))]
    text = number(written.lstrip("+-"))
    if text is None or sign not in ("", "-", "+"):
        raise LeftError(f"{written} is not a number that Python knows")
    type_ = DOUBLE if is_float(text) else INT if int(text, 0) < 2**31 else LONG
    if is_float(text) and written[-1] in "fF":
        value = kept(Expr(text, type=DOUBLE), FLOAT)
        text, type_ = value.text, FLOAT
    return Expr(f"-{text}", "unary", type_) if sign == "-" else Expr(text, type=type_, is_natural=type_ is not DOUBLE)


@translates("string_literal", "raw_string_literal", "concatenated_string")
def _string(_ctx: Context, node: Node) -> Expr:
    value = string_value(node)
    if value is None:
        raise LeftError("this kind of string is not translated")
    return Expr(quoted(value), type=STRING, literal=value)


def string_value(node: Node) -> str | None:
    """Return the value of a string literal, or None if the node is none."""
    if node.type == "concatenated_string":
        parts = [string_value(part) for part in parts_of(node)]
        return None if None in parts else "".join(part or "" for part in parts)
    if node.type != "string_literal":
        return None
    text = text_of(node)
    start = text.find('"')
    return unescaped(text[start + 1 : -1]) if len(text) - start >= 2 else None


@translates("char_literal")
def _character(_ctx: Context, node: Node) -> Expr:
    value = unescaped(text_of(node).strip("'") or "'")
    return Expr(quoted(value), type=STRING, literal=value)


@translates("true", "false", "null", "nullptr")
def _constant(_ctx: Context, node: Node) -> Expr:
    text, type_ = CONSTANTS[{"null": "nullptr"}.get(node.type, node.type)]
    return Expr(text, type=type_)


@translates("identifier", "type_identifier", "field_identifier")
def _identifier(ctx: Context, node: Node) -> Expr:
    name = text_of(node)
    symbol = ctx.scopes.find(name)
    if symbol is None:
        if name in CONSTANTS:
            text, type_ = CONSTANTS[name]
            return Expr(text, type=type_)
        if name == "gRandom":
            raise LeftError("gRandom: use a generator of your own, with a seed")
        raise LeftError(f"{name} is not declared in this macro")
    if symbol.type.kind is Kind.LOST:
        raise LeftError(f"{name} is declared by a line that was left")
    if symbol.type.kind is Kind.MAP_ITEM:
        raise LeftError(f"{name} stands for an entry of a map")
    value = Expr(symbol.text, type=symbol.type, is_natural=symbol.is_natural)
    return read(value) if symbol.is_buffer and not symbol.value else value


@translates("qualified_identifier")
def _qualified(_ctx: Context, node: Node) -> Expr:
    name = re.sub(r"^(std)?::", "", text_of(node).replace(" ", ""))
    if name in CONSTANTS:
        text, type_ = CONSTANTS[name]
        return Expr(text, type=type_)
    match = re.fullmatch(r"(?:TMVA::)?Types::(?:E\w+::)?(k\w+)", name)
    if match is not None:
        return Expr(f"TMVA.Types.{match.group(1)}", type=INT)
    raise LeftError(f"{name} is not known here")


@translates("parenthesized_expression", "condition_clause")
def _parenthesized(ctx: Context, node: Node) -> Expr:
    parts = parts_of(node)
    if len(parts) != 1:
        raise LeftError("this bracket is not translated")
    return expression(ctx, parts[0])


@translates("unary_expression")
def _unary(ctx: Context, node: Node) -> Expr:
    operator = operator_of(node)
    value = expression(ctx, node.child_by_field_name("argument"))
    if operator in ("!", "not"):
        return negation(value)
    if operator in ("-", "+", "~") and value.kind not in TEXTS:
        return Expr(f"{operator}{value.within('unary')}", "unary", value.type)
    raise LeftError(f"the operator {operator} is not translated")


@translates("binary_expression")
def _binary(ctx: Context, node: Node) -> Expr:
    operator = {"and": "&&", "or": "||"}.get(operator_of(node), operator_of(node))
    left_node, right_node = node.child_by_field_name("left"), node.child_by_field_name("right")
    found = _special_comparison(ctx, operator, left_node, right_node)
    if found is not None:
        return found
    size = re.fullmatch(r"sizeof ?\(? ?(\w+) ?\)? ?/ ?sizeof ?\(? ?(\1 ?\[ ?0 ?\]|\w+) ?\)?", one_line(node))
    if size is not None:
        return _length(ctx, size.group(1))
    left, right = expression(ctx, left_node), expression(ctx, right_node)
    if Kind.CUT in (left.kind, right.kind) and operator in ("&&", "||", "+"):
        return _joined_cuts(left, right, "||" if operator == "||" else "&&")
    if operator in ("&&", "||"):
        word = "and" if operator == "&&" else "or"
        text = f"{left.within(word)} {word} {right.within(word, strictly=True)}"
        is_plain = left.kind is right.kind is Kind.BOOL or _is_condition(node)
        return Expr(text, word, BOOL) if is_plain else Expr(f"bool({text})", type=BOOL)
    if operator in _COMPARISONS:
        return _comparison(operator, left, right)
    if operator not in RANK:
        raise LeftError(f"the operator {operator} is not translated")
    if TEXTS & {left.kind, right.kind}:
        return _joined_texts(operator, left, right)
    return arithmetic(operator, left, right)


def _is_condition(node: Node) -> bool:
    """Tell whether only the truth of an expression counts: Python's ``and`` gives one of the values, C++'s a bool."""
    at, parent = node, node.parent
    while parent is not None:
        is_part = parent.type in ("parenthesized_expression", "condition_clause", "unary_expression")
        is_logic = parent.type == "binary_expression" and operator_of(parent) in ("&&", "||", "and", "or")
        if not (is_logic or (is_part and (parent.type != "unary_expression" or operator_of(parent) in ("!", "not")))):
            condition = parent.child_by_field_name("condition")
            return condition is not None and condition.id == at.id
        at, parent = parent, parent.parent
    return False


def _length(ctx: Context, name: str) -> Expr:
    """Return the length of an array, which C++ finds by ``sizeof(x)/sizeof(x[0])``."""
    symbol = ctx.scopes.find(name)
    if symbol is None or symbol.type.kind not in (Kind.VECTOR, Kind.ARRAY):
        raise LeftError("sizeof is translated for arrays only")
    return Expr(f"len({symbol.text})", type=INT)


def _comparison(operator: str, left: Expr, right: Expr) -> Expr:
    # a null pointer is None, also where it is written as 0
    pointer_kinds = set(Kind) - {Kind.INT, Kind.FLOAT, Kind.BOOL, Kind.UNKNOWN, Kind.NONE} - TEXTS
    for one, other in ((left, right), (right, left)):
        is_null = other.kind is Kind.NONE or (other.text == "0" and one.kind in pointer_kinds)
        if is_null and operator in ("==", "!="):
            is_, is_not = f"{one.within('comparison', strictly=True)} is None", f"{one:a} is not None"
            text, opposite = (is_, is_not) if operator == "==" else (is_not, is_)
            return Expr(text, "comparison", BOOL, negated=opposite)
        if other.text in ("True", "False") and operator in ("==", "!="):
            return one if (other.text == "True") == (operator == "==") else negation(one)
    a, b = (one.within("comparison", strictly=True) for one in (left, right))
    opposite = {"==": "!=", "!=": "=="}.get(operator, "")
    return Expr(f"{a} {operator} {b}", "comparison", BOOL, negated=f"{a} {opposite} {b}" if opposite else "")


def _joined_texts(operator: str, left: Expr, right: Expr) -> Expr:
    if operator != "+":
        raise LeftError(f"the operator {operator} between texts is not translated")
    parts = [as_text(one) for one in (left, right)]
    if parts[0].literal is not None and parts[1].literal is not None:
        value = parts[0].literal + parts[1].literal
        return Expr(quoted(value), type=STRING, literal=value)
    return Expr(f"{parts[0].within('sum')} + {parts[1].within('sum', strictly=True)}", "sum", STRING)


def _joined_cuts(left: Expr, right: Expr, operator: str) -> Expr:
    """Join two cuts; an empty one does not count."""
    texts = f"({left}, {right})"
    return Expr(f'" {operator} ".join(f"({{cut}})" for cut in {texts} if cut)', type=CppType(Kind.CUT))


def _special_comparison(ctx: Context, operator: str, left: Node | None, right: Node | None) -> Expr | None:
    """Translate ``map.find(key) == map.end()`` and ``strcmp(a, b) == 0``."""
    if operator not in ("==", "!=") or left is None or right is None or left.type != "call_expression":
        return None
    found = re.fullmatch(r"(\w+)\.find\s*\(.*\)", text_of(left), re.DOTALL)
    arguments = left.child_by_field_name("arguments")
    if arguments is None:
        return None
    values = parts_of(arguments)
    if found and re.fullmatch(rf"{found.group(1)}\.end\(\s*\)", text_of(right)) and len(values) == 1:
        symbol = ctx.scopes.find(found.group(1))
        if symbol is None or symbol.type.kind not in (Kind.MAP, Kind.VECTOR):
            raise LeftError("find on this object is not translated")
        key = expression(ctx, values[0])
        texts = [f"{key:a} not in {symbol.text}", f"{key:a} in {symbol.text}"]
        text, opposite = texts if operator == "==" else texts[::-1]
        return Expr(text, "comparison", BOOL, negated=opposite)
    function = text_of(left.child_by_field_name("function") or left)
    is_equality = function in ("strcmp", "std::strcmp") or re.search(r"[.>](compare|CompareTo)$", function)
    if is_equality and text_of(right) == "0":
        operands = [expression(ctx, value) for value in values]
        receiver = left.child_by_field_name("function")
        if len(operands) == 1 and receiver is not None:
            operands.insert(0, expression(ctx, receiver.child_by_field_name("argument")))
        if len(operands) == 2:
            return _comparison(operator, *operands)
    return None


@translates("conditional_expression")
def _conditional(ctx: Context, node: Node) -> Expr:
    condition, first, second = (
        expression(ctx, node.child_by_field_name(name)) for name in ("condition", "consequence", "alternative")
    )
    texts = [one.within("ternary", strictly=True) for one in (first, condition, second)]
    type_ = first.type if first.kind is second.kind else DOUBLE if first.type.is_number else UNKNOWN
    if type_.is_number and is_single(first.type) != is_single(second.type):
        type_ = DOUBLE
    return Expr("{} if {} else {}".format(*texts), "ternary", type_)


@translates("cast_expression")
def _cast(ctx: Context, node: Node) -> Expr:
    type_node = node.child_by_field_name("type")
    if type_node is None:
        raise LeftError("this cast is not translated")
    return converted(expression(ctx, node.child_by_field_name("value")), declared_type(type_node, ctx.aliases))


@translates("subscript_expression")
def _subscript(ctx: Context, node: Node) -> Expr:
    holder = expression(ctx, node.child_by_field_name("argument"))
    indices_node = node.child_by_field_name("indices")
    indices = [expression(ctx, part) for part in parts_of(indices_node)] if indices_node is not None else []
    if len(indices) != 1:
        raise LeftError("this element is not translated")
    if holder.kind not in (Kind.VECTOR, Kind.ARRAY, Kind.MAP, Kind.STRING) and not holder.type.pointer:
        raise LeftError(f"{holder.text} has no elements that are known here")
    element = holder.type.element or (STRING if holder.kind is Kind.STRING else UNKNOWN)
    value = Expr(f"{holder:a}[{indices[0]}]", type=element)
    return read(value) if holder.kind is Kind.ARRAY or holder.text.endswith(")") else value


@translates("pointer_expression")
def _pointer(ctx: Context, node: Node) -> Expr:
    inner = node.child_by_field_name("argument")
    while inner is not None and inner.type == "parenthesized_expression" and len(parts_of(inner)) == 1:
        inner = parts_of(inner)[0]
    symbol = symbol_of(ctx, inner)
    if operator_of(node) == "&":
        return _address(ctx, inner)
    if symbol is not None and symbol.type.kind is Kind.ELEMENT:
        return Expr(symbol.text, type=symbol.type.element or UNKNOWN)
    value = expression(ctx, inner)
    if value.kind is Kind.ARRAY:
        return read(Expr(f"{value:a}[0]", type=value.type.element or UNKNOWN))
    if value.type.pointer and (value.type.element or value.kind in (Kind.INT, Kind.FLOAT, Kind.BOOL)):
        return read(Expr(f"{value:a}[0]", type=value.type.element or CppType(value.kind, dtype=value.type.dtype)))
    return value  # objects are references anyway


def _address(ctx: Context, inner: Node | None) -> Expr:
    """Translate ``&x``: the memory of a variable or of an array's element."""
    symbol = symbol_of(ctx, inner)
    if symbol is not None:
        if symbol.is_buffer:
            return Expr(symbol.name, type=CppType(Kind.ARRAY, symbol.type))
        if symbol.type.is_number:
            raise LeftError(f"the address of {symbol.cpp_name} is not translated here")
        return Expr(symbol.text, type=symbol.type)
    if inner is not None and inner.type == "subscript_expression":
        element = expression(ctx, inner)
        holder = expression(ctx, inner.child_by_field_name("argument"))
        place = element.place or element.text
        if holder.kind is not Kind.ARRAY or not place.endswith("]"):
            raise LeftError("the address of this element is not translated")
        index = place[len(f"{holder:a}") + 1 : -1]
        stop = str(int(index) + 1) if index.isdigit() else f"{index} + 1"
        span = f"{index}:{stop}" if index.isdigit() else f"{index} : {stop}"
        return Expr(f"{holder:a}[{span}]", type=CppType(Kind.ARRAY, element.type))
    raise LeftError("this address is not translated")


@translates("field_expression")
def _field(ctx: Context, node: Node) -> Expr:
    holder_node, field_node = node.child_by_field_name("argument"), node.child_by_field_name("field")
    if holder_node is None or field_node is None:
        raise LeftError("this member is not translated")
    name = text_of(field_node)
    symbol = symbol_of(ctx, holder_node)
    if symbol is not None and symbol.type.kind is Kind.MAP_ITEM and name in ("first", "second"):
        if name == "first":
            return Expr(symbol.name, type=key_type(symbol.type))
        return Expr(symbol.value, type=symbol.type.element or UNKNOWN)
    holder = expression(ctx, holder_node)
    if holder.kind is Kind.PAIR and name in ("first", "second"):
        return Expr(f"{holder:a}[{int(name == 'second')}]")
    raise LeftError(f"the member {name} is not known here")


@translates("initializer_list")
def _initializer_list(ctx: Context, node: Node) -> Expr:
    values = [expression(ctx, part) for part in parts_of(node)]
    element = values[0].type if values else UNKNOWN
    return Expr(f"[{', '.join(value.text for value in values)}]", type=CppType(Kind.VECTOR, element))


@translates("compound_literal_expression")
def _compound_literal(ctx: Context, node: Node) -> Expr:
    type_ = type_of(node.child_by_field_name("type"), ctx.aliases)
    value = node.child_by_field_name("value")
    if type_.kind is not Kind.VECTOR or value is None:
        raise LeftError("an object of this type is not translated")
    return Expr(expression(ctx, value).text, type=type_)


@translates("update_expression")
def _update(ctx: Context, node: Node) -> Expr:
    """Translate ``++n`` and ``n++`` where their value is used."""
    argument = node.child_by_field_name("argument")
    symbol = symbol_of(ctx, argument)
    sign = "+" if "++" in operator_of(node) else "-"
    if symbol is None or argument is None or symbol.text != symbol.name or symbol.type not in (INT, LONG, DOUBLE):
        raise LeftError("update expression as a value is not translated")
    text = f"({symbol.name} := {symbol.name} {sign} 1)"
    if node.children[0].id != argument.id:
        return Expr(text, type=symbol.type)
    return Expr(f"{text} {'-' if sign == '+' else '+'} 1", "sum", symbol.type, is_natural=symbol.is_natural)


@translates("assignment_expression")
def _assignment_as_value(ctx: Context, node: Node) -> Expr:
    """Translate ``n = 3`` where its value is used."""
    symbol = symbol_of(ctx, node.child_by_field_name("left"))
    if symbol is None or symbol.text != symbol.name or not symbol.type.is_number or operator_of(node) != "=":
        raise LeftError("assignment expression as a value is not translated")
    value = kept(expression(ctx, node.child_by_field_name("right")), symbol.type)
    return Expr(f"({symbol.name} := {value})", type=symbol.type)


@translates("sizeof_expression", "lambda_expression", "delete_expression", "comma_expression")
def _not_as_value(_ctx: Context, node: Node) -> Expr:
    raise LeftError(f"{node.type.replace('_', ' ')} as a value is not translated")
