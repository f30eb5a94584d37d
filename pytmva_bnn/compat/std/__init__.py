"""The namespace ``ROOT.std``: C++'s containers, algorithms, streams, exceptions and functions."""

from __future__ import annotations

from typing import Any

from pytmva_bnn.compat import cpp
from pytmva_bnn.compat.errors import NotInCompatError
from pytmva_bnn.compat.std import maps as maps  # it puts its templates into TEMPLATES
from pytmva_bnn.compat.std import pairs, vectors
from pytmva_bnn.compat.std.algorithms import ALGORITHMS
from pytmva_bnn.compat.std.clocks import CHRONO, sleep_for
from pytmva_bnn.compat.std.exceptions import EXCEPTIONS
from pytmva_bnn.compat.std.maths import MATHS
from pytmva_bnn.compat.std.streams import STREAMS
from pytmva_bnn.compat.std.types import TEMPLATES
from pytmva_bnn.compat.strings import StdString

__all__ = ["Namespace", "std", "vector"]


C_FUNCTIONS = {
    name: getattr(cpp, name)
    for name in (
        "atof", "atoi", "atol", "clock", "getenv", "isalnum", "isalpha", "isdigit", "islower", "ispunct", "isspace",
        "isupper", "printf", "rand", "srand", "strcmp", "strlen", "strncmp", "strstr", "time", "tolower", "toupper",
    )
}  # fmt: skip
"""C's functions, which C++ also has in ``std``."""


class Namespace:
    """Names of C++ as attributes; an error names those that are alike."""

    def __init__(self, name: str, members: dict[str, Any]) -> None:
        self._name = name
        self.__dict__.update(members)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        known = [one for one in self.__dict__ if not one.startswith("_")]
        raise NotInCompatError.of(self._name, name, known, "docs/porting.md lists what is available")


std = Namespace(
    "std",
    {
        "string": StdString, **TEMPLATES, **EXCEPTIONS, **STREAMS, **ALGORITHMS, **MATHS, **C_FUNCTIONS,
        "make_pair": pairs.make_pair, "make_tuple": pairs.make_tuple, "tie": pairs.Tie, "get": pairs.Get(),
        "chrono": Namespace("std.chrono", CHRONO),
        "this_thread": Namespace("std.this_thread", {"sleep_for": sleep_for}),
    },
)  # fmt: skip
vector = vectors.vector
