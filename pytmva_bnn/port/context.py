"""What the translator knows while it works: names and their meaning, functions, classes, the text so far."""

from __future__ import annotations

import builtins
import keyword
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from pytmva_bnn.port.cpp_types import UNKNOWN, CppType
from pytmva_bnn.port.output import Emitter
from pytmva_bnn.port.parse import Node, text_of


class Untranslatable(Exception):  # noqa: N818 - a reason, not a failure
    """A piece of C++ has no translation; the message says why."""


# Python's precedence of operators, from loose to tight
WALRUS, LAMBDA, TERNARY, OR, AND, NOT, COMPARE, BIT_OR, BIT_XOR, BIT_AND, SHIFT, ADD, MULTIPLY, UNARY, POWER, ATOM = (
    range(16)
)


@dataclass(frozen=True)
class Expr:
    """A translated expression.

    ``cell`` is the text of something that can be read and written as ``cell[0]``, for what has an address.
    ``loose`` numbers are right only after conversion to their type (an int that may have overflowed, a float that is
    not rounded).  ``fresh`` values are nobody else's, so that they need not be copied.
    """

    text: str
    type: CppType = UNKNOWN
    level: int = ATOM
    cell: str = ""
    loose: bool = False
    fresh: bool = False
    literal: int | float | str | None = None
    function: Function | None = None

    def at(self, level: int) -> str:
        """Return the text, in brackets if it binds less tightly than ``level``."""
        return self.text if self.level >= level else f"({self.text})"


@dataclass
class Symbol:
    """What a C++ name stands for."""

    name: str
    python: str
    type: CppType = UNKNOWN
    kind: str = "variable"
    is_cell: bool = False
    is_global: bool = False
    is_element: bool = False  # an iterator in C++, the element itself in Python
    owned: bool = True  # not a reference or parameter that somebody else may hold
    function: Function | None = None  # of a variable that holds a lambda
    scope: tuple[str, ...] = ()


@dataclass
class Parameter:
    """A parameter of a function of the macro."""

    name: str
    type: CppType
    default: Node | None = None
    is_cell: bool = False
    is_changed: bool = False


@dataclass
class Function:
    """A function or method of the macro; ``definition`` has its body."""

    name: str
    python: str
    result: CppType
    parameters: list[Parameter]
    definition: Node | None = None
    owner: str = ""
    is_static: bool = False
    is_template: bool = False
    namespace: str = ""
    is_unnamed: bool = False  # the statements of a macro without a function

    @property
    def n_required(self) -> int:
        """The number of arguments without default."""
        return sum(one.default is None for one in self.parameters)


@dataclass
class Class:
    """A struct or class of the macro."""

    name: str
    python: str
    node: Node
    bases: list[str] = field(default_factory=list)
    members: dict[str, Symbol] = field(default_factory=dict)
    statics: set[str] = field(default_factory=set)
    methods: dict[str, list[Function]] = field(default_factory=dict)
    constants: dict[str, Symbol] = field(default_factory=dict)
    has_destructor: bool = False


class Scopes:
    """The names that are visible, innermost last."""

    def __init__(self) -> None:
        self._stack: list[dict[str, Symbol]] = [{}]
        self._alive: list[list[Symbol]] = [[]]

    def find(self, name: str) -> Symbol | None:
        """Return what a name stands for."""
        for scope in reversed(self._stack):
            if name in scope:
                return scope[name]
        return None

    def is_outermost(self) -> bool:
        """Return whether names that are declared now are global."""
        return len(self._stack) == 1

    def add(self, symbol: Symbol) -> Symbol:
        """Declare a name in the innermost scope."""
        symbol.is_global = symbol.is_global or self.is_outermost()
        self._stack[-1][symbol.name] = symbol
        return symbol

    def add_global(self, symbol: Symbol) -> Symbol:
        """Declare a name for the whole text."""
        symbol.is_global = True
        self._stack[0][symbol.name] = symbol
        return symbol

    def is_shadowing(self, name: str, python: str) -> bool:
        """Return whether a new variable would hide another one that is still alive, under the same Python name."""
        return any(
            symbol.python == python and symbol.kind in ("variable", "function", "class")
            for scope in self._stack[:-1]
            for symbol in scope.values()
            if symbol.name == name or symbol.python == python
        )

    def keep_alive(self, symbol: Symbol) -> None:
        """Note an object whose destructor runs at the end of the innermost scope."""
        self._alive[-1].append(symbol)

    def forget(self, name: str) -> None:
        """Note that an object is gone, or is somebody else's now."""
        for objects in self._alive:
            objects[:] = [one for one in objects if one.name != name]

    def is_innermost(self, name: str) -> bool:
        """Return whether an object dies at the end of the innermost scope."""
        return any(one.name == name for one in self._alive[-1])

    def alive(self, depth: int = -1) -> list[Symbol]:
        """Return the objects to be destroyed at the end of the scopes from ``depth`` on, the last one first."""
        return [one for objects in reversed(self._alive[depth:]) for one in reversed(objects)]

    @property
    def depth(self) -> int:
        """The number of scopes that are open."""
        return len(self._stack)

    @contextmanager
    def block(self) -> Iterator[None]:
        """Open a scope for as long as the context lasts."""
        self._stack.append({})
        self._alive.append([])
        try:
            yield
        finally:
            self._stack.pop()
            self._alive.pop()


@dataclass
class Body:
    """The function that is being translated."""

    function: Function | None = None
    python: str = ""
    globals: set[str] = field(default_factory=set)
    nonlocals: set[str] = field(default_factory=set)
    own_names: set[str] = field(default_factory=set)
    cells: frozenset[str] = frozenset()
    changed: frozenset[str] = frozenset()
    outer: Body | None = None
    loops: list[LoopEnd] = field(default_factory=list)
    is_lambda: bool = False
    depth: int = 0  # of the scopes around it


@dataclass
class LoopEnd:
    """What must happen before ``continue``, and what ``break`` means."""

    before_continue: Callable[[], None] | None = None
    is_switch: bool = False
    allows_continue: bool = True
    depth: int | None = None  # of the scopes outside


@dataclass
class Context:
    """Everything the translation of one macro shares."""

    stem: str = "macro"
    stem_in_cpp: str = "macro"
    wide: bool = False  # whole numbers may overflow
    out: Emitter = field(default_factory=Emitter)
    scopes: Scopes = field(default_factory=Scopes)
    aliases: dict[str, CppType] = field(default_factory=dict)
    functions: dict[str, list[Function]] = field(default_factory=dict)
    classes: dict[str, Class] = field(default_factory=dict)
    enums: dict[str, dict[str, str]] = field(default_factory=dict)
    namespaces: set[str] = field(default_factory=set)
    used_namespaces: set[str] = field(default_factory=set)
    streams: frozenset[str] = frozenset()
    branch_memory: frozenset[str] = frozenset()
    global_cells: frozenset[str] = frozenset()
    imports: set[str] = field(default_factory=set)
    notes: list[str] = field(default_factory=list)
    left_rows: set[int] = field(default_factory=set)
    lost: dict[str, str] = field(default_factory=dict)  # functions and classes that were left, and why
    body: Body = field(default_factory=Body)
    owner: Class | None = None
    this: str = "self"
    row_offset: int = 0
    found_products: bool = False
    static_lines: list[str] = field(default_factory=list)
    counter: int = 0
    last_lambda: Function | None = None

    def use(self, *names: str) -> str:
        """Note that helpers of the run-time are needed, and return the first name."""
        self.imports.update(names)
        return names[0]

    def note(self, node: Node, words: str) -> str:
        """Keep a remark for the user with the line it is about, and return it."""
        remark = f"line {node.start_point[0] + 1 - self.row_offset}: {words}"
        if remark not in self.notes:
            self.notes.append(remark)
        return remark

    def fresh_name(self, stem: str) -> str:
        """Return a name that nothing else has."""
        self.counter += 1
        return f"{stem}_{self.counter}"


RESERVED = frozenset({"ROOT", "array", "numpy", "sys", "self"})
"""Names that the emitted text needs for itself."""

HELPERS = frozenset(
    {
        "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "divide", "ratio",
        "quotient", "remainder", "copied", "ref", "refs", "address", "Struct", "post_increment", "pre_increment",
        "post_decrement", "pre_decrement", "Thrown", "printf", "fprintf", "set_cell", "with_char", "is_null",
        "overloaded", "find", "rfind", "find_first_of", "find_last_of", "find_first_not_of", "find_last_not_of",
        "compare", "stepped",
        "substr", "read_line", "CharCell", "npos", "between", "by", "char_at", "dereferenced", "set_value",
        "what", "assign", "memory",
    }
)  # fmt: skip
"""What :mod:`pytmva_bnn.compat.cpp` gives to translated programs, besides functions of C's library."""

C_LIBRARY = frozenset(
    {
        "atoi", "atol", "atof", "strcmp", "strncmp", "strlen", "strstr", "strtol", "strtod", "rand", "srand", "time",
        "clock", "ctime", "difftime",
        "getenv", "usleep", "sleep", "isdigit", "isalpha", "isspace", "isalnum", "isupper", "islower",
        "toupper", "tolower", "printf", "fprintf", "puts", "putchar", "mkdir", "access", "system", "remove", "perror",
        "fopen", "fclose", "fputs", "fflush", "memcpy",
    }
)  # fmt: skip
"""Functions of C's library that :mod:`pytmva_bnn.compat.cpp` has."""


def python_name(name: str) -> str:
    """Return a name that Python allows and that hides nothing the text needs.

    >>> python_name("lambda"), python_name("len"), python_name("x")
    ('lambda_', 'len_', 'x')
    """
    is_taken = keyword.iskeyword(name) or name in RESERVED or name in HELPERS or name in C_LIBRARY
    return f"{name}_" if is_taken or hasattr(builtins, name) else name


def member_name(name: str) -> str:
    """Return the name of a member, which only must not be a keyword.

    >>> member_name("from"), member_name("len")
    ('from_', 'len')
    """
    return f"{name}_" if keyword.iskeyword(name) else name


def last_name(node: Node) -> str:
    """Return the last part of a name, without template arguments: ``std::max<int>`` gives ``max``."""
    return text_of(node).partition("<")[0].rpartition("::")[2].strip()
