"""ROOT's messages: ``Info in <place>: text`` on standard error, from gErrorIgnoreLevel on."""
# ruff: noqa: N802 - ROOT's names

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable
from typing import Any, NoReturn

from pytmva_bnn.compat.constants import LEVELS
from pytmva_bnn.compat.strings import TString
from pytmva_bnn.errors import TMVAError


class FatalError(TMVAError, RuntimeError):
    """A macro has called Fatal, which ends the program."""


def shown_from() -> int:
    """Return the lowest level of messages that are shown: ``ROOT.gErrorIgnoreLevel``."""
    from pytmva_bnn.compat import ROOT  # which has the functions of this module

    return int(ROOT.gErrorIgnoreLevel)


def _message(kind: str) -> Callable[..., None]:
    level = LEVELS[f"k{kind}"]

    def write(place: str, pattern: str = "", *arguments: Any) -> None:
        if level >= shown_from():
            sys.stdout.flush()  # both may go to the same screen
            where = f" in <{place}>" if place else ""
            sys.stderr.write(f"{kind}{where}: {TString.Format(str(pattern), *arguments)}\n")

    write.__name__ = kind
    write.__doc__ = f"Write ``{kind} in <place>: text`` to standard error; the text is made as by printf."
    return write


Info, Warning, Error, Break = map(_message, ("Info", "Warning", "Error", "Break"))  # noqa: A001 - ROOT's names


def SysError(place: str, pattern: str, *arguments: Any) -> None:
    """Write a message with the last error of the system behind it."""
    reason = os.strerror(ctypes.get_errno())
    _message("SysError")(place, "%s (%s)", TString.Format(pattern, *arguments), reason)


def Fatal(place: str, pattern: str, *arguments: Any) -> NoReturn:
    """Write a message and end the program."""
    _message("Fatal")(place, pattern, *arguments)
    raise FatalError(f"{place}: {TString.Format(pattern, *arguments)}")


def Printf(pattern: str, *arguments: Any) -> None:
    """Write a line to standard output; the text is made as by printf."""
    sys.stdout.write(f"{TString.Format(pattern, *arguments)}\n")
