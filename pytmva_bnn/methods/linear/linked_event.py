"""The event in the linked memory, evaluated again and again: plain numbers, for which numpy's calls take too long."""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.methods.protocol import NO_ERROR
from pytmva_bnn.transform import TransformationChain
from pytmva_bnn.transform.compiled import NORMALISE, SCALE, steps_of

Numbers = list[float]
MOST_IN_PYTHON = 5
"""Variables up to which plain numbers are faster than numpy for the χ²."""


class LinkedResponse:
    """The response to what the memory holds now; NaN where the ordinary way has to be taken."""

    def __init__(self, evaluate: Callable[[], float]) -> None:
        self.evaluate = evaluate

    def error_bars(self, name: str) -> tuple[float, float]:
        """Return what TMVA has for no errors."""
        del name
        return NO_ERROR, NO_ERROR


def linked_sum(
    coefficients: FloatArray, chain: TransformationChain, memory: Sequence[NDArray[Any] | None], *, rounds: bool
) -> LinkedResponse | None:
    """Return c_0 + Σ c_i x_i of the event, rounded to float32 after each term if ``rounds``."""
    event = _transformed_event(chain, memory)
    if event is None:
        return None
    offset, *factors = coefficients.tolist()
    cell = array("f", [offset])
    start = cell[0] if rounds else offset

    def evaluate() -> float:
        y = start
        for factor, x in zip(factors, event(), strict=True):
            y += factor * x
            if rounds:
                cell[0] = y
                y = cell[0]
        return y if y - y == 0.0 else math.nan  # infinite

    return LinkedResponse(evaluate)


def linked_chi_squares(
    means: FloatArray, inverses: FloatArray, chain: TransformationChain, memory: Sequence[NDArray[Any] | None]
) -> LinkedResponse | None:
    """Return (b - s)/(s + b) of the event; ``means`` (2, n) and ``inverses`` (2, n, n) are of signal and background."""
    parts = chain.parts if chain.sets and chain.placed else [chain]
    events = [_transformed_event(part, memory) for part in parts]
    signal, background = events[0], events[-1]
    if signal is None or background is None:
        return None
    n = means.shape[1]
    chi_squares = _by_numbers(means, inverses) if n <= MOST_IN_PYTHON else _by_numpy(means, inverses)

    def evaluate() -> float:
        x = signal()
        s, b = chi_squares(x, x if len(parts) == 1 else background())
        total = s + b
        return (b - s) / total if s >= 0.0 and b >= 0.0 and 0.0 < total < math.inf else math.nan

    return LinkedResponse(evaluate)


ChiSquares = Callable[[Numbers, Numbers], Sequence[float]]


def _by_numbers(means: FloatArray, inverses: FloatArray) -> ChiSquares:
    sides = [
        (mean.tolist(), [(*place, value) for place, value in np.ndenumerate(inverse.astype(object))])
        for mean, inverse in zip(means, inverses, strict=True)
    ]

    def chi_squares(*events: Numbers) -> Numbers:
        found = []
        for x, (mean, elements) in zip(events, sides, strict=True):
            d = [value - centre for value, centre in zip(x, mean, strict=True)]
            total = 0.0
            for i, j, h in elements:
                total += d[i] * d[j] * h
            found.append(total)
        return found

    return chi_squares


def _by_numpy(means: FloatArray, inverses: FloatArray) -> ChiSquares:
    x, d, products = np.empty_like(means), np.empty_like(means), np.empty_like(inverses)
    column, row, terms = d[:, :, np.newaxis], d[:, np.newaxis], products.reshape(2, -1)

    def chi_squares(*events: Numbers) -> Numbers:
        x[:] = events
        np.subtract(x, means, d)
        np.multiply(column, row, products)
        np.multiply(products, inverses, products)
        np.add.accumulate(terms, 1, None, terms)  # one after the other
        result: Numbers = terms[:, -1].tolist()
        return result

    return chi_squares


# -- the transformed event


def _transformed_event(
    chain: TransformationChain, memory: Sequence[NDArray[Any] | None]
) -> Callable[[], Numbers] | None:
    """Return what reads and transforms the event; None if it does not know the transformations or the memory."""
    known = [one for one in memory if one is not None and one.dtype.isnative]
    steps = None if chain.needs_spectators else steps_of(chain)
    types = {one.dtype for one in known}
    if steps is None or len(known) != chain.n_variables or not types <= {np.dtype("f4"), np.dtype("f8")}:
        return None
    n, at = len(known), 0
    changes: list[Callable[[Numbers], Numbers]] = [] if types == {np.dtype("f4")} else [_rounded]
    for kind in steps.kinds.tolist():
        size = {NORMALISE: 2 * n, SCALE: n}.get(kind, n + n * n)
        changes.append(_step(kind, steps.parameters[at : at + size], n))
        at += size
    reads = [one.item for one in known]

    def event() -> Numbers:
        x = [read() for read in reads]
        for change in changes:
            x = change(x)
        return x

    return event


def _rounded(x: Numbers) -> Numbers:
    return array("f", x).tolist()


def _step(kind: int, parameters: FloatArray, n: int) -> Callable[[Numbers], Numbers]:
    """Return a transformation of numbers that are float32, with float32 after each operation where TMVA has it."""
    if kind == NORMALISE:
        low, inverse = parameters.astype(np.float32).reshape(2, n).tolist()

        def normalise(x: Numbers) -> Numbers:
            x = _rounded([one - by for one, by in zip(x, low, strict=True)])
            x = _rounded([one * by for one, by in zip(x, inverse, strict=True)])
            return _rounded([one * 2.0 - 1.0 for one in x])  # doubling is exact

        return normalise
    if kind == SCALE:
        largest = parameters.astype(np.float32).tolist()
        return lambda x: _rounded([one / by for one, by in zip(x, largest, strict=True)])
    means, rows = parameters[:n].tolist(), parameters[n:].reshape(n, n).tolist()

    def multiply(x: Numbers) -> Numbers:
        d = [one - mean for one, mean in zip(x, means, strict=True)]
        y = []
        for row in rows:
            total = 0.0
            for one, factor in zip(d, row, strict=True):
                total += factor * one
            y.append(total)
        return _rounded(y)

    return multiply
