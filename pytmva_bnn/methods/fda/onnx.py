"""The formula as an ONNX graph."""

from __future__ import annotations

from functools import reduce

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.errors import InputError
from pytmva_bnn.formula import TFormula
from pytmva_bnn.formula.nodes import Call, Name, Node, Number, Operation, Parameter, Prefix
from pytmva_bnn.onnxio.graph import Graph

_OPERATORS = {"+": "Add", "*": "Mul", "/": "Div", "^": "Pow"}
_FUNCTIONS = {
    **{name: name.capitalize() for name in ("exp", "log", "sqrt", "abs", "sin", "cos", "tanh")},
    "fabs": "Abs",
    "pow": "Pow",
}


def formula_output(graph: Graph, formula: TFormula, parameters: FloatArray, x: str) -> str:
    """Append the formula with these parameters, and return its value as a column."""
    values = parameters.tolist()

    def append(node: Node) -> str:
        match node:
            case Number():
                return graph.constant([[node.value]])
            case Name(name="pi"):
                return graph.constant([[3.141592653589793]])
            case Parameter():
                number = int(node.name)
                is_parameter = number < len(values)
                return graph.constant([[values[number]]]) if is_parameter else graph.column(x, number - len(values))
            case Prefix(symbol="-"):
                return graph.op("Neg", append(node.operand))
            case Operation() if node.symbol in _OPERATORS:
                kind = _OPERATORS[node.symbol]
                return reduce(lambda a, b: graph.op(kind, a, b), map(append, node.operands))
            case Call() if node.name.removeprefix("std::") in _FUNCTIONS:
                return graph.op(_FUNCTIONS[node.name.removeprefix("std::")], *map(append, node.arguments))
            case _:
                raise InputError(f"the formula cannot be written as ONNX: {formula.expression}")

    # a formula without variables is still one value for each event
    return graph.op("Mul", append(formula.tree), graph.ones(x))
