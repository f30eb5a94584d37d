"""Loops: counting loops become ``range``, iterators and range-for become ``for … in``, all else ``while``."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from pytmva_bnn.port import trees, vectorise
from pytmva_bnn.port.context import Context, Expr, LeftError, executes, expression
from pytmva_bnn.port.cpp_types import type_of
from pytmva_bnn.port.declarations import Declared, unwrapped
from pytmva_bnn.port.parse import Node, is_understood, operator_of, parts_of, text_of, walk
from pytmva_bnn.port.statements import body_of, perform, statement
from pytmva_bnn.port.symbols import INT, UNKNOWN, CppType, Kind, Symbol
from pytmva_bnn.port.usage import changed_names, names_in


@dataclass(frozen=True)
class Counting:
    """A loop ``for (int i = start; i < stop; i += step)``."""

    name: str
    start: Node
    stop: Node
    comparison: str
    step: int
    type: CppType
    is_declared: bool


@executes("for_statement")
def _for(ctx: Context, node: Node) -> None:
    parts = [node.child_by_field_name(name) for name in ("initializer", "condition", "update")]
    if not all(part is None or is_understood(part) for part in parts):
        raise LeftError("this loop is not translated")
    for line in trees.columns_to_read(ctx, node):
        ctx.out.code(line)
    counting = counting_loop(ctx, node)
    if counting is not None and ctx.vectorise and vectorise.event_loop(ctx, node, counting.name, counting.stop):
        return
    with ctx.scopes.block():
        if _iterator_loop(ctx, node):
            return
        if counting is not None and _range_loop(ctx, node, counting):
            return
        _general_loop(ctx, node)


def counting_loop(ctx: Context, node: Node) -> Counting | None:
    """Return what a loop counts, or None if it is of another kind."""
    initializer, condition, update = (node.child_by_field_name(name) for name in ("initializer", "condition", "update"))
    if initializer is None or condition is None or update is None or condition.type != "binary_expression":
        return None
    left, right = condition.child_by_field_name("left"), condition.child_by_field_name("right")
    start = _start(ctx, initializer)
    if start is None or left is None or right is None or text_of(left) != start[0]:
        return None
    step = _step(update, start[0])
    comparison = operator_of(condition)
    if any(one.type in ("update_expression", "assignment_expression") for one in walk(right)):
        return None  # the bound changes
    allowed = ("<", "<=", "!=") if step > 0 else (">", ">=", "!=")
    if step == 0 or comparison not in allowed or (comparison == "!=" and abs(step) != 1):
        return None
    return Counting(start[0], start[1], right, comparison, step, start[2], start[3])


def _start(ctx: Context, initializer: Node) -> tuple[str, Node, CppType, bool] | None:
    """Return name, first value and type of the variable of a loop, and whether it is declared there."""
    if initializer.type == "declaration":
        declarators = [part for part in parts_of(initializer) if part.type == "init_declarator"]
        if len(declarators) != 1 or len(parts_of(initializer)) > 3:
            return None
        one = unwrapped(declarators[0], Declared())
        value = one.value or (one.arguments[0] if one.arguments and len(one.arguments) == 1 else None)
        written = text_of(initializer.child_by_field_name("type") or initializer)
        type_ = type_of(initializer.child_by_field_name("type"), ctx.aliases)
        if value is None or one.pointers or (type_.kind is not Kind.INT and written != "auto"):
            return None
        return one.name, value, type_ if type_.kind is Kind.INT else INT, True
    target, value = initializer.child_by_field_name("left"), initializer.child_by_field_name("right")
    if (
        initializer.type != "assignment_expression"
        or target is None
        or value is None
        or operator_of(initializer) != "="
    ):
        return None
    symbol = ctx.scopes.find(text_of(target))
    if symbol is None or symbol.type.kind is not Kind.INT or symbol.is_buffer:
        return None
    return text_of(target), value, symbol.type, False


def _step(update: Node, name: str) -> int:
    """Return by how much a loop goes on; 0 if it is not a fixed number."""
    text = text_of(update).replace(" ", "")
    if text in (f"{name}++", f"++{name}"):
        return 1
    if text in (f"{name}--", f"--{name}"):
        return -1
    match = re.fullmatch(rf"{re.escape(name)}([+-])=(\d{{1,9}})", text)
    return 0 if match is None else int(match.group(1) + match.group(2))


def _range_loop(ctx: Context, node: Node, loop: Counting) -> bool:
    """Write ``for i in range(…)``; False if something in the body would change how far it goes."""
    body = node.child_by_field_name("body")
    if body is None:
        return False
    changed = changed_names(body)
    if loop.name in changed or names_in(loop.stop) & changed:
        return False
    if not loop.is_declared and _is_read_later(ctx, node, loop.name):
        return False
    start, stop = expression(ctx, loop.start), expression(ctx, loop.stop)
    if Kind.FLOAT in (start.kind, stop.kind) and "GetEntr" not in text_of(loop.stop):
        return False
    if loop.is_declared:
        symbol = ctx.scopes.declare(loop.name, loop.type)
        symbol.is_natural = start.is_natural and loop.step > 0
    else:
        found = ctx.scopes.find(loop.name)
        if found is None:
            return False
        symbol = found
    end = _end(stop, loop)
    arguments = [start.text, end] if start.text != "0" or loop.step != 1 else [end]
    if loop.step != 1:
        arguments.append(str(loop.step))
    ctx.loops.append(None)
    body_of(ctx, body, f"for {symbol.name} in range({', '.join(arguments)}):")
    ctx.loops.pop()
    return True


def _end(stop: Expr, loop: Counting) -> str:
    """Return the end of the range, which Python does not include."""
    if loop.comparison not in ("<=", ">="):
        return stop.text
    shift = 1 if loop.comparison == "<=" else -1
    if stop.text.isdigit():
        return str(int(stop.text) + shift)
    return f"{stop.within('sum')} {'+' if shift > 0 else '-'} 1"


def _is_read_later(ctx: Context, loop: Node, name: str) -> bool:
    """Tell whether a loop's variable is used after the loop before it gets another value."""
    del ctx
    top = loop
    while top.parent is not None and top.parent.type not in ("function_definition", "translation_unit"):
        top = top.parent
    for node in walk(top):
        if node.start_byte < loop.end_byte or node.type != "identifier" or text_of(node) != name:
            continue
        parent = node.parent
        is_new = parent is not None and parent.type == "assignment_expression" and operator_of(parent) == "="
        left = parent.child_by_field_name("left") if parent is not None else None
        return not (is_new and left is not None and left.id == node.id)
    return False


def _general_loop(ctx: Context, node: Node) -> None:
    """Write any loop as ``while``; ``continue`` takes the step first."""
    initializer, condition, update = (node.child_by_field_name(name) for name in ("initializer", "condition", "update"))
    if initializer is not None:
        if initializer.type == "declaration":
            statement(ctx, initializer)
        else:
            perform(ctx, initializer)
    value = expression(ctx, condition).text if condition is not None else "True"

    def go_on() -> None:
        if update is not None:
            perform(ctx, update)

    ctx.loops.append(go_on)
    body_of(ctx, node.child_by_field_name("body"), f"while {value}:", go_on)
    ctx.loops.pop()


# ---- containers -----------------------------------------------------------------------------------------------------


def _iterator_loop(ctx: Context, node: Node) -> bool:
    """Translate ``for (it = c.begin(); it != c.end(); ++it)``."""
    initializer, condition = node.child_by_field_name("initializer"), node.child_by_field_name("condition")
    if initializer is None or condition is None:
        return False
    match = re.search(r"(\w+)\s*(?:=|\()\s*(\w+)\s*(?:\.|->)\s*c?begin\s*\(\s*\)\s*\)?\s*;?\s*$", text_of(initializer))
    if match is None or not re.fullmatch(
        rf"\s*{match.group(1)}\s*!=\s*{match.group(2)}\s*(\.|->)\s*c?end\s*\(\s*\)\s*", text_of(condition)
    ):
        return False
    container = ctx.scopes.find(match.group(2))
    if container is None or container.type.kind not in (Kind.MAP, Kind.VECTOR):
        raise LeftError(f"{match.group(2)} is no container that is known here")
    body = node.child_by_field_name("body")
    if body is None:
        return False
    if container.type.kind is Kind.MAP:
        _over_map(ctx, match.group(1), container, body)
        return True
    symbol = ctx.scopes.declare(match.group(1), CppType(Kind.ELEMENT, container.type.element))
    if f"*{match.group(1)}" in {name.replace(" ", "") for name in changed_names(body)}:
        symbol.value = f"{container.text}[{symbol.name}]"
        _looped(ctx, body, f"for {symbol.name} in range(len({container.text})):")
    else:
        _looped(ctx, body, f"for {symbol.name} in {container.text}:")
    return True


def _over_map(ctx: Context, name: str, container: Symbol, body: Node) -> None:
    """Write a loop over a map, which C++ sorts by its keys."""
    symbol = ctx.scopes.declare(name, CppType(Kind.MAP_ITEM, container.type.element, note=container.type.note))
    symbol.value = f"{container.text}[{symbol.name}]"
    _looped(ctx, body, f"for {symbol.name} in sorted({container.text}):")


def _looped(ctx: Context, body: Node, header: str) -> None:
    ctx.loops.append(None)
    body_of(ctx, body, header)
    ctx.loops.pop()


@executes("for_range_loop")
def _range_for(ctx: Context, node: Node) -> None:
    right, body = node.child_by_field_name("right"), node.child_by_field_name("body")
    declarator = node.child_by_field_name("declarator")
    if right is None or body is None or declarator is None or not is_understood(right):
        raise LeftError("this loop is not translated")
    container = expression(ctx, right)
    names = [text_of(one) for one in walk(declarator) if one.type == "identifier"]
    if container.kind not in (Kind.MAP, Kind.VECTOR, Kind.ARRAY) or not names:
        raise LeftError("a loop over this is not translated")
    with ctx.scopes.block():
        if container.kind is Kind.MAP:
            holder = ctx.scopes.find(text_of(right))
            if holder is None:
                raise LeftError("a loop over this map is not translated")
            if len(names) == 1:
                _over_map(ctx, names[0], holder, body)
                return
            key, value = names[:2]
            key_symbol = ctx.scopes.declare(key, UNKNOWN if holder.type.note != "STRING" else CppType(Kind.STRING))
            value_symbol = ctx.scopes.declare(value, holder.type.element or UNKNOWN)
            if value in changed_names(body):
                value_symbol.value = f"{holder.text}[{key_symbol.name}]"
                value_symbol.type = replace(value_symbol.type, note="")
                _looped(ctx, body, f"for {key_symbol.name} in sorted({holder.text}):")
            else:
                _looped(ctx, body, f"for {key_symbol.name}, {value_symbol.name} in sorted({holder.text}.items()):")
            return
        _over_list(ctx, node, names[0], container, body)


def _over_list(ctx: Context, node: Node, name: str, container: Expr, body: Node) -> None:
    declared = type_of(node.child_by_field_name("type"), ctx.aliases)
    element = container.type.element or declared
    is_changed = name in changed_names(body)
    if is_changed and any(one.type == "reference_declarator" for one in node.named_children):
        symbol = ctx.scopes.declare(name, element)
        index = f"i_{symbol.name}"
        symbol.value = f"{container:a}[{index}]"
        _looped(ctx, body, f"for {index} in range(len({container})):")
        return
    symbol = ctx.scopes.declare(name, element if element.kind is not Kind.UNKNOWN else declared)
    _looped(ctx, body, f"for {symbol.name} in {container}:")
