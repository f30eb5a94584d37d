"""Conditions, ``while``, ``do`` and ``switch``, and the jumps out of them."""

from __future__ import annotations

from pytmva_bnn.port.context import Context, LeftError, NeedlessError, executes, expression
from pytmva_bnn.port.numbers import kept
from pytmva_bnn.port.parse import Node, is_understood, parts_of, text_of, walk
from pytmva_bnn.port.root_idioms import NEEDLESS
from pytmva_bnn.port.statements import block, body_of, comment, emit, header_comments
from pytmva_bnn.port.trees import end_reached


@executes("if_statement")
def _if(ctx: Context, node: Node) -> None:
    if _is_needless(node):
        raise NeedlessError
    first = node.child_by_field_name("condition")
    ended = end_reached(ctx, first) if first is not None and node.child_by_field_name("alternative") is None else None
    if ended is not None:
        body_of(ctx, node.child_by_field_name("consequence"), f"if {ended[0]}:")
        emit(ctx, ended[1].text)
        return
    word = "if"
    at: Node | None = node
    while at is not None and at.type == "if_statement":
        condition = at.child_by_field_name("condition")
        if condition is None or not is_understood(condition):
            raise LeftError("this condition is not translated")
        body_of(ctx, at.child_by_field_name("consequence"), f"{word} {_condition(ctx, condition)}:")
        alternative = at.child_by_field_name("alternative")
        if alternative is None:
            return
        word = "elif"
        for child in alternative.named_children:
            if child.type == "comment":
                comment(ctx, child)
        parts = parts_of(alternative)
        at = parts[0] if parts else None
        if at is not None and at.type == "if_statement" and _is_translatable(ctx, at):
            for one in header_comments(at):
                comment(ctx, one)
            continue
        body_of(ctx, at, "else:")
        return


def _is_needless(node: Node) -> bool:
    """Tell whether all that a condition decides about has no meaning without ROOT."""
    body = node.child_by_field_name("consequence")
    if body is None or node.child_by_field_name("alternative") is not None:
        return False
    inner_statements = parts_of(body) if body.type == "compound_statement" else [body]
    return bool(inner_statements) and all(NEEDLESS.match(text_of(one)) for one in inner_statements)


def _is_translatable(ctx: Context, node: Node) -> bool:
    """Tell whether the condition of an ``else if`` can be translated; if not, it becomes a comment below ``else``."""
    try:
        condition = node.child_by_field_name("condition")
        return condition is not None and is_understood(condition) and bool(_condition(ctx, condition))
    except LeftError:
        return False


def _condition(ctx: Context, node: Node) -> str:
    value = expression(ctx, node)
    if value.rank == "statement":
        raise LeftError("this condition is not translated")
    return value.text


@executes("while_statement")
def _while(ctx: Context, node: Node) -> None:
    condition = node.child_by_field_name("condition")
    if condition is None:
        raise LeftError("this loop is not translated")
    text = _condition(ctx, condition)
    ctx.loops.append(None)
    body_of(ctx, node.child_by_field_name("body"), f"while {'True' if text == '1' else text}:")
    ctx.loops.pop()


@executes("do_statement")
def _do(ctx: Context, node: Node) -> None:
    condition = node.child_by_field_name("condition")
    body = node.child_by_field_name("body")
    if condition is None or body is None or any(one.type == "continue_statement" for one in walk(body)):
        raise LeftError("this loop is not translated")
    value = expression(ctx, condition)

    def leave_loop() -> None:
        ctx.out.code(f"if not {value.within('not')}:")
        with ctx.out.block():
            ctx.out.code("break")

    ctx.loops.append(None)
    body_of(ctx, body, "while True:", leave_loop)
    ctx.loops.pop()


@executes("switch_statement")
def _switch(ctx: Context, node: Node) -> None:
    """Translate to ``if`` / ``elif``; each case must end with ``break`` or ``return``."""
    condition, body = node.child_by_field_name("condition"), node.child_by_field_name("body")
    if condition is None or body is None:
        raise LeftError("this switch is not translated")
    value = expression(ctx, condition)
    labels: list[str] = []
    word = "if"
    is_default = False
    cases = parts_of(body)
    for case in cases:
        label = case.child_by_field_name("value")
        if case.type != "case_statement" or is_default:
            raise LeftError("this switch is not translated")
        is_default = label is None
        if label is not None:
            labels.append(expression(ctx, label).text)
        statements = [child for child in case.named_children if label is None or child.id != label.id]
        if not statements:
            continue
        inside = _without_last_break(statements, is_last=case.id == cases[-1].id)
        header = "else:" if is_default and word == "elif" else "if True:"
        if not is_default:
            test = f"== {labels[0]}" if len(labels) == 1 else f"in ({', '.join(labels)})"
            header = f"{word} {value.within('comparison', strictly=True)} {test}:"
        ctx.out.code(header)
        with ctx.out.block(), ctx.scopes.block():
            block(ctx, inside, case.start_point[0])
        labels = []
        word = "elif"


def _without_last_break(statements: list[Node], *, is_last: bool) -> list[Node]:
    """Return the statements of a case without the ``break`` that ends it; each case but the last must end so."""
    if len(statements) == 1 and statements[0].type == "compound_statement":
        statements = list(statements[0].named_children)
    code = [one for one in statements if one.type != "comment"]
    ends = bool(code) and code[-1].type in ("break_statement", "return_statement", "continue_statement")
    if not ends and not is_last:
        raise LeftError("a case without break is not translated")
    inside = [one for one in statements if not ends or one.id != code[-1].id or one.type != "break_statement"]
    if any(one.type == "break_statement" and not _in_loop(one) for part in inside for one in walk(part)):
        raise LeftError("a break in the middle of a case is not translated")
    return inside


def _in_loop(node: Node) -> bool:
    at = node.parent
    while at is not None and at.type not in ("switch_statement", "case_statement"):
        if at.type in ("for_statement", "while_statement", "do_statement", "for_range_loop"):
            return True
        at = at.parent
    return False


@executes("break_statement")
def _break(ctx: Context, _node: Node) -> None:
    if not ctx.loops:
        raise LeftError("break outside of a loop")
    ctx.out.code("break")


@executes("continue_statement")
def _continue(ctx: Context, _node: Node) -> None:
    if not ctx.loops:
        raise LeftError("continue outside of a loop")
    update = ctx.loops[-1]
    if update is not None:
        update()
    ctx.out.code("continue")


@executes("return_statement")
def _return(ctx: Context, node: Node) -> None:
    parts = parts_of(node)
    value = expression(ctx, parts[0]) if parts else None
    if value is not None and value.rank == "statement":
        raise LeftError("this value is not translated")
    if value is not None:
        value = kept(value, ctx.result)
    if ctx.in_function:
        ctx.out.code("return" if value is None else f"return {value}")
    else:
        ctx.out.code("sys.exit()" if value is None else f"sys.exit({value})")
