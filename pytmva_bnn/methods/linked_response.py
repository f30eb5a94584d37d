"""The event in linked memory, evaluated again and again: what a macro's event loop spends its time on.

The first events are read, transformed and evaluated with plain numbers, for which numpy's calls take too long; when
there are more of them, compiled code takes over if it is available.  Both have to give the same bits.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from operator import add, mul, sub, truediv
from struct import Struct
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn import fast
from pytmva_bnn._typing import FloatArray
from pytmva_bnn.fast.switch import is_forced
from pytmva_bnn.methods.answers import NO_ERROR
from pytmva_bnn.transform import TransformationChain
from pytmva_bnn.transform.compiled import NORMALISE, SCALE, Steps, steps_of

EVENTS_BY_NUMBERS = 500
"""Events after which compiled code takes over."""
MEMORY = (np.dtype(np.float32), np.dtype(np.float64))
"""What the linked memory may hold."""

Numbers = Sequence[float]
Event = Callable[[], Numbers]
"""Reads the event, and transforms it."""


class Evaluated(Protocol):
    """What evaluates the event in the memory."""

    def evaluate(self) -> float:
        """Return the response."""


class LinkedResponse:
    """The response to what the memory holds now; NaN where the ordinary way has to be taken.

    ``by_numbers`` gives it by plain numbers, ``compiled`` makes what gives it by compiled code; ``made_by`` are the
    function that makes this object and its arguments.
    """

    def __init__(
        self, by_numbers: Callable[[], float], compiled: Callable[[], Evaluated], made_by: tuple[Any, ...]
    ) -> None:
        self._made_by = made_by
        self._by_numbers = by_numbers
        self._compiled = compiled
        self._n_events = 0
        self.evaluate: Callable[[], float] = compiled().evaluate if is_forced() else self._first_events

    def __reduce__(self) -> tuple[Any, ...]:
        # a copy has memory of its own
        return self._made_by[0], self._made_by[1:]

    def _first_events(self) -> float:
        self._n_events += 1
        if self._n_events == EVENTS_BY_NUMBERS:
            self.evaluate = self._compiled().evaluate if fast.available() else self._finite
        return self._finite()

    def _finite(self) -> float:
        try:
            y = self._by_numbers()
        except OverflowError:  # too large for float32
            return math.nan
        return y if y - y == 0.0 else math.nan

    def error_bars(self, name: str) -> tuple[float, float]:
        """Return what TMVA has for no errors."""
        del name
        return NO_ERROR, NO_ERROR


# -- the transformed event


class Sides:
    """The memory seen through transformations, or through those of signal and of background."""

    def __init__(self, memory: Sequence[NDArray[Any]], steps: Sequence[Steps]) -> None:
        self.memory = memory
        self.steps = steps
        self.events = [_event(memory, one) for one in steps]


def sides_of(chain: TransformationChain, memory: Sequence[NDArray[Any] | None]) -> Sides | None:
    """Return what reads and transforms the event; None if it does not know the transformations or the memory."""
    known = [one for one in memory if one is not None and one.dtype.isnative and one.dtype in MEMORY]
    parts = chain.parts if chain.placed else ()
    steps = [Steps.none()] if not chain.placed else [steps_of(part) for part in parts or (chain,)]
    able = [one for one in steps if one is not None]
    if chain.needs_spectators or len(known) != chain.n_variables or len(able) < len(steps):
        return None
    return Sides(known, able)


def _event(memory: Sequence[NDArray[Any]], steps: Steps) -> Event:
    n, at = len(memory), 0
    changes: list[Callable[[Numbers], Numbers]] = []
    if any(one.dtype != MEMORY[0] for one in memory):
        changes.append(_rounding(n))
    for kind in steps.kinds.tolist():
        size = {NORMALISE: 2 * n, SCALE: n}.get(kind, n + n * n)
        changes.append(_step(kind, steps.parameters[at : at + size], n))
        at += size
    reads = [one.item for one in memory]

    def event() -> Numbers:
        x: Numbers = [read() for read in reads]
        for change in changes:
            x = change(x)
        return x

    return event


def _rounding(n: int) -> Callable[[Iterable[float]], Numbers]:
    """Return what rounds n numbers to float32: several times faster so than one by one."""
    floats = Struct(f"{n}f")
    pack, unpack = floats.pack, floats.unpack
    return lambda x: unpack(pack(*x))


def _step(kind: int, parameters: FloatArray, n: int) -> Callable[[Numbers], Numbers]:
    """Return a transformation of numbers that are float32, with float32 after each operation where TMVA has it."""
    rounded = _rounding(n)
    if kind == NORMALISE:
        low, inverse = parameters.astype(np.float32).reshape(2, n).tolist()

        def normalise(x: Numbers) -> Numbers:
            x = rounded(map(mul, rounded(map(sub, x, low)), inverse))
            return rounded([one + one - 1.0 for one in x])  # doubling is exact

        return normalise
    if kind == SCALE:
        largest = parameters.astype(np.float32).tolist()
        return lambda x: rounded(map(truediv, x, largest))
    means, rows = parameters[:n].tolist(), parameters[n:].reshape(n, n).tolist()

    def multiply(x: Numbers) -> Numbers:
        d = list(map(sub, x, means))
        return rounded([reduce(add, map(mul, row, d), 0.0) for row in rows])

    return multiply
