"""The value of a cross-validation's SplitExpr: a ROOT 6 formula, which is compiled C++, not the language of trees.

What differs: ``%``, ``*`` and ``/`` have one rank and are done from the left, and a quotient of integers is an integer
(``int([id])/3``).  ``^`` is the power, as in all of ROOT's formulas.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import Float32Array
from pytmva_bnn.dataset import folds_by_value
from pytmva_bnn.errors import InputError, suggestion
from pytmva_bnn.events.variables import VariableRecord

Numbers = NDArray[Any]

PARAMETER = re.compile(r"\[([^\[\]]*)\]")
#: what C++ writes otherwise than Python, whose parser is used
_SYMBOLS = (("&&", " and "), ("||", " or "), ("^", "**"), ("::", "."))
_NOT = re.compile(r"!(?!=)")  # becomes ~, which has the rank that ! has in C++


def _to_integer(x: Numbers) -> Numbers:
    return np.trunc(x).astype(np.int64)


def _nint(x: Numbers) -> Numbers:
    # TMath::Nint: half to even for halves
    return np.rint(x).astype(np.int64)


FUNCTIONS: dict[str, Callable[..., Numbers]] = {
    "int": _to_integer,
    "Int_t": _to_integer,
    "fabs": lambda x: np.abs(np.asarray(x, dtype=np.float64)),
    "abs": np.abs,
    "floor": lambda x: np.floor(np.asarray(x, dtype=np.float64)),
    "ceil": lambda x: np.ceil(np.asarray(x, dtype=np.float64)),
    "sqrt": lambda x: np.sqrt(np.asarray(x, dtype=np.float64)),
    "fmod": lambda x, y: np.fmod(np.asarray(x, dtype=np.float64), y),
    "pow": lambda x, y: np.power(np.asarray(x, dtype=np.float64), y),
    "min": np.minimum,
    "max": np.maximum,
    "TMath.Abs": np.abs,
    "TMath.Floor": lambda x: np.floor(np.asarray(x, dtype=np.float64)),
    "TMath.FloorNint": lambda x: np.floor(np.asarray(x, dtype=np.float64)).astype(np.int64),
    "TMath.CeilNint": lambda x: np.ceil(np.asarray(x, dtype=np.float64)).astype(np.int64),
    "TMath.Nint": _nint,
}
COMPARISONS: dict[type[ast.cmpop], Callable[[Numbers, Numbers], Numbers]] = {
    ast.Lt: np.less,
    ast.LtE: np.less_equal,
    ast.Gt: np.greater,
    ast.GtE: np.greater_equal,
    ast.Eq: np.equal,
    ast.NotEq: np.not_equal,
}


def folds_by_expression(
    expression: str, records: Sequence[VariableRecord], spectators: Float32Array, n_folds: int
) -> list[NDArray[np.intp]]:
    """Return the events of each fold; ``spectators`` ``(n_events, n_spectators)`` are those of ``records``."""
    values: dict[str, Numbers] = {}
    for name in set(PARAMETER.findall(expression)):
        if name in ("NumFolds", "numFolds"):
            values[name] = np.asarray(float(n_folds))
            continue
        for index, one in enumerate(records):
            if name in (one.title, one.label, one.expression):
                values[name] = spectators[:, index].astype(np.float64)
                break
        else:
            known = [one.label for one in records]
            hint = suggestion(name, known)
            raise InputError(
                f'Spectator "{name}" not found{": " + hint if hint else ""} (spectators: {", ".join(known) or "none"})'
            )
    return folds_by_value(split_values(expression, values, len(spectators)), n_folds)


def split_values(expression: str, parameters: Mapping[str, Numbers], n_events: int) -> NDArray[np.float64]:
    """Return the expression's value for each event; ``parameters`` are the values of what stands in brackets.

    >>> event = np.arange(8.0)
    >>> split_values("int([id])%4/2", {"id": event}, 8).tolist()
    [0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 1.0]
    """
    names = {f"_{number}": name for number, name in enumerate(dict.fromkeys(PARAMETER.findall(expression)))}
    places = {name: place for place, name in names.items()}
    text = PARAMETER.sub(lambda found: places[found[1]], expression)
    for symbol, python in _SYMBOLS:
        text = text.replace(symbol, python)
    text = _NOT.sub("~", text)
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise InputError(f"SplitExpr={expression} is not a valid expression") from None
    values = {place: np.asarray(parameters[name]) for place, name in names.items()}
    with np.errstate(all="ignore"):
        result = _Evaluation(expression, values).of(tree)
    return np.broadcast_to(np.asarray(result, dtype=np.float64), (n_events,)).copy()


class _Evaluation:
    """Evaluates what Python's parser made of the expression; what is not known is refused."""

    def __init__(self, expression: str, values: Mapping[str, Numbers]) -> None:
        self._expression = expression
        self._values = values

    def fail(self, why: str) -> InputError:
        return InputError(f"SplitExpr={self._expression}: {why}")

    def of(self, node: ast.expr) -> Numbers:
        match node:
            case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
                return np.asarray(value)
            case ast.Name(id=name) if name in self._values:
                return self._values[name]
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return np.negative(self.of(operand))
            case ast.UnaryOp(op=ast.UAdd(), operand=operand):
                return self.of(operand)
            case ast.UnaryOp(op=ast.Invert(), operand=operand):
                return np.equal(self.of(operand), 0).astype(np.int64)
            case ast.BinOp(left=left, op=op, right=right):
                return self._operation(op, self.of(left), self.of(right))
            case ast.BoolOp(op=op, values=operands):
                parts = np.broadcast_arrays(*(np.not_equal(self.of(one), 0) for one in operands))
                combine = np.all if isinstance(op, ast.And) else np.any
                return np.asarray(combine(parts, axis=0), dtype=np.int64)
            case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in COMPARISONS:
                return COMPARISONS[type(op)](self.of(left), self.of(right)).astype(np.int64)
            case ast.Call(func=function, args=arguments, keywords=[]):
                return self._call(ast.unparse(function).removeprefix("std."), [self.of(one) for one in arguments])
        raise self.fail("only numbers, [spectators], operators and functions are allowed")

    def _operation(self, op: ast.operator, a: Numbers, b: Numbers) -> Numbers:
        whole = a.dtype.kind in "iu" and b.dtype.kind in "iu"
        match op:
            case ast.Add():
                return np.add(a, b)
            case ast.Sub():
                return np.subtract(a, b)
            case ast.Mult():
                return np.multiply(a, b)
            case ast.Pow():
                return np.power(a.astype(np.float64), b)
            case ast.Div() | ast.Mod() if whole and (b == 0).any():
                raise self.fail("integer division by 0")
            case ast.Div():
                # C++: towards 0
                return np.subtract(a, np.fmod(a, b)) // b if whole else np.divide(a, b)
            case ast.Mod() if whole:
                return np.asarray(np.fmod(a, b))
            case ast.Mod():
                raise self.fail("% is for integers: write int(...) around both sides")
        raise self.fail("this operator is not supported")

    def _call(self, name: str, arguments: list[Numbers]) -> Numbers:
        if name not in FUNCTIONS:
            hint = suggestion(name, FUNCTIONS)
            raise self.fail(f"the function {name.replace('.', '::')} is not supported" + (f": {hint}" if hint else ""))
        try:
            return np.asarray(FUNCTIONS[name](*arguments))
        except TypeError:
            raise self.fail(f"wrong number of arguments of {name.replace('.', '::')}") from None
