"""The event in linked memory, evaluated by each classifier's own short way."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import reduce
from operator import add, mul
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.methods.answers import NO_ERROR, LinkedEvent
from pytmva_bnn.methods.composite.boost_options import TRANSFORMS
from pytmva_bnn.methods.composite.boost_response import single_transform
from pytmva_bnn.methods.linear.linked_event import CompiledResponse
from pytmva_bnn.methods.linked_response import LinkedResponse, sides_of
from pytmva_bnn.transform import TransformationChain

if TYPE_CHECKING:
    from pytmva_bnn.methods.composite.boost_fitted import FittedBoost


def linked_boost(
    fitted: FittedBoost, chain: TransformationChain, memory: Sequence[NDArray[Any] | None]
) -> LinkedEvent | None:
    """Return what evaluates the event, if every classifier has a short way."""
    if fitted.sum_of_weights == 0.0:
        return None
    if fitted.linear_coefficients is not None:
        return linked_linear(fitted, chain, memory)
    events = [event for one in fitted.classifiers if (event := one.fitted.linked_event(chain, memory)) is not None]
    return LinkedBoost(fitted, events, chain, memory) if len(events) == len(fitted.classifiers) else None


def linked_linear(
    fitted: FittedBoost, chain: TransformationChain, memory: Sequence[NDArray[Any] | None]
) -> LinkedResponse | None:
    """Return the same for linear classifiers: the event is read and transformed once."""
    sides = sides_of(chain, memory)
    if sides is None or fitted.linear_coefficients is None:
        return None
    (event,) = sides.events
    norm = fitted.sum_of_weights
    known = list(zip(fitted.classifiers, fitted.linear_coefficients, strict=True))
    terms = [
        (one.weight, single_transform(fitted.transform, one.cut, one.direction), offset, factors)
        for one, (offset, *factors) in known
    ]

    def response() -> float:
        x = event()
        total = 0.0
        for weight, transform, offset, factors in terms:
            total += weight * transform(reduce(add, map(mul, factors, x), offset))
        return total / norm

    def by_compiled_code() -> CompiledResponse:
        from pytmva_bnn.methods.composite.boost_kernels import evaluate  # lazy: numba

        numbers = [norm, *(n for one, c in known for n in (one.weight, one.cut, one.direction, *c))]
        kind = 4 * len(known) + TRANSFORMS.index(fitted.transform)
        return CompiledResponse(kind, sides, np.array(numbers), evaluate)

    return LinkedResponse(response, by_compiled_code, (linked_linear, fitted, chain, memory))


class LinkedBoost:
    """The response to what the memory holds now; NaN where the ordinary way has to be taken."""

    def __init__(
        self,
        fitted: FittedBoost,
        events: Sequence[LinkedEvent],
        chain: TransformationChain,
        memory: Sequence[NDArray[Any] | None],
    ) -> None:
        self._made_by = (linked_boost, fitted, chain, memory)
        self._norm = fitted.sum_of_weights
        self._terms: list[tuple[float, Callable[[float], float], LinkedEvent]] = [
            (one.weight, single_transform(fitted.transform, one.cut, one.direction), event)
            for one, event in zip(fitted.classifiers, events, strict=True)
        ]

    def __reduce__(self) -> tuple[Any, ...]:
        # a copy has memory of its own
        return self._made_by[0], self._made_by[1:]

    def evaluate(self) -> float:
        """Return the response."""
        total = 0.0
        for weight, transform, event in self._terms:
            v = event.evaluate()
            if v - v != 0.0:
                return math.nan
            total += weight * transform(v)
        return total / self._norm

    def error_bars(self, name: str) -> tuple[float, float]:
        """Return what TMVA has for no errors."""
        del name
        return NO_ERROR, NO_ERROR
