"""The options of FDA as data, and what they mean."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from pytmva_bnn.errors import InputError, OptionError
from pytmva_bnn.methods.fitters import FITTERS, Fitter, Interval, fitter_of
from pytmva_bnn.options import METHOD_BASE_OPTIONS, Option, OptionSet, OptionType

STRING = OptionType.STRING
NONE, MINUIT = "None", "MINUIT"
_FIXED = 1e-30
_RANGE = re.compile(r"\(([^,()]+),([^,()]+)\)")

# fmt: off
FDA_OPTIONS: tuple[Option, ...] = (
    *METHOD_BASE_OPTIONS,
    Option("Formula", STRING, "(0)", "formula in parameters (0), (1), ... and variables x0, x1, ..."),
    Option("ParRanges", STRING, "()", "range of each parameter: (-1,1);(-10,10)"),
    Option("FitMethod", STRING, MINUIT, "how the parameters are fitted", tuple(FITTERS)),
    Option("Converger", STRING, NONE, "MINUIT: improve the result of another fitter by MINUIT", (NONE, MINUIT)),
)
# fmt: on


@dataclass(frozen=True)
class FDASettings:
    """What a training wants to know; ``converger`` improves what the fitter finds."""

    formula: str
    ranges: tuple[Interval, ...]
    fitter: Fitter
    converger: Fitter | None

    @classmethod
    def of(cls, options: OptionSet, title: str) -> FDASettings:
        """Return the settings of a booked method whose fitters have parsed their options."""
        converger = fitter_of(options, MINUIT) if options.string("Converger") == MINUIT else None
        return cls(
            options.string("Formula"),
            ranges_of(options.string("ParRanges"), title),
            fitter_of(options, options.string("FitMethod")),
            converger,
        )


def ranges_of(text: str, title: str) -> tuple[Interval, ...]:
    """Return the ranges of the parameters, with float32 ends."""
    packed = "".join(text.split())
    pieces = packed.split(";")
    if packed.count(")") != len(pieces):
        raise OptionError(
            f"{title}: <ProcessOptions> Mismatch in parameter string: the number of parameters: {packed.count(')')} != "
            f"ranges defined: {len(pieces)}; write ParRanges=(-1,1);(-10,10)"
        )
    return tuple(_range(piece, number, title) for number, piece in enumerate(pieces))


def _range(piece: str, number: int, title: str) -> Interval:
    found = _RANGE.fullmatch(piece)
    try:
        low, high = (float(np.float32(end)) for end in found.groups()) if found else (np.nan, np.nan)
    except ValueError:
        low = high = np.nan
    if not np.isfinite([low, high]).all():
        raise OptionError(f"{title}: ParRanges: {piece!r} is not a range of two numbers; write (-1,1);(-10,10)")
    if abs(high - low) < _FIXED:
        high = low
    try:
        return Interval(low, high)
    except InputError:
        raise OptionError(
            f"{title}: <ProcessOptions> max > min in interval for parameter: [{number}] : [{low:g}, {high:g}]; the "
            "smaller number must come first"
        ) from None
