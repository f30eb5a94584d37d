"""A Category in an event loop: simple cuts by plain numbers, and the short ways of its methods."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from struct import Struct
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from pytmva_bnn.formula.nodes import Call, Name, Node, Number, Operation, Prefix
from pytmva_bnn.methods.answers import LinkedEvent

if TYPE_CHECKING:
    from pytmva_bnn.methods.composite.category_fitted import FittedCategory

Event = Sequence[float]
Value = Callable[[Event], float]

_PAIRS: Mapping[str, Callable[[float, float], float]] = {
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
}
_ABSOLUTE = ("abs", "fabs", "TMath::Abs")


def value_of(node: Node, places: Mapping[str, int]) -> Value | None:
    """Return what computes an expression for an event of floats, None if it is not simple enough."""
    match node:
        case Number():
            return lambda _: node.value
        case Name(indices=()) if node.name in places:
            return operator.itemgetter(places[node.name])
        case Prefix(symbol="-" | "!"):
            return _applied(operator.neg if node.symbol == "-" else operator.not_, value_of(node.operand, places))
        case Call() if node.name in _ABSOLUTE and len(node.arguments) == 1:
            return _applied(abs, value_of(node.arguments[0], places))
        case Operation():
            found = [value_of(one, places) for one in node.operands]
            operands = [one for one in found if one is not None]
            return _joined(node.symbol, operands) if len(operands) == len(found) else None
    return None


def _applied(function: Callable[[float], float], inner: Value | None) -> Value | None:
    return None if inner is None else lambda x: function(inner(x))


def _joined(symbol: str, operands: Sequence[Value]) -> Value | None:
    if symbol == "&&":
        return lambda x: all(one(x) != 0.0 for one in operands)
    if symbol == "||":
        return lambda x: any(one(x) != 0.0 for one in operands)
    if symbol not in _PAIRS or len(operands) != 2:
        return None
    compute, (a, b) = _PAIRS[symbol], operands
    return lambda x: compute(a(x), b(x))


class LinkedCategory:
    """The event in linked memory: its region, and the short way of the method of that."""

    def __init__(
        self,
        cuts: Sequence[Value],
        methods: Sequence[LinkedEvent],
        memory: Sequence[NDArray[Any]],
        made_by: tuple[Any, ...],
    ) -> None:
        self._cuts = cuts
        self._methods = methods
        self._reads = [one.item for one in memory]
        self._floats = Struct(f"{len(memory)}f")
        self._n_variables: int = made_by[1].n_variables
        self._last: LinkedEvent | None = None
        self._made_by = made_by

    def __reduce__(self) -> tuple[Any, ...]:
        # a copy has memory of its own
        return linked_category, self._made_by

    def evaluate(self) -> float:
        """Return the response; NaN, for the ordinary way, unless the event is in just one region."""
        try:
            x = self._floats.unpack(self._floats.pack(*[read() for read in self._reads]))
        except OverflowError:  # too large for float32
            return math.nan
        if not all(map(math.isfinite, x[: self._n_variables])):
            return math.nan
        inside = [method for cut, method in zip(self._cuts, self._methods, strict=True) if cut(x) > 0.5]
        if len(inside) != 1:
            return math.nan
        self._last = inside[0]
        return self._last.evaluate()

    def error_bars(self, name: str) -> tuple[float, float]:
        """Return lower and upper error of the event that was evaluated last."""
        return (math.nan, math.nan) if self._last is None else self._last.error_bars(name)


def linked_category(fitted: FittedCategory, chain: Any, memory: Sequence[NDArray[Any] | None]) -> LinkedCategory | None:
    """Return the short way for an event loop; None if a cut is not simple, or a method has none."""
    known = [one for one in memory if one is not None]
    if len(known) != len(fitted.names) or len(known) < len(memory) or any(one.dtype.kind != "f" for one in known):
        return None
    places = {name: place for names in (fitted.labels, fitted.names) for place, name in enumerate(names)}
    cuts, methods = [], []
    for region in fitted.regions:
        cut = value_of(region.formula.tree, places)
        parts = [known[column] for column in region.columns]
        method = region.fitted.linked_event(region.scale.transformations, parts)
        if cut is None or method is None:
            return None
        cuts.append(cut)
        methods.append(method)
    return LinkedCategory(cuts, methods, known, (fitted, chain, memory))
