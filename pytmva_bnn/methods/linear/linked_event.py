"""The event in the linked memory, evaluated again and again: what a macro's event loop spends its time on.

The first events go through plain numbers, for which numpy's calls take too long; when there are more of them, compiled
code takes over if it is available.  Both give the same bits.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Sequence
from functools import reduce
from operator import add, mul, sub
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import FloatArray, IntArray
from pytmva_bnn.methods.linked_response import LinkedResponse, Numbers, Sides, sides_of
from pytmva_bnn.transform import TransformationChain


def linked_sum(
    coefficients: FloatArray, chain: TransformationChain, memory: Sequence[NDArray[Any] | None], rounds: bool
) -> LinkedResponse | None:
    """Return c_0 + Σ c_i x_i of the event, rounded to float32 after each term if ``rounds``."""
    sides = sides_of(chain, memory)
    if sides is None:
        return None
    (event,) = sides.events
    offset, *factors = coefficients.tolist()
    cell: array[float] = array("f", [offset])
    start = cell[0]

    def plain_sum() -> float:
        y: float = reduce(add, map(mul, factors, event()), offset)
        return y

    def rounded_sum() -> float:
        y = start
        for term in map(mul, factors, event()):
            cell[0] = y + term
            y = cell[0]
        return y

    kind, function = ("ROUNDED_SUM", rounded_sum) if rounds else ("SUM", plain_sum)
    made_by = (linked_sum, coefficients, chain, memory, rounds)
    return LinkedResponse(function, lambda: CompiledResponse(kind, sides, coefficients), made_by)


def linked_chi_squares(
    means: FloatArray, inverses: FloatArray, chain: TransformationChain, memory: Sequence[NDArray[Any] | None]
) -> LinkedResponse | None:
    """Return (b - s)/(s + b) of the event; ``means`` (2, n) and ``inverses`` (2, n, n) are of signal and background."""
    sides = sides_of(chain, memory)
    if sides is None:
        return None
    signal, background = (
        (mean.tolist(), [(*place, value) for place, value in np.ndenumerate(inverse.astype(object))])
        for mean, inverse in zip(means, inverses, strict=True)
    )

    def response() -> float:
        x = sides.events[0]()
        s = _chi_square(x, *signal)
        b = _chi_square(x if len(sides.events) == 1 else sides.events[1](), *background)
        return (b - s) / (s + b) if s >= 0.0 and b >= 0.0 and s + b > 0.0 else math.nan

    numbers = np.concatenate([means, inverses.reshape(2, -1)], axis=1).ravel()
    made_by = (linked_chi_squares, means, inverses, chain, memory)
    return LinkedResponse(response, lambda: CompiledResponse("CHI_SQUARES", sides, numbers), made_by)


def _chi_square(x: Numbers, means: Numbers, elements: Sequence[tuple[int, int, float]]) -> float:
    d = list(map(sub, x, means))
    total = 0.0
    for i, j, h in elements:
        total += d[i] * d[j] * h
    return total


class CompiledResponse:
    """The response by compiled code, for ``numbers`` as :mod:`.event_kernels` wants them.

    ``kind`` is the name of a constant there, or the number that another function ``evaluate`` knows.
    """

    def __init__(
        self,
        kind: str | int,
        sides: Sides,
        numbers: FloatArray,
        evaluate: Callable[[IntArray, FloatArray], float] | None = None,
    ) -> None:
        from pytmva_bnn.methods.linear import event_kernels  # lazy: numba

        memory, steps, n = sides.memory, sides.steps, len(sides.memory)
        number = getattr(event_kernels, kind) if isinstance(kind, str) else kind
        n_parameters = len(steps[0].parameters)
        self._memory = memory  # kept alive: the plan has addresses only
        self._plan = np.array(
            [
                *(n, number, len(steps), len(steps[0].kinds), n_parameters),
                len(steps) * n_parameters + numbers.size,
                *(one.ctypes.data for one in memory),
                *(one.dtype == np.float64 for one in memory),
                *steps[0].kinds,
            ],
            dtype=np.int64,
        )
        self._state = np.concatenate([*(one.parameters for one in steps), numbers.ravel(), np.zeros(2 * n)])
        self._evaluate = evaluate or event_kernels.evaluate

    def evaluate(self) -> float:
        """Return the response to what the variables hold now."""
        return self._evaluate(self._plan, self._state)
