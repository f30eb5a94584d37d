"""The event in linked memory, evaluated again and again: a formula of plain numbers.

numpy's calls would take twenty times as long for one event.  Only formulas of the four operations go this way: numpy's
functions, which arrays use, may differ from those of the C library in the last bit.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from numpy.typing import NDArray

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.methods.fda.formula import prepared
from pytmva_bnn.methods.linked_response import LinkedResponse, sides_of
from pytmva_bnn.transform import TransformationChain


class _ByNumbers:
    """Stands for compiled code, which would win little."""

    def __init__(self, response: Callable[[], float]) -> None:
        self.evaluate = response


def linked_formula(
    formula: str, parameters: FloatArray, chain: TransformationChain, memory: Sequence[NDArray[Any] | None]
) -> LinkedResponse | None:
    """Return the value of the formula for the event; None if there is no short way."""
    sides = sides_of(chain, memory)
    if sides is None:
        return None
    n = len(parameters)
    function = prepared(formula, n, chain.n_variables).plain_function(dict(enumerate(parameters.tolist())))
    if function is None:
        return None
    (event,) = sides.events
    before = [0.0] * n

    def response() -> float:
        try:
            y = function([*before, *event()])
        except (ZeroDivisionError, OverflowError):
            return math.nan
        return y if y - y == 0.0 else math.nan

    return LinkedResponse(response, lambda: _ByNumbers(response), (linked_formula, formula, parameters, chain, memory))
