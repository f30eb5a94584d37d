"""Declarations of variables: what each becomes is decided by its type and by how it is used later."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from pytmva_bnn.port.calls import is_own_generator
from pytmva_bnn.port.context import Context, Expr, LeftError, executes, expression
from pytmva_bnn.port.conversions import null_or
from pytmva_bnn.port.cpp_types import is_type_name, type_by_text, type_of
from pytmva_bnn.port.numbers import kept
from pytmva_bnn.port.objects import array_of, construct, empty_map, zero
from pytmva_bnn.port.parse import Node, operator_of, parse_expression, parts_of, text_of
from pytmva_bnn.port.symbols import NUMBERS, TEXTS, UNKNOWN, CppType, Kind, Symbol
from pytmva_bnn.port.usage import arguments_of

_SPECIFIERS = ("type_qualifier", "storage_class_specifier", "attribute_declaration", "attribute_specifier")


@dataclass
class Declared:
    """One declarator: its name, and what it says of the type and the value."""

    name: str = ""
    pointers: int = 0
    is_reference: bool = False
    sizes: list[Node | None] = field(default_factory=list)
    value: Node | None = None
    arguments: list[Node] | None = None  # T x(a, b) or T x{a, b}


@executes("declaration")
def _declaration(ctx: Context, node: Node) -> None:
    type_node = node.child_by_field_name("type")
    words = {text_of(child) for child in parts_of(node) if child.type in _SPECIFIERS}
    is_static = "static" in words and not words & {"const", "constexpr"} and ctx.in_function
    declared = [
        unwrapped(child, Declared())
        for child in parts_of(node)
        if child.type not in _SPECIFIERS and (type_node is None or child.id != type_node.id)
    ]
    for number, one in enumerate(declared):
        try:
            if is_static:
                raise LeftError("a static variable of a function is not translated")
            if is_prototype(ctx, node):
                return
            declare(ctx, type_of(type_node, ctx.aliases), one, text_of(type_node) if type_node else "")
        except LeftError:
            for lost in declared[number:]:
                if lost.name:
                    ctx.scopes.declare(lost.name, CppType(Kind.LOST, note=_class_name(type_node, lost)))
            raise


def _class_name(type_node: Node | None, lost: Declared) -> str:
    """Return the class of a variable whose declaration is left."""
    name = text_of(type_node) if type_node is not None else ""
    made = lost.value.child_by_field_name("type") if name == "auto" and lost.value is not None else None
    return text_of(made) if made is not None else name


def unwrapped(node: Node, found: Declared) -> Declared:
    """Return what a declarator declares."""
    at: Node | None = node
    while at is not None:
        if at.type in ("identifier", "field_identifier"):
            found.name = text_of(at)
            return found
        if at.type == "init_declarator":
            value = at.child_by_field_name("value")
            if value is not None and value.type == "argument_list":
                found.arguments = parts_of(value)
            else:
                found.value = value
        elif at.type == "pointer_declarator":
            found.pointers += 1
        elif at.type == "reference_declarator":
            found.is_reference = True
        elif at.type == "array_declarator":
            found.sizes.insert(0, at.child_by_field_name("size"))
        elif at.type == "function_declarator":
            parameters = at.child_by_field_name("parameters")
            # T x(name) looks like a function with an argument of the type "name"
            values = [parse_expression(text_of(one)) for one in parts_of(parameters)] if parameters is not None else []
            found.arguments = [value for value in values if value is not None]
        inner = at.child_by_field_name("declarator")
        if inner is None:
            parts = parts_of(at)
            inner = parts[0] if parts else None
        at = inner
    return found


def is_prototype(ctx: Context, node: Node) -> bool:
    """Tell whether a declaration announces a function."""
    declarator = node.child_by_field_name("declarator")
    while declarator is not None and declarator.type in ("pointer_declarator", "reference_declarator"):
        declarator = declarator.child_by_field_name("declarator")
    if declarator is None or declarator.type != "function_declarator":
        return False
    parameters = declarator.child_by_field_name("parameters")
    if parameters is None or not parts_of(parameters):
        return True
    for one in parts_of(parameters):
        type_node = one.child_by_field_name("type")
        inner = one.child_by_field_name("declarator")
        has_name = inner is not None and not inner.type.startswith("abstract_")
        is_variable = type_node is not None and ctx.scopes.find(text_of(type_node)) is not None
        if has_name or (not is_variable and not ctx.in_function and not ctx.in_main):
            return True
    return False


def declare(ctx: Context, base: CppType, one: Declared, class_name: str) -> Symbol:
    """Declare a variable and write its first value."""
    if not one.name:
        raise LeftError("this declaration is not translated")
    type_ = replace(base, pointer=True) if one.pointers and base.kind not in TEXTS else base
    if base.kind is Kind.STRING and "char" in class_name.lower() and one.pointers > 1:
        type_ = CppType(Kind.VECTOR, base)
    if one.sizes and not (base.kind is Kind.STRING and one.pointers == 0 and "har" in class_name):
        return _declare_array(ctx, type_, one)
    if one.sizes:  # char name[100]
        type_ = base
    if one.is_reference and type_.kind in NUMBERS and one.value is not None:
        raise LeftError("references to numbers are not translated")
    is_linked = one.name in ctx.usage.addresses
    value = first_value(ctx, type_, one, class_name, in_memory=is_linked)
    if value.kind is Kind.OUT_FILE or (type_.pointer and type_.kind in NUMBERS and value.kind is Kind.ARRAY):
        type_ = value.type
    elif type_.kind in (Kind.UNKNOWN, Kind.CHAIN, Kind.TREE, Kind.VECTOR) or class_name.strip() == "auto":
        type_ = _refined(type_, value)
    if type_.kind is Kind.UNKNOWN:
        raise LeftError(f"the type {class_name} is not known here")
    is_buffer = type_.is_number and is_linked
    if type_.kind is Kind.VECTOR and one.name in ctx.usage.elements and (type_.element or UNKNOWN).is_number:
        return _declare_memory(ctx, type_, one.name, value)
    symbol = ctx.scopes.declare(one.name, type_, is_buffer=is_buffer)
    symbol.is_natural = type_.kind is Kind.INT and value.is_natural and one.name not in ctx.usage.negatives
    if is_buffer:
        ctx.out.code(f"{symbol.name} = {_buffer(type_, value)}")
        return symbol
    assign(ctx, symbol, value)
    return symbol


def _refined(type_: CppType, value: Expr) -> CppType:
    """Return the declared type with what the value tells about it (the tree of a chain, the elements of a list)."""
    if type_.kind is Kind.UNKNOWN:
        return value.type if value.kind is not Kind.NONE else type_
    if value.kind in (Kind.CHAIN, Kind.OUT_TREE) and type_.kind in (Kind.CHAIN, Kind.TREE):
        return value.type
    if type_.kind is Kind.VECTOR and (type_.element is None or type_.element.kind is Kind.UNKNOWN):
        return value.type if value.kind is Kind.VECTOR else type_
    return type_


def first_value(ctx: Context, type_: CppType, one: Declared, class_name: str, *, in_memory: bool = False) -> Expr:
    """Return the value that a variable is declared with."""
    if one.value is not None:
        if one.value.type == "initializer_list":
            return _from_list(ctx, type_, one.value, class_name)
        value = expression(ctx, one.value)
        if value.rank == "statement":
            raise LeftError("this value is not translated")
        value = fitted(value, type_, in_memory=in_memory)
        # C++ copies containers
        is_name = one.value.type == "identifier" and not one.is_reference and not one.pointers
        if is_name and value.kind in (Kind.VECTOR, Kind.MAP) and type_.kind in (Kind.VECTOR, Kind.MAP):
            return Expr(f"{value:a}.copy()", type=value.type)
        return value
    if one.arguments is not None:
        values = [expression(ctx, argument) for argument in one.arguments]
        if one.pointers or type_.is_number:
            return fitted(values[0], type_, in_memory=in_memory) if values else zero(type_)
        return construct(type_, values, class_name)
    if one.pointers or type_.kind in NUMBERS or type_.kind in (Kind.FILE, Kind.TREE, Kind.HISTOGRAM):
        return zero(type_)
    return construct(type_, [], class_name)


def _from_list(ctx: Context, type_: CppType, node: Node, class_name: str) -> Expr:
    parts = parts_of(node)
    if type_.kind is Kind.MAP:
        pairs = []
        for part in parts:
            pair = [expression(ctx, inner) for inner in parts_of(part)]
            if part.type != "initializer_list" or len(pair) != 2:
                raise LeftError("this list is not translated")
            pairs.append(f"{pair[0]}: {pair[1]}")
        maker = empty_map(type_).text
        body = f"{{{', '.join(pairs)}}}"
        return Expr(body if maker == "{}" else f"{maker[:-1]}, {body})", type=type_)
    if type_.kind is Kind.VECTOR:
        return Expr(_listed(ctx, node, type_.element or UNKNOWN).text, type=type_)
    values = [expression(ctx, part) for part in parts]
    if type_.is_number or type_.kind in TEXTS:
        return fitted(values[0], type_) if len(values) == 1 else zero(type_)
    return construct(type_, values, class_name)


def _listed(ctx: Context, node: Node, element: CppType) -> Expr:
    """Return a list of values as elements of this type; an integer in a list of floats need not be converted."""
    if not element.is_number or any(part.type == "initializer_list" for part in parts_of(node)):
        return expression(ctx, node)
    values = [expression(ctx, part) for part in parts_of(node)]
    texts = [
        one.text if element.kind is Kind.FLOAT and one.kind is Kind.INT else f"{kept(one, element)}" for one in values
    ]
    return Expr(f"[{', '.join(texts)}]", type=CppType(Kind.VECTOR, element))


def fitted(value: Expr, type_: CppType, *, in_memory: bool = False) -> Expr:
    """Return a value as C++ converts it when it is stored in a variable of this type.

    >>> from pytmva_bnn.port.symbols import DOUBLE, INT
    >>> fitted(Expr("0", type=INT), DOUBLE).text, fitted(Expr("x", type=DOUBLE), INT).text
    ('0.0', 'int(x)')
    """
    value = null_or(value, type_)
    if value.kind is Kind.TREE and type_.kind not in (Kind.TREE, Kind.CHAIN, Kind.UNKNOWN):
        raise LeftError("only trees are taken from files")
    if type_.is_number and value.type.is_number:
        return kept(value, type_, in_memory=in_memory)
    if type_.kind in TEXTS and (value.kind in (Kind.NONE, Kind.INT) and value.text in ("None", "0")):
        return Expr('""', type=type_, literal="")
    if type_.kind in TEXTS and value.kind in TEXTS:
        return Expr(value.text, value.rank, type_, value.literal)
    return value


def _buffer(type_: CppType, value: Expr) -> str:
    if value.text in ("0.0", "0", "False"):
        return f"np.zeros(1, dtype={type_.dtype})"
    return f"np.array([{value}], dtype={type_.dtype})"


def _declare_memory(ctx: Context, type_: CppType, name: str, value: Expr) -> Symbol:
    """Declare a vector of which elements are linked to something: it must be memory, not a list."""
    element = type_.element or UNKNOWN
    symbol = ctx.scopes.declare(name, CppType(Kind.ARRAY, element))
    zeros = value.text.removeprefix("[0.0] * ").removeprefix("[0] * ")
    text = f"np.array({value}, dtype={element.dtype})"
    ctx.out.code(f"{symbol.name} = {f'np.zeros({zeros}, dtype={element.dtype})' if zeros != value.text else text}")
    return symbol


def _declare_array(ctx: Context, type_: CppType, one: Declared) -> Symbol:
    """Declare ``T x[n]``: memory if it is linked or has no values yet, else a list."""
    element = type_
    is_memory = element.is_number and (one.name in ctx.usage.elements or one.value is None)
    if one.value is not None and one.value.type == "initializer_list":
        listed = expression(ctx, one.value) if is_memory else _listed(ctx, one.value, element)
        if is_memory or (element.is_number and len(one.sizes) > 1):
            inner = element
            for _ in one.sizes[1:]:
                inner = CppType(Kind.ARRAY, inner)
            type_ = CppType(Kind.ARRAY, inner)
            return _assigned(ctx, one.name, type_, f"np.array({_padded(ctx, listed, one)}, dtype={element.dtype})")
        if len(one.sizes) > 1:
            element = CppType(Kind.VECTOR, element)
        return _assigned(ctx, one.name, CppType(Kind.VECTOR, element), _padded(ctx, listed, one).text)
    if one.value is not None or not all(one.sizes):
        raise LeftError("this array is not translated")
    made = array_of(element, [expression(ctx, size) for size in one.sizes])
    return _assigned(ctx, one.name, made.type, made.text)


def _padded(ctx: Context, listed: Expr, one: Declared) -> Expr:
    """Return the values of an array; C++ fills up with zeros, as in ``float x[4] = {0}``."""
    size = expression(ctx, one.sizes[0]) if one.sizes[0] is not None else None
    given = len(parts_of(one.value)) if one.value is not None else 0
    if size is None or len(one.sizes) > 1 or (size.text.isdigit() and int(size.text) <= given) or given > 1:
        return listed
    return (
        Expr(f"[{listed.text[1:-1] or '0'}] * {size:a}", "product", listed.type)
        if listed.text in ("[0]", "[0.0]", "[]")
        else listed
    )


def _assigned(ctx: Context, name: str, type_: CppType, text: str) -> Symbol:
    symbol = ctx.scopes.declare(name, type_)
    ctx.out.code(f"{symbol.name} = {text}")
    return symbol


def assign(ctx: Context, symbol: Symbol, value: Expr) -> None:
    """Write the assignment of a value to a variable that is no buffer, with what its kind needs."""
    text = value.text
    if value.kind is Kind.OUT_FILE:
        symbol.type = value.type
        ctx.out_file = symbol
        if symbol.cpp_name not in ctx.usage.factory_files:
            text = f"uproot.{value.type.note or 'recreate'}({text})"
    elif value.kind in (Kind.OUT_TREE, Kind.CHAIN):
        symbol.type = value.type
    elif value.kind is Kind.RANDOM and text.startswith("TRandom3(") and not is_own_generator(ctx, symbol.cpp_name):
        text = f"np.random.default_rng({text[9:]}".replace("default_rng(0)", "default_rng()")
        ctx.notes.append(f"{symbol.cpp_name}: numpy's random numbers are not those of ROOT")
    elif value.kind is Kind.FILE:
        ctx.in_file = symbol
    symbol.group = None
    ctx.out.code(f"{symbol.name} = {text}")
    if symbol.cpp_name in ctx.usage.linked_trees and symbol.type.kind in (Kind.TREE, Kind.CHAIN):
        ctx.out.code(f"{symbol.name}_branches = {{}}")


def pointer_declaration(ctx: Context, node: Node) -> bool:
    """Translate ``TFile *f(0);``, which looks like a product; return whether it was one."""
    if node.type != "binary_expression" or operator_of(node) != "*":
        return False
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None or right.type != "call_expression":
        return False
    name = right.child_by_field_name("function")
    if name is None or name.type != "identifier" or ctx.scopes.find(text_of(left)) is not None:
        return False
    if not is_type_name(text_of(left), ctx.aliases):
        return False
    declared = Declared(text_of(name), pointers=1, arguments=list(arguments_of(right)))
    try:
        declare(ctx, type_by_text(text_of(left), ctx.aliases), declared, text_of(left))
    except LeftError:
        ctx.scopes.declare(declared.name, CppType(Kind.LOST))
        raise
    return True


@executes("type_definition", "alias_declaration")
def _alias(ctx: Context, node: Node) -> None:
    """Remember ``typedef std::vector<float> VF;``; nothing is written."""
    name = node.child_by_field_name("declarator") or node.child_by_field_name("name")
    type_node = node.child_by_field_name("type")
    if type_node is not None and type_node.type == "type_descriptor":
        type_node = type_node.child_by_field_name("type") or type_node
    found = type_of(type_node, ctx.aliases)
    if name is None or found.kind is Kind.UNKNOWN:
        raise LeftError("this type is not known here")
    ctx.aliases[text_of(name)] = found
