"""What the parts of the translation share: the output, the names, and the tables of how nodes are translated."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from pytmva_bnn.port.output import Emitter
from pytmva_bnn.port.parse import Node, text_of
from pytmva_bnn.port.symbols import UNKNOWN, CppType, Kind, Scopes, Symbol
from pytmva_bnn.port.usage import Usage

_LOOSEST_FIRST = "statement ternary or and not comparison | ^ & shift sum product unary power atom"
RANKS = {name: number for number, name in enumerate(_LOOSEST_FIRST.split())}
"""Python's precedence, loosest first."""

DEEPEST_EXPRESSION = 60
LONGEST_NOTE = 150


class LeftError(Exception):
    """A piece of C++ that is not translated; the statement around it becomes a comment."""


class SkippedError(LeftError):
    """The booking of a method that does not exist here; it becomes a comment, too, but nothing is missing."""


class NeedlessError(LeftError):
    """A call that has no meaning without ROOT."""


@dataclass(frozen=True)
class Expr:
    """An expression in Python: its text, how tightly it binds, its type.

    ``literal`` is the value of a string literal; ``negated`` is its negation where that is not ``not …``; ``place`` is
    where a value is kept that was read from memory; ``is_natural``: an integer that cannot be negative.
    """

    text: str
    rank: str = "atom"
    type: CppType = UNKNOWN
    literal: str | None = None
    negated: str = ""
    place: str = ""
    is_natural: bool = False

    def __format__(self, spec: str) -> str:
        return self.within("atom") if spec == "a" else self.text

    def within(self, rank: str, *, strictly: bool = False) -> str:
        """Return the text, in brackets if it binds less than ``rank`` (or not more, if ``strictly``)."""
        mine, theirs = RANKS[self.rank], RANKS[rank]
        return f"({self.text})" if mine < theirs or (strictly and mine == theirs) else self.text

    @property
    def kind(self) -> Kind:
        """The kind of its type."""
        return self.type.kind


@dataclass(frozen=True)
class Function:
    """A function of the macro."""

    name: str
    result: CppType
    parameters: tuple[CppType, ...]
    changed_references: tuple[str, ...] = ()


@dataclass
class Context:
    """Everything known while a macro is translated."""

    out: Emitter = field(default_factory=Emitter)
    scopes: Scopes = field(default_factory=Scopes)
    usage: Usage = field(default_factory=Usage)
    functions: dict[str, Function] = field(default_factory=dict)
    aliases: dict[str, CppType] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    left_rows: set[int] = field(default_factory=set)
    skipped: list[str] = field(default_factory=list)
    loops: list[Callable[[], None] | None] = field(default_factory=list)
    """For each loop around: what to do before a ``continue``."""
    in_file: Symbol | None = None
    """The file opened last for reading (ROOT's gDirectory)."""
    out_file: Symbol | None = None
    in_main: bool = False
    in_function: bool = False
    result: CppType = UNKNOWN
    """What the function returns."""
    vectorise: bool = False
    readers: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    """Python name of each Reader → (label or expression, C++ name of the linked variable)."""
    depth: int = 0

    def note(self, node: Node, text: str) -> None:
        """Tell the user something about a line."""
        shown = text if len(text) <= LONGEST_NOTE else f"{text[:LONGEST_NOTE]}..."
        self.notes.append(f"line {node.start_point[0] + 1}: {shown}")


ExpressionHandler = Callable[[Context, Node], Expr]
StatementHandler = Callable[[Context, Node], None]

EXPRESSIONS: dict[str, ExpressionHandler] = {}
STATEMENTS: dict[str, StatementHandler] = {}


def translates(*types: str) -> Callable[[ExpressionHandler], ExpressionHandler]:
    """Enter a function into the table of expressions."""

    def enter(handler: ExpressionHandler) -> ExpressionHandler:
        EXPRESSIONS.update(dict.fromkeys(types, handler))
        return handler

    return enter


def executes(*types: str) -> Callable[[StatementHandler], StatementHandler]:
    """Enter a function into the table of statements."""

    def enter(handler: StatementHandler) -> StatementHandler:
        STATEMENTS.update(dict.fromkeys(types, handler))
        return handler

    return enter


def expression(ctx: Context, node: Node | None) -> Expr:
    """Translate an expression."""
    if node is None:
        raise LeftError("nothing here")
    handler = EXPRESSIONS.get(node.type)
    if handler is None:
        raise LeftError(f"{node.type.replace('_', ' ')} is not translated")
    if ctx.depth > DEEPEST_EXPRESSION:
        raise LeftError("the expression is nested too deeply")
    ctx.depth += 1
    try:
        return handler(ctx, node)
    finally:
        ctx.depth -= 1


def symbol_of(ctx: Context, node: Node | None) -> Symbol | None:
    """Return the variable that a node names, or None."""
    if node is None or node.type != "identifier":
        return None
    symbol = ctx.scopes.find(text_of(node))
    return None if symbol is None or symbol.type.kind is Kind.LOST else symbol


def one_line(node: Node) -> str:
    """Return the C++ text of a node on one line."""
    return re.sub(r"\s+", " ", text_of(node)).strip()
