"""The names of TTreeFormula that end in ``$``: where one is in the tree, and loops over array elements.

This is the table of them; :mod:`.evaluation` gives them their meaning.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Loop:
    """A function of all instances of its arguments in an entry."""

    name: str
    count: int
    meaning: str

    @property
    def fewest(self) -> int:
        """The number of arguments."""
        return self.count

    @property
    def most(self) -> int:
        """The number of arguments."""
        return self.count

    @property
    def arity(self) -> str:
        """The number of arguments in words."""
        return "one argument" if self.count == 1 else f"{self.count} arguments"


LOOPS = {
    loop.name: loop
    for loop in (
        Loop("Length$", 1, "number of instances"),
        Loop("Sum$", 1, "sum over the instances"),
        Loop("Min$", 1, "smallest of the instances, 0 if there are none"),
        Loop("Max$", 1, "largest of the instances, 0 if there are none"),
        Loop("MinIf$", 2, "smallest of the instances for which the second argument is not 0, 0 if none"),
        Loop("MaxIf$", 2, "largest of the instances for which the second argument is not 0, 0 if none"),
        Loop("Alt$", 2, "first argument where it has the current instance, else the second"),
    )
}

SPECIALS = {
    "Entry$": "number of the entry in the tree or chain",
    "LocalEntry$": "number of the entry in its own tree",
    "Entries$": "number of entries of the tree or chain",
    "LocalEntries$": "number of entries of the entry's own tree",
    "Length$": "number of instances of the whole expression",
    "Iteration$": "number of the current instance",
}
