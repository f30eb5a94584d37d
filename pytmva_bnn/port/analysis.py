"""What must be known before the translation: which names need an address, which are changed, what is defined where."""

from __future__ import annotations

from collections.abc import Iterator

from pytmva_bnn.port.context import Context, Function, last_name
from pytmva_bnn.port.cpp_types import STREAMS
from pytmva_bnn.port.parse import Node, operator_of, parts_of, text_of, walk

MUTATING_TEXT = frozenset(
    {
        "Append", "Prepend", "Insert", "Remove", "Replace", "ReplaceAll", "ToLower", "ToUpper", "Clear", "Form",
        "Resize", "Chop", "append", "push_back", "pop_back", "insert", "erase", "replace", "clear", "resize",
        "assign", "swap", "ReadLine", "ReadFile", "Swap",
    }
)  # fmt: skip
"""Methods that change a text (or a container)."""

_CHANGING = MUTATING_TEXT | {
        "push_front", "pop_front", "emplace_back", "emplace", "sort", "reverse", "fill", "push", "pop",
        "insert_or_assign", "merge", "unique", "remove", "remove_if", "splice", "try_emplace", "reset", "str",
        "Reset", "Fill", "Set", "open", "close",
    }  # fmt: skip

_OUTPUTS: dict[str, tuple[int, ...]] = {
    "GetPoint": (1, 2), "GetParLimits": (1, 2), "GetBinXYZ": (1, 2, 3), "GetEfficiency": (2,), "GetObject": (1,),
    "GetMaximumSignificance": (2,), "GetRegressionDeviation": (2, 3),
    "Circle": (0, 1), "Sphere": (0, 1, 2), "Rannor": (0, 1), "getline": (1,), "swap": (0, 1),
}  # fmt: skip
_ONLY_OUTPUTS = frozenset(
    {
        "GetRange", "GetRangeUser", "GetRandom2", "GetMaximumBin", "GetMinimumBin", "GetMinimumAndMaximum",
    }
)  # fmt: skip


def outputs_of(name: str, n_arguments: int) -> tuple[int, ...]:
    """Return which arguments, given by reference, a function of ROOT or std writes into."""
    if name in _ONLY_OUTPUTS:
        return tuple(range(n_arguments))
    if name == "IntegralAndError":  # the first and last bins of each axis, the error, perhaps an option
        return ((n_arguments - 1) // 2 * 2,)
    if name == "Tokenize":  # of TString, which has another Tokenize with one argument
        return (0, 1) if n_arguments > 1 else ()
    return _OUTPUTS.get(name, ())


def base_name(node: Node) -> str:
    """Return the variable that an lvalue is or belongs to: ``a``, ``a[i]``, ``a.x``, ``(*a)`` all give ``a``.

    A member of ``this`` gives its own name.
    """
    while True:
        match node.type:
            case "identifier" | "this":
                return text_of(node)
            case "field_expression" | "subscript_expression" | "pointer_expression" | "cast_expression":
                inner = node.child_by_field_name("argument") or node.child_by_field_name("value")
                if node.type == "field_expression" and inner is not None and inner.type == "this":
                    return text_of(node.child_by_field_name("field") or node)
            case "parenthesized_expression":
                inner = next(iter(parts_of(node)), None)
            case _:
                return ""
        if inner is None:
            return ""
        node = inner


def simple_name(node: Node) -> str:
    """Return the name of a plain variable (or member of ``this``), else nothing."""
    while node.type == "parenthesized_expression" and parts_of(node):
        node = parts_of(node)[0]
    if node.type == "identifier":
        return text_of(node)
    if node.type == "field_expression":
        argument = node.child_by_field_name("argument")
        if argument is not None and argument.type == "this":
            return text_of(node.child_by_field_name("field") or node)
    return ""


def arguments_of(call: Node) -> list[Node]:
    """Return the arguments of a call."""
    arguments = call.child_by_field_name("arguments")
    return [] if arguments is None else parts_of(arguments)


def called_name(call: Node) -> str:
    """Return the last part of the name that a call calls."""
    function = call.child_by_field_name("function")
    if function is None:
        return ""
    if function.type == "field_expression":
        return last_name(function.child_by_field_name("field") or function)
    return last_name(function)


def addressed_names(ctx: Context, body: Node) -> set[str]:
    """Return the variables whose address is taken, or that are bound to references, within a piece of C++."""
    names: set[str] = set()
    lambdas = _lambdas(body)
    for node in walk(body):
        match node.type:
            case "pointer_expression" if operator_of(node) == "&":
                names.add(_addressed(node.child_by_field_name("argument")))
            case "binary_expression" if operator_of(node) == ">>" and is_extraction(ctx, node):
                names.add(_addressed(node.child_by_field_name("right")))
            case "call_expression":
                names |= _passed_by_reference(ctx, node)
                positions = lambdas.get(called_name(node), set())
                names |= {simple_name(one) for i, one in enumerate(arguments_of(node)) if i in positions}
            case "declaration":
                names |= _referred(node)
    return names - {""}


def branch_memory(body: Node) -> set[str]:
    """Return the arrays that branches are bound to by their plain names: ``Branch("label", label, "label/C")``."""
    found = set()
    for node in walk(body):
        if node.type == "call_expression" and called_name(node) in ("Branch", "SetBranchAddress"):
            arguments = arguments_of(node)
            found.add(simple_name(arguments[1]) if len(arguments) > 1 else "")
    return found - {""}


def _lambdas(body: Node) -> dict[str, set[int]]:
    """Return the variables that hold lambdas, with the positions of their reference parameters."""
    found: dict[str, set[int]] = {}
    for node in walk(body):
        value = node.child_by_field_name("value") if node.type == "init_declarator" else None
        if value is None or value.type != "lambda_expression":
            continue
        declarator = value.child_by_field_name("declarator")
        parameters = declarator.child_by_field_name("parameters") if declarator is not None else None
        found[text_of(node.child_by_field_name("declarator") or node)] = {
            i
            for i, one in enumerate(parts_of(parameters) if parameters is not None else [])
            if any(part.type == "reference_declarator" for part in walk(one)) and "const" not in text_of(one).split()
        }
    return found


def _addressed(node: Node | None) -> str:
    return simple_name(node) if node is not None else ""


def is_extraction(ctx: Context, node: Node) -> bool:
    """Return whether a chain of ``>>`` reads from a stream: its leftmost part is no number."""
    left: Node | None = node
    while left is not None and left.type == "binary_expression" and operator_of(left) == ">>":
        left = left.child_by_field_name("left")
    while left is not None and left.type == "parenthesized_expression" and parts_of(left):
        left = parts_of(left)[0]
    if left is None:
        return False
    if text_of(left) in ("cin", "std::cin"):
        return True
    name = simple_name(left)
    if not name:
        return left.type == "call_expression" and called_name(left) in ("getline", *STREAMS)
    return name in ctx.streams


def stream_names(top: Node) -> Iterator[str]:
    """Yield the names that are declared as streams anywhere in the text."""
    for node in walk(top):
        if node.type in ("declaration", "parameter_declaration", "field_declaration"):
            type_ = node.child_by_field_name("type")
            if type_ is not None and "stream" in text_of(type_):
                yield from (text_of(part) for part in walk(node) if part.type in ("identifier", "field_identifier"))


def _passed_by_reference(ctx: Context, call: Node) -> set[str]:
    name, arguments = called_name(call), arguments_of(call)
    found = {simple_name(arguments[i]) for i in outputs_of(name, len(arguments)) if i < len(arguments)}
    function = call.child_by_field_name("function")
    if name == "get" and function is not None and function.type == "field_expression":
        owner = function.child_by_field_name("argument")
        if owner is not None and simple_name(owner) in ctx.streams and arguments:
            found.add(simple_name(arguments[0]))
    for own in candidates(ctx, call):
        for parameter, argument in zip(own.parameters, arguments, strict=False):
            if parameter.is_cell:
                found.add(simple_name(argument))
    return found


def candidates(ctx: Context, call: Node) -> list[Function]:
    """Return the functions of the macro that a call may mean, by name and number of arguments."""
    name, n = called_name(call), len(arguments_of(call))
    found = list(ctx.functions.get(name, ()))
    for one in ctx.classes.values():
        found += one.methods.get(name, ())
    function = call.child_by_field_name("function")
    if name in ctx.classes and (function is None or function.type != "field_expression"):
        found += ctx.classes[name].methods.get(name, ())
    return [one for one in found if one.n_required <= n <= len(one.parameters)]


def _referred(declaration: Node) -> set[str]:
    """Return the names that reference variables are bound to: ``int &r = x``."""
    found = set()
    for part in declaration.named_children:
        if part.type == "init_declarator":
            declarator, value = part.child_by_field_name("declarator"), part.child_by_field_name("value")
            if declarator is not None and declarator.type == "reference_declarator" and value is not None:
                is_const = any(text_of(one) == "const" for one in declaration.named_children)
                if not is_const and value.type == "conditional_expression":
                    found |= {
                        simple_name(value.child_by_field_name(one) or value) for one in ("consequence", "alternative")
                    }
                elif not is_const:
                    found.add(simple_name(value))
    return found


def changed_names(ctx: Context, body: Node) -> set[str]:
    """Return the names that a piece of C++ may change: assigned, incremented, addressed, passed by reference."""
    names = addressed_names(ctx, body)
    for node in walk(body):
        match node.type:
            case "assignment_expression":
                names.add(base_name(node.child_by_field_name("left") or node))
            case "update_expression":
                names.add(base_name(node.child_by_field_name("argument") or node))
            case "call_expression":
                function = node.child_by_field_name("function")
                if function is not None and function.type == "field_expression":
                    owner = function.child_by_field_name("argument")
                    if owner is not None and _changes(ctx, called_name(node)):
                        names.add(base_name(owner))
                own = candidates(ctx, node)
                for position, argument in enumerate(arguments_of(node)):
                    if called_name(node) in _WRITING or any(_may_change(one, position) for one in own):
                        names.add(base_name(argument))
                    elif argument.type == "call_expression" and called_name(argument) in ("begin", "end", "rbegin"):
                        owner = (argument.child_by_field_name("function") or argument).child_by_field_name("argument")
                        names.add(base_name(owner) if owner is not None else "")
            case "binary_expression" if operator_of(node) == ">>":
                names.add(base_name(node.child_by_field_name("right") or node))
            case "delete_expression":
                names.add(base_name(parts_of(node)[-1]) if parts_of(node) else "")
            case "for_range_loop" if _changes_elements(ctx, node):
                names.add(base_name(node.child_by_field_name("right") or node))
    return names - {""}


def _changes_elements(ctx: Context, loop: Node) -> bool:
    """Return whether ``for (auto &x : v)`` changes x, and so v."""
    bound, body = loop.child_by_field_name("declarator"), loop.child_by_field_name("body")
    if bound is None or body is None or bound.type != "reference_declarator":
        return False
    is_const = any(text_of(one) == "const" for one in loop.named_children)
    names = {text_of(part) for part in walk(bound) if part.type == "identifier"}
    return not is_const and not names.isdisjoint(changed_names(ctx, body))


def _may_change(function: Function, position: int) -> bool:
    type_ = function.parameters[position].type
    return (type_.reference and not type_.const) or type_.pointers > 0 or bool(type_.sizes) or type_.name == "?"


_WRITING = frozenset(
    {
        "sprintf",
        "snprintf",
        "strcpy",
        "strcat",
        "strncpy",
        "getline",
        "swap",
        "sscanf",
        "move",
        "tie",
    }
)


def _changes(ctx: Context, method: str) -> bool:
    is_setter = method.startswith(("Set", "Boost", "Rotate", "Fill", "Scale"))
    return is_setter or method in _CHANGING or any(method in one.methods for one in ctx.classes.values())


def declared_names(body: Node) -> set[str]:
    """Return the names that declarations within a piece of C++ declare."""
    names = set()
    for node in walk(body):
        if node.type in ("declaration", "for_range_loop", "parameter_declaration"):
            for index, child in enumerate(node.children):
                if _field_name(node, index) == "declarator":
                    names |= {text_of(part) for part in walk(child) if part.type == "identifier"} - _in_values(child)
    return names


def _field_name(node: Node, index: int) -> str:
    return node.field_name_for_child(index) or ""


def _in_values(declarator: Node) -> set[str]:
    value = declarator.child_by_field_name("value")
    return set() if value is None else {text_of(part) for part in walk(value) if part.type == "identifier"}


def names_in(node: Node) -> set[str]:
    """Return all identifiers of a piece of C++."""
    return {text_of(part) for part in walk(node) if part.type in ("identifier", "field_identifier")}
