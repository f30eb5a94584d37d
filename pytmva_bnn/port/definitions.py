"""What a macro defines, found before anything is translated: functions, classes, enums, variables."""

from __future__ import annotations

from collections.abc import Iterator

from pytmva_bnn.port.analysis import changed_names
from pytmva_bnn.port.context import (
    Class,
    Context,
    Function,
    Parameter,
    Symbol,
    Untranslatable,
    member_name,
    python_name,
)
from pytmva_bnn.port.cpp_types import AUTO, FUNCTION, INT, VOID, CppType, declared, type_by_text
from pytmva_bnn.port.declarations import base_type, declarators, needs_cell
from pytmva_bnn.port.expressions import child
from pytmva_bnn.port.output import Emitter
from pytmva_bnn.port.parse import Node, parts_of, text_of, walk
from pytmva_bnn.port.statements import statement


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
