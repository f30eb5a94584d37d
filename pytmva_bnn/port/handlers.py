"""Exceptions: throw, try and catch."""

from __future__ import annotations

from pytmva_bnn.port.context import Context
from pytmva_bnn.port.cpp_types import CppType, declared, type_by_text
from pytmva_bnn.port.expressions import child, class_of, value
from pytmva_bnn.port.names import EXCEPTIONS
from pytmva_bnn.port.parse import Node, parts_of, text_of
from pytmva_bnn.port.statements import block, on, statements


@on("throw_statement")
def _throw(ctx: Context, node: Node) -> None:
    parts = parts_of(node)
    if not parts:
        ctx.out.code("raise")
        return
    found = value(ctx, parts[0])
    is_exception = found.type.name in EXCEPTIONS or found.type.name == "exception"
    own = class_of(ctx, found.type)
    if own is not None and _derives_from_exception(ctx, own.name):
        is_exception = True
    is_c_string = found.type.is_text and (
        found.type.name == "char" or parts[0].type in ("string_literal", "concatenated_string")
    )
    mark = ", is_c_string=True" if is_c_string else ""
    ctx.out.code(f"raise {found.text}" if is_exception else f"raise {ctx.use('Thrown')}({found.text}{mark})")


def _derives_from_exception(ctx: Context, name: str) -> bool:
    own = ctx.classes.get(name)
    return own is not None and any(
        base.rpartition("::")[2] in EXCEPTIONS or _derives_from_exception(ctx, base) for base in own.bases
    )


@on("try_statement")
def _try(ctx: Context, node: Node) -> None:
    ctx.out.code("try:")
    block(ctx, child(node, "body"))
    thrown: list[tuple[Node, CppType, str]] = []

    def write_thrown() -> None:
        if thrown:
            _catch_thrown(ctx, thrown)
            thrown.clear()

    for clause in [one for one in parts_of(node) if one.type == "catch_clause"]:
        parameters = parts_of(child(clause, "parameters"))
        if parameters:
            base = type_by_text(text_of(child(parameters[0], "type")), ctx.aliases)
            found = declared(base, parameters[0].child_by_field_name("declarator"))
            short = found.type.name.rpartition("::")[2]
            if short not in EXCEPTIONS and not _derives_from_exception(ctx, short):
                thrown.append((clause, found.type, found.name))
                continue
        elif thrown:
            thrown.append((clause, CppType("?"), ""))
            write_thrown()
        write_thrown()
        if not parameters:
            ctx.out.code("except Exception:")
            block(ctx, child(clause, "body"))
            continue
        _catch(ctx, clause, found.type, found.name)
    write_thrown()


def _catch_thrown(ctx: Context, clauses: list[tuple[Node, CppType, str]]) -> None:
    """Translate handlers of what is no exception of std: numbers, texts, own classes; the first that fits is taken."""
    from pytmva_bnn.port.declarations import declare

    thrown = ctx.fresh_name("thrown")
    ctx.out.code(f"except {ctx.use('Thrown')} as {thrown}:")
    kinds = {"text": "str", "bool": "bool"}
    with ctx.out.block():
        for number, (clause, type_, name) in enumerate(clauses):
            own = class_of(ctx, type_)
            wanted = (
                own.python
                if own is not None
                else kinds.get(type_.name, "int" if type_.is_integer else "float" if type_.is_float else "str")
            )
            if type_.name == "?":
                ctx.out.code("else:")
            else:
                test = f"isinstance({thrown}.value, {wanted})"
                if type_.is_text:
                    test += f" and {'' if type_.name == 'char' else 'not '}{thrown}.is_c_string"
                ctx.out.code(f"{'elif' if number else 'if'} {test}:")
            with ctx.out.block(), ctx.scopes.block():
                if name:
                    symbol = declare(ctx, name, type_.plain, owned=False)
                    ctx.out.code(f"{symbol.python} = {thrown}.value")
                statements(ctx, list(child(clause, "body").named_children))
        if clauses[-1][1].name != "?":
            ctx.out.code("else:")
            with ctx.out.block():
                ctx.out.code("raise")


def _catch(ctx: Context, clause: Node, type_: CppType, name: str) -> None:
    from pytmva_bnn.port.declarations import declare

    simple_name = type_.name.rpartition("::")[2]
    own = ctx.classes.get(simple_name)
    with ctx.scopes.block():
        symbol = declare(ctx, name or "error", type_.plain, owned=False)
        kind = own.python if own is not None else f"ROOT.std.{simple_name}"
        ctx.out.code(f"except {kind}{f' as {symbol.python}' if name else ''}:")
        block(ctx, child(clause, "body"))
