"""The options of Cuts."""

from __future__ import annotations

from enum import IntEnum

from pytmva_bnn.options import METHOD_BASE_OPTIONS, PER_VARIABLE, Option, OptionType

PROPERTIES = ("NotEnforced", "FMax", "FMin", "FSmart")
BOTH_SIDES, ONLY_LOWER, ONLY_UPPER, BY_MEANS = PROPERTIES


class FitMethod(IntEnum):
    """How the cuts are searched, by the numbers that weight files have for it."""

    MC = 0
    GA = 1
    SA = 2
    MINUIT = 3
    EventScan = 4
    MCEvents = 5


CUTS_OPTIONS: tuple[Option, ...] = (
    *METHOD_BASE_OPTIONS,
    Option(
        "FitMethod",
        OptionType.STRING,
        "GA",
        "search algorithm",
        ("GA", "SA", "MC", "MCEvents", "MINUIT", "EventScan"),
    ),
    Option(
        "EffMethod",
        OptionType.STRING,
        "EffSel",
        "efficiencies by counting events (EffSel, always used) or from densities (EffPDF)",
        ("EffSel", "EffPDF"),
    ),
    Option(
        "CutRangeMin", OptionType.DOUBLE, -1.0, "lower end of the range in which cuts are searched", size=PER_VARIABLE
    ),
    Option(
        "CutRangeMax",
        OptionType.DOUBLE,
        -1.0,
        "upper end of this range; the range of the events if both ends are equal",
        size=PER_VARIABLE,
    ),
    Option(
        "VarProp",
        OptionType.STRING,
        BOTH_SIDES,
        "cut on both sides (NotEnforced), from below (FMax), from above (FMin), or by the means (FSmart)",
        PROPERTIES,
        size=PER_VARIABLE,
    ),
)

EVENT_SAMPLING_OPTIONS: tuple[Option, ...] = (
    Option("SampleSize", OptionType.INT, 200000, "number of boxes between signal events"),
    Option("Seed", OptionType.UINT, 100, "seed of the random numbers; 0 gives a different seed in every run"),
)
"""The options of FitMethod=MCEvents."""
