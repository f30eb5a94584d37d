"""Arguments of calls, as the function that is called wants them, and what own functions return."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pytmva_bnn.port.construction import from_braces
from pytmva_bnn.port.context import (
    Context,
    Expr,
    Function,
)
from pytmva_bnn.port.cpp_types import (
    CODES,
    UNKNOWN,
)
from pytmva_bnn.port.expressions import (
    child,
    class_of,
    converted,
    expression,
    fixed,
    value,
)
from pytmva_bnn.port.parse import Node, operator_of
from pytmva_bnn.port.places import cell_of, of_result


def plain_arguments(ctx: Context, nodes: Sequence[Node]) -> list[str]:
    """Return the arguments of a function that the macro does not define."""
    return [argument(ctx, one) for one in nodes]


def argument(ctx: Context, node: Node) -> str:
    """Return an argument of a function of ROOT or std."""
    if node.type == "pointer_expression" and operator_of(node) == "&":
        inner = child(node, "argument")
        if inner.type == "subscript_expression":  # memory of its own, also for Branch and the Reader
            owner = value(ctx, child(inner, "argument"))
            if (owner.type.is_array or owner.type.is_scalar_pointer) and owner.type.target.name in CODES:
                found = cell_of(ctx, inner)
                return (
                    f"{ctx.use('memory')}({found.removeprefix('address(')}" if found.startswith("address(") else found
                )
    expr = value(ctx, node)
    return f"({expr.text})" if expr.level == 0 else expr.text


def argument_texts(ctx: Context, nodes: Sequence[Node], candidates: Sequence[Function] = ()) -> list[str]:
    """Return the arguments of a function of the macro, converted to its parameters where it is known."""
    fitting = [one for one in candidates if one.n_required <= len(nodes) <= len(one.parameters)]
    if len(fitting) != 1:
        if any(parameter.is_cell for one in fitting for parameter in one.parameters):
            fitting = _best(ctx, fitting, nodes)
        if len(fitting) != 1:
            return plain_arguments(ctx, nodes)
    return [_own_argument(ctx, one, fitting[0], i) for i, one in enumerate(nodes)]


def _best(ctx: Context, functions: Sequence[Function], nodes: Sequence[Node]) -> list[Function]:
    types = [expression(ctx, one).type.name for one in nodes]
    scores = [sum(a == p.type.name for a, p in zip(types, one.parameters, strict=False)) for one in functions]
    best = max(scores)
    return [one for one, score in zip(functions, scores, strict=True) if score == best][:1]


def _own_argument(ctx: Context, node: Node, function: Function, position: int) -> str:
    parameter = function.parameters[position]
    if parameter.is_cell:
        return cell_of(ctx, node)
    if node.type == "initializer_list":
        return from_braces(ctx, parameter.type, node).text
    expr = expression(ctx, node)
    if function.is_template or parameter.type.name in ("auto", "?"):
        return fixed(ctx, expr).text
    if parameter.type.is_scalar_pointer and not expr.type.is_array:
        return fixed(ctx, expr).text if expr.literal != 0 else "None"
    if parameter.type.is_text or parameter.type.is_number or parameter.type.is_char:
        return converted(ctx, expr, parameter.type.plain)
    own = class_of(ctx, parameter.type)
    if (
        own is not None
        and parameter.type.is_value
        and expr.type.name not in (own.name, "?", "auto")
        and not class_of(ctx, expr.type)
    ):
        return f"{own.python}({fixed(ctx, expr).text})"
    return fixed(ctx, expr).text if expr.level else f"({expr.text})"


def own_result(ctx: Context, text: str, functions: list[Function], nodes: list[Node]) -> Expr:
    """Return a call of one of the functions of the macro that share a name."""
    arguments = argument_texts(ctx, nodes, functions)
    fitting = [one for one in functions if one.n_required <= len(nodes) <= len(one.parameters)] or functions
    types = {one.result for one in fitting}
    result = types.pop() if len(types) == 1 else UNKNOWN
    if len(fitting) > 1 and result == UNKNOWN:
        result = _best(ctx, fitting, nodes)[0].result
    if result.reference and result.name == "?":
        result = replace(result, reference=False)
    if functions[0].is_template and result.name not in ("void", "bool", "text", "int32", "float64"):
        result = UNKNOWN
    return of_result(replace(functions[0], result=result), f"{text}({', '.join(arguments)})")
