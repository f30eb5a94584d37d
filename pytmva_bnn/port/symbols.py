"""What the names of a macro stand for: types, how a value is kept in Python, and the scopes.

>>> scopes = Scopes()
>>> scopes.declare("lambda", FLOAT).name
'lambda_'
>>> with scopes.block():
...     scopes.declare("lambda", INT).name      # hides the other one, which keeps its value
'lambda_2'
"""

from __future__ import annotations

import keyword
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import Enum

# names that the translation uses itself, and those that ruff calls ambiguous (E741)
_USED = (
    "Histogram O I Path TMVA TRandom3 abs bool defaultdict dict divided float format int l len list max min np open "
    "print quotient range remainder round set single sorted str sum sys time tuple uproot zip __name__"
)
_TAKEN = frozenset(_USED.split())


class Kind(Enum):
    """What a value is, as far as the translation must know."""

    UNKNOWN = "unknown"
    LOST = "declared by a line that was left"
    VOID = "void"
    NONE = "null pointer"
    BOOL = "bool"
    INT = "int"
    FLOAT = "float"
    STRING = "string"
    CUT = "TCut"
    ARRAY = "numpy array"
    VECTOR = "list"
    MAP = "dictionary"
    PAIR = "tuple"
    MAP_ITEM = "entry of a map"
    ELEMENT = "element of a list"
    FILE = "path of a ROOT file that is read"
    OUT_FILE = "ROOT file that is written"
    TREE = "file.root:tree"
    CHAIN = "list of file.root:tree"
    OUT_TREE = "columns to be written"
    HISTOGRAM = "histogram"
    STREAM = "text file"
    FACTORY = "Factory"
    LOADER = "DataLoader"
    READER = "Reader"
    METHOD = "method"
    CROSS_VALIDATION = "CrossValidation"
    RANDOM = "TRandom"
    STOPWATCH = "TStopwatch"


NUMBERS = frozenset({Kind.BOOL, Kind.INT, Kind.FLOAT})
TEXTS = frozenset({Kind.STRING, Kind.CUT})


@dataclass(frozen=True)
class CppType:
    """A type: its kind, what it holds, and how deep a pointer it is.

    ``dtype`` is numpy's name for numbers in memory; ``note`` carries what a kind needs beyond that (the text of a
    chain's tree name, of a tree's name in the output).
    """

    kind: Kind
    element: CppType | None = None
    dtype: str = ""
    pointer: bool = False
    note: str = ""

    @property
    def is_number(self) -> bool:
        """Whether it is a number (or bool) and no pointer to one."""
        return self.kind in NUMBERS and not self.pointer


UNKNOWN = CppType(Kind.UNKNOWN)
VOID = CppType(Kind.VOID)
NONE = CppType(Kind.NONE)
BOOL = CppType(Kind.BOOL, dtype="np.bool_")
INT = CppType(Kind.INT, dtype="np.int32")
LONG = CppType(Kind.INT, dtype="np.int64")
FLOAT = CppType(Kind.FLOAT, dtype="np.float32")
DOUBLE = CppType(Kind.FLOAT, dtype="np.float64")
STRING = CppType(Kind.STRING)
CUT = CppType(Kind.CUT)


@dataclass(eq=False)
class BranchGroup:
    """The branches of a tree that are read together, and the names of the variables that get them."""

    columns: str = ""
    links: list[tuple[str, str]] = field(default_factory=list)  # (text of the branch's name, C++ name of the variable)


@dataclass(eq=False)
class Symbol:
    """A variable.

    ``is_buffer``: a number whose address is taken, kept as an array of one element.  ``value`` is the text that stands
    for its value where that is not its name.  ``is_natural``: an integer that is never negative.
    """

    cpp_name: str
    name: str
    type: CppType
    is_buffer: bool = False
    value: str = ""
    is_natural: bool = False
    group: BranchGroup | None = None
    branches: list[tuple[str, Symbol, str]] = field(default_factory=list)  # of a tree to be written

    @property
    def text(self) -> str:
        """The Python text of its value."""
        return self.value or (f"{self.name}[0]" if self.is_buffer else self.name)


def python_name(name: str) -> str:
    """Return a name that Python, ruff and the translation itself leave free."""
    return f"{name}_" if keyword.iskeyword(name) or name in _TAKEN else name


class Scopes:
    """The names that can be seen, innermost block first; C++ blocks hide names, Python's do not."""

    def __init__(self) -> None:
        self._blocks: list[dict[str, Symbol]] = [{}]
        self._python_names: list[dict[str, str]] = [{}]  # of the same blocks: Python name → C++ name
        self.history: list[Symbol] = []
        """All variables in the order of their declaration."""

    def declare(self, cpp_name: str, type_: CppType, *, is_buffer: bool = False) -> Symbol:
        """Add a variable to the innermost block."""
        name = python_name(cpp_name)
        hidden = {block[cpp_name].name for block in self._blocks[:-1] if cpp_name in block}
        number = 2
        candidate = name
        while candidate in hidden or any(block.get(candidate, cpp_name) != cpp_name for block in self._python_names):
            candidate = f"{name.rstrip('_')}_{number}"
            number += 1
        symbol = Symbol(cpp_name, candidate, type_, is_buffer)
        self._blocks[-1][cpp_name] = symbol
        self._python_names[-1][candidate] = cpp_name
        self.history.append(symbol)
        return symbol

    def find(self, cpp_name: str) -> Symbol | None:
        """Return the variable that a name means here."""
        for block in reversed(self._blocks):
            if cpp_name in block:
                return block[cpp_name]
        return None

    def is_global(self, symbol: Symbol) -> bool:
        """Tell whether it belongs to the file, not to a function."""
        return self._blocks[0].get(symbol.cpp_name) is symbol

    def visible(self) -> list[Symbol]:
        """Return all variables, outermost block first."""
        return [symbol for block in self._blocks for symbol in block.values()]

    @contextmanager
    def block(self) -> Iterator[None]:
        """Open a block."""
        self._blocks.append({})
        self._python_names.append({})
        try:
            yield
        finally:
            self._blocks.pop()
            self._python_names.pop()
