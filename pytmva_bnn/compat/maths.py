"""TMath: the functions that expressions know too, for numbers and arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from pytmva_bnn.compat.errors import MacroError, NotInCompatError
from pytmva_bnn.formula.tmath import CONSTANT_FUNCTIONS, TMATH

WHOLE = frozenset({"Nint", "FloorNint", "CeilNint", "Odd", "Even", "IsNaN", "Finite", "SignBit"})
"""Functions that give whole numbers."""

OF_LISTS: dict[str, Any] = {
    "Mean": lambda values, weights=None: float(np.average(values, weights=weights)),
    "Median": lambda values: float(np.median(values)),
    "RMS": lambda values: float(np.std(values, ddof=1)),
    "StdDev": lambda values: float(np.std(values, ddof=1)),
    "GeomMean": lambda values: float(np.exp(np.mean(np.log(np.abs(values))))),
    "MinElement": min,
    "MaxElement": max,
    "LocMin": lambda values: int(np.argmin(values)),
    "LocMax": lambda values: int(np.argmax(values)),
    "BinarySearch": lambda values, x: int(np.searchsorted(values, x, side="right")) - 1,
}
"""Functions of a list of values; as in C++, its length may stand in front."""


class TMathNamespace:
    """The namespace TMath.

    >>> TMath.Abs(-2.5), TMath.Max(1, 2), round(TMath.Pi(), 4), TMath.Nint(1.6), TMath.Mean(3, [1, 2, 3])
    (2.5, 2.0, 3.1416, 2, 2.0)
    >>> TMath.Sqrt([4.0, 9.0])
    array([2., 3.])
    """

    def __getattribute__(self, name: str) -> Any:
        if name.startswith("__"):
            return super().__getattribute__(name)
        if name in OF_LISTS:
            return lambda *values: OF_LISTS[name](*_first(*values))
        if name == "Sort":
            return _sort
        if name in CONSTANT_FUNCTIONS:
            return lambda: CONSTANT_FUNCTIONS[name]
        if name not in TMATH:
            raise NotInCompatError.of("TMath", name, [*TMATH, *CONSTANT_FUNCTIONS, *OF_LISTS], "use numpy or scipy")
        return lambda *arguments: _call(name, arguments)


def _first(*values: Any) -> list[Any]:
    """Return the lists of values, cut to the length that may stand in front."""
    if len(values) > 1 and hasattr(values[0], "until"):  # two iterators
        return [list(values[0].until(values[1]))]
    if not isinstance(values[0], int | np.integer):
        return list(values)
    return [one[: values[0]] if hasattr(one, "__getitem__") else one for one in values[1:] if one is not None]


def _sort(n: int, values: Any, index: Any, down: bool = True) -> None:
    """Put the order of the first n values into an array of indices, the largest first."""
    numbers = np.asarray(values[:n])
    order = np.argsort(-numbers if down else numbers, kind="stable")
    for position, number in enumerate(order.tolist()):
        index[position] = number


def _call(name: str, arguments: tuple[Any, ...]) -> Any:
    fewest, most, function = TMATH[name]
    if not fewest <= len(arguments) <= most:
        raise MacroError(f"TMath.{name} takes {fewest} to {most} arguments; got {len(arguments)}")
    with np.errstate(all="ignore"):
        found = function(*(np.asarray(one, dtype=np.float64) for one in arguments))
    if np.ndim(found) > 0:
        return found
    return int(found) if name in WHOLE else float(found)


TMath = TMathNamespace()
