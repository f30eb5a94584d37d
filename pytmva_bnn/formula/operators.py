"""The binary operators, loosest first: the order *is* the precedence.

TTreeFormula cuts an expression in two at the first operator of this list that occurs in it.  Where it
cuts at the leftmost occurrence, the operands are combined from the right, and the other way round:

>>> [operator.symbol for operator in OPERATORS][:4]
['||', '&&', '|', '&']
>>> modulo, power = BY_SYMBOL["%"], BY_SYMBOL["^"]
>>> float(modulo.fold(np.float64(number) for number in modulo.order([7, 4, 3])))  # 7 % (4 % 3)
0.0
>>> float(power.fold(np.float64(number) for number in power.order([2, 3, 2])))  # (2 ^ 3) ^ 2
64.0
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.formula.integers import remainder, to_int64, to_uint64

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence


Operand = TypeVar("Operand")


def truth(condition: Any) -> FloatArray:
    """Return 1 where ``condition`` holds, else 0: TTreeFormula has no booleans."""
    return np.asarray(condition, dtype=np.float64)


def _floats(integers: Any) -> FloatArray:
    return np.asarray(integers, dtype=np.float64)


def _divide(a: FloatArray, b: FloatArray) -> FloatArray:
    # TTreeFormula: dividing by zero gives 0, also 0/0
    return np.where(np.equal(b, 0.0), 0.0, np.divide(a, b))


def _modulo(a: FloatArray, b: FloatArray) -> FloatArray:
    divisor = to_int64(b)
    # TTreeFormula: the operands are made integers first; dividing by zero crashes ROOT, here it is NaN
    return np.where(divisor == 0, np.nan, _floats(remainder(to_int64(a), divisor)))


def _power(a: FloatArray, b: FloatArray) -> FloatArray:
    # TTreeFormula: a^2 is a*a
    return a * a if np.ndim(b) == 0 and b == 2.0 else np.power(a, b)


def _places(b: FloatArray) -> NDArray[np.uint64]:
    return to_uint64(b) & np.uint64(63)  # as the processor does: shifts are taken modulo 64


def _shift_left(a: FloatArray, b: FloatArray) -> FloatArray:
    return _floats(np.left_shift(to_uint64(a), _places(b)))


def _shift_right(a: FloatArray, b: FloatArray) -> FloatArray:
    return _floats(np.right_shift(to_uint64(a), _places(b)))


@dataclass(frozen=True, slots=True)
class Operator:
    """One row of the table."""

    symbol: str
    compute: Callable[[FloatArray, FloatArray], FloatArray]
    from_left: bool = False
    """Whether ``a∘b∘c`` is ``(a∘b)∘c``; otherwise it is ``a∘(b∘c)``."""

    def order(self, operands: Sequence[Operand]) -> Iterable[Operand]:
        """Return ``operands`` in the order in which they are combined."""
        return operands if self.from_left else reversed(operands)

    def fold(self, values: Iterable[FloatArray]) -> FloatArray:
        """Return ``values``, which come in the order of :meth:`order`, combined to one."""
        if self.from_left:
            return reduce(self.compute, values)
        return reduce(lambda right, left: self.compute(left, right), values)


OPERATORS = (
    Operator("||", lambda a, b: truth(np.not_equal(a, 0.0) | np.not_equal(b, 0.0))),
    Operator("&&", lambda a, b: truth(np.not_equal(a, 0.0) & np.not_equal(b, 0.0))),
    Operator("|", lambda a, b: _floats(to_uint64(a) | to_uint64(b))),
    Operator("&", lambda a, b: _floats(to_uint64(a) & to_uint64(b))),
    Operator("<", lambda a, b: truth(np.less(a, b))),
    Operator(">", lambda a, b: truth(np.greater(a, b))),
    Operator("<=", lambda a, b: truth(np.less_equal(a, b))),
    Operator(">=", lambda a, b: truth(np.greater_equal(a, b))),
    Operator("==", lambda a, b: truth(np.equal(a, b))),
    Operator("!=", lambda a, b: truth(np.not_equal(a, b))),
    Operator("+", lambda a, b: np.add(a, b), from_left=True),
    Operator("-", lambda a, b: np.subtract(a, b), from_left=True),
    Operator("%", _modulo),
    Operator(">>", _shift_right),
    Operator("<<", _shift_left),
    Operator("*", lambda a, b: np.multiply(a, b)),
    Operator("/", _divide, from_left=True),
    Operator("^", _power, from_left=True),
)

BY_SYMBOL = {operator.symbol: operator for operator in OPERATORS}
RANK = {operator.symbol: rank for rank, operator in enumerate(OPERATORS)}
TIGHTEST = len(OPERATORS)
"""The rank of what no operator divides: values, and those with ``!`` in front."""


PREFIXES: dict[str, Callable[[FloatArray], FloatArray]] = {
    "-": lambda a: np.negative(a),
    "!": lambda a: truth(np.equal(a, 0.0)),
}
