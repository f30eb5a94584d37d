"""Definitions: functions with their overloads and operators, classes, enums, namespaces, templates."""

from __future__ import annotations

import re
from functools import partial

from pytmva_bnn.port.arguments import argument_texts
from pytmva_bnn.port.construction import cell
from pytmva_bnn.port.context import Class, Context, Function, Symbol, Untranslatable, member_name, python_name
from pytmva_bnn.port.cpp_types import AUTO, CppType, declared
from pytmva_bnn.port.declarations import declarators, initial
from pytmva_bnn.port.definitions import (
    _announce_class,
    _announce_enum,
    _friends,
    _function_of,
    _typedef_name,
    mark_changes,
    own_types,
)
from pytmva_bnn.port.expressions import child, qualified, value
from pytmva_bnn.port.functions import _dispatcher, write_function
from pytmva_bnn.port.literals import quoted
from pytmva_bnn.port.names import EXCEPTIONS
from pytmva_bnn.port.parse import Node, parts_of, text_of, walk
from pytmva_bnn.port.statements import comment, on, statement, statements

OPERATORS = {
    "+": "__add__", "-": "__sub__", "*": "__mul__", "/": "__truediv__", "%": "__mod__", "==": "__eq__", "!=": "__ne__",
    "<": "__lt__", ">": "__gt__", "<=": "__le__", ">=": "__ge__", "[]": "__getitem__", "()": "__call__",
    "+=": "__iadd__", "-=": "__isub__", "*=": "__imul__", "/=": "__itruediv__", "<<": "__lshift__", ">>": "__rshift__",
    "&&": "__and__", "|": "__or__", "^": "__xor__", "&": "__and__", "!": "__invert__",
}  # fmt: skip
"""Operators of C++ and the methods that Python calls for them."""


@on("function_definition")
def _function_definition(ctx: Context, node: Node) -> None:
    function, owner = _function_of(ctx, node)
    if owner in ctx.classes:
        return  # it is written where its class is
    known = ctx.functions.get(function.name, [])
    function = next((one for one in known if one.definition is not None and one.definition.id == node.id), function)
    defined = [one for one in known if one.definition is not None]
    if function.name.startswith("operator"):
        _free_operator(ctx, function)
        return
    if len(defined) > 1:
        name = f"{function.python}_{defined.index(function) + 1}"
        write_function(ctx, function, name)
        if function is defined[-1]:
            _dispatcher(ctx, function.python, defined)
        return
    write_function(ctx, function, function.python)


@on("class_specifier", "struct_specifier")
def _class(ctx: Context, node: Node) -> None:
    body_node = node.child_by_field_name("body")
    if body_node is None:
        return
    name_node = node.child_by_field_name("name")
    name = text_of(name_node) if name_node is not None else _typedef_name(node)
    if name not in ctx.classes:
        _announce_class(ctx, node)
        mark_changes(ctx)
    own = ctx.classes[name]
    ctx.lost.pop(name, None)  # it may use itself
    for inner in [one for one in own_types(body_node) if one.type != "enum_specifier"]:
        _class(ctx, inner)
    bases = [_base(ctx, base) for base in own.bases] or [ctx.use("Struct")]
    ctx.out.code(f"class {own.python}({', '.join(bases)}):")
    before, ctx.owner = ctx.owner, own
    scope = ctx.scopes.block()
    with ctx.out.block(), scope:
        start = ctx.out.mark()
        _statics(ctx, own, body_node)
        shared = [one.python for one in own.members.values() if one.type.pointers or one.type.reference]
        if shared:
            ctx.out.code(f"_pointers = ({', '.join(quoted(one) for one in shared)}{',' if len(shared) == 1 else ''})")
        for one in [one for one in own_types(body_node) if one.type == "enum_specifier"]:
            _enum(ctx, one, is_inside=True)
        if not any(own.name in methods for methods in [own.methods]) or not own.methods[own.name]:
            _default_constructor(ctx, own, body_node)
        written: set[str] = set()
        for one in body_node.named_children:
            if one.type == "comment":
                comment(ctx, one)
            for function in _methods_at(own, one):
                if function.name not in written:
                    written.add(function.name)
                    ctx.out.blank()
                    _methods(ctx, own, function.name)
        if any(
            len(one.parameters) == 1 and one.parameters[0].type.name == own.name
            for one in own.methods.get(own.name, [])
        ):
            ctx.out.code("def __copy__(self):")  # a copy constructor of its own
            with ctx.out.block():
                ctx.out.code(f"return {own.python}(self)")
        for name_ in own.methods:  # only defined outside
            if name_ not in written:
                _methods(ctx, own, name_)
        if ctx.out.mark() == start:
            ctx.out.code("pass")
    ctx.owner = before
    ctx.out.blank()
    for one in _friends(body_node):
        statement(ctx, one)
    if before is None:
        for line in ctx.static_lines:
            ctx.out.code(line)
        ctx.static_lines = []


def _base(ctx: Context, name: str) -> str:
    short = name.rpartition("::")[2]
    if short in ctx.classes:
        return ctx.classes[short].python
    if short in EXCEPTIONS:
        return f"ROOT.std.{short}"
    if short == "TObject":
        return ctx.use("Struct")

    return qualified(ctx, name).text


def _methods_at(own: Class, node: Node) -> list[Function]:
    if node.type == "template_declaration":
        node = next((one for one in parts_of(node) if one.type == "function_definition"), node)
    if node.type == "function_definition":
        return [
            one
            for many in own.methods.values()
            for one in many
            if one.definition is not None and one.definition.id == node.id
        ]
    if node.type in ("field_declaration", "declaration"):
        names = [declared(AUTO, declarator).name.replace(" ", "") for declarator, _ in declarators(node)]
        return [own.methods[name][0] for name in names if name in own.methods]
    return []


def _statics(ctx: Context, own: Class, body: Node) -> None:
    for one in parts_of(body):
        if one.type not in ("field_declaration", "declaration"):
            continue
        for declarator, given in declarators(one):
            name = declared(AUTO, declarator).name
            if name in own.statics:
                member = own.members[name]
                is_empty = given is None and member.type.sizes and member.type.sizes[0] is None
                text = "[]" if is_empty else _within_class(own, initial(ctx, member.type, given)[1])
                ctx.out.code(f"{member.python} = {cell(ctx, member.type, text) if member.is_cell else text}")


def _within_class(own: Class, text: str) -> str:
    """Return the text of a value without the name of the class, which does not exist yet while its body runs."""
    parts = re.split(r'("(?:\\.|[^"\\])*")', text)
    return "".join(one if number % 2 else re.sub(rf"\b{own.python}\.", "", one) for number, one in enumerate(parts))


def _default_constructor(ctx: Context, own: Class, body: Node) -> None:
    members = [one for one in own.members.values() if one.name not in own.statics]
    if not members and own.bases:
        return
    defaults = _member_values(ctx, own, body)
    is_aggregate = bool(members) and not own.bases and not own.methods.get(own.name)
    lines = []
    names = []
    for one in members:
        text = defaults[one.name]
        if is_aggregate:
            names.append(f"{one.python}=None")
            given = f"{one.python} if {one.python} is not None else {text}"
            if one.is_cell:
                given = cell(ctx, one.type, given)
            lines.append(f"self.{one.python} = {given}")
        else:
            lines.append(f"self.{one.python} = {cell(ctx, one.type, text) if one.is_cell else text}")
    ctx.out.code(f"def __init__({', '.join(['self', *names])}):")
    with ctx.out.block():
        for base in own.bases:
            ctx.out.code(f"{_base(ctx, base)}.__init__(self)")
        for line in lines:
            ctx.out.code(line)


def _member_values(ctx: Context, own: Class, body: Node) -> dict[str, str]:
    found: dict[str, str] = {}
    for one in parts_of(body):
        if one.type in ("field_declaration", "declaration"):
            for declarator, given in declarators(one):
                name = declared(AUTO, declarator).name
                if name in own.members and name not in own.statics:
                    found[name] = (
                        initial(
                            ctx,
                            own.members[name].type.plain
                            if not own.members[name].type.reference
                            else own.members[name].type,
                            given,
                        )[1]
                        if not own.members[name].type.reference
                        else "None"
                    )
    return found


def _initialise(ctx: Context, node: Node) -> None:
    """Write what a constructor does before its body: members in their order, bases."""
    own = ctx.owner
    if own is None:
        return
    values = _member_values(ctx, own, child(own.node, "body"))
    initialisers = next((one for one in parts_of(node) if one.type == "field_initializer_list"), None)
    given: dict[str, Node] = {}
    for one in parts_of(initialisers) if initialisers is not None else []:
        parts = parts_of(one)
        given[text_of(parts[0]).partition("<")[0].rpartition("::")[2]] = parts[-1]
    if own.name in given:  # a constructor that calls another one
        ctx.out.code(
            f"self.__init__({', '.join(argument_texts(ctx, parts_of(given[own.name]), own.methods[own.name]))})"
        )
        return
    for base in own.bases:
        short = base.rpartition("::")[2]
        constructor = ctx.classes[short].methods.get(short, []) if short in ctx.classes else []
        arguments = argument_texts(ctx, parts_of(given[short]), constructor) if short in given else []
        if short != "TObject":
            ctx.out.code(f"{_base(ctx, base)}.__init__({', '.join(['self', *arguments])})")
    for member in own.members.values():
        if member.name in own.statics:
            continue
        is_given = member.name in given
        text = _initial_member(ctx, member, given[member.name]) if is_given else values[member.name]
        if member.is_cell and not member.type.reference:
            text = cell(ctx, member.type, text)
        ctx.out.code(f"self.{member.python} = {text}")


def _initial_member(ctx: Context, member: Symbol, node: Node) -> str:
    if member.type.reference:
        from pytmva_bnn.port.places import cell_of

        inner = parts_of(node)[0]
        return cell_of(ctx, inner) if member.is_cell else value(ctx, inner).text
    return initial(ctx, member.type, node)[1]


def _methods(ctx: Context, own: Class, name: str) -> None:
    """Write a method with all its overloads."""
    functions = [one for one in own.methods[name] if one.definition is not None]
    if not functions:
        ctx.out.code(f"def {_method_name(own, own.methods[name][0])}(self, *arguments):  # declared only")
        with ctx.out.block():
            ctx.out.code("raise NotImplementedError")
        return
    python = _method_name(own, functions[0])
    if len(functions) == 1 or all(len(one.parameters) == len(functions[0].parameters) == 0 for one in functions):
        _method(ctx, functions[0], python)
        return
    stem = "construct" if python == "__init__" else python
    for number, function in enumerate(functions):
        _method(ctx, function, f"{stem}_{number + 1}")
        ctx.out.blank()
    _dispatcher(ctx, python, functions, "self")


def _method_name(own: Class, function: Function) -> str:
    if function.name == own.name:
        return "__init__"
    if function.name.startswith("~"):
        return "destroy"
    if function.name.startswith("operator"):
        symbol = function.name.removeprefix("operator")
        if symbol == "-unary":
            return "__neg__"
        if symbol in ("++", "--"):
            return "increment" if symbol == "++" else "decrement"
        if symbol == "=":
            return "assign_from"
        if symbol in OPERATORS:
            return OPERATORS[symbol]
        return {"bool": "__bool__", "double": "__float__", "int": "__int__"}.get(
            symbol, f"convert_{symbol.strip('*&')}"
        )
    return member_name(function.name)


def _method(ctx: Context, function: Function, name: str) -> None:
    if function.is_static:
        ctx.out.code("@staticmethod")
        write_function(ctx, function, name, "")
        return
    is_constructor = ctx.owner is not None and function.name == ctx.owner.name
    write_function(ctx, function, name, "self", partial(_initialise, ctx) if is_constructor else None)


def _free_operator(ctx: Context, function: Function) -> None:
    """Write an operator that is defined outside of classes, and give it to the class of its operands."""
    symbol = function.name.removeprefix("operator").removesuffix("unary")
    first, last = function.parameters[0].type, function.parameters[-1].type
    name = ctx.fresh_name("operator")
    write_function(ctx, function, name)
    if symbol in ("<<", ">>") and last.name in ctx.classes:
        special = "__rlshift__" if symbol == "<<" else "__rrshift__"
        ctx.out.code(f"{ctx.classes[last.name].python}.{special} = lambda self, stream: {name}(stream, self)")
    elif first.name in ctx.classes and symbol in OPERATORS:
        special = OPERATORS[symbol] if len(function.parameters) > 1 else "__neg__"
        ctx.out.code(f"{ctx.classes[first.name].python}.{special} = {name}")
    elif last.name in ctx.classes and symbol in OPERATORS:
        special = OPERATORS[symbol].replace("__", "__r", 1)
        ctx.out.code(f"{ctx.classes[last.name].python}.{special} = lambda self, other: {name}(other, self)")
    else:
        raise Untranslatable(f"the operator {symbol} of these types")


@on("enum_specifier")
def _enum_statement(ctx: Context, node: Node) -> None:
    if node.child_by_field_name("body") is None:
        return
    name = node.child_by_field_name("name")
    if not (name is not None and text_of(name) in ctx.enums) or not ctx.scopes.is_outermost():
        _announce_enum(ctx, node)
    _enum(ctx, node)


def _enum(ctx: Context, node: Node, *, is_inside: bool = False) -> None:
    is_class = any(one.type in ("class", "struct") for one in node.children)
    if is_class:
        ctx.out.code(f"class {python_name(text_of(child(node, 'name')))}:")
        with ctx.out.block():
            _enumerators(ctx, node, is_inside=True)
    else:
        _enumerators(ctx, node, is_inside=is_inside)


def _enumerators(ctx: Context, node: Node, *, is_inside: bool) -> None:
    previous, offset = "", 0
    known: dict[str, str] = {}
    for one in child(node, "body").named_children:
        if one.type == "comment":
            comment(ctx, one, is_behind=True)
            continue
        name = text_of(child(one, "name"))
        given = one.child_by_field_name("value")
        if given is not None:
            if text_of(given) in known:
                text, literal = known[text_of(given)], None
            else:
                expr = value(ctx, given)
                text, literal = (f"ord({expr.text})" if expr.type.is_char else expr.text), expr.literal
            previous, offset = ("", literal) if isinstance(literal, int) else (text, 0)
        elif known:
            offset += 1
        text = str(offset) if not previous else (previous if not offset else f"{previous} + {offset}")
        python = member_name(name) if is_inside else python_name(name)
        known[name] = python
        ctx.out.code(f"{python} = {text}")


@on("namespace_definition")
def _namespace(ctx: Context, node: Node) -> None:
    body = node.child_by_field_name("body")
    if body is not None:
        statements(ctx, list(body.named_children))


@on("linkage_specification")
def _linkage(ctx: Context, node: Node) -> None:
    body = node.child_by_field_name("body")
    if body is not None:
        statements(ctx, list(body.named_children) if body.type == "declaration_list" else [body])


@on("template_declaration")
def _template(ctx: Context, node: Node) -> None:
    """Translate a template: Python's functions take any type; the names of types are of no meaning."""
    names = [
        text_of(part)
        for one in parts_of(child(node, "parameters"))
        for part in walk(one)
        if part.type == "type_identifier"
    ]
    before = dict(ctx.aliases)
    ctx.aliases.update(dict.fromkeys(names, CppType("?")))
    for one in parts_of(node):
        if one.type != "template_parameter_list":
            statement(ctx, one)
    ctx.aliases = before
