"""What the arguments of the Reader's calls mean: the forms of its constructor, one event, the signal efficiency."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from numbers import Real
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import Float32Array
from pytmva_bnn.errors import InputError
from pytmva_bnn.model import Model

log = logging.getLogger("pytmva_bnn.Reader")


def constructor_arguments(args: tuple[Any, ...], verbose: bool) -> tuple[list[str], str, bool]:
    """Return names, options and verbose of the three forms of the constructor."""
    rest = list(args)
    names: list[str] = []
    if rest and not isinstance(rest[0], str):
        names = [str(name) for name in cast("Sequence[str]", rest.pop(0))]
    elif len(rest) > 1 and isinstance(rest[1], str):
        names = [name for name in rest.pop(0).split(":") if name]
    options = rest.pop(0) if rest and isinstance(rest[0], str) else ""
    if rest and isinstance(rest[0], bool | int):
        verbose = bool(rest.pop(0))
    if rest:
        raise InputError(f"Reader takes ([names,] options, verbose); got {rest[0]!r}")
    return names, options, verbose


def check_efficiency(given: tuple[Any, ...]) -> None:
    """Raise an InputError unless what is given is nothing, or one number."""
    for number in given:
        if len(given) > 1 or isinstance(number, str | bool) or np.ndim(number) or not isinstance(number, Real):
            raise InputError(
                "EvaluateMVA takes (tag), (method) or (events, tag), and for cuts also the signal efficiency"
            )


def as_vector(event: NDArray[Any]) -> NDArray[np.float64]:
    """Return the numbers of one event."""
    try:
        return np.asarray(event, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"the event is not a list of numbers: {error}") from error


def event_from(vector: NDArray[np.float64], model: Model) -> tuple[Float32Array, Float32Array | None]:
    """Return variables and, if they matter, spectators, which stand behind them."""
    records = (*model.variables, *(model.spectators if model.transformations.needs_spectators else ()))
    n = len(records)
    if len(vector) < n:
        names = ", ".join(v.expression for v in records)
        raise InputError(f"the event has {len(vector)} values, but the method needs {n}: {names}")
    if len(vector) > n:
        log.warning("the event has %d values, but the method needs %d; the last ones are ignored", len(vector), n)
    with np.errstate(over="ignore"):
        event = vector[np.newaxis, :n].astype(np.float32)
    n_variables = len(model.variables)
    return event[:, :n_variables], event[:, n_variables:] if n > n_variables else None
