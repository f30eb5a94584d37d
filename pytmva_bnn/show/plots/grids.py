"""Events on a line or in a plane of the variables, all other variables being fixed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.errors import InputError
from pytmva_bnn.events.variables import VariableRecord
from pytmva_bnn.show.plots.labels import find_variable, joined, text

MOST_LINES = 4


def training_range(variable: VariableRecord) -> tuple[float, float] | None:
    """Return the range of a variable in training, None if it is not known.

    >>> training_range(VariableRecord.define("x", minimum=1.0, maximum=3.0)), training_range(VariableRecord.define("x"))
    ((1.0, 3.0), None)
    """
    low, high = variable.minimum, variable.maximum
    return (low, high) if np.isfinite(low) and np.isfinite(high) and low < high else None


def checked_range(variable: VariableRecord, given: tuple[float, float] | None) -> tuple[float, float]:
    """Return the range to draw: the given one, or that of training.

    >>> checked_range(VariableRecord.define("x", minimum=1.0, maximum=3.0), None)
    (1.0, 3.0)
    """
    found = given or training_range(variable)
    if found is None:
        raise InputError(f"the range of {variable.label} in training is not known: give the range to draw")
    low, high = float(found[0]), float(found[1])
    if not (np.isfinite(low) and np.isfinite(high) and low < high):
        raise InputError(f"the range of {variable.label} must be (low, high) with low < high, got ({low}, {high})")
    return low, high


def fixed_values(
    variables: Sequence[VariableRecord], free: Sequence[int], at: Mapping[str, float] | None
) -> dict[int, float]:
    """Return the values of all variables that are not free; where none is given, the middle of the training range.

    >>> x, y = VariableRecord.define("x", minimum=0.0, maximum=2.0), VariableRecord.define("y")
    >>> fixed_values([x, y], [0], {"y": 7.0}), fixed_values([x, y], [1], None)
    ({1: 7.0}, {0: 1.0})
    """
    fixed: dict[int, float] = {}
    for name, value in (at or {}).items():
        number = find_variable(variables, name)
        if number in free:
            raise InputError(f"{name} is drawn along an axis, it cannot have a fixed value as well")
        fixed[number] = float(value)
    for number, variable in enumerate(variables):
        if number in free or number in fixed:
            continue
        ends = training_range(variable)
        if ends is None:
            raise InputError(f"give a value of {variable.label}, e.g. at={{{variable.label!r}: 1.0}}")
        fixed[number] = 0.5 * (ends[0] + ends[1])
    return fixed


def events_at(columns: Mapping[int, FloatArray], fixed: Mapping[int, float]) -> FloatArray:
    """Return events (n_events, n_variables) with these columns, all others being constant.

    >>> events_at({1: np.array([5.0, 6.0])}, {0: 1.0}).tolist()
    [[1.0, 5.0], [1.0, 6.0]]
    """
    n_events = len(next(iter(columns.values())))
    events = np.empty((n_events, len(columns) + len(fixed)))
    for number, column in columns.items():
        events[:, number] = column
    for number, value in fixed.items():
        events[:, number] = value
    return events


def described(
    variables: Sequence[VariableRecord], fixed: Mapping[int, float], points: float, more: Sequence[str] = ()
) -> str:
    """Return the fixed values in words that matplotlib can draw, with units, in lines of at most ``points``.

    What does not fit into a few lines is counted.  ``more`` are remarks behind the values.

    >>> described([VariableRecord.define("pt", unit="GeV"), VariableRecord.define("y")], {0: 12.5}, 300.0)
    'pt = 12.5 GeV'
    """
    parts = [
        f"{text(variables[n].title)} = {value:.3g}{' ' + text(variables[n].unit) if variables[n].unit else ''}"
        for n, value in sorted(fixed.items())
    ]
    for named in range(len(parts), -1, -1):
        left = [f"{len(parts) - named} more"] if named < len(parts) else []
        words = joined([*parts[:named], *left, *more], points, "small")
        if words.count("\n") < MOST_LINES:
            break
    return words
