"""C++ text → syntax tree, with tree-sitter; the only place that knows the parser.

tree-sitter never refuses a text: what it does not understand becomes a node ``ERROR``, and the rest is still a tree.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Sequence
from typing import Any, Protocol

from pytmva_bnn.errors import MissingDependencyError

LARGEST = 400_000
"""Characters; a longer text is no macro, and is not parsed."""


class Node(Protocol):
    """What is used of tree-sitter's nodes."""

    @property
    def id(self) -> int:
        """A number of this node."""

    @property
    def type(self) -> str:
        """The name of the grammar's rule."""

    @property
    def text(self) -> bytes | None:
        """The source of the node."""

    @property
    def children(self) -> Sequence[Node]:
        """All children, also brackets and operators."""

    @property
    def named_children(self) -> Sequence[Node]:
        """The children that are rules of the grammar."""

    @property
    def parent(self) -> Node | None:
        """The node above."""

    @property
    def start_point(self) -> tuple[int, int]:
        """Row and column of the beginning, from 0."""

    @property
    def end_point(self) -> tuple[int, int]:
        """Row and column of the end."""

    @property
    def start_byte(self) -> int:
        """The beginning."""

    @property
    def end_byte(self) -> int:
        """The end."""

    @property
    def has_error(self) -> bool:
        """Whether something in it was not understood."""

    @property
    def is_missing(self) -> bool:
        """Whether the parser has invented it."""

    @property
    def is_named(self) -> bool:
        """Whether it is a rule of the grammar, not a bracket or an operator."""

    def field_name_for_child(self, index: int, /) -> str | None:
        """Return the role of a child."""

    def child_by_field_name(self, name: str, /) -> Node | None:
        """Return the child of this name."""


def parse(source: str) -> Node:
    """Return the root of the syntax tree of a C++ text."""
    try:
        library: Any = importlib.import_module("tree_sitter")
        grammar: Any = importlib.import_module("tree_sitter_cpp")
    except ImportError:
        raise MissingDependencyError.of("tree-sitter and tree-sitter-cpp", "port", "translating a C++ macro") from None
    parser = library.Parser(library.Language(grammar.language()))
    root: Node = parser.parse(source.encode("utf-8", errors="replace")).root_node
    return root


def parse_expression(text: str) -> Node | None:
    """Return the tree of a C++ expression, or None if the text is none."""
    root = parse(f"x = {text};")
    found = [node for node in walk(root) if node.type == "assignment_expression"]
    if root.has_error or len(root.named_children) != 1 or not found:
        return None
    return found[0].child_by_field_name("right")


def text_of(node: Node) -> str:
    """Return the source of a node."""
    return (node.text or b"").decode("utf-8", errors="replace")


def parts_of(node: Node) -> list[Node]:
    """Return the children that are rules of the grammar, without comments."""
    return [child for child in node.named_children if child.type != "comment"]


def operator_of(node: Node) -> str:
    """Return the operator of a unary, binary, assignment or update expression."""
    return next((child.type for child in node.children if not child.is_named and child.type not in "()"), "")


def walk(node: Node) -> Iterator[Node]:
    """Yield the node and all below it, in the order of the text; no recursion, however deep the tree is."""
    waiting = [node]
    while waiting:
        one = waiting.pop()
        yield one
        waiting.extend(reversed(one.children))


def is_understood(node: Node) -> bool:
    """Tell whether a statement is free of errors; a forgotten semicolon is none."""
    if not node.has_error:
        return True
    return all(one.type != "ERROR" and (not one.is_missing or one.type == ";") for one in walk(node))


def code_rows(root: Node) -> set[int]:
    """Return the numbers of the rows that hold code, not only comments."""
    rows: set[int] = set()
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.type == "comment":
            continue
        if node.children:
            waiting.extend(node.children)
        elif node.end_byte > node.start_byte and node.type not in ("{", "}"):
            rows.update(range(node.start_point[0], node.end_point[0] + 1))
    return rows
