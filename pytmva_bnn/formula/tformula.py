"""ROOT's TFormula: a function of its parameters ``[0]``, ``[1]``, ... with the rules of C++.

Unlike those of a tree, such expressions are compiled by ROOT: operators have the precedence of C++, division by zero
and functions outside their domain give what IEEE arithmetic gives.

>>> formula = TFormula("[0]/[1]*sqrt([2])")
>>> float(formula.function()([3.0, 2.0, 4.0]))
3.0
>>> formula.degree([2]), formula.degree([0])
(2, 1)
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import reduce
from operator import add, itemgetter, mul, truediv
from typing import Any, TypeAlias

import numpy as np

from pytmva_bnn.formula.errors import FormulaError
from pytmva_bnn.formula.functions import C_LIBRARY, CONSTANTS, FUNCTIONS
from pytmva_bnn.formula.lexer import Kind
from pytmva_bnn.formula.nodes import Call, Conditional, Name, Node, Number, Operation, Parameter, Prefix, walk
from pytmva_bnn.formula.operators import truth
from pytmva_bnn.formula.parser import CASTS, MAX_DEPTH, OTHER_CASTS, _Parser

Value: TypeAlias = Any
"""A number or an array."""
Function: TypeAlias = Callable[[Sequence[Value]], Value]

_LEVELS = (("||",), ("&&",), ("==", "!="), ("<", ">", "<=", ">="), ("+", "-"), ("*", "/"), ("^",))
_RANK = {symbol: rank for rank, symbols in enumerate(_LEVELS) for symbol in symbols}
_POWER = _RANK["^"]
_OPERATORS: dict[str, Callable[[Value, Value], Value]] = {
    "||": lambda a, b: truth(np.not_equal(a, 0.0) | np.not_equal(b, 0.0)),
    "&&": lambda a, b: truth(np.not_equal(a, 0.0) & np.not_equal(b, 0.0)),
    "==": lambda a, b: truth(np.equal(a, b)),
    "!=": lambda a, b: truth(np.not_equal(a, b)),
    "<": lambda a, b: truth(np.less(a, b)),
    ">": lambda a, b: truth(np.greater(a, b)),
    "<=": lambda a, b: truth(np.less_equal(a, b)),
    ">=": lambda a, b: truth(np.greater_equal(a, b)),
    "+": np.add,
    "*": np.multiply,
    "/": np.divide,
    "^": np.power,
}
_PREFIXES: dict[str, Callable[[Value], Value]] = {"-": np.negative, "!": lambda a: truth(np.equal(a, 0.0))}
_CONSTANTS = {name: CONSTANTS[name] for name in ("pi", "true", "false", "kTRUE", "kFALSE")}
_NOT_LINEAR = 2


class _CppParser(_Parser):
    """The tokens of an expression with the precedence of C++; ``^`` binds tightest."""

    def operation(self, loosest: int) -> Node:
        """Parse what is joined by operators of rank ``loosest`` and tighter, all from the left."""
        self.level += 1
        if self.level > MAX_DEPTH:
            self.too_deep()
        left = self.operand(loosest)
        while True:
            token = self.peek()
            rank = _RANK.get(token.text, -1) if token.kind is Kind.SYMBOL else -1
            if rank < loosest:
                break
            self.next()
            right = self.operation(rank + 1)
            if rank == _POWER and self.is_symbol("^"):
                self.fail("powers of powers are ambiguous", self.peek(), "write parentheses: (a^b)^c or a^(b^c)")
            symbol = token.text
            if symbol == "-":  # the same number, and sums stay flat
                symbol, right = "+", Prefix("-", right, token.position)
            is_longer = isinstance(left, Operation) and left.symbol == symbol and symbol in "+*"
            before = left.operands if isinstance(left, Operation) and is_longer else (left,)
            left = Operation(symbol, (*before, right), token.position)
        self.level -= 1
        return left

    def operand(self, loosest: int) -> Node:
        """Parse a value, with its sign."""
        token = self.peek()
        if token.kind is Kind.SYMBOL and token.text in ("-", "!", "+"):
            self.next()
            inside = self.operation(_POWER)
            return inside if token.text == "+" else Prefix(token.text, inside, token.position)
        return super().operand(loosest)

    def parenthesis(self, loosest: int) -> Node:
        """Parse what stands in parentheses."""
        ahead = self.tokens[self.at + 1]
        if ahead.kind is Kind.NAME and ahead.text in CASTS | OTHER_CASTS and self.is_symbol(")", ahead=2):
            self.fail(f"the cast ({ahead.text}) is not available", ahead)
        return super().parenthesis(loosest)


class TFormula:
    """A TFormula without variables."""

    def __init__(self, expression: str) -> None:
        self.expression = expression
        self.tree = _CppParser(expression).whole()
        for node in walk(self.tree):
            self._check(node)

    def _check(self, node: Node) -> None:
        match node:
            case Number() | Prefix() | Operation() | Conditional():
                return
            case Name() if node.name in _CONSTANTS and not node.indices:
                return
            case Call() if node.name in FUNCTIONS:
                return
            case Parameter() if node.name.isdecimal() and len(node.name) < 10:
                return
            case Parameter():
                problem = f"the parameter [{node.name[:20]}] has no number, or one that is too large"
            case Name() if node.indices:
                problem = f"{node.name} is not an array"
            case Call() | Name():
                problem = f"unknown name {node.name!r}"
            case _:
                problem = "this exists only for trees"
        raise FormulaError(problem, expression=self.expression, position=node.position)

    @property
    def parameters(self) -> frozenset[int]:
        """Return the numbers of the parameters that occur."""
        return frozenset(int(node.name) for node in walk(self.tree) if isinstance(node, Parameter))

    def function(self, fixed: Mapping[int, Value] | None = None) -> Function:
        """Return a function of the list of parameters; what ``fixed`` ones determine is computed once, now.

        Parameters may be arrays.  Wrap calls into ``np.errstate(all="ignore")``.
        """
        with np.errstate(all="ignore"):
            bound = _bound(self.tree, fixed or {})
        return bound if callable(bound) else lambda _: bound

    def plain_function(self, fixed: Mapping[int, float]) -> Callable[[Sequence[float]], float] | None:
        """Return the same for plain numbers, to the last bit; None if the formula has more than the four operations.

        Dividing by zero raises ZeroDivisionError.
        """
        usable = (Number, Name, Parameter, Prefix, Operation)
        for node in walk(self.tree):
            symbol = node.symbol if isinstance(node, (Prefix, Operation)) else "+"
            if not isinstance(node, usable) or symbol not in ("+", "-", "*", "/"):
                return None
        return _plain(self.tree, fixed)

    def degree(self, numbers: Collection[int]) -> int:
        """Return 0, 1 or 2 if the formula does not depend on these parameters, is linear in them, or is neither."""
        return _degree(self.tree, frozenset(map(str, numbers)))


def _bound(node: Node, fixed: Mapping[int, Value]) -> Value | Function:
    """Return the value of a node if it is known, else the function that computes it."""
    match node:
        case Number():
            return node.value
        case Name():
            return _CONSTANTS[node.name]
        case Parameter():
            number = int(node.name)
            return fixed[number] if number in fixed else lambda values: values[number]
        case Prefix():
            return _applied(_PREFIXES[node.symbol], [_bound(node.operand, fixed)])
        case Operation() if node.symbol in "+*" and len(node.operands) > 2:
            return _folded(_OPERATORS[node.symbol], [_bound(operand, fixed) for operand in node.operands])
        case Operation():
            return _applied(_OPERATORS[node.symbol], [_bound(operand, fixed) for operand in node.operands])
        case Conditional():
            return _applied(_chosen, [_bound(part, fixed) for part in (node.condition, node.yes, node.no)])
        case Call():
            library = C_LIBRARY.get(node.name.removeprefix("std::"))
            compute = library[1] if library else FUNCTIONS[node.name].compute
            return _applied(compute, [_bound(argument, fixed) for argument in node.arguments])
        case _:
            raise TypeError(node)


def _chosen(condition: Value, yes: Value, no: Value) -> Value:
    return np.where(np.not_equal(condition, 0.0), yes, no)


def _applied(compute: Callable[..., Value], operands: Sequence[Value | Function]) -> Value | Function:
    """Return what a function gives for operands, or the function that gives it."""
    known = [not callable(operand) for operand in operands]
    if all(known):
        return compute(*operands)
    if len(operands) == 1:
        (only,) = operands
        return lambda values: compute(only(values))
    if len(operands) == 2:
        a, b = operands
        if known[0]:
            return lambda values: compute(a, b(values))
        if known[1]:
            return lambda values: compute(a(values), b)
        return lambda values: compute(a(values), b(values))
    return lambda values: compute(
        *(operand if is_known else operand(values) for operand, is_known in zip(operands, known, strict=True))
    )


def _folded(compute: Callable[..., Value], operands: Sequence[Value | Function]) -> Value | Function:
    """Return operands joined from the left, or the function that joins them."""
    first = 1
    total = operands[0]
    while first < len(operands) and not callable(total) and not callable(operands[first]):
        total = compute(total, operands[first])
        first += 1
    if first == len(operands):
        return total
    rest = operands[first:]

    def join(values: Sequence[Value]) -> Value:
        result, owned = (total(values) if callable(total) else total), False
        for operand in rest:
            value = operand(values) if callable(operand) else operand
            if owned and np.ndim(result) and np.shape(value) in ((), result.shape):
                compute(result, value, result)
            else:
                result, owned = compute(result, value), True
        return result

    return join


def _plain(node: Node, fixed: Mapping[int, float]) -> Callable[[Sequence[float]], float]:
    """Return the function of plain numbers that computes a node of the four operations."""
    match node:
        case Parameter() if int(node.name) not in fixed:
            return itemgetter(int(node.name))
        case Prefix():
            inside = _plain(node.operand, fixed)
            return lambda values: -inside(values)
        case Operation(symbol="*", operands=(Parameter(name=a), Parameter(name=b))) if (
            int(a) in fixed and int(b) not in fixed
        ):
            factor, number = fixed[int(a)], int(b)
            return lambda values: factor * values[number]
        case Operation():
            first, *rest = (_plain(operand, fixed) for operand in node.operands)
            compute = {"+": add, "*": mul, "/": truediv}[node.symbol]
            if len(rest) == 1:
                (second,) = rest
                return lambda values: compute(first(values), second(values))
            return lambda values: reduce(compute, [operand(values) for operand in rest], first(values))
        case _:
            constant: Value = _bound(node, fixed)
            return lambda _: float(constant)


def _degree(node: Node, names: frozenset[str]) -> int:
    match node:
        case Parameter():
            return int(node.name in names)
        case Prefix(symbol="-"):
            return _degree(node.operand, names)
        case Operation(symbol="+"):
            return max(_degree(operand, names) for operand in node.operands)
        case Operation(symbol="*"):
            return min(sum(_degree(operand, names) for operand in node.operands), _NOT_LINEAR)
        case Operation(symbol="/"):
            above, *below = (_degree(operand, names) for operand in node.operands)
            return _NOT_LINEAR if any(below) else above
        case Conditional() if _degree(node.condition, names) == 0:
            return max(_degree(node.yes, names), _degree(node.no, names))
        case Number() | Name():
            return 0
        case _:
            depends = any(isinstance(inner, Parameter) and inner.name in names for inner in walk(node))
            return _NOT_LINEAR if depends else 0
