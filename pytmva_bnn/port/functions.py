"""Functions, lambdas, classes, enums and namespaces of the macro."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from pytmva_bnn.port.analysis import addressed_names, changed_names, declared_names, names_in
from pytmva_bnn.port.calls import argument_texts
from pytmva_bnn.port.construction import cell, default, from_braces
from pytmva_bnn.port.context import (
    Body,
    Class,
    Context,
    Expr,
    Function,
    LoopEnd,
    Parameter,
    Symbol,
    Untranslatable,
    member_name,
    python_name,
)
from pytmva_bnn.port.cpp_types import AUTO, FUNCTION, INT, VOID, CppType, declared, type_by_text
from pytmva_bnn.port.declarations import base_type, declarators, declare, initial, needs_cell
from pytmva_bnn.port.expressions import child, converted, described_type, expression, named, value
from pytmva_bnn.port.literals import quoted
from pytmva_bnn.port.names import EXCEPTIONS
from pytmva_bnn.port.output import Emitter, Line
from pytmva_bnn.port.parse import Node, parse_expression, parts_of, text_of, walk
from pytmva_bnn.port.statements import comment, end_of_block, on, statement, statements

OPERATORS = {
    "+": "__add__", "-": "__sub__", "*": "__mul__", "/": "__truediv__", "%": "__mod__", "==": "__eq__", "!=": "__ne__",
    "<": "__lt__", ">": "__gt__", "<=": "__le__", ">=": "__ge__", "[]": "__getitem__", "()": "__call__",
    "+=": "__iadd__", "-=": "__isub__", "*=": "__imul__", "/=": "__itruediv__", "<<": "__lshift__", ">>": "__rshift__",
    "&&": "__and__", "|": "__or__", "^": "__xor__", "&": "__and__", "!": "__invert__",
}  # fmt: skip
"""Operators of C++ and the methods that Python calls for them."""


# -- what is defined, before anything is translated


def announce(ctx: Context, root: Node) -> None:
    """Make all functions, classes and enums of the text known."""
    for node in walk(root):
        if node.type == "type_parameter_declaration":
            ctx.aliases.update({text_of(one): CppType("?") for one in parts_of(node) if one.type == "type_identifier"})
    for node in _definitions(root):
        try:
            _announce(ctx, node)
        except Untranslatable as reason:
            ctx.lost[_name_of(node)] = str(reason)
    ctx.out = Emitter()
    _refuse_twins(ctx, root)


def _definitions(root: Node) -> Iterator[Node]:
    """Yield what stands at the top of the text or in namespaces."""
    for node in root.named_children:
        yield node
        if node.type in ("namespace_definition", "linkage_specification"):
            body = node.child_by_field_name("body")
            if body is not None:
                yield from _definitions(body)
        elif node.type == "template_declaration":
            yield from _definitions(node)
        elif node.type in ("declaration", "type_definition"):
            type_ = node.child_by_field_name("type")
            if type_ is not None and type_.type in ("class_specifier", "struct_specifier", "enum_specifier"):
                yield type_


def _announce(ctx: Context, node: Node) -> None:
    match node.type:
        case "function_definition":
            _announce_function(ctx, node)
        case "class_specifier" | "struct_specifier":
            _announce_class(ctx, node)
        case "enum_specifier":
            _announce_enum(ctx, node)
        case "declaration":
            _announce_prototype(ctx, node)
        case "namespace_definition":
            ctx.namespaces.update(text_of(node.child_by_field_name("name") or node).replace(" ", "").split("::"))
        case "namespace_alias_definition":
            ctx.namespaces.add(text_of(child(node, "name")))
        case "using_declaration" | "alias_declaration" | "type_definition":
            statement(ctx, node)


def _name_of(node: Node) -> str:
    """Return the name of a definition."""
    declarator = node.child_by_field_name("declarator") or node.child_by_field_name("name") or node
    names = [text_of(one) for one in walk(declarator) if "identifier" in one.type]
    return names[0] if names else ""


def _refuse_twins(ctx: Context, root: Node) -> None:
    """Functions and variables of the same name in several namespaces would be one in Python: they are left."""
    homes: dict[str, set[str]] = {}
    for node in _definitions(root):
        names = []
        if node.type == "function_definition":
            function, owner = _function_of(ctx, node)
            names = [] if owner or function.name.startswith("operator") else [function.name]
        elif node.type == "declaration" and node.child_by_field_name("type") is not None:
            found = [declared(AUTO, declarator) for declarator, _ in declarators(node)]
            names = [one.name for one in found if one.parameters is None and one.name.isidentifier()]
        above, home = node.parent, ""
        while above is not None:
            if above.type == "namespace_definition":
                home = f"{text_of(above.child_by_field_name('name') or above)}::{home}"
            above = above.parent
        for name in names:
            homes.setdefault(name, set()).add(home)
    for name, places in homes.items():
        if len(places) > 1:
            ctx.lost[name] = "it is defined in several namespaces"


def announce_variables(ctx: Context, root: Node) -> None:
    """Make the variables of the text known to the functions above them."""
    for node in _definitions(root):
        type_ = node.child_by_field_name("type") if node.type == "declaration" else None
        if type_ is None:
            continue
        for declarator, _ in declarators(node):
            found = declared(base_type(ctx, node, type_), declarator)
            if found.parameters is None and found.name.isidentifier() and found.type.name != "auto":
                symbol = Symbol(found.name, python_name(found.name), found.type)
                symbol.is_cell = needs_cell(ctx, found.name, found.type) and not found.type.reference
                ctx.scopes.add_global(symbol)


def _announce_function(ctx: Context, node: Node) -> None:
    function, owner = _function_of(ctx, node)
    if not function.name or owner:
        return
    known = ctx.functions.setdefault(function.name, [])
    for one in known:  # a prototype came before: its defaults count
        if one.definition is None and len(one.parameters) == len(function.parameters) and _same_types(one, function):
            for own, before in zip(function.parameters, one.parameters, strict=True):
                own.default = own.default or before.default
            known.remove(one)
            break
    function.is_template = node.parent is not None and node.parent.type == "template_declaration"
    known.append(function)


def _same_types(a: Function, b: Function) -> bool:
    return all(x.type == y.type for x, y in zip(a.parameters, b.parameters, strict=True))


def _announce_prototype(ctx: Context, node: Node) -> None:
    type_ = node.child_by_field_name("type")
    if type_ is None:
        return
    for declarator, _ in declarators(node):
        found = declared(base_type(ctx, node, type_), declarator)
        if found.parameters is not None and "::" not in found.name and not found.name.startswith("operator"):
            function = Function(
                found.name, python_name(found.name), found.type, _parameters(ctx, found.parameters, None)
            )
            known = ctx.functions.setdefault(found.name, [])
            if not any(len(one.parameters) == len(function.parameters) and _same_types(one, function) for one in known):
                known.append(function)


def _function_of(ctx: Context, node: Node) -> tuple[Function, str]:
    """Return a function from its definition, and the class it belongs to."""
    type_node = node.child_by_field_name("type")
    base = base_type(ctx, node, type_node) if type_node is not None else VOID
    declarator = child(node, "declarator")
    if declarator.type == "operator_cast":  # operator int() const
        type_ = type_by_text(text_of(child(declarator, "type")), ctx.aliases)
        return Function(f"operator{type_.name}", "", type_, [], node), ""
    found = declared(base, declarator)
    if found.parameters is None:
        raise Untranslatable("a function without parameters in brackets")
    body = node.child_by_field_name("body")
    parameters = _parameters(ctx, found.parameters, body)
    scope, _, name = "".join(found.name.split()).rpartition("::")
    if "operator" in found.name:
        name = found.name[found.name.index("operator") :].replace(" ", "")
        if name == "operator-" and len(parameters) == (0 if scope or _is_in_class(node) else 1):
            name = "operator-unary"
    owner = scope.rpartition("::")[2]
    is_static = any(text_of(one) == "static" for one in node.named_children if one.type == "storage_class_specifier")
    function = Function(name, python_name(name), found.type, parameters, node, owner, is_static)
    above = node.parent
    while above is not None:
        if above.type == "namespace_definition":
            function.namespace = text_of(above.child_by_field_name("name") or above)
        above = above.parent
    return function, owner if owner not in ctx.namespaces else ""


def _is_in_class(node: Node) -> bool:
    return node.parent is not None and node.parent.type == "field_declaration_list"


def _parameters(ctx: Context, node: Node, body: Node | None) -> list[Parameter]:
    found = []
    for number, one in enumerate(parts_of(node)):
        if one.type not in ("parameter_declaration", "optional_parameter_declaration"):
            raise Untranslatable("a variable number of parameters")
        base = base_type(ctx, one, child(one, "type"))
        part = declared(base, one.child_by_field_name("declarator"))
        if part.type == VOID and not part.name:
            continue
        type_ = part.type if part.parameters is None else FUNCTION
        found.append(Parameter(part.name or f"unused_{number}", type_, one.child_by_field_name("default_value")))
    return found


def mark_changes(ctx: Context) -> None:
    """Find the reference parameters that functions change: those are passed as cells, also on."""
    everything = [one for functions in ctx.functions.values() for one in functions]
    everything += [one for own in ctx.classes.values() for functions in own.methods.values() for one in functions]
    is_new = True
    while is_new:
        is_new = False
        for function in everything:
            body = function.definition.child_by_field_name("body") if function.definition is not None else None
            if function.definition is not None and body is None:
                continue
            changed = changed_names(ctx, function.definition) if function.definition is not None else None
            for parameter in function.parameters:
                is_reference = parameter.type.reference and not parameter.type.const and parameter.type.is_immutable
                if parameter.type.name == "?" and parameter.type.reference and not parameter.type.const:
                    is_reference = parameter.name in _assigned_names(function.definition)
                is_changed = changed is None or parameter.name in changed
                if is_reference and is_changed and not parameter.is_cell:
                    parameter.is_cell = is_new = True
                parameter.is_changed = is_changed
    for functions in [*ctx.functions.values(), *(f for own in ctx.classes.values() for f in own.methods.values())]:
        for parameters in zip(*(one.parameters for one in functions), strict=False):
            if len(functions) > 1 and any(
                one.is_cell for one in parameters
            ):  # a virtual function and what overrides it
                for one in parameters:
                    one.is_cell = one.is_cell or (one.type.reference and not one.type.const and one.type.is_immutable)


def _assigned_names(node: Node | None) -> set[str]:
    """Return the names that are targets of assignments by themselves."""
    found = set()
    for one in walk(node) if node is not None else ():
        if one.type in ("assignment_expression", "update_expression"):
            target = one.child_by_field_name("left") or one.child_by_field_name("argument")
            if target is not None and target.type == "identifier":
                found.add(text_of(target))
    return found


def _announce_enum(ctx: Context, node: Node, owner: Class | None = None) -> None:
    name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    if body is None:
        return
    is_class = any(one.type in ("class", "struct") for one in node.children)
    name = text_of(name_node) if name_node is not None else ""
    place = f"{python_name(name)}." if is_class else f"{owner.python}." if owner is not None else ""
    constants = {}
    for one in parts_of(body):
        constant = text_of(child(one, "name"))
        constants[constant] = f"{place}{member_name(constant) if place else python_name(constant)}"
        if not is_class and owner is None:
            ctx.scopes.add_global(Symbol(constant, constants[constant], INT, kind="constant"))
        elif not is_class and owner is not None:
            owner.constants[constant] = Symbol(constant, constants[constant], INT, kind="constant")
    if name:
        ctx.enums[name] = constants
        ctx.aliases[name] = CppType("enum")


def _announce_class(ctx: Context, node: Node) -> None:
    name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    if body is None:
        return
    name = text_of(name_node) if name_node is not None else _typedef_name(node)
    own = Class(name, python_name(name), node)
    ctx.classes[name] = own
    for clause in [one for one in parts_of(node) if one.type == "base_class_clause"]:
        own.bases = [
            text_of(one).partition("<")[0]
            for one in parts_of(clause)
            if "identifier" in one.type or one.type == "template_type"
        ]
    for one in parts_of(body):
        _announce_member(ctx, own, one)
    for one in _friends(body):
        _announce_function(ctx, one)
    top = node
    while top.parent is not None:
        top = top.parent
    for definition in walk(top):  # methods that are defined outside of the class
        if definition.type == "function_definition":
            declarator = definition.child_by_field_name("declarator")
            if declarator is not None and f"{name}::" in text_of(declarator).partition("(")[0]:
                _announce_outside(ctx, own, definition)


def _friends(body: Node) -> list[Node]:
    """Return the functions that a class defines as friends: they are no methods."""
    friends = [one for one in parts_of(body) if one.type == "friend_declaration"]
    return [part for one in friends for part in parts_of(one) if part.type == "function_definition"]


def _typedef_name(node: Node) -> str:
    parent = node.parent
    if parent is not None and parent.type == "type_definition":
        return text_of(child(parent, "declarator"))
    return f"Unnamed{node.start_point[0] + 1}"


def _announce_outside(ctx: Context, own: Class, node: Node) -> None:
    try:
        function, owner = _function_of(ctx, node)
    except Untranslatable:
        return
    if owner != own.name:
        return
    if function.name.startswith("~"):
        own.has_destructor = True
    known = own.methods.setdefault(function.name, [])
    for one in known:
        if one.definition is None and len(one.parameters) == len(function.parameters):
            for parameter, before in zip(function.parameters, one.parameters, strict=True):
                parameter.default = parameter.default or before.default
            function.is_static = one.is_static
            known[known.index(one)] = function
            return
    known.append(function)


def _announce_member(ctx: Context, own: Class, node: Node) -> None:
    match node.type:
        case "function_definition":
            function, _ = _function_of(ctx, node)
            function.owner = own.name
            known = own.methods.setdefault(function.name, [])
            twin = next(
                (
                    one
                    for one in known
                    if one.parameters == function.parameters or (not one.parameters and not function.parameters)
                ),
                None,
            )
            if twin is not None and not function.name.startswith("~"):  # one of the two is const: Python has one method
                if function.result.reference and not function.result.const:
                    known[known.index(twin)] = function
                return
            known.append(function)
            body = node.child_by_field_name("body")
            if function.name.startswith("~"):
                own.has_destructor = own.has_destructor or (body is not None and bool(parts_of(body)))
                del own.methods[function.name]
                if own.has_destructor:
                    own.methods[function.name] = [function]
        case "field_declaration" | "declaration":
            _announce_field(ctx, own, node)
        case "template_declaration":
            for one in parts_of(node):
                if one.type == "function_definition":
                    _announce_member(ctx, own, one)
        case "enum_specifier":
            _announce_enum(ctx, node, own)
        case "struct_specifier" | "class_specifier":
            _announce_class(ctx, node)
        case "alias_declaration" | "type_definition":
            statement(ctx, node)


def _announce_field(ctx: Context, own: Class, node: Node) -> None:
    type_node = node.child_by_field_name("type")
    if type_node is not None and type_node.type == "enum_specifier":
        _announce_enum(ctx, type_node, own)
    elif (
        type_node is not None
        and type_node.type in ("struct_specifier", "class_specifier")
        and type_node.child_by_field_name("body")
    ):
        _announce_class(ctx, type_node)
    base = base_type(ctx, node, type_node) if type_node is not None else VOID
    is_static = any(text_of(one) == "static" for one in node.named_children if one.type == "storage_class_specifier")
    for declarator, _ in declarators(node):
        found = declared(base, declarator)
        if found.parameters is not None:
            name = found.name.replace(" ", "")
            if text_of(node).rstrip("; ").endswith(("= default", "= delete", "=default", "=delete")):
                continue
            function = Function(
                name, python_name(name), found.type, _parameters(ctx, found.parameters, None), None, own.name, is_static
            )
            if not name.startswith("~"):
                own.methods.setdefault(name, []).append(function)
        elif found.name:
            own.members[found.name] = Symbol(found.name, member_name(found.name), found.type)
            if is_static:
                own.statics.add(found.name)


# -- functions


@contextmanager
def _function_body(ctx: Context, body: Body) -> Iterator[None]:
    before, ctx.body = ctx.body, body
    body.outer = before
    try:
        yield
    finally:
        ctx.body = before


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


def _dispatcher(ctx: Context, name: str, functions: list[Function], this: str = "") -> None:
    """Write the function that chooses among overloads by the number and kind of the arguments."""
    own = f"{this}, " if this else ""
    prefix = f"{this}." if this else ""
    stem = "construct" if name == "__init__" else name
    ctx.out.code(f"def {name}({own}*arguments):")
    with ctx.out.block():
        choices = ", ".join(f"({prefix}{stem}_{i + 1}, {_signature(ctx, one)})" for i, one in enumerate(functions))
        ctx.out.code(f"{'return ' if name != '__init__' else ''}{ctx.use('overloaded')}(arguments, {choices})")


def _signature(ctx: Context, function: Function) -> str:
    def kind(parameter: Parameter) -> str:
        type_ = parameter.type
        if parameter.is_cell:
            return "object"
        if type_.is_text or type_.is_char:
            return "str"
        if type_.name == "bool" and type_.is_value:
            return "bool"
        if type_.is_integer or type_.name == "enum":
            return "int"
        if type_.is_float:
            return "float"
        own = ctx.classes.get(type_.name)
        return own.python if own is not None else "list" if type_.is_container or type_.is_array else "object"

    kinds = [kind(one) for one in function.parameters]
    return f"({', '.join(kinds)}{',' if len(kinds) == 1 else ''}), {function.n_required}"


def write_function(ctx: Context, function: Function, name: str, this: str = "") -> None:
    """Write a function or method."""
    node = function.definition
    if node is None:
        return
    mark = ctx.out.mark()
    body_node = child(node, "body")
    body = Body(
        function, name, cells=frozenset(addressed_names(ctx, node)), changed=frozenset(changed_names(ctx, node))
    )
    statics, ctx.static_lines = ctx.static_lines, []
    with _function_body(ctx, body), ctx.scopes.block():
        header, entry = _header(ctx, function, this)
        ctx.out.code(f"def {name}({header}):")
        with ctx.out.block(), ctx.scopes.block():
            start = ctx.out.mark()
            for line in entry:
                ctx.out.code(line)
            if this and function.name == (ctx.owner.name if ctx.owner else ""):
                _initialise(ctx, node)
            body.depth = ctx.scopes.depth - 1
            statements(ctx, list(body_node.named_children))
            end_of_block(ctx)
            _declare_outer(ctx, body, start)
        _last_return(ctx, function, mark)
    if ctx.owner is None:
        depth = ctx.out.lines[mark].depth
        ctx.out.lines[mark:mark] = [Line(depth, line) for line in ctx.static_lines]
        ctx.static_lines = statics
    else:  # static variables of methods stand behind the class
        ctx.static_lines = [*statics, *ctx.static_lines]


def _last_return(ctx: Context, function: Function, mark: int) -> None:
    """C++'s main returns 0 by itself."""
    if function.name == "main" and not any(
        line.code.startswith("return") and line.depth == ctx.out.lines[mark].depth + 1 for line in ctx.out.lines[mark:]
    ):
        with ctx.out.block():
            ctx.out.code("return 0")


def _declare_outer(ctx: Context, body: Body, start: int) -> None:
    """Write ``global`` and ``nonlocal`` for what the function changes."""
    for word, names in (("nonlocal", body.nonlocals), ("global", body.globals)):
        if names:
            ctx.out.insert(start, f"{word} {', '.join(sorted(names))}")


def _header(ctx: Context, function: Function, this: str) -> tuple[str, list[str]]:
    """Return the parameters of a function and what it must do with them first."""
    shown, entry = ([this] if this and not function.is_static else []), []
    for parameter in function.parameters:
        is_box = parameter.is_cell
        needs_cell = not is_box and parameter.name in ctx.body.cells and parameter.type.is_immutable
        owned = not parameter.type.reference and not _is_shared(parameter)
        symbol = declare(ctx, parameter.name, parameter.type, is_cell=is_box or needs_cell, owned=owned)
        text = symbol.python
        if parameter.default is not None:
            type_ = parameter.type.plain
            braces = parameter.default
            if braces.type == "compound_literal_expression" and not text_of(child(braces, "type")).strip():
                braces = child(braces, "value")
            if braces.type == "initializer_list":
                made = from_braces(ctx, type_, braces).text
            else:
                made = converted(ctx, expression(ctx, parameter.default), type_)
            if is_box:
                made = f"[{made}]"
            if type_.is_immutable or made == "None":
                text += f"={made}"
            else:
                text += "=None"
                entry.append(f"{symbol.python} = {made} if {symbol.python} is None else {symbol.python}")
        shown.append(text)
        if needs_cell:
            entry.append(f"{symbol.python} = {cell(ctx, parameter.type, symbol.python)}")
        elif not parameter.type.reference and _copies(ctx, parameter):
            entry.append(f"{symbol.python} = {ctx.use('copied')}({symbol.python})")
            symbol.owned = True
    return ", ".join(shown), entry


def _is_shared(parameter: Parameter) -> bool:
    """Return whether an object given by value is still the caller's in Python."""
    return not parameter.is_changed and not parameter.type.is_immutable


def _copies(ctx: Context, parameter: Parameter) -> bool:
    type_ = parameter.type
    is_object = type_.is_root_value or (
        type_.is_value and (type_.is_container or type_.name in ctx.classes or type_.name in ("auto", "?"))
    )
    return is_object and parameter.is_changed


def lambda_function(ctx: Context, node: Node) -> Expr:
    """Return a lambda: an expression where it is one, else a function written before the statement."""
    declarator = node.child_by_field_name("declarator")
    parameter_node = declarator.child_by_field_name("parameters") if declarator is not None else None
    parameters = _parameters(ctx, parameter_node, None) if parameter_node is not None else []
    body_node = child(node, "body")
    result = next(
        (
            described_type(ctx, one)
            for part in ([declarator] if declarator is not None else [])
            for one in walk(part)
            if one.type == "type_descriptor" and one.parent is not None and one.parent.type == "trailing_return_type"
        ),
        AUTO,
    )
    name = ctx.fresh_name("function")
    function = Function(name, name, result, parameters, node)
    changed = changed_names(ctx, body_node)
    for parameter in parameters:
        parameter.is_changed = parameter.name in changed
        parameter.is_cell = (
            parameter.type.reference
            and not parameter.type.const
            and parameter.type.is_immutable
            and parameter.is_changed
        )
    captured = _captured(ctx, node, changed)
    defaults = [f"{one.python}={cell(ctx, one.type, text) if one.is_cell else text}" for one, text in captured]
    ctx.last_lambda = function
    statements_ = parts_of(body_node)
    body = Body(
        function,
        name,
        is_lambda=True,
        cells=frozenset(addressed_names(ctx, body_node)) | ctx.body.cells,
        changed=frozenset(changed),
    )
    with _function_body(ctx, body), ctx.scopes.block():
        for symbol, _ in captured:
            ctx.scopes.add(symbol)
            body.own_names.add(symbol.python)
        header, entry = _header(ctx, function, "")
        header = ", ".join(one for one in [header, *defaults] if one)
        if (
            len(statements_) == 1
            and statements_[0].type == "return_statement"
            and not entry
            and parts_of(statements_[0])
        ):
            inner = parts_of(statements_[0])[0]
            found = value(ctx, inner)
            text = converted(ctx, found, result.plain) if result.name != "auto" else found.text
            if not body.nonlocals and not body.globals:
                return Expr(
                    f"lambda {header}: {text}" if header else f"lambda: {text}",
                    replace(FUNCTION, arguments=(result if result.name != "auto" else found.type,)),
                    1,
                    function=function,
                )
        ctx.out.code(f"def {name}({header}):")
        with ctx.out.block(), ctx.scopes.block():
            start = ctx.out.mark()
            for line in entry:
                ctx.out.code(line)
            loops, ctx.body.loops = ctx.body.loops, list[LoopEnd]()
            statements(ctx, list(body_node.named_children))
            ctx.body.loops = loops
            _declare_outer(ctx, body, start)
    return Expr(name, replace(FUNCTION, arguments=(result,) if result.name != "auto" else ()), function=function)


def _captured(ctx: Context, node: Node, changed: set[str]) -> list[tuple[Symbol, str]]:
    """Return what a lambda captures by value, where that matters: variables of its own and their values."""
    captures = node.child_by_field_name("captures")
    if captures is None:
        return []
    text = text_of(captures).strip("[]")
    found: list[tuple[Symbol, str]] = []
    parts = [one.strip() for one in text.split(",") if one.strip()]
    if "=" in parts:
        referred = {one[1:].strip() for one in parts if one.startswith("&")}
        parts += sorted(names_in(child(node, "body")) - referred - set(parts))
    for part in parts:
        if part in ("&", "=", "this", "*this") or part.startswith("&"):
            continue
        name, _, given = (one.strip() for one in part.partition("="))
        symbol = ctx.scopes.find(name)
        if given:
            inner = parse_expression(given)
            if inner is None:
                raise Untranslatable("a capture with a value of its own")
            made = value(ctx, inner)
            found.append((Symbol(name, python_name(name), made.type, is_cell=name in changed), made.text))
        elif symbol is not None and symbol.kind == "variable" and not symbol.is_global:
            text = named(ctx, name).text if symbol.type.is_immutable else f"{ctx.use('copied')}({symbol.python})"
            if name in changed and symbol.type.is_immutable:  # a mutable lambda keeps its own
                found.append((Symbol(name, symbol.python, symbol.type, is_cell=True), text))
            elif name in ctx.body.changed and not symbol.is_cell:
                found.append((Symbol(name, symbol.python, symbol.type), text))
    return found


# -- classes


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


def own_types(body: Node) -> list[Node]:
    """Return the classes and enums that are defined within a class."""
    found = []
    for one in parts_of(body):
        type_ = (
            one
            if one.type.endswith("_specifier") and one.type != "access_specifier"
            else one.child_by_field_name("type")
        )
        if (
            type_ is not None
            and type_.type in ("class_specifier", "struct_specifier", "enum_specifier")
            and type_.child_by_field_name("body")
        ):
            found.append(type_)
    return found


def _base(ctx: Context, name: str) -> str:
    short = name.rpartition("::")[2]
    if short in ctx.classes:
        return ctx.classes[short].python
    if short in EXCEPTIONS:
        return f"ROOT.std.{short}"
    if short == "TObject":
        return ctx.use("Struct")
    from pytmva_bnn.port.expressions import qualified

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
        from pytmva_bnn.port.expressions import cell_of

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
    write_function(ctx, function, name, "self")


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


# -- enums, namespaces, templates


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


def all_declared(node: Node) -> set[str]:
    """Return the names that a function declares."""
    return declared_names(node)


__all__ = ["announce", "default", "lambda_function", "mark_changes", "write_function"]
