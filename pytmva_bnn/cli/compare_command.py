"""``pytmva-bnn compare``."""

from __future__ import annotations

import argparse
import json

from pytmva_bnn.cli.console import say
from pytmva_bnn.cli.differences import SECTIONS, Tolerance, compare
from pytmva_bnn.cli.numbers import count, tolerance
from pytmva_bnn.convert import load_any

DIFFERENT = 4
_MOST_LINES = 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add = parser.add_argument
    add("first", metavar="A", help="weight file")
    add("second", metavar="B", help="weight file")
    add("--rtol", type=tolerance, default=1e-9, help="relative tolerance of numbers (default: 1e-9)")
    add("--atol", type=tolerance, default=1e-12, help="absolute tolerance of numbers (default: 1e-12)")
    add("--events", type=count, default=1000, help="random events for the responses (default: 1000)")
    add("--seed", type=count, default=1, help="seed of the random events (default: 1)")
    add("--ignore", action="append", default=[], choices=SECTIONS, help="differences that do not count")
    add("--json", action="store_true", help="for programs: JSON")


def run(arguments: argparse.Namespace) -> int:
    """Print the differences; the exit code tells whether there are any."""
    sections = compare(
        load_any(arguments.first),
        load_any(arguments.second),
        Tolerance(arguments.rtol, arguments.atol),
        n_events=arguments.events,
        seed=arguments.seed,
    )
    differ = any(one.differences for one in sections if one.name not in arguments.ignore)
    if arguments.json:
        found = {one.name: {"differences": list(one.differences), "note": one.note} for one in sections}
        say(json.dumps({"same": not differ, **found}, indent=1))
        return DIFFERENT if differ else 0
    for one in sections:
        ignored = " (ignored)" if one.name in arguments.ignore else ""
        state = "differ" if one.differences else "same"
        note = f": {one.note}" if one.note else ""
        say(f"{one.name}: {state}{ignored}{note}")
        if one.differences != (one.note,):
            for line in one.differences[:_MOST_LINES]:
                say(f"  {line}")
        if len(one.differences) > _MOST_LINES:
            say(f"  and {len(one.differences) - _MOST_LINES} more (--json shows all)")
    say("The files differ." if differ else "The files are the same within the tolerances.")
    return DIFFERENT if differ else 0
