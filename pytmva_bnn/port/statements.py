"""Statements: one of C++ becomes one of Python, with its comments; what cannot be translated is left as a comment."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from pytmva_bnn.port import text_methods
from pytmva_bnn.port.analysis import MUTATING_TEXT, arguments_of, base_name, called_name, candidates, declared_names
from pytmva_bnn.port.calls import argument, plain_arguments, whole_text
from pytmva_bnn.port.changes import assigned_value, described_type, mark_assigned, wrapped_step
from pytmva_bnn.port.construction import default
from pytmva_bnn.port.context import ATOM, Context, Expr, LoopEnd, Symbol, Untranslatable
from pytmva_bnn.port.cpp_types import DOUBLE, CppType, declared, type_by_text
from pytmva_bnn.port.declarations import declaration, declare_bare_pointer, declare_pointer, has_destructor
from pytmva_bnn.port.expressions import (
    child,
    class_of,
    converted,
    copied,
    expression,
    fixed,
    of_symbol,
    value,
)
from pytmva_bnn.port.literals import quoted
from pytmva_bnn.port.operators import condition
from pytmva_bnn.port.parse import Node, is_understood, operator_of, parts_of, text_of, walk
from pytmva_bnn.port.places import cell_of, pointed

Statement = Callable[[Context, Node], None]

_TABLE: dict[str, Statement] = {}


def on(*types: str) -> Callable[[Statement], Statement]:
    """Let a function translate statements of these types."""

    def register(function: Statement) -> Statement:
        _TABLE.update(dict.fromkeys(types, function))
        return function

    return register


def statement(ctx: Context, node: Node) -> None:
    """Translate a statement, or leave it with the reason."""
    mark, imports = ctx.out.mark(), set(ctx.imports)
    try:
        if node.type not in _TABLE:
            raise Untranslatable(f"{node.type.replace('_', ' ')} is not translated")
        if not node.named_children and node.type == "expression_statement":
            return
        if node.type not in _COMPOUND and not is_understood(node):
            raise Untranslatable("this is not understood as C++")
        for one in _inner_comments(node):
            comment(ctx, one)
        _TABLE[node.type](ctx, node)
    except Untranslatable as reason:
        ctx.out.back_to(mark)
        ctx.imports = imports
        leave(ctx, node, str(reason))
        if node.type == "declaration":  # what uses its variables says why it is left
            for name in declared_names(node):
                ctx.scopes.add(Symbol(name, str(reason), kind="lost"))


def _inner_comments(node: Node) -> Iterator[Node]:
    """Yield the comments within a statement, which stand above its translation; blocks keep their own."""
    for one in node.children:
        if one.type == "comment":
            yield one
        elif one.type not in _OWN_COMMENTS and not one.type.endswith("_statement"):
            yield from _inner_comments(one)


_OWN_COMMENTS = frozenset(
    {
        "compound_statement", "declaration", "else_clause", "field_declaration_list", "enumerator_list",
        "declaration_list", "lambda_expression", "function_definition",
    }
)  # fmt: skip
"""What keeps its comments where they are."""

_COMPOUND = frozenset(
    {
        "compound_statement", "if_statement", "for_statement", "for_range_loop", "while_statement", "do_statement",
        "switch_statement", "try_statement", "function_definition", "class_specifier", "struct_specifier",
        "namespace_definition", "template_declaration", "linkage_specification",
    }
)  # fmt: skip
"""Statements that hold others: one that is not understood inside does not spoil them."""


def leave(ctx: Context, node: Node, reason: str) -> None:
    """Keep a piece of C++ as a comment; the program stops there."""
    lines = text_of(node).split("\n")
    ctx.out.comment(f"TODO(port): {lines[0].strip()}")
    margin = min((len(line) - len(line.lstrip()) for line in lines[1:] if line.strip()), default=0)
    for line in lines[1:]:
        if line.strip():
            ctx.out.comment(f"    {line[margin:].rstrip()}")
    remark = ctx.note(node, reason)
    ctx.out.code(f"raise NotImplementedError({quoted(remark)})")
    ctx.left_rows.update(range(node.start_point[0], node.end_point[0] + 1))


def block(ctx: Context, node: Node | None) -> None:
    """Translate the statements of a block, indented."""
    with ctx.out.block(), ctx.scopes.block():
        statements(
            ctx, [] if node is None else [node] if node.type != "compound_statement" else list(node.named_children)
        )
        end_of_block(ctx)


def statements(ctx: Context, nodes: list[Node]) -> None:
    """Translate statements one after the other, with the comments and blank lines between them."""
    row = nodes[0].start_point[0] if nodes else 0
    for node in nodes:
        if node.start_point[0] - row > 1:
            ctx.out.blank()
        if node.type == "comment":
            comment(ctx, node, is_behind=node.start_point[0] == row and node is not nodes[0])
        else:
            statement(ctx, node)
        row = node.end_point[0]


def comment(ctx: Context, node: Node, *, is_behind: bool = False) -> None:
    """Keep a comment."""
    text = text_of(node)
    if text.startswith("//"):
        lines = [re.sub(r"^//[/!<]*\s?", "", text)]
    else:
        inner = text.removeprefix("/*").removesuffix("*/").strip("*!")
        lines = [re.sub(r"^\s*\*+ ?", "", line) for line in inner.split("\n")]
        while lines and not lines[0].strip():
            lines.pop(0)
        while lines and not lines[-1].strip():
            lines.pop()
    if is_behind and len(lines) == 1:
        ctx.out.behind(lines[0].strip())
        return
    for line in lines:
        ctx.out.comment(line.rstrip())


@on("expression_statement")
def _expression_statement(ctx: Context, node: Node) -> None:
    for one in parts_of(node):
        if not _hidden_declaration(ctx, one):
            simple(ctx, one)


def _hidden_declaration(ctx: Context, node: Node) -> bool:
    """Translate ``TFile *input(0), *output(0);``, which the parser takes for a product; False if it is none."""
    node, *rest = _comma_parts(node)
    if node.type != "binary_expression" or operator_of(node) != "*":
        return False
    left, first = child(node, "left"), child(node, "right")
    name = text_of(left)
    if left.type not in ("identifier", "qualified_identifier") or ctx.scopes.find(name) is not None:
        return False
    base = type_by_text(name, ctx.aliases)
    found = [_hidden_pointer(one) for one in [first, *rest]]
    if first.type != "call_expression" or any(one is None for one in found) or _is_pointer_operation(rest):
        return False
    for pointer, given in [one for one in found if one is not None]:
        if given is None:
            declare_bare_pointer(ctx, pointer, base)
        else:
            declare_pointer(ctx, pointer, base, given)
    return True


def _is_pointer_operation(nodes: list[Node]) -> bool:
    """Return whether a further part lacks the star of a pointer."""
    plain = [child(one, "left") if one.type == "assignment_expression" else one for one in nodes]
    return any(one.type != "pointer_expression" or operator_of(one) != "*" for one in plain)


def _hidden_pointer(node: Node) -> tuple[str, Node | None] | None:
    """Return name and first value of one of the pointers of a hidden declaration."""
    given: Node | None = None
    if node.type == "assignment_expression" and operator_of(node) == "=":
        node, given = child(node, "left"), child(node, "right")
    if node.type == "pointer_expression":
        node = child(node, "argument")
    if given is None and node.type == "call_expression" and len(arguments_of(node)) == 1:
        node, given = child(node, "function"), arguments_of(node)[0]
    return (text_of(node), given) if node.type == "identifier" else None


def _comma_parts(node: Node) -> list[Node]:
    if node.type != "comma_expression":
        return [node]
    return _comma_parts(child(node, "left")) + _comma_parts(child(node, "right"))


def simple(ctx: Context, node: Node) -> None:
    """Translate an expression that stands as a statement."""
    while node.type == "parenthesized_expression":
        node = parts_of(node)[0]
    match node.type:
        case "assignment_expression":
            _at_target(
                ctx,
                child(node, "left"),
                lambda target: assignment(ctx, target, operator_of(node), child(node, "right")),
            )
        case "update_expression":
            _at_target(ctx, child(node, "argument"), lambda target: _update(ctx, target, operator_of(node)))
        case "comma_expression":
            simple(ctx, child(node, "left"))
            simple(ctx, child(node, "right"))
        case "delete_expression":
            _delete(ctx, node)
        case "call_expression":
            _call(ctx, node)
        case "conditional_expression":
            ctx.out.code(f"if {condition(ctx, child(node, 'condition')).text}:")
            with ctx.out.block():
                simple(ctx, child(node, "consequence"))
            ctx.out.code("else:")
            with ctx.out.block():
                simple(ctx, child(node, "alternative"))
        case "throw_statement" | "throw_expression":
            _TABLE["throw_statement"](ctx, node)
        case _:
            found = value(ctx, node)
            ctx.out.code(found.text if found.level else f"({found.text})")


def _at_target(ctx: Context, target: Node, change: Callable[[Node], None]) -> None:
    """Change a target; ``(c ? a : b)`` is the one or the other."""
    while target.type == "parenthesized_expression":
        target = parts_of(target)[0]
    if target.type.endswith("_literal"):
        raise Untranslatable(f"{text_of(target)[:30]} cannot be assigned to")
    if target.type != "conditional_expression":
        change(target)
        return
    ctx.out.code(f"if {condition(ctx, child(target, 'condition')).text}:")
    with ctx.out.block():
        _at_target(ctx, child(target, "consequence"), change)
    ctx.out.code("else:")
    with ctx.out.block():
        _at_target(ctx, child(target, "alternative"), change)


def _check_target(target: Expr) -> None:
    """Refuse what Python cannot assign to; otherwise the whole function would be lost."""
    if target.text.endswith(")"):
        raise Untranslatable(f"{target.text[:60]} cannot be assigned to")


def assignment(ctx: Context, left: Node, operator: str, right: Node) -> None:
    """Translate an assignment."""
    while left.type == "parenthesized_expression":
        left = parts_of(left)[0]
    if left.type == "call_expression" and called_name(left) == "tie":
        targets = [value(ctx, one).text for one in arguments_of(left)]
        ctx.out.code(f"{', '.join(targets)} = {value(ctx, right).text}")
        return
    if right.type == "assignment_expression" and operator == "=":  # a = b = c
        assignment(ctx, child(right, "left"), operator_of(right), child(right, "right"))
        right = child(right, "left")
    target = _element_target(ctx, left) if not _is_character(ctx, left) else None
    target = target or value(ctx, left)
    if left.type == "pointer_expression" and operator_of(left) == "*" and target.text.endswith(".deref()"):
        new = assigned_value(ctx, target, operator, right)
        ctx.out.code(f"{target.text.removesuffix('.deref()')}.assign({new})")
        return
    if _is_character(ctx, left):
        owner_node = child(left if left.type == "subscript_expression" else child(left, "function"), "argument")
        owner = value(ctx, owner_node)
        index = value(ctx, _character_index(left)).text
        new = assigned_value(ctx, target, operator, right)
        mark_assigned(ctx, owner_node)
        ctx.out.code(f"{owner.text} = {ctx.use('with_char')}({owner.text}, {index}, {new})")
        return
    if left.type == "call_expression" and not target.text.endswith("]"):
        raise Untranslatable("the result of this call cannot be assigned to")
    if operator != "=":
        _compound(ctx, left, target, operator, right)
        return
    own = class_of(ctx, target.type)
    if own is not None and target.type.is_value and "operator=" in own.methods:
        ctx.out.code(f"{target.text}.assign_from({value(ctx, right).text})")
        return
    _check_target(target)
    new = _assigned(ctx, target, right)
    if _is_held_elsewhere(ctx, left, target):
        ctx.out.code(f"{ctx.use('set_value')}({target.text}, {new})")
        return
    mark_assigned(ctx, left)
    ctx.out.code(f"{target.text} = {new}")


def _element_target(ctx: Context, left: Node) -> Expr | None:
    """Return the target of ``v.at(i) = x``, ``v.front() = x``, ``v.back() = x`` or ``matrix(i, j) = x``."""
    if left.type == "call_expression" and child(left, "function").type != "field_expression":
        function = child(left, "function")
        while function.type == "parenthesized_expression":
            function = parts_of(function)[0]
        if function.type not in ("identifier", "pointer_expression"):
            return None
        symbol = ctx.scopes.find(base_name(function))
        if (symbol is None or symbol.kind != "variable") and not (
            ctx.owner and base_name(function) in ctx.owner.members
        ):
            return None
        matrix = value(ctx, function)
        if not matrix.type.name.startswith(("TMatrix", "TVector")) or matrix.type.name == "TVector3":
            return None
        return Expr(matrix.at(ATOM) + "".join(f"[{argument(ctx, one)}]" for one in arguments_of(left)), DOUBLE)
    if left.type != "call_expression" or child(left, "function").type != "field_expression":
        return None
    name, nodes = called_name(left), arguments_of(left)
    owner = value(ctx, child(child(left, "function"), "argument"))
    if name not in ("at", "front", "back") or class_of(ctx, owner.type) is not None:
        return None
    if name == "at" and nodes:
        ctx.out.code(value(ctx, left).text)  # which raises beyond the end
        return Expr(f"{owner.at(ATOM)}[{argument(ctx, nodes[0])}]", owner.type.value)
    return Expr(f"{owner.at(ATOM)}[{'0' if name == 'front' else f'len({owner.text}) - 1'}]", owner.type.value)


def _assigned(ctx: Context, target: Expr, right: Node) -> str:
    new = assigned_value(ctx, target, "=", right)
    type_ = target.type
    if type_.is_value and type_.name == "TCut" and right.type != "call_expression":
        return f"ROOT.TCut({new})"
    return new


def _is_character(ctx: Context, left: Node) -> bool:
    """Return whether the target is a character within a text."""
    if left.type == "call_expression" and child(left, "function").type == "field_expression":
        return called_name(left) == "at" and value(ctx, child(child(left, "function"), "argument")).type.is_text
    return left.type == "subscript_expression" and value(ctx, child(left, "argument")).type.is_text


def _character_index(left: Node) -> Node:
    if left.type == "call_expression":
        return arguments_of(left)[0]
    indices = left.child_by_field_name("indices")
    return parts_of(indices)[0] if indices is not None else parts_of(left)[1]


def _is_held_elsewhere(ctx: Context, left: Node, target: Expr) -> bool:
    """Return whether an object must be changed in place, because references or pointers to it may exist."""
    type_ = target.type
    is_vector = type_.name in ("TLorentzVector", "TVector3")
    if not type_.is_value or not (type_.is_container or is_vector or class_of(ctx, type_) is not None):
        return False
    if left.type in ("pointer_expression", "field_expression"):
        return True
    has_cells = _has_cells(ctx, type_)
    symbol = ctx.scopes.find(text_of(left)) if left.type == "identifier" else None
    if symbol is None:
        return left.type == "identifier" or (has_cells and left.type == "subscript_expression")  # a member of this
    cells = ctx.global_cells if symbol.is_global else ctx.body.cells
    return has_cells or symbol.is_global or not symbol.owned or symbol.name in cells or _is_lent(ctx, symbol.name)


def _is_lent(ctx: Context, name: str) -> bool:
    """Return whether a variable is given to a function of the macro by reference: that may keep addresses in it."""
    function = ctx.body.function
    for node in walk(function.definition) if function is not None and function.definition is not None else ():
        if node.type == "call_expression" and name in map(text_of, arguments_of(node)):
            position = [text_of(one) for one in arguments_of(node)].index(name)
            types = [one.parameters[position].type for one in candidates(ctx, node)]
            if any(one.reference and not one.const for one in types):
                return True
    return False


def _has_cells(ctx: Context, type_: CppType) -> bool:
    """Return whether branches or readers may be bound to members of a class."""
    own = class_of(ctx, type_)
    if own is None:
        return False
    members = own.members.values()
    return any(one.is_cell or one.type.sizes or (one.type.is_value and _has_cells(ctx, one.type)) for one in members)


def _compound(ctx: Context, left: Node, target: Expr, operator: str, right: Node) -> None:
    _check_target(target)
    mark_assigned(ctx, left)
    if target.type.is_text and operator == "+=":
        from pytmva_bnn.port.operators import as_text

        ctx.out.code(f"{target.text} += {as_text(ctx, value(ctx, right)).text}")
        return
    inner = expression(ctx, right)
    new = assigned_value(ctx, target, operator, right)
    plain = f"{target.text} {operator[:-1]} {fixed(ctx, inner).at(12)}"
    is_plain = operator[:-1] in ("+", "-", "*", "|", "&", "^") and new in (
        plain,
        f"{target.text} {operator[:-1]} {inner.text}",
    )
    own = class_of(ctx, target.type)
    if is_plain or own is not None or (target.type.name in ("?", "auto") and operator not in ("/=", "%=")):
        ctx.out.code(f"{target.text} {operator} {fixed(ctx, inner).text}")
    else:
        ctx.out.code(f"{target.text} = {new}")


def _update(ctx: Context, argument_node: Node, operator: str) -> None:
    target = value(ctx, argument_node)
    sign = operator[0]
    if target.type.name == "iterator" and target.type.is_value:
        ctx.out.code(f"{target.text}.{'increment' if sign == '+' else 'decrement'}()")
        return
    _check_target(target)
    mark_assigned(ctx, argument_node)
    if target.type.is_char:
        ctx.out.code(f"{target.text} = chr((ord({target.text}) {sign} 1) % 256)")
    elif target.type.is_text and target.type.name == "char" and sign == "+":
        ctx.out.code(f"{target.text} = {target.at(ATOM)}[1:]")
    elif target.type.is_text or (target.type.is_pointer and not target.type.is_scalar_pointer):
        raise Untranslatable(f"{operator} of the pointer {text_of(argument_node)[:30]} is not translated")
    elif target.type.is_scalar_pointer:
        ctx.out.code(f"{target.text} = {ctx.use('stepped')}({target.text}, {'' if sign == '+' else '-'}1)")
    else:
        new = wrapped_step(ctx, target, sign)
        is_plain = new == f"{target.text} {sign} 1"
        ctx.out.code(f"{target.text} {sign}= 1" if is_plain else f"{target.text} = {new}")


def _delete(ctx: Context, node: Node) -> None:
    """Call the destructor of an object of the macro; objects of Python and ROOT need no deletion."""
    target_node = parts_of(node)[-1]
    target = value(ctx, target_node)
    own = class_of(ctx, target.type)
    is_array = any(one.type == "[" for one in node.children)
    if own is not None and has_destructor(ctx, own.name):
        if is_array:
            ctx.out.code(f"for element in reversed({target.text}):")
            with ctx.out.block():
                ctx.out.code("element.destroy()")
        else:
            ctx.out.code(f"{target.text}.destroy()")
    elif target.type.name == "TFile" and target.type.pointers == 1 and ctx.out.last() != f"{target.text}.Close()":
        ctx.out.code(f"if {target.text}:")
        with ctx.out.block():
            ctx.out.code(f"{target.text}.Close()")


def _call(ctx: Context, node: Node) -> None:
    function = child(node, "function")
    name, nodes = called_name(node), arguments_of(node)
    is_method = function.type == "field_expression"
    is_special = not is_method and name in _FUNCTIONS and ctx.scopes.find(name) is None and name not in ctx.functions
    if is_method and _method_statement(ctx, function, name, nodes):
        return
    if is_method and name == "Close" and ctx.scopes.is_innermost(base_name(function)):
        ctx.scopes.forget(base_name(function))  # a file that is closed here needs not be closed at the end of the block
    if not (is_special and _FUNCTIONS[name](ctx, nodes)):
        ctx.out.code(value(ctx, node).text)


def _method_statement(ctx: Context, function: Node, name: str, nodes: list[Node]) -> bool:
    """Translate calls of methods that must be assignments; False if it is none of them."""
    owner_node = child(function, "argument")
    inner = child(owner_node, "function") if owner_node.type == "call_expression" else None
    if inner is not None and inner.type == "field_expression" and called_name(owner_node) in MUTATING_TEXT:
        first = child(inner, "argument")  # s.append(a).append(b)
        if pointed(ctx, inner, first, called_name(owner_node)).type.is_text and first.type != "call_expression":
            simple(ctx, owner_node)
            owner_node, function = first, inner
    owner = pointed(ctx, function, owner_node, name)
    if owner.type.is_text and name in MUTATING_TEXT:
        if name in ("swap", "Swap"):
            return _swapped(ctx, [owner_node, nodes[0]])
        if name == "erase" and nodes[0].type == "call_expression" and called_name(nodes[0]) == "remove":
            removed = arguments_of(nodes[0])  # the idiom that removes a character everywhere
            return _text_changed(ctx, removed, "{}.replace(" + value(ctx, removed[2]).text.replace("{", "{{") + ', "")')
        if name == "ReadLine":
            ctx.out.code(f"{ctx.use('read_line')}({cell_of(ctx, owner_node)}, {value(ctx, nodes[0]).text})")
            return True
        new = text_methods.changed(ctx, owner, name, nodes)
        if new is not None and owner_node.type != "call_expression":
            if owner.text.endswith(".deref()"):
                ctx.out.code(f"{owner.text.removesuffix('.deref()')}.assign({new.text})")
                return True
            mark_assigned(ctx, owner_node)
            rest = new.text.removeprefix(f"{owner.text} + ")
            ctx.out.code(
                f"{owner.text} += {rest}" if new.text.startswith(f"{owner.text} + ") else f"{owner.text} = {new.text}"
            )
            return True
    if name == "GetObject" and len(nodes) == 2:
        target = value(ctx, nodes[1])
        mark_assigned(ctx, nodes[1])
        ctx.out.code(f"{target.text} = {owner.at(ATOM)}.Get({argument(ctx, nodes[0])})")
        return True
    if owner.type.smart and text_of(child(function, "operator")) == "." and name == "reset":
        mark_assigned(ctx, owner_node)
        if has_destructor(ctx, owner.type.name):
            ctx.out.code(f"if {owner.text}:")
            with ctx.out.block():
                ctx.out.code(f"{owner.text}.destroy()")
        ctx.out.code(f"{owner.text} = {value(ctx, nodes[0]).text if nodes else 'None'}")
        return True
    return False


def _assign_text(ctx: Context, target_node: Node, new: str) -> bool:
    target = value(ctx, target_node)
    mark_assigned(ctx, target_node)
    ctx.out.code(f"{target.text} = {new}")
    return True


def _formatted(ctx: Context, target: Node, nodes: list[Node], size: Node | None = None) -> bool:
    limit = f"[: {value(ctx, size).at(11)} - 1]" if size is not None else ""
    return _assign_text(ctx, target, f"ROOT.Form({', '.join(plain_arguments(ctx, nodes))}){limit}")


def _appended(ctx: Context, nodes: list[Node]) -> bool:
    target = value(ctx, nodes[0])
    mark_assigned(ctx, nodes[0])
    ctx.out.code(f"{target.text} += {value(ctx, nodes[1]).text}")
    return True


def _asserted(ctx: Context, nodes: list[Node]) -> bool:
    ctx.out.code(f"assert {condition(ctx, nodes[0]).text}")
    return True


def _swapped(ctx: Context, nodes: list[Node]) -> bool:
    a, b = (value(ctx, one) for one in nodes[:2])
    for one in nodes[:2]:
        mark_assigned(ctx, one)
    ctx.out.code(f"{a.text}, {b.text} = {b.text}, {a.text}")
    return True


def _zeroed(ctx: Context, nodes: list[Node]) -> bool:
    """Translate ``memset(a, 0, sizeof(a))``."""
    target = value(ctx, nodes[0])
    if not target.type.is_array or value(ctx, nodes[1]).literal != 0:
        return False
    ctx.out.code(f"{target.text}[:] = {default(ctx, target.type)}")
    return True


def _text_changed(ctx: Context, nodes: list[Node], pattern: str) -> bool:
    text = whole_text(ctx, nodes)
    if text is None:
        return False
    mark_assigned(ctx, child(child(nodes[0], "function"), "argument"))
    ctx.out.code(f"{text} = {pattern.format(text)}")
    return True


def _text_transformed(ctx: Context, nodes: list[Node]) -> bool:
    change = next((word for word in ("toupper", "tolower") if len(nodes) == 4 and word in text_of(nodes[3])), "")
    return bool(change) and _text_changed(ctx, nodes, "{}.upper()" if change == "toupper" else "{}.lower()")


_FUNCTIONS: dict[str, Callable[[Context, list[Node]], bool]] = {
    "sprintf": lambda ctx, nodes: _formatted(ctx, nodes[0], nodes[1:]),
    "memset": lambda ctx, nodes: _zeroed(ctx, nodes),
    "snprintf": lambda ctx, nodes: _formatted(ctx, nodes[0], nodes[2:], nodes[1]),
    "strcpy": lambda ctx, nodes: _assign_text(ctx, nodes[0], value(ctx, nodes[1]).text),
    "strncpy": lambda ctx, nodes: _assign_text(
        ctx, nodes[0], f"{value(ctx, nodes[1]).at(ATOM)}[:{value(ctx, nodes[2]).text}]"
    ),
    "strcat": _appended,
    "transform": lambda ctx, nodes: _text_transformed(ctx, nodes),
    "reverse": lambda ctx, nodes: _text_changed(ctx, nodes, "{}[::-1]"),
    "sort": lambda ctx, nodes: _text_changed(ctx, nodes, '"".join(sorted({}))'),
    "assert": _asserted,
    "swap": _swapped,
}
"""Functions that are statements of their own in Python; True if they were written."""


@on("return_statement")
def _return(ctx: Context, node: Node) -> None:
    parts = parts_of(node)
    alive = [one for one in ctx.scopes.alive(ctx.body.depth) if not parts or text_of(parts[0]) != one.name]
    if not parts:
        _destroy(ctx, alive)
        ctx.out.code("return")
        return
    function = ctx.body.function
    result = function.result if function is not None else CppType("auto")
    if parts[0].type == "initializer_list":
        from pytmva_bnn.port.construction import from_braces

        ctx.out.code(f"return {from_braces(ctx, result, parts[0]).text}")
        return
    if result.reference and result.is_immutable and not result.const:
        ctx.out.code(f"return {cell_of(ctx, parts[0])}")
        return
    expr = expression(ctx, parts[0])
    if result.reference:
        text = fixed(ctx, expr).text
    elif _is_local_value(ctx, parts[0]):
        text = converted(ctx, Expr(expr.text, expr.type, expr.level, expr.cell, expr.loose, True, expr.literal), result)
    elif result.name in ("auto", "?") or (function is not None and function.is_template):
        text = copied(ctx, expr)
    else:
        text = converted(ctx, expr, result.plain)
    if alive and not text.isidentifier():
        kept = ctx.fresh_name("result")
        ctx.out.code(f"{kept} = {text}")
        text = kept
    _destroy(ctx, alive)
    ctx.out.code(f"return {text}" if result.name != "void" else text)


def _destroy(ctx: Context, objects: list[Symbol]) -> None:
    """Call the destructors of objects; a file's writes it."""
    for one in objects:
        call = f"{of_symbol(one).text}.{'Close' if one.type.name == 'TFile' else 'destroy'}()"
        if one.type.smart:
            ctx.out.code(f"if {of_symbol(one).text}:")
            with ctx.out.block():
                ctx.out.code(call)
        else:
            ctx.out.code(call)


def _destroy_within(ctx: Context, loop: LoopEnd) -> None:
    """Destroy what lives only within a loop that is left, or whose turn ends."""
    if loop.depth is not None:
        _destroy(ctx, ctx.scopes.alive(loop.depth))


def end_of_block(ctx: Context) -> None:
    """Destroy what lives only in the innermost scope, unless the block ends before."""
    alive = ctx.scopes.alive()
    last = ctx.out.lines[-1].code if ctx.out.lines and not ctx.out.is_deeper() else ""
    if alive and not last.startswith(("return", "raise", "break", "continue")):
        _destroy(ctx, alive)


def _is_local_value(ctx: Context, node: Node) -> bool:
    """Return whether a returned variable dies with the function, so that it need not be copied."""
    symbol = ctx.scopes.find(text_of(node)) if node.type == "identifier" else None
    return symbol is not None and not symbol.is_global and symbol.owned


@on("break_statement")
def _break(ctx: Context, node: Node) -> None:
    if ctx.body.loops and ctx.body.loops[-1].is_switch and not ctx.body.loops[-1].allows_continue:
        raise Untranslatable("break within a part of a switch")
    _destroy_within(ctx, ctx.body.loops[-1] if ctx.body.loops else LoopEnd())
    ctx.out.code("break")


@on("continue_statement")
def _continue(ctx: Context, node: Node) -> None:
    loop = next((one for one in reversed(ctx.body.loops) if not one.is_switch), LoopEnd())
    if ctx.body.loops and ctx.body.loops[-1].is_switch:
        raise Untranslatable("continue within a switch that breaks at several places")
    _destroy_within(ctx, loop)
    if loop.before_continue is not None:
        loop.before_continue()
    ctx.out.code("continue")


@on("compound_statement")
def _compound_statement(ctx: Context, node: Node) -> None:
    with ctx.scopes.block():
        statements(ctx, list(node.named_children))
        end_of_block(ctx)


@on("labeled_statement", "attributed_statement")
def _labeled(ctx: Context, node: Node) -> None:
    inner = [one for one in parts_of(node) if one.type not in ("statement_identifier", "attribute_declaration")]
    for one in inner:
        statement(ctx, one)


@on("declaration")
def _declaration(ctx: Context, node: Node) -> None:
    declaration(ctx, node)


@on("using_declaration")
def _using(ctx: Context, node: Node) -> None:
    text = text_of(node)
    if "namespace" in text:
        ctx.used_namespaces.add(text.replace("using", "").replace("namespace", "").strip(" ;").removeprefix("::"))
    elif "std::" in text:
        ctx.used_namespaces.add("std")
    elif "TMVA::" in text:
        ctx.used_namespaces.add("TMVA")


@on("alias_declaration")
def _alias(ctx: Context, node: Node) -> None:

    ctx.aliases[text_of(child(node, "name"))] = described_type(ctx, child(node, "type")).plain


@on("type_definition")
def _typedef(ctx: Context, node: Node) -> None:
    type_node = child(node, "type")
    if type_node.type in ("struct_specifier", "class_specifier", "enum_specifier"):
        statement(ctx, type_node)
        base = CppType(text_of(type_node.child_by_field_name("name") or child(node, "declarator")))
    else:
        base = type_by_text(text_of(type_node), ctx.aliases)
    found = declared(base, node.child_by_field_name("declarator"))
    if found.name and found.name != base.name:
        ctx.aliases[found.name] = found.type.plain


@on(
    "preproc_call",
    "preproc_include",
    "static_assert_declaration",
    "friend_declaration",
    "access_specifier",
    "attribute_declaration",
    "namespace_alias_definition",
    "empty_statement",
    ";",
)
def _needless(ctx: Context, node: Node) -> None:
    if node.type == "namespace_alias_definition":
        parts = [text_of(one) for one in parts_of(node)]
        ctx.aliases[parts[0]] = CppType(parts[-1])


@on("preproc_def")
def _define(ctx: Context, node: Node) -> None:
    """Translate a constant macro to a variable of the text."""
    from pytmva_bnn.port.context import Symbol, python_name
    from pytmva_bnn.port.parse import parse_expression

    name, content = text_of(child(node, "name")), node.child_by_field_name("value")
    if content is None or not text_of(content).strip():
        return
    found = parse_expression(text_of(content).partition("//")[0].strip())
    if found is None:
        return  # the preprocessor has put it where it is used
    expr = value(ctx, found)
    symbol = ctx.scopes.add(Symbol(name, python_name(name), expr.type))
    ctx.out.code(f"{symbol.python} = {expr.text}")
