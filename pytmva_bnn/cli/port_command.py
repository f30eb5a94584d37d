"""``pytmva-bnn port``: all arguments go to ``pytmva_bnn.port.main``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pytmva_bnn.cli.delegation import exit_code, function_of
from pytmva_bnn.errors import InputError

OUTPUT = ("-o", "--output")


def run(argv: Sequence[str]) -> int:
    """Pass the arguments on."""
    main = function_of("pytmva_bnn.port", "main", "port")
    check_macro(argv)
    return exit_code(main(list(argv)))


def check_macro(argv: Sequence[str]) -> None:
    """Raise if the arguments name one macro, and there is none.

    >>> check_macro(["nope.C", "-o", "nope.py"])
    Traceback (most recent call last):
    pytmva_bnn.errors.InputError: the macro nope.C does not exist
    """
    if {"-h", "--help"} & set(argv):
        return
    before = ["", *argv]
    named = [one for last, one in zip(before, argv, strict=False) if last not in OUTPUT and not one.startswith("-")]
    if len(named) == 1 and not Path(named[0]).is_file():
        what = "is a folder" if Path(named[0]).is_dir() else "does not exist"
        raise InputError(f"the macro {named[0]} {what}")
