"""Declarations of variables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from pytmva_bnn.port.analysis import names_in
from pytmva_bnn.port.construction import array_of, cell, construct, default, from_braces
from pytmva_bnn.port.context import Context, Expr, Symbol, Untranslatable, python_name
from pytmva_bnn.port.cpp_types import AUTO, UNKNOWN, CppType, Declared, declared, type_by_text
from pytmva_bnn.port.expressions import child, class_of, converted, copied, expression, fixed, value
from pytmva_bnn.port.parse import Node, parse_expression, parts_of, text_of
from pytmva_bnn.port.places import cell_of


def has_destructor(ctx: Context, name: str) -> bool:
    """Return whether a class of the macro, or a base of it, has a destructor."""
    own = ctx.classes.get(name)
    return own is not None and (own.has_destructor or any(has_destructor(ctx, base) for base in own.bases))


def declare(ctx: Context, name: str, type_: CppType, *, is_cell: bool = False, owned: bool = True) -> Symbol:
    """Make a variable known under a Python name that hides nothing."""
    python = python_name(name)
    while not ctx.scopes.is_outermost() and ctx.scopes.is_shadowing(name, python):
        python += "_"
    ctx.body.own_names.add(python)
    return ctx.scopes.add(Symbol(name, python, type_, is_cell=is_cell, owned=owned))


def needs_cell(ctx: Context, name: str, type_: CppType) -> bool:
    """Return whether a variable must be a cell: its address is needed, and the value cannot be changed in place."""
    cells = ctx.global_cells if ctx.scopes.is_outermost() else ctx.body.cells
    if type_.is_text and type_.sizes:  # an array of characters
        return name in ctx.branch_memory
    return name in cells and type_.is_immutable


def declaration(ctx: Context, node: Node) -> None:
    """Translate a declaration of one or several variables."""
    type_node = child(node, "type")
    if type_node.type in ("struct_specifier", "class_specifier", "enum_specifier") and type_node.child_by_field_name(
        "body"
    ):
        from pytmva_bnn.port.statements import statement

        statement(ctx, type_node)
    base = base_type(ctx, node, type_node)
    is_static = any(text_of(one) == "static" for one in node.named_children if one.type == "storage_class_specifier")
    is_extern = any(text_of(one) == "extern" for one in node.named_children if one.type == "storage_class_specifier")
    for declarator, given in declarators(node):
        found = declared(base, declarator)
        if found.parameters is not None and not _is_construction(ctx, found):
            if not ctx.scopes.is_outermost() and parts_of(found.parameters) and found.name not in ctx.functions:
                raise Untranslatable(f"{found.name} looks like the declaration of a function")
            continue  # a prototype
        if is_extern:
            continue
        if "::" in found.name and _static_member(ctx, found, given):
            continue
        if "::" in found.name:
            raise Untranslatable(f"{found.name} is defined here, but not declared before")
        if found.parameters is not None:
            arguments = [_parameter_as_value(one) for one in parts_of(found.parameters)]
            _variable(ctx, Declared(found.name, found.type), None, arguments)
        elif found.binding:
            _binding(ctx, found, given)
        elif is_static and not ctx.scopes.is_outermost():
            _static(ctx, found, given)
        else:
            _variable(ctx, found, given)


def base_type(ctx: Context, node: Node, type_node: Node) -> CppType:
    """Return the type of a declaration, without what its declarators add."""
    text = text_of(type_node)
    if type_node.type in ("struct_specifier", "class_specifier", "enum_specifier"):
        name = type_node.child_by_field_name("name")
        unnamed = "int" if type_node.type == "enum_specifier" else f"Unnamed{type_node.start_point[0] + 1}"
        text = text_of(name) if name is not None else unnamed
    found = type_by_text(text, ctx.aliases)
    if found.name.rpartition("::")[2] in ctx.enums and found.name not in ctx.classes:
        found = replace(found, name="enum")
    short = found.name.rpartition("::")[2]
    if short in ctx.classes and found.name not in ctx.classes:
        found = replace(found, name=short)
    qualifiers = [text_of(one) for one in node.named_children if one.type == "type_qualifier"]
    return replace(found, const=found.const or "const" in qualifiers or "constexpr" in qualifiers)


def declarators(node: Node) -> Iterator[tuple[Node, Node | None]]:
    """Yield the declarators of a declaration with their initial values."""
    found: list[tuple[Node, Node | None]] = []
    for index, one in enumerate(node.children):
        role = node.field_name_for_child(index)
        if role == "declarator":
            if one.type == "init_declarator":
                found.append((child(one, "declarator"), one.child_by_field_name("value")))
            else:
                found.append((one, None))
        elif role in ("default_value", "value") and found:
            found[-1] = (found[-1][0], one)
    yield from found


def _is_construction(ctx: Context, found: Declared) -> bool:
    """Return whether ``T x(a)`` constructs: its "parameters" are variables, not types."""
    if found.parameters is None:
        return False
    parts = parts_of(found.parameters)
    is_plain = all(one.type == "parameter_declaration" for one in parts)
    return is_plain and any(_is_value(ctx, one) for one in parts)  # types and values cannot stand together


def _is_value(ctx: Context, parameter: Node) -> bool:
    """Return whether what looks like a parameter, ``a`` or ``a[i]``, is a variable."""
    words = re.match(r"\w+", text_of(parameter))
    if not ctx.scopes.is_outermost() and _is_foreign_call(ctx, parameter):
        return True
    symbol = ctx.scopes.find(words.group()) if words is not None else None
    if words is not None and words.group() == text_of(parameter) and words.group() in ctx.functions:
        return True
    is_member = ctx.owner is not None and words is not None and words.group() in ctx.owner.members
    return is_member or (symbol is not None and symbol.kind in ("variable", "constant"))


def _is_foreign_call(ctx: Context, parameter: Node) -> bool:
    """Return whether what looks like a parameter is a call: ``TFile::Open(name)``."""
    match = re.fullmatch(r"([\w:]+)\s*\(.*\)", text_of(parameter), re.DOTALL)
    return match is not None and ("::" in match[1] or match[1] in ctx.functions)


def _parameter_as_value(node: Node) -> Node:
    found = parse_expression(text_of(node))
    if found is None:
        raise Untranslatable(f"{text_of(node)} is not understood")
    return found


def _static_member(ctx: Context, found: Declared, given: Node | None) -> bool:
    """Translate the definition of a static member outside of its class, ``int A::n = 3;``; say whether it is one."""
    scope, _, name = "".join(found.name.split()).rpartition("::")
    own = ctx.classes.get(scope.rpartition("::")[2])
    if own is None or name not in own.statics:
        return False
    if given is not None:
        member = own.members[name]
        before, ctx.owner = ctx.owner, own  # names of the class need no prefix
        try:
            text = initial(ctx, found.type, given)[1]
        finally:
            ctx.owner = before
        place = f"{own.python}.{member.python}"
        ctx.out.code(f"{place} = {cell(ctx, member.type, text) if member.is_cell else text}")
    return True


def _binding(ctx: Context, found: Declared, given: Node | None) -> None:
    if given is None:
        raise Untranslatable("names in brackets without a value")
    expr = value(ctx, given)
    types = expr.type.arguments if expr.type.name in ("pair", "tuple") else ()
    symbols = [
        declare(ctx, name, types[i] if i < len(types) else UNKNOWN, owned=not found.type.reference)
        for i, name in enumerate(found.binding)
    ]
    own = class_of(ctx, expr.type)
    text = expr.text if own is None else f"({', '.join(f'{expr.text}.{one.python}' for one in own.members.values())})"
    ctx.out.code(f"{', '.join(one.python for one in symbols)} = {text}")


def _static(ctx: Context, found: Declared, given: Node | None) -> None:
    """Translate a static variable of a function to a variable of the text."""
    name = f"{ctx.body.python}_{found.name}"
    if given is not None and any(
        (known := ctx.scopes.find(one)) is not None and not known.is_global for one in names_in(given)
    ):
        _lazy_static(ctx, found, given, name)
        return
    type_, text = initial(ctx, found.type, given)
    symbol = ctx.scopes.add(Symbol(found.name, python_name(name), type_))
    symbol.is_global = True
    symbol.is_cell = needs_cell(ctx, found.name, type_)
    ctx.static_lines.append(f"{symbol.python} = {cell(ctx, type_, text) if symbol.is_cell else text}")


def _lazy_static(ctx: Context, found: Declared, given: Node, name: str) -> None:
    """Translate a static variable that the first call sets."""
    type_, text = initial(ctx, found.type, given)
    symbol = ctx.scopes.add(Symbol(found.name, python_name(name), type_, is_global=True))
    ctx.static_lines.append(f"{symbol.python} = None")
    ctx.body.globals.add(symbol.python)
    ctx.out.code(f"if {symbol.python} is None:")
    with ctx.out.block():
        ctx.out.code(f"{symbol.python} = {text}")


def _variable(ctx: Context, found: Declared, given: Node | None, arguments: list[Node] | None = None) -> None:
    if found.type.reference:
        _reference(ctx, found, given)
        return
    if found.type.name == "function" and given is not None:  # it may call itself
        symbol = declare(ctx, found.name, found.type)
        _, text = initial(ctx, found.type, given)
        ctx.out.code(f"{symbol.python} = {text}")
        return
    if arguments is not None:
        type_, text = found.type, construct(ctx, found.type, arguments).text
    else:
        type_, text = initial(ctx, found.type, given)
    is_cell = needs_cell(ctx, found.name, type_)
    symbol = declare(ctx, found.name, type_, is_cell=is_cell)
    is_ending = has_destructor(ctx, type_.name) or _is_written_file(type_, text)
    if is_ending and (type_.is_value or type_.smart) and not ctx.scopes.is_outermost():
        ctx.scopes.keep_alive(symbol)
    if type_.name == "function" and given is not None and given.type == "lambda_expression":
        symbol.function = ctx.last_lambda
    ctx.out.code(f"{symbol.python} = {cell(ctx, type_, text) if is_cell else text}")


def _is_written_file(type_: CppType, text: str) -> bool:
    """Return whether a file may be open for writing: the end of its scope writes it."""
    return type_.name == "TFile" and re.search(r'TFile(\.Open)?\(.*, (?!"READ"|"read")', text) is not None


def declare_pointer(ctx: Context, name: str, base: CppType, given: Node) -> None:
    """Translate the declaration of a pointer with a first value."""
    _variable(ctx, Declared(name, replace(base, pointers=base.pointers + 1)), given)


def declare_bare_pointer(ctx: Context, name: str, base: CppType) -> None:
    """Translate the declaration of a pointer without a first value."""
    _variable(ctx, Declared(name, replace(base, pointers=base.pointers + 1)), None)


def _reference(ctx: Context, found: Declared, given: Node | None) -> None:
    """Translate a reference: another name of an object, or a cell that is another's."""
    if given is None:
        raise Untranslatable("a reference to nothing")
    if given.type in ("argument_list", "initializer_list"):
        given = parts_of(given)[0]
    expr = value(ctx, given)
    type_ = (expr.type if found.type.name == "auto" else found.type).plain
    type_ = replace(type_, const=found.type.const)
    if type_.is_immutable and not found.type.const:
        symbol = declare(ctx, found.name, type_, is_cell=True, owned=False)
        ctx.out.code(f"{symbol.python} = {cell_of(ctx, given)}")
        return
    symbol = declare(ctx, found.name, type_, owned=False)
    ctx.out.code(f"{symbol.python} = {expr.text}")


def initial(ctx: Context, type_: CppType, given: Node | None) -> tuple[CppType, str]:
    """Return the type of a variable (which ``auto`` leaves open) and the text of its first value."""
    if given is None:
        return type_, default(ctx, type_)
    if given.type == "argument_list":
        arguments = parts_of(given)
        if len(arguments) == 1 and (type_.is_immutable or type_.name == "auto"):
            return initial(ctx, type_, arguments[0])
        found = construct(ctx, type_, arguments)
        return (found.type if type_.name == "auto" else type_), found.text
    if given.type == "initializer_list":
        if type_.sizes:
            return type_, array_of(ctx, type_, parts_of(given))
        if len(parts_of(given)) == 1 and type_.is_immutable:
            return initial(ctx, type_, parts_of(given)[0])
        found = from_braces(ctx, type_, given)
        return (found.type if type_.name == "auto" else type_), found.text
    expr = expression(ctx, given)
    if type_.name == "auto":
        own = (
            expr.type
            if expr.type.name not in ("null", "truth")
            else UNKNOWN
            if expr.type.name == "null"
            else CppType("bool")
        )
        return replace(own, const=False, reference=False), copied(ctx, expr)
    if type_.name == AUTO.name:
        return expr.type, copied(ctx, expr)
    return type_, _converted_object(ctx, type_, expr)


def _converted_object(ctx: Context, type_: CppType, expr: Expr) -> str:
    """Return the initial value ``T x = expr``, through a constructor where the types differ."""
    is_object = type_.is_value and not (type_.is_number or type_.is_text or type_.is_char or type_.is_container)
    if (
        is_object
        and (expr.type.is_text or (expr.type.is_number and class_of(ctx, type_) is not None))
        and type_.name not in ("?", "enum", "function", "iterator")
    ):
        own = class_of(ctx, type_)
        if own is not None:
            return f"{own.python}({fixed(ctx, expr).text})"
        from pytmva_bnn.port.construction import class_text

        return f"{class_text(ctx, type_)}({fixed(ctx, expr).text})"
    if is_object and type_.name == "TCut" and not expr.fresh:
        return f"ROOT.TCut({expr.text})"
    return converted(ctx, expr, type_.plain)
