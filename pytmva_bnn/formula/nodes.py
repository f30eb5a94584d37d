"""The expression tree: eight kinds of frozen nodes, and the functions that walk them.

Positions (index in the text, for error messages) do not count when trees are compared.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True, slots=True)
class Number:
    """A literal."""

    value: float
    position: int = field(default=0, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Name:
    """A branch or a constant such as ``pi``, with its indices; None stands for an empty ``[]``."""

    name: str
    indices: tuple[Node | None, ...] = ()
    position: int = field(default=0, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Special:
    """A name of TTreeFormula without arguments: ``Entry$``, ``Iteration$``, ``rndm`` …"""

    name: str
    position: int = field(default=0, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter in brackets: ``[0]``, or ``[eventID]`` in the split expression of a cross-validation."""

    name: str
    position: int = field(default=0, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Prefix:
    """``-`` or ``!`` in front of its operand."""

    symbol: str
    operand: Node
    position: int = field(default=0, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Operation:
    """Two or more operands joined by one and the same operator: ``a+b+c`` is one operation.

    The table in :mod:`.operators` says from which side the operands are combined.
    """

    symbol: str
    operands: tuple[Node, ...]
    position: int = field(default=0, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Conditional:
    """``condition ? yes : no``."""

    condition: Node
    yes: Node
    no: Node
    position: int = field(default=0, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Call:
    """A function, or one of TTreeFormula's loops over instances such as ``Sum$``, with its arguments."""

    name: str
    arguments: tuple[Node, ...]
    position: int = field(default=0, compare=False, repr=False)


Node: TypeAlias = Number | Name | Special | Parameter | Prefix | Operation | Conditional | Call


def children(node: Node) -> tuple[Node, ...]:
    """Return the nodes directly below ``node``, from left to right."""
    match node:
        case Name():
            return tuple(index for index in node.indices if index is not None)
        case Prefix():
            return (node.operand,)
        case Operation():
            return node.operands
        case Conditional():
            return (node.condition, node.yes, node.no)
        case Call():
            return node.arguments
        case _:
            return ()


def walk(root: Node) -> Iterator[Node]:
    """Yield every node of the tree, each before the nodes below it."""
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(children(node)))


def depth(root: Node) -> int:
    """Return how many nodes the longest way from the root down has."""
    deepest = 0
    level: list[Node] = [root]
    while level:
        deepest += 1
        level = [child for node in level for child in children(node)]
    return deepest
