"""How releases of TMVA differ in writing the same content."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Dialect:
    """How the release that wrote a file lays out the same content; the default is ROOT 6.38 and later.

    >>> Dialect().offset_attribute
    True
    """

    classes: Literal["named", "counted", "absent"] = "named"
    spectators_element: bool = True  # methods inside a Category have none
    offset_attribute: bool = True  # UseOffsetOrNot of Normalize, since ROOT 6.38
    short_numbers: bool = False  # up to TMVA 4.1.0: 6 significant digits for all but weights and ranges
    encoding: Literal["utf-8", "latin-1"] = "utf-8"
    newline: Literal["\n", "\r\n"] = "\n"
