"""Statements: blocks with their comments, conditions, assignments, jumps; what fails becomes a comment."""

from __future__ import annotations

import re
from collections.abc import Callable

from pytmva_bnn.port import streams
from pytmva_bnn.port.context import (
    STATEMENTS,
    Context,
    Expr,
    LeftError,
    NeedlessError,
    SkippedError,
    executes,
    expression,
    one_line,
    symbol_of,
)
from pytmva_bnn.port.conversions import as_text
from pytmva_bnn.port.declarations import assign, fitted, pointer_declaration
from pytmva_bnn.port.left import as_comment, leave
from pytmva_bnn.port.numbers import changed
from pytmva_bnn.port.output import TooDeepError
from pytmva_bnn.port.parse import Node, is_understood, operator_of, parse_expression, parts_of, text_of, walk
from pytmva_bnn.port.root_idioms import NEEDLESS, is_missing_method
from pytmva_bnn.port.symbols import INT, TEXTS, VOID, CppType, Kind

_SIMPLE = frozenset({"expression_statement", "declaration", "return_statement", "type_definition", "alias_declaration"})


def block(ctx: Context, nodes: list[Node], row: int) -> None:
    """Translate statements one after the other, with the comments and blank lines between them.

    ``row`` is where the text before the first one ends.
    """
    for node in nodes:
        if node.start_point[0] - row > 1:
            ctx.out.blank()
        if node.type == "comment":
            comment(ctx, node, is_behind=node.start_point[0] == row)
        else:
            statement(ctx, node)
        row = node.end_point[0] - (node.end_point[1] == 0 and node.end_point[0] > node.start_point[0])


def comment(ctx: Context, node: Node, *, is_behind: bool = False) -> None:
    """Write a C++ comment as a Python one."""
    lines = comment_lines(text_of(node))
    if is_behind and len(lines) == 1 and lines[0]:
        ctx.out.behind(lines[0])
        return
    for line in lines:
        ctx.out.comment(line)


def comment_lines(text: str) -> list[str]:
    """Return the lines of a comment without the C++ marks."""
    if text.startswith("//"):
        return [re.sub(r"^//[/!<]*\s?", "", line).rstrip() for line in text.split("\n")]
    body = re.sub(r"^/\*[*!<]*|\*+/$", "", text)
    lines = [re.sub(r"^\s*\*+(?=\s|$) ?|\s+\*+$|^\s*\*+$", "", line).rstrip() for line in body.split("\n")]
    lines[0] = lines[0].lstrip()
    while len(lines) > 1 and not lines[0]:
        lines.pop(0)
    while len(lines) > 1 and not lines[-1]:
        lines.pop()
    margin = min((len(line) - len(line.lstrip()) for line in lines[1:] if line), default=0)
    return [lines[0].strip(), *(line[margin:] for line in lines[1:])]


def statement(ctx: Context, node: Node) -> None:
    """Translate a statement; if that cannot be done, keep it as a comment."""
    mark = ctx.out.mark()
    loops = list(ctx.loops)
    notes = len(ctx.notes)
    declared = len(ctx.scopes.history)
    try:
        if NEEDLESS.match(text_of(node)):
            raise NeedlessError(one_line(node))
        handler = STATEMENTS.get(node.type)
        if handler is None or (node.type in _SIMPLE and not is_understood(node)):
            known = f"{node.type.replace('_', ' ')} is not translated"
            raise LeftError("this is not understood" if node.type == "ERROR" else known)
        if node.type in _SIMPLE:
            for inner in walk(node):
                if inner.type == "comment":
                    comment(ctx, inner)
        elif node.type not in ("compound_statement", "function_definition"):
            for inner in header_comments(node):
                comment(ctx, inner)
        handler(ctx, node)
    except NeedlessError:
        ctx.out.back_to(mark)
        ctx.out.comment(f"not needed here: {one_line(node)}")
    except SkippedError:
        ctx.out.back_to(mark)
        as_comment(ctx, node, "not available here: ")
    except (LeftError, TooDeepError, RecursionError) as problem:
        ctx.out.back_to(mark)
        ctx.loops = loops
        del ctx.notes[notes:]
        for symbol in ctx.scopes.history[declared:]:
            symbol.type = CppType(Kind.LOST, note=symbol.type.note if symbol.type.kind is Kind.LOST else "")
        leave(ctx, node, str(problem) or "nested too deeply")


def body_of(ctx: Context, node: Node | None, header: str, before_end: Callable[[], None] | None = None) -> None:
    """Write a line that ends with a colon and, indented, the statement or block that belongs to it."""
    ctx.out.code(header)
    with ctx.out.block(), ctx.scopes.block():
        if node is not None:
            inner(ctx, node)
        if before_end is not None:
            before_end()


def inner(ctx: Context, node: Node) -> None:
    """Translate a block without its braces, or a single statement."""
    if node.type == "compound_statement":
        block(ctx, list(node.named_children), node.start_point[0])
    else:
        statement(ctx, node)


# ---- expressions as statements ------------------------------------------------------------------------------------


@executes("expression_statement")
def _expression_statement(ctx: Context, node: Node) -> None:
    for part in parts_of(node):
        perform(ctx, part)


def perform(ctx: Context, node: Node) -> None:
    """Translate an expression whose value nobody uses."""
    while node.type == "parenthesized_expression" and len(parts_of(node)) == 1:
        node = parts_of(node)[0]
    if node.type == "comma_expression":
        _in_turn(ctx, node)
        return
    if node.type == "assignment_expression":
        _assignment(ctx, node)
        return
    if node.type == "update_expression":
        target = expression(ctx, node.child_by_field_name("argument"))
        if not target.type.is_number:
            raise LeftError("this is not counted up")
        ctx.out.code(changed(target, "+" if "++" in operator_of(node) else "-", Expr("1", type=INT, is_natural=True)))
        return
    if node.type == "delete_expression":
        return  # Python does it
    if pointer_declaration(ctx, node):
        return
    text = streams.printed(ctx, node)
    if text is None and node.type == "call_expression":
        text = _sort(ctx, node) or streams.sprintf(ctx, node)
    value = Expr(text, "statement", VOID) if text is not None else expression(ctx, node)
    if value.rank not in ("statement", "atom") or (value.rank == "atom" and not value.text.endswith(")")):
        raise LeftError("a value that nobody uses")
    emit(ctx, value.text)


def _in_turn(ctx: Context, node: Node) -> None:
    """Translate ``a, b``; ``T *a(0), *b(0);`` looks like that, too."""
    waiting = [node]
    type_name = ""
    while waiting:
        part = waiting.pop()
        if part.type == "comma_expression":
            waiting.extend(reversed(parts_of(part)))
            continue
        is_pointer = bool(type_name) and part.type == "pointer_expression"
        product = parse_expression(f"{type_name} {text_of(part)}") if is_pointer else part
        if product is not None and pointer_declaration(ctx, product):
            type_name = text_of(product.child_by_field_name("left") or product)
        else:
            perform(ctx, part)


def emit(ctx: Context, text: str) -> None:
    """Write lines of code; those that are indented belong to the line before."""
    lines = [line for line in text.split("\n") if line]
    if len(lines) == 1 and "perf_counter" in lines[0] and ctx.out.lines and ctx.out.lines[-1].code == lines[0]:
        return  # a stopwatch runs from its declaration, Start() right after it adds nothing
    for line in lines:
        if line.startswith("    "):
            with ctx.out.block():
                ctx.out.code(line[4:])
        else:
            ctx.out.code(line)


def _sort(ctx: Context, node: Node) -> str | None:
    match = re.fullmatch(r"(?:std::)?(sort|reverse)\s*\(\s*(\w+)\.begin\(\)\s*,\s*(\w+)\.end\(\)\s*\)", one_line(node))
    if match is None or match.group(2) != match.group(3):
        return None
    symbol = ctx.scopes.find(match.group(2))
    if symbol is None or symbol.type.kind is not Kind.VECTOR:
        raise LeftError("this is not sorted")
    return f"{symbol.text}.{match.group(1)}()"


def _assignment(ctx: Context, node: Node) -> None:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator = operator_of(node)
    if left is None or right is None:
        raise LeftError("this assignment is not translated")
    if operator == "=" and right.type == "assignment_expression":
        perform(ctx, right)
        right = right.child_by_field_name("left")
    symbol = symbol_of(ctx, left)
    value = expression(ctx, right)
    if (
        value.rank == "statement"
        and right is not None
        and re.search(r"(->|\.)\s*GetEntry\s*\([^()]*\)$", text_of(right))
    ):
        emit(ctx, value.text)
        value = Expr("0", type=INT)
        ctx.note(node, "GetEntry is taken to give 0 bytes: how many it reads is not known here")
    if value.rank == "statement":
        raise LeftError("this value is not translated")
    target = expression(ctx, left)
    place = target.place or target.text
    if target.rank != "atom" or place.endswith(")") or place.startswith(('"', "'")):
        raise LeftError("this cannot be assigned to")
    if operator == "=":
        value = fitted(value, target.type, in_memory=bool(target.place))
        if symbol is not None and not symbol.is_buffer and not symbol.value:
            assign(ctx, symbol, value)
        else:
            _assign_element(ctx, target, value)
        return
    if operator not in ("+=", "-=", "*=", "/=", "%=", "|=", "&=", "^=", "<<=", ">>="):
        raise LeftError(f"the operator {operator} is not translated")
    if target.kind is Kind.CUT:
        ctx.out.code(f'{target} = " && ".join(f"({{cut}})" for cut in ({target}, {value}) if cut)')
        return
    if target.kind in TEXTS:
        value = as_text(value)
    ctx.out.code(changed(target, operator[:-1], value))


def _assign_element(ctx: Context, target: Expr, value: Expr) -> None:
    """Write ``x[i] = value``; ``Use["PyKeras"] = 1`` switches a method off that does not exist here."""
    place = target.place or target.text
    match = re.fullmatch(r'\w+\["(\w+)"\]', place)
    is_on = target.kind in (Kind.INT, Kind.BOOL) and value.text in ("1", "True")
    if match is None or not is_on or not is_missing_method(match.group(1)):
        ctx.out.code(f"{place} = {value}")
        return
    ctx.skipped.append(match.group(1))
    ctx.out.code(f"{target} = {'False' if value.text == 'True' else '0'}")
    ctx.out.behind("was on; not available here")


@executes("compound_statement")
def _compound(ctx: Context, node: Node) -> None:
    with ctx.scopes.block():
        inner(ctx, node)


def header_comments(node: Node) -> list[Node]:
    """Return the comments of a compound statement that are not in one of its blocks."""
    blocks = [node.child_by_field_name(name) for name in ("body", "consequence", "alternative")]
    inside = {block.id for block in blocks if block is not None}
    parts = [child for child in node.children if child.id not in inside]
    return [one for part in parts for one in walk(part) if one.type == "comment"]


@executes("using_declaration", "empty_declaration", "preproc_include", ";", "static_assert_declaration")
def _nothing(_ctx: Context, _node: Node) -> None:
    """Nothing is needed in Python."""


@executes("preproc_def")
def _define(ctx: Context, node: Node) -> None:
    """Translate ``#define N 4`` to a constant."""
    name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
    written = parse_expression(text_of(value).partition("//")[0]) if value is not None else None
    if name is None or written is None:
        raise LeftError("this #define is not translated")
    translated = expression(ctx, written)
    symbol = ctx.scopes.declare(text_of(name), translated.type)
    ctx.out.code(f"{symbol.name} = {translated}")
