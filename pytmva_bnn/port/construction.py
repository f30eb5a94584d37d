"""New values: defaults, constructors, ``new``, braces, arrays, lambdas."""

from __future__ import annotations

from dataclasses import replace

from pytmva_bnn.port.analysis import arguments_of
from pytmva_bnn.port.changes import described_type
from pytmva_bnn.port.context import ATOM, MULTIPLY, Context, Expr, Untranslatable
from pytmva_bnn.port.cpp_types import (
    CODES,
    CONTAINERS,
    MAPS,
    STREAMS,
    UNKNOWN,
    CppType,
    type_by_text,
)
from pytmva_bnn.port.expressions import child, class_of, converted, expression, fixed, on, qualified, value
from pytmva_bnn.port.literals import quoted
from pytmva_bnn.port.parse import Node, parts_of, text_of


def default(ctx: Context, type_: CppType) -> str:
    """Return the value of a variable that is only declared."""
    if type_.is_text:
        return '""' if type_.name == "text" or type_.sizes else "None"
    if type_.sizes:
        return array_of(ctx, type_, [])
    if type_.pointers:
        return "None"
    if type_.name == "bool":
        return "False"
    if type_.is_float:
        return "0.0"
    if type_.is_integer or type_.name == "enum":
        return "0"
    if type_.is_char:
        return '"\\0"'
    if type_.name in ("function", "auto", "?", "iterator"):
        return "None"
    return construct(ctx, type_, []).text


def cell(ctx: Context, type_: CppType, content: str) -> str:
    """Return the text of a new cell for a variable that needs an address."""
    if type_.is_value and type_.name in CODES:
        ctx.use("array")
        return f'array("{CODES[type_.name]}", [{content}])'
    if type_.is_value and type_.name == "bool":
        ctx.use("numpy")
        return f"numpy.array([{content}])"
    if type_.is_char:
        return f"{ctx.use('CharCell')}({content})"
    return f"[{content}]"


def container(ctx: Context, type_: CppType) -> str:
    """Return the class of a container: ``ROOT.std.vector["double"]``."""
    name = f"ROOT.std.{type_.name}"
    if not type_.arguments:
        return name
    if any(_has_own_class(ctx, one) for one in type_.arguments):
        return f"{name}[{', '.join(_argument(ctx, one) for one in type_.arguments)}]"
    return f'{name}["{",".join(one.written() for one in type_.arguments)}"]'


def _argument(ctx: Context, type_: CppType) -> str:
    own = class_of(ctx, type_)
    if own is not None and type_.is_value:
        return own.python
    if _has_own_class(ctx, type_) and type_.is_container:
        return container(ctx, type_)
    return quoted(type_.written())


def _has_own_class(ctx: Context, type_: CppType) -> bool:
    return (type_.name in ctx.classes and type_.is_value) or any(_has_own_class(ctx, one) for one in type_.arguments)


def construct(ctx: Context, type_: CppType, arguments: list[Node]) -> Expr:
    """Return a new object of a class from the arguments of its constructor."""
    from pytmva_bnn.port.arguments import argument_texts  # which needs construction

    plain = type_.plain
    if type_.name in ctx.lost:
        raise Untranslatable(f"it uses {type_.name}, which is not translated ({ctx.lost[type_.name]})")
    own = class_of(ctx, type_)
    if own is not None and type_.pointers <= int(type_.smart):
        texts = argument_texts(ctx, arguments, own.methods.get(own.name, []))
        return Expr(f"{own.python}({', '.join(texts)})", plain, fresh=True)
    if plain.is_text or (plain.name == "text" and plain.pointers):
        return _new_text(ctx, arguments)
    if plain.is_number or plain.is_char or plain.name == "enum":
        text = converted(ctx, expression(ctx, arguments[0]), plain) if arguments else default(ctx, plain)
        return Expr(text, plain)
    if type_.name in CONTAINERS:
        return _new_container(ctx, plain, arguments)
    if type_.name in STREAMS:
        return Expr(f"ROOT.std.{type_.name}({', '.join(argument_texts(ctx, arguments))})", plain, fresh=True)
    if type_.name in ("auto", "?", "function") and len(arguments) <= 1:
        if not arguments:
            raise Untranslatable("a value of a type that is a parameter of the template is made here")
        return value(ctx, arguments[0])
    if type_.smart and len(arguments) == 1:
        return replace(value(ctx, arguments[0]), type=plain)
    name = class_text(ctx, type_)
    return Expr(f"{name}({', '.join(argument_texts(ctx, arguments))})", replace(plain, pointers=0), fresh=True)


def class_text(ctx: Context, type_: CppType) -> str:
    """Return the text of a class of ROOT or std."""
    name = qualified(ctx, type_.name).text
    if type_.arguments:
        name += f'["{",".join(one.written() for one in type_.arguments)}"]'
    return name


def _new_text(ctx: Context, arguments: list[Node]) -> Expr:
    from pytmva_bnn.port.operators import as_text

    if not arguments:
        return Expr('""', CppType("text"), literal="")
    from pytmva_bnn.port.known_functions import whole_text

    whole = whole_text(ctx, arguments)
    if whole is not None:
        return Expr(whole, CppType("text"))
    first = value(ctx, arguments[0])
    if len(arguments) == 1:
        return replace(as_text(ctx, first), type=CppType("text"))
    second = value(ctx, arguments[1])
    if first.type.is_integer and second.type.is_char:
        return Expr(f"{second.at(MULTIPLY)} * {first.at(ATOM)}", CppType("text"), MULTIPLY)
    if second.type.is_char and first.type.is_char:
        return Expr(f"{first.text} + {second.text}", CppType("text"), MULTIPLY - 1)
    if first.type.is_text and second.type.is_integer:
        stop = "" if len(arguments) == 2 else f" + {value(ctx, arguments[2]).at(ATOM)}"
        start = second.text if stop else ""
        return Expr(f"{first.at(ATOM)}[{start}:{second.at(ATOM)}{stop}]", CppType("text"))
    if first.type.name == "iterator":
        return Expr(f'"".join({first.at(ATOM)}.until({second.text}))', CppType("text"))
    raise Untranslatable("this constructor of a text is not translated")


def _new_container(ctx: Context, type_: CppType, arguments: list[Node]) -> Expr:
    name = container(ctx, replace(type_, pointers=0))
    if len(arguments) == 1 and arguments[0].type == "initializer_list":
        return from_braces(ctx, replace(type_, pointers=0), arguments[0])
    if type_.name in ("pair", "tuple") and len(arguments) == len(type_.arguments):
        texts = [converted(ctx, expression(ctx, one), to) for one, to in zip(arguments, type_.arguments, strict=True)]
    else:
        texts = []
        first = value(ctx, arguments[0]).type if arguments else type_
        is_range = first.is_array or first.is_pointer or first.name == "iterator"
        for position, one in enumerate(arguments):
            expr = value(ctx, one)
            is_fill = position == 1 and type_.arguments and expr.type.name != "iterator" and not is_range
            texts.append(converted(ctx, expr, type_.arguments[0]) if is_fill else fixed(ctx, expr).text)
    return Expr(f"{name}({', '.join(texts)})", replace(type_, pointers=0), fresh=True)


@on("new_expression")
def _new(ctx: Context, node: Node) -> Expr:
    type_ = type_by_text(text_of(child(node, "type")), ctx.aliases)
    declarator = node.child_by_field_name("declarator")
    arguments = arguments_of(node)
    braces = node.child_by_field_name("arguments")
    if braces is not None and braces.type == "initializer_list":
        arguments = parts_of(braces)
    if declarator is not None:
        sizes = [one.child_by_field_name("length") or parts_of(one)[0] for one in [declarator]]
        length = value(ctx, sizes[0])
        return Expr(_filled(ctx, type_, length), replace(type_, pointers=type_.pointers + 1), fresh=True)
    if type_.is_immutable:
        content = converted(ctx, expression(ctx, arguments[0]), type_) if arguments else default(ctx, type_)
        return Expr(cell(ctx, type_, content), replace(type_, pointers=type_.pointers + 1), fresh=True)
    found = construct(ctx, type_, arguments)
    return replace(found, type=replace(type_.plain, pointers=1))


def _filled(ctx: Context, type_: CppType, length: Expr) -> str:
    """Return an array of a length that is known only when the program runs."""
    if type_.is_value and type_.name in CODES:
        ctx.use("array")
        return f'array("{CODES[type_.name]}", [{default(ctx, type_)}]) * {length.at(ATOM)}'
    if type_.is_immutable:
        return f"[{default(ctx, type_)}] * {length.at(ATOM)}"
    return f"[{default(ctx, type_)} for _ in range({length.text})]"


def array_of(ctx: Context, type_: CppType, elements: list[Node]) -> str:
    """Return a C array with its first elements given; the others are 0."""
    size = type_.sizes[0]
    element = replace(type_, sizes=type_.sizes[1:])
    length = value(ctx, size) if size is not None else Expr(str(len(elements)), literal=len(elements))
    if not elements:
        return _filled(ctx, element, length)
    texts = _elements(ctx, element, elements)
    if isinstance(length.literal, int):
        missing = length.literal - len(texts)
        rest = f" + [{default(ctx, element)}] * {missing}" if missing > 4 and element.is_immutable else ""
        if not rest:
            texts += [default(ctx, element) for _ in range(missing)]
    else:
        missing_text = f"{length.at(ATOM)} - {len(texts)}"
        one = default(ctx, element)
        rest = (
            f" + [{one}] * ({missing_text})" if element.is_immutable else f" + [{one} for _ in range({missing_text})]"
        )
    content = f"[{', '.join(texts)}]{rest}"
    if element.is_value and element.name in CODES:
        ctx.use("array")
        return f'array("{CODES[element.name]}", {content})'
    return content


def _elements(ctx: Context, element: CppType, elements: list[Node]) -> list[str]:
    if element.sizes and not any(one.type == "initializer_list" for one in elements):  # int a[2][2] = {1, 2, 3, 4}
        inner = value(ctx, element.sizes[0]).literal if element.sizes[0] is not None else None
        if not isinstance(inner, int):
            raise Untranslatable("the sizes of this array are not constant")
        return [array_of(ctx, element, elements[i : i + inner]) for i in range(0, len(elements), inner)]
    return [brace_element(ctx, element, one) for one in elements]


def brace_element(ctx: Context, type_: CppType, node: Node) -> str:
    """Return an element of a list in braces."""
    if node.type == "initializer_list":
        if type_.sizes:
            return array_of(ctx, type_, parts_of(node))
        return from_braces(ctx, type_, node).text
    return converted(ctx, expression(ctx, node), type_)


def from_braces(ctx: Context, type_: CppType, node: Node) -> Expr:
    """Return the value of a type made from ``{…}``."""
    elements = parts_of(node)
    plain = type_.plain
    if plain.sizes:
        return Expr(array_of(ctx, plain, elements), plain, fresh=True)
    if plain.name in ("?", "auto", "initializer_list"):
        texts = [brace_element(ctx, UNKNOWN, one) for one in elements]
        first = expression(ctx, elements[0]).type if elements and elements[0].type != "initializer_list" else UNKNOWN
        return Expr(f"[{', '.join(texts)}]", CppType("vector", (first,)) if first != UNKNOWN else UNKNOWN, fresh=True)
    if plain.name in ("pair", "tuple") and plain.is_value:
        texts = [brace_element(ctx, to, one) for one, to in zip(elements, plain.arguments, strict=False)]
        return Expr(f"{container(ctx, plain)}({', '.join(texts)})", plain, fresh=True)
    if plain.is_container:
        return Expr(_container_of(ctx, plain, elements), plain, fresh=True)
    own = class_of(ctx, plain)
    if own is not None and plain.is_value:
        if own.name not in own.methods:  # an aggregate: its members one after the other
            members = [one for one in own.members.values() if one.name not in own.statics]
            texts = [brace_element(ctx, member.type, one) for one, member in zip(elements, members, strict=False)]
            return Expr(f"{own.python}({', '.join(texts)})", plain, fresh=True)
        return construct(ctx, plain, elements)
    if not elements:
        return Expr(default(ctx, plain), plain, fresh=True)
    if len(elements) == 1 and (plain.is_immutable or plain.smart):
        return Expr(brace_element(ctx, plain, elements[0]), plain)
    return construct(ctx, plain, elements)


def _container_of(ctx: Context, type_: CppType, elements: list[Node]) -> str:
    name = container(ctx, type_)
    if not elements:
        return f"{name}()"
    if type_.name in MAPS:
        pairs = []
        for one in elements:
            if one.type != "initializer_list":
                pairs.append(expression(ctx, one).text)
                continue
            key, item = (brace_element(ctx, to, part) for part, to in zip(parts_of(one), type_.arguments, strict=False))
            pairs.append(f"({key}, {item})")
        return f"{name}([{', '.join(pairs)}])"
    if type_.name == "array" and len(elements) == 1 and elements[0].type == "initializer_list":
        elements = parts_of(elements[0])
    if (
        type_.name == "vector"
        and len(elements) == 1
        and type_.element.is_container
        and elements[0].type != "initializer_list"
    ):
        return f"{name}({expression(ctx, elements[0]).text})"
    return f"{name}([{', '.join(brace_element(ctx, type_.element, one) for one in elements)}])"


@on("initializer_list")
def _braces(ctx: Context, node: Node) -> Expr:
    return from_braces(ctx, UNKNOWN, node)


@on("compound_literal_expression")
def _compound_literal(ctx: Context, node: Node) -> Expr:
    is_typed = bool(text_of(child(node, "type")).strip())
    type_ = described_type(ctx, child(node, "type")) if is_typed else UNKNOWN
    return from_braces(ctx, type_, child(node, "value"))


@on("lambda_expression")
def _lambda(ctx: Context, node: Node) -> Expr:
    from pytmva_bnn.port.functions import lambda_function

    return lambda_function(ctx, node)
