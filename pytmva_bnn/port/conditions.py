"""``if`` and ``switch``."""

from __future__ import annotations

import re

from pytmva_bnn.port.context import Context, LoopEnd
from pytmva_bnn.port.cpp_types import CppType, declared
from pytmva_bnn.port.declarations import declaration
from pytmva_bnn.port.expressions import child, converted, expression, value
from pytmva_bnn.port.operators import condition
from pytmva_bnn.port.parse import Node, parts_of
from pytmva_bnn.port.statements import block, on, statement, statements


@on("if_statement")
def _if(ctx: Context, node: Node) -> None:
    _if_chain(ctx, node, "if")


def _if_chain(ctx: Context, node: Node, word: str) -> None:
    with ctx.scopes.block():
        test = _condition_clause(ctx, child(node, "condition"), is_else=word == "elif")
        if test is None:  # a declaration cannot stand between if and elif
            ctx.out.code("else:")
            with ctx.out.block():
                _if_chain(ctx, node, "if")
            return
        ctx.out.code(f"{word} {test}:")
        block(ctx, child(node, "consequence"))
        alternative = node.child_by_field_name("alternative")
        if alternative is None:
            return
        inner = parts_of(alternative)
        notes = [one for one in alternative.named_children if one.type == "comment"]
        if len(inner) == 1 and inner[0].type == "if_statement" and not notes:
            _if_chain(ctx, inner[0], "elif")
        else:
            ctx.out.code("else:")
            with ctx.out.block(), ctx.scopes.block():
                statements(
                    ctx,
                    list(inner[0].named_children)
                    if len(inner) == 1 and inner[0].type == "compound_statement"
                    else list(alternative.named_children),
                )


def _condition_clause(ctx: Context, node: Node, *, is_else: bool) -> str | None:
    """Return the condition; what it declares is written before it (None if it cannot be)."""
    inner = node.child_by_field_name("initializer")
    test = node.child_by_field_name("value") or node
    if inner is not None or test.type == "declaration":
        if is_else:
            return None
        if inner is not None:
            for one in parts_of(inner):
                statement(ctx, one)
        if test.type == "declaration":
            declaration(ctx, test)
            name = declared(CppType("auto"), test.child_by_field_name("declarator")).name
            symbol = ctx.scopes.find(name)
            return symbol.python if symbol is not None else name
    return condition(ctx, test).text


@on("switch_statement")
def _switch(ctx: Context, node: Node) -> None:
    """Translate a switch to a chain of conditions; what falls through is written twice."""
    test = value(ctx, parts_of(child(node, "condition"))[0])
    cases = [one for one in parts_of(child(node, "body")) if one.type == "case_statement"]
    branches: list[tuple[list[str], list[Node]]] = []
    for number, case in enumerate(cases):
        label = case.child_by_field_name("value")
        text = (
            ""
            if label is None
            else converted(ctx, expression(ctx, label), test.type if test.type.name != "?" else CppType("?"))
        )
        body = _until_break(cases[number:])
        if branches and not _own_statements(cases[number - 1]):
            branches[-1][0].append(text)
            branches[-1] = (branches[-1][0], body)
        else:
            branches.append(([text], body))
    subject = test.text
    if not re.fullmatch(r"[\w.\[\]]+", subject):
        subject = ctx.fresh_name("choice")
        ctx.out.code(f"{subject} = {test.text}")
    nested = any(_breaks_inside(body) for _, body in branches)
    if nested:
        ctx.out.code("while True:  # the switch, which break leaves")
        ctx.body.loops.append(LoopEnd(is_switch=True))
        with ctx.out.block():
            _branches(ctx, subject, branches)
            ctx.out.code("break")
        ctx.body.loops.pop()
    else:
        _branches(ctx, subject, branches)


def _branches(ctx: Context, subject: str, branches: list[tuple[list[str], list[Node]]]) -> None:
    ordered = sorted(branches, key=lambda one: "" in one[0])
    for number, (labels, body) in enumerate(ordered):
        word = "if" if number == 0 else "elif"
        if "" in labels:
            ctx.out.code("else:" if number else "if True:")
        elif len(labels) == 1:
            ctx.out.code(f"{word} {subject} == {labels[0]}:")
        else:
            ctx.out.code(f"{word} {subject} in ({', '.join(labels)}):")
        with ctx.out.block(), ctx.scopes.block():
            statements(ctx, body)


def _own_statements(case: Node) -> list[Node]:
    label = case.child_by_field_name("value")
    return [one for one in case.named_children if label is None or one.id != label.id]


def _until_break(cases: list[Node]) -> list[Node]:
    """Return what runs from a case on, until a break, return, continue or throw ends it."""
    found: list[Node] = []
    for case in cases:
        for one in _own_statements(case):
            inner = [one] if one.type != "compound_statement" else list(one.named_children)
            for part in inner:
                if part.type == "break_statement":
                    return found
                found.append(part)
                if part.type in ("return_statement", "continue_statement", "throw_statement"):
                    return found
    return found


def _breaks_inside(nodes: list[Node]) -> bool:
    """Return whether a break that leaves the switch stands deeper within its statements."""
    for one in nodes:
        if one.type == "break_statement":
            return True
        if one.type in ("for_statement", "while_statement", "do_statement", "for_range_loop", "switch_statement"):
            continue
        if one.type != "lambda_expression" and _breaks_inside(list(one.named_children)):
            return True
    return False
